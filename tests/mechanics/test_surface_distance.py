"""Surfaces by themselves: distances against brute force, normals as gradients, the motion of material; laws that are checked; laws per contact."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from rollick import Body, InputError, Plane, Sphere
from rollick.kernel.hooks import start_state
from rollick.mechanics.contact import contact_count, gap, law_of, restitution
from rollick.mechanics.laws import (
    ConstantLoad,
    Coulomb,
    DryContour,
    DryPivoting,
    Friction,
    Linearised,
    NoContour,
    NoPivoting,
    Regularised,
    RegularisedContour,
    RegularisedPivoting,
    Viscous,
    arm,
    each,
    friction,
    laws_in,
    row_count,
    set_valued,
)
from rollick.mechanics.laws.contensou import contensou
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.sliding import Touching, sliding
from rollick.mechanics.surfaces import (
    Bowl,
    Dome,
    Funnel,
    Pipe,
    Rail,
    Ramp,
    Shaken,
    Swing,
    Tilting,
    distance,
    material_velocity,
    normal,
    profile,
    wall,
)

X = np.linspace(-1.0, 1.0, 9)
SURFACES = [
    Plane(0.3, 0.7),
    wall((1.0, 2.0, -0.5), (0.1, 0.2, 0.3)),
    Bowl(2.0, (0.1, 0.0, -0.2)),
    Dome(0.7, (0.0, 0.3, -0.4)),
    Pipe(1.5, (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    Rail(0.2, (0.6, 0.8, 0.0), (0.0, 0.0, -0.5)),
    Funnel(0.8, (0.0, 0.0, -1.0)),
    profile(X, 0.3 * X**2),
    Shaken(Bowl(2.0), Swing(0.1, 2.0, 0.3), (0.0, 0.6, 0.8)),
    Tilting(Plane(), Swing(0.2, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, -0.1)),
]
POINTS = np.random.default_rng(3).uniform(-0.4, 0.4, (5, 3)) + np.array([0.0, 0.0, 0.3])


@pytest.mark.parametrize("surface", SURFACES, ids=lambda s: type(s).__name__.strip())
@pytest.mark.parametrize("kind", [complex, pytest.param(float, marks=pytest.mark.slow)])  # of the time beside complex points
def test_the_normal_is_the_gradient_and_the_material_carries_it(surface, kind):
    t, h = 0.37, 1e-30
    for p in POINTS:
        n = np.array(normal(surface, t, tuple(p)), float)
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-14)
        steps = [tuple(p + 1j * h * e) for e in np.eye(3)]
        gradient = np.array([complex(distance(surface, kind(t), q)).imag / h for q in steps])
        np.testing.assert_allclose(n, gradient, atol=1e-12)
        # a point that goes with the material keeps its distance
        rate = complex(distance(surface, complex(t, h), tuple(p + 0j))).imag / h
        assert rate + n @ np.array(material_velocity(surface, t, tuple(p)), float) == pytest.approx(0.0, abs=1e-12)
        # the foot of the perpendicular lies on the surface
        d = float(distance(surface, t, tuple(p)))
        assert float(distance(surface, t, tuple(p - d * n))) == pytest.approx(0.0, abs=1e-12)


def test_the_distance_to_a_profile_is_the_least():
    surface = profile(X, 0.2 * np.cos(3.0 * X))
    from scipy.interpolate import CubicSpline

    x = np.linspace(-1.0, 1.0, 200_001)
    z = CubicSpline(X, 0.2 * np.cos(3.0 * X), bc_type="natural")(x)
    for p in POINTS:
        assert float(distance(surface, 0.0, tuple(p))) == pytest.approx(np.hypot(x - p[0], z - p[2]).min(), abs=1e-9)


class Slab(NamedTuple):
    """A surface that tells its distance only."""

    height: float


@distance.register(Slab)
def _(slab, t, p):
    return p[2] - slab.height + 0.0 * (p[0] + p[1])


def test_a_surface_of_ones_own_and_contacts_as_things():
    """Contact k is foot k mod m at surface k // m; each surface has its law and its restitution."""
    ball = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
    lower, upper = friction(Coulomb(0.3)), friction(Regularised(0.2, 0.1), DryPivoting(0.1, 0.01))
    s = sliding(
        ball,
        on=[(Slab(0.5), lower, 0.1), (wall((0, 0, -1), (0, 0, 2)), upper, 0.9)],
        feet=[(0, 0, -0.1), (0, 0, 0.1), (0, 0, 0, 0.1)],
    )
    assert isinstance(s, Touching)
    assert contact_count(s) == 6
    q = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    assert [float(gap(s, 0.0, q, k)) for k in range(6)] == pytest.approx([0.4, 0.6, 0.4, 1.1, 0.9, 0.9], abs=1e-15)
    assert [restitution(s, k) for k in range(6)] == [0.1] * 3 + [0.9] * 3
    assert laws_in(s.law) == [lower, upper]
    assert [float(arm(law_of(s, k))) for k in range(6)] == [0.0] * 3 + [0.01] * 3
    assert row_count(law_of(s, 0)) == 4
    assert set_valued(law_of(s, 4))
    assert each(lower) is lower


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (Coulomb(-0.3), r"mu = -0\.3 of Coulomb"),
        (Coulomb(0.3, 1.5), r"e_T = 1\.5"),
        (Coulomb(math.nan), "not finite"),
        (Coulomb("0.3"), "texts with units go to"),
        (Regularised(0.3, 0.0), r"eps = 0\.0.*use the dry law"),
        (Regularised(-1.0, 0.1), "mu"),
        (ConstantLoad(0.3, 0.1, -1.0), "load"),
        (Linearised(0.3, -0.1, 1.0), "eps"),
        (Viscous(-0.1), r"c = -0\.1"),
        (contensou(0.3, 0.01)._replace(mu=-0.1), "mu"),
        (contensou(0.3, 0.01)._replace(radius=0.0), "radius"),
    ],
)
def test_laws_that_cannot_be_are_refused_where_a_system_is_built(law, words):
    ball = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
    with pytest.raises(InputError, match=words):
        sliding(ball, law=law)
    with pytest.raises(InputError, match=words):
        friction(law)


