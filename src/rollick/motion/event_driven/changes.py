"""What follows the end of a mode, in compiled code: impacts, contacts that last, slip, stick and lift-off, as `contact.event_driven`, `landing` and `settling` have it.

Whatever has no single answer here (Painleve's paradoxes, an impact that is not solved, more contacts than can be tried) is left to Python: ASK.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.local_array import float64, int64, local_array
from ...kernel.system import dim
from ...mechanics.contact import contact_count, positions
from ..contact.balance import force_count
from ..contact.event_driven import AHEAD
from ..contact.held import IDLE, OPEN, SLIP, STICK
from ..contact.jumps import SLOW
from ..contact.landing import CLOSED, LOW
from ..contact.transitions import EDGE, LEAVING, LIFTED, NEAR, NET, STOPPED, TRACE
from .guards import ABOVE, BREAKS, FREES, IDLES, JAMS, LIFTS, NO_SLIP, PER_CONTACT
from .guards import NET as NET_LEVEL
from .one_closed import ASK, TAKEN, all_open, decide_one
from .resting import bring_to_rest, hit, is_solved, raise_up
from .several_closed import decide_several
from .sight import Choice, acceleration, find_forces, has_own_part, motion_under, see, slips

AFTER_IMPACT = -1  # in place of the old mode of the first contact: there was none


class Automaton(NamedTuple):
    """A body with contacts, and the memory of its modes: sight; the choice of modes; what modes were before; which contacts are closed, still, wanted to slip;
    which have just lifted off, and the levels of guards; a state; how well states are known."""

    system: Any
    sight: Any
    choice: Any
    before: Any
    closed: Any
    still: Any
    wanted: Any
    lifted: Any
    levels: Any
    spare: Any
    rtol: float


@compiled
def extent(y):
    """How large the position is that gaps are differences of."""
    return max(abs(y[0]), max(abs(y[1]), abs(y[2])))


@compiled
def enter(a, t, y):
    """Enter the modes of the choice in a state: the levels of what ends them."""
    apart()
    system, sight, modes = a.system, a.sight, a.choice.modes
    see(system, t, y, a.rtol, sight)
    size = extent(y)
    a.levels[ABOVE], a.levels[NET_LEVEL] = LIFTED + 10.0 * a.rtol * size, NET + 30.0 * a.rtol * size
    a.levels[NO_SLIP] = math.inf
    count = contact_count(system)
    for k in range(count):
        if count == 1:
            a.lifted[k] = a.before[0] != AFTER_IMPACT and a.before[k] != OPEN and modes[k] == OPEN
        else:
            a.lifted[k] = modes[k] == OPEN and sight.gaps[k] < NEAR and sight.gamma[3 * k] < LEAVING
        if modes[k] == SLIP and sight.mu[k] > 0.0:
            a.levels[NO_SLIP] = min(a.levels[NO_SLIP], STOPPED * sight.still[k])


@compiled
def fly(a, t, y):
    """Go on with all contacts open."""
    all_open(a.system, a.choice)
    enter(a, t, y)
    return TAKEN


@compiled
def take(a, t, y):
    """Go over to the choice of modes; slip that begins gets a first trace, along the accelerations with which it begins."""
    system, choice = a.system, a.choice
    see(system, t, y, a.rtol, a.sight)
    size, any_held = 0.0, False
    for k in range(contact_count(system)):
        if choice.begins[k]:
            size = max(size, TRACE * a.sight.still[k] / choice.paces[k])
    for k in range(contact_count(system)):
        any_held = any_held or choice.modes[k] != OPEN
        a.closed[k] = choice.modes[k] != OPEN
        a.still[k] = choice.modes[k] == STICK or choice.begins[k]
        a.wanted[3 * k] = a.wanted[3 * k + 1] = a.wanted[3 * k + 2] = 0.0
        if choice.begins[k]:
            a.wanted[3 * k + 1] = size * choice.paces[k] * choice.ways[2 * k]
            a.wanted[3 * k + 2] = size * choice.paces[k] * choice.ways[2 * k + 1]
    if any_held:
        bring_to_rest(system, t, y, a.closed, a.still, a.wanted)
    enter(a, t, y)
    return TAKEN


@compiled
def add_closed(a):
    """Count as closed those that touch because others do: the fourth foot of a table."""
    system, sight, total, m = a.system, a.sight, 0, 0
    row_of, more = local_array(force_count(a.system), int64), local_array(contact_count(a.system), int64)
    for k in range(contact_count(system)):
        more[k] = 0
        if a.closed[k]:
            total += 1
            for i in range(3 if a.still[k] else 1):
                row_of[m] = 3 * k + i
                m += 1
    if total < 2:
        return total
    for k in range(contact_count(system)):
        if not a.closed[k] and abs(sight.gaps[k]) < NEAR:
            more[k] = not has_own_part(system, sight, row_of, m, 3 * k, 1)
    for k in range(contact_count(system)):
        if more[k]:
            a.closed[k] = 1
            total += 1
    return total


@compiled
def settle(a, t, y, later):
    """Go on with the contacts a.closed: pull the state onto them, find the modes, and take them. `later`: they are asked for a moment later, in the state a.spare."""
    apart()
    system, first = a.system, -1
    see(system, t, y, a.rtol, a.sight)
    for k in range(contact_count(system)):
        a.still[k] = a.closed[k] and not slips(a.sight, k)
        a.wanted[3 * k] = a.wanted[3 * k + 1] = a.wanted[3 * k + 2] = 0.0
        first = k if a.closed[k] and first < 0 else first
    if first < 0:
        return fly(a, t, y)
    bring_to_rest(system, t, y, a.closed, a.still, a.wanted)
    see(system, t, y, a.rtol, a.sight)
    total = add_closed(a)
    if later:
        bring_to_rest(system, t + AHEAD, a.spare, a.still, a.still, a.wanted)
        see(system, t + AHEAD, a.spare, a.rtol, a.sight)
    status = decide_one(system, a.sight, first, a.choice) if total == 1 else decide_several(system, a.sight, a.closed, a.choice)
    return take(a, t, y) if status == TAKEN else status


@compiled
def fall_of(a, k, touching):
    """With which acceleration contact k comes back: free, or with the others that do not leave held, what is less."""
    system, sight = a.system, a.sight
    others = Choice(
        local_array(contact_count(a.system), int64), local_array(contact_count(a.system), int64), local_array(force_count(a.system), float64),
        local_array(contact_count(a.system), float64), local_array(force_count(a.system), float64),
    )  # fmt: skip
    x = local_array(force_count(a.system), float64)
    all_open(system, others)
    any_stays, free = False, -sight.c[3 * k]
    for j in range(contact_count(system)):
        if j != k and touching[j] and sight.gamma[3 * j] <= SLOW:
            others.modes[j], any_stays = SLIP if slips(sight, j) else STICK, True
    if not any_stays:
        return free
    find_forces(system, sight, others, x)
    held = -acceleration(system, sight, x, 3 * k)
    return min(free, held) if held > 0.0 else free


@compiled
def land(a, t, y, held):
    """After an impact: contacts rebound, or last from the limit of the remaining rebounds on."""
    apart()
    system, sight, count = a.system, a.sight, contact_count(a.system)
    touching, before = local_array(contact_count(a.system), int64), local_array(dim(a.system), float64)
    see(system, t, y, a.rtol, sight)
    for k in range(count):
        touching[k] = held[k] or sight.gaps[k] < CLOSED
    raise_up(system, y, sight)
    for i in range(before.size):
        before[i] = y[i]
    hit(system, t, y, touching)
    see(system, t, y, a.rtol, sight)
    if not is_solved(system, before, y, touching, sight):
        return ASK
    low, lasts = 2.0 * (LOW + 10.0 * a.rtol * extent(before)), False
    for k in range(count):
        a.closed[k] = 0
        if touching[k]:
            fall = fall_of(a, k, touching)
            if sight.gamma[3 * k] <= max(SLOW, math.sqrt(low * max(fall, 0.0))):
                a.closed[k] = fall > 0.0 or held[k] or count > 1
                lasts = lasts or a.closed[k] != 0
    a.before[0] = AFTER_IMPACT
    return settle(a, t, y, False) if lasts else fly(a, t, y)


@compiled
def begin(a, t, y):
    """In the air, in contact, or, if a contact is closed and approaches, with an impact."""
    system, sight, hits = a.system, a.sight, False
    none = local_array(contact_count(a.system), int64)
    see(system, t, y, a.rtol, sight)
    fastest, nq = 0.0, positions(system)
    for i in range(nq, y.size):
        fastest = max(fastest, abs(y[i]))
    slow = 1e-12 * (1.0 + fastest)
    for k in range(contact_count(system)):
        none[k] = 0
        touches = sight.gaps[k] < 1e-12
        hits = hits or (touches and sight.gamma[3 * k] < -slow)
        a.closed[k] = touches and sight.gamma[3 * k] <= slow
    a.before[0] = AFTER_IMPACT
    return land(a, t, y, none) if hits else settle(a, t, y, False)


@compiled
def look_ahead(a, y, without):
    """A state a moment later in the present modes, with contact `without` open (-1: with all), into a.spare."""
    system, choice, nq = a.system, a.choice, positions(a.system)
    x = local_array(force_count(a.system), float64)
    mode = choice.modes[without] if without >= 0 else OPEN
    if without >= 0:
        choice.modes[without] = OPEN
    for k in range(contact_count(system)):
        choice.begins[k] = 0  # it has begun
    find_forces(system, a.sight, choice, x)
    motion_under(system, a.sight, x, a.spare[nq:])
    for i in range(y.size):
        a.spare[i] = y[i] + AHEAD * (a.sight.free[i] if i < nq else a.spare[i])
    if without >= 0:
        choice.modes[without] = mode


@compiled
def after(a, which, values, t, y):
    """What follows the end of a mode by a guard, whose values are `values`; y is then the state after it. TAKEN, or ASK."""
    apart()
    system, sight, modes, count = a.system, a.sight, a.choice.modes, contact_count(a.system)
    held = local_array(contact_count(a.system), int64)
    x = local_array(force_count(a.system), float64)
    ending = which - PER_CONTACT * count
    for k in range(count):
        held[k] = modes[k] != OPEN
        a.before[k] = modes[k]
        a.choice.begins[k] = 0
    if ending < 0 and which % PER_CONTACT < 2:
        return land(a, t, y, held)
    see(system, t, y, a.rtol, sight)
    for k in range(count):
        if modes[k] == OPEN and sight.gaps[k] <= CLOSED and sight.gamma[3 * k] < -SLOW:
            return land(a, t, y, held)  # at the same instant
    if ending < 0:
        enter(a, t, y)
        return TAKEN
    if ending == IDLES:
        lands = False
        for k in range(count):
            held[k] = modes[k] != OPEN and modes[k] != IDLE
            lands = lands or (modes[k] == IDLE and sight.gaps[k] < 0.0)
        if lands:
            return land(a, t, y, held)
    drive = PER_CONTACT * count + JAMS
    if ending in (JAMS, FREES) and abs(values[drive] + EDGE) < 2.0 * EDGE:
        return ASK
    later, least = ending in (LIFTS, BREAKS), -1
    if ending == LIFTS:  # without the force of the contact that carries least: does the gap grow?
        find_forces(system, sight, a.choice, x)
        for k in range(count):
            if held[k] and modes[k] != IDLE and (least < 0 or x[3 * k] < x[3 * least]):
                least = k
    if later:
        look_ahead(a, y, least)
    for k in range(count):
        a.closed[k] = held[k]
    return settle(a, t, y, later)
