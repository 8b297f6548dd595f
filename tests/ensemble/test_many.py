"""Ensembles: every number is that of `simulate`, whatever computes it, in whatever pieces; a member that fails takes nobody down."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from rollick import Event, describe, rate, simulate
from rollick.ensemble import Count, First, Greatest, Grid, Last, Least, Mean, Path, Rms, Samples, Table, ensemble
from rollick.kernel.names import InputError


class Swing(NamedTuple):
    """A pendulum with damping; it cannot be where its length is not above zero."""

    length: float = 1.0
    damping: float = 0.1


describe(
    Swing,
    states={"phi": "rad", "omega": "rad/s"},
    signals={"energy": "J"},
    parameters={"length": "m", "damping": "1/s"},
)


@rate.register(Swing)
def _(p, t, y, out):
    out[0] = y[1]
    out[1] = -9.81 / p.length * math.sin(y[0]) - p.damping * y[1]


from rollick.kernel.system import signals, validate  # noqa: E402


@signals.register(Swing)
def _(p, t, y, out):
    out[0] = 0.5 * (p.length * y[1]) ** 2 + 9.81 * p.length * (1.0 - math.cos(y[0]))


@validate.register(Swing)
def _(p):
    if p.length <= 0.0:
        raise InputError(f"length = {p.length} must be above zero.")


KEEP = [
    "final", "energy", First("omega", "falling"), Last("phi"), Count("phi"), Greatest("phi"), Least("omega"), Mean("energy"), Rms("omega"),
]  # fmt: skip
START = {"phi": 0.5}


@pytest.fixture(scope="module")
def many():
    return ensemble(Swing(), Grid(length=[0.5, 1.0, 2.0], damping=[0.0, 0.2]), 7.0, start=START, keep=KEEP)


def test_members_are_the_motions_of_simulate(many):
    for i, length in enumerate([0.5, 1.0, 2.0]):
        for j, damping in enumerate([0.0, 0.2]):
            events = [Event("omega", "falling", name="w"), Event("phi")]
            motion = simulate(Swing(length, damping), START, 7.0, dense=True, events=events)
            assert many["phi"][i, j] == motion.end_state[0]
            assert many["omega"][i, j] == motion.end_state[1]
            assert many["energy"][i, j] == motion["energy"][-1]
            swings = [e.t for e in motion.events if e.name == "phi"]
            assert many["first_omega"][i, j] == next(e.t for e in motion.events if e.name == "w")
            assert many["last_phi"][i, j] == swings[-1]
            assert many["count_phi"][i, j] == len(swings)
            t = np.linspace(0.0, 7.0, 200_001)
            assert many["greatest_phi"][i, j] == pytest.approx(motion.at(t, "phi").max(), abs=1e-9)
            assert many["least_omega"][i, j] == pytest.approx(motion.at(t, "omega").min(), abs=1e-8)
            assert many["mean_energy"][i, j] == pytest.approx(np.trapezoid(motion.at(t, "energy"), t) / 7.0, abs=1e-8)
            assert many["rms_omega"][i, j] == pytest.approx(np.sqrt(np.trapezoid(motion.at(t, "omega") ** 2, t) / 7.0), abs=1e-8)
    assert many.statuses == {"finished": 6}


def test_data_have_names_dimensions_and_units(many):
    data = many.data
    assert data["mean_energy"].dims == ("length", "damping")
    assert data["length"].attrs["units"] == "m"
    assert data["first_omega"].attrs["units"] == "s"
    assert float(data["phi"].sel(length=1.0, damping=0.2)) == many["phi"][1, 1]


def test_no_backend_and_no_chunking_changes_a_number(many):
    from concurrent.futures import ThreadPoolExecutor

    grid = Grid(length=[0.5, 1.0, 2.0], damping=[0.0, 0.2])
    for chunk, workers in ((1, 2), (4, 1), (6, 2)):
        again = ensemble(Swing(), grid, 7.0, start=START, keep=KEEP, chunk=chunk, workers=workers)
        assert np.array_equal(again.found.values, many.found.values)
    with ThreadPoolExecutor(2) as pool:
        again = ensemble(Swing(), grid, 7.0, start=START, keep=KEEP, chunk=2, on=pool)
    assert np.array_equal(again.found.values, many.found.values)


def test_a_member_that_cannot_be_is_told_and_the_others_go_on():
    found = ensemble(Swing(), {"length": [1.0, -1.0, 2.0]}, 3.0, start=START)
    assert found.statuses == {"finished": 2, "refused": 1}
    assert "must be above zero" in found.failures[0]["reason"]
    assert np.isnan(found["phi"][1])
    assert np.all(np.isfinite(found["phi"][[0, 2]]))


def test_a_motion_may_be_stopped_by_what_is_measured():
    found = ensemble(
        Swing(), {"length": [1.0, 2.0]}, 20.0, start=START, keep=[First("phi", "falling", stop=True), Greatest("omega"), "omega"]
    )
    for k, length in enumerate([1.0, 2.0]):
        motion = simulate(Swing(length), START, 20.0, events=[Event("phi", "falling", terminal=True)])
        assert found["first_phi"][k] == motion.end_time == found["end_time"][k]
        assert found["omega"][k] == pytest.approx(motion.end_state[1], abs=1e-14)
        assert found["greatest_omega"][k] == pytest.approx(0.0, abs=1e-14)  # it has only swung down
    assert found.statuses == {"event": 2}


def test_backward_and_with_times_that_vary():
    found = ensemble(Swing(), {"until": [-1.0, 2.0]}, start=START, keep=["final", Count("phi")])
    for k, until in enumerate([-1.0, 2.0]):
        motion = simulate(Swing(), START, until, events=["phi"])
        assert found["phi"][k] == motion.end_state[0]
        assert found["count_phi"][k] == len(motion.events)


def test_paths_are_states_at_chosen_times():
    at = np.linspace(0.0, 3.0, 7)
    found = ensemble(Swing(), {"phi": ["5deg", "10deg"]}, 3.0, keep=[Path(at), "final"])
    motion = simulate(Swing(), {"phi": "10deg"}, 3.0, at=at)
    assert np.array_equal(found["phi_path"][1], motion.y[:, 0])
    assert np.allclose(
        found.data["phi"].values, np.radians([5.0, 10.0])
    )  # the start is a coordinate, the end has a name of its own
    assert found["phi_end"][1] == motion.end_state[0]


def test_any_function_of_a_motion_may_be_kept():
    kept = {"turns": lambda motion: len([e for e in motion.events if e.name == "count_phi"])}
    found = ensemble(Swing(), {"length": [1.0]}, 5.0, start=START, keep=[Count("phi"), kept])
    assert found["turns"][0] == found["count_phi"][0] > 0


def test_a_member_by_itself_gives_the_same_numbers(many):
    """Functions of motions are computed member by member, through `simulate`; what is measured besides must not change."""
    grid = Grid(length=[0.5, 1.0, 2.0], damping=[0.0, 0.2])
    alone = ensemble(Swing(), grid, 7.0, start=START, keep=[*KEEP, {"status": lambda motion: len(motion.status)}])
    assert np.allclose(alone.found.values[:, :-1], many.found.values, rtol=1e-13, atol=1e-15)


def test_measures_of_functions(many):
    found = ensemble(Swing(), {"length": [0.5, 1.0]}, 7.0, start=START, keep=[Greatest(lambda t, y: y[0] * y[1], name="product")])
    motion = simulate(Swing(0.5), START, 7.0, dense=True)
    y = motion.at(np.linspace(0.0, 7.0, 200_001))
    assert found["product"][0] == pytest.approx((y[:, 0] * y[:, 1]).max(), abs=1e-8)


@pytest.mark.parametrize("kind", ["sobol", "latin", "halton", "random"])
def test_samples_lie_in_their_box_and_follow_their_seed(kind):
    points = Samples(50, kind, seed=4, length=(0.5, 2.0), damping=("0.01", "1", "log")).members(lambda name: "")
    again = Samples(50, kind, seed=4, length=(0.5, 2.0), damping=(0.01, 1.0, "log")).members(lambda name: "")
    other = Samples(50, kind, seed=5, length=(0.5, 2.0), damping=(0.01, 1.0, "log")).members(lambda name: "")
    assert points.count == 50
    assert np.array_equal(points.columns["length"], again.columns["length"])
    assert not np.array_equal(points.columns["length"], other.columns["length"])
    for name, low, high in (("length", 0.5, 2.0), ("damping", 0.01, 1.0)):
        assert np.all((points.columns[name] >= low) & (points.columns[name] <= high))
    assert 0.3 < np.mean(points.columns["damping"] < 0.1) < 0.7  # as many in each decade


def test_tables(tmp_path):
    file = tmp_path / "bodies.csv"
    file.write_text("length,damping\n1.0,0.1\n2.0,0.0\n")
    by_file = ensemble(Swing(), Table(file), 2.0, start=START)
    by_hand = ensemble(Swing(), Table(length=[1.0, 2.0], damping=[0.1, 0.0]), 2.0, start=START)
    assert np.array_equal(by_file["phi"], by_hand["phi"])
    assert by_file.data["length"].dims == ("member",)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dict(starts={}), "at least one axis"),
        (dict(starts=[1, 2]), "Grid, Samples or a Table"),
        (dict(starts={"lenght": [1.0]}), "lenght"),
        (dict(starts={"length": []}), "no values"),
        (dict(starts={"length": ["2 kg"]}), "kg"),
        (dict(until=None), "until is missing"),
        (dict(keep="enery"), "energy"),
        (dict(keep=[]), "nothing is to be kept"),
        (dict(keep=["phi", Greatest("phi", name="phi")]), "kept twice"),
        (dict(keep=[3]), "not understood"),
        (dict(on="clouds"), "threads"),
        (dict(rtoll=1e-9), "rtol"),
        (dict(dt=1e-3), "no option"),
        (dict(chunk=0), "whole number"),
        (dict(starts=Samples(3, length=(2.0, 1.0))), "exchange"),
        (dict(starts=Samples(3, length=(-1.0, 1.0, "log"))), "above zero"),
    ],
)
def test_bad_input_is_a_sentence(change, words):
    given = {"starts": {"length": [1.0]}, "until": 1.0, "start": START} | change
    with pytest.raises(InputError, match=words):
        ensemble(Swing(), given.pop("starts"), given.pop("until"), **given)


def test_pictures(many, tmp_path):
    many.plot("mean_energy", path=tmp_path / "map.png")
    ensemble(Swing(), {"length": [1.0, 2.0]}, 1.0, start=START).plot(path=tmp_path / "curve.png")
    ensemble(Swing(), Samples(16, length=(1, 2)), 1.0, start=START).plot(path=tmp_path / "samples.png")
    assert all((tmp_path / f"{name}.png").stat().st_size > 5000 for name in ("map", "curve", "samples"))
