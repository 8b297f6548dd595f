"""The slow manifold of the full model in lasting contact (which section 8.2 of Sailer's thesis proposes), and the reduced one beside it.

Only the contact is assumed to last; S moves, the spin is free. Friction is linear in the slip with the weight as its load (Model 1.1c for slow slip). The slip (gamma_x, gamma_y) of C1 is fast. What
is slow must not feel the friction at C1: the angles beta, gamma and the angular momentum L about C1, in the floating frame (e_x along the rim, e_y up the disk, e_z its axis). With the angular
velocity (w1, w2, w3) there, r_CS = (e cg, r + e sg, 0) = (X, Y, 0) and the frame's own angular velocity f = (w1, w2, w2 cb/sb):

    beta' = w1,   gamma' = w3 - w2 cb/sb,   L' = r_CS x (-m g e_up) - (v_C - r gamma' e_x) x m v_S - f x L,    L = I_C w + m r_CS x v_C
    eps (gamma_x, gamma_y)' = g(beta, gamma, L, gamma_x, gamma_y, eps)

The critical manifold is pure rolling, five-dimensional, of a body whose S is free to move. Model 1.4 has a two-dimensional one inside: S at rest, the spin given. Taylor arithmetic yields slip =
eps h_1 + eps^2 h_2 + ...; -h_1/(mu m g) is the force that pure rolling needs at C1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....analysis.slow_fast import SlowFast, SlowManifold, slow_manifold
from ..specimens import Disk
from .linear import G
from .manifold import first_correction, rolling_rate

SLOW = ("beta", "gamma", "L_x", "L_y", "L_z")
FAST = ("slip_x", "slip_y")


def cross(a: Any, b: Any) -> list[Any]:
    """a x b, of numbers, arrays or series."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def solved(A: list[list[Any]], b: list[Any]) -> list[Any]:
    """A^-1 b by elimination without exchange of rows; entries may be series."""
    A, b, n = [list(row) for row in A], list(b), len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = A[i][k] / A[k][k]
            for j in range(k + 1, n):
                A[i][j] = A[i][j] - factor * A[k][j]
            b[i] = b[i] - factor * b[k]
    x: list[Any] = [0.0] * n
    for k in range(n - 1, -1, -1):
        total = b[k]
        for j in range(k + 1, n):
            total = total - A[k][j] * x[j]
        x[k] = total / A[k][k]
    return x


class Terms:
    """Everything at a point: sines, arms, inertia about S and about C1, angular velocity, velocity of S."""

    def __init__(self, disk: Disk, x: Any, slip: Any):
        m, e = disk.m, disk.e
        self.sb, self.cb, sg, cg = np.sin(x[0]), np.cos(x[0]), np.sin(x[1]), np.cos(x[1])
        self.X, self.Y = e * cg, disk.r + e * sg
        self.dX, self.dY = -e * sg, e * cg  # by gamma
        A, Bb, Cb = disk.A, disk.Bb, disk.C - m * e * e
        zero = 0.0 * self.sb
        self.IS = [
            [A * cg * cg + Bb * sg * sg, (A - Bb) * sg * cg, zero],
            [(A - Bb) * sg * cg, A * sg * sg + Bb * cg * cg, zero],
            [zero, zero, Cb + zero],
        ]
        self.dIS = [
            [-2.0 * (A - Bb) * sg * cg, (A - Bb) * (cg * cg - sg * sg)],
            [(A - Bb) * (cg * cg - sg * sg), 2.0 * (A - Bb) * sg * cg],
        ]
        X, Y = self.X, self.Y
        arm = [[Y * Y, -1.0 * X * Y, zero], [-1.0 * X * Y, X * X, zero], [zero, zero, X * X + Y * Y]]
        self.vC = [slip[0] + zero, slip[1] * self.cb, -1.0 * slip[1] * self.sb]
        momentum = [m * v for v in cross([X, Y, zero], self.vC)]
        IC = [[self.IS[i][j] + m * arm[i][j] for j in range(3)] for i in range(3)]
        self.w = solved(IC, [x[2 + i] - momentum[i] for i in range(3)])
        around = cross(self.w, [X, Y, zero])
        self.vS = [self.vC[i] + around[i] for i in range(3)]
        self.frame = [self.w[0], self.w[1], self.w[1] * self.cb / self.sb]
        self.roll = self.w[2] - self.frame[2]


