"""Smooth shapes fitted to meshes: their distance, their curvature, and that a mesh of an ellipsoid rolls like the ellipsoid as it is refined."""

import struct
from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial import ConvexHull as Hull

from rollick import (
    Body,
    Ellipsoid,
    InputError,
    Motion,
    Sphere,
    read_body,
    rest_positions,
    rolling,
    simulate,
    smooth_fit,
    smoothness,
)
from rollick.kernel.compiled import compiled_uncached
from rollick.mechanics.body import directions
from rollick.mechanics.mass.mesh import mesh_mass
from rollick.mechanics.mass.primitives import solid_ellipsoid
from rollick.mechanics.shapes.convex import Sum, Turned, support, support_rate
from rollick.mechanics.shapes.curvature import principal_radii
from rollick.mechanics.shapes.fitted import Fitted, fitted_part
from rollick.mechanics.shapes.hull import box_corners, convex_hull
from rollick.mechanics.shapes.skin import Skinned, from_triangles
from rollick.mechanics.shapes.triangles import support_points, surface

AXES = np.array([0.2, 0.15, 0.1])
START = {"theta": "40deg", "psi_rate": 3.0}


def sphere_points(times):
    """The corners of an icosahedron whose edges were halved so often: 162, 642, 2562 for 2, 3, 4 times."""
    g = (1.0 + 5.0**0.5) / 2.0
    points = np.array([p for a in (-1.0, 1.0) for b in (-g, g) for p in ((a, b, 0.0), (0.0, a, b), (b, 0.0, a))])
    points /= np.linalg.norm(points, axis=1)[:, None]
    for _ in range(times):
        faces = points[Hull(points).simplices]
        middles = np.vstack([faces[:, i] + faces[:, (i + 1) % 3] for i in range(3)])
        points = np.unique(np.vstack([points, middles / np.linalg.norm(middles, axis=1)[:, None]]).round(12), axis=0)
    return points


def triangles_of(points):
    hull = Hull(points)
    triangles = points[hull.simplices]
    inward = (
        np.einsum(
            "ij,ij->i", np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), hull.equations[:, :3]
        )
        < 0.0
    )
    triangles[inward] = triangles[inward][:, ::-1]
    return triangles


def write_stl(path, triangles):
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *t.ravel(), 0) for t in triangles)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(triangles)) + facets)
    return path


def pebble_points(seed=1, times=3):
    """A stone as scanned: an ellipsoid with bumps of some millimetres, of 6 cm, and noise of 0.1 mm."""
    n = sphere_points(times)
    bumps = 1.0 + 0.04 * np.sin(3.0 * n[:, :1] + 1.0) * np.cos(2.0 * n[:, 1:2])
    return 0.03 * n * (1.0, 0.8, 0.55) * bumps + 1e-4 * np.random.default_rng(seed).normal(size=n.shape)


def distance(shape, points, count=20_000):
    n = directions(count)
    return np.abs(np.einsum("ij,ij->i", support_points(shape, n), n) - (points @ n.T).max(axis=0)).max()


@pytest.fixture(scope="module")
def pebble():
    return smooth_fit(convex_hull(pebble_points()))


@compiled_uncached
def both(shape, n, dn):
    return support(shape, n), support_rate(shape, n, dn)


MESHES = (2, 162), (3, 642), (4, 2562)


@pytest.mark.parametrize("first", [1, pytest.param(0, marks=pytest.mark.slow)])
def test_a_mesh_of_an_ellipsoid_rolls_like_the_ellipsoid_as_it_is_refined(tmp_path, first):
    """It was off by 7 to 9 % in energy, however fine, with x = y = 0."""
    asked = dict(until=1.0, rtol=1e-10, at=np.linspace(0.0, 1.0, 21))
    true = simulate(rolling(Body.from_parts(solid_ellipsoid(1.0, *AXES), Ellipsoid(*AXES))), START, **asked)
    errors = []
    for times, corners in MESHES[first:]:
        path = write_stl(tmp_path / "ellipsoid.stl", triangles_of(sphere_points(times) * AXES))
        with pytest.raises(InputError, match="does not roll"):
            rolling(Body.from_mesh(path, mass=1.0), how="marble")
        body = Body.from_mesh(path, mass=1.0, smooth=True)
        assert len(body.shape.vertices) == corners
        motion = simulate(rolling(body), START, **asked)
        assert np.ptp(motion["energy"]) < 1e-9 * motion["energy"][0]
        errors.append([np.abs(motion[name] - true[name]).max() for name in ("x", "y", "omega1", "omega3")])
    assert np.all(np.array(errors[-1]) < 0.02 * np.array([np.abs(true[name]).max() for name in ("x", "y", "omega1", "omega3")]))
    for coarse, fine in pairwise(errors):  # the mesh lies inside by the square of its edges
        assert np.array(coarse) / np.array(fine) == pytest.approx(4.0, rel=0.2)
    text = str(motion)
    assert f"{body.shape.shape.distance:.3g} m" in text
    assert "from the convex hull it was fitted to" in text


