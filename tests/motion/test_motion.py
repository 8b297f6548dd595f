"""The motion object: labelled data, files, words, pictures, digits to believe."""

import json

import numpy as np
import pytest
from systems import Oscillator

from rollick import InputError, Motion, simulate


@pytest.fixture(scope="module")
def motion():
    return simulate(Oscillator(), [1.0, 0.0], 10.0, events=["x"], dense=True, verify=True)


def test_data_is_labelled(motion):
    data = motion.data
    assert set(data.data_vars) >= {"x", "v", "energy", "doubled", "area", "event_time", "event_name", "event_kind"}
    assert data["x"].attrs["units"] == "m"
    assert data["x"].attrs["long_name"] == "displacement"
    assert data["energy"].attrs["role"] == "signal"
    assert data["area"].attrs["role"] == "integral"
    assert data["t"].attrs["units"] == "s"
    np.testing.assert_allclose(data["energy"], 0.5, atol=1e-8)
    assert data["x"].interp(t=1.0) == pytest.approx(np.cos(1.0), abs=1e-2)
    made = json.loads(data.attrs["provenance"])
    assert made["parameters"]["w"] == 1.0
    assert made["start"] == {"x": 1.0, "v": 0.0}
    assert made["rtol"] == 1e-9
    assert made["versions"]["rollick"]


def test_names(motion):
    np.testing.assert_array_equal(motion["t"], motion.t)
    assert motion.names == ["t", "x", "v", "energy", "doubled", "area"]
    with pytest.raises(InputError, match="Did you mean 'energy'"):
        motion["enregy"]


def test_round_trip(motion, tmp_path):
    path = tmp_path / "motion.nc"
    motion.to_netcdf(path)
    back = Motion.open(path)
    np.testing.assert_array_equal(back.t, motion.t)
    np.testing.assert_array_equal(back.y, motion.y)
    np.testing.assert_array_equal(back.derived, motion.derived)
    np.testing.assert_array_equal(back.q, motion.q)
    np.testing.assert_array_equal(back.at(3.3), motion.at(3.3))
    assert back.system == motion.system
    assert [(e.t, e.name, e.kind) for e in back.events] == [(e.t, e.name, e.kind) for e in motion.events]
    np.testing.assert_array_equal(back.events[0].state, motion.events[0].state)
    assert back.provenance == motion.provenance
    assert back.status == "finished"
    assert "digits" in str(back.trust)
    assert simulate(back.system, back, 12.0).t[0] == 10.0
    again = tmp_path / "again.nc"
    back.to_netcdf(again)
    np.testing.assert_array_equal(Motion.open(again).y, motion.y)


def test_round_trip_of_a_system_that_is_not_known_there(motion, tmp_path):
    import xarray as xr

    path = tmp_path / "motion.nc"
    data = motion.data.copy()
    made = json.loads(data.attrs["provenance"]) | {"type": "some.module:Thing"}
    data.attrs["provenance"] = json.dumps(made)
    data.to_netcdf(path, engine="h5netcdf")
    back = Motion.open(path)
    assert back.system is None
    np.testing.assert_array_equal(back["energy"], motion["energy"])
    assert "motion of" in repr(back)
    with pytest.raises(InputError, match="cannot be recomputed"):
        back.signals_at(back.t, back.y)
    xr.Dataset({"x": ("t", [1.0])}).to_netcdf(path, engine="h5netcdf")
    with pytest.raises(InputError, match="holds no motion"):
        Motion.open(path)
    path.write_text("nonsense")
    with pytest.raises(InputError, match="not a netCDF file"):
        Motion.open(path)
    with pytest.raises(InputError, match="there is no file"):
        Motion.open(tmp_path / "none.nc")


def test_transition_round_trip(tmp_path):
    m = simulate(Oscillator(), [1.0, 0.0], 1.0, variational=True)
    m.to_netcdf(tmp_path / "m.nc")
    np.testing.assert_array_equal(Motion.open(tmp_path / "m.nc").transition, m.transition)


def test_a_failed_write_leaves_nothing(motion, tmp_path, monkeypatch):
    import xarray as xr

    def fail(self, path, **_):
        with open(path, "w") as file:
            file.write("half")
        raise OSError("disk full")

    monkeypatch.setattr(xr.Dataset, "to_netcdf", fail)
    with pytest.raises(OSError, match="disk full"):
        motion.to_netcdf(tmp_path / "a.nc")
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="does not exist"):
        motion.to_netcdf(tmp_path / "no" / "a.nc")


def test_words(motion):
    text = repr(motion)
    for word in ("motion of", "Oscillator", "finished", "dop853", "3 x x", "digits to believe"):
        assert word in text
    html = motion._repr_html_()
    assert html.startswith("<table>")
    assert "Oscillator" in html


def test_pictures(motion, tmp_path):
    for ending, magic in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")):
        motion.plot("x", "energy", path=tmp_path / f"a.{ending}")
        assert (tmp_path / f"a.{ending}").read_bytes().startswith(magic)
    fig = motion.plot()
    assert len(fig.axes) == 1
    with pytest.raises(InputError, match="unknown quantity"):
        motion.plot("z")


def test_dense_output_must_be_asked_for(motion):
    with pytest.raises(InputError, match="dense=True"):
        simulate(Oscillator(), [1.0, 0.0], 1.0).at(0.5)
    with pytest.raises(InputError, match="outside the motion"):
        motion.at(11.0)


def test_trust_is_about_right(motion):
    error = np.abs(motion.y - np.stack([np.cos(motion.t), -np.sin(motion.t)], axis=1)).max()
    assert motion.trust.worst == pytest.approx(-np.log10(error), abs=1.0)
    assert motion.trust.names == ("x", "v")


def test_any_quantity_at_any_time(motion):
    times = np.array([0.3, 4.4])
    np.testing.assert_allclose(motion.at(times, "doubled"), np.cos(2 * times), atol=1e-7)
    np.testing.assert_allclose(motion.at(times, "area"), np.sin(times), atol=1e-8)
    assert motion.at(0.3, "v") == pytest.approx(-np.sin(0.3), abs=1e-8)
    assert motion.at(0.3, "t") == 0.3
