"""Numbers by what they mean: each against the quantity itself, computed by hand from single motions; and attractors against basins."""

import sys
from pathlib import Path

import numpy as np
import pytest

from rollick import Rattleback, simulate
from rollick.archetypes.dying_disk import fitted
from rollick.archetypes.many import ModelSource
from rollick.archetypes.models import model
from rollick.archetypes.sweep_file import read_sweep
from rollick.ensemble import Attractor, EnergyExponent, FrictionDemand, ImpactCount, ReversalTime, Samples, ShockRatio, ensemble
from rollick.kernel.names import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "analysis"))
START = {"alpha": "0.5deg", "beta": "0.5deg"}


@pytest.fixture(scope="module")
def stones():
    return ensemble(
        Rattleback(), {"omega3": [-5.0, -3.0]}, 4.0, start=START, keep=[ReversalTime(), FrictionDemand()], progress=False
    )


def test_reversal_and_friction_are_those_of_the_motion(stones):
    for k, spin in enumerate([-5.0, -3.0]):
        motion = simulate(Rattleback(), {**START, "omega3": spin}, 4.0, dense=True, events=["omega3"], integrals=False)
        assert stones["reversal_time"][k] == motion.events[0].t
        t = np.linspace(0.0, 4.0, 40_001)
        peak = t[np.argmax(motion.at(t, "friction_demand"))]
        fine = np.linspace(peak - 1e-4, peak + 1e-4, 2001)
        assert stones["largest_friction_demand"][k] == pytest.approx(motion.at(fine, "friction_demand").max(), rel=1e-9)
    assert stones.data["reversal_time"].attrs["units"] == "s"


def test_pictures_of_all_kinds(stones, tmp_path):
    from matplotlib import pyplot

    for kind, panels in (("map", 2), ("histogram", 2), ("scatter", 4), ("pairs", 9)):
        figure = stones.plot(path=tmp_path / f"{kind}.png", kind=kind)
        assert sum(1 for ax in figure.axes if ax.get_label() != "<colorbar>") == panels
        assert (tmp_path / f"{kind}.png").stat().st_size > 5000
        pyplot.close(figure)
    with pytest.raises(InputError, match="kind of picture"):
        stones.plot(kind="cake")
    sampled = ensemble(Rattleback(), Samples(4, "random", omega3=(-5.0, -4.0)), 0.1, start=START, progress=False)
    with pytest.raises(InputError, match="a map needs a grid"):
        sampled.plot(kind="map")


def test_impacts_and_exponents_are_those_of_the_sequence():
    source = ModelSource("rod", {"max_impacts": 200, "gamma": 0.3})
    found = ensemble(source, {"rho": [0.2, 0.3]}, np.inf, keep=[EnergyExponent(), ImpactCount()], progress=False)
    for k, rho in enumerate([0.2, 0.3]):
        entry = model("rod")
        result = entry.simulate(entry.make(max_impacts=200, gamma=0.3, rho=rho), progress=False)
        assert found["energy_exponent"][k] == fitted(result).c
        assert found["impacts"][k] == len(result)
    assert not found.failures  # complete chatter is a good end


def test_what_has_no_meaning_is_refused_by_name():
    with pytest.raises(InputError, match="friction that rolling needs"):
        ensemble(ModelSource("tippedisk_reduced"), {"Omega": [30.0]}, 1.0, keep=FrictionDemand())
    found = ensemble(ModelSource("rod", {"max_impacts": 50}), {"rho": [0.2]}, np.inf, keep=ShockRatio(), progress=False)
    assert "drop test" in found.failures[0]["reason"]
    with pytest.raises(InputError, match="no attractors"):
        ensemble(ModelSource("rod"), {"rho": [0.2]}, keep=Attractor(10.0))
    with pytest.raises(InputError, match="leave until out"):
        ensemble(Rattleback(), {"omega3": [1.0]}, 3.0, keep=Attractor(10.0))
    with pytest.raises(InputError, match="above zero"):
        ensemble(Rattleback(), {"omega3": [1.0]}, keep=Attractor(-10.0))


def test_attractors_are_those_of_basins(tmp_path):
    from design_systems import Duffing

    from rollick.analysis.basins import basins

    x = (np.arange(6) + 0.5) / 6 * 4.0 - 2.0
    parts = basins(Duffing(), {"x": x, "v": x}, settle=60.0, rtol=1e-7, progress=False)
    options = {"keep": [Attractor(60.0), "x"], "rtol": 1e-7, "method": "dop853", "progress": False}
    for more in ({"chunk": 5}, {"store": tmp_path / "a.zarr"}, {"store": tmp_path / "a.zarr"}):
        found = ensemble(Duffing(), {"x(0)": x, "v(0)": x}, **options, **more)
        assert np.array_equal(found["attractor"], parts.labels)
        assert found.provenance["attractors"] == parts.attractors
    right = next(k for k, a in enumerate(parts.attractors) if a["mean"]["x"] > 0.0)
    assert np.array_equal(found["x"] > 0.0, found["attractor"] == right)


def test_reducers_are_named_in_study_files(tmp_path):
    study = tmp_path / "s.toml"
    study.write_text(
        'model = "rattleback"\nkeep = [{ reducer = "reversal_time", stop = true }, { reducer = "attractor", settle = 5 }]\n[grid]\nomega3 = [1]\n'
    )
    read = read_sweep(study)
    assert read.options["keep"] == [ReversalTime(stop=True), Attractor(5)]
    assert read.options["until"] is None
    study.write_text('model = "rattleback"\nkeep = [{ reducer = "attractor" }]\n[grid]\nomega3 = [1]\n')
    with pytest.raises(InputError, match="settle"):
        read_sweep(study)
    study.write_text('model = "rattleback"\nkeep = [{ reducer = "atractor" }]\n[grid]\nomega3 = [1]\n')
    with pytest.raises(InputError, match="attractor"):
        read_sweep(study)
