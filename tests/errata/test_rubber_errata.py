"""Errata of Koiller's rubber rolling: the printed form fails, the corrected one holds. The truth is a Newton-Euler solve with multipliers (`studies.rubber.judge`)."""

import math

import numpy as np
import pytest
from numpy import cos, sin
from scipy.integrate import quad

from rollick.studies.rubber.judge import Judged, State, judge, lowest

R, r = 1.0, 0.25
I3, I1 = R**2 + 0.75 * r**2, 0.5 * R**2 + 0.625 * r**2  # solid torus, m = 1
TORUS = Judged("torus", (R, r), 1.0, I1, I3, 0.0, 1.0)


def nose(theta):
    """N of (55) for the torus."""
    return math.sqrt(I1 * cos(theta) ** 2 + I3 * sin(theta) ** 2 + (r + R * sin(theta)) ** 2)


def turn(axis, angle):
    c, s = cos(angle), sin(angle)
    if axis == "z":
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def attitude(phi, theta, psi):
    return turn("z", phi) @ turn("x", theta) @ turn("z", psi)


def steady(ell, factor):
    """Nutation of steady rolling where V = factor l^2/(2 sin^2) + g z_C has its minimum, and psi' = l/(N sin^2)."""
    theta = math.asin((factor * ell**2 / R) ** (1.0 / 3.0))
    return theta, ell / (nose(theta) * sin(theta) ** 2)


@pytest.mark.parametrize("ell", [0.1, 0.3, 0.5])
def test_potential_has_one_half(ell):
    """(2): the minimum of V is a steady motion of the whole body, of the printed one it is none."""
    good, bad = (
        judge(TORUS, State(t, 0.3, 0.2, 0.0, rate)).theta_acceleration for t, rate in (steady(ell, 1.0), steady(ell, 2.0))
    )
    assert abs(good) < 1e-13
    assert abs(bad) > 0.05


def test_attitude_matrix():
    """(5) is Z(phi) X(theta) Z(psi); its entry (2,2) ends in cos psi; the product in the listed order is another matrix."""
    phi, theta, psi = 0.4, 1.1, -0.7
    exact = attitude(phi, theta, psi)
    assert abs(exact[1, 1] - (-sin(phi) * sin(psi) + cos(phi) * cos(theta) * cos(psi))) < 1e-15
    printed = exact.copy()
    printed[1, 1] = -sin(phi) * sin(psi) + cos(phi) * cos(theta) * cos(phi)
    assert np.abs(printed @ printed.T - np.eye(3)).max() > 0.01
    assert np.allclose(exact[2], [sin(theta) * sin(psi), sin(theta) * cos(psi), cos(theta)], atol=1e-15)  # last row of (5)
    assert np.abs(attitude(psi, theta, phi)[2] - exact[2]).max() > 0.1


def test_body_angular_velocity():
    """(9) against R^T dR/dt."""
    phi, theta, psi, rates = 0.4, 1.1, -0.7, np.array([0.9, -1.3, 0.6])
    step = 1e-6
    ahead, back = (attitude(phi + s * rates[0], theta + s * rates[1], psi + s * rates[2]) for s in (step, -step))
    skew = attitude(phi, theta, psi).T @ (ahead - back) / (2.0 * step)
    exact = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
    dphi, dtheta, dpsi = rates
    right = [
        dphi * sin(theta) * sin(psi) + dtheta * cos(psi),
        dphi * sin(theta) * cos(psi) - dtheta * sin(psi),
        dphi * cos(theta) + dpsi,
    ]
    printed = [dphi * sin(theta) * sin(psi) + dtheta * cos(phi), dphi * sin(theta) * cos(phi) - dtheta * sin(psi)]
    assert np.abs(np.array(right) - exact).max() < 1e-9
    assert np.abs(np.array(printed) - exact[:2]).min() > 0.1


def test_sign_of_the_gyroscopic_term():
    """p_psi = N^2 sin^2 psi': along a motion of the whole body p_psi/N does not change, p_psi N and N psi' do."""
    s = State(0.9, 0.3, -0.2, 0.7, 1.4)
    found = judge(TORUS, s)
    step = 1e-5

    def rate(quantity):
        ahead, back = (quantity(s.theta + d * s.theta_rate, s.psi_rate + d * found.psi_acceleration) for d in (step, -step))
        return (ahead - back) / (2.0 * step)

    assert abs(rate(lambda t, w: nose(t) * sin(t) ** 2 * w)) < 1e-9
    assert abs(rate(lambda t, w: nose(t) ** 3 * sin(t) ** 2 * w)) > 0.1
    assert abs(rate(lambda t, w: nose(t) * w)) > 0.1  # (64) as printed


def test_sign_of_the_hamiltonian_field():
    """dp^dq(X, .) = +dH gives q' = -H_p; a pendulum, X = (q', p')."""
    q, p = 0.3, 0.8
    dH = np.array([sin(q), p])  # H = p^2/2 - cos q, with respect to (q, p)
    form = np.array([[0.0, -1.0], [1.0, 0.0]])  # dp^dq (X, Y) = Xp Yq - Xq Yp = X^T form Y
    true = np.array([p, -sin(q)])
    assert np.allclose(true @ form, -dH)
    assert not np.allclose(true @ form, dH)


