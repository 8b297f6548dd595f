"""Drops in files: they come back as what they were, and files that lie are refused in a sentence."""

import numpy as np
import pytest

from rollick import InputError, Motion, open_saved
from rollick.archetypes.dropped_device.device import device
from rollick.archetypes.dropped_device.drop import drop
from rollick.archetypes.dropped_device.result import Drop
from rollick.archetypes.dropped_device.solid import box, component, drop_solid
from rollick.archetypes.dropped_device.solid_result import SolidDrop
from rollick.kernel import strict_json
from rollick.motion.result.whole_file import save_data
from rollick.view.saved import Saved

ROD = [
    {},
    pytest.param({"until": 8.0}, marks=pytest.mark.slow),
    {"report": False, "scheme": "thesis"},
    {"max_impacts": 3, "centrifugal": False},
    {"simultaneous": "stop", "phi0": 0.0},
]


@pytest.fixture(scope="module")
def solid():
    made = box(0.15, 0.07, 0.01, 0.2)
    return drop_solid(made, component(made, (0.05, 0.0, 0.0), (0.0, 0.0, 1.0)), (1.0, 0.3, -0.4), until=0.7, gamma=0.4)


def same(a, b):
    """The same numbers, bit by bit, and the same words."""
    assert a.to_dict() == b.to_dict()
    assert a.summary() == b.summary()
    for name in ("impact_log", "found"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert a.convergence == b.convergence


@pytest.mark.filterwarnings("error::UserWarning")  # one instant is drawn without a word, too
@pytest.mark.parametrize("options", ROD, ids=str)
def test_a_drop_comes_back(options, tmp_path):
    made = drop(device(r=0.5), **{"phi0": 0.8, **options}).of_model("drop")
    made.to_netcdf(tmp_path / "d.nc")
    for again in (open_saved(tmp_path / "d.nc"), Drop.open(tmp_path / "d.nc")):
        assert isinstance(again, Drop)
        assert again.device == made.device
        assert again.settings == made.settings
        same(again, made)
        np.testing.assert_array_equal(again.phase_log, made.phase_log)
        np.testing.assert_array_equal(again.at([0.1, 3.0, 4.0]), made.at([0.1, 3.0, 4.0]))
    again.save_html(tmp_path / "d.html")
    assert again.plot("h").axes
    again.to_netcdf(tmp_path / "e.nc")
    same(open_saved(tmp_path / "e.nc"), made)


def test_a_drop_of_a_solid_comes_back(solid, tmp_path):
    solid.to_netcdf(tmp_path / "s.nc")
    for again in (open_saved(tmp_path / "s.nc"), SolidDrop.open(tmp_path / "s.nc")):
        assert isinstance(again, SolidDrop)
        assert (again.component, again.rules) == (solid.component, solid.rules)
        same(again, solid)
        np.testing.assert_array_equal(again.at([0.2, 0.6]), solid.at([0.2, 0.6]))


def test_other_kinds_are_told_apart(solid, tmp_path):
    solid.to_netcdf(tmp_path / "s.nc")
    with pytest.raises(InputError, match="open_saved"):
        Drop.open(tmp_path / "s.nc")
    with pytest.raises(InputError, match="open_saved"):
        Motion.open(tmp_path / "s.nc")


def test_older_files_come_back_as_numbers(tmp_path):
    """Those of the first version did not hold all of a drop."""
    data = drop(device(), 0.8, until=8.0).data
    data.attrs["format"] = "rollick drop 1"
    del data.attrs["record"]
    save_data(data, tmp_path / "old.nc")
    again = open_saved(tmp_path / "old.nc")
    assert isinstance(again, Saved)
    assert again.plot("h").axes


def lies():
    """What a tampered record says, by name: a change of it."""
    yield "no device", lambda said: said.pop("device")
    yield "a device that runs", lambda said: said.update(device={"_type": "os:system", "command": "touch canary"})
    yield "a field that runs", lambda said: said["device"].update(rho={"_type": "os:system", "command": "touch canary"})
    yield "no rod", lambda said: said["device"].update(rho=7.0)
    yield "damping that drives", lambda said: said["device"].update(delta=-1.0)
    yield "an infinite frequency", lambda said: said["device"].update(Omega=float("inf"))
    yield "another choice", lambda said: said["settings"].update(scheme="wild")
    yield "a choice too many", lambda said: said["settings"].update(system="touch canary")
    yield "a short start", lambda said: said.update(start=[1.0])
    yield "nan", lambda said: said.update(reference=float("nan"))
    yield "few findings", lambda said: said.update(found=[0.0])
    yield "an unknown end", lambda said: said["found"].__setitem__(0, 77.0)
    yield "other impacts", lambda said: said["found"].__setitem__(5, 1e9)
    yield "words", lambda said: said.update(found="many")
    yield "no convergence", lambda said: said.update(convergence={"eps": [1.0], "R": []})


ALIKE = "a field that runs", "damping that drives", "an infinite frequency", "nan", "words"  # others here lie in the same way


@pytest.mark.parametrize("change", [pytest.param(c, id=n, marks=pytest.mark.slow if n in ALIKE else ()) for n, c in lies()])
def test_a_file_that_lies_is_refused(change, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = drop(device(), 0.8, until=8.0).data
    said = strict_json.loads(data.attrs["record"])
    change(said)
    data.attrs["record"] = strict_json.dumps(said)
    save_data(data, "theirs.nc")
    with pytest.raises(InputError, match=r"theirs\.nc is damaged, or was not written by this program"):
        open_saved("theirs.nc")
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize(
    ("name", "value"), [("kind", 9.0), ("t", -1.0), ("t", 1e300), ("duration", -1.0), ("u", np.nan), ("end", 3.0)]
)
def test_phases_that_cannot_have_been_are_refused(name, value, tmp_path):
    data = drop(device(), 0.8, until=8.0).data
    data[f"phase_{name}"][-1] = value
    save_data(data, tmp_path / "theirs.nc")
    with pytest.raises(InputError, match="damaged"):
        open_saved(tmp_path / "theirs.nc")


def test_a_solid_that_lies_is_refused(solid, tmp_path):
    for change in (
        lambda said: said["body"].update(vertices=[[0.0, 1.0]]),
        lambda said: said["body"].update(mass=-1.0),
        lambda said: said["component"].update(a=[0.0, 1.0]),
        lambda said: said["component"].update(Omega=0.0),
        lambda said: said["rules"].update(gamma=2.0),
        lambda said: said.update(end=[0.0]),
        lambda said: said["found"].__setitem__(0, 9.0),
        lambda said: said.update(body={"_type": "os:system"}),
    ):
        data = solid.data
        said = strict_json.loads(data.attrs["record"])
        change(said)
        data.attrs["record"] = strict_json.dumps(said)
        save_data(data, tmp_path / "theirs.nc")
        with pytest.raises(InputError, match="damaged"):
            open_saved(tmp_path / "theirs.nc")
