"""The arrays of a run of time steps: nothing is allocated in a step. Few of them, since compiled code passes each along with every call."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ROWS = 6
PACE = 6  # where the factors hold the share of xi for smooth laws
FACTORS = 8  # factors per contact
# rows of `v`: vectors
(
    FORCE, MIDDLE, RATE, FREE, MEAN, END, CONSTANT, BEFORE, PERCUSSION, FACTOR, LOCAL, VELOCITY, XI, IMAGE, RESIDUAL, TRIAL, CHANGE,
    ALL_RESIDUAL, ALL_TRIAL, ALL_CHANGE, OFFSET, VECTORS,
) = range(22)  # fmt: skip
# rows of `k`: closed contacts; their modes in the last step (0 open, 1 slipped, 2 stuck), one step earlier; whether xi is the sum of both velocities
CLOSED, STUCK, WAS, HALVED, WHOLE = range(5)


class Work(NamedTuple):
    """M; W and M^-1 W^T (rows of the closed contacts, one after the other); G and a Newton matrix; the same for one contact; vectors; whole numbers; memory.

    `last` holds the percussions of the last step, by contact.
    """

    M: Any
    rows: Any
    square: Any
    small: Any
    v: Any
    k: Any
    last: Any


def work_for(nq: int, nu: int, contacts: int) -> Work:
    """Room for a system with so many positions, velocities and contacts."""
    n = ROWS * contacts
    longest = max(nq, nu, n, FACTORS * contacts)
    z = np.zeros
    return Work(
        z((nu, nu)),
        z((2, n, nu)),
        z((2, n, n)),
        z((2, ROWS, ROWS)),
        z((VECTORS, longest)),
        z((WHOLE, contacts), np.int64),
        z((contacts, ROWS)),
    )
