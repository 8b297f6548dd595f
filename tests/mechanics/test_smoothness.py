"""How smooth shapes are: what each says against its sampled curvature, and that whatever assumes a smooth shape asks, and refuses with a way out."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from rollick import Body, Coulomb, InputError, rest_positions, rolling, simulate, sliding, smooth_fit, smoothness
from rollick.kernel import real, sqrt
from rollick.mechanics.body import directions, impossible_body
from rollick.mechanics.laws import Regularised, contensou, dry_contour, friction
from rollick.mechanics.mass.primitives import box, solid_cylinder
from rollick.mechanics.rolling import Marble, Rubber
from rollick.mechanics.shapes.convex import (
    Cylinder,
    Ellipsoid,
    Rim,
    Sphere,
    Sum,
    Superellipsoid,
    Torus,
    flat_axis,
    support,
    turned,
)
from rollick.mechanics.shapes.curvature import principal_radii
from rollick.mechanics.shapes.hull import box_corners, convex_hull, corners
from rollick.mechanics.shapes.revolution import from_curvature, from_support
from rollick.mechanics.shapes.smoothness import CIRCLE, FACES, LINE, NOWHERE, sampled
from rollick.mechanics.sliding import Feet, Lowest

E = 0.04
CUBE = convex_hull(box_corners(E, E, E))
BODY = Body.from_parts(box(0.1, E, E, E), CUBE)
TURN = ((1.0, 2.0, -0.5), 0.8)


class OwnBox(NamedTuple):
    """A box that says nothing of its faces."""

    x: float
    y: float
    z: float


@support.register(OwnBox)
def _(shape, n):
    zero = 0.0 * (n[0] + n[1] + n[2])
    return tuple((e if real(c) > 0.0 else -e) + zero for e, c in zip(shape, n))


class OwnCoin(NamedTuple):
    """The edge of a coin that says nothing of lying flat."""

    R: float


class SaidCoin(NamedTuple):
    """The same, and it says so."""

    R: float


@support.register(OwnCoin)
@support.register(SaidCoin)
def _(shape, n):
    s = shape.R / sqrt(n[0] * n[0] + n[1] * n[1])
    return s * n[0], s * n[1], 0.0 * s


@flat_axis.register(SaidCoin)
def _(shape):
    return (0.0, 0.0, 1.0), shape.R


class OwnEgg(NamedTuple):
    """H = R + e n3^3: smooth, and it says nothing."""

    R: float
    e: float


@support.register(OwnEgg)
def _(shape, n):
    k = shape.R - 2.0 * shape.e * n[2] ** 3
    return k * n[0], k * n[1], k * n[2] + 3.0 * shape.e * n[2] * n[2]


class OwnFolded(NamedTuple):
    """As an egg, with a dent."""

    R: float
    e: float


@support.register(OwnFolded)
def _(shape, n):
    k = shape.R - 40.0 * shape.e * n[2] ** 3
    return k * n[0], k * n[1], k * n[2] + 60.0 * shape.e * n[2] * n[2]


torus_by_curvature = from_curvature(lambda t: 0.2 + 0.0 * t, 0.2, 1.0)
SHAPES = {
    "sphere": (Sphere(0.3), NOWHERE),
    "ellipsoid": (Ellipsoid(0.3, 0.2, 0.1), NOWHERE),
    "torus": (Torus(1.0, 0.2), CIRCLE),
    "rim": (Rim(1.0), CIRCLE),
    "cylinder": (Cylinder(1.0, 0.6), LINE),
    "superellipsoid": (Superellipsoid(0.3, 0.2, 0.1, 1.5), NOWHERE),
    "superellipsoid 2": (Superellipsoid(0.3, 0.2, 0.1, 2.0), NOWHERE),
    "hull": (CUBE, FACES),
    "rounded hull": (Sum(CUBE, Sphere(0.01)), FACES),
    "rounded disk": (Sum(Rim(1.0), Sphere(0.1)), CIRCLE),
    "rounded superellipsoid": (Sum(Superellipsoid(0.3, 0.2, 0.1, 1.6), Sphere(0.02)), NOWHERE),
    "turned torus": (turned(Torus(1.0, 0.2), TURN, (0.1, 0.0, 0.2)), CIRCLE),
    "two disks": (Sum(Rim(1.0), turned(Rim(1.0), TURN)), FACES),
    "revolution": (from_support(lambda t: np.sqrt(0.09 * np.sin(t) ** 2 + 0.04 * np.cos(t) ** 2)), NOWHERE),
    "torus by curvature": (torus_by_curvature, CIRCLE),
    "fit": (smooth_fit(convex_hull(directions(300) * (0.3, 0.2, 0.1))), NOWHERE),
    "own egg": (OwnEgg(0.1, 0.01), NOWHERE),
    "own box": (OwnBox(0.3, 0.2, 0.1), FACES),
    "own coin": (OwnCoin(1.0), FACES),
    "said coin": (SaidCoin(1.0), CIRCLE),
}


@pytest.mark.parametrize("count", [150, pytest.param(700, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SHAPES)
def test_what_a_shape_says_is_what_its_curvature_is(name, count):
    shape, flat = SHAPES[name]
    said = smoothness(shape)
    radii = [principal_radii(shape, n) for n in directions(count)]
    low, high = min(r.r1 for r in radii), max(r.r2 for r in radii)
    slack = 1e-6 * max(high, 1e-3)
    sampled_here = name.startswith(("own", "said"))  # these were sampled in 200 directions, and bounds of others hold everywhere
    assert said.flat == flat
    assert said.smooth == (said.least > 0.0 and flat == NOWHERE)
    assert said.rolls == (flat != FACES)
    assert said.least <= low + (0.02 * high if sampled_here else slack)
    assert high <= said.greatest * (1.02 if sampled_here else 1.0) + slack
    assert (said.greatest == math.inf) == (flat != NOWHERE)
    assert said.edges == (said.least == 0.0)


ALIKE = "superellipsoid 2", "rounded hull", "rounded superellipsoid", "turned torus", "torus by curvature"  # like others here


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in ALIKE else ())
        for name in SHAPES
        if name not in ("cylinder", "two disks")
    ],
)
def test_what_a_shape_says_is_found_by_sampling_too(name):
    """The sampling that shapes of one's own get, for shapes that say it themselves. It does not see a second axis, nor lines apart from faces."""
    shape, flat = SHAPES[name]
    assert sampled(shape).flat == flat
    assert sampled(shape).edges == (smoothness(shape).edges and name != "superellipsoid")  # its edges are thin lines


