"""Mass properties: primitives against integration, sums, shifts, meshes, and what cannot exist."""

import math
import struct

import numpy as np
import pytest

from rollick import InputError
from rollick.mechanics.mass import primitives as p
from rollick.mechanics.mass.mesh import mesh_mass, read_mesh
from rollick.mechanics.mass.properties import MassProperties, body, impossible_inertia


def sampled(points, weights):
    """Mass properties of a cloud of points, by the definition."""
    mass = weights.sum()
    centre = weights @ points / mass
    d = points - centre
    inertia = (weights[:, None, None] * ((d * d).sum(1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None, :])).sum(0)
    return mass, centre, inertia


def grid(n=60):
    """Gauss points and weights of a cube [-1, 1]^3."""
    x, w = np.polynomial.legendre.leggauss(n)
    X = np.stack(np.meshgrid(x, x, x, indexing="ij"), -1).reshape(-1, 3)
    W = np.einsum("i,j,k->ijk", w, w, w).ravel()
    return X, W


def test_solid_ellipsoid_half_ellipsoid_cone_and_torus_by_integration():
    X, W = grid(24)
    # Spherical coordinates: r in [0, 1], z = cos(polar) in [-1, 1], angle in [-pi, pi].
    r, z, angle = 0.5 * (X[:, 0] + 1), X[:, 1], np.pi * X[:, 2]
    s = np.sqrt(1 - z * z)
    ball = np.stack([r * s * np.cos(angle), r * s * np.sin(angle), r * z], 1)
    for made, points, weights in (
        (p.solid_ellipsoid(2.0, 0.3, 0.2, 0.1), ball * [0.3, 0.2, 0.1], W * r * r),
        (p.half_ellipsoid(2.0, 0.3, 0.2, 0.1), np.stack([ball[:, 0], ball[:, 1], r * 0.5 * (z - 1)], 1), None),
    ):
        if weights is None:
            zz = 0.5 * (z - 1)
            ss = np.sqrt(1 - zz * zz)
            points = np.stack([r * ss * np.cos(angle), r * ss * np.sin(angle), r * zz], 1) * [0.3, 0.2, 0.1]
            weights = W * r * r
        mass, centre, inertia = sampled(points, weights)
        np.testing.assert_allclose(made.inertia / 2.0, inertia / mass, atol=1e-12)
        np.testing.assert_allclose(made.centre, centre, atol=1e-12)
    a, b, c = 0.5 * (X[:, 0] + 1), np.pi * X[:, 1], np.pi * X[:, 2]
    R, t = 1.0, 0.25
    rho = R + t * a * np.cos(b)
    torus = np.stack([rho * np.cos(c), rho * np.sin(c), t * a * np.sin(b)], 1)
    mass, _, inertia = sampled(torus, W * a * rho)
    np.testing.assert_allclose(p.solid_torus(1.0, R, t).inertia, inertia / mass, atol=1e-12)
    rho = R + t * np.cos(b)
    shell = np.stack([rho * np.cos(c), rho * np.sin(c), t * np.sin(b)], 1)
    mass, _, inertia = sampled(shell, W * rho)
    np.testing.assert_allclose(p.hollow_torus(1.0, R, t).inertia, inertia / mass, atol=1e-12)
    height = 0.5 * (X[:, 1] + 1)
    cone = np.stack([0.2 * a * (1 - height) * np.cos(c), 0.2 * a * (1 - height) * np.sin(c), 0.5 * height], 1)
    mass, centre, inertia = sampled(cone, W * a * (1 - height) ** 2)
    made = p.solid_cone(1.0, 0.2, 0.5)
    np.testing.assert_allclose(made.centre, centre, atol=1e-12)
    np.testing.assert_allclose(made.inertia, inertia / mass, atol=1e-12)


def test_limits_of_hollow_bodies():
    thin = p.hollow_sphere(1.0, 1.0, inner=1.0 - 1e-7)
    np.testing.assert_allclose(thin.inertia, p.hollow_sphere(1.0, 1.0).inertia, rtol=1e-6)
    np.testing.assert_allclose(p.hollow_sphere(1.0, 1.0, inner=1e-4).inertia, p.solid_sphere(1.0, 1.0).inertia, rtol=1e-9)
    np.testing.assert_allclose(p.hollow_cylinder(1.0, 0.3, 1e-9).inertia, p.hoop(1.0, 0.3).inertia, rtol=1e-9)
    np.testing.assert_allclose(p.solid_cylinder(1.0, 0.3, 1e-9).inertia, p.disk(1.0, 0.3).inertia, rtol=1e-9)
    np.testing.assert_allclose(p.hollow_box(1.0, 1.0, 1.0, 1.0).inertia, np.eye(3) * 5 / 18, rtol=1e-12)


def test_a_hole_is_a_negative_mass():
    density = 1000.0
    ball = p.solid_sphere(density * 4 / 3 * np.pi * 0.1**3, 0.1)
    hole = p.solid_sphere(density * 4 / 3 * np.pi * 0.04**3, 0.04)
    rest = ball - hole
    expected = p.hollow_sphere(rest.mass, 0.1, inner=0.04)
    np.testing.assert_allclose(rest.inertia, expected.inertia, rtol=1e-12)
    lopsided = ball - hole.shifted((0.05, 0.0, 0.0))
    assert lopsided.centre[0] < 0.0
    np.testing.assert_allclose(
        lopsided.about((0, 0, 0)), ball.about((0, 0, 0)) - hole.shifted((0.05, 0, 0)).about((0, 0, 0)), rtol=1e-12
    )
    assert not impossible_inertia(lopsided.mass, lopsided.inertia)