def test_time_of_the_nutation():
    """(62): dt/dtau = sqrt(B): small nutations about the upright torus, l^2 > m g R, against the acceleration of the whole body."""
    ell, half = 1.5, 0.5 * math.pi
    B = I1 + (R + r) ** 2
    stiffness = ell**2 - R  # V'' at the upright state
    small, step = 1e-4, 1e-4
    rate = lambda t: ell / (nose(t) * sin(t) ** 2)
    slope = (
        judge(TORUS, State(half + step, 0.0, 0.0, 0.0, rate(half + step))).theta_acceleration
        - judge(TORUS, State(half - step, 0.0, 0.0, 0.0, rate(half - step))).theta_acceleration
    ) / (2.0 * step)
    period = 2.0 * math.pi / math.sqrt(-slope)
    in_tau = 2.0 * math.pi / math.sqrt(stiffness)
    assert abs(period / (in_tau * math.sqrt(B)) - 1.0) < 1e-6
    assert abs(period / (in_tau / math.sqrt(B)) - 1.0) > 0.1
    # and theta itself does not grow evenly in tau: it swings, theta'(tau) = sqrt(2 (E - V)) is not constant
    V = lambda t: ell**2 / (2.0 * sin(t) ** 2) + R * sin(t)
    E = V(half) + 0.5 * small**2
    assert abs(math.sqrt(2.0 * (E - V(half + 0.5 * small / math.sqrt(stiffness)))) / small - 1.0) > 0.1


def test_nearly_flat_rolling_is_fast():
    """Speed of the contact in steady rolling at l = 0.001, by the laws of motion."""
    ell = 1e-3
    theta, rate = steady(ell, 1.0)
    found = judge(TORUS, State(theta, 0.0, 0.0, 0.0, rate))
    assert abs(found.theta_acceleration) < 1e-8 * rate**2
    speed = float(np.linalg.norm(found.contact_velocity))
    flat = math.sqrt(I1 + r**2)
    assert abs(speed / (R * ell / (flat * sin(theta) ** 2)) - 1.0) < 0.05
    assert speed > 1000.0 * R * ell / flat


def test_surface_in_terms_of_its_normal():
    """Remark 2: contact point (f1 g1, f1 g2, f2) with the outward normal g = -(sin sin, sin cos, cos), for a torus: h and f* of (14), (15)."""
    for theta, psi in ((0.4, 0.3), (1.2, -1.0), (2.3, 2.0)):
        Q = attitude(0.0, theta, psi)
        point = Q.T @ lowest(TORUS, Q[:, 2])
        normal = -np.array([sin(theta) * sin(psi), sin(theta) * cos(psi), cos(theta)])
        h = R + quad(lambda t: r * cos(t), 0.0, theta)[0]
        f_star = r - quad(lambda t: r * sin(t), 0.0, theta)[0]
        f1 = h / sin(theta)
        assert np.allclose(point, [f1 * normal[0], f1 * normal[1], -f_star], atol=1e-12)
        assert abs(point[2] - f_star) > 0.01 or abs(f_star) < 0.01
        assert abs(point[0] - h * normal[0]) > 1e-3
    assert np.allclose(-np.array([0.0, 0.0, cos(0.0)]), [0.0, 0.0, -1.0])


def test_gyroscopic_tensor():
    """(B.4) from (B.5) with Phi = -log N: T(d_theta, d_psi) = n d_psi; and T is antisymmetric only with the Z."""
    theta, step = 0.9, 1e-6
    n = (math.log(nose(theta + step)) - math.log(nose(theta - step))) / (2.0 * step)
    dPhi = np.array([-n, 0.0])  # along theta, psi
    T = lambda Y, Z: (Z @ dPhi) * Y - (Y @ dPhi) * Z
    along, around = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert np.allclose(T(along, around), n * around, atol=1e-9)
    printed = lambda Y, Z: (
        (Z @ dPhi) * Y - (Y @ dPhi) * np.ones(2)
    )  # a function where a field must stand: added to each component
    assert not np.allclose(printed(along, around), n * around)
    assert not np.allclose(printed(along, along), 0.0)


def test_figure_six_needs_no_inertia():
    """Steady rolling, where V has its minimum, does not depend on I1, I3 or r: the whole body agrees for other ones."""
    theta = math.asin(0.3 ** (2.0 / 3.0))
    for thick, i1, i3 in ((0.25, 0.6, 1.0), (0.1, 0.3, 0.5), (0.4, 2.0, 0.8)):
        N = math.sqrt(i1 * cos(theta) ** 2 + i3 * sin(theta) ** 2 + (thick + sin(theta)) ** 2)
        body = Judged("torus", (1.0, thick), 1.0, i1, i3, 0.0, 1.0)
        assert abs(judge(body, State(theta, 0.0, 0.0, 0.0, 0.3 / (N * sin(theta) ** 2))).theta_acceleration) < 1e-12


def test_prolate_bodies_are_bodies():
    """A solid ellipsoid with c > b has I3 < I1; its N sin^2 psi' is conserved by the laws of motion all the same."""
    b, c = 0.5, 1.3
    points = np.random.default_rng(0).normal(size=(200_000, 3))
    points *= (np.random.default_rng(1).uniform(size=200_000) ** (1 / 3) / np.linalg.norm(points, axis=1))[:, None]
    points *= [b, b, c]
    i1, i3 = (points[:, 1] ** 2 + points[:, 2] ** 2).mean(), (points[:, 0] ** 2 + points[:, 1] ** 2).mean()
    assert i3 < 0.6 * i1
    body, s = Judged("ellipsoid", (b, c), 1.0, i1, i3, 0.0, 9.81), State(0.8, 0.1, 0.2, 0.5, 1.1)
    ell = lambda t, w: math.sqrt(i1 * cos(t) ** 2 + i3 * sin(t) ** 2 + (b * sin(t)) ** 2 + (c * cos(t)) ** 2) * sin(t) ** 2 * w
    found, step = judge(body, s), 1e-5
    ahead, back = (ell(s.theta + d * s.theta_rate, s.psi_rate + d * found.psi_acceleration) for d in (step, -step))
    assert abs(ahead - back) / (2.0 * step) < 1e-8
