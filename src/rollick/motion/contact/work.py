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
    ALL_RESIDUAL, ALL_TRIAL, ALL_CHANGE, OFFSET, BOUNCE, WANTED, SOFT, REFERENCE, TANGENT, PUSH, STEP, LOOSE, CURVED, TURNING, TURNING_LIFT,
    KEPT, NOISE, VECTORS,
) = range(35)  # fmt: skip
# rows of `k`: closed contacts; their modes in the last step (0 open, 1 slipped, 2 stuck), one step earlier; whether xi is the sum of both velocities;
# whether the percussion of a closed contact lies inside its reservoir: nothing moves there
CLOSED, STUCK, WAS, HALVED, HELD, WHOLE = range(6)
# columns of `last`: percussions of the last step, and sums by contact: impulse, energy lost to sliding, pivoting, contour friction and along the normal,
# and how far the scheme may let a contact sink: dt times the change of its normal velocity
IMPULSE, SLID, PIVOTED, ROLLED, HIT, SINKING = range(ROWS, ROWS + 6)
MEMORY = ROWS + 6
# entries of the last row of `last`, about all contacts: how often Newton's method needed help, steps that were halved, impacts whose restitution
# was lowered; energy that closing gaps gave, energy from surfaces that move, energy that damping took; how fast a contact turned in the last
# step (rad/s), which one that was (from 1 on; 0: none), and steps made in parts for that; energy lost
# by contacts that last along their normals and, where they stick, along the surface: an error of the scheme
FALLBACKS, HALVED_STEPS, LOWERED, ADJUSTED, SUPPLIED, DRAGGED, TURN, TURNING_CONTACT, TURNED_STEPS, FALSE_WORK = range(10)


class Work(NamedTuple):
    """M; W and M^-1 W^T (rows of the closed contacts, one after the other); G, a Newton matrix and slopes of the laws; the same for one contact; vectors;
    whole numbers; memory.

    `last` holds, by contact, the percussions of the last step and the sums of the accounting, and in one more row what is counted of all.
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
        z((3, n, n)),
        z((3, ROWS, ROWS)),
        z((VECTORS, longest)),
        z((WHOLE, contacts), np.int64),
        z((contacts + 1, MEMORY)),
    )