@pytest.mark.parametrize("count", [300, pytest.param(3000, marks=pytest.mark.slow)])
def test_distance_and_radii_are_bounds(pebble, count):
    points, shape = pebble_points(), pebble
    assert isinstance(shape, Fitted)
    found = distance(shape, points)
    assert 0.8 * shape.distance < found <= 1.001 * shape.distance
    assert shape.distance < 0.01 * shape.size
    radii = [principal_radii(shape, n) for n in directions(count)]
    assert 0.0 < shape.least <= min(r.r1 for r in radii)
    assert max(r.r2 for r in radii) <= shape.greatest
    assert smoothness(shape).smooth


def test_the_derivative_is_that_of_the_map_also_within_a_complex_step(pebble):
    shape = pebble
    rng = np.random.default_rng(3)
    for n in np.vstack([directions(8), np.eye(3), -np.eye(3)]):
        dn = np.cross(n, rng.normal(size=3))
        point, rate = both(shape, tuple(n), tuple(dn))

        def at(e, n=n, dn=dn):
            moved = n + e * dn
            return np.array(support(shape, tuple(moved / np.linalg.norm(moved))))

        d = 1e-4
        np.testing.assert_allclose(rate, (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d), atol=1e-12)
        assert abs(np.dot(rate, n)) < 1e-14
        np.testing.assert_allclose(both(shape, tuple(n + 0j), tuple(dn + 0j))[1], rate, atol=1e-15)
        stepped = both(shape, tuple(n + 1e-30j * dn), tuple(dn + 0j))[0]
        np.testing.assert_allclose(np.array(stepped).imag / 1e-30, rate, atol=1e-14)
        far = np.array(both(shape, tuple(3.0 * n), tuple(dn))[0])
        np.testing.assert_allclose(far, point, atol=1e-15)


def test_moved_turned_and_stretched_bodies_are_fitted_alike(pebble):
    by = np.array([5.0, -3.0, 40.0])
    here, there = pebble, smooth_fit(convex_hull(pebble_points() + by))
    assert there.distance == pytest.approx(here.distance, rel=1e-6)
    n = (0.36, 0.48, 0.8)
    np.testing.assert_allclose(support(there, n), np.array(support(here, n)) + by, atol=1e-12)
    long = smooth_fit(convex_hull(sphere_points(3) * (0.20, 0.03, 0.02)))  # a rattleback: 10 to 1
    assert long.distance < 0.005 * long.size
    assert long.least == pytest.approx(0.02**2 / 0.20, rel=0.02)


