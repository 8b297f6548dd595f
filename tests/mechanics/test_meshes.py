"""Bodies from meshes: mass properties against closed forms and an integral over the surface, units, the skin that is drawn, and what is refused."""

import json
import math
import struct

import numpy as np
import pytest

from rollick import Body, InputError
from rollick.mechanics.bodyfile import read_body
from rollick.mechanics.mass.mesh import mesh_mass, read_mesh, unit_of
from rollick.mechanics.shapes.convex import Sphere, Turned, support
from rollick.mechanics.shapes.hull import ConvexHull, box_corners, convex_hull, corners
from rollick.mechanics.shapes.skin import MOST_TRIANGLES, Skinned, from_triangles, has_skin
from rollick.mechanics.shapes.smoothness import smoothness
from rollick.mechanics.shapes.triangles import surface
from rollick.mechanics.sliding.feet import Feet
from rollick.mechanics.sliding.poses import drawn

# Points and weights on a triangle, exact up to the fourth degree (D. A. Dunavant, 1985).
DUNAVANT = [(0.223381589678011, 0.108103018168070, 0.445948490915965), (0.109951743655322, 0.816847572980459, 0.091576213509771)]


def box_triangles(x, y, z):
    made = surface(convex_hull(box_corners(x, y, z)))
    return made.vertices[made.triangles]


def ball_triangles(fineness, axes=(1.0, 1.0, 1.0)):
    made = surface(Sphere(1.0), fineness)
    return (made.vertices * axes)[made.triangles]


def write_stl(path, triangles, text=False):
    if text:
        lines = [
            f"facet normal 0 0 0\nouter loop\n{''.join(f'vertex {x:.9g} {y:.9g} {z:.9g}' + chr(10) for x, y, z in t)}endloop\nendfacet"
            for t in triangles
        ]
        path.write_text("solid a\n" + "\n".join(lines) + "\nendsolid a\n")
    else:
        raw = b"".join(struct.pack("<12fH", 0, 0, 0, *t.ravel(), 0) for t in triangles)
        path.write_bytes(b"\0" * 80 + struct.pack("<I", len(triangles)) + raw)
    return path


def by_surface(triangles, density):
    """Mass, mass centre and inertia by integrals over the surface: the integral of f over the solid is that of F n_x, F = int f dx, by quadrature."""
    n = 0.5 * np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])  # normal times area
    points, weights = [], []
    for w, a, b in DUNAVANT:
        for k in range(3):
            points.append(sum((a if j == k else b) * triangles[:, j] for j in range(3)))
            weights.append(w)
    p = np.stack(points)
    flux = lambda F: density * float(np.einsum("q,qn,n->", np.array(weights), F, n[:, 0]))
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    mass = flux(x)
    centre = np.array([flux(x * x / 2), flux(x * y), flux(x * z)]) / mass
    xx, yy, zz = flux(x**3 / 3), flux(x * y * y), flux(x * z * z)
    xy, xz, yz = flux(x * x * y / 2), flux(x * x * z / 2), flux(x * y * z)
    about = np.array([[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]])
    return mass, centre, about - mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))


def test_a_box_has_its_closed_form_in_every_unit(tmp_path):
    triangles = box_triangles(30.0, 20.0, 10.0) + np.array([5.0, -3.0, 40.0])
    moments = 0.1 / 12.0 * np.array([0.02**2 + 0.01**2, 0.03**2 + 0.01**2, 0.03**2 + 0.02**2])
    for name, text in (("a.stl", False), ("b.stl", True)):
        path = write_stl(tmp_path / name, triangles, text)
        for unit in ("mm", "1mm", 1e-3):
            body = Body.from_mesh(path, mass="100g", unit=unit)
            np.testing.assert_allclose(np.diag(body.inertia), moments, rtol=1e-6)
            np.testing.assert_allclose(body.centre, (5e-3, -3e-3, 40e-3), rtol=1e-6)
    assert Body.from_mesh(path, density=1000.0, unit="cm").mass == pytest.approx(6.0, rel=1e-6)
    assert (unit_of("in"), unit_of("2.5 mm")) == (0.0254, 0.0025)


