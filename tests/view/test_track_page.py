"""Pages with two contacts: the wheelset on its rails, displacements that the page enlarges, the ball in its vessel; and, where there is a browser, the page in it."""

import base64
import json
import math
import os
import re
import shutil
import subprocess

import numpy as np
import pytest

from rollick import simulate
from rollick.archetypes.filippov import BallInCorner
from rollick.archetypes.filippov import poses as corner_poses  # noqa: F401
from rollick.archetypes.flowmeter.engineering import flowmeter
from rollick.archetypes.wheelset import dry_poses, rolling_poses  # noqa: F401
from rollick.archetypes.wheelset.contact import solve
from rollick.archetypes.wheelset.drawn import BAY, rail_line, straight_track, wheels_of
from rollick.archetypes.wheelset.geometry import simple
from rollick.archetypes.wheelset.irregularity import Sinusoidal
from rollick.archetypes.wheelset.load_transfer import LoadedWheelset
from rollick.archetypes.wheelset.physical import example_5_2
from rollick.archetypes.wheelset.rolling import wheelset_rolling
from rollick.archetypes.wheelset.track import on_track
from rollick.mechanics.poses import matrices, poses
from rollick.mechanics.scenery import rotation_vectors, swept
from rollick.mechanics.shapes.triangles import surface
from rollick.view.page import LARGEST

ARCS = simple(h=0.05, R_w=0.5, R_r=0.25, b=0.7, r=0.4)
PUBLISHED = on_track("s1002", "uic60")


def data_of(text):
    return json.loads(re.search(r'id="motion">(.*?)</script>', text, re.DOTALL)[1])


def unpacked(text, width, kind="<f4"):
    found = np.frombuffer(base64.b64decode(text), kind)
    return found.reshape(-1, width) if width > 1 else found


def saved(motion, folder):
    path = motion.save_html(folder / "page.html")
    return path.stat().st_size, data_of(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def slipping():
    return simulate(example_5_2("286km/h"), {"y": "11.6mm"}, 20.0, method="event-driven")


def looks_outward(part):
    a, b, c = (part.vertices[part.triangles[:, k]] for k in range(3))
    facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), part.normals[part.triangles].mean(axis=1))
    return facing.min() > -1e-12 and np.count_nonzero(facing > 0.0) > 0.95 * len(facing)


@pytest.mark.parametrize(("g", "y"), [(ARCS, (0.004, -0.003, 0.0)), (PUBLISHED, (1.5e-4, -1e-4, 5e-5))])
def test_both_contacts_of_a_rolling_wheelset_are_where_wheels_and_rails_touch(g, y):
    psi = np.array([0.002, -0.001, 0.0])
    c = solve(g, np.array(y), psi)
    states = np.stack([c.y, c.psi, np.array([0.3, 900.0, 5.0]), c.theta, c.left.U_w, c.right.U_w], axis=1)
    t = np.array([0.0, 0.5, 1.0])
    found = poses(wheelset_rolling(g, v=50.0), t, states, None)
    np.testing.assert_allclose(found.centre, np.stack([50.0 * t, c.y, g.r + c.z], axis=1), atol=1e-13)
    for s, side, point in ((1.0, c.left, found.contact), (-1.0, c.right, found.second)):
        np.testing.assert_allclose(point[:, 1], s * (g.b + side.U_r), atol=1e-13)
        np.testing.assert_allclose(point[:, 2], g.rail.height(side.U_r), atol=1e-13)
        from_axle = matrices(found.attitude).transpose(0, 2, 1) @ (point - found.centre)[:, :, None]
        np.testing.assert_allclose(np.hypot(from_axle[:, 0], from_axle[:, 2])[:, 0], g.r - g.wheel.height(side.U_w), atol=1e-13)
    np.testing.assert_array_equal(found.modes, 2)
    np.testing.assert_array_equal(found.spin, states[:, 2])  # not as an attitude: nothing is lost of fast ones
    axle = matrices(found.attitude)[:, :, 1]
    np.testing.assert_allclose(np.arctan2(axle[:, 2], axle[:, 1]), c.theta, atol=1e-15)
    np.testing.assert_allclose(-axle[:, 0], np.sin(psi), atol=1e-15)


