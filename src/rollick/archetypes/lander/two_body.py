"""A second formulation of the flight, which shares no code with the first: two rigid bodies, Newton and Euler for each, and their bearing.

The lander body and the wheel are free bodies in the inertial frame, joined by unknown forces F and moments of the bearing (C.3)-(C.5). Their
17 equations are solved for the accelerations and the reactions; nothing is eliminated by hand. The mass of the wheel, its place and its
transverse inertia, which theta00 contains and the thesis does not give, must not matter; they are chosen here. It judges `equations`
in the tests and in the ledger. It runs in SciPy, and is slow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .lander import Lander


def _cross(r: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def _shifted(m: float, c: np.ndarray) -> np.ndarray:
    return m * (c @ c * np.eye(3) - np.outer(c, c))


@dataclass(frozen=True)
class TwoBodies:
    """The lander taken apart: a wheel of mass m2 at c2 (lander frame, from the joint mass centre) with transverse inertia A, and the rest."""

    lander: Lander
    m2: float = 6.2
    c2: tuple[float, float, float] = (0.11, -0.06, 0.19)
    A: float = 0.0033

    def parts(self) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Mass and place of the lander body, its inertia about its own mass centre, place of the wheel, and the wheel's inertia."""
        l = self.lander
        c2 = np.array(self.c2)
        m1 = l.m - self.m2
        c1 = -self.m2 * c2 / m1
        both = np.array([[l.xx, l.xy, l.xz], [l.xy, l.yy, l.yz], [l.xz, l.yz, l.zz]])
        wheel = np.diag([self.A, self.A, l.wheel])
        return m1, c1, both - wheel - _shifted(self.m2, c2) - _shifted(m1, c1), c2, wheel

    def rate(self, t: float, state: np.ndarray, moment) -> np.ndarray:
        """State: rotation matrix of the lander (9), its angular velocity (3) and that of the wheel (3), all in the inertial frame.

        `moment(omega_rot)` is the torque on the wheel about its axis.
        """
        m1, c1, theta1, c2, theta2 = self.parts()
        R = state[:9].reshape(3, 3)
        w1, w2 = state[9:12], state[12:15]
        z = R[:, 2]
        spin = float((w2 - w1) @ z)
        T1, T2 = R @ theta1 @ R.T, R @ theta2 @ R.T  # the wheel is round: its inertia does not turn with it
        r1, r2 = R @ c1, R @ c2
        arm = r2 - r1  # from the mass centre of the lander body to the bearing
        e1, e2 = R[:, 0], R[:, 1]
        # unknowns: a1, alpha1, a2, alpha2, F (on the lander body at the bearing), and the moments of the bearing about e1 and e2
        K, b = np.zeros((17, 17)), np.zeros(17)
        M = moment(spin)
        I3 = np.eye(3)
        K[0:3, 0:3], K[0:3, 12:15] = m1 * I3, -I3  # m1 a1 = F
        K[3:6, 3:6], K[3:6, 12:15] = T1, -_cross(arm)  # T1 alpha1 + w1 x T1 w1 = arm x F + moments - z M
        K[3:6, 15], K[3:6, 16] = -e1, -e2
        b[3:6] = -np.cross(w1, T1 @ w1) - z * M
        K[6:9, 6:9], K[6:9, 12:15] = self.m2 * I3, I3  # m2 a2 = -F
        K[9:12, 9:12] = T2  # d/dt (T2 w2) = z M - moments; T2 = A I + (C - A) z z', with z' = w1 x z
        K[9:12, 15], K[9:12, 16] = e1, e2
        turning = (theta2[2, 2] - theta2[0, 0]) * (np.cross(w1, z) * (z @ w2) + z * (np.cross(w1, z) @ w2))
        b[9:12] = z * M - turning
        K[12:15, 6:9], K[12:15, 0:3], K[12:15, 3:6] = I3, -I3, _cross(arm)  # a2 = a1 + alpha1 x arm + w1 x (w1 x arm)
        b[12:15] = np.cross(w1, np.cross(w1, arm))
        for row, e in ((15, e1), (16, e2)):  # w2 = w1 + z spin: along e, alpha2 = alpha1 + spin w1 x z
            K[row, 9:12], K[row, 3:6] = e, -e
            b[row] = spin * float(np.cross(w1, z) @ e)
        found = np.linalg.solve(K, b)
        return np.concatenate([(_cross(w1) @ R).ravel(), found[3:6], found[9:12]])

    def fly(
        self, s: np.ndarray, omega: np.ndarray, omega_rot: float, times: np.ndarray, rtol: float = 1e-12
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Directions of the Sun, angular velocities (both in the lander frame) and speeds of the wheel, which must keep its sense."""
        from scipy.integrate import solve_ivp

        l = self.lander
        sense = 1.0 if omega_rot > 0.0 else -1.0
        moment = lambda spin: -sense * (l.mu_0 + l.mu_1 * abs(spin))
        start = np.concatenate([np.eye(3).ravel(), omega, np.asarray(omega, float) + np.array([0.0, 0.0, omega_rot])])
        scale = np.concatenate([np.ones(12), [1.0, 1.0, abs(omega_rot)]])
        done = solve_ivp(
            lambda t, y: self.rate(t, y, moment),
            (times[0], times[-1]),
            start,
            method="DOP853",
            t_eval=times,
            rtol=rtol,
            atol=rtol * scale,
        )
        R = done.y[:9].T.reshape(-1, 3, 3)
        w1, w2 = done.y[9:12].T, done.y[12:15].T
        into = lambda v: np.einsum("nji,nj->ni", R, v)
        return into(np.tile(np.asarray(s, float), (len(times), 1))), into(w1), into(w2 - w1)[:, 2]
