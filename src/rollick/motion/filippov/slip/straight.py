"""Slip that goes straight: its direction does not change, as that of a ball on a plane, or of one contact while the other one rolls between flat walls.

Then the field is smooth right up to u = 0, with the direction held, and DOP853 goes from where slip begins to just before its end; else the direction is stiff there, and is
slaved (`directed`). Whether slip goes straight is not known before: it is tried where its rate is along it at the start of a step, and slips across the directions are
noted at all stages.
"""

from __future__ import annotations

import math

from ....kernel.compiled import compiled
from ..algebra.forces import SLIP
from ..by_address import aim
from ..memory import BENT, CAREFUL, GIVEN, PACE, SCALE
from ..steady import fix, unfix
from .slips import none, speed

TURNS = 1e-12  # of the accelerations at hand: a rate across the direction of slip that is none
ASIDE = 1e-2  # of the relative tolerance: slip across the direction, relative to that along it, that is none
ROUNDING = 1e-13  # of what slips are compared with: slip across the direction that is rounding
NOTHING = 1e-10  # of the same: slip against the direction that is none
PRECISELY = 1e-6  # of a step: how well its end is foreseen
FREE, NOTED, HELD = 0.0, 1.0, 2.0  # directions of slip in a step: its own; held, and slips across noted; held
PATIENCE = 8.0  # changes of mode until it is tried again, where slip did not go straight


@compiled
def may_be_straight(form, modes, m):
    """Whether all slips may go straight, by their rates at the start of a step."""
    r, here = m.record, m.here
    if r[BENT] > 0.0 or r[CAREFUL] > 0.0:
        return False
    for k in range(form.total):
        if modes[k] == SLIP and r[GIVEN + 4 + k] == 0.0:
            turning = here.w[2 * k] * m.U[2 * k + 1] - here.w[2 * k + 1] * m.U[2 * k]
            if abs(turning) > TURNS * r[PACE] or not speed(here, k) > none(m, k):
                return False
    return True


@compiled
def hold_directions(form, modes, m):
    """Give all slips the directions they have, for a step; which of them had one given before (they begin)."""
    r = m.record
    begins = (r[GIVEN + 4], r[GIVEN + 5])
    for k in range(form.total):
        if modes[k] == SLIP and r[GIVEN + 4 + k] == 0.0:
            size = math.sqrt(m.u0[2 * k] * m.u0[2 * k] + m.u0[2 * k + 1] * m.u0[2 * k + 1])
            r[GIVEN + 2 * k], r[GIVEN + 2 * k + 1] = m.u0[2 * k] / size, m.u0[2 * k + 1] / size
            r[GIVEN + 4 + k] = 1.0
    aim(form, modes, r[GIVEN : GIVEN + 6], m.here)
    fix(form, modes, m.here)
    return begins


@compiled
def begin_noting_slips(here):
    """From now on slips are noted at all stages of a step."""
    here.straight[0] = NOTED
    for i in range(1, 5):
        here.straight[i] = 0.0


@compiled
def note_slips(form, modes, here):
    """Note slips across and along the directions that are held, at a stage of a step."""
    for k in range(form.total):
        if modes[k] == SLIP:
            across = abs(here.w[2 * k] * here.slip[2 * k + 1] - here.w[2 * k + 1] * here.slip[2 * k])
            along = here.w[2 * k] * here.slip[2 * k] + here.w[2 * k + 1] * here.slip[2 * k + 1]
            if not across <= here.straight[1 + k]:
                here.straight[1 + k] = across
            if not along >= here.straight[3 + k]:
                here.straight[3 + k] = along


@compiled
def stayed_straight(form, modes, m, rtol):
    """Whether no slip left its direction in the step just made. `m.here` holds the end of the step."""
    here, straight = m.here, True
    here.straight[0] = HELD
    for k in range(form.total):
        if modes[k] == SLIP:
            size = max(abs(m.u0[2 * k]) + abs(m.u0[2 * k + 1]), speed(here, k))
            straight = straight and here.straight[1 + k] <= max(ROUNDING * m.record[SCALE + k], ASIDE * rtol * size)
    return straight


@compiled
def went_against(m, k):
    """Whether the slip of a contact went against its direction at a stage of the step just made."""
    return m.here.straight[3 + k] < -NOTHING * m.record[SCALE + k]


@compiled
def cubic_over(begins, r0, R0, r1, R1, x):
    """Value and derivative at x of the cubic with these values r and slopes R at 0 and 1; divided by x if it begins at zero there."""
    y = 1.0 - x
    if begins:
        value = R0 * y * y + r1 * x * (3.0 - 2.0 * x) - R1 * x * y
        return value, r1 * (3.0 - 4.0 * x) - 2.0 * R0 * y - R1 * (1.0 - 2.0 * x)
    value = r0 * (1.0 + 2.0 * x) * y * y + R0 * x * y * y + r1 * x * x * (3.0 - 2.0 * x) - R1 * x * x * y
    return value, 6.0 * (r1 - r0) * x * y + R0 * y * (1.0 - 3.0 * x) + R1 * x * (3.0 * x - 2.0)


@compiled
def zero_of_cubic(r0, R0, r1, R1):
    """Where in (0, 1) the cubic with these values r and slopes R at 0 and 1 vanishes; r1 < 0, and r0 > 0, or r0 = 0 < R0."""
    begins = r0 == 0.0
    first = R0 if begins else r0
    low, high, x = 0.0, 1.0, first / (first - r1)
    for _ in range(60):
        value, slope = cubic_over(begins, r0, R0, r1, R1, x)
        if value > 0.0:
            low = x
        else:
            high = x
        before = x
        x = x - value / slope if slope != 0.0 else 0.5 * (low + high)
        if not low < x < high:
            x = 0.5 * (low + high)
        if abs(x - before) < PRECISELY:
            break
    return x


@compiled
def let_go(m, begins):
    """Directions are no longer held, after a step that is not taken."""
    m.here.straight[0] = FREE
    unfix(m.here)
    m.record[GIVEN + 4], m.record[GIVEN + 5] = begins
