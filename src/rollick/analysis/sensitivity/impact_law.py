"""The impact law of a body with its derivatives, and what an impact does to columns (`motion.hybrid.saltation`): contact k closes where gap_k(t, y, p) = 0, and the law R is Newton's along the
normal, Coulomb's along the surface, of all contacts that touch.

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
from ...motion.filippov.algebra.forces import OPEN
from ...motion.hybrid.differences import smooth_difference
from ...motion.hybrid.saltation import time_shift, with_instant
from .in_legs import Instant
from .tilt import along, column_by_column, slope_along

GRAZES = 2e-4  # of 1 m/s and the largest velocity: an approach so slow has no derivative that could be trusted, or is one of a series that accumulates


class ImpactLaw:
    """The impacts of one body; `direction` is that of its parameters."""

    def __init__(self, system: Any, direction: Mapping[str, float]):
        self.system, self.direction = system, direction
        self.nq = int(positions(system))

    def gap(self, system: Any, t: float, y: np.ndarray, k: int) -> float:
        """Of contact k."""
        return float(gap(system, t, np.ascontiguousarray(y[: self.nq]), k))

    def gap_moves(self, k: int, t: float, y: np.ndarray, dt: Any, dy: np.ndarray, direction: Mapping[str, float]) -> Any:
        """How the gap of contact k moves [m] with (dt, dy) and the parameters, for one column or several (n, k)."""
        gap = lambda system, t, y: self.gap(system, t, y, k)
        return column_by_column(lambda dt, dy: slope_along(gap, self.system, t, y, dt, dy, direction), dt, dy)

    def closing(self, k: int, t: float, y: np.ndarray, f: np.ndarray) -> float:
        """The rate of a gap [m/s]."""
        return float(self.gap_moves(k, t, y, 1.0, f, {}))

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
            speed = self.closing(k, t, y, rate(t, y))
            if not speed < 0.0:
                break
            step = self.gap(self.system, t, y, k) / speed
            t = min(max(t - step, begin), end)
            if abs(step) <= 1e-15 * max(1.0, abs(t)):
                break
        return t

    def instant(self, k: int, t: float, y: np.ndarray, w: np.ndarray, f: np.ndarray, held: tuple[int, ...]) -> Instant:
        """An impact of contact k, with a column w or several (n, k); f is the rate before it, `held` are the modes before it. Grazing is refused."""
        speed = self.closing(k, t, y, f)
        if not -speed > GRAZES * (1.0 + float(np.abs(y[self.nq :]).max())):
            raise InputError(
                f"contact {k} of {called(self.system)} closes at t = {t:.9g} with {-speed:.3g} m/s only: the impact grazes, or is one of a series that accumulates; there "
                f"neighbours hit or miss, and nothing after it has a derivative. Let until end before, or ask for another start."
            )
        dt = time_shift(self.gap_moves(k, t, y, np.zeros(w.shape[1:]), w, self.direction), speed)
        touching = self.touching(k, t, y, held)
        dy, after = with_instant(w, dt, f), self.struck(touching, t, y)
        dy_after = column_by_column(lambda dt, dy: self.slope(touching, t, y, dt, dy, after), dt, dy)
        return Instant(t, dt, y, dy, after, dy_after)

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
        law = lambda s, t, y: self._law(s, touching, t, y)
        on_the_way, reach = along(law, self.system, t, y, dt, dy, self.direction)
        found = smooth_difference(on_the_way, after, float(np.abs(dy).max()) / reach)
        if found is not None:
            return found * reach
        raise InputError(
            f"the impact of {called(self.system)} at t = {t:.9g} lies at the edge between sliding and sticking (or of a contact that takes part in it or does not): it has no "
            f"derivative there. Ask for another start, or other parameters."
        )

    @staticmethod
    def _law(system: Any, touching: tuple[int, ...], t: float, y: np.ndarray) -> np.ndarray:
        by_address = ByAddress(system, OF_STEPS)
        return impact(by_address.body, np.ascontiguousarray(y), touching, t)[0]
