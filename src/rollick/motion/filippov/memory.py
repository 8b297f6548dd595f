"""The memory of a motion through modes: a record of numbers that survives from block to block, and the arrays of its steps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..ode.dop853 import ROWS as STEP_ROWS
from .arrival import ArrivalWork, arrival_work
from .by_address import Here, room
from .directed import DirectedWork, directed_work

# Entries of the record: modes (2), given directions (4) and whether they count (2: slip has just begun), scales of slip (2), the size of accelerations, what counts
# as none relative to the scales, the whole time, a slip scale of the user's (0: none), the policy, choices made so far, why it ended, which contact, changes, the longest
# step of late, changes at one instant and that instant, the number of futures at the last
# change, since when rolling is not unique (nan: it is; inf: not asked), whether slip is followed down to nothing, whether the last step was a slaved one,
# steps until that is tried again.
MODE, GIVEN, SCALE, PACE, RELATIVE, SPAN, OWN_SCALE, POLICY, CHOSEN, WHY, CONTACT, CHANGES, USUAL, CROWDED, INSTANT, FOUND, FORKED, CAREFUL, SLAVED, WAIT, SIZE = (
    0, 2, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
)  # fmt: skip

CLOSED = 1e-9  # m: a gap that counts as none

# Why a motion through modes ended before its time.
GOES_ON, PAINLEVE, AMBIGUOUS, LOST, CLOSES, JAMMED, CROWD, MOST_CHANGES, FORKS, WRONG = range(10)

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


class Memory(NamedTuple):
    """record; stages of DOP853; largest states so far; tolerances in use; a state; slips at the start of a step; what is watched; log and its length; choices."""

    record: Any
    k: Any
    largest: Any
    atol: Any
    y: Any
    u0: Any
    values: Any
    U: Any
    dense: Any
    log: Any
    logged: Any
    choices: Any
    here: Here
    directed: DirectedWork
    arrival: ArrivalWork


def memory(n: int, choices: Any) -> Memory:
    """Memory for n states."""
    record = np.zeros(SIZE)
    record[FORKED] = np.nan
    return Memory(
        record,
        np.zeros((STEP_ROWS, n)),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.zeros(4),
        np.zeros((6, 8)),
        np.zeros(4),
        np.zeros((7, n)),
        np.zeros((LOG_ROWS, LOG_STATE + n)),
        np.zeros(1, np.int64),
        np.array(choices, float),
        room(n),
        directed_work(n),
        arrival_work(n),
    )
