"""Starts of a body whose contacts are closed, pulled onto them: Newton's method leads next to where they hold, and there a motion would begin with a tiny flight."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    law_of,
    positions,
    rows_per_contact,
    surface_velocity,
    tidy,
    velocities,
)
from ...motion.contact.by_address import MODES, ByAddress
from ...motion.contact.held import OPEN, SLIP, STICK
from ...motion.contact.onto import pull_onto
from ...motion.contact.resistance import grip
from ...motion.hybrid.differences import difference

CLOSED, STILL = 1e-8, 1e-7  # of positions and velocities: a gap and a speed that are none
BESIDE = 1e-3  # a start so far from a contact is pulled onto it


class Contacts:
    """The contacts of a body at an instant."""

    def __init__(self, system: Any):
        self.system, self.count, self.nq = system, int(contact_count(system)), int(positions(system))
        self.body: Any = None  # the same by addresses, whose code is compiled once for all bodies

    def sizes(self, y: np.ndarray) -> tuple[float, float]:
        """What gaps and contact velocities are compared with: positions and velocities, at least 1."""
        return 1.0 + float(np.abs(y[: self.nq]).max()), 1.0 + float(np.abs(y[self.nq :]).max())

    def gap_at(self, k: int, t: float, y: np.ndarray) -> float:
        """The size of a gap."""
        return abs(float(gap(self.system, t, y[: self.nq], k)))

    def velocities_at(self, k: int, t: float, y: np.ndarray) -> np.ndarray:
        """The contact velocities W u - w."""
        rows = int(rows_per_contact(self.system))
        W, w = np.zeros((rows, int(velocities(self.system)))), np.zeros(rows)
        contact_rows(self.system, t, y[: self.nq], k, W)
        surface_velocity(self.system, t, y[: self.nq], k, w)
        return np.asarray(W @ y[self.nq :] - w)

    def modes(self, t: float, y: np.ndarray) -> np.ndarray:
        """OPEN, SLIP or STICK of each contact, as far as the state tells."""
        far, fast = self.sizes(y)
        found = np.full(self.count, OPEN)
        for k in range(self.count):
            if self.gap_at(k, t, y) <= CLOSED * far:
                gamma = np.abs(self.velocities_at(k, t, y))
                if gamma[0] <= STILL * fast:
                    can_stick = float(grip(law_of(self.system, k))) > 0.0
                    found[k] = STICK if can_stick and gamma[1:3].max() <= STILL * fast else SLIP
        return found

    def approach(self, t: float, y: np.ndarray) -> list[float]:
        """The speeds with which closed contacts approach."""
        far, fast = self.sizes(y)
        closed = [k for k in range(self.count) if self.gap_at(k, t, y) <= CLOSED * far]
        speeds = [-float(self.velocities_at(k, t, y)[0]) for k in closed]
        return [speed for speed in speeds if speed > STILL * fast]

    def beside(self, held: np.ndarray, t: float, y: np.ndarray) -> np.ndarray:
        """Of the modes of closed contacts those that a state is next to."""
        far, fast = self.sizes(y)
        near = [
            held[k] != OPEN and self.gap_at(k, t, y) <= BESIDE * far and abs(self.velocities_at(k, t, y)[0]) <= BESIDE * fast
            for k in range(self.count)
        ]
        return np.where(near, held, OPEN)

    def onto(self, modes: np.ndarray, t: float, y: np.ndarray) -> np.ndarray:
        """The state that keeps what must hold exactly (a unit quaternion), pulled onto contacts."""
        made = np.array(y, float)
        tidy(self.system, made[: self.nq])
        if np.any(modes != OPEN):
            self.body = self.body or ByAddress(self.system, MODES, any_size=True)
            for _ in range(2):  # Newton's method; the second step is one of rounding
                pull_onto(self.body.body, modes.astype(float), float(t), made)
        return made

    def slope(self, modes: np.ndarray, t: float, y: np.ndarray) -> np.ndarray:
        """The derivative of that by the state."""

        def column(way: np.ndarray) -> np.ndarray:
            return difference(lambda h: self.onto(modes, t, y + h * way), 1e-4)

        return np.stack([column(way) for way in np.eye(y.size)], axis=-1)
