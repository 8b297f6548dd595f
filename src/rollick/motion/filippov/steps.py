"""One step inside a mode: which method and how long, its rates, its error, its dense output, and what it leaves behind.

DOP853, or where slip is so small that its direction is stiff, or begins, the collocation of `slip.directed`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...kernel.compiled import compiled
from ...kernel.system import project, rate
from ..ode.around_step import all_finite, is_wanted
from ..ode.control import (
    ACCEPTED,
    EVALUATIONS,
    GROW,
    LAST_REJECTED,
    MOST_STEP,
    NEXT_AT,
    REJECTED,
    STEP,
    STORED,
    TIME,
    step_factor,
)
from ..ode.dense import copy, interpolate
from ..ode.dop853 import NEW, dop853_dense, dop853_step, width
from .algebra.forces import SLIP
from .by_address import field, keep_on, see, slip_rates
from .ends import PLACES
from .memory import BENT, GIVEN, SLAVED, SPAN, USUAL, WAIT
from .slip.directed import directed_dense, directed_growth, directed_step, slip_by_angle
from .slip.slips import speed
from .slip.straight import FREE, NOTED, note_slips
from .steady import fix, is_held, make_ready, unfix
from .watched import begin_noting, can_end, note_stage, watched_here

STIFF, VERY_STIFF = 3.0, 10.0  # |h lambda| of the direction of slip: where it may pay to slave it, where it must be
LONGER = 6.0  # times a step of DOP853: a slaved one that is tried instead
NO_GAIN = 20.0  # steps of DOP853 before a slaved one is tried again where it did not pay
FLOOR = 1e-2  # of the largest value of a state so far: what its error is relative to at least


class InModes(NamedTuple):
    """A form in its modes, as a system for the steps of DOP853; `values`: memory for what is noted on the way."""

    form: Any
    modes: tuple
    given: Any
    here: Any
    values: Any


@rate.register(InModes)
def _(system, t, y, out):
    field(system.form, system.modes, system.given, t, y, system.here, out)
    if system.here.seen[1] > 0.0:
        note_stage(system.form, system.modes, system.given, system.here, system.values)
    if system.here.straight[0] == NOTED:
        note_slips(system.form, system.modes, system.here)


@project.register(InModes)
def _(system, y):
    return keep_on(system.form, system.modes, y)


@width.register(InModes)
def _(system, y):
    return y.size


@compiled
def tolerances(y, m, rtol, atol):
    """Absolute tolerances: those that are asked for, and a part of the relative one for states that were much larger before."""
    for i in range(atol.size):
        m.largest[i] = max(m.largest[i], abs(y[i]))
        m.atol[i] = atol[i] + FLOOR * rtol * m.largest[i]


@compiled
def begin_step(form, modes, s, y, m, tolerance):
    """Rates, slips and what is watched at the present state; whether they are finite."""
    given, here = m.record[GIVEN : GIVEN + 6], m.here
    unfix(here)
    if form.steady != 0 and not is_held(modes, here):
        see(form, modes, s[TIME], y, here)
        make_ready(form, modes, here)
    field(form, modes, given, s[TIME], y, here, m.k[0])
    slip_rates(form, modes, here, m.U)
    copy(here.c, here.c_before)
    for k in range(2):
        for i in range(2):
            m.u0[2 * k + i] = here.slip[2 * k + i] if given[4 + k] == 0.0 else 0.0
    tolerances(y, m, tolerance.relative, tolerance.absolute)
    watched_here(form, modes, given, here, m.values[0])
    s[EVALUATIONS] += 1.0
    return all_finite(m.k[0], y.size)


@compiled
def stiffness(form, modes, m):
    """The largest rate at which the direction of a slip follows, |w x du'/dphi|/|u|; m.k[0], m.U, m.here hold the present state."""
    most, here = 0.0, m.here
    for k in range(form.total):
        if modes[k] == SLIP and speed(here, k) > 0.0:
            phi = math.atan2(here.slip[2 * k + 1], here.slip[2 * k])
            d1, d2 = slip_by_angle(form, modes, k, phi, here, m.U[2 * k], m.U[2 * k + 1])
            turns = here.w[2 * k] * d2 - here.w[2 * k + 1] * d1
            most = max(most, abs(turns) / speed(here, k))
    return most


@compiled
def which_step(r, h, longest, lambda_, begins):
    """The length of the next step, and whether the direction of slip is slaved in it.

    DOP853 follows a fast direction with short steps; where these would be much shorter than what is left of slip, slaved ones are tried, and kept if they are longer.
    """
    if begins:
        return min(h, longest), True
    if r[SLAVED] > 0.0 and lambda_ * min(h, longest) > 0.1 * STIFF:
        return min(h, longest), True
    if r[WAIT] == 0.0 and h * lambda_ > 0.1 * STIFF and LONGER * h < longest and lambda_ * longest > STIFF:
        return LONGER * h, True
    return min(h, longest), min(h, longest) * lambda_ > VERY_STIFF


