"""A motion from event to event in compiled code: steps, each looked at before the next one is made, and the changes of mode between them.

Each mode begins with DOP853. Where it is stiff (slip that begins slowly, smooth laws), steps are made by Radau IIA until it is stiff no more (`stiff`).

Where a change has no single answer (`changes`), whoever asked for the motion says how it goes on: `simulate` asks the user's policy (`policy`, `stepper`), ensembles simulate such a member
by itself.
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.local_array import float64, local_array
from ...kernel.system import dim, rate
from ...mechanics.contact import contact_count, contacts_move, gap, positions
from ..contact.balance import force_count
from ..contact.held import SLIP
from ..contact.onto import pull_onto
from ..contact.uniqueness import is_only_future
from ..ode import control as c
from ..ode.around_step import all_finite, keep, write_requested
from ..ode.block import Block, Tolerance
from ..ode.control import SIZE
from ..ode.dense import ROWS as DENSE
from ..ode.dense import copy, interpolate, shorten
from ..ode.dop853 import ROWS as STAGES
from ..ode.explicit import advance_explicit, first_step
from .account import book_impact
from .changes import after, begin, has_one_future_ahead, settle, take
from .guards import CUT, Guards, first_ending, guards_at
from .held_body import HeldBody, is_any_held
from .one_closed import ASK, TAKEN
from .several_closed import copy_choice
from .sight import acceleration, find_forces
from .thresholds import CROWD, SAME

ORDER = 8.0  # of DOP853
# options: how well states are known, longest step, most steps, most changes of mode, how far below a surface no step may end, whether stiffness is looked for
RTOL, MAX_STEP, MAX_STEPS, MAX_CHANGES, DEEPEST, STIFF, OPTIONS = range(7)
END_TIME, STEPS, CHANGES, TOLD = range(4)  # what is told of a motion besides its end
# Why a block ended, beside the reasons of `ode.control`: somebody is to say what follows, or it is below a surface.
ASKED, BELOW = 101, 102
# In place of the guard that ended a mode: there was none; too many changes at an instant, or in all; the motion has yet to start.
STARTS, CROWDED, TOO_MANY, NOT_STARTED = -1.0, -2.0, -3.0, -4.0
STRUCK = -5.0  # an impact without collision
SLOWLY = 30.0  # times the acceleration of a slip that begins: friction's own, from which on it begins slowly
TURNED = 0.5  # cosine of the angle between two directions of slip from which on it has turned


@compiled
def least_gap(system, t, y):
    """The least gap of all contacts."""
    least = math.inf
    for k in range(contact_count(system)):
        least = min(least, gap(system, t, y[: positions(system)], k))
    return least


@generic
def make_step(work, body, s, y, tolerance, step):
    """A step into `step` by the method that some work space is for; why no other one is made (`ode.control`)."""


@make_step.otherwise
def _(work, body, s, y, tolerance, step):
    return advance_explicit(body, s, y, work, tolerance, step)


@generic
def renew_rate(work, body, t, y):
    """Put the rate at (t, y) where the work space of a method holds that at the start of the next step. (It gives no array back: that cannot be compiled for GPUs.)"""


@renew_rate.otherwise
def _(work, body, t, y):
    rate(body, t, y, work[0])


@generic
def begin_mode(work, body, guards, m, s, y, tolerance, step, options):
    """Begin a mode; c.FULL, or why the motion does not go on like this."""


@begin_mode.otherwise
def _(work, body, guards, m, s, y, tolerance, step, options):
    if not enter_mode(body, guards, m, s, y, work, tolerance, options):
        return c.NOT_FINITE
    return c.STIFFNESS if step.watch and slip_begins_slowly(body.system, m) else c.FULL


@generic
def while_stiff(work, k, body, code, m, log, s, y, tolerance, step, block, options):
    """Go on while the motion is stiff; c.FULL where it no longer is, or why it ended. k: the work space of DOP853. Without work space for Radau IIA: c.STIFFNESS."""


@while_stiff.otherwise
def _(work, k, body, code, m, log, s, y, tolerance, step, block, options):
    return c.STIFFNESS


@compiled
def enter_mode(body, guards, m, s, y, k, tolerance, options):
    """The rate, the first step and the guards at the start of a mode; whether the rate is finite."""
    apart()
    rate(body, s[c.TIME], y, k[0])
    if not all_finite(k[0], y.size):
        return False
    s[c.STEP] = first_step(body, s[c.TIME], y, s[c.END], ORDER, options[MAX_STEP], k, tolerance.relative, tolerance.absolute)
    s[c.LAST_REJECTED] = s[c.STIFF] = s[c.NOT_STIFF] = 0.0
    s[c.EVALUATIONS] += 2.0
    guards_at(guards, s[c.TIME], y[: dim(guards.system)], m.values[0])
    m.fresh = 1.0
    return True


@compiled
def slip_begins_slowly(system, m):
    """Whether a contact begins to slip with hardly any acceleration, as it does at the edge of its cone: as long as slip is slow, its direction is stiff."""
    sight, choice = m.sight, m.choice
    x, known = local_array(force_count(system), float64), False
    for k in range(contact_count(system)):
        if choice.begins[k] > 0.0:
            if not known:
                find_forces(system, sight, choice, x)
                known = True
            grows = math.hypot(acceleration(system, sight, x, 3 * k + 1), acceleration(system, sight, x, 3 * k + 2))
            rubs = sight.mu[k] * x[3 * k] * max(sight.A[3 * k + 1, 3 * k + 1], sight.A[3 * k + 2, 3 * k + 2])
            if rubs > SLOWLY * grows:
                return True
    return False


@compiled
def note_slips(system, m):
    """Keep in which directions slips began, and which of them turned with this change."""
    modes, begins, ways, old = m.choice.modes, m.choice.begins, m.choice.ways, m.old.modes
    for k in range(contact_count(system)):
        m.turns[k] = 0.0
        if begins[k] > 0.0:
            along = m.begun_ways[2 * k] * ways[2 * k] + m.begun_ways[2 * k + 1] * ways[2 * k + 1]
            if old[k] == SLIP and not (m.begun[k] > 0.0 and along > TURNED):
                m.turns[k] = 1.0
            m.begun[k], m.begun_ways[2 * k], m.begun_ways[2 * k + 1] = 1.0, ways[2 * k], ways[2 * k + 1]
        if modes[k] != SLIP:
            m.begun[k] = 0.0


@compiled
def log_change(system, m, log, t, y):
    """A row of the log for the change just made."""
    row = log[int(m.logged)]
    row.t, row.ending, row.landed, row.approach = t, m.asked, m.landed, m.approach
    row.limit, row.stops_at = m.limit, m.stops_at
    copy_choice(system, m.choice, row.choice)
    for k in range(contact_count(system)):
        row.before[k], row.mu[k] = m.old.modes[k], m.sight.mu[k]
        row.held[k], row.touching[k], row.lasting[k], row.turns[k] = m.held[k], m.touching[k], m.lasting[k], m.turns[k]
    for i in range(y.size):
        row.hit[i], row.y[i] = m.after[i], y[i]
    m.logged += 1.0


@compiled
def start(body, code, m, log, t, y, options):
    """The mode at the start, and the state in it; TAKEN, or ASK."""
    apart()
    n = dim(body.system)
    m.logged = m.changes = m.crowd = m.landed = m.in_band = 0.0
    m.instant, m.asked = -math.inf, STARTS
    for k in range(contact_count(body.system)):
        m.begun[k] = 0.0
    status = begin(body.system, code, m, t, y[:n], options[RTOL])
    if status == TAKEN:
        status = look_past_start(body.system, code, m, t, y[:n], options[RTOL])
    for k in range(contact_count(body.system)):
        m.old.modes[k] = 0.0
    if status == TAKEN:
        finish_change(body, m, log, t, y)
    return status


@compiled
def look_past_start(system, code, m, t, y, rtol):
    """Whether the start is where a band begins in which contacts that stick may slip as well: ASK, or TAKEN."""
    if is_only_future(system, code, m.choice.modes[:], t, y) or has_one_future_ahead(system, code, m, t, y, rtol):
        return TAKEN
    return ASK


@compiled
def finish_change(body, m, log, t, y):
    """Put a change that was made into the account and the log."""
    if m.landed > 0.0:
        book_impact(body, m, t, y)
    note_slips(body.system, m)
    log_change(body.system, m, log, t, y[: dim(body.system)])


@compiled
def change(body, code, m, log, which, t, y, options):
    """What follows the end of a mode by a guard, and the state after it; TAKEN, or ASK: then m.asked says what ended it, and m.old holds the modes before."""
    apart()
    system, n = body.system, dim(body.system)
    copy_choice(system, m.choice, m.old)
    m.asked, m.landed = which, 0.0
    m.changes += 1.0
    m.crowd = m.crowd + 1.0 if t - m.instant <= SAME else 1.0
    m.instant = t if m.crowd == 1.0 else m.instant
    if m.crowd > CROWD:
        m.asked = CROWDED
    elif m.changes >= options[MAX_CHANGES]:
        m.asked = TOO_MANY
    if m.asked < 0.0 or after(system, code, m, which, t, y[:n], options[RTOL]) != TAKEN:
        return ASK
    finish_change(body, m, log, t, y)
    return TAKEN


@compiled
def take_chosen(body, m, log, t, y, rtol):
    """Go over to m.choice, with which somebody answered what was asked."""
    take(body.system, m, t, y[: dim(body.system)], rtol)
    finish_change(body, m, log, t, y)


@compiled
def settle_struck(body, code, m, log, t, y, rtol):
    """Go on after an impact without collision (m.struck, m.touching, m.blows); TAKEN, or ASK."""
    book_impact(body, m, t, y)
    m.asked, m.landed = STRUCK, 0.0
    if settle(body.system, code, m, t, y[: dim(body.system)], rtol) != TAKEN:
        return ASK
    finish_change(body, m, log, t, y)
    return TAKEN


@compiled
def keep_step(body, s, y, step, x, block):
    """Put the step just made, which ends at its fraction x, into the block: states at requested times, its dense output, and its end."""
    t, end, place = step.ts[0], s[c.TIME], int(s[c.STORED])
    s[c.TIME] = t
    write_requested(body, s, step.ys[0], y, step.fs[0], end, step.ts[1] - t, block.at, block.at_out)
    s[c.TIME] = end
    if block.dense:
        f = block.fs[place]
        for j in range(DENSE):
            copy(step.fs[0, j], f[j])
        if x < 1.0:
            shorten(x, step.ys[0], f, step.fs[0])
    s[c.STORED] += 1.0
    if block.store:
        keep(s, y, block.ts, block.ys)


@compiled
def keep_jump(s, y, block):
    """Put a step of no length into the block, across which the state jumps; at requested times, the state is that behind it."""
    j = int(s[c.NEXT_AT]) - 1
    while j >= 0 and block.at[j] == s[c.TIME]:
        copy(y, block.at_out[j])
        j -= 1
    if block.store:
        if block.dense:
            f = block.fs[int(s[c.STORED])]
            for j in range(DENSE):
                for i in range(y.size):
                    f[j, i] = 0.0
        s[c.STORED] += 1.0
        keep(s, y, block.ts, block.ys)


@compiled
def follow_modes(body, code, m, log, s, y, work, tolerance, step, block, options):
    """Go on from (s[TIME], y) until s[END], until the block or the log is full, or until the other method would do better; why it ended.

    work: that of DOP853 or of Radau IIA, step: room for one step."""
    apart()
    system, n = body.system, dim(body.system)
    guards = Guards(system, m, code)
    s[c.STORED] = 0.0
    if m.asked == NOT_STARTED and start(body, code, m, log, s[c.TIME], y, options) != TAKEN:
        return ASKED
    if block.store:
        keep(s, y, block.ts, block.ys)
    while s[c.END] > s[c.TIME]:
        stored = s[c.STORED]
        if stored >= block.ts.size - 2 or m.logged >= log.size:
            return c.FULL
        if m.fresh < 0.0:
            why = begin_mode(work, body, guards, m, s, y, tolerance, step, options)
            if why != c.FULL:
                return why
        why = make_step(work, body, s, y, tolerance, step)
        made, s[c.STORED] = s[c.STORED], stored
        if made == 0.0:
            return why
        t = step.ts[0]
        x, which = first_ending(guards, t, step.ys[0], step.ts[1] - t, step.fs[0], m.fresh > 0.0)
        m.fresh = 0.0
        moves = contacts_move(system) and is_any_held(m.choice.modes)
        if x < 1.0:
            s[c.TIME] = t + x * (step.ts[1] - t)
            interpolate(x, step.ys[0], step.fs[0], y)
        if moves:
            pull_onto(system, m.choice.modes[:], s[c.TIME], y[:n])
        guards_at(guards, s[c.TIME], y[:n], m.values[0])
        keep_step(body, s, y, step, x, block)
        if which == CUT:
            s[c.STEP], s[c.LAST_STEP] = x * (step.ts[1] - t), 0.0
        if which == CUT or moves:
            renew_rate(work, body, s[c.TIME], y)
        if which >= 0:
            m.fresh = -1.0
            if change(body, code, m, log, which, s[c.TIME], y, options) != TAKEN:
                return ASKED
            keep_jump(s, y, block)
            if m.pauses > 0.0:
                return c.FULL if s[c.END] > s[c.TIME] else c.REACHED
        elif not least_gap(system, s[c.TIME], y[:n]) >= -options[DEEPEST]:
            return BELOW
        elif why == c.STIFFNESS or why == c.SMOOTH:
            return why
    return c.REACHED


@compiled
def follow_contacts(system, code, m, work, log, start_at, span, tolerances, options, end, told):
    """The end of a motion over a span of time into `end`, and what is told of it; TAKEN, or ASK. code: where the algebra of its contacts is (`filippov.algebra.code`); m: memory; work: for
    Radau IIA, or nothing; log: room for a row; tolerances: the relative one, then one for each state."""
    apart()
    s, atol, y = local_array(SIZE, float64), local_array(dim(system), float64), local_array(dim(system), float64)
    k, none = local_array((STAGES, dim(system)), float64), local_array((1, 1), float64)
    step = Block(
        local_array(2, float64), local_array((2, dim(system)), float64), local_array((1, DENSE, dim(system)), float64), none[0, :0], none, True, True,
        options[STIFF] > 0.0,
    )  # fmt: skip
    block = Block(local_array(3, float64), step.ys, step.fs, none[0, :0], none, False, False, False)
    for i in range(SIZE):
        s[i] = 0.0
    for i in range(dim(system)):
        y[i], atol[i] = start_at[i], tolerances[1 + i]
    for i in range(told.size):
        told[i] = 0.0
    s[c.TIME], s[c.END], s[c.MOST_STEP], s[c.LEFT] = span[0], span[1], options[MAX_STEP], options[MAX_STEPS]
    body, tolerance = HeldBody(system, m.choice), Tolerance(tolerances[0], atol)
    m.fresh, m.pauses, m.asked, why = -1.0, 0.0, NOT_STARTED, c.FULL
    while why == c.FULL:
        m.logged = 0.0
        why = follow_modes(body, code, m, log, s, y, k, tolerance, step, block, options)
        if why == c.STIFFNESS:
            why = while_stiff(work, k, body, code, m, log, s, y, tolerance, step, block, options)
    copy(y, end)
    told[END_TIME], told[STEPS], told[CHANGES] = s[c.TIME], s[c.ACCEPTED], m.changes
    return TAKEN if why == c.REACHED and s[c.TIME] == s[c.END] and least_gap(system, s[c.TIME], y) >= -options[DEEPEST] else ASK
