"""Bodies that may be in the air on the page: poses, cut tracks, the drawn shapes, and what lies between two output times."""

import base64
import json
import re

import numpy as np
import pytest

from rollick import Motion
from rollick.archetypes.tippedisk import poses as tippedisk_poses
from rollick.archetypes.tippedisk import start, state_of, tippedisk
from rollick.kernel.system import description
from rollick.mechanics.body import Body
from rollick.mechanics.contact import gap
from rollick.mechanics.laws.sliding import Coulomb, Regularised
from rollick.mechanics.mass.mesh import mesh_mass, open_edges
from rollick.mechanics.mass.primitives import box, solid_cylinder, solid_sphere
from rollick.mechanics.poses import matrices, poses
from rollick.mechanics.shapes.convex import Ellipsoid, Rim, Sphere
from rollick.mechanics.shapes.triangles import Ring, surface
from rollick.mechanics.sliding import poses as sliding_poses
from rollick.mechanics.sliding import sliding
from rollick.mechanics.sliding.poses import Drilled, Hull
from rollick.motion.events.event import Occurrence
from rollick.motion.result.outcome import Outcome
from rollick.view.frames import between_jumps, frames_of

BALL = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), law=Coulomb(0.3), e_N=0.5)
A = 0.1
CORNERS = [(x * A, y * A, 0.5 * z * A) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
BLOCK = Body.from_parts(box(1.0, 2 * A, 2 * A, A), Ellipsoid(A, A, 0.5 * A))
G = 9.81


def states(z, vz, **more):
    """States of an upright sliding body by height."""
    y = np.zeros((len(z), 13))
    y[:, 2], y[:, 9], y[:, 3] = z, vz, 1.0
    for name, column in more.items():
        y[:, {"x": 0, "vx": 7}[name]] = column
    return y


def one_bounce(count=9):
    """A ball that falls for 0.1 s, loses half its speed and flies for 0.1 s; few output times, the velocity before the impact at it."""
    t = np.linspace(0.0, 0.2, 2 * count - 1)
    hit = 0.1
    speed = G * hit
    after = t - hit
    fall = after <= 1e-12
    z = 0.1 + np.where(fall, 0.5 * G * (hit**2 - t**2), 0.5 * speed * after - 0.5 * G * after**2)
    y = states(z, np.where(fall, -G * t, 0.5 * speed - G * after))
    state = y[count - 1].copy()
    state[9] = 0.5 * speed
    made = {"system": "Sliding", "type": "nowhere:Nothing", "since": 0.0}
    event = Occurrence(float(t[count - 1]), "impact", "crossing", state)
    return Motion(BALL, description(BALL), t, y, None, [event], Outcome("finished", ""), made, (0.2, y[-1], None))


def test_a_ball_in_the_air_leaves_no_track():
    z = np.array([0.3, 0.2, 0.1, 0.1, 0.15, 0.1, 0.1 + 5e-6])
    found = poses(BALL, np.arange(7.0), states(z, 0.0, x=np.arange(7.0)), None)
    np.testing.assert_allclose(found.contact, np.stack([np.arange(7.0), 0.0 * z, z - 0.1], axis=1), atol=1e-12)
    assert (found.touch > 0).tolist() == [False, False, True, True, False, True, True]
    assert found.touch[2] == found.touch[3] != found.touch[5] == found.touch[6]
    np.testing.assert_allclose(found.centre[:, 2], z)


def test_an_impact_is_felt_in_its_own_interval_only():
    motion = one_bounce()
    times = np.linspace(0.0, 0.2, 333)
    found = between_jumps(motion, np.arange(len(motion.t)), times)
    after = times - 0.1
    z = 0.1 + np.where(after < 0.0, 0.5 * G * (0.01 - times**2), 0.5 * G * 0.1 * after - 0.5 * G * after**2)
    np.testing.assert_allclose(found[:, 2], z, atol=1e-12)  # parabolas on both sides of the kink
    assert np.interp(0.1, times, found[:, 9]) == pytest.approx(0.5 * G * 0.1, abs=0.1)
    motion.events.clear()  # without the state after the impact, one interval is off by a little, the others not at all
    apart = np.abs(between_jumps(motion, np.arange(len(motion.t)), times)[:, 2] - z)
    assert apart[(times < 0.1) | (times > 0.1126)].max() < 1e-12
    assert 1e-4 < apart.max() < 4e-3


def test_the_page_is_told_where_the_body_touches(tmp_path):
    motion = one_bounce()
    text = motion.save_html(tmp_path / "ball.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="motion">(.*?)</script>', text, re.DOTALL)[1])
    touch = np.frombuffer(base64.b64decode(data["touch"]), "<u2")
    contact = np.frombuffer(base64.b64decode(data["contact"]), "<f4").reshape(-1, 3)
    assert len(touch) == data["frames"] == len(contact)
    assert np.array_equal(touch > 0, contact[:, 2] < 1e-5)
    assert data["rise"] == pytest.approx(0.5 * G * 0.01, rel=1e-6)
    assert [n["name"] for n in data["numbers"] if n["shown"]] == ["theta", "energy", "slip"]
    assert frames_of(motion).poses.contact[:, 2].min() > -1e-12


@pytest.mark.parametrize("name", ["V1", "V2"])
def test_a_tippedisk_is_the_same_in_all_coordinates(name):
    systems = [tippedisk(name, Coulomb(0.3), form) for form in ("quaternion", "euler", "corotating")]
    rows = [(0.3, 1.2, -1.4, 0.0, 0.02), (1.7, 2.0, 0.4, 0.01, -0.03), (-2.0, 1.5, 2.5, 0.0, 0.0)]
    found = []
    for s in systems:
        y = [np.concatenate(start(s, alpha=a, beta=b, gamma=c, gap=g, x=x, alpha_rate=3.0)) for a, b, c, g, x in rows]
        found.append(poses(s, np.arange(3.0), np.array(y), None))
        gaps = [gap(s, 0.0, row, 0) for row in y]
        np.testing.assert_allclose(found[-1].contact[:, 2], gaps, atol=1e-15)
        assert found[-1].touch.tolist() == [1, 0, 2]
    for other in found[1:]:
        np.testing.assert_allclose(np.abs(np.einsum("ij,ij->i", other.attitude, found[0].attitude)), 1.0)
        np.testing.assert_allclose(other.centre, found[0].centre, atol=1e-15)
        np.testing.assert_allclose(other.contact, found[0].contact, atol=1e-15)
    drawn = found[0].visible
    assert isinstance(drawn, Drilled)
    assert drawn.plug == (name == "V2")
    assert (drawn.x > 0.0) == (name == "V2")
    smooth = tippedisk(name, Regularised(0.3, 0.1))
    held = poses(smooth, np.arange(3.0), np.array([np.concatenate(start(smooth))] * 3), None)
    assert held.visible == drawn


def test_drawn_disks_are_closed_and_heavy_where_they_should_be():
    mesh = surface(tippedisk_poses.placed(tippedisk("V1", Coulomb(0.3)), *upright()).visible)
    triangles = mesh.vertices[mesh.triangles]
    assert open_edges(triangles) == 0
    assert mesh_mass(triangles, mass=1.0).centre[0] == pytest.approx(2.5e-3, rel=0.1)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    assert np.all(np.einsum("ij,ij->i", normals, mesh.normals[mesh.triangles].mean(axis=1)) > 0.0)
    for shape in (Drilled(1.0, 0.4, 0.0, 0.3, True), Drilled(1.0, 0.0, 0.0, 0.0, False)):
        made = surface(shape)
        assert open_edges(made.vertices[made.triangles]) == 0
    disk = Body.from_parts(solid_cylinder(1.0, 0.1, 0.01), Rim(0.1))
    assert isinstance(sliding_poses.drawn(disk, None), Rim)
    hoop = Body.from_inertia(1.0, (0.005, 0.005, 0.01), Rim(0.1), (1e-3, 0.0, 0.0))
    assert isinstance(sliding_poses.drawn(hoop, None), Ring)


def upright():
    """One state of a standing tippedisk and its attitude."""
    s = tippedisk("V1", Coulomb(0.3))
    q, u = state_of(s, (0.0, 0.0, 0.045), (0.0, 1.5, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return np.concatenate([q, u])[None], q[None, 3:7]


def test_feet_are_drawn_and_the_track_stays_with_one():
    block = sliding(BLOCK, law=Coulomb(0.3), feet=CORNERS)
    shape = sliding_poses.drawn(block.body, block.feet)
    assert isinstance(shape, Hull)
    mesh = surface(shape)
    assert mesh_mass(mesh.vertices[mesh.triangles], density=1.0).mass == pytest.approx(4 * A**3, rel=1e-12)
    low = sliding(BLOCK, law=Coulomb(0.3), feet=[c for c in CORNERS if c[2] < 0.0])
    both = surface(sliding_poses.drawn(low.body, low.feet))
    assert both.vertices[:, 2].max() == pytest.approx(0.5 * A, rel=1e-3)  # the shape above, the feet below
    y = states(np.full(20, 0.5 * A), 0.0)
    y[:, 4:6] = 1e-9 * np.random.default_rng(1).normal(size=(20, 2))  # lies flat, up to rounding
    y[15:, 3], y[15:, 5] = np.cos(0.2), np.sin(0.2)  # then stands on one edge
    y[15:, 2] = 0.5 * A * np.cos(0.4) + A * np.sin(0.4)
    found = poses(block, np.arange(20.0), y, None)
    assert len(np.unique(found.touch[:15])) == 1
    assert np.all(found.touch > 0)
    heights = np.einsum("nij,kj->nki", matrices(found.attitude), np.array(CORNERS))[:, :, 2].min(axis=1) + y[:, 2]
    np.testing.assert_allclose(found.contact[:, 2], heights, atol=1e-6)


def test_a_disk_that_lies_flat_has_a_pose():
    disk = sliding(Body.from_parts(solid_cylinder(1.0, 0.1, 0.01), Rim(0.1)), law=Coulomb(0.3))
    found = poses(disk, np.arange(2.0), states(np.zeros(2), 0.0), None)
    assert np.all(np.isfinite(found.contact))
    np.testing.assert_allclose(np.linalg.norm(found.footprint, axis=1), 0.1)
    np.testing.assert_allclose(found.contact[:, 2], 0.0, atol=1e-15)
