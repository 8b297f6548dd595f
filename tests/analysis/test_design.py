"""Fits recover what made the data, as often as their intervals say; optima agree with a scan that takes no derivatives."""

import numpy as np
import pytest
from design_systems import Drag, Swing

from rollick import InputError, Rattleback, simulate
from rollick.analysis.design import fit, optimise
from rollick.analysis.sensitivity import Question

TRUTH = Swing(length=1.2, drag=Drag(0.15))
START = {"phi": 1.0}
T = np.linspace(0.1, 6.0, 60)


@pytest.fixture(scope="module")
def clean():
    return simulate(TRUTH, START, 6.0, at=T, rtol=1e-12).y[:, 0]


def test_a_fit_without_noise_is_exact(clean):
    found = fit(Swing(length=1.0), {"t": T, "phi": clean}, ["length", "drag.c"], start=START)
    assert found.complete
    assert found["length"] == pytest.approx(1.2, rel=1e-8)
    assert found["drag.c"] == pytest.approx(0.15, rel=1e-7)


def covered(clean, seeds, sigma=None):
    """How often each true value lies in its 95 % interval."""
    hits = np.zeros(3)
    for seed in seeds:
        noisy = clean + np.random.default_rng(seed).normal(0.0, 0.02, clean.size)
        found = fit(Swing(length=1.1), {"t": T, "phi": noisy}, ["length", "drag.c"], {"phi": 0.9}, ["phi"], sigma=sigma)
        truth = [1.2, 0.15, 1.0]
        hits += [low <= true <= high for true, (low, high) in zip(truth, found.intervals)]
        assert found.scatter == pytest.approx(0.02, rel=0.5) if sigma is None else found.scatter == 1.0
    return hits


def test_intervals_cover_the_truth(clean):
    assert covered(clean, range(10)).min() >= 7


@pytest.mark.slow
def test_intervals_cover_the_truth_as_often_as_they_say(clean):
    """Of 100: 95 expected with a standard deviation of 2.2."""
    for sigma in (None, 0.02):
        hits = covered(clean, range(100), sigma)
        assert np.all((hits >= 88) & (hits <= 100)), hits


def test_the_fit_tells_itself(clean, tmp_path):
    noisy = clean + np.random.default_rng(3).normal(0.0, 0.02, clean.size)
    found = fit(Swing(), {"t": T, "phi": noisy}, ["length", "drag.c"], start=START, sigma={"phi": 0.02})
    told = found.to_dict()
    assert [one["name"] for one in told["fitted"]] == ["length", "drag.c"]
    assert found.correlation[0, 0] == pytest.approx(1.0)
    assert "95 % in" in found.summary()
    assert "length" in found.summary()
    assert found.freedom == 58
    assert 30.0 < found.sum_of_squares < 95.0
    found.plot(path=tmp_path / "fit.png")
    assert (tmp_path / "fit.png").stat().st_size > 10_000
    again = fit(
        Swing(), {"t": T, "phi": noisy}, ["length", "drag.c"], start=START, sigma={"phi": 0.02}, bounds={"drag.c": (0.0, 0.1)}
    )
    assert again.at_bound == ["drag.c"]
    assert "at a bound" in again.message


def test_covariance_against_the_curvature_of_the_sum(clean):
    """chi^2 rises by one along an error, the others following: the profile, computed by fits with a parameter held."""
    noisy = clean + np.random.default_rng(4).normal(0.0, 0.02, clean.size)
    best = fit(Swing(), {"t": T, "phi": noisy}, ["length", "drag.c"], start=START, sigma=0.02)
    held = Swing(length=best["length"] + best.errors[0])
    beside = fit(held, {"t": T, "phi": noisy}, ["drag.c"], start=START, sigma=0.02)
    assert beside.sum_of_squares - best.sum_of_squares == pytest.approx(1.0, rel=0.02)


