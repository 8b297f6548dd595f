"""Contensou friction: its exact surfaces against the local law, the closed form of Hertz, the polynomial T(3.32), small slip."""

import math

import numpy as np
import pytest
from scipy.integrate import dblquad

from rollick.mechanics.laws import (
    boundary,
    contensou,
    equivalent_eps,
    equivalent_radius,
    hertz,
    level,
    nearest,
    prox,
    regularised,
    traction,
)  # fmt: skip
from rollick.mechanics.laws.limit_surface import ETA, XI, exact_values, polynomial

MU, R = 0.3, 0.004
DISCS = {name: contensou(MU, R, name) for name in ("hertz", "uniform", "parabolic", "polynomial")}


@pytest.mark.parametrize("name", DISCS)
def test_prox_just_beyond_the_poles(name):
    """A point below one pole of a flat reservoir has a second normal near the other, which is not the nearest point."""
    law = DISCS[name]
    pole = boundary(law.surface, 0.0)[1]
    for rho in (0.0, 1e-9, 1e-4, 1e-3, 1e-2):
        for side in (1.0, -1.0):
            y = prox(law, MU * rho, 0.0, 1.2 * side * MU * pole, 1.0)
            assert y[2] == pytest.approx(side * MU * pole, rel=1e-4)
            assert 0.0 <= y[0] <= MU * rho
            t = nearest(law.surface, rho, 1.2 * side * pole)
            assert (t if side > 0.0 else math.pi - t) <= 1.1 * rho


def local_friction(u, pressure):
    """(xi, eta) from Coulomb friction at every point of the disk, in polar coordinates about the centre of rotation."""
    p = {"hertz": lambda s2: math.sqrt(max(0.0, 1.0 - s2)), "uniform": lambda s2: 1.0, "parabolic": lambda s2: 1.0 - s2}[pressure]
    load = {"hertz": 2.0 * math.pi / 3.0, "uniform": math.pi, "parabolic": 0.5 * math.pi}[pressure]

    def integral(moment):
        # The disk turns with angular velocity 1 about (0, -u): at (x, y) = (d cos a, d sin a - u) it slips along (-sin a, cos a).
        def ring(d, a):
            x, y = d * math.cos(a), d * math.sin(a) - u
            return p(x * x + y * y) * d * moment(x, y, a)

        def far(a):
            return u * math.sin(a) + math.sqrt(max(0.0, 1.0 - (u * math.cos(a)) ** 2))

        def near(a):
            return 0.0 if u <= 1.0 else u * math.sin(a) - math.sqrt(max(0.0, 1.0 - (u * math.cos(a)) ** 2))

        half = math.pi if u <= 1.0 else math.asin(1.0 / u)
        top = 0.5 * math.pi
        return 2.0 * dblquad(ring, top - half, top, near, far, epsabs=1e-9, epsrel=1e-9)[0] / load

    xi = integral(lambda x, y, a: math.sin(a))
    eta = integral(lambda x, y, a: y * math.sin(a) + x * math.cos(a))
    return xi, eta


@pytest.mark.parametrize(
    ("u", "pressure"), [(0.3, "hertz"), (0.9, "hertz"), (1.7, "hertz"), (0.5, "uniform"), (1.5, "parabolic")]
)
def test_exact_surface_against_local_friction(u, pressure):
    expected = local_friction(u, pressure)
    assert boundary(DISCS[pressure].surface, math.atan(u))[:2] == pytest.approx(expected, abs=1e-6)


def test_hertz_in_closed_form():
    t = np.linspace(0.0, 1.5, 301)
    found = np.array([boundary(DISCS["hertz"].surface, float(a))[:2] for a in t]).T
    assert np.abs(found - hertz(np.tan(t))).max() < 1e-8
    h, dh, _ = exact_values("hertz", t).T
    xi, eta = hertz(np.tan(t))
    assert np.abs(h - xi * np.sin(t) - eta * np.cos(t)).max() < 1e-13
    assert np.abs(dh - xi * np.cos(t) + eta * np.sin(t)).max() < 1e-12
    assert hertz(1.0) == (pytest.approx(XI, rel=1e-15), pytest.approx(ETA, rel=1e-15))  # the seam of T(3.32) is u = 1


def test_pure_pivoting_and_small_slip():
    law, omega = DISCS["hertz"], -40.0
    a, _ = traction(law, 0.0, 0.0, omega)
    assert a == pytest.approx((0.0, 0.0, MU * R * 3.0 * math.pi / 16.0), rel=1e-14)
    for v in (1e-30, 1e-12, 1e-8, 1e-6):  # across the switch of formulas
        a, _ = traction(law, v, -2.0 * v, omega)
        assert a[:2] == pytest.approx(
            (-MU * 3.0 * math.pi / 8.0 * v / (R * 40.0), MU * 3.0 * math.pi / 4.0 * v / (R * 40.0)), rel=1e-9
        )
    smooth = regularised(MU, equivalent_eps(R, omega))
    assert traction(smooth, 1e-9, 0.0, omega)[0][0] == pytest.approx(traction(law, 1e-9, 0.0, omega)[0][0], rel=1e-7)
    assert equivalent_radius(0.1, 40.0) == pytest.approx(2.945e-3, rel=1e-3)  # erratum E24
    assert equivalent_eps(equivalent_radius(0.1, 40.0), -40.0) == pytest.approx(0.1, rel=1e-14)
    for name, most, slope in (("uniform", 2.0 / 3.0, 1.0), ("parabolic", 8.0 / 15.0, 4.0 / 3.0)):
        assert boundary(DISCS[name].surface, 0.0)[1] == pytest.approx(most, rel=1e-13)
        assert boundary(DISCS[name].surface, 1e-6)[0] == pytest.approx(slope * 1e-6, rel=1e-9)


def test_the_polynomial_and_its_seam():
    """T(3.32) is near the Hertz surface, not the parabolic one; as printed its branches do not meet (addition to erratum E4)."""
    u = np.concatenate([np.linspace(0.0, 1.0, 2001), np.geomspace(1.0, 30.0, 2001)])
    xi, eta = hertz(u)
    error = np.abs(level(xi, eta) - 1.0)
    assert 0.025 < error.max() < 0.03
    assert error[xi > XI].max() == pytest.approx(8.3e-4, abs=1e-5)
    for branch, points in ((1, np.linspace(0.0, XI, 50)), (2, np.linspace(XI + 1e-12, 1.0, 50))):
        assert np.abs(level(points, polynomial(points, branch)) - 1.0).max() < 1e-12
    assert error[0] < 1e-14
    other = np.array([boundary(DISCS["parabolic"].surface, float(t))[:2] for t in np.linspace(0.0, 1.57, 500)]).T
    assert np.abs(level(*other) - 1.0).max() > 0.15
    assert polynomial(np.array([XI]), 1)[0] == pytest.approx(0.197, abs=5e-4)
    assert polynomial(np.array([XI]), 2)[0] == pytest.approx(0.221, abs=5e-4)
    corner = [
        boundary(DISCS["polynomial"].surface, t)[:2] for t in (0.70, 0.78)
    ]  # closed to its hull: a corner on the outer branch
    assert corner[0] == pytest.approx(corner[1], abs=1e-12)
    assert corner[0] == pytest.approx((XI, 0.2214), abs=1e-4)
