"""Shapes: support maps, their derivatives, and surfaces of revolution from data."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from rollick import InputError
from rollick.kernel import sqrt
from rollick.kernel.compiled import compiled_uncached
from rollick.mechanics.body import Body
from rollick.mechanics.shapes.convex import Ellipsoid, Rim, Sphere, Sum, Torus, support, support_rate, turned
from rollick.mechanics.shapes.meridian import meridian
from rollick.mechanics.shapes.revolution import Revolution, from_curvature, from_points, from_support

B, C = 0.3, 0.2


def ellipse(theta):
    return np.sqrt(B * B * np.sin(theta) ** 2 + C * C * np.cos(theta) ** 2)


class Mine(NamedTuple):
    """A user's shape: one function, no derivative."""

    a: float


@support.register(Mine)
def _(shape, n):
    p, q, r = shape.a**2 * n[0], n[1], 4.0 * n[2]
    w = sqrt(p * n[0] + q * n[1] + r * n[2])
    return p / w, q / w, r / w


SHAPES = {
    "sphere": Sphere(0.3),
    "ellipsoid": Ellipsoid(0.3, 0.2, 0.1),
    "torus": Torus(1.0, 0.2),
    "rim": Rim(1.0),
    "sum": Sum(Ellipsoid(0.3, 0.2, 0.1), Sphere(0.05)),
    "turned": turned(Ellipsoid(0.3, 0.2, 0.1), ((0.0, 0.0, 1.0), 0.3), (0.1, 0.0, 0.0)),
    "revolution": from_support(ellipse),
    "mine": Mine(1.5),
}


@compiled_uncached
def both(shape, n, dn):
    return support(shape, n), support_rate(shape, n, dn)


def normals(count, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        yield n, np.cross(n, rng.normal(size=3))


@pytest.mark.parametrize("name", SHAPES)
def test_the_derivative_is_that_of_the_map(name):
    shape = SHAPES[name]
    for n, dn in normals(10):
        point, rate = both(shape, tuple(n), tuple(dn))

        def at(e, n=n, dn=dn):
            moved = n + e * dn
            return np.array(support(shape, tuple(moved / np.linalg.norm(moved))))

        d = 1e-4
        expected = (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d)
        np.testing.assert_allclose(rate, expected, atol=1e-9)
        assert abs(np.dot(rate, n)) < 1e-10  # the support point moves along the tangent plane
        inside_a_step = both(shape, tuple(n + 0j), tuple(dn + 0j))[1]
        np.testing.assert_allclose(np.array(inside_a_step), rate, atol=1e-10)
        # Farthest in the direction n: no other support point is farther.
        for m, _ in normals(20, seed=2):
            assert np.dot(support(shape, tuple(m)), n) <= np.dot(point, n) + 1e-12


def test_revolution_from_support_curvature_and_points_is_the_ellipsoid():
    exact = Ellipsoid(B, B, C)
    by_curvature = from_curvature(lambda t: B * B * C * C / ellipse(t) ** 3, C)
    angle = np.linspace(0.0, np.pi, 81)
    by_points = from_points(B * np.sin(angle), -C * np.cos(angle))
    for n, _ in normals(20):
        wanted = np.array(support(exact, tuple(n)))
        np.testing.assert_allclose(support(SHAPES["revolution"], tuple(n)), wanted, atol=1e-11)
        np.testing.assert_allclose(support(by_curvature, tuple(n)), wanted, atol=1e-9)
        np.testing.assert_allclose(support(by_points, tuple(n)), wanted, atol=2e-6)
    on_axis = support(SHAPES["revolution"], (0.0, 0.0, -1.0))
    np.testing.assert_allclose(on_axis, [0.0, 0.0, -C], atol=1e-12)


@pytest.mark.parametrize("name", ["sphere", "torus", "rim", "revolution"])
def test_the_meridian_agrees_with_the_support_map(name):
    shape = SHAPES[name]
    for theta in (0.2, 1.0, 1.8, 2.9):
        z, dz, ddz = meridian(shape, theta)
        n = (0.0, -np.sin(theta), -np.cos(theta))
        point = support(shape, n)
        assert z == pytest.approx(np.dot(point, n), abs=1e-11)
        assert np.hypot(point[0], point[1]) == pytest.approx(z * np.sin(theta) + dz * np.cos(theta), abs=1e-10)
        assert point[2] == pytest.approx(-(z * np.cos(theta) - dz * np.sin(theta)), abs=1e-10)
        speed = support_rate(shape, n, (0.0, -np.cos(theta), np.sin(theta)))
        assert np.linalg.norm(speed) == pytest.approx(z + ddz, abs=1e-8)


def test_what_is_not_convex_is_named():
    with pytest.raises(InputError, match=r"radius of curvature .* is negative for theta between"):
        from_support(lambda t: 1.0 + 0.4 * np.cos(3.0 * t))
    angle = np.linspace(0.0, np.pi, 41)
    x, y = B * np.sin(angle), -C * np.cos(angle)
    x[15:20] -= 0.03
    with pytest.raises(InputError, match="not convex between the heights"):
        from_points(x, y)
    with pytest.raises(InputError, match="at least five points"):
        from_points([0, 1], [0, 1])
    assert isinstance(SHAPES["revolution"], Revolution)


def test_the_mass_centre_must_be_inside():
    with pytest.raises(InputError, match="lies outside the shape"):
        Body.from_inertia(1.0, (1.0, 1.0, 1.0), Ellipsoid(0.3, 0.2, 0.1), (0.0, 0.0, 0.11))
    with pytest.raises(InputError, match="triangle inequality"):
        Body.from_inertia(1.0, (1.0, 1.0, 3.0), Sphere(1.0))


def test_a_support_map_that_answers_something_else_is_refused():
    class Flat(NamedTuple):
        r: float

    @support.register(Flat)
    def _(shape, n):
        return shape.r * n[0], shape.r * n[1]

    with pytest.raises(
        InputError, match=r"`support` of Flat returns \(.*\); let it return the point with normal n as three numbers"
    ):
        Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Flat(0.1))

    class Real(NamedTuple):
        r: float

    @support.register(Real)
    def _(shape, n):
        k = shape.r / math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
        return k * n[0], k * n[1], k * n[2]

    with pytest.raises(InputError, match=r"`support` of Real cannot be computed for the normal .*complex"):
        Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Real(0.1))


def test_how_a_shape_is_turned_is_checked():
    shape = Sphere(0.1)
    assert turned(shape, [(0, 0, 1), "90deg"], (0, 0, "2mm")) == turned(shape, ((0, 0, 1), math.pi / 2), (0, 0, 0.002))
    for rotation, shift, word in (
        ("30deg", (0, 0, 0), "not '30deg'"),
        ((3, "30deg"), (0, 0, 0), "the axis 3"),
        (((0, 0, 1), 0.1), 1.0, "three lengths"),
    ):
        with pytest.raises(InputError, match=word):
            turned(shape, rotation, shift)