def full_split(disk: Disk, mu: float = 0.3, g: float = G) -> SlowFast:
    """The full model in lasting contact, split into five slow and two fast states."""
    m, weight = disk.m, disk.m * g

    def slow(x: Any, y: Any) -> tuple:
        t = Terms(disk, x, y)
        zero = 0.0 * t.sb
        up = [zero, weight * t.sb, weight * t.cb]
        pull = cross([t.X, t.Y, zero], up)
        away = cross([t.vC[0] - disk.r * t.roll, t.vC[1], t.vC[2]], t.vS)
        turn = cross(t.frame, list(x[2:5]))
        return (t.w[0], t.roll, *(-1.0 * pull[i] - m * away[i] - turn[i] for i in range(3)))

    def fast(x: Any, y: Any, p: Any, eps: Any) -> tuple:
        # unknown: eps times w1', w2', w3', gamma_x', gamma_y', and eps N
        t = Terms(disk, x, y)
        zero, sb, cb, X, Y = 0.0 * t.sb, t.sb, t.cb, t.X, t.Y
        LS = [t.IS[i][0] * t.w[0] + t.IS[i][1] * t.w[1] + t.IS[i][2] * t.w[2] for i in range(3)]
        spun = cross(t.frame, LS)
        changed = [t.roll * (t.dIS[i][0] * t.w[0] + t.dIS[i][1] * t.w[1]) for i in range(2)] + [zero]
        fx, fy = -mu * weight * y[0], -mu * weight * y[1]  # eps times friction
        force = [fx + zero, fy * cb, -1.0 * fy * sb]  # without N
        moment = [-1.0 * Y * force[2], X * force[2], Y * force[0] - X * force[1]]
        A = [[*t.IS[0], zero, zero, Y * cb], [*t.IS[1], zero, zero, -1.0 * X * cb], [*t.IS[2], zero, zero, X * sb]]
        b = [moment[i] - eps * (spun[i] + changed[i]) for i in range(3)]
        # m (slip' + w' x r + w x r' + slip e_y^R turning + f x v_S) = F - m g e_up
        moved = cross(t.w, [t.dX * t.roll, t.dY * t.roll, zero])
        carried = cross(t.frame, t.vS)
        leaning = [zero, -1.0 * y[1] * sb * t.w[0], -1.0 * y[1] * cb * t.w[0]]
        gravity = [zero, g * sb, g * cb]
        one = 1.0 + zero
        A.append([zero, zero, -1.0 * m * Y, m * one, zero, zero])
        A.append([zero, zero, m * X, zero, m * cb, -1.0 * sb])
        A.append([m * Y, -1.0 * m * X, zero, zero, -1.0 * m * sb, -1.0 * cb])
        b += [force[i] - eps * m * (moved[i] + carried[i] + leaning[i] + gravity[i]) for i in range(3)]
        found = solved(A, b)
        return found[3], found[4]

    return SlowFast(slow, fast, SLOW, FAST)


def full_manifold(disk: Disk, order: int = 1, mu: float = 0.3, g: float = G) -> SlowManifold:
    """Slip on the slow manifold of the full model, to an order in eps."""
    return slow_manifold(full_split(disk, mu, g), near=[0.0, 0.0], order=order)


def slow_states(
    disk: Disk, beta: Any, gamma: Any, alpha_rate: Any, beta_rate: Any, gamma_rate: Any, slip: Any = (0.0, 0.0)
) -> np.ndarray:
    """(beta, gamma, L) of a motion: L about C1 from angles, rates and slip."""
    b, c, a1, b1, c1 = (np.asarray(v, float) for v in np.broadcast_arrays(beta, gamma, alpha_rate, beta_rate, gamma_rate))
    w = [b1, a1 * np.sin(b), a1 * np.cos(b) + c1]
    t = Terms(disk, [b, c, *(np.zeros_like(b),) * 3], slip)
    around = cross(w, [t.X, t.Y, 0.0 * b])
    vS = [t.vC[i] + around[i] for i in range(3)]
    LS = [t.IS[i][0] * w[0] + t.IS[i][1] * w[1] + t.IS[i][2] * w[2] for i in range(3)]
    arm = cross([t.X, t.Y, 0.0 * b], vS)
    return np.stack([b, c, *(LS[i] + disk.m * arm[i] for i in range(3))])


def rolling_states(disk: Disk, beta: Any, gamma: Any, Omega: float) -> np.ndarray:
    """The states of the full model's critical manifold in which Model 1.4 rolls: S at rest, spin Omega."""
    b, c = np.broadcast_arrays(np.asarray(beta, float), np.asarray(gamma, float))
    y = rolling_rate(disk.r, disk.e, np.sin(b), np.sin(c), np.cos(c), Omega)
    return slow_states(disk, b, c, np.full_like(b, Omega), y, -Omega * np.cos(b))


def reduced_slip(disk: Disk, beta: Any, gamma: Any, Omega: float, mu: float = 0.3, g: float = G) -> np.ndarray:
    """Lateral slip over eps of Model 1.4 on its slow manifold, rs sb h_1, to leading order. (Along the rim it has none.)"""
    sb, cb, sg, cg = np.sin(beta), np.cos(beta), np.sin(gamma), np.cos(gamma)
    return (disk.r + disk.e * sg) * sb * first_correction(disk.r, disk.e, disk.A, disk.Bb, disk.m * g, sb, cb, sg, cg, Omega) / mu
