"""Saltation: how neighbours of a motion get across a change of its equations or a jump of its state.

Columns w are what neighbours differ by at equal times, one for each way in which they may differ: in a state at the start, say, or in a parameter p, which owes g_p and R_p besides.
An event g(t, y, p) = 0 ends a piece of the motion with the rate f; the next piece begins at y+ = R(t, y, p) with the rate f+:

    dt  = -(g_y w + g_p)/(g_t + g_y f)       how the instant of the event moves
    dy  = w + f dt                           how the state in which the event finds the motion moves
    dy+ = R_y dy + R_t dt + R_p              how the state after it moves; dy+ = dy where only the rate jumps
    w+  = dy+ - f+ dt                        what neighbours differ by after it, at equal times

For w = 1 this is the saltation matrix S = R_y + (R_y f + R_t - f+) dt; for w = 0 and the parameter alone it is the column s_p beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def time_shift(moves: Any, speed: float) -> Any:
    """dt in seconds per unit of each column, for moves = g_y w + g_p (a number, or one for each column) and speed = g_t + g_y f.

    nan where the motion only touches (speed = 0): some neighbours pass there and some do not, so that no derivative exists. Who asks says so, in words of its own.
    """
    return -moves / speed if abs(speed) > 0.0 else np.nan * moves


def with_instant(w: np.ndarray, dt: Any, f: np.ndarray) -> np.ndarray:
    """w + f dt: from columns at equal times to how the state at a moving instant moves; with -dt the way back. One column and a number, or columns (n, k) and k numbers."""
    moves: np.ndarray = w + np.multiply.outer(f, dt)
    return moves


def across(
    w: np.ndarray, dt: Any, f: np.ndarray, f_after: np.ndarray, jump: Callable[[Any, np.ndarray], np.ndarray] | None = None
) -> np.ndarray:
    """w+ after a change, for the columns w before it; `jump(dt, dy)` is R_y dy + R_t dt + R_p, None where the state goes on."""
    dy = with_instant(w, dt, f)
    return with_instant(dy if jump is None else jump(dt, dy), -dt, f_after)