def test_outputs_as_data(clean):
    q = Question(TRUTH, START, 6.0, ["time of phi falling", "min phi"], ["length"])
    values = q.answer(q.path(None))[0]
    data = {"time of phi falling": values[0], "min phi": values[1]}
    found = fit(Swing(), data, ["length", "drag.c"], START, until=3.0, sigma={"time of phi falling": 1e-3, "min phi": 1e-3})
    assert found.values == pytest.approx([1.2, 0.15], rel=1e-7)


def test_what_cannot_be_fitted_is_told(clean):
    with pytest.raises(InputError, match="sigma of phi is 'a'"):
        fit(Swing(), {"t": T, "phi": clean}, ["length"], start=START, sigma="a")
    data = {"t": T, "phi": clean}
    twins = fit(Swing(drag=Drag(0.15)), data, ["mass", "drag.c", "length"], start=START)  # only drag.c/mass enters
    assert not twins.known
    assert "tell" in twins.message
    assert np.all(np.isnan(twins.intervals))
    with pytest.raises(InputError, match="cannot determine"):
        fit(Swing(), {"t": [1.0], "phi": [0.1]}, ["length", "g"], start=START)
    with pytest.raises(InputError, match="different units"):
        fit(Swing(), {"t": T, "phi": clean, "omega": clean}, ["length"], start=START)
    with pytest.raises(InputError, match="as many"):
        fit(Swing(), {"t": T, "phi": clean[:-1]}, ["length"], start=START)
    with pytest.raises(InputError, match="outside its bounds"):
        fit(Swing(), data, ["length"], start=START, bounds={"length": (2.0, 3.0)})
    with pytest.raises(InputError, match="level"):
        fit(Swing(), data, ["length"], start=START, level=95)


def test_the_shortest_swing():
    """The time of the first passage over length and damping, against closed-form small-angle trends and a scan without derivatives."""
    bounds = {"length": (0.5, 2.0), "drag.c": (0.0, 2.0)}
    found = optimise(Swing(length=1.4, drag=Drag(0.8)), {"phi": 2.0}, 10.0, "time of phi falling", ["length", "drag.c"], bounds)
    assert found["length"] == 0.5
    assert found.at_bound == ["length", "drag.c"]
    # inside the box: the push whose frequency makes the swing largest
    q = Question(Swing(A=0.5, drag=Drag(0.3)), {}, 20.0, ["max phi"], ["w"])
    scan = np.linspace(1.5, 4.0, 126)
    heights = [q.outputs_at([w])[0] for w in scan]
    best = optimise(Swing(A=0.5, w=2.4, drag=Drag(0.3)), {}, 20.0, "max phi", ["w"], {"w": (1.5, 4.0)}, goal="max", starts=4)
    assert best.objective >= max(heights) - 1e-9
    assert abs(best["w"] - scan[int(np.argmax(heights))]) < 0.03
    assert abs(best.gradient[0]) < 1e-5
    assert best.complete
    assert "greatest" in best.message


@pytest.mark.slow
def test_which_stone_reverses_fastest():
    """The height of the mass centre for which the spin reverses soonest; against a scan. There are many local optima: descent begins near the best of a coarse one."""
    start = {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}
    found = optimise(Rattleback()._replace(h=0.0065), start, 20.0, "time of omega3 rising", ["h"], {"h": (0.006, 0.008)})
    q = Question(Rattleback(), start, 20.0, ["time of omega3 rising"], ["h"])
    scan = np.linspace(0.006, 0.008, 41)
    times = [q.outputs_at([h])[0] for h in scan]
    k = int(np.argmin(times))
    assert 0 < k < 40
    assert found.objective <= times[k] + 1e-9
    assert scan[k - 1] < found["h"] < scan[k + 1]
    assert found.began > found.objective
    assert not found.at_bound


def test_what_cannot_be_optimised_is_told():
    with pytest.raises(InputError, match="needs bounds"):
        optimise(Swing(), START, 5.0, "max phi", ["w"])
    with pytest.raises(InputError, match="goal"):
        optimise(Swing(), START, 5.0, "max phi", ["w"], {"w": (1.0, 2.0)}, goal="best")
    with pytest.raises(InputError, match="there is no time of"):
        optimise(Swing(), START, 0.1, "time of phi", ["g"], {"g": (9.0, 10.0)})