@pytest.mark.parametrize("g", [ARCS, PUBLISHED])
def test_what_is_drawn_is_the_profile(g):
    line = rail_line(g.rail)
    head = line[(line[:, 1] > line[:, 1].max() - 0.013)]
    np.testing.assert_allclose(head[:, 1], g.rail.height(head[:, 0]), atol=1e-12)
    area = 0.5 * np.sum(line[:, 0] * np.roll(line[:, 1], -1) - np.roll(line[:, 0], -1) * line[:, 1])
    assert 0.006 < area < 0.009  # counter-clockwise; UIC 60 has 76.9 cm^2
    rails, sleeper = straight_track(g.rail, g.b)
    assert (rails.made_of, sleeper.made_of) == ("metal", "wood")
    assert looks_outward(rails.surface)
    assert looks_outward(sleeper.surface)
    assert np.ptp(rails.surface.vertices[:, 0]) == pytest.approx(BAY)
    y = rails.surface.vertices[:, 1]
    assert y.max() == pytest.approx(-y.min())
    mesh = surface(wheels_of(g))
    assert looks_outward(mesh)
    radius = np.hypot(mesh.vertices[:, 0], mesh.vertices[:, 2])
    tread = (np.abs(mesh.vertices[:, 1]) > g.b - 0.03) & (np.abs(mesh.vertices[:, 1]) < g.b + 0.05) & (radius > 0.9 * g.r)
    np.testing.assert_allclose(radius[tread], g.r - g.wheel.height(np.abs(mesh.vertices[tread, 1]) - g.b), atol=1e-12)
    assert radius.max() > g.r + 0.02  # a flange, inside of the rail's head
    assert np.abs(mesh.vertices[radius > g.r + 0.02, 1]).max() < g.b + line[:, 0][line[:, 1] > -0.03].min() + 0.002


def test_enlarged_displacements_are_multiples():
    """exp((f - 1) turn) attitude is the attitude with f times the yaw, and f times the tilt to first order."""
    w = LoadedWheelset(example_5_2("200km/h"), roll=0.1)
    y = np.array([[0.006, 0.003, 0.0, 0.0, 0.0], [0.0, -0.009, 0.0, 0.0, 0.0]])
    found = poses(w, np.array([0.0, 0.01]), y, None)
    psi = y[:, 1] / w.wheels.b
    np.testing.assert_allclose(found.small.shift, [[0, 0.006, 0], [0, 0, 0]])
    np.testing.assert_allclose(found.small.turn[:, 2], psi, rtol=1e-6)
    np.testing.assert_allclose(found.small.turn[:, 0], [6e-4, 0.0], rtol=1e-6)
    r = matrices(found.attitude)
    np.testing.assert_allclose(np.arctan2(r[:, 1, 0], r[:, 0, 0])[1], psi[1], rtol=1e-12)
    from scipy.spatial.transform import Rotation

    whole = Rotation.from_rotvec(29.0 * found.small.turn) * Rotation.from_matrix(r)
    np.testing.assert_allclose(whole.as_rotvec(), 30.0 * found.small.turn, rtol=1e-12)
    back = Rotation.from_rotvec(-found.small.turn) * Rotation.from_matrix(r)
    np.testing.assert_allclose(back.magnitude(), 0.0, atol=1e-15)
    many = Rotation.random(50, random_state=1)
    q = many.as_quat()[:, [3, 0, 1, 2]]
    np.testing.assert_allclose(rotation_vectors(q), many.as_rotvec(), atol=1e-14)
    np.testing.assert_allclose(rotation_vectors(np.array([[1.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0]])), 0.0)
    np.testing.assert_allclose(
        found.contact - found.centre, np.einsum("nij,j->ni", r, (0.0, w.wheels.b, -w.wheels.r)), atol=1e-15
    )
    np.testing.assert_allclose(found.second[1, 1], -w.wheels.b * math.cos(psi[1]), rtol=1e-12)


def test_a_page_of_a_wheelset_with_friction(slipping, tmp_path):
    size, data = saved(slipping, tmp_path)
    assert size < 2_000_000
    n = data["frames"]
    t = data["t0"] + data["dt"] * np.arange(n)
    changes = slipping.provenance["methods"]
    assert len(changes) > 300
    assert {name for name, _ in changes} >= {"RR", "SS"}
    modes = unpacked(data["modes"], data["contacts"], "<u1")
    assert modes.shape == (n, 2)
    for k in range(0, n, 97):
        name = [name for name, when in changes if when <= t[k] + 1e-12][-1]
        assert "".join("OSR"[m] for m in modes[k]) == name
    assert 1 < data["small"]["factor"] <= data["small"]["most"] == LARGEST
    for name in ("shift", "turn"):
        assert len(unpacked(data["small"][name], 3)) == n
    shift = unpacked(data["small"]["shift"], 3)
    np.testing.assert_allclose(shift[:, 1], np.interp(t, slipping.t, slipping["y"]), atol=1e-4)
    assert (
        0.03
        < data["small"]["factor"] * max(np.abs(shift).max(), data["size"] * np.abs(unpacked(data["small"]["turn"], 3)).max())
        < 0.12
    )
    assert data["bays"]["length"] == BAY
    assert data["bays"]["aside"] is None
    assert data["ground"] < -0.172
    assert len(data["events"]) <= 400
    assert data["events"][-1]["t"] > 19.0  # marks are spread over the whole motion
    spin = unpacked(data["spin"], 1)
    assert spin[-1] == pytest.approx(20.0 * slipping.system.v / slipping.system.r, rel=2e-3)
    assert data["speed"] <= 0.1  # 13 oscillations a second are nothing to look at
    second = unpacked(data["second"], 3)
    contact = unpacked(data["contact"], 3)
    np.testing.assert_allclose(
        np.linalg.norm(second - contact, axis=1), 2.0 * slipping.system.b, rtol=1e-4
    )  # 32 bits, at a kilometre


