"""The motion object: labelled data, files, words, pictures, digits to believe."""

import cProfile
import json
import os
import pickle
from typing import NamedTuple

import numpy as np
import pytest
from systems import Oscillator, Pendulum

from rollick import Event, InputError, Motion, MotionWarning, simulate
from rollick.kernel.system import Description, Quantity, describe, description
from rollick.motion.result.outcome import Outcome
from rollick.motion.result.provenance import parameters
from rollick.motion.result.whole_file import save_data


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


@pytest.mark.parametrize("sealed", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_round_trip_of_a_system_that_is_not_known_there(motion, tmp_path, sealed):
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
    other = xr.Dataset({"x": ("t", [1.0])})
    if sealed:  # no second process reads it first
        save_data(other, path)
    else:
        other.to_netcdf(path, engine="h5netcdf")
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

    def fail(self, path=None, **_):
        if path is not None:
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


# -- files of every kind of motion -------------------------------------------------------------------------------------------------


def there_and_back(motion, tmp_path):
    motion.to_netcdf(tmp_path / "there.nc")
    return Motion.open(tmp_path / "there.nc")


def test_trust_and_events_come_back_as_what_they_were(motion, tmp_path):
    back = there_and_back(motion, tmp_path)
    assert back.trust == motion.trust
    assert back.trust.worst == motion.trust.worst
    assert back.events == motion.events
    assert isinstance(back.events[0].terminal, bool)
    assert repr(back) == repr(motion)
    assert back._repr_html_() == motion._repr_html_()
    assert back.about == motion.about


def test_round_trip_of_little(tmp_path):
    """No output at all, one instant, no events."""
    nothing = there_and_back(simulate(Oscillator(), [1.0, 0.0], 1.0, at=[]), tmp_path)
    assert nothing.t.size == 0
    assert nothing.y.shape == (0, 2)
    assert "no output" in repr(nothing)
    assert simulate(Oscillator(), nothing, 2.0)["x"][-1] == pytest.approx(np.cos(2.0), abs=1e-8)
    one = there_and_back(simulate(Oscillator(), [1.0, 0.0], 0.0, dense=True), tmp_path)
    np.testing.assert_array_equal(one.at(0.0), [1.0, 0.0])
    assert one.events == []
    with pytest.raises(InputError, match="has 1 instants, too few to plot"):
        one.plot()


def test_round_trip_of_a_broken_motion_backward(tmp_path):
    with pytest.warns(MotionWarning):
        broken = simulate(Oscillator(), [1.0, 0.0], -1000.0, max_steps=30, events=Event("x", name="<swing>"), dense=True)
    back = there_and_back(broken, tmp_path)
    assert (back.status, back.message, back.complete) == (broken.status, broken.message, False)
    np.testing.assert_array_equal(back.t, broken.t)
    assert np.all(np.diff(back.t) < 0)
    np.testing.assert_array_equal(back.at(-1.0), broken.at(-1.0))
    assert "&lt;swing&gt;" in back._repr_html_()
    assert "<swing>" not in back._repr_html_()


def test_the_file_is_plain_netcdf(motion, tmp_path):
    """Others read it with xarray alone: labels, units, events."""
    import xarray as xr

    motion.to_netcdf(tmp_path / "m.nc")
    with xr.open_dataset(tmp_path / "m.nc", engine="h5netcdf") as data:
        np.testing.assert_array_equal(data["x"].sel(t=10.0), motion.y[-1, 0])
        assert data["v"].attrs["units"] == "m/s"
        assert list(data["event_name"].values) == ["x"] * 3
        np.testing.assert_array_equal(data["event_time"], [e.t for e in motion.events])
        assert data["event_state"].sel(state="v").shape == (3,)
        assert json.loads(data.attrs["provenance"])["events"][0]["name"] == "x"
    assert motion.data is motion.data


class Inner(NamedTuple):
    """Data inside a system: no system itself, and never described."""

    length: float = 2.0
    corners: tuple[float, float] = (0.5, 0.25)


class Outer(NamedTuple):
    """A system with everything a system may hold."""

    inner: Inner = Inner()
    table: np.ndarray = np.array([1.0, 2.0])
    count: int = 3
    on: bool = True
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)


describe(Outer, {"x": "seconds", "y": "m"})


def by_hand(system, about=None):
    """A motion without an integration."""
    t, y = np.linspace(0.0, 1.0, 3), np.arange(6.0).reshape(3, 2)
    made = {
        "system": "Outer",
        "type": "test_motion:Outer",
        "parameters": parameters(system),
        "since": 0.0,
        "start": {"x": 0.0, "y": 1.0},
    }
    made |= {"methods": [["dop853", 0.0]], "rtol": 1e-9, "steps": 2, "rejected": 0, "evaluations": 26}
    return Motion(
        system, about or description(system), t, y, None, [], Outcome("finished", "reached t = 1."), made, (1.0, y[-1], None)
    )


