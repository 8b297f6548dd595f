"""The memory of a motion through modes: a record of numbers that survives from block to block, and the arrays of its steps."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...kernel.compiled import interpreted
from ..ode.dop853 import ROWS as STEP_ROWS
from .records import WATCHED, capacity, fields, here_kind, record
from .slip.arrival import arrival_kind
from .slip.directed import directed_kind

# Entries of the record: modes (2), given directions (4) and whether they count (2: slip has just begun), scales of slip (2), the size of accelerations, what counts
# as none relative to the scales, the whole time, a slip scale of the user's (0: none), the policy, choices made so far, why it ended, which contact, changes, the longest
# step of late, changes at one instant and that instant, the number of futures at the last
# change, since when rolling has not been the only future (nan: it is), whether slip is followed down to nothing, whether the last step was a slaved one,
# steps until that is tried again, changes until slip may be taken for straight again.
MODE, GIVEN, SCALE, PACE, RELATIVE, SPAN, OWN_SCALE, POLICY, CHOSEN, WHY, CONTACT, CHANGES, USUAL, CROWDED, INSTANT, FOUND, FORKED, CAREFUL, SLAVED, WAIT, BENT, SIZE = (
    0, 2, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
)  # fmt: skip

# Why a motion through modes ended before its time.
GOES_ON, PAINLEVE, AMBIGUOUS, LOST, JAMMED, CROWD, MOST_CHANGES, FORKS, WRONG = range(9)

# A row of the log: time, what ended the mode, contact, modes before and after, number of futures, the one taken, where slip begins, given directions after and before;
# then the state.
LOG_TIME, LOG_WHY, LOG_CONTACT, LOG_OLD, LOG_NEW, LOG_FUTURES, LOG_TAKEN, LOG_BEGINS, LOG_GIVEN, LOG_STATE = (
    0,
    1,
    2,
    3,
    5,
    7,
    8,
    9,
    11,
    19,
)
LOG_ROWS = 256
FEW_ROWS = 4  # of a motion whose log nobody reads


MOST_CHOICES = 16  # there is room for, unless there are more


@functools.cache
def memory_kind(n: int, choices: int, rows: int = LOG_ROWS) -> np.dtype:
    """record; stages of DOP853; largest states so far; tolerances in use; a state, and the present one; slips at the start of a step; what is watched; slip rates; dense
    output, and room for another; log and its length; choices and their number; the contacts; memory of `directed` and `arrival`."""
    size = interpreted(capacity)(n)
    return fields(
        record=(SIZE,), k=(STEP_ROWS, size), largest=(size,), atol=(size,), y=(size,), state=(size,), u0=(4,), values=(6, WATCHED), U=(4,), dense=(7, size), spare=(7, size),
        log=(rows, LOG_STATE + size), logged=(1,), choices=(max(choices, MOST_CHOICES),), chosen_from=(1,),
        here=here_kind(n), directed=directed_kind(size), arrival=arrival_kind(size),
    )  # fmt: skip


def memory(n: int, choices: Any, rows: int = LOG_ROWS) -> Any:
    """Memory for n states, and a log of so many rows."""
    m = record(memory_kind(n, len(choices), rows))
    m.record[FORKED] = np.nan
    m.atol[:] = 1.0
    if choices:
        m.choices[: len(choices)] = choices
        m.chosen_from[0] = len(choices)
    return m