def test_rails_lie_where_the_track_is_irregular():
    w = example_5_2("200km/h")._replace(track=Sinusoidal(0.003, 8.0, 0.4))
    t = np.linspace(0.0, 0.5, 20)
    bays = poses(w, t, np.zeros((20, 5)), None).bays
    at = bays.length * (bays.first + np.arange(len(bays.aside)))
    np.testing.assert_allclose(bays.aside, 0.003 * np.sin(2.0 * np.pi * at / 8.0 + 0.4), atol=1e-15)
    assert at[0] < -15.0
    assert at[-1] > 0.5 * w.v + 15.0


def test_swept_surfaces():
    ring = np.stack([np.cos(np.linspace(0, 2 * np.pi, 65)[:-1]), np.sin(np.linspace(0, 2 * np.pi, 65)[:-1])], axis=1)
    tube = swept(ring, 3.0)
    assert looks_outward(tube)
    a, b, c = (tube.vertices[tube.triangles[:, k]] for k in range(3))
    assert 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() == pytest.approx(6.0 * np.pi, rel=1e-3)


def test_both_contacts_of_balls(tmp_path):
    meter = flowmeter(drag="schiller-naumann", swirl=0.15)
    motion = simulate(meter, {}, 8.0, method="event-driven", dense=True)
    _, data = saved(motion, tmp_path)
    modes = unpacked(data["modes"], 2, "<u1")
    assert {tuple(row) for row in modes.tolist()} == {(2, 1), (2, 2)}  # RS, then RR
    second = unpacked(data["second"], 3)
    np.testing.assert_allclose(np.hypot(second[:, 0], second[:, 1]), meter.d + meter.r, rtol=1e-6)
    np.testing.assert_allclose(second[:, 2], meter.r, rtol=1e-6)
    assert len(data["outline"]) > 3
    assert not data["follow"]
    assert data["small"] is None
    ball = BallInCorner(opening=1.2)
    found = poses(ball, np.array([0.0, 1.0]), np.array([[0.0] * 5, [0.3] + [0.0] * 4]), None)
    between = (found.centre - found.contact) / ball.r, (found.centre - found.second) / ball.r
    for n in between:
        np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(
        np.einsum("ij,ij->i", *between), math.cos(math.pi - 1.2), rtol=1e-12
    )  # normals of planes that open by 1.2


BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome", "chrome") if (found := shutil.which(name))), None
)


@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
@pytest.mark.skipif("CI" in os.environ, reason="a browser of another machine may lack software WebGL")
def test_the_page_in_a_browser_without_a_network(slipping, tmp_path):
    short = simulate(example_5_2("300km/h"), {"Psi": 0.0087}, 0.3, method="event-driven")
    path = short.save_html(tmp_path / "wheelset.html")
    picture = tmp_path / "seen.png"
    made = subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
            *("--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", f"--user-data-dir={tmp_path / 'profile'}"),
            *("--window-size=1280,720", "--virtual-time-budget=3000", f"--screenshot={picture}", f"{path.as_uri()}#t=0.1&x=20"),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if not picture.is_file():
        pytest.skip("the browser here makes no pictures")
    assert not [line for line in made.stderr.splitlines() if "CONSOLE" in line]
    import matplotlib.image

    seen = matplotlib.image.imread(picture)[..., :3]
    red = (seen[..., 0] > 0.75) & (seen[..., 1] < 0.3) & (seen[..., 2] < 0.25)
    inside = np.zeros_like(red)
    inside[:480, 400:] = True  # right of the legend, above the curves
    assert short.provenance["methods"][0][0] == "RR"
    mode = [name for name, when in short.provenance["methods"] if when <= 0.1][-1]
    assert mode == "SS"
    assert np.count_nonzero(red & inside) > 200  # both contacts slip
    assert len(np.unique((255 * seen[:480:7, 400::7]).astype(np.uint8).reshape(-1, 3), axis=0)) > 300  # wheels, rails, shadows
