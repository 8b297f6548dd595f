"""Bodies from files and files of motions on the command line, each in a new process."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest
import xarray
from commands import rollick

from rollick import Motion, MotionWarning
from rollick.cli.simulate import settings
from rollick.mechanics.shapes.convex import Ellipsoid
from rollick.mechanics.shapes.triangles import surface

BODIES = Path(__file__).parents[2] / "examples" / "bodies"


def test_show_says_what_was_understood():
    code, out, err = rollick("show", BODIES / "celt.toml")
    assert code == 0, err
    for words in ("0.0017 kg m^2", "radii of curvature", "stable    height 0.01 m", "33.829, 107.208 rad/s", "saddle", "alpha"):
        assert words in out
    code, out, _ = rollick("show", BODIES / "die.toml", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["rest_positions_complete"]
    assert [r["stable"] for r in told["rest_positions"]].count(True) == 4
    assert told["mass"] == pytest.approx(0.00905, rel=1e-3)


CORNER = """
[shape]
kind = "sphere"
radius = "10cm"
[mass]
mass = 1
inertia = "solid"
[contact]
how = "sliding"
restitution = 0.2
law = {kind = "coulomb", mu = 0.3}
[[surface]]
[[surface]]
kind = "wall"
facing = [-1, 0, 0]
point = [1, 0, 0]
restitution = 0.8
law = {kind = "viscous", c = 2}
"""


def test_show_names_every_surface_with_its_law_and_restitution(tmp_path):
    (tmp_path / "corner.toml").write_text(CORNER)
    code, out, err = rollick("show", "corner.toml", cwd=tmp_path)
    assert code == 0, err
    assert "contact: slides, touching with 1 foot" in out
    floor, wall = [line for line in out.splitlines() if "restitution" in line]
    assert floor.strip() == "Plane (tilt = 0, heading = 0): Coulomb(mu=0.3, e_T=0), restitution 0.2"
    assert wall.startswith("  Wall (")
    assert "(-1, 0, 0)" in wall
    assert wall.endswith("Viscous(c=2), restitution 0.8")
    told = json.loads(rollick("show", "corner.toml", "--json", cwd=tmp_path)[1])
    assert [s["restitution"] for s in told["surfaces"]] == [0.2, 0.8]
    assert "restitution 0.2, touching with 8 feet" in rollick("show", BODIES / "block.toml")[1]
    (tmp_path / "bad.toml").write_text(CORNER.replace("restitution = 0.2", "restitution = 1.5"))
    assert "bad.toml: contact.restitution = 1.5 must not be above 1." in rollick("show", "bad.toml", cwd=tmp_path)[2]


def test_simulate_a_body_with_all_outputs_and_look_at_it_again(tmp_path):
    code, out, err = rollick(
        "simulate", "--body", BODIES / "torus.toml", "--until", "1", "--out", "a.nc", "--plot", "a.png", "--view", "a.html", cwd=tmp_path
    )  # fmt: skip
    assert code == 0, err
    assert "wrote a.html" in out
    assert Motion.open(tmp_path / "a.nc").end_time == 1.0
    for command in (["plot", "a.nc", "theta", "height", "--out", "b.svg"], ["plot", "a.nc"], ["view", "a.nc", "--out", "b.html"]):
        code, out, err = rollick(*command, cwd=tmp_path)
        assert code == 0, err
    assert "<svg" in (tmp_path / "b.svg").read_text()[:1000]
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "three" in (tmp_path / "b.html").read_text()
    code, _, err = rollick("plot", "a.nc", "thetta", cwd=tmp_path)
    assert code == 2
    assert "Did you mean 'theta'" in err


def test_start_fields_and_options_are_overridden():
    common = ("simulate", "--body", BODIES / "torus.toml", "--at", "0,0.5", "--until", "0.5", "--json")
    code, out, err = rollick(*common, "--start", "theta=50deg", "--set", "shape.r=1cm", "--rtol", "1e-7")
    assert code == 0, err
    told = json.loads(out)
    assert told["model"] == "torus"
    assert told["derived"]["theta"][0] == pytest.approx(np.radians(50.0))
    assert told["parameters"]["body"]["shape"]["r"] == 0.01
    for words, change in (
        ("shape.rr = '1cm'. Did you mean 'r'", ("--set", "shape.rr=1cm")),
        ("Did you mean 'theta'", ("--start", "thetta=1")),
    ):
        code, _, err = rollick(*common, *change)
        assert code == 2
        assert words in err


def test_what_is_not_there_is_said():
    for args, words in (
        (("simulate",), "--body FILE.toml"),
        (("simulate", "torus", "--body", "x.toml"), "one of the two"),
        (("simulate", "--body", "missing.toml"), "cannot read missing.toml"),
        (("plot", "missing.nc"), "there is no file missing.nc"),
        (("view", __file__), "not a netCDF file"),
        (("show", "torus", "--json"), "--json is for body files"),
        (("simulate", "rattleback", "--set", "a=1e300"), "beyond reason"),
        (("simulate", "rattleback", "--set", "h=-0.05"), "pass --allow-unstable"),
        (("simulate", "tippedisk", "--set", "eps=0"), "law=coulomb"),
    ):
        code, _, err = rollick(*args)
        assert code == 2, args
        assert words in err, err


def test_saved_numbers_of_other_kinds_are_drawn(tmp_path):
    code, _, err = rollick("simulate", "drop", "--out", "drop.nc", cwd=tmp_path)
    assert code == 0, err
    code, _, err = rollick("plot", "drop.nc", cwd=tmp_path)
    assert code == 0, err
    assert (tmp_path / "drop.png").stat().st_size > 10_000
    code, _, err = rollick("view", "drop.nc", cwd=tmp_path)
    assert code == 0, err
    assert (tmp_path / "drop.html").stat().st_size > 10_000
    xarray.Dataset({"height": ("t", [0.0, 1.0, 4.0])}, {"t": [0.0, 1.0, 2.0]}).to_netcdf(tmp_path / "table.nc", engine="h5netcdf")
    code, _, err = rollick("view", "table.nc", cwd=tmp_path)
    assert code == 2
    assert "rollick plot" in err


def test_options_of_the_file_that_only_its_own_method_has_are_left_out_aloud():
    file = {"method": "moreau", "dt": 2e-4, "every": 5, "max_steps": 1000, "show": ["z"]}
    with pytest.warns(MotionWarning, match="dt, every of the body file left out: event-driven has no such option"):
        assert settings({"method": "event-driven", "rtol": None}, file) == {"method": "event-driven", "max_steps": 1000}
    assert settings({"method": "midpoint"}, file) == {"method": "midpoint", "dt": 2e-4, "every": 5, "max_steps": 1000}
    assert settings({"method": "radau", "dt": "1e-3"}, {"dt": 2e-4}) == {"method": "radau", "dt": "1e-3"}  # typed: refused later


PEBBLE = """
[shape]
kind = "mesh"
file = "pebble.stl"
[mass]
inertia = "solid"
density = 2700.0
[start]
theta = "20deg"
psi_rate = 6.0
[simulate]
until = 0.1
"""


def test_a_mesh_rolls_with_a_smooth_fit_and_says_how_far_it_is(tmp_path):
    made = surface(Ellipsoid(0.03, 0.024, 0.016), 32)
    faces = made.vertices[made.triangles]
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *face.ravel(), 0) for face in faces)
    (tmp_path / "pebble.stl").write_bytes(b"\0" * 80 + struct.pack("<I", len(faces)) + facets)
    (tmp_path / "pebble.toml").write_text(PEBBLE)
    code, _, err = rollick("simulate", "--body", "pebble.toml", cwd=tmp_path)
    assert code == 2
    assert "a body with flat faces and corners does not roll" in err
    code, out, err = rollick("simulate", "--body", "pebble.toml", "--set", "shape.smooth=true", cwd=tmp_path)
    assert code == 0, err
    assert "from the convex hull it was fitted to" in out
    (tmp_path / "pebble.toml").write_text(PEBBLE.replace("[mass]", 'smooth = "1mm"\n[mass]'))
    code, out, err = rollick("show", "pebble.toml", cwd=tmp_path)
    assert code == 0, err
    assert "surface: smooth, radii of curvature within" in out
    assert "of what is given for the mesh and not for the fit" in out
    code, out, _ = rollick("show", "pebble.toml", "--json", cwd=tmp_path)
    assert 0.0 < json.loads(out)["fit"]["distance"] < 1e-3