@pytest.mark.parametrize("axes", [(1.0, 1.0, 1.0), (0.3, 0.2, 0.1)])
def test_balls_and_ellipsoids_come_near_their_closed_forms_as_meshes_grow_finer(axes):
    a, b, c = axes
    volume = 4.0 / 3.0 * math.pi * a * b * c
    moments = volume / 5.0 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    errors = []
    for fineness in (24, 48):
        found = mesh_mass(ball_triangles(fineness, axes), density=1.0)
        errors.append(max(abs(found.mass / volume - 1.0), np.abs(np.diag(found.inertia) / moments - 1.0).max()))
    assert errors[1] < 0.02
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)  # second order in the size of the triangles


def test_the_sum_over_tetrahedra_is_the_integral_over_the_surface():
    rng = np.random.default_rng(3)
    triangles = ball_triangles(24, (0.3, 0.2, 0.1)) @ np.linalg.qr(rng.normal(size=(3, 3)))[0].T
    if np.linalg.det(triangles[0]) == 0.0 or mesh_volume(triangles) < 0.0:
        triangles = triangles[:, ::-1]
    triangles = triangles + np.array([0.5, -0.4, 0.2])
    mass, centre, inertia = by_surface(triangles, 2.0)
    found = mesh_mass(triangles, density=2.0)
    assert found.mass == pytest.approx(mass, rel=1e-12)
    np.testing.assert_allclose(found.centre, centre, atol=1e-12)
    np.testing.assert_allclose(found.inertia, inertia, atol=1e-12 * np.trace(inertia) + 1e-15)


def mesh_volume(triangles):
    return float(np.einsum("ij,ij->", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])) / 6.0)


def test_it_touches_with_its_hull_and_is_drawn_as_itself():
    """A cup, seen as a cup: a box with a dent in its upper face."""
    low = box_triangles(2.0, 2.0, 2.0)
    top = np.array([[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]], float)
    sides = low[~np.all(low[:, :, 2] > 0.999, axis=1)]
    dent = np.array([[top[k], top[(k + 1) % 4], (0.0, 0.0, -0.5)] for k in range(4)])
    triangles = np.concatenate([sides, dent])
    shape = from_triangles(triangles)
    assert isinstance(shape, Skinned)
    assert not smoothness(shape).rolls
    assert corners(shape)[0].shape == (8, 3)
    assert support(shape, (0.6, 0.48, 0.64)) == support(shape.shape, (0.6, 0.48, 0.64)) == (1.0, 1.0, 1.0)
    skin = surface(shape)
    assert len(skin.triangles) == len(triangles)
    seen = mesh_mass(skin.vertices[skin.triangles], density=1.0)
    assert seen.mass == pytest.approx(8.0 - 4.0 * 1.5 / 3.0, rel=1e-5)  # less a pyramid
    assert np.linalg.norm(skin.normals, axis=1) == pytest.approx(1.0)
    body = Body.from_inertia(1.0, (1.0, 1.0, 1.0), shape)
    assert drawn(body, Feet(tuple((*p, 0.0) for p in corners(shape)[0].tolist()))) is body.shape
    assert has_skin(Turned(shape, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0)))
    many = np.concatenate([triangles] * (MOST_TRIANGLES // len(triangles) + 1))
    assert isinstance(from_triangles(many), ConvexHull)


def test_gltf_is_read_and_opens_nothing_else(tmp_path):
    trimesh = pytest.importorskip("trimesh", reason="trimesh reads glTF")
    made = trimesh.Trimesh(*welded(box_triangles(0.03, 0.02, 0.01)))
    for ending in ("glb", "ply", "off"):
        made.export(tmp_path / f"a.{ending}")
        body = Body.from_mesh(tmp_path / f"a.{ending}", mass=0.1)
        np.testing.assert_allclose(np.diag(body.inertia), np.diag(made.moment_inertia) * 0.1 / made.volume, rtol=1e-5)
    secret = tmp_path / "other.bin"
    secret.write_bytes(b"\0" * 4096)
    told = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"uri": "other.bin", "byteLength": 36}],
    }
    (tmp_path / "b.gltf").write_text(json.dumps(told))
    with pytest.raises(InputError, match=r"b\.gltf"):
        read_mesh(tmp_path / "b.gltf")