def test_rotation_and_principal_axes():
    made = p.box(1.0, 0.3, 0.2, 0.1).rotated(((0.0, 0.0, 1.0), 0.3))
    moments, axes = made.principal()
    np.testing.assert_allclose(moments, np.sort(np.diag(p.box(1.0, 0.3, 0.2, 0.1).inertia)), rtol=1e-12)
    np.testing.assert_allclose(axes @ np.diag(moments) @ axes.T, made.inertia, atol=1e-15)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert made.inertia[0, 1] != 0.0


def tetrahedron():
    v = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    return v[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]


def test_mesh_of_a_tetrahedron_and_its_place():
    made = mesh_mass(tetrahedron(), density=6.0)
    assert made.mass == pytest.approx(1.0, rel=1e-14)
    np.testing.assert_allclose(made.centre, [0.25] * 3, rtol=1e-14)
    # About the origin: integral of y^2 + z^2 is 2/60 per unit density, times 6 = 0.2; integral of xy is 1/120, times 6 = 0.05.
    np.testing.assert_allclose(made.about((0, 0, 0)), [[0.2, -0.05, -0.05], [-0.05, 0.2, -0.05], [-0.05, -0.05, 0.2]], atol=1e-15)
    far = mesh_mass(tetrahedron() + np.array([1e4, -2e4, 3e4]), density=6.0)
    np.testing.assert_allclose(far.inertia, made.inertia, rtol=1e-6)


def test_meshes_from_files(tmp_path):
    t = tetrahedron()
    text = "solid t\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in f) + "endloop\nendfacet\n" for f in t
    )
    (tmp_path / "a.stl").write_text(text + "endsolid t\n")
    raw = b"solid but binary".ljust(80) + struct.pack("<I", 4)
    raw += b"".join(struct.pack("<12fH", 0, 0, 0, *f.ravel(), 0) for f in t)
    (tmp_path / "b.stl").write_bytes(raw)
    obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1 3/2 2/3\nf 1//1 2//1 4//1\nf 1 4 3\nf -3 -2 -1\n"
    (tmp_path / "c.obj").write_text(obj)
    for name in ("a.stl", "b.stl", "c.obj"):
        made = mesh_mass(read_mesh(tmp_path / name, unit=2.0), mass=3.0)
        np.testing.assert_allclose(made.centre, [0.5] * 3, rtol=1e-6)
        assert made.mass == pytest.approx(3.0)


def test_a_face_of_many_corners_is_a_fan(tmp_path, monkeypatch):
    """A pyramid on a polygon of 1000 corners, told from the last vertex and before its apex; beyond the most triangles nothing more is read."""
    from rollick.mechanics.mass import mesh

    n = 1000
    rim = [f"v {math.cos(2 * math.pi * k / n):.17g} {math.sin(2 * math.pi * k / n):.17g} 0" for k in range(n)]
    base = "f " + " ".join(str(-k) for k in range(1, n + 1))
    sides = [f"f {k + 1} {(k + 1) % n + 1} {n + 1}" for k in range(n)]
    (tmp_path / "a.obj").write_text("\n".join([*rim, base, *sides, "v 0 0 1"]))
    triangles = read_mesh(tmp_path / "a.obj")
    assert len(triangles) == (n - 2) + n
    area = 0.5 * n * math.sin(2 * math.pi / n)
    made = mesh_mass(triangles, density=1.0)
    assert made.mass == pytest.approx(area / 3.0, rel=1e-12)
    assert made.centre[2] == pytest.approx(0.25, rel=1e-12)
    monkeypatch.setattr(mesh, "MOST_TRIANGLES", 500)
    (tmp_path / "b.obj").write_text("\n".join([*rim, base, "f never read"]))
    with pytest.raises(InputError, match="has more than 500 triangles; make the mesh coarser"):
        read_mesh(tmp_path / "b.obj")


def test_bad_meshes_are_refused(tmp_path):
    with pytest.raises(InputError, match="not closed: 3 edges"):
        mesh_mass(tetrahedron()[:3], mass=1.0)
    with pytest.raises(InputError, match="inside out"):
        mesh_mass(tetrahedron()[:, ::-1], mass=1.0)
    with pytest.raises(InputError, match="either the mass or the density"):
        mesh_mass(tetrahedron())
    with pytest.raises(InputError, match="there is no file"):
        read_mesh(tmp_path / "x.stl")
    (tmp_path / "x.obj").write_text("v 0 0\nf 1 2 9\n")
    with pytest.raises(InputError, match="not a valid OBJ"):
        read_mesh(tmp_path / "x.obj")


@pytest.mark.parametrize(
    ("mass", "inertia", "words"),
    [
        (-1.0, (1, 1, 1), "must be above zero"),
        (1.0, (1, 1, 3), "triangle inequality: 1 \\+ 1 < 3"),
        (1.0, [[1, 2, 0], [2, 1, 0], [0, 0, 1]], "not positive definite"),
        (1.0, [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], "not symmetric"),
        (1.0, (np.nan, 1, 1), "finite"),
    ],
)
def test_impossible_bodies_are_refused(mass, inertia, words):
    with pytest.raises(InputError, match=words):
        body(mass, inertia)


def test_parts_that_cancel():
    with pytest.raises(InputError, match="add up to zero"):
        p.point(1.0) + p.point(-1.0, (1.0, 0.0, 0.0))
    with pytest.raises(InputError, match="radius = 0 must be above zero"):
        p.disk(1.0, 0)
    assert isinstance(p.rod(1.0, 1.0).scaled(2.0), MassProperties)
