"""Plates: contact functionals, mass matrix, and bodies from meshes."""

import math

import numpy as np
import pytest

from rollick import InputError
from rollick.analysis.chatter.spectrum import impact, rotation
from rollick.archetypes.polygon import BODIES, from_mesh, named, solid
from rollick.mechanics.facets import hull_faces, hull_mesh, prism
from rollick.mechanics.mass.mesh import mesh_mass
from rollick.mechanics.plate import plate, regular
from rollick.mechanics.shapes.triangles import surface


def test_an_impact_obeys_newton_and_the_momentum_balances():
    """Against the full balances (2.10)-(2.12): m dv = zeta, theta d omega = r x zeta, velocity times -gamma."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        body = plate([(1.0, 0.1), (-0.4, 0.9), (-0.7, -0.8), (0.5, -1.0)], rng.uniform(0.1, 1.0, 2), mass=2.5)
        gamma, p = rng.uniform(), rng.normal(size=3)
        for i in range(4):
            after = body.impact_map(i, gamma) @ p
            zeta = body.mass * (after[2] - p[2])
            turn = np.array([body.rho_x**2, body.rho_y**2]) * body.mass * (after - p)[:2]
            torque = np.cross([body.x[i], body.y[i], 0.0], [0.0, 0.0, zeta])
            assert np.allclose(turn, torque[:2], atol=1e-13)
            assert abs(body.f[i] @ after + gamma * (body.f[i] @ p)) < 1e-13


@pytest.mark.parametrize("n", [3, 4, 5, 8])
def test_impact_maps_are_rotations_of_one(n):
    """U_i = R^i U_0 R^-i (2.45)."""
    body = regular(n, 0.37)
    for i in range(n):
        assert np.allclose(body.impact_map(i, 0.3), rotation(n, i) @ impact(0.37, 0.3) @ rotation(n, -i), atol=1e-15)


@pytest.mark.parametrize("name", ["tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"])
def test_solids_by_name_are_those_of_their_meshes(name):
    points = solid(name)
    for face in hull_faces(points)[:2]:
        body = from_mesh(hull_mesh(points), np.cross(face[1] - face[0], face[2] - face[1]))
        radius = np.hypot(body.x, body.y)
        assert body.count == BODIES[name].n
        assert np.ptp(radius) < 1e-12
        assert abs(body.rho_x / radius[0] - BODIES[name].rho) < 1e-13
        assert abs(body.rho_y / radius[0] - BODIES[name].rho) < 1e-13


@pytest.mark.parametrize(
    ("name", "n"), [("triangular plate", 3), ("square plate", 4), ("pentagonal plate", 5), ("hexagonal plate", 6)]
)
def test_thin_plates_are_thin_prisms(name, n):
    turn = 2 * math.pi * np.arange(n) / n
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    prism = np.vstack([np.column_stack([ring, np.full(n, z)]) for z in (0.0, 1e-6)])
    body = from_mesh(hull_mesh(prism))
    assert abs(body.rho_x - BODIES[name].rho) < 1e-9


def test_a_mesh_off_its_axes_is_turned_into_them():
    """A box on its face, turned about the vertical: principal radii of the box."""
    box = np.array([(x, y, z) for x in (-2.0, 2.0) for y in (-1.0, 1.0) for z in (-0.5, 0.5)])
    c, s = math.cos(0.4), math.sin(0.4)
    body = from_mesh(hull_mesh(box @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])))
    assert sorted([body.rho_x, body.rho_y]) == pytest.approx([math.sqrt((4 + 1) / 12), math.sqrt((16 + 1) / 12)], rel=1e-12)
    assert sorted(map(abs, body.x)) == pytest.approx([1, 1, 1, 1]) or sorted(map(abs, body.x)) == pytest.approx([2, 2, 2, 2])
    assert body.encloses_centre


def test_bad_plates_are_refused():
    with pytest.raises(InputError, match="convex"):
        plate([(1, 0), (-1, 0.1), (0.2, 0.01), (0, -1)], 0.3)
    with pytest.raises(InputError, match="either rho"):
        plate([(1, 0), (-1, 0)])
    with pytest.raises(InputError, match="above zero"):
        regular(4, -0.2)
    with pytest.raises(InputError, match="3 or more"):
        regular(2, 0.3)
    with pytest.raises(InputError, match="body"):
        named("tetraeder")
    with pytest.raises(InputError, match="no face"):
        from_mesh(hull_mesh(solid("cube")), (1.0, 1.0, 0.0))


def test_a_prism_is_closed_and_weighs_right():
    mesh = surface(prism([(1, 0), (0, 1), (-1, 0), (0, -1)], -0.1, 0.1))
    mass = mesh_mass(mesh.vertices[mesh.triangles], density=1.0)
    assert mass.mass == pytest.approx(0.4)
