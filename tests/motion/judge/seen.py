"""All contacts of a body at an instant, for Python: what they do, and what their forces would do to them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rollick.mechanics.contact import contact_count, velocities
from rollick.motion.contact.balance import look
from rollick.motion.contact.by_address import MODES, ByAddress
from rollick.motion.contact.held import SLIP, STICK
from rollick.motion.contact.sharing import REDUNDANT
from rollick.motion.event_driven.thresholds import MOVING, STILL


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
    ranges: dict[tuple[int, ...], np.ndarray] = field(default_factory=dict)  # found so far

    def of(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """c and A of one contact alone."""
        return self.c[k], self.A[3 * k : 3 * k + 3, 3 * k : 3 * k + 3]

    def slips(self, k: int) -> bool:
        """Whether contact k slips, or cannot hold."""
        return bool(self.mu[k] <= 0.0 or math.hypot(self.gamma[k, 1], self.gamma[k, 2]) > MOVING * self.still[k])

    def way(self, k: int) -> np.ndarray:
        """The direction of the slip; zero if it cannot hold."""
        return np.zeros(2) if self.mu[k] <= 0.0 else self.gamma[k, 1:] / math.hypot(self.gamma[k, 1], self.gamma[k, 2])

    def columns(self, modes: tuple[int, ...], ways: dict[int, np.ndarray] | None = None) -> tuple[list[int], np.ndarray]:
        """The rows that modes hold, and the forces of all contacts per unknown (a column per row); slip that begins goes along `ways`."""
        held = [(k, i) for k, mode in enumerate(modes) for i in range({SLIP: 1, STICK: 3}.get(mode, 0))]
        part = np.zeros((self.A.shape[0], len(held)))
        for p, (k, i) in enumerate(held):
            part[3 * k + i, p] = 1.0
            if modes[k] == SLIP and self.mu[k] > 0.0:
                part[3 * k + 1 : 3 * k + 3, p] = -self.mu[k] * (ways[k] if ways and k in ways else self.way(k))
        return [3 * k + i for k, i in held], part

    def forces(
        self, modes: tuple[int, ...], ways: dict[int, np.ndarray] | None = None, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """The forces of all contacts in given modes; redundant ones share them as `sharing` says."""
        rows, part = self.columns(modes, ways)
        if not rows:
            return np.zeros(len(part))
        S, x0 = self.A[rows] @ part, np.zeros(len(rows)) if shares is None else shares[rows]
        Q = self.range_of(rows)
        B, b = Q.T @ S @ Q, Q.T @ (-self.c.ravel()[rows] - S @ x0)
        try:
            return part @ (x0 + Q @ np.linalg.solve(B, b))
        except np.linalg.LinAlgError:  # slip without a unique normal force
            return part @ (x0 + Q @ np.linalg.lstsq(B, b, rcond=1e-15)[0])

    def range_of(self, rows: list[int]) -> np.ndarray:
        """An orthonormal basis of what the rows of a rigid body can do together."""
        key = tuple(rows)
        if key not in self.ranges:
            U, sizes, _ = np.linalg.svd(self.A[np.ix_(rows, rows)])
            self.ranges[key] = U[:, sizes > REDUNDANT * sizes[0]]
        return self.ranges[key]

    def drive(self, modes: tuple[int, ...]) -> float:
        """`drive`, see `held`."""
        rows, part = self.columns(modes)
        slipping = [k for k, mode in enumerate(modes) if mode == SLIP]
        if not slipping:
            return math.inf
        if len(modes) == 1:
            A = self.A
            return float(2.0 * (A[0] @ part[:, 0]) / (A[1, 1] + A[2, 2]))
        Q = self.range_of(rows)
        return float(np.linalg.det(Q.T @ self.A[rows] @ part @ Q) / np.linalg.det(Q.T @ self.A[np.ix_(rows, rows)] @ Q))

    def accelerations(self, forces: np.ndarray) -> np.ndarray:
        """gamma' of all contacts under given forces, by contact."""
        return self.c + (self.A @ forces).reshape(-1, 3)

    def motion(self, forces: np.ndarray) -> np.ndarray:
        """u' under given forces."""
        return self.free[-self.lift.shape[1] :] + forces @ self.lift

    def rates(self, modes: tuple[int, ...], shares: np.ndarray | None = None) -> np.ndarray:
        """dy/dt in given modes."""
        made = self.free.copy()
        made[-self.lift.shape[1] :] = self.motion(self.forces(modes, None, shares))
        return made


def view_once(system: Any, t: float, y: np.ndarray) -> View:
    """All contacts of a body at one instant; whoever looks at many makes it ready for them once (`by_address`)."""
    by_address = ByAddress(system, MODES, any_size=True)
    return view(by_address.body, t, y)


def view(system: Any, t: float, y: np.ndarray, rtol: float = 0.0) -> View:
    """All contacts at an instant; `rtol` is how well velocities are known."""
    count, nu = int(contact_count(system)), int(velocities(system))
    gaps, mu, speeds, c, gamma = np.empty(count), np.empty(count), np.empty(count), np.empty(3 * count), np.empty(3 * count)
    A, lift, free = np.empty((3 * count, 3 * count)), np.empty((3 * count, nu)), np.empty(y.size)
    look(system, np.ones(count), float(t), np.ascontiguousarray(y, float), gaps, mu, speeds, free, c, A, lift, gamma)
    return View(gaps, mu, gamma.reshape(-1, 3), c.reshape(-1, 3), A, lift, free, np.maximum(STILL, rtol * speeds))