@pytest.mark.parametrize("times", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_distance_is_kept_or_refused(pebble, times):
    hull, best = convex_hull(pebble_points()), pebble
    loose = smooth_fit(hull, 3.0 * best.distance)
    assert loose.degree <= best.degree
    assert loose.distance <= 3.0 * best.distance
    with pytest.raises(
        InputError, match=r"the nearest smooth shape is .* % of half its largest width\) away, more than 1e-06 m.*slide and rock"
    ):
        smooth_fit(convex_hull(pebble_points(times=times)), "1um")
    cube = convex_hull(box_corners(0.04, 0.04, 0.04))
    with pytest.raises(
        InputError, match=r"flat faces and sharp edges are not nearly round. Allow that distance, smooth = \"(.*)mm\""
    ) as refused:
        smooth_fit(cube)
    allowed = str(refused.value).split('smooth = "')[1].split('"')[0]
    rounded = smooth_fit(cube, allowed)  # damped until it is convex
    assert min(principal_radii(rounded, n).r1 for n in directions(2000)) >= rounded.least > 0.0
    assert distance(rounded, box_corners(0.04, 0.04, 0.04)) <= 1.001 * rounded.distance
    for wrong in (0.0, -1.0, "3kg", "near", False):
        with pytest.raises(InputError, match="smooth"):
            smooth_fit(hull, wrong)
    with pytest.raises(InputError, match="is not a shape"):
        smooth_fit(3.0)


def test_any_convex_shape_can_be_fitted():
    rounded = Sum(convex_hull(box_corners(0.1, 0.1, 0.1)), Sphere(0.15))
    shape = smooth_fit(rounded)
    n = directions(500)
    apart = np.abs(np.einsum("ij,ij->i", support_points(shape, n) - support_points(rounded, n), n)).max()
    assert apart <= 1.001 * shape.distance < 0.05 * shape.size
    exact = smooth_fit(Ellipsoid(*AXES))
    assert exact.distance < 1e-12
    np.testing.assert_allclose(support(exact, (0.36, 0.48, 0.8)), support(Ellipsoid(*AXES), (0.36, 0.48, 0.8)), atol=1e-12)


@pytest.mark.parametrize("times", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_mass_is_that_of_the_mesh_and_the_mesh_is_drawn(times):
    triangles = triangles_of(pebble_points(times=times))
    plain, smooth = from_triangles(triangles), from_triangles(triangles, True)
    assert isinstance(smooth, Skinned)
    assert isinstance(smooth.shape, Fitted)
    assert len(surface(smooth).triangles) == len(surface(plain).triangles)
    body = Body.from_parts(mesh_mass(triangles, density=2700.0), smooth)
    assert body.mass == Body.from_parts(mesh_mass(triangles, density=2700.0), plain).mass
    assert fitted_part(Turned(smooth, np.eye(3), (0.0, 0.0, 0.0))) is smooth.shape
    assert fitted_part(plain) is None
    heights = lambda shape: sorted(r.height for r in rest_positions(Body.from_parts(solid_ellipsoid(1.0, *AXES), shape)))
    near = smooth_fit(convex_hull(sphere_points(4) * AXES))
    assert heights(near) == pytest.approx(heights(Ellipsoid(*AXES)), abs=2.0 * near.distance)


PEBBLE = """
[shape]
kind = "mesh"
file = "pebble.stl"
smooth = {}
[mass]
inertia = "solid"
density = 2700.0
[start]
theta = 0.4
psi_rate = 3.0
"""


@pytest.mark.parametrize("times", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_body_file_fits_and_a_saved_motion_knows_the_fit(tmp_path, times):
    write_stl(tmp_path / "pebble.stl", triangles_of(pebble_points(times=times)))
    (tmp_path / "pebble.toml").write_text(PEBBLE.format("true"))
    given = read_body(tmp_path / "pebble.toml")
    same = Body.from_mesh(tmp_path / "pebble.stl", density=2700.0, smooth=True)
    assert given.body.mass == same.mass
    assert given.body.shape.shape.distance == same.shape.shape.distance
    motion = simulate(given.system, given.start, 0.2, rtol=1e-9)
    motion.to_netcdf(tmp_path / "pebble.nc")
    opened = Motion.open(tmp_path / "pebble.nc")
    assert fitted_part(opened.system.body.shape).distance == same.shape.shape.distance
    assert "fitted to" in str(opened)
    again = simulate(opened.system, opened, 0.3)
    assert again.complete
    (tmp_path / "pebble.toml").write_text(PEBBLE.format("false"))
    with pytest.raises(
        InputError, match=r'a body with flat faces and corners does not roll; take how = "sliding".*smooth = true in \[shape\]'
    ):
        read_body(tmp_path / "pebble.toml")
    (tmp_path / "pebble.toml").write_text(PEBBLE.format('"1um"'))
    with pytest.raises(InputError, match="shape: the nearest smooth shape is"):
        read_body(tmp_path / "pebble.toml")
    (tmp_path / "pebble.toml").write_text(PEBBLE.format('"near"'))
    with pytest.raises(InputError, match=r"shape\.smooth = 'near'"):
        read_body(tmp_path / "pebble.toml")
