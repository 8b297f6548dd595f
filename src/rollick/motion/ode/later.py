"""Dense output put off: what is kept of a step of DOP853 instead, and the dense output made of it, or states of order 6, when they are asked for.

The dense output takes three more evaluations of the rate, and most steps of a motion that is searched for events are plainly far from one. A slot of
such a block has `ROWS` rows: the stages 1 and 6 to 13, the state at the end of the step (before it is projected), and its length, which becomes 0 when
the first rows have become the dense output.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.combination import combination
from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from .dense import ROWS as DENSE
from .dop853 import NEW, dop853_dense
from .dop853_tableau import INSIDE

SKIPPED = 4  # stages 2 to 5 serve no other purpose than the stages after them
FIRST, LAST, END, LENGTH = (
    0,
    8,
    9,
    10,
)  # rows: the rate at the start and at the end of the step, the state there, the step's length
ROWS = 11

inside1, inside2, inside3, inside4, inside5, inside6, inside7 = (
    combination({1 if stage == 1 else stage - SKIPPED: weight for stage, weight in INSIDE[j].items()}) for j in range(1, 8)
)


class Later(NamedTuple):
    """Dense output that may have been put off: what it is made with."""

    system: Any
    work: Any  # as the `k` of DOP853


class Made(NamedTuple):
    """Dense output that is always there."""


@compiled
def put_off(k, h, f):
    """Keep what a step of length h has left in k."""
    n = k.shape[1]
    for i in range(n):
        f[FIRST, i] = k[0, i]
        f[END, i] = k[NEW, i]
    for j in range(5, 13):
        for i in range(n):
            f[j - SKIPPED, i] = k[j, i]
    f[LENGTH, 0] = h


@compiled
def is_put_off(fs, step):
    """Whether the dense output of a step has still to be made."""
    return fs.shape[1] > DENSE and fs[step, LENGTH, 0] != 0.0


@generic
def make(source, ts, ys, fs, step):
    """Make the dense output of a step, if it has been put off; whether that was so."""


@make.register(Made)
def _(source, ts, ys, fs, step):
    return False


@make.register(Later)
def _(source, ts, ys, fs, step):
    if not is_put_off(fs, step):
        return False
    f, k = fs[step], source.work
    for i in range(k.shape[1]):
        k[0, i] = f[FIRST, i]
        for j in range(5, 13):
            k[j, i] = f[j - SKIPPED, i]
        k[NEW, i] = f[END, i]
    dop853_dense(source.system, ts[step], ys[step], f[LENGTH, 0], k, f)
    f[LENGTH, 0] = 0.0
    return True


@compiled
def state_inside(f, y, j, out):
    """The state at the fraction (1 - cos(pi j/8))/2 of a step that starts at y, for j = 1 to 7, of order 6."""
    h = f[LENGTH, 0]
    for i in range(out.size):
        if j == 4:
            out[i] = y[i] + h * inside4(f, i)
        elif j == 2:
            out[i] = y[i] + h * inside2(f, i)
        elif j == 6:
            out[i] = y[i] + h * inside6(f, i)
        elif j == 1:
            out[i] = y[i] + h * inside1(f, i)
        elif j == 3:
            out[i] = y[i] + h * inside3(f, i)
        elif j == 5:
            out[i] = y[i] + h * inside5(f, i)
        else:
            out[i] = y[i] + h * inside7(f, i)
