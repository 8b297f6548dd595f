"""Invariant measure and conformally symplectic structure of a rubber body of revolution (Koiller, section 3, Appendix B).

The compressed system on T*S^2 in (theta, psi, p_theta, p_psi), H = p_theta^2/(2B) + p_psi^2/(2A) + m g z_C, is (37) with (41):

    theta' = H_ptheta,  psi' = H_ppsi,  p_theta' = -H_theta - F psi',  p_psi' = F theta',    F = C psi' sin(theta)    (47)

that is i_X Omega = dH with Omega_NH = dtheta^dp_theta + dpsi^dp_psi + F dtheta^dpsi (the paper's form has the opposite sign). F
is computed from the vertical momentum, N nowhere enters the flow. Claims: Omega_NH/N is closed and the flow in the time tau, dt =
N dtau, preserves it; 1/N is the density of an invariant measure in the time t, so that the determinant of the flow's Jacobian is
N(theta(t))/N(theta(0)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from ...kernel.names import InputError
from .body import RubberBody, heights, mass_B, nose_squared

STEP = 1e-40  # of the complex step


def momenta(body: RubberBody, theta: float, theta_rate: float, psi_rate: float, psi: float = 0.0) -> np.ndarray:
    """The state (theta, psi, p_theta, p_psi) of a rolling start."""
    if not 0.0 < theta < math.pi:
        raise InputError(f"theta = {theta!r} must lie strictly between 0 and pi.")
    A = nose_squared(body, float(theta)) * math.sin(theta) ** 2
    return np.array([theta, psi, mass_B(body, float(theta))[0] * theta_rate, A * psi_rate])


def compressed_rate(body: RubberBody, y: np.ndarray) -> np.ndarray:
    """The vector field (37) with (41); y may carry a complex step."""
    theta = complex(y[0]) if np.iscomplexobj(y) else float(y[0])
    n, c = np.sin(theta), np.cos(theta)
    z, dz, _ = heights(body, theta)
    B, dB = mass_B(body, theta)
    square = nose_squared(body, theta)
    A = square * n * n
    dA = 2.0 * ((body.I3 - body.I1) * n * c + body.m * z * dz) * n * n + 2.0 * square * n * c
    turn, spin = y[2] / B, y[3] / A
    slope = -0.5 * dA * spin * spin - 0.5 * dB * turn * turn + body.m * body.g * dz  # H_theta
    force = ((body.I3 - body.I1) * n * c + body.m * dz * z) * n * spin * n  # F = C psi' sin(theta), (47)
    return np.array([turn, spin, -slope - force * spin, force * turn])


def two_form(body: RubberBody, y: np.ndarray) -> np.ndarray:
    """The matrix of Omega_NH at a state: Omega_NH(u, v) = u.W v."""
    theta = float(y[0])
    n, c = math.sin(theta), math.cos(theta)
    z, dz, _ = heights(body, theta)
    A = nose_squared(body, theta) * n * n
    W = np.zeros((4, 4))
    W[0, 2] = W[1, 3] = 1.0
    W[0, 1] = ((body.I3 - body.I1) * n * c + body.m * dz * z) * n * n * float(y[3]) / A
    return W - W.T


@dataclass(frozen=True)
class Flow:
    """A piece of the flow: where it began and ended, in which time, and its Jacobian matrix."""

    body: RubberBody
    start: np.ndarray
    end: np.ndarray
    jacobian: np.ndarray
    in_tau: bool

    @property
    def noses(self) -> tuple[float, float]:
        """N at the start and at the end."""
        return math.sqrt(nose_squared(self.body, float(self.start[0]))), math.sqrt(nose_squared(self.body, float(self.end[0])))

    @property
    def measure_defect(self) -> float:
        """|det / (N(t)/N(0)) - 1|: zero in the time t if 1/N is the density of an invariant measure.

        In the time tau the density is 1/N^2 and the determinant is compared with the square of that ratio.
        """
        first, last = self.noses
        return abs(float(np.linalg.det(self.jacobian)) / (last / first) ** (2 if self.in_tau else 1) - 1.0)

    @property
    def symplectic_defect(self) -> float:
        """How far the flow is from preserving Omega_NH/N, relative to its largest entry: zero in the time tau."""
        first, last = self.noses
        before = two_form(self.body, self.start) / first
        after = self.jacobian.T @ (two_form(self.body, self.end) / last) @ self.jacobian
        return float(np.abs(after - before).max() / np.abs(before).max())


def flow(body: RubberBody, start: Any, until: float, in_tau: bool = False, rtol: float = 1e-13) -> Flow:
    """Carry a state (see `momenta`) and its neighbours over a time t (or tau): variational equations by complex step, DOP853."""
    first = np.asarray(start, float)
    if first.shape != (4,):
        raise InputError(f"start must be (theta, psi, p_theta, p_psi), four numbers as `momenta` gives them, not {start!r}.")

    def field(y: np.ndarray) -> np.ndarray:
        pace = np.sqrt(nose_squared(body, complex(y[0]) if np.iscomplexobj(y) else float(y[0]))) if in_tau else 1.0
        return pace * compressed_rate(body, y)

    def rate(_t: float, y: np.ndarray) -> np.ndarray:
        state, M = y[:4], y[4:].reshape(4, 4)
        columns = np.array([field(state + 1j * STEP * e) for e in np.eye(4)])  # row k: the field at a step along k
        return np.concatenate([columns[0].real, ((columns.imag.T / STEP) @ M).ravel()])

    run = solve_ivp(
        rate, (0.0, float(until)), np.concatenate([first, np.eye(4).ravel()]), method="DOP853", rtol=rtol, atol=rtol * 1e-2
    )
    if not run.success:
        raise InputError(f"the flow could not be followed to {until:g}, only to {run.t[-1]:.6g}: {run.message}")
    return Flow(body, first, run.y[:4, -1], run.y[4:, -1].reshape(4, 4), in_tau)