@pytest.mark.parametrize("name", ["sphere", "ellipsoid", "superellipsoid 2", "torus", "revolution", "torus by curvature"])
def test_the_bounds_are_attained(name):
    shape, flat = SHAPES[name]
    radii = [principal_radii(shape, n) for n in np.vstack([np.eye(3)[: 2 if flat else 3], directions(400)])]
    assert min(r.r1 for r in radii) == pytest.approx(smoothness(shape).least, rel=1e-3)
    if not flat:
        assert max(r.r2 for r in radii) == pytest.approx(smoothness(shape).greatest, rel=1e-3)


def test_a_superellipsoid_beyond_two_is_flat():
    assert smoothness(Superellipsoid(1.0, 1.0, 1.0, 3.0)).flat == FACES
    assert sampled(Superellipsoid(1.0, 1.0, 1.0, 3.0)).flat == FACES


POLYHEDRA = {
    "cube": CUBE,
    "rounded": Sum(CUBE, Sphere(0.005)),
    "with an ellipsoid": Sum(CUBE, Ellipsoid(0.02, 0.02, 0.01)),
    "turned": turned(CUBE, TURN),
    "own": OwnBox(0.02, 0.02, 0.02),
}


@pytest.mark.parametrize("name", POLYHEDRA)
@pytest.mark.parametrize("how", ["marble", "rubber"])
def test_a_body_with_flat_faces_does_not_roll(name, how):
    """A cube spent ten million steps on three microseconds."""
    body = BODY._replace(shape=POLYHEDRA[name])
    with pytest.raises(InputError, match=r"does not roll.*smooth=True.*smooth_fit\(shape\).*sliding\(body, law=Coulomb"):
        rolling(body, how=how)
    system = {"marble": Marble, "rubber": Rubber}[how](body, (0.0, 0.0, -9.81), 0.0)
    with pytest.raises(InputError, match="does not roll"):
        simulate(system, {"theta": 0.3}, 0.1)


def test_a_shape_of_ones_own_is_told_where_it_jumps_and_what_to_say():
    with pytest.raises(InputError, match=r"jumps where the outward normal is \("):
        rolling(Body.from_inertia(1.0, (0.2, 0.2, 0.3), OwnCoin(1.0)))
    assert isinstance(rolling(Body.from_inertia(1.0, (0.2, 0.2, 0.3), SaidCoin(1.0))), Marble)


