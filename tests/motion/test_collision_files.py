"""Collisions come back from their files exactly, and files of others can do no harm."""

import json

import numpy as np
import pytest

from rollick import InputError
from rollick.archetypes.models import model
from rollick.mechanics.plate import regular
from rollick.motion.impacts.collide import collide
from rollick.motion.impacts.record import Collisions
from rollick.motion.result.whole_file import save_data

START = [0.01, 0.02, 1.0, 0.03, 0.05, -1.0]


@pytest.fixture(scope="module")
def deep():
    """So many impacts that energies and flights are below the least double."""
    return collide(regular(4, 0.25), 0.1, START, max_impacts=3000)


def test_collisions_come_back_exactly(deep, tmp_path):
    under_gravity = collide(regular(3, 0.5), 0.3, START, g=1.0, max_impacts=500)
    empty = collide(regular(3, 0.5), 0.3, [0, 0, 1, 0, 0, 1.0])
    rod = model("rod")
    for i, c in enumerate((deep, under_gravity, empty, rod.run(rod.make(max_impacts=50), dict(rod.start)))):
        c.to_netcdf(tmp_path / f"{i}.nc")
        again = Collisions.open(tmp_path / f"{i}.nc")
        assert np.array_equal(again.log_energy_after, c.log_energy_after)
        assert np.array_equal(again.log_flight, c.log_flight)
        assert np.array_equal(again.point, c.point)
        assert again.summary() == c.summary()
        assert again.as_dict() == c.as_dict()
        assert (again.plate, again.end_time) == (c.plate, c.end_time)
        assert {name: again.made[name] for name in c.made} == c.made
        assert again.data.equals(c.data)
    assert deep.energy_after[-1] == 0.0  # in a double; its logarithm is kept
    assert np.isfinite(deep.log_energy_after[-1])


def test_what_is_opened_can_be_drawn(deep, tmp_path):
    deep.to_netcdf(tmp_path / "c.nc")
    again = Collisions.open(tmp_path / "c.nc")
    again.plot(path=tmp_path / "c.png")
    again.save_html(tmp_path / "c.html")
    assert again.accumulation().time == deep.accumulation().time


EVIL = {"_type": "os:system", "command": "touch canary"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("plate", json.dumps(EVIL)),
        ("plate", json.dumps({"x": [EVIL], "y": [0.0], "rho_x": 1.0, "rho_y": 1.0, "mass": 1.0})),
        ("plate", json.dumps({"x": [1.0, -1.0], "y": [0.0], "rho_x": 1.0, "rho_y": 1.0, "mass": 1.0})),
        ("plate", json.dumps({"x": [1.0, -1.0], "y": [0.0, 0.0], "rho_x": 1.0, "rho_y": -1.0, "mass": 1.0})),
        ("plate", "[" * 100_000),
        ("happenings", json.dumps([{"t": 0.0, "kind": "os.system", "points": [0], "impacts": 0}])),
        ("happenings", json.dumps([{"t": 0.0, "kind": "rest", "points": [77], "impacts": 0}])),
        ("start", json.dumps({"q": [1, 2], "p": [1, 2, 3]})),
        ("end", json.dumps({"q": [1, 2, 3], "p": [1, 2, 3], "e_q": "x", "e_p": 0})),
        ("status", "wonderful"),
        ("gamma", 7.0),
        ("format", "rollick motion 1"),
    ],
)
def test_a_file_that_lies_is_refused(deep, tmp_path, monkeypatch, name, value):
    monkeypatch.chdir(tmp_path)
    data = deep.data
    data.attrs[name] = value
    save_data(data, "theirs.nc")  # a seal is nobody's signature
    with pytest.raises(InputError, match=r"theirs\.nc"):
        Collisions.open("theirs.nc")
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize("sealed", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_records_of_the_wrong_shape_and_other_files_are_refused(deep, tmp_path, sealed):
    path = tmp_path / "theirs.nc"
    deep.data.isel(column=slice(0, 5)).to_netcdf(path, engine="h5netcdf")
    with pytest.raises(InputError, match="damaged"):
        Collisions.open(path)
    data = deep.data
    data["label"] = data["label"] + 9
    if sealed:  # no second process reads it first
        save_data(data, path)
    else:
        data.to_netcdf(path, engine="h5netcdf")
    with pytest.raises(InputError, match="no impact has"):
        Collisions.open(path)
    path.write_bytes(b"nothing like it")
    with pytest.raises(InputError, match="not a netCDF file"):
        Collisions.open(path)
    with pytest.raises(InputError, match="no file"):
        Collisions.open(tmp_path / "none.nc")