@pytest.mark.parametrize(
    "law",
    [
        Friction(Coulomb(0.3), DryPivoting(-0.1, 0.01), NoContour()),
        Friction(Coulomb(0.3), DryPivoting(0.1, 0.0), NoContour()),
        Friction(Coulomb(0.3), RegularisedPivoting(0.1, 0.01, 0.0), NoContour()),
        Friction(Coulomb(0.3), NoPivoting(), DryContour(-1.0)),
        Friction(Coulomb(0.3), NoPivoting(), RegularisedContour(0.1, -1.0)),
        Friction(DryContour(0.1), NoPivoting(), NoContour()),
        Friction(contensou(0.3, 0.01), DryPivoting(0.1, 0.01), NoContour()),
    ],
)
def test_combinations_that_cannot_be_are_refused(law):
    ball = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
    with pytest.raises(InputError):
        sliding(ball, law=law)


def test_surfaces_take_units_and_say_what_is_wrong():
    ball = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
    made = lambda surface, law=None: sliding(ball, on=surface, law=law or Coulomb(0.3)).on
    assert made(Funnel("45deg")).half_angle == pytest.approx(math.pi / 4.0)
    assert made(Bowl("50cm", (0.0, 0.0, "1cm"))) == Bowl(0.5, (0.0, 0.0, 0.01))
    assert made(Pipe("30cm", (0, 1, 0))).radius == 0.3
    assert made(Shaken(Plane("5deg"), Swing("1cm", "5Hz"))).course == Swing(0.01, 5.0)
    assert made(Tilting(Plane(), Ramp("10deg/s"))).course.rate == pytest.approx(math.radians(10.0))
    with pytest.raises(InputError, match="amplitude of Swing is measured in rad"):
        made(Tilting(Plane(), Swing("1cm", "5Hz")))
    with pytest.raises(InputError, match="frequency of Swing = nan is not finite"):
        made(Shaken(Plane(), Swing(0.01, math.nan)))
    for law in ("coulomb", 0.3, [Coulomb(0.3)]):
        with pytest.raises(InputError, match="for the contact with Bowl is not a friction law"):
            made(Bowl(0.5), law)


def test_an_unknown_start_of_a_body_that_slides():
    ball = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), on=Bowl(0.5), law=Coulomb(0.3))
    with pytest.raises(InputError, match=r"unknown start of a body that slides: .gapp.\. Did you mean .gap."):
        start_state(ball, {"gapp": 0.1})
