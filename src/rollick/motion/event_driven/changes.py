"""What follows the end of a mode: impacts, contacts that last, slip, stick and lift-off.

    flight -> impact          gap = 0: the impact law along the normal, the friction law along the surface; then slip, stick or flight again
    slip   -> stick           the slip velocity comes to zero, and the force that rolling needs lies inside the friction cone
    stick  -> slip            that force reaches the edge of the cone; the slip begins in the direction in which it accelerates
    both   -> flight          the normal force comes to zero, and without it the gap grows
    stick  -> stick or slip   slip becomes consistent beside stick: a fork

What follows is decided by the contact law on the level of accelerations, for all closed contacts at once (`one_closed`, `several_closed`). Nothing is concluded from the event that
ended a mode, which says only that something ended. At the edge between two modes it is asked a moment later. All contacts that touch take part in an impact, those that are held, too.
Rebounds that accumulate are followed until their speed is negligible; the rest of the series is summed, and contact lasts from its limit on.

`m` is the memory of the motion (`memory`), y its state, rtol how well states are known, `code` where the algebra of contacts is (`filippov.algebra.code`). Where there is no single answer
(Painleve's paradoxes, forks, an impact that is not solved, more closed contacts than can be tried), functions return ASK and m.question says which it is: then m.closed, m.sight and y are
as they are when modes are to be chosen, and `take` goes on with a choice (`policy`).
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.dispatch import decided
from ...kernel.local_array import float64, int64, local_array
from ...mechanics.contact import contact_count, positions, restitution
from ...mechanics.size import body_size, extent
from ..contact.balance import force_count
from ..contact.held import IDLE, OPEN, SLIP, STICK
from ..contact.work import ROWS
from ..ode.dense import copy
from .guards import (
    ABOVE,
    BODY_SIZE,
    BREAKS,
    CLOSED_GAP,
    FORKS,
    FREES,
    IDLES,
    JAMS,
    LATER,
    LIFTS,
    NO_SLIP,
    PER_CONTACT,
    ROUNDED,
    STOPS,
)
from .guards import NET as NET_LEVEL
from .one_closed import ASK, TAKEN, all_open, decide_one
from .resting import bring_to_rest, hit, is_solved, raise_up, without_rebounds
from .several_closed import copy_choice, decide_several
from .sight import acceleration, find_forces, has_own_part, motion_under, see, slip_of, slips
from .thresholds import AHEAD, CLOSED, DRIVE_EDGE, LEAVING, LIFTED, LOW, NEAR, NET, NOTHING, SLOW, STOPPED, TRACE

# m.question: what contacts that are closed go on with; slip that loses its unique normal force, from above or from below; an impact that was not solved
FUTURES, JAMMED, FREED, UNSOLVED = 1.0, 2.0, 3.0, 4.0
ROUNDING = 2e-15  # of the extent of positions and of the body: gaps that may be nothing else
MOST_BLOWS = 10_000  # one after the other, at an instant
AFTER_IMPACT = -1.0  # in place of the old mode of the first contact: there was none


@compiled
def yes(condition):
    """1 for what is true."""
    return 1.0 if condition else 0.0


@compiled
def enter(system, m, t, y, rtol):
    """Enter the modes of the choice in a state: the levels of what ends them."""
    apart()
    sight, modes, count = m.sight, m.choice.modes, contact_count(system)
    see(system, t, y, rtol, sight)
    wide, size = extent(system, y[: positions(system)]), m.levels[BODY_SIZE]
    off, m.levels[ROUNDED] = rtol * wide, ROUNDING * (wide + size)
    m.levels[ABOVE], m.levels[NET_LEVEL] = LIFTED * size + 10.0 * off, NET * size + 30.0 * off
    m.levels[NO_SLIP] = math.inf
    for k in range(count):
        hardly_open = modes[k] == OPEN and sight.gaps[k] < NEAR * size and sight.gamma[3 * k] < LEAVING
        if count == 1:  # a low rebound has to be seen to land, unlike what is drawn away
            lifts_off = m.before[0] != AFTER_IMPACT and m.before[k] != OPEN and modes[k] == OPEN
            m.lifted[k] = yes(lifts_off or (hardly_open and sight.c[3 * k] > 0.0))
        else:
            m.lifted[k] = yes(hardly_open)
        if modes[k] == SLIP and sight.mu[k] > 0.0:
            m.levels[NO_SLIP] = min(m.levels[NO_SLIP], STOPPED * sight.still[k])


@compiled
def take(system, m, t, y, rtol):
    """Go over to the choice of modes; slip that begins gets a first trace, along the accelerations with which it begins."""
    choice, size, any_held = m.choice, 0.0, False
    ignored = local_array(contact_count(system), float64)
    see(system, t, y, rtol, m.sight)
    for k in range(contact_count(system)):
        if choice.begins[k] > 0.0:
            size = max(size, TRACE * m.sight.still[k] / choice.paces[k])
    for k in range(contact_count(system)):
        any_held = any_held or choice.modes[k] != OPEN
        m.closed[k] = yes(choice.modes[k] != OPEN)
        m.still[k] = yes(choice.modes[k] == STICK or choice.begins[k] > 0.0)
        m.wanted[3 * k] = m.wanted[3 * k + 1] = m.wanted[3 * k + 2] = 0.0
        if choice.begins[k] > 0.0:
            m.wanted[3 * k + 1] = size * choice.paces[k] * choice.ways[2 * k]
            m.wanted[3 * k + 2] = size * choice.paces[k] * choice.ways[2 * k + 1]
    if any_held:
        bring_to_rest(system, t, y, m.closed, m.still, m.wanted)
        see(system, t, y, rtol, m.sight)
        raise_up(system, y, m.sight, m.closed[:], ignored)
    enter(system, m, t, y, rtol)


@decided
def close_others(system, m):
    """Count as closed those contacts that touch because others do; how many are closed."""
    return the_only_one if contact_count(system) == 1 else add_closed


@compiled
def the_only_one(system, m):
    """`close_others` where there is one contact."""
    return 1


@decided
def decide(system, code, m, first):
    """The modes of the closed contacts, of which `first` is one, into m.choice; TAKEN, or ASK."""
    return decide_first if contact_count(system) == 1 else decide_all


@compiled
def decide_first(system, code, m, first):
    """`decide` where one contact is closed."""
    return decide_one(system, m.sight, first, m.choice)


@compiled
def decide_all(system, code, m, first):
    """`decide` for any number of contacts."""
    total = 0
    for k in range(contact_count(system)):
        total += m.closed[k] > 0.0
    return decide_first(system, code, m, first) if total == 1 else decide_several(system, code, m)


@compiled
def add_closed(system, m):
    """Count as closed those that touch because others do: the fourth foot of a table. How many are closed."""
    total, rows = 0, 0
    row_of, more = local_array(force_count(system), int64), local_array(contact_count(system), int64)
    for k in range(contact_count(system)):
        more[k] = 0
        if m.closed[k] > 0.0:
            total += 1
            for i in range(3 if m.still[k] > 0.0 else 1):
                row_of[rows] = 3 * k + i
                rows += 1
    if total < 2:
        return total
    for k in range(contact_count(system)):
        near = abs(m.sight.gaps[k]) < NEAR * m.levels[BODY_SIZE]
        if m.closed[k] == 0.0 and near and not has_own_part(system, m.sight, row_of, rows, 3 * k, 1):
            more[k] = 1
    for k in range(contact_count(system)):
        if more[k] > 0:
            m.closed[k] = 1.0
            total += 1
    return total


@compiled
def settle(system, code, m, t, y, rtol):
    """Go on with the contacts that m.closed lists: pull the state onto them, find the modes, and take them. m.levels[LATER]: they are asked for so much later, in the state m.spare."""
    apart()
    first = -1
    see(system, t, y, rtol, m.sight)
    for k in range(contact_count(system)):
        m.still[k] = yes(m.closed[k] > 0.0 and not slips(m.sight, k))
        m.wanted[3 * k] = m.wanted[3 * k + 1] = m.wanted[3 * k + 2] = 0.0
        first = k if m.closed[k] > 0.0 and first < 0 else first
    if first < 0:
        all_open(system, m.choice)
        enter(system, m, t, y, rtol)
        return TAKEN
    bring_to_rest(system, t, y, m.closed, m.still, m.wanted)
    see(system, t, y, rtol, m.sight)
    close_others(system, m)
    later = m.levels[LATER]
    if later > 0.0:
        ahead = m.spare[: y.size]
        bring_to_rest(system, t + later, ahead, m.still, m.still, m.wanted)
        see(system, t + later, ahead, rtol, m.sight)
    if decide(system, code, m, first) != TAKEN:
        m.question = FUTURES
        return ASK
    m.in_band = 0.0
    take(system, m, t, y, rtol)
    return TAKEN


@compiled
def fall_of(system, m, k):
    """With which acceleration contact k comes back: with the others that do not leave held, if these press; otherwise free, or held, what is less."""
    sight, others = m.sight, m.trial
    x = local_array(force_count(system), float64)
    all_open(system, others)
    any_stays, press, free = False, True, -sight.c[3 * k]
    for j in range(contact_count(system)):
        if j != k and m.touching[j] > 0.0 and sight.gamma[3 * j] <= SLOW:
            others.modes[j], any_stays = SLIP if slips(sight, j) else STICK, True
    if not any_stays:
        return free
    find_forces(system, sight, others, x)
    for j in range(contact_count(system)):
        press = press and (others.modes[j] == OPEN or x[3 * j] > 0.0)
    held = -acceleration(system, sight, x, 3 * k)
    return held if press else min(free, held) if held > 0.0 else free


@compiled
def lowest_rebound(system, m, y, rtol):
    """The height (m) below which rebounds are summed."""
    return min(LOW, rtol) * m.levels[BODY_SIZE] + 10.0 * rtol * extent(system, y[: positions(system)])


@compiled
def hit_and_see(system, m, touching, t, y, rtol):
    """The impact at the contacts that touch: y is the state after it, m.sight all contacts then; whether it was solved."""
    hit(system, t, y, touching, m.blows)
    see(system, t, y, rtol, m.sight)
    return is_solved(system, m.struck[: y.size], y, touching, m.sight)


@compiled
def is_struck(m, k):
    """Whether contact k takes part in the impact: it is held, or touches and does not leave."""
    return m.touching[k] > 0.0 and (m.held[k] > 0.0 or m.sight.gamma[3 * k] <= SLOW)


@compiled
def hit_all(system, m, t, y, rtol):
    """The impacts at the contacts that touch (m.touching), one after the other, until none of them approaches any more; whether all were solved.

    Contacts that approach at once are hit at once. One that was hit and leaves is hit again when another blow drives it back: that is how impacts go to and fro between two feet, faster and faster.
    """
    apart()
    struck, blows = local_array(contact_count(system), float64), local_array(ROWS * contact_count(system), float64)
    for i in range(blows.size):
        blows[i] = 0.0
    for _ in range(MOST_BLOWS):
        for k in range(contact_count(system)):
            struck[k] = yes(is_struck(m, k))
        if not hit_and_see(system, m, struck, t, y, rtol):
            return False
        approaches = False
        for k in range(contact_count(system)):
            approaches = approaches or (m.touching[k] > 0.0 and struck[k] == 0.0 and m.sight.gamma[3 * k] < -SLOW)
        for i in range(blows.size):
            blows[i] += m.blows[i]
        if not approaches:
            for i in range(blows.size):
                m.blows[i] = blows[i]
            return True
    return False


@compiled
def land(system, code, m, t, y, rtol):
    """After an impact (m.held: contacts that were held before): contacts rebound, or last from the limit of the remaining rebounds on."""
    apart()
    sight, count = m.sight, contact_count(system)
    see(system, t, y, rtol, sight)
    for k in range(count):
        m.touching[k], m.closed[k] = yes(m.held[k] > 0.0 or sight.gaps[k] < m.levels[CLOSED_GAP]), 0.0
    m.levels[CLOSED_GAP] = CLOSED * m.levels[BODY_SIZE]
    raise_up(system, y, sight, m.closed[:], m.work[:])
    struck, after = m.struck[: y.size], m.after[: y.size]
    copy(y, struck)
    m.approach, m.limit, m.landed = 0.0, t, 1.0
    for k in range(count):
        m.approach = min(m.approach, sight.gamma[3 * k]) if m.touching[k] > 0.0 else m.approach
    is_hit = hit_all(system, m, t, y, rtol) if count > 1 else hit_and_see(system, m, m.touching, t, y, rtol)
    copy(y, after)
    if not is_hit:
        m.question = UNSOLVED
        return ASK
    low = lowest_rebound(system, m, struck, rtol)
    for k in range(count):
        m.closed[k] = 0.0
        if m.touching[k] > 0.0:
            fall, rebound, e = fall_of(system, m, k), sight.gamma[3 * k], float(restitution(system, k))
            slow = rebound <= max(SLOW, math.sqrt(2.0 * low * max(fall, 0.0)))
            m.closed[k] = yes(slow and (fall > 0.0 or m.held[k] > 0.0 or count > 1))
            if m.closed[k] > 0.0 and m.held[k] == 0.0 and rebound > 0.0 and e < 1.0 and fall > 0.0:
                rest = 2.0 * rebound / (fall * (1.0 - e))
                m.limit = max(m.limit, t + rest) if rest > NOTHING * max(1.0, abs(t)) else m.limit
    for k in range(count):
        m.lasting[k] = m.closed[k]
    without_rebounds(system, m, y)
    m.before[0], m.levels[LATER] = AFTER_IMPACT, 0.0
    return settle(system, code, m, t, y, rtol)


@compiled
def begin(system, code, m, t, y, rtol):
    """In the air, in contact, or, if a contact is closed and approaches, with an impact. A gap no higher than the rebounds that are summed is closed."""
    sight, hits = m.sight, False
    m.levels[BODY_SIZE] = body_size(system, y[: positions(system)])
    m.levels[CLOSED_GAP] = lowest_rebound(system, m, y, rtol)
    see(system, t, y, rtol, sight)
    fastest = 0.0
    for i in range(positions(system), y.size):
        fastest = max(fastest, abs(y[i]))
    slow = 1e-12 * (1.0 + fastest)
    for k in range(contact_count(system)):
        touches = sight.gaps[k] < m.levels[CLOSED_GAP]
        hits = hits or (touches and sight.gamma[3 * k] < -slow)
        m.closed[k] = yes(touches and sight.gamma[3 * k] <= slow)
        m.held[k] = 0.0
    m.before[0], m.levels[LATER] = AFTER_IMPACT, 0.0
    if hits:
        return land(system, code, m, t, y, rtol)
    m.levels[CLOSED_GAP] = CLOSED * m.levels[BODY_SIZE]
    return settle(system, code, m, t, y, rtol)


@compiled
def look_ahead(system, m, y, without):
    """A state a moment later in the present modes, with contact `without` open (-1: with all), into m.spare."""
    choice, nq = m.choice, positions(system)
    x = local_array(force_count(system), float64)
    mode = choice.modes[max(without, 0)]
    if without >= 0:
        choice.modes[without] = OPEN
    find_forces(system, m.sight, choice, x)
    motion_under(system, m.sight, x, m.spare[nq:])
    for i in range(y.size):
        m.spare[i] = y[i] + AHEAD * (m.sight.free[i] if i < nq else m.spare[i])
    choice.modes[max(without, 0)] = mode


@compiled
def has_one_future_ahead(system, code, m, t, y, rtol):
    """Whether what was found at the start is all there is a moment later, too: a band in which slip is consistent beside stick may begin right there."""
    ahead, first = m.spare[: y.size], -1
    for k in range(contact_count(system)):
        m.closed[k] = yes(m.choice.modes[k] != OPEN)
        m.still[k] = yes(m.closed[k] > 0.0 and not slips(m.sight, k))
        m.wanted[3 * k] = m.wanted[3 * k + 1] = m.wanted[3 * k + 2] = 0.0
        first = k if m.closed[k] > 0.0 and first < 0 else first
    copy_choice(system, m.choice, m.old)
    look_ahead(system, m, y, -1)
    bring_to_rest(system, t + AHEAD, ahead, m.still, m.still, m.wanted)
    see(system, t + AHEAD, ahead, rtol, m.sight)
    if decide(system, code, m, first) != TAKEN:
        m.question = FUTURES
        return False
    copy_choice(system, m.old, m.choice)
    see(system, t, y, rtol, m.sight)
    return True


@compiled
def time_to_stop(system, m):
    """How long the slip that has nearly ended would take to end (s)."""
    sight, longest = m.sight, 0.0
    x = local_array(force_count(system), float64)
    find_forces(system, sight, m.choice, x)
    for k in range(contact_count(system)):
        size = slip_of(sight, k)
        if m.choice.modes[k] == SLIP and sight.mu[k] > 0.0 and size <= 2.0 * STOPPED * sight.still[k]:
            change = 0.0
            for row in range(3 * k + 1, 3 * k + 3):
                change += acceleration(system, sight, x, row) * sight.gamma[row]
            longest = max(longest, -size * size / change) if change < 0.0 else longest
    return longest


@compiled
def lands_too(system, m):
    """Whether a contact that is open comes down at this very instant."""
    for k in range(contact_count(system)):
        if m.choice.modes[k] == OPEN and m.sight.gaps[k] <= m.levels[CLOSED_GAP] and m.sight.gamma[3 * k] < -SLOW:
            return True
    return False


@compiled
def least_pressing(system, m):
    """The contact that is held and carries least."""
    x, least = local_array(force_count(system), float64), -1
    find_forces(system, m.sight, m.choice, x)
    for k in range(contact_count(system)):
        if m.held[k] > 0.0 and m.choice.modes[k] != IDLE and (least < 0 or x[3 * k] < x[3 * least]):
            least = k
    return least


@compiled
def after(system, code, m, which, t, y, rtol):
    """What follows the end of a mode by a guard, whose values are m.values[0]; y is then the state after it. TAKEN, or ASK."""
    apart()
    modes, count = m.choice.modes, contact_count(system)
    last = PER_CONTACT * count
    ending, idle_lands = which - last, False
    for k in range(count):
        m.held[k] = yes(modes[k] != OPEN)
        m.before[k] = modes[k]
        m.choice.begins[k] = 0.0  # it has begun
    see(system, t, y, rtol, m.sight)
    m.stops_at = t + (time_to_stop(system, m) if ending == STOPS else 0.0)
    comes_down = ending < 0 and which % PER_CONTACT < 2
    if comes_down or lands_too(system, m):
        return land(system, code, m, t, y, rtol)
    if ending == IDLES:
        for k in range(count):
            m.held[k] = yes(modes[k] not in (OPEN, IDLE))
            idle_lands = idle_lands or (modes[k] == IDLE and m.sight.gaps[k] < 0.0)
        if idle_lands:
            return land(system, code, m, t, y, rtol)
    if ending < 0:
        enter(system, m, t, y, rtol)
        return TAKEN
    for k in range(count):
        m.closed[k] = m.held[k]
    if ending in (JAMS, FREES) and abs(m.values[0, last + JAMS] + DRIVE_EDGE) < 2.0 * DRIVE_EDGE:
        m.question = JAMMED if ending == JAMS else FREED
        return ASK
    m.levels[LATER] = 0.0
    if ending in (LIFTS, BREAKS, FORKS):  # without the force of the contact that carries least: does the gap grow?
        look_ahead(system, m, y, least_pressing(system, m) if ending == LIFTS else -1)
        m.levels[LATER] = AHEAD
    return settle(system, code, m, t, y, rtol)
