"""What every integrator does around its steps: how long the next one is, states at requested times, the ends of steps."""

from __future__ import annotations

import math

from ...kernel.compiled import compiled, inlined
from ...kernel.system import project
from .control import END, NEXT_AT, STEP, STORED, TIME
from .dense import copy, interpolate

EPS = 2.220446049250313e-16


@compiled
def all_finite(v, n):
    """Whether the first n entries are finite numbers."""
    for i in range(n):
        if not math.isfinite(v[i]):
            return False
    return True


@inlined
def next_step(s):
    """The length of the next step, and whether it is the last one; 0 if it is below what the time can resolve."""
    left, h = s[END] - s[TIME], s[STEP]
    if abs(h) * 1.01 >= abs(left):
        return left, True
    if abs(h) < 10.0 * EPS * abs(s[TIME]) or abs(h) < 1e-300:
        return 0.0, False
    return h, False


@inlined
def is_wanted(s, at, new_time, h):
    """Whether a state is requested before the end of a step of length h."""
    return s[NEXT_AT] < at.size and (at[int(s[NEXT_AT])] - new_time) * h <= 0.0


@compiled
def write_requested(system, s, y, new, f, new_time, h, at, at_out):
    """The states at the requested times in the step from y at s[TIME] to `new`, whose dense output is f."""
    while is_wanted(s, at, new_time, h):
        j = int(s[NEXT_AT])
        if at[j] == new_time:
            copy(new, at_out[j])
        else:
            interpolate((at[j] - s[TIME]) / h, y, f, at_out[j])
        project(system, at_out[j])
        s[NEXT_AT] += 1.0


@inlined
def keep(s, y, ts, ys):
    """Store time and state in the slot that s[STORED] points at."""
    slot = int(s[STORED])
    ts[slot] = s[TIME]
    for i in range(y.size):
        ys[slot, i] = y[i]