def test_systems_inside_systems_come_back(tmp_path):
    """Nested data, tuples, arrays, whole numbers: the system in a file can be simulated again."""
    system = Outer(Inner(3.0, (1.0, 0.125)), np.array([4.0, 5.0, 6.0]), np.int64(7), False, (1.0, 0.0, 0.0))
    back = there_and_back(by_hand(system), tmp_path).system
    assert isinstance(back, Outer)
    assert isinstance(back.inner, Inner)
    assert back.inner == system.inner
    assert isinstance(back.table, np.ndarray)
    np.testing.assert_array_equal(back.table, system.table)
    assert (back.count, back.on, back.axis) == (7, False, (1.0, 0.0, 0.0))


def test_a_unit_of_time_is_no_date(tmp_path):
    """xarray would make time spans of a state measured in "seconds"."""
    back = there_and_back(by_hand(Outer()), tmp_path)
    assert back.y.dtype == float
    np.testing.assert_array_equal(back["x"], [0.0, 2.0, 4.0])


def test_a_system_described_otherwise_since(tmp_path):
    """The file's own names count, not those of a newer description of the type."""
    old = Description((Quantity("y", "m"), Quantity("x", "s")), signals=(Quantity("gone", "J"),))
    motion = by_hand(Outer(), old)
    motion._derived = np.full((3, 1), 7.0)
    back = there_and_back(motion, tmp_path)
    assert back.system is None
    np.testing.assert_array_equal(back["y"], [0.0, 2.0, 4.0])
    np.testing.assert_array_equal(back["gone"], [7.0] * 3)


@pytest.mark.parametrize("name", ["state", "transition", "event_time", "dense_state", "dx/dt"])
def test_names_that_a_file_cannot_hold_are_refused(name, tmp_path):
    motion = by_hand(Outer(), Description((Quantity(name, "m"), Quantity("y", "m"))))
    with pytest.raises(InputError, match="cannot have a state called"):
        motion.to_netcdf(tmp_path / "m.nc")
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file(motion, tmp_path, monkeypatch):
    import xarray as xr

    path = tmp_path / "m.nc"
    motion.to_netcdf(path)
    before = path.read_bytes()
    monkeypatch.setattr(xr.Dataset, "to_netcdf", lambda self, path=None, **_: (_ for _ in ()).throw(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        motion.to_netcdf(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.nc"]
    monkeypatch.undo()
    motion.to_netcdf(path)  # and a good one replaces it
    assert Motion.open(path).complete


def test_a_failed_picture_leaves_nothing(motion, tmp_path):
    with pytest.raises(ValueError, match="xyz"):
        motion.plot(path=tmp_path / "a.xyz")
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="does not exist; create it first"):
        motion.plot(path=tmp_path / "no" / "a.png")


def test_files_are_for_all_who_may_read(motion, tmp_path):
    old = os.umask(0o022)
    try:
        motion.to_netcdf(tmp_path / "m.nc")
    finally:
        os.umask(old)
    assert (tmp_path / "m.nc").stat().st_mode & 0o777 == 0o644


def test_home_is_understood(motion, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    motion.to_netcdf("~/m.nc")
    assert Motion.open("~/m.nc").complete


def test_motions_travel_between_processes(motion):
    back = pickle.loads(pickle.dumps(motion))
    np.testing.assert_array_equal(back.y, motion.y)
    assert back.events == motion.events
    assert back.trust == motion.trust


def test_plots_in_degrees_and_with_the_reason(tmp_path):
    with pytest.warns(MotionWarning):
        broken = simulate(Pendulum(), [0.5, 0.0], 100.0, max_steps=10)
    figure = broken.plot("phi", "omega")
    assert [ax.get_ylabel() for ax in figure.axes] == [r"$\varphi$ [deg]", r"$\omega$ [rad/s]"]
    assert figure.axes[0].lines[0].get_ydata()[0] == pytest.approx(np.degrees(0.5))
    assert "(max_steps)" in figure.axes[0].get_title(loc="left")
    assert figure.axes[-1].get_xlabel() == "$t$ [s]"


def test_a_motion_of_many_events_is_read_with_few_calls(tmp_path):
    """Events are read as columns: an event costs a few calls, not an indexing of a labelled array (hundreds of calls)."""
    motion = simulate(Oscillator(), [1.0, 0.0], 20_000.0, events=["x"], at=[20_000.0])
    assert len(motion.events) > 6000
    motion.to_netcdf(tmp_path / "there.nc")
    profile = cProfile.Profile()
    back = profile.runcall(Motion.open, tmp_path / "there.nc")
    assert back.events == motion.events
    assert sum(entry.callcount for entry in profile.getstats()) < 30 * len(motion.events)


def test_signals_are_computed_where_asked():
    motion = simulate(Oscillator(w=2.0), [1.0, 0.0], 1.0, at=[0.0, 0.5])
    np.testing.assert_allclose(motion["energy"], 2.0, rtol=1e-9)
    np.testing.assert_allclose(motion.signals_at([0.0], [[0.0, 1.0]]), [[0.5, -1.0]])
