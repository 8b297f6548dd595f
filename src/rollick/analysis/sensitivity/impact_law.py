"""The impact law of a body with its derivatives. Contact k closes where gap_k(t, y, p) = 0, so that the time of the impact moves by

    dt = -(grad gap . w + gap_p)/(gap_t + grad gap . f),

and with the law R (Newton's along the normal, Coulomb's along the surface, of all contacts that touch) the state after it by R_y (w + f dt) + R_t dt + R_p.

R is smooth as long as each contact goes on sliding or sticks throughout: its derivative is by differences of order six with two steps, which must agree. An impact that nearly sticks, or slides
away with 1e-5 m/s, is smooth over that distance only: there shorter and shorter steps are tried. At the very edge between sliding and sticking, and where an impact grazes, there is no derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...mechanics.contact import contact_count, gap, positions
from ...mechanics.size import size_and_extent
from ...motion.contact.by_address import STEPS as OF_STEPS
from ...motion.contact.by_address import ByAddress
from ...motion.contact.impact import impact
from ...motion.event_driven.memory import contacts_at
from ...motion.event_driven.resting import is_solved
from ...motion.event_driven.thresholds import CLOSED
from ...motion.event_driven.words import unsolved
from ...motion.filippov.forces import OPEN
from .tilt import difference, moved

GRAZES = 2e-4  # of 1 m/s and the largest velocity: an approach so slow has no derivative that could be trusted, or is one of a series that accumulates
STEPS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)  # of differences of the impact law, relative to the state: the first two that agree
SAME = 1e-6  # relative: how well two of them agree
CORNER = 1e-5  # of a derivative: a change of it within the smallest step that is none
NOISE = 1e-3  # of the state: of a derivative (by a part of the input) that small, less than SAME of it is rounding


class ImpactLaw:
    """The impacts of one body; `direction` is that of its parameters."""

    def __init__(self, system: Any, direction: Mapping[str, float]):
        self.system, self.direction = system, direction
        self.nq = int(positions(system))

    def gap(self, system: Any, t: float, y: np.ndarray, k: int) -> float:
        """Of contact k."""
        return float(gap(system, t, np.ascontiguousarray(y[: self.nq]), k))

    def closing(self, t: float, y: np.ndarray, f: np.ndarray, k: int) -> float:
        """The rate of a gap."""
        pace = reach_of(f, y)
        return float(difference(lambda h: self.gap(self.system, t + h / pace, y + h / pace * f, k))) * pace

    def hit(
        self,
        k: int,
        begin: float,
        end: float,
        state: Callable[[float], np.ndarray],
        rate: Callable[[float, np.ndarray], np.ndarray],
    ) -> float:
        """When the gap is zero: legs end a little (1e-9 m) later, so that a contact that has just opened is not taken for one that closes."""
        t = end
        for _ in range(6):
            y = state(t)
            speed = self.closing(t, y, rate(t, y), k)
            if not speed < 0.0:
                break
            step = self.gap(self.system, t, y, k) / speed
            t = min(max(t - step, begin), end)
            if abs(step) <= 1e-15 * max(1.0, abs(t)):
                break
        return t

    def time_moves(self, k: int, t: float, y: np.ndarray, w: np.ndarray, f: np.ndarray) -> float:
        """dt; grazing is refused."""
        reach = reach_of(w, y)
        speed = self.closing(t, y, f, k)
        moves = (
            float(difference(lambda h: self.gap(moved(self.system, self.direction, h / reach), t, y + h / reach * w, k))) * reach
        )
        if not -speed > GRAZES * (1.0 + float(np.abs(y[self.nq :]).max())):
            raise InputError(
                f"contact {k} of {called(self.system)} closes at t = {t:.9g} with {-speed:.3g} m/s only: the impact grazes, or is one of a series that accumulates; there "
                f"neighbours hit or miss, and nothing after it has a derivative. Let until end before, or ask for another start."
            )
        return -moves / speed

    def touching(self, k: int, t: float, y: np.ndarray, held: tuple[int, ...]) -> tuple[int, ...]:
        """The contacts that take part in an impact of contact k, `held` being the modes before it."""
        total = int(contact_count(self.system))
        closed = CLOSED * float(size_and_extent(self.system, np.ascontiguousarray(y[: self.nq]))[0])
        return tuple(j for j in range(total) if j == k or held[j] != OPEN or self.gap(self.system, t, y, j) < closed)

    def struck(self, touching: tuple[int, ...], t: float, y: np.ndarray) -> np.ndarray:
        """The state after an impact."""
        after = self._law(self.system, touching, t, y)
        seen, sight = contacts_at(self.system, t, after)
        flags = np.zeros(int(contact_count(self.system)))
        flags[list(touching)] = 1.0
        if not is_solved(seen.body, np.ascontiguousarray(y, float), after, flags, sight):
            told = unsolved(self.system, t, float(sight.gamma[::3][list(touching)].min()))
            raise InputError(f"the motion that derivatives are asked of does not come to its end: {told}")
        return after

    def slope(
        self, touching: tuple[int, ...], t: float, y: np.ndarray, dt: float, dy: np.ndarray, after: np.ndarray
    ) -> np.ndarray:
        """R_t dt + R_y dy + R_p d; the edge between sliding and sticking is refused."""
        reach = max(reach_of(dy, y), abs(dt))

        def along(h: float) -> np.ndarray:
            h = h / reach
            return self._law(moved(self.system, self.direction, h), touching, t + h * dt, y + h * dy)

        one = difference(along, STEPS[0]) * reach
        for step in STEPS[1:]:
            two = difference(along, step) * reach
            size = max(float(np.abs(two).max()), float(np.abs(dy).max()), NOISE * float(np.abs(after).max()))
            if np.abs(one - two).max() <= SAME * size:
                if not kinked(along, after, step, size / reach):
                    return one
                break
            one = two
        raise InputError(
            f"the impact of {called(self.system)} at t = {t:.9g} lies at the edge between sliding and sticking (or of a contact that takes part in it or does not): it has no "
            f"derivative there. Ask for another start, or other parameters."
        )

    @staticmethod
    def _law(system: Any, touching: tuple[int, ...], t: float, y: np.ndarray) -> np.ndarray:
        by_address = ByAddress(system, OF_STEPS)
        return impact(by_address.body, np.ascontiguousarray(y), touching, t)[0]


def kinked(f: Callable[[float], np.ndarray], middle: np.ndarray, h: float, size: float) -> bool:
    """Whether f has a corner at 0, which central differences do not see: |f(h) - 2 f(0) + f(-h)|/h falls with h where f is smooth, and stays where it is not."""
    wide, narrow = (float(np.abs(f(d) - 2.0 * middle + f(-d)).max()) / d for d in (10.0 * h, h))
    return narrow > CORNER * size and narrow > 0.3 * wide


def reach_of(w: np.ndarray, y: np.ndarray) -> float:
    """How far a direction reaches, in units of the state: differences are taken along it in such steps."""
    return max(1.0, float(np.max(np.abs(w) / (1.0 + np.abs(y)), initial=0.0)))