@compiled
def make_step(form, modes, slaved, t, y, h, m, rtol):
    """Try a step of length h from y, where m.k[0], m.U are the rates; the new state in m.k[NEW]. Its error."""
    given = m.record[GIVEN : GIVEN + 6]
    if not slaved:
        if modes[0] != SLIP and modes[1] != SLIP:
            fix(form, modes, m.here)
        if is_held(modes, m.here) and can_end(form, modes):
            begin_noting(m.here, m.values[0])
        error = dop853_step(InModes(form, modes, given, m.here, m.values[PLACES]), t, y, h, m.k, rtol, m.atol)
        m.here.seen[1] = 0.0
        return error * math.sqrt(y.size / form.n)  # it is a mean over the states there are
    d = m.directed
    copy(m.k[0], d.F[0])
    copy(m.U, d.U[0])
    angles = (math.atan2(given[1], given[0]), math.atan2(given[3], given[2]))
    if given[4] == 0.0:
        angles = (math.atan2(m.u0[1], m.u0[0]), angles[1])
    if given[5] == 0.0:
        angles = (angles[0], math.atan2(m.u0[3], m.u0[2]))
    return directed_step(form, modes, t, y, m.u0, angles, h, m.here, d, rtol, m.atol, m.k[NEW])


@compiled
def make_dense(form, modes, slaved, t, y, h, m):
    """The dense output of the step just made, into m.dense."""
    if slaved:
        directed_dense(y, m.k[NEW], h, m.directed, m.dense)
    else:
        dop853_dense(InModes(form, modes, m.record[GIVEN : GIVEN + 6], m.here, m.values[PLACES]), t, y, h, m.k, m.dense)


@compiled
def straight_dense(y, new, h, rate, f):
    """The dense output of the last way of slip: a parabola with the rate at its start."""
    for i in range(y.size):
        f[0, i] = new[i] - y[i]
        f[1, i] = h * rate[i] - f[0, i]
        for row in range(2, f.shape[0]):
            f[row, i] = 0.0


@compiled
def keep_state(s, y, block):
    """Store time and state in the slot that s[STORED] points at, if they are wanted."""
    if block.store:
        slot = int(s[STORED])
        block.ts[slot] = s[TIME]
        copy(y, block.ys[slot])


@compiled
def accept(form, modes, s, y, new, h, new_time, m, block):
    """Take over the new state; write what is wanted of the step."""
    while is_wanted(s, block.at, new_time, h):
        j = int(s[NEXT_AT])
        if block.at[j] == new_time:
            copy(new, block.at_out[j])
        else:
            interpolate((block.at[j] - s[TIME]) / h, y, m.dense, block.at_out[j])
        keep_on(form, modes, block.at_out[j])
        s[NEXT_AT] += 1.0
    if block.dense:
        f = block.fs[int(s[STORED])]
        for row in range(f.shape[0]):
            copy(m.dense[row], f[row])
    copy(new, y)
    keep_on(form, modes, y)
    s[TIME] = new_time
    s[STORED] += 1.0
    s[ACCEPTED] += 1.0
    keep_state(s, y, block)


@compiled
def shorter(s, h, error, slaved):
    """Note a step that was not good enough, and the length of the next try."""
    s[REJECTED] += 1.0
    s[LAST_REJECTED] = 1.0
    if not math.isfinite(error):
        s[STEP] = 0.25 * h
    else:
        s[STEP] = h * (max(0.2, 0.8 * error ** (-1.0 / 6.0)) if slaved else step_factor(error, 1.0))


@compiled
def growth(s, error, slaved, h, m):
    """By how much the next step may be longer."""
    most = 1.0 if s[LAST_REJECTED] > 0.0 else GROW
    return directed_growth(m.directed, h, error, most) if slaved else step_factor(error, most)


@compiled
def new_start(m, s, h):
    """The first step after a change of mode: about as long as the longest of late."""
    r = m.record
    if max(r[USUAL], h) > 0.0:  # else there was no step yet, and the one that was to be the first will do
        s[STEP] = min(max(r[USUAL], h), s[MOST_STEP])
    r[USUAL] = 0.8 * max(r[USUAL], h)
    r[SLAVED] = r[WAIT] = 0.0
    r[BENT] = max(0.0, r[BENT] - 1.0)
    m.directed.before[:] = 0.0


@compiled
def reject(m, s, h, error, slaved, begins, lambda_):
    """Note a step that was not good enough, and what to try next; whether there is something to try."""
    r = m.record
    if slaved and not begins and (r[SLAVED] == 0.0 or h * lambda_ < STIFF):  # to slave the direction does not pay here
        r[SLAVED], r[WAIT] = 0.0, NO_GAIN
        s[STEP] = h / LONGER
        s[REJECTED] += 1.0
        return True
    shorter(s, h, error, slaved)
    return slaved or math.isfinite(error) or not abs(s[STEP]) < 1e-14 * r[SPAN]


@compiled
def take_over(form, modes, slaved, s, y, h, new_time, m, block):
    """Accept a step in its mode: slip that had just begun has its own direction from now on."""
    r = m.record
    accept(form, modes, s, y, m.k[NEW], h, new_time, m, block)
    m.here.straight[0] = FREE
    unfix(m.here)
    if form.size == 2:
        r[GIVEN + 4] = r[GIVEN + 5] = 0.0
    s[LAST_REJECTED] = 0.0
    r[SLAVED] = 1.0 if slaved else 0.0
    r[WAIT] = max(0.0, r[WAIT] - 1.0)
