"""The rolling connection: bracket of the lifts, difference of Gauss curvatures, holonomy, equal geodesic curvatures."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rollick import InputError
from rollick.archetypes.rubber.body import rubber_body
from rollick.archetypes.rubber.connection import (
    frame_curvature,
    gauss_curvature,
    geodesic_curvatures,
    holonomy,
    lift_bracket,
    lift_psi,
)
from rollick.archetypes.rubber.loops import enclosed_area, polygon_area
from rollick.mechanics.shapes.convex import Ellipsoid, Rim, Sphere, Torus, support_rate

TORUS = rubber_body(Torus(1.0, 0.25), 1.0, 0.54, 1.047, g=1.0)
ELLIPSOID = rubber_body(Ellipsoid(0.3, 0.3, 0.2), 1.0, 0.026, 0.036, s=0.03)
SPHERE = rubber_body(Sphere(0.3), 1.0, 0.03, 0.036, s=0.04)
DISK = rubber_body(Rim(1.0), 1.0, 0.25, 0.5, g=1.0)
ALL = pytest.mark.parametrize("body", [TORUS, ELLIPSOID, SPHERE, DISK], ids=["torus", "ellipsoid", "sphere", "disk"])
SMOOTH = pytest.mark.parametrize("body", [TORUS, ELLIPSOID, SPHERE], ids=["torus", "ellipsoid", "sphere"])

TAU = 2.0 * math.pi
LOOP = (lambda s: 1.0 + 0.4 * math.cos(TAU * s) + 0.1 * math.sin(2 * TAU * s), lambda s: 0.3 + 0.7 * math.sin(TAU * s))
SLOPES = (
    lambda s: TAU * (-0.4 * math.sin(TAU * s) + 0.2 * math.cos(2 * TAU * s)),
    lambda s: TAU * 0.7 * math.cos(TAU * s),
)


@ALL
def test_bracket_of_the_lifts(body):
    for theta in (0.2, 1.0, 2.5):
        found = lift_bracket(body, theta, 0.3, -1.1)
        np.testing.assert_allclose(found, [0, 0, 0, 0, math.sin(theta)], atol=1e-14)


@SMOOTH
def test_difference_of_gauss_curvatures(body):
    for theta in (0.3, 1.2, 2.8):
        kappa = gauss_curvature(body, theta)
        np.testing.assert_allclose(frame_curvature(body, theta, 0.6), [0, 0, 0, 0, kappa], atol=1e-12 * kappa)
        # Gauss: the map from normals to points stretches areas by 1/kappa; here from the support map.
        n = (0.0, -math.sin(theta), -math.cos(theta))
        t1, t2 = (1.0, 0.0, 0.0), (0.0, math.cos(theta), -math.sin(theta))
        d1, d2 = (np.array(support_rate(body.shape, n, t)) for t in (t1, t2))
        area = (d1 @ t1) * (d2 @ t2) - (d1 @ t2) * (d2 @ t1)
        assert kappa == pytest.approx(1.0 / area, rel=1e-12)
    with pytest.raises(InputError, match="edge"):
        frame_curvature(DISK, 1.0)
    assert gauss_curvature(DISK, 1.0) == math.inf


def rolled_in_space(body, loop, slopes):
    """The same loop rolled without angles: R' = R [Omega], Omega = gamma' x gamma, P' = R rho'; returns R(0), R(1), P."""

    def gamma(s):
        t, p = loop[0](s), loop[1](s)
        return np.array([math.sin(t) * math.sin(p), math.sin(t) * math.cos(p), math.cos(t)])

    def rate(s, y):
        t, p, dt, dp = loop[0](s), loop[1](s), slopes[0](s), slopes[1](s)
        dg = dt * np.array([math.cos(t) * math.sin(p), math.cos(t) * math.cos(p), -math.sin(t)])
        dg += dp * math.sin(t) * np.array([math.cos(p), -math.sin(p), 0.0])
        g = gamma(s)
        w = np.cross(dg, g)
        R = y[:9].reshape(3, 3)
        skew = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        d_rho = support_rate(body.shape, tuple(-g), tuple(-dg))
        return np.concatenate([(R @ skew).ravel(), (R @ np.array(d_rho))[:2]])

    t, p = loop[0](0.0), loop[1](0.0)
    X = np.array([[1, 0, 0], [0, math.cos(t), -math.sin(t)], [0, math.sin(t), math.cos(t)]])
    Z = np.array([[math.cos(p), -math.sin(p), 0], [math.sin(p), math.cos(p), 0], [0, 0, 1]])
    run = solve_ivp(rate, (0.0, 1.0), np.concatenate([(X @ Z).ravel(), [0.0, 0.0]]), method="DOP853", rtol=1e-12, atol=1e-13)
    return X @ Z, run.y[:9, -1].reshape(3, 3), complex(run.y[9, -1], run.y[10, -1])


@ALL
def test_holonomy_of_a_smooth_loop(body):
    found = holonomy(body, LOOP)
    assert found.phi == pytest.approx(enclosed_area(LOOP), abs=1e-12)
    assert abs(found.phi) > 0.5
    before, after, moved = rolled_in_space(body, LOOP, SLOPES)
    c, s = math.cos(found.phi), math.sin(found.phi)
    np.testing.assert_allclose(after, np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ before, atol=1e-10)
    assert found.displacement == pytest.approx(moved, abs=1e-10)
    assert abs(moved) > 0.01


def test_holonomy_of_polygons_and_of_parallels():
    square = np.array([[0.5, 0.0], [1.5, 0.0], [1.5, 1.0], [0.5, 1.0]])
    found = holonomy(TORUS, square)
    assert found.phi == pytest.approx(math.cos(0.5) - math.cos(1.5), abs=1e-13)
    assert found.phi == pytest.approx(enclosed_area(square), abs=1e-12)
    assert holonomy(TORUS, square[::-1]).phi == pytest.approx(-found.phi, abs=1e-13)
    round_ = holonomy(SPHERE, (lambda s: 0.8, lambda s: TAU * s))
    assert round_.turns == 1
    assert round_.phi == pytest.approx(-TAU * math.cos(0.8), abs=1e-12)
    assert round_.phi == pytest.approx(enclosed_area((lambda s: 0.8, lambda s: TAU * s)) - TAU, abs=1e-11)
    # A tiny loop: the displacement is of higher order than the turn, the local form of (39).
    small = [(1.0, 0.0), (1.001, 0.0), (1.001, 0.001), (1.0, 0.001)]
    tiny = holonomy(ELLIPSOID, small)
    assert tiny.phi == pytest.approx(math.sin(1.0005) * 1e-6, rel=1e-6)
    assert abs(tiny.displacement) < 1e-9 * 0.3
    # The octant of the unit sphere, seen from outside.
    assert polygon_area(np.eye(3)) == pytest.approx(0.5 * math.pi, abs=1e-15)


@SMOOTH
def test_equal_geodesic_curvatures(body):
    on_body, on_plane = geodesic_curvatures(body, LOOP)
    assert np.ptp(on_body) > 1.0
    np.testing.assert_allclose(on_body, on_plane, atol=1e-8 * np.abs(on_body).max())


@ALL
def test_parallels_roll_in_circles(body):
    theta = 0.8
    h = -lift_psi(body, np.array([theta, 0.0, 0.0, 0.0, 0.0]))[2]
    for turn in (1, -1):
        for found in geodesic_curvatures(body, (lambda s: theta, lambda s, turn=turn: turn * TAU * s)):
            np.testing.assert_allclose(found, -turn * math.cos(theta) / h, rtol=1e-9)


def test_refusals():
    with pytest.raises(InputError, match="must close"):
        holonomy(TORUS, (lambda s: 1.0 + s, lambda s: s))
    with pytest.raises(InputError, match="at least three corners"):
        holonomy(TORUS, [[1.0, 2.0]])
    with pytest.raises(InputError, match="strictly between"):
        holonomy(TORUS, [[-0.1, 0.0], [1.0, 0.0], [1.0, 1.0]])
    with pytest.raises(InputError, match="not smooth enough"):
        holonomy(TORUS, (lambda s: 1.0 + 0.3 * abs(s - 1 / 3) * (1 - s) * s, lambda s: math.sin(TAU * s)))
