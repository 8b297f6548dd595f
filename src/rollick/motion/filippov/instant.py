"""The contacts of a form at an instant, for Python: forces and futures, as the solver sees them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from .algebra.code import JUDGED, contact_code, find_futures, judge
from .algebra.forces import ROWS, SLIP
from .algebra.future import Future, future_of
from .algebra.futures import MOST, WIDTH
from .by_address import ReadyForm, aim, see
from .records import room

NO_DIRECTION = np.zeros(6)


@compiled
def look(form, modes, t, y, here):
    """Everything at an instant, directions of slip too: with one component, its sign."""
    see(form, modes, t, y, here)
    aim(form, modes, NO_DIRECTION, here)
    if form.size == 1:
        for k in range(form.total):
            if modes[k] == SLIP and here.slip[2 * k] != 0.0:
                here.w[2 * k] = 1.0 if here.slip[2 * k] > 0.0 else -1.0


@compiled
def all_futures(code, count, size, pressing, was, still, careful, c, A, mu, load, w, rows):
    """`futures`, for Python."""
    return find_futures(code, count, size, pressing, was, still, careful, c, A, mu, load, w, rows)


@compiled
def all_forces(code, count, size, pressing, modes, c, A, mu, load, w, x, null, told):
    """`judged`, for Python."""
    return judge(code, count, size, pressing, modes, c, A, mu, load, w, x, null, told)


class Contacts:
    """A system's contacts. Modes are pairs of 0 (open), 1 (slip), 2 (roll)."""

    def __init__(self, system: Any, n: int):
        self.ready, self.n = ReadyForm(system), n
        form = self.ready.form
        self.count, self.shape = form.total, (form.total, form.size, bool(form.pressing))

    def at(self, t: float, y: Any, modes: tuple[int, int]) -> Any:
        """The contacts with modes[k] > 0 at an instant."""
        here = room(self.n)
        look(self.ready.form, modes, float(t), np.ascontiguousarray(y, float), here)
        return here

    @staticmethod
    def speeds(here: Any) -> np.ndarray:
        """|u| of both contacts."""
        return np.hypot(here.slip[::2], here.slip[1::2])

    def forces(self, here: Any, modes: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, int]:
        """Forces (N, T1, T2 of both contacts), a pair that changes nothing, and how many equations are missing."""
        x, null = np.zeros(ROWS), np.zeros(ROWS)
        missing = all_forces(
            contact_code(), *self.shape, modes, here.c, here.A, here.mu, here.load, here.w, x, null, np.zeros(JUDGED)
        )
        return x, null, int(missing)

    def rates(self, t: float, y: Any, modes: tuple[int, int]) -> np.ndarray:
        """dy/dt in a mode."""
        here = self.at(t, y, modes)
        x, _, _ = self.forces(here, modes)
        if not self.shape[2]:
            x[::3] = 0.0  # known loads are not in the rows
        return here.free[: self.n] + x @ here.push[:, : self.n]

    def futures(self, here: Any, was: tuple[int, int], still: tuple[bool, bool]) -> list[Future]:
        """All consistent combinations."""
        rows = np.zeros((MOST, WIDTH))
        number = all_futures(contact_code(), *self.shape, was, still, True, here.c, here.A, here.mu, here.load, here.w, rows)
        return [future_of(row, self.count) for row in rows[:number]]