def welded(triangles):
    points, names = np.unique(triangles.reshape(-1, 3).round(9), axis=0, return_inverse=True)
    return points, names.reshape(-1, 3)


BROKEN = {
    "empty.stl": b"",
    "short.stl": b"\0" * 80 + struct.pack("<I", 4_000_000_000) + b"abc",
    "words.stl": b"solid x\nvertex one two three\nendsolid",
    "two.stl": b"solid x\nvertex 0 0 0\nvertex 1 0 0\nendsolid",
    "nan.stl": b"solid x\n" + b"vertex nan 0 0\nvertex 1 0 0\nvertex 0 1 0\n" + b"endsolid",
    "flat.stl": b"solid x\n" + b"vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n" + b"endsolid",
    "same.stl": b"solid x\n" + b"vertex 1 1 1\n" * 3 + b"endsolid",
    "far.obj": b"v 0 0 0\nf 1 2 3\n",
    "none.obj": b"# nothing\n",
    "huge.obj": b"v 1e400 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n",
    "noise.obj": bytes(range(256)) * 20,
    "noise.glb": b"glTF" + bytes(range(200)),
    "noise.gltf": b"{]",
    "noise.ply": b"ply\nformat binary_little_endian 1.0\nelement vertex 99999999\nend_header\n",
    "model.step": b"ISO-10303-21;",
}


@pytest.mark.parametrize("name", BROKEN)
def test_damaged_files_are_refused_in_a_sentence(tmp_path, name):
    (tmp_path / name).write_bytes(BROKEN[name])
    with pytest.raises(InputError) as refused:
        Body.from_mesh(tmp_path / name, mass=1.0)
    assert "\n" not in str(refused.value).strip()


def test_open_meshes_large_files_and_wrong_units_are_refused(tmp_path, monkeypatch):
    path = write_stl(tmp_path / "open.stl", box_triangles(1.0, 1.0, 1.0)[1:])
    with pytest.raises(InputError, match="not closed"):
        Body.from_mesh(path, mass=1.0)
    whole = write_stl(tmp_path / "whole.stl", box_triangles(1.0, 1.0, 1.0))
    with pytest.raises(InputError, match="either the mass or the density"):
        Body.from_mesh(whole)
    for unit in ("furlong", "", 0.0, -1.0, "3kg"):
        with pytest.raises(InputError, match="unit"):
            Body.from_mesh(whole, mass=1.0, unit=unit)
    monkeypatch.setattr("rollick.mechanics.mass.mesh.MOST_TRIANGLES", 11)
    with pytest.raises(InputError, match="12 triangles, more than 11"):
        read_mesh(whole)
    monkeypatch.setattr("rollick.mechanics.mass.mesh.LARGEST_FILE", 10)
    with pytest.raises(InputError, match="make the mesh coarser"):
        read_mesh(whole)


def test_a_body_file_names_the_unit_of_its_mesh(tmp_path):
    write_stl(tmp_path / "box.stl", box_triangles(30.0, 20.0, 10.0))
    text = '[shape]\nkind = "mesh"\nfile = "box.stl"\nunit = "{}"\n[mass]\ninertia = "solid"\ndensity = 1000.0\n[contact]\nhow = "sliding"\n[contact.law]\nkind = "coulomb"\nmu = 0.3\n'
    for unit in ("mm", "1mm"):
        (tmp_path / "box.toml").write_text(text.format(unit))
        body = read_body(tmp_path / "box.toml").body
        assert body.mass == pytest.approx(6e-3, rel=1e-6)
        assert isinstance(body.shape, Skinned)
    (tmp_path / "box.toml").write_text(text.format("parsec"))
    with pytest.raises(InputError, match=r"shape\.unit"):
        read_body(tmp_path / "box.toml")
