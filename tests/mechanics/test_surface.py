"""Surfaces to draw: closed, outward, of the right volume, and on the shape."""

from typing import NamedTuple

import numpy as np
import pytest

from rollick import InputError
from rollick.kernel.scalar import sqrt
from rollick.mechanics.mass.mesh import mesh_mass
from rollick.mechanics.shapes.convex import Ellipsoid, Rim, Sphere, Sum, Torus, support, turned
from rollick.mechanics.shapes.revolution import from_support
from rollick.mechanics.shapes.triangles import FLATNESS, HOLE, Half, Ring, support_points, surface


class Pebble(NamedTuple):
    """A shape as a user would make it: h(n) = (sum (a_i n_i)^4)^(1/4) + r, an octahedron with bent faces, rounded."""

    a: float
    b: float
    c: float
    r: float


@support.register(Pebble)
def _(shape, n):
    x, y, z = (shape.a * n[0]) ** 2, (shape.b * n[1]) ** 2, (shape.c * n[2]) ** 2
    h = sqrt(sqrt(x * x + y * y + z * z))
    s, r = 1.0 / (h * h * h), shape.r
    return (s * x * shape.a**2 + r) * n[0], (s * y * shape.b**2 + r) * n[1], (s * z * shape.c**2 + r) * n[2]


ROUND = 4.0 / 3.0 * np.pi
SMOOTH = {
    "sphere": (Sphere(0.3), ROUND * 0.3**3),
    "stone": (Ellipsoid(0.2, 0.03, 0.02), ROUND * 0.2 * 0.03 * 0.02),
    "turned": (turned(Ellipsoid(0.2, 0.1, 0.05), ((1, 1, 0), 0.7), (0.1, 0.2, 0.3)), ROUND * 0.2 * 0.1 * 0.05),
    "rounded disk": (Sum(Rim(1.0), Sphere(0.1)), 0.2 * np.pi + np.pi**2 * 0.01 + ROUND * 0.001),
    "revolution": (from_support(lambda u: np.sqrt((0.3 * np.sin(u)) ** 2 + (0.2 * np.cos(u)) ** 2)), ROUND * 0.3 * 0.3 * 0.2),
    "a user's": (Pebble(0.3, 0.2, 0.1, 0.1), None),
}
VISIBLE = {
    "torus": (Torus(1.0, 0.25), 2.0 * np.pi**2 * 0.25**2),
    "disk": (Rim(2.0), 2.0 / 3.0 * np.pi * FLATNESS * 8.0),
    "ring": (Ring(2.0), 2.0 * np.pi * (2.0 + 4.0 * HOLE) / 3.0 * 4.0 * FLATNESS * (1.0 - HOLE)),  # Pappus
    "half": (Half(Ellipsoid(0.2, 0.03, 0.02)), 0.5 * ROUND * 0.2 * 0.03 * 0.02),
}


@pytest.mark.parametrize("name", [*SMOOTH, *VISIBLE])
def test_closed_outward_and_of_the_right_volume(name):
    shape, volume = (SMOOTH | VISIBLE)[name]
    mesh = surface(shape)
    corners = mesh.vertices[mesh.triangles]
    solid = mesh_mass(corners, density=1.0)  # refuses what is open or inside out
    if volume is not None:
        assert solid.mass == pytest.approx(volume, rel=5e-3)
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(areas, axis=1)
    real = sizes > 1e-6 * sizes.max()
    for k in range(3):
        agreement = np.einsum("ij,ij->i", areas[real] / sizes[real, None], mesh.normals[mesh.triangles[real, k]])
        assert agreement.min() > 0.98
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("name", SMOOTH)
def test_the_surface_is_that_of_the_support_map(name):
    shape, _ = SMOOTH[name]
    mesh = surface(shape, 48)
    size = np.ptp(mesh.vertices, axis=0).max()
    heights = np.einsum("ij,ij->i", support_points(shape, mesh.normals + np.array([1e-9, 0.0, 0.0])), mesh.normals)
    np.testing.assert_allclose(np.einsum("ij,ij->i", mesh.vertices, mesh.normals), heights, atol=1e-5 * size)
    longest = np.linalg.norm(mesh.vertices[mesh.triangles[:, 1]] - mesh.vertices[mesh.triangles[:, 0]], axis=1).max()
    assert longest < 0.15 * size or name == "rounded disk"  # whose faces are flat


def test_the_torus_has_its_hole():
    mesh = surface(Torus(1.0, 0.25))
    distance = np.hypot(mesh.vertices[:, 0], mesh.vertices[:, 1])
    assert distance.min() == pytest.approx(0.75)
    assert distance.max() == pytest.approx(1.25)


def test_what_is_refused():
    for fineness in (4, 3.5, "fine", True, 10**6):
        with pytest.raises(InputError, match="fineness"):
            surface(Sphere(1.0), fineness)

    class Cloud(NamedTuple):
        x: float

    with pytest.raises(InputError, match="Cloud"):
        surface(Cloud(1.0))
