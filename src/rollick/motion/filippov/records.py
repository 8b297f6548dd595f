"""Records: the arrays of a motion through modes in one piece of memory, so that compiled code passes one address instead of dozens of arrays.

States have room for `capacity(n)` numbers, of which those from n on stay zero: loops over them have a length that is known while compiling, and the same machine code
serves all systems of up to that size.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...kernel.compiled import compiled, interpreted
from .algebra.code import JUDGED
from .algebra.forces import ROWS
from .algebra.futures import MOST, WIDTH

PAIRS = 9  # of modes
WATCHED = 6  # quantities that end a mode


@compiled
def capacity(n):
    """The room for n states: small systems are served by short loops, others by those of the next multiple of sixteen."""
    return 8 if n <= 8 else 16 * ((n + 15) // 16)


@compiled
def put_state(m, y):
    """A state into its record."""
    for i in range(y.size):
        m.state[i] = y[i]


def fields(**shapes: Any) -> np.dtype:
    """A record of real arrays of these shapes (or of a type of their own)."""
    return np.dtype([(name, s) if isinstance(s, np.dtype) else (name, np.float64, s) for name, s in shapes.items()], align=True)


@functools.cache
def here_kind(n: int) -> np.dtype:
    """All contacts at an instant, see `form`: free rates, pushes, c, A, slips, grips, loads; directions w, forces x, their null vector, what `judge` tells, futures.

    And what was made ready for pairs of modes (`steady`): whether, and how many equations are missing; forces of what rolls by c and by the forces of what slips; what they and
    c make of the normal acceleration of what slips; the null vector. Of a step, how many rates were asked for, whether what ends its mode
    is noted on the way, (and whether the form is a steady one that was seen before,) between which values that was (`ends`), c at its start, and where directions are held (`straight`) whether they are, the largest slips across them, and the least along them; and whether forces
    are linear in c (`steady`), the largest diagonal entry of A, the tau of the static margin that was told last, and the matrix.
    """
    n = interpreted(capacity)(n)
    return fields(
        free=(n,), push=(ROWS, n), c=(ROWS,), A=(ROWS, ROWS), slip=(4,), mu=(2,), load=(2,), w=(4,), x=(ROWS,), null=(ROWS,), told=(JUDGED,),
        rows=(MOST, WIDTH), held=(PAIRS,), by_c=(PAIRS, ROWS, ROWS), by_x=(PAIRS, ROWS, ROWS), closing=(PAIRS, ROWS), closing_by=(PAIRS, 3), loose=(PAIRS, ROWS),
        seen=(3,), low=(WATCHED,), high=(WATCHED,), c_before=(ROWS,), straight=(5,), fixed=(3,), by_fixed=(ROWS, ROWS),
    )  # fmt: skip


def record(kind: np.dtype) -> Any:
    """An empty record: its fields are attributes, for Python and for compiled code."""
    return np.zeros(1, kind).view(np.recarray)[0]


def room(n: int) -> Any:
    """An empty record of all contacts at an instant, for n states."""
    return record(here_kind(n))
