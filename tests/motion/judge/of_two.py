"""All futures of one or two closed contacts, by the compiled algebra of `filippov.algebra.futures`, for Python."""

from __future__ import annotations

import numpy as np

from rollick.kernel.compiled import compiled
from rollick.motion.contact.uniqueness import futures_of_closed
from rollick.motion.filippov.algebra.code import futures_code
from rollick.motion.filippov.algebra.future import Future, future_of
from rollick.motion.filippov.algebra.futures import MOST, WIDTH

from .seen import View


@compiled
def futures_for_python(code, first, second, still, c, A, mu, gamma, rows):
    """`futures_of_closed`, for Python."""
    return futures_of_closed(code, first, second, still, c, A, mu, gamma, rows)


def futures_at(seen: View, closed: tuple[int, ...]) -> list[Future]:
    """All futures of one or two closed contacts, the others being open."""
    rows = np.zeros((MOST, WIDTH))
    first, second = closed[0], closed[1] if len(closed) == 2 else -1
    still = (not seen.slips(first), second >= 0 and not seen.slips(second))
    total = futures_for_python(
        futures_code(len(closed)), first, second, still, seen.c.ravel(), seen.A, seen.mu, seen.gamma.ravel(), rows
    )
    return [future_of(row, len(closed)) for row in rows[:total]]
