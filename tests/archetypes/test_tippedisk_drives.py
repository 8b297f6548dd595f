"""What holds the spin against pivoting friction, and which speeds are critical: the matrices of the full model against equations of motion written here by Kane's method."""

import numpy as np
import pytest

from rollick.archetypes.tippedisk import specimen
from rollick.archetypes.tippedisk.reduced import more_friction
from rollick.kernel.names import InputError

V1 = specimen("V1")
G = 9.81
EX, EY, EZ = np.eye(3)


def rx(b):
    return np.array([[1.0, 0.0, 0.0], [0.0, np.cos(b), -np.sin(b)], [0.0, np.sin(b), np.cos(b)]])


def rz(c):
    return np.array([[np.cos(c), -np.sin(c), 0.0], [np.sin(c), np.cos(c), 0.0], [0.0, 0.0, 1.0]])


def velocities(d, q, u):
    """v_S, the angular velocity, the angular momentum about S and the slip, in the frame that turns with alpha; u = (xb', yb', beta', gamma', alpha')."""
    R, place = rx(q[2]) @ rz(q[3]), np.array([q[0], q[1], d.r * np.sin(q[2])])
    w = u[4] * EZ + u[2] * EX + u[3] * (rx(q[2]) @ EZ)
    v = np.array([u[0], u[1], d.r * np.cos(q[2]) * u[2]]) + u[4] * np.cross(EZ, place)
    L = R @ np.diag([d.A, d.B - d.m * d.e**2, d.C - d.m * d.e**2]) @ R.T @ w
    return v + np.cross(w, d.e * R[:, 0]), w, L, v - d.r * np.cross(w, rx(q[2]) @ EY)


def accelerations(d, law, q, u, drive):
    """Kane's equations of the full model in lasting contact, friction linear in slip and rolling; arguments may be complex."""
    V, W, L, S = (np.stack(part, axis=1) for part in zip(*(velocities(d, q, one) for one in np.eye(5))))
    vS, w, spun, slip = velocities(d, q, u)
    h = 1e-3
    ahead = {k: np.concatenate(velocities(d, q + k * h * u[:4], u)[::2]) for k in (-3, -2, -1, 1, 2, 3)}
    change = (45.0 * (ahead[1] - ahead[-1]) - 9.0 * (ahead[2] - ahead[-2]) + ahead[3] - ahead[-3]) / (60.0 * h)
    Q = -d.m * V.T @ (change[:3] + u[4] * np.cross(EZ, vS)) - W.T @ (change[3:] + u[4] * np.cross(EZ, spun)) - d.m * G * V[2]
    Q = Q - law.mu * d.m * G / law.eps * (S[:2].T @ slip[:2])
    twist = law.radius * w[2]
    size = np.sign(twist.real) * twist
    Q = Q - law.mu_tau * d.m * G * law.radius * twist / (size + law.eps_tau) * W[2]
    Q[3] = Q[3] - law.mu_R * d.m * G / law.eps_R * d.r**2 * u[3]
    M = d.m * V.T @ V + W.T @ L
    if drive == "spin":
        return np.linalg.solve(M[:4, :4], Q[:4])
    if drive == "vertical":  # alpha'' = 0 by an unknown couple about the vertical
        M = np.concatenate([M[:, :4], -W[2][:, None]], axis=1)
    return np.linalg.solve(M, Q)[:4]


@pytest.mark.parametrize("drive", more_friction.DRIVES)
def test_matrices_of_every_drive_are_those_of_the_equations_of_motion(drive):
    rng = np.random.default_rng(4)
    for inverted in (True, False):
        law = more_friction.Resistance(rng.uniform(0.1, 1.0), 0.05, 0.4, 3e-3, 1e-3, 4e-3)
        Omega = rng.uniform(20.0, 40.0) * (1.0 if inverted else -1.0)
        own = more_friction.full_jacobian(V1, Omega, law, G, inverted, drive)
        q, u = np.array([0.0, 0.0, 0.5 * np.pi, (0.5 if inverted else -0.5) * np.pi]), np.array([0.0, 0.0, 0.0, 0.0, Omega])
        for k in range(8):
            step = np.zeros(9, complex)
            step[k] = 1e-30j
            other = accelerations(V1, law, q + step[:4], u + step[4:], drive).imag / 1e-30
            assert np.abs(own[4:, k] - other).max() < 1e-11 * np.abs(own).max()


def test_pivoting_friction_helps_or_hinders_as_the_spin_is_held():
    law = more_friction.Resistance(mu_tau=0.3)
    plain = more_friction.critical_speed(V1, more_friction.PLAIN)
    held, vertical, free = (more_friction.critical_speed(V1, law, drive=drive) for drive in more_friction.DRIVES)
    assert held < plain - 0.4
    assert vertical == pytest.approx(plain, abs=1e-9)
    assert free > plain + 0.4
    with pytest.raises(InputError, match="held spin"):
        more_friction.critical_speed(V1, law, model="1.2", drive="none")
    with pytest.raises(InputError, match="unknown drive"):
        more_friction.critical_speed(V1, law, drive="motor")


def test_a_critical_speed_is_one_of_a_pair_that_oscillates_wherever_it_lies():
    # two real eigenvalues: one changes its sign (at 22.4 and 21.9 rad/s) while the other goes on growing, with 14 1/s
    law = more_friction.Resistance(0.11, 0.3)
    for model, jacobian in (("full", more_friction.full_jacobian), ("1.2", more_friction.slipping_jacobian)):
        assert np.linalg.eigvals(jacobian(V1, 22.5, law)).real.max() > 10.0
        assert np.isnan(more_friction.critical_speed(V1, law, model=model))
    # beyond twice the closed form
    law = more_friction.Resistance(0.085, 1.38e-3, mu_R=6.2e-4, eps_R=2.1e-3)
    speed = more_friction.critical_speed(V1, law)
    top = more_friction.closed_critical_speed(V1)
    assert speed > 2.0 * top
    assert more_friction.growth(V1, 0.99 * speed, law).real > 0.0 > more_friction.growth(V1, 1.01 * speed, law).real
    # so much contour friction that the pair becomes two real numbers before it decays: none
    assert np.isnan(more_friction.critical_speed(V1, more_friction.Resistance(mu_R=0.02)))
    # a narrow spot of contact: a short interval of stable spinning, and none for a wider one
    law = more_friction.of_contensou(0.1, 4.5e-3)
    speed = more_friction.critical_speed(V1, law)
    end = more_friction.upper_speed(V1, law, speed)
    for Omega, stable in ((0.999 * speed, False), (0.5 * (speed + end), True), (1.001 * end, False)):
        values = np.linalg.eigvals(more_friction.full_jacobian(V1, Omega, law))
        assert (values[np.abs(np.abs(values.imag) - Omega) > 1e-6].real.max() < 0.0) == stable  # without the marginal pair
    assert np.isnan(more_friction.critical_speed(V1, more_friction.of_contensou(0.1, 5e-3)))
    with pytest.raises(InputError, match="finite"):
        more_friction.critical_speed(V1, more_friction.Resistance(mu_R=np.inf))
