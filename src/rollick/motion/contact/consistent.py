"""Which modes can follow: the contact law on the level of accelerations, for contacts that are closed and neither approach nor separate.

With gamma' = c + A lambda (see `balance`) a contact may

    open       lambda = 0,  gap'' > 0
    slip       lambda = N (1, -mu d),  N > 0,  gap'' = 0;  d along the slip or, where there is none, along the slip that begins: a_T = alpha d, alpha > 0
    stick      gamma' = 0,  N > 0,  |lambda_T| <= mu N

All of these are tried, and exactly the consistent ones are given back. With D(d) = A_NN - mu A_NT.d > 0 for all d there is always one. Where
D < 0, slip with gap'' < 0 without force has none (inconsistent), with gap'' > 0 two: slip, and open (indeterminate): Painleve's paradox.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...mechanics.contact import contact_count, velocities
from .balance import look
from .modes import OPEN, SLIP, STICK

STILL = 1e-10  # slip (m/s) that counts as none, unless the velocities it is a difference of are not known that well
MOVING = 20.0  # times that: a slip that has a direction
SMALL = 1e-10  # relative: forces and accelerations that count as none
INCONSISTENT, INDETERMINATE = "inconsistent", "indeterminate"


@dataclass(frozen=True)
class View:
    """Gaps and grips of all contacts; velocities, c, A and M^-1 L of those that were looked at, by contact."""

    gaps: np.ndarray
    mu: np.ndarray
    gamma: np.ndarray
    c: np.ndarray
    A: np.ndarray
    lift: np.ndarray
    free: np.ndarray  # dy/dt without the forces of the contacts
    still: np.ndarray  # m/s: the slip that counts as none

    def of(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """c and A of one contact alone."""
        return self.c[k], self.A[3 * k : 3 * k + 3, 3 * k : 3 * k + 3]

    def slips(self, k: int) -> bool:
        """Whether contact k slips, or cannot hold."""
        return bool(self.mu[k] <= 0.0 or math.hypot(self.gamma[k, 1], self.gamma[k, 2]) > MOVING * self.still[k])

    def way(self, k: int) -> np.ndarray:
        """The direction of the slip; zero if it cannot hold."""
        return np.zeros(2) if self.mu[k] <= 0.0 else self.gamma[k, 1:] / math.hypot(self.gamma[k, 1], self.gamma[k, 2])

    def forces(self, modes: tuple[int, ...]) -> np.ndarray:
        """The forces of all contacts in given modes, of least norm where they are redundant."""
        columns = [(k, i) for k, mode in enumerate(modes) for i in range({OPEN: 0, SLIP: 1, STICK: 3}[mode])]
        part = np.zeros((self.A.shape[0], len(columns)))
        for p, (k, i) in enumerate(columns):
            part[3 * k + i, p] = 1.0
            if modes[k] == SLIP and self.mu[k] > 0.0:
                part[3 * k + 1 : 3 * k + 3, p] = -self.mu[k] * self.way(k)
        rows = [3 * k + i for k, i in columns]
        return part @ np.linalg.lstsq(self.A[rows] @ part, -self.c.ravel()[rows], rcond=1e-12)[0] if rows else np.zeros(len(part))

    def rates(self, modes: tuple[int, ...]) -> np.ndarray:
        """dy/dt in given modes."""
        made = self.free.copy()
        made[-self.lift.shape[1] :] += self.forces(modes) @ self.lift
        return made


def view(system: Any, t: float, y: np.ndarray, rtol: float = 0.0) -> View:
    """All contacts at an instant; `rtol` is how well velocities are known."""
    count, nu = int(contact_count(system)), int(velocities(system))
    gaps, mu, speeds, c, gamma = np.empty(count), np.empty(count), np.empty(count), np.empty(3 * count), np.empty(3 * count)
    A, lift, free = np.empty((3 * count, 3 * count)), np.empty((3 * count, nu)), np.empty(y.size)
    look(system, (1,) * count, float(t), np.ascontiguousarray(y, float), gaps, mu, speeds, free, c, A, lift, gamma)
    return View(gaps, mu, gamma.reshape(-1, 3), c.reshape(-1, 3), A, lift, free, np.maximum(STILL, rtol * speeds))


@dataclass(frozen=True)
class Choice:
    """A mode for each contact that was asked for, the directions in which slip begins, and what happens there."""

    modes: dict[int, int]
    ways: dict[int, np.ndarray]
    normal: float = 0.0  # the least normal force


@dataclass(frozen=True)
class Verdict:
    """The consistent choices; `case` names the paradox if there is not exactly one."""

    choices: tuple[Choice, ...]
    case: str = ""


def slip_directions(c: np.ndarray, A: np.ndarray, mu: float) -> list[np.ndarray]:
    """All directions d in which slip can begin: N > 0 and a_T = alpha d with alpha > 0; the largest alpha first.

    d x a_T(d) D(d) is a trigonometric polynomial of second degree: at most four zeros, from its coefficients.
    """

    def at(angle: Any) -> tuple[Any, Any, Any]:
        d = np.array([np.cos(angle), np.sin(angle)])
        drive = A[0, 0] - mu * (A[0, 1:] @ d)
        along = [c[i] * drive - c[0] * (A[i, 0] - mu * (A[i, 1:] @ d)) for i in (1, 2)]  # D a_T
        return d, drive, np.array(along)

    found = []
    for angle in zeros_on_circle(lambda angles: at(angles)[::2]):
        way, drive, along = at(angle)
        normal = -c[0] / drive if drive != 0.0 else -1.0
        alpha = float(along @ way) / drive if drive != 0.0 else -1.0
        if normal > 0.0 and alpha > SMALL * np.abs(c).max():
            found.append((alpha, way))
    return [way for _, way in sorted(found, key=lambda entry: -entry[0])]


def zeros_on_circle(vectors: Any) -> list[float]:
    """The angles at which d x a = 0, where (d, a) = vectors(angles) and the product is a trigonometric polynomial of second degree."""
    d, a = vectors(2.0 * math.pi * np.arange(8) / 8.0)
    F = np.fft.fft(d[0] * a[1] - d[1] * a[0]) / 8.0
    polynomial = np.array([F[2], F[1], F[0], F[-1], F[-2]])
    size = float(np.abs(polynomial).max())
    if size <= 1e-14 * np.abs(a).max():
        return []
    polynomial[np.abs(polynomial) < 1e-15 * size] = 0.0
    return [math.atan2(z.imag, z.real) for z in np.roots(polynomial) if abs(abs(z) - 1.0) < 1e-4]


def verdict(seen: View, k: int) -> Verdict:
    """The modes that contact k can go on in, the others being open."""
    c, A = seen.of(k)
    mu, none = max(float(seen.mu[k]), 0.0), SMALL * float(np.abs(c).max())
    opens = Choice({k: OPEN}, {})
    if seen.slips(k):
        drive = A[0, 0] - mu * float(A[0, 1:] @ seen.way(k))
        if drive > 0.0:
            return Verdict((Choice({k: SLIP}, {}, -c[0] / drive) if c[0] < 0.0 else opens,))
        if c[0] < 0.0:
            return Verdict((), INCONSISTENT)
        return Verdict((Choice({k: SLIP}, {}, -c[0] / drive if drive < 0.0 else 0.0), opens), INDETERMINATE)
    force = -np.linalg.solve(A, c)
    pull = math.hypot(force[1], force[2])
    sticks = Choice({k: STICK}, {}, float(force[0]))
    if A[0, 0] > mu * math.hypot(A[0, 1], A[0, 2]):  # no paradox for any direction
        if c[0] >= 0.0:
            return Verdict((opens,))
        if pull <= mu * force[0] * (1.0 + SMALL):
            return Verdict((sticks,))
        ways = slip_directions(c, A, mu)
        return Verdict((Choice({k: SLIP}, {k: ways[0]}),) if ways else (sticks if force[0] > 0.0 else opens,))
    choices = [opens] if c[0] > none else []
    if force[0] > 0.0 and pull <= mu * force[0]:
        choices.append(sticks)
    choices += [Choice({k: SLIP}, {k: way}) for way in slip_directions(c, A, mu)]
    return Verdict(tuple(choices), "" if len(choices) == 1 else INDETERMINATE if choices else INCONSISTENT)