def test_a_thick_disk_that_passes_upright_has_left_its_equations():
    disk = Body.from_parts(solid_cylinder(1.0, 0.1, 0.04), Cylinder(0.1, 0.04))
    with pytest.warns(UserWarning, match="touches along a line"):
        motion = simulate(rolling(disk), {"theta": "80deg", "theta_rate": 2.5}, 0.5)
    assert motion.status == "left_domain"
    assert math.degrees(motion["theta"][-1]) == pytest.approx(90.0, abs=1.0)
    assert np.ptp(motion["energy"]) < 1e-8


def test_a_torus_by_its_curvature_lies_flat_like_one():
    axis, radius = flat_axis(torus_by_curvature)
    assert (axis, radius) == ((0.0, 0.0, 1.0), pytest.approx(1.0, rel=1e-9))
    one_sided = from_curvature(lambda t: 0.2 - 0.6 / np.pi * np.cos(t), 0.3, 0.3)  # flat below, round above
    assert smoothness(one_sided).flat == FACES
    assert flat_axis(one_sided) is None


def test_no_curvature_where_there_is_none():
    for n in ((0.0, 0.0, 1.0), (0.6, 0.8, 0.0)):
        with pytest.raises(InputError, match="corners, along an edge or a face"):
            principal_radii(CUBE, n)
    assert principal_radii(Sum(CUBE, Sphere(0.01)), (0.5, 0.6, 0.7))[:2] == pytest.approx((0.01, 0.01))
    with pytest.raises(InputError, match="along a circle"):
        principal_radii(Torus(1.0, 0.2), (0.0, 0.0, 1.0))


def test_a_polyhedron_slides_on_its_corners():
    system = sliding(BODY, law=Coulomb(0.3))
    assert isinstance(system.feet, Feet)
    np.testing.assert_allclose(np.array(system.feet.places)[:, :3], corners(CUBE)[0])
    rounded = sliding(BODY._replace(shape=Sum(CUBE, Sphere(0.005))), law=Coulomb(0.3))
    assert {place[3] for place in rounded.feet.places} == {0.005}
    many = BODY._replace(shape=convex_hull(0.03 * directions(60)))
    assert isinstance(sliding(many, law=Coulomb(0.3)).feet, Lowest)


@pytest.mark.parametrize("method", ["dop853", "radau", "auto", "moreau", "midpoint"])
def test_contact_at_a_point_that_jumps_is_refused(method):
    """A cube on its lowest corner, with a smooth law, spent 20 s on 6e-8 s. Stepped, it gained energy, or came to an end that depends on the scheme and not on the step."""
    system = sliding(BODY, law=Regularised(0.3, 0.01), feet=Lowest())
    with pytest.raises(InputError, match=r"jumps from corner to corner.*feet="):
        simulate(system, {"alpha": "5deg"}, 0.1, method=method)


@pytest.mark.parametrize(
    "law", [contensou(0.3, 0.001), friction(Coulomb(0.3), contour=dry_contour(0.01))], ids=["contensou", "contour"]
)
def test_laws_that_ask_for_a_smooth_contact_refuse_one_that_jumps(law):
    with pytest.raises(InputError, match="moves smoothly over the body, and this one jumps"):
        sliding(BODY, law=law, feet=Lowest())
    assert sliding(Body.from_inertia(1.0, (1.0, 1.0, 1.0), Ellipsoid(1.0, 2.0, 3.0)), law=law)


def test_rest_positions_ask_for_corners_or_smoothness():
    half = convex_hull(box_corners(E / 2, E / 2, E))
    other = convex_hull(box_corners(E / 2, E / 2, E))
    both = rest_positions(BODY._replace(shape=Sum(half, other)))
    single = rest_positions(BODY._replace(shape=convex_hull(box_corners(E, E, 2 * E))))
    assert sorted(r.height for r in both) == pytest.approx(sorted(r.height for r in single))
    for shape in (Sum(CUBE, Ellipsoid(0.02, 0.02, 0.01)), OwnBox(0.02, 0.02, 0.02), Cylinder(0.02, 0.04)):
        with pytest.raises(InputError, match=r"lies flat on .*smooth_fit\(shape\)"):
            rest_positions(BODY._replace(shape=shape))


def test_what_is_remembered_of_a_shape_is_not_told_of_another_with_the_same_numbers():
    """NamedTuples of equal numbers are equal: a box was taken for what was known of an egg."""
    assert tuple(OwnEgg(0.1, 0.01)) == tuple(OwnFolded(0.1, 0.01))
    assert Body.from_inertia(1.0, (1e-3, 1e-3, 1e-3), OwnEgg(0.1, 0.01))
    body = Body(1.0, ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3)), (0.0, 0.0, 0.0), OwnEgg(0.1, 0.01))
    assert impossible_body(body) == ""
    assert "not convex" in impossible_body(body._replace(shape=OwnFolded(0.1, 0.01)))
