"""A system with dry contacts, each in a mode: in each combination an ODE in the states of the system, and what ends it.

stops      the slip of a contact that slips comes to zero
lifts      a normal force comes to zero
breaks     the forces of rolling leave their cones (of two contacts that roll: for every force between them)
jams       slip loses its unique normal force (Painleve)
closes     a contact that was open closes
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.local_array import float64, local_array
from ...kernel.scalar import sqrt
from ...kernel.system import described_through, dim, integral_count, project, rate, signal_count, signals
from ..events.event import Event
from ..events.functions import Ready, switch_values
from .code import DRIVE, JUDGED, MARGIN, SIZE, Code, find_futures, judge
from .forces import OPEN, ROWS, SLIP
from .form import contact_form, contact_total, directions, hold, in_modes, opening, presses, slip_size

SURE = 1e3  # times the slip that counts as none: much less has a direction that is not known well enough to judge forces by
CLOSED = 1e-9  # m: an open contact that is so far below its surface has closed
EDGE = 1e-6  # of `drive`: closer to zero, the normal force of slip has no limit


class FilippovMode(NamedTuple):
    """A system with its contacts in given modes: 0 open, 1 slip, 2 roll; two numbers, the second 0 if there is one contact."""

    system: Any
    modes: tuple
    code: Code


described_through[FilippovMode] = "system"


@dim.register(FilippovMode)
def _(mode):
    return dim(mode.system)


@integral_count.register(FilippovMode)
def _(mode):
    return 0


@signal_count.register(FilippovMode)
def _(mode):
    return signal_count(mode.system)


@signals.register(FilippovMode)
def _(mode, t, y, out):
    signals(mode.system, t, y, out)


@compiled
def mode_rate(code, system, modes, t, y, out):
    """dy/dt."""
    x, null, slip = local_array(ROWS, y.dtype), local_array(ROWS, y.dtype), local_array(4, y.dtype)
    in_modes(code, system, modes, t, y, out, x, null, slip)


@rate.register(FilippovMode)
def _(mode, t, y, out):
    mode_rate(mode.code, mode.system, mode.modes, t, y, out)


@project.register(FilippovMode)
def _(mode, y):
    return hold(mode.system, mode.modes, y)


@compiled
def seen(system, modes, t, y, free, push, c, A, slip, mu, load, w):
    """The form of the contacts with modes[k] > 0, with grips, loads and directions of slip."""
    contact_form(system, modes, t, y, free, push, c, A, slip)
    directions(system, modes, t, y, slip, mu, load, w)


class Ending(NamedTuple):
    """What is watched for the end of a mode: levels of slip (two)."""

    level0: float
    level1: float


STOPS0, STOPS1, LIFTS0, LIFTS1, BREAKS, JAMS, CLOSES0, CLOSES1 = range(8)
NAMES = ("stops", "stops", "lifts", "lifts", "breaks", "jams", "closes", "closes")


@compiled
def slip_speed(size, slip, k):
    """|u_k|."""
    b = slip[2 * k + 1] if size == 2 else 0.0
    return sqrt(slip[2 * k] * slip[2 * k] + b * b)


@compiled
def ending_values(levels, code, system, modes, t, y, out):
    """Positive while the mode goes on."""
    n = dim(system)
    free, push = local_array(n, float64), local_array((ROWS, n), float64)
    c, A = local_array(ROWS, float64), local_array((ROWS, ROWS), float64)
    slip, w = local_array(4, float64), local_array(4, float64)
    mu, load = local_array(2, float64), local_array(2, float64)
    x, null = local_array(ROWS, float64), local_array(ROWS, float64)
    count, size, pressing = contact_total(system), slip_size(system), presses(system)
    seen(system, modes, t, y, free, push, c, A, slip, mu, load, w)
    told = local_array(JUDGED, float64)
    judge(code, count, size, pressing, modes, c, A, mu, load, w, x, null, told)
    f = told[SIZE] if told[SIZE] > 0.0 else 1.0
    for i in range(8):
        out[i] = 1.0
    doubt = 0.0
    for k in range(count):
        if modes[k] == SLIP:
            level = levels.level0 if k == 0 else levels.level1
            here = slip_speed(size, slip, k)
            out[STOPS0 + k] = here - level
            ratio = min(1.0, SURE * level / max(here, level))
            doubt = max(doubt, ratio * ratio * ratio * ratio * ratio * ratio)
        if modes[k] == OPEN:
            out[CLOSES0 + k] = opening(system, t, y, k) + CLOSED
    for k in range(count):
        if modes[k] == SLIP and pressing:
            out[LIFTS0 + k] = x[3 * k] / f + doubt
    out[BREAKS] = min(told[MARGIN] / f, 1e3) + doubt
    out[JAMS] = told[DRIVE] - EDGE + doubt


@switch_values.register(Ending)
def _(event, mode, t, y, out):
    ending_values(event, mode.code, mode.system, mode.modes, t, y, out)


def endings(levels: np.ndarray) -> list[Event]:
    """The events that end a mode: slips below these levels, and the others."""
    watched = Ready(Ending(float(levels[0]), float(levels[1])), len(NAMES), True)
    return [Event(watched, "falling", terminal=True, touch=False, name="end")]


@compiled
def look(system, modes, t, y, free, push, c, A, slip, mu, load, w, gaps):
    """Everything at an instant, for Python."""
    seen(system, modes, t, y, free, push, c, A, slip, mu, load, w)
    for k in range(contact_total(system)):
        gaps[k] = opening(system, t, y, k)


@compiled
def all_futures(code, count, size, pressing, was, still, c, A, mu, load, w, rows):
    """`futures`, for Python."""
    return find_futures(code, count, size, pressing, was, still, c, A, mu, load, w, rows)


@compiled
def all_forces(code, count, size, pressing, modes, c, A, mu, load, w, x, null, told):
    """`judged`, for Python."""
    return judge(code, count, size, pressing, modes, c, A, mu, load, w, x, null, told)
