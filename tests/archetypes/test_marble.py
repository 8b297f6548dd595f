"""Marble rolling of bodies of revolution: linear system in theta, integrals, Legendre functions, reduced energy."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import hyp2f1, lpmv

from rollick import InputError, simulate
from rollick.archetypes.rubber.body import full, rubber_body
from rollick.archetypes.rubber.contrast import contrast, contrast_figure
from rollick.archetypes.rubber.marble import (
    effective_potential,
    fundamental,
    jellett,
    linear_integrals,
    marble_energy,
    marble_matrix,
    marble_turning_points,
    routh,
    spins,
)
from rollick.archetypes.rubber.marble_disk import disk_fundamental, disk_numbers, legendre_of
from rollick.archetypes.rubber.quadrature import nutation_from
from rollick.archetypes.rubber.reduced import full_start, start_rolling
from rollick.mechanics.shapes.convex import Ellipsoid, Rim, Sphere, Torus
from rollick.mechanics.shapes.revolution import from_support

BODIES = {
    "torus": rubber_body(Torus(1.0, 0.25), 1.0, 0.54, 1.047, g=1.0),
    "ellipsoid": rubber_body(Ellipsoid(0.3, 0.3, 0.2), 1.0, 0.026, 0.036, s=0.03),
    "disk": rubber_body(Rim(1.0), 1.0, 0.25, 0.5, g=1.0),
    "sphere": rubber_body(Sphere(0.3), 1.0, 0.03, 0.036, s=0.04),
}
STARTS = {  # theta, theta', psi', phi'
    "torus": (1.1, 0.4, 1.6, 0.3),
    "ellipsoid": (0.9, 1.5, 9.0, -3.0),
    "disk": (1.2, 0.3, 1.5, 0.2),
    "sphere": (1.0, 2.0, 6.0, 4.0),
}


def marble_motion(name, until):
    """A full-body marble motion, and its theta, w2 = Omega.u and w3."""
    theta, turn, psi, phi = STARTS[name]
    motion = simulate(
        full(BODIES[name], rubber=False),
        full_start(theta, turn, psi, phi_rate=phi),
        until,
        rtol=1e-13,
        at=np.linspace(0.0, until, 41),
    )
    w2 = motion["omega1"] * np.sin(motion["psi"]) + motion["omega2"] * np.cos(motion["psi"])
    return motion, motion["theta"], w2, motion["omega3"]


@pytest.mark.parametrize(
    ("name", "until"), [("torus", 8.0), ("ellipsoid", 3.0), pytest.param("disk", 8.0, marks=pytest.mark.slow)]
)
def test_fundamental_matrix_carries_the_full_body(name, until):
    body, (theta0, turn0, psi0, phi0) = BODIES[name], STARTS[name]
    motion, theta, w2, w3 = marble_motion(name, until)
    start = spins(theta0, psi0, phi0)
    assert np.ptp(theta) > 0.2
    carried = fundamental(body, theta, theta0) @ np.array(start)
    scale = np.hypot(w2, w3).max()
    np.testing.assert_allclose(carried[:, 0], w2, atol=1e-9 * scale)
    np.testing.assert_allclose(carried[:, 1], w3, atol=1e-9 * scale)
    kept = linear_integrals(body, theta, w2, w3, 1.3)
    assert np.ptp(kept, axis=0).max() < 1e-9 * scale
    assert min(np.ptp(w2), np.ptp(w3)) > 1e-2 * scale  # while the velocities themselves change
    # The reduced energy: E = B theta'^2/2 + U, and the turning points bound the nutation.
    assert marble_energy(body, theta0, turn0, *start) == pytest.approx(motion["energy"][0], rel=1e-13)
    low, high = marble_turning_points(body, theta0, turn0, *start)
    fine = motion["theta"]
    assert low - 1e-9 <= fine.min()
    assert fine.max() <= high + 1e-9
    assert effective_potential(body, np.array([low, high]), theta0, start) == pytest.approx(motion["energy"][0], rel=1e-12)


def test_jellett_and_routh_along_a_full_motion():
    body = BODIES["sphere"]
    motion, theta, w2, w3 = marble_motion("sphere", 4.0)
    assert np.ptp(theta) > 0.5
    one, two = jellett(body, theta, w2, w3), routh(body, theta, w3)
    assert np.ptp(one) < 1e-10 * np.abs(one).max()
    assert np.ptp(two) < 1e-10 * np.abs(two).max()
    # Jellett's once more, as L.rho in the body axes of the full motion.
    gamma = np.stack([np.sin(theta) * np.sin(motion["psi"]), np.sin(theta) * np.cos(motion["psi"]), np.cos(theta)])
    rho = -0.3 * gamma - np.array([[0.0], [0.0], [0.04]])
    L = np.array([[0.03], [0.03], [0.036]]) * motion.y[:, 4:7].T
    np.testing.assert_allclose((L * rho).sum(axis=0), one[0], rtol=1e-10)
    # Along the linear system too, where no time passes.
    w = fundamental(body, np.array([0.2, 1.5, 3.0]), 1.0) @ np.array([0.7, -0.4])
    angles = np.array([0.2, 1.5, 3.0])
    np.testing.assert_allclose(jellett(body, angles, w[:, 0], w[:, 1]), jellett(body, 1.0, 0.7, -0.4), rtol=1e-12)
    np.testing.assert_allclose(routh(body, angles, w[:, 1]), routh(body, 1.0, -0.4), rtol=1e-12)


@pytest.mark.parametrize("name", list(BODIES))
def test_fundamental_matrix_against_dop853(name):
    body = BODIES[name]
    for theta in (0.05, 0.4, 2.5):
        run = solve_ivp(
            lambda t, y: (marble_matrix(body, t) @ y.reshape(2, 2)).ravel(),
            (1.0, theta),
            np.eye(2).ravel(),
            method="DOP853",
            rtol=1e-13,
            atol=1e-14,
        )
        found = fundamental(body, theta, 1.0)
        np.testing.assert_allclose(found, run.y[:, -1].reshape(2, 2), atol=1e-11 * np.abs(found).max())


def test_a_profile_from_a_spline():
    w = lambda t: np.sqrt(0.09 * np.sin(t) ** 2 + 0.04 * np.cos(t) ** 2)
    spline = rubber_body(from_support(w), 1.0, 0.026, 0.036, s=0.03)
    np.testing.assert_allclose(fundamental(spline, 2.0, 0.7), fundamental(BODIES["ellipsoid"], 2.0, 0.7), rtol=1e-7)


def test_the_disk_in_legendre_functions():
    body = BODIES["disk"]
    assert disk_numbers(body) == pytest.approx((2 / 3, 4 / 3))
    angles = np.array([0.01, 0.3, 1.57, 1.58, 2.2, 3.1])
    one, two = disk_fundamental(body, angles, 1.0), fundamental(body, angles, 1.0)
    np.testing.assert_allclose(one, two, atol=1e-12 * np.abs(two).max())
    # Where the degree is real SciPy knows the functions as well.
    theta = np.array([0.1, 1.0, 2.0, 3.0])
    for kappa in (0.1, 0.2):
        nu = -0.5 + math.sqrt(0.25 - kappa)
        np.testing.assert_allclose(legendre_of(kappa, theta)[0], lpmv(0, nu, np.cos(theta)), rtol=1e-13)
        y = np.sin(0.5 * theta) ** 2
        slope = -nu * (nu + 1.0) * hyp2f1(1.0 - nu, nu + 2.0, 2.0, y) * 0.5 * np.sin(theta)
        np.testing.assert_allclose(legendre_of(kappa, theta)[1], slope, rtol=1e-12)


def test_refusals():
    with pytest.raises(InputError, match="strictly between"):
        fundamental(BODIES["torus"], 0.0, 1.0)
    with pytest.raises(InputError, match="those of a sphere"):
        jellett(BODIES["torus"], 1.0, 0.0, 1.0)
    with pytest.raises(InputError, match="thin disk"):
        disk_numbers(BODIES["torus"])


def test_contrast_of_rubber_and_marble(tmp_path):
    body = BODIES["torus"]
    found = contrast(body, 1.0, 1.0, 0.8, until=6.0)
    assert np.abs(found.twist["rubber"]).max() < 1e-9
    assert np.abs(found.twist["marble"]).max() > 0.1
    ell = found.spin_integral
    assert np.ptp(ell["rubber"]) < 1e-9 * ell["rubber"][0]
    assert np.ptp(ell["marble"]) > 1e-2 * ell["rubber"][0]
    assert ell["marble"][0] == pytest.approx(ell["rubber"][0], rel=1e-12)
    assert found.track_gap[0] == 0.0
    assert found.track_gap[-1] > 0.1
    assert found.rubber["energy"][-1] == pytest.approx(found.marble["energy"][-1], rel=1e-9)
    # The rubber's nutation is Koiller's, the marble's that of the reduced marble energy.
    expected = nutation_from(body, start_rolling(body, 1.0, 1.0, 0.8))
    assert found.theta_range["rubber"] == pytest.approx((expected.low, expected.high), abs=1e-3)
    w2, w3 = spins(1.0, 0.8, -math.cos(1.0) * 0.8)
    assert found.theta_range["marble"] == pytest.approx(marble_turning_points(body, 1.0, 1.0, w2, w3), abs=1e-3)
    assert "part by up to" in str(found)
    figure = contrast_figure(found, tmp_path / "contrast.png")
    assert len(figure.axes) == 4
    assert (tmp_path / "contrast.png").stat().st_size > 10_000
    # Rolling straight on, with psi' = 0, needs no couple about the normal: then the two are one.
    straight = contrast(body, 1.3, 0.2, until=0.5)
    assert straight.track_gap.max() < 1e-10
    assert straight.spin_demand < 1e-10
    # A marble that pivots from the start.
    other = contrast(body, 1.0, 1.0, 0.8, phi_rate="0.5rad/s", until=0.1, count=3)
    assert other.twist["marble"][0] == pytest.approx(0.5 + 0.8 * math.cos(1.0), rel=1e-12)
    with pytest.raises(InputError, match="strictly between"):
        contrast(body, 0.0)
