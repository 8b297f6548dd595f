"""Which modes several closed contacts can go on in: combinations are tried on the level of accelerations, gamma' = c + A lambda.

    open      lambda = 0,  gap'' >= 0
    slip      lambda = N (1, -mu d),  N >= 0,  gap'' = 0;  d along the slip or, where there is none, along the slip that begins
    stick     gamma' = 0,  N >= 0,  |lambda_T| <= mu N

Where contacts are redundant the forces are not unique. They share a load as `contact.sharing` says; contacts that stick hold as long as *some* forces inside all cones do
(`easing`). Combinations that move the body alike are one motion, and no paradox: the one that leaves most room is kept. A contact that carries nothing and is kept closed by the
others is idle; by the rule of sharing it is so only if its share would be a pull. (Where feet slip in different directions, the motion depends on how they share the load.)

Combinations without slip that begins are linear equations, and tried first, then the one to which a relaxation points. If that leaves one motion, it is taken if it is the only
future of two contacts; of more, if no contact has so much friction that slip could lose its unique normal force. Otherwise every combination is tried (`all_futures`).
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import float64, int64, local_array
from ...mechanics.contact import contact_count, positions, velocities
from ..contact.balance import force_count
from ..contact.held import IDLE, OPEN, SLIP, STICK
from ..contact.sharing import range_basis, within
from ..contact.uniqueness import futures_of_closed
from ..filippov.algebra.futures import MOST as FUTURES
from ..filippov.algebra.futures import WIDTH
from ..ode.around_step import all_finite
from .beginning import swept
from .easing import ease
from .one_closed import ASK, TAKEN, all_open
from .sight import acceleration, columns, find_forces, has_own_part, held_rows, motion_under, share_of, slips
from .thresholds import ALIKE, LOOSE, MOST_CLOSED, ROOM, SMALL

KEPT = 4  # motions that there is room for while one is looked for
# what is known of a trial: its rank (uneven, no room, contacts that are open, contacts that stick), see `contact.combinations`
UNEVEN, TIGHT, OPENED = 1e6, 1e5, 64.0


@compiled
def scales(system, sight, closed):
    """The sizes of accelerations and of forces."""
    most, mean, total = 1e-300, 0.0, 0
    for k in range(contact_count(system)):
        if closed[k] > 0.0:
            for i in range(3):
                most = max(most, abs(sight.c[3 * k + i]))
            mean += sight.A[3 * k, 3 * k]
            total += 1
    return most, most * total / mean


@compiled
def room_in(system, sight, closed, modes, x, force):
    """The least of N, and of mu N - |T| where a contact sticks, relative to the size of the forces."""
    least = math.inf
    for k in range(contact_count(system)):
        if closed[k] > 0.0 and modes[k] != OPEN:
            least = min(least, x[3 * k])
            if modes[k] == STICK:
                least = min(least, sight.mu[k] * x[3 * k] - math.hypot(x[3 * k + 1], x[3 * k + 2]))
    return least / force


@compiled
def accelerates_as_asked(system, sight, closed, choice, x, size, tolerance):
    """Whether the accelerations of closed contacts are what their modes say; tolerance: of `size`, how fast an open gap may close."""
    exact = LOOSE * size
    for k in range(contact_count(system)):
        if not closed[k] > 0.0:
            continue
        a, b = acceleration(system, sight, x, 3 * k), acceleration(system, sight, x, 3 * k + 1)
        c = acceleration(system, sight, x, 3 * k + 2)
        if choice.modes[k] == OPEN and a < -tolerance * size:
            return False
        if choice.modes[k] == SLIP and not abs(a) <= exact:
            return False
        if choice.modes[k] == STICK and not max(abs(a), max(abs(b), abs(c))) <= exact:
            return False
        if choice.begins[k] > 0.0:
            w1, w2 = choice.ways[2 * k], choice.ways[2 * k + 1]
            if not (w1 * b + w2 * c > SMALL * size and abs(w1 * c - w2 * b) <= exact):
                return False
    return True


@compiled
def is_uneven(system, sight, closed, choice, x, force, tolerance):
    """Whether a contact is idle that would press if it shared the load with the others."""
    row_of = local_array(force_count(system), int64)
    m = held_rows(system, choice.modes, row_of)
    for k in range(contact_count(system)):
        if closed[k] > 0.0 and choice.modes[k] == OPEN and m > 0 and not has_own_part(system, sight, row_of, m, 3 * k, 1):
            if share_of(system, sight, row_of, m, k, x) > tolerance * force:
                return True
    return False


@compiled
def try_choice(system, sight, closed, choice, size, force, tolerance, motion):
    """Whether a combination is consistent: its rank (the lower, the better), -1 if it is not; its motion, and the forces between redundant contacts that it needs.

    tolerance: of accelerations and forces, how much of a pull is none."""
    apart()
    x, eased = local_array(force_count(system), float64), local_array(force_count(system), float64)
    for row in range(force_count(system)):
        choice.shares[row] = 0.0
    find_forces(system, sight, choice, x)
    if not all_finite(x, x.size) or not accelerates_as_asked(system, sight, closed, choice, x, size, tolerance):
        return -1.0
    room, opened, stuck = room_in(system, sight, closed, choice.modes, x, force), 0, 0
    for k in range(contact_count(system)):
        opened += choice.modes[k] == OPEN
        stuck += choice.modes[k] == STICK
    if room < ROOM and stuck > 1 and ease(system, sight, choice.modes, x, force, eased):
        better = room_in(system, sight, closed, choice.modes, eased, force)
        if better > room:
            room = better
            for row in range(force_count(system)):
                choice.shares[row] = eased[row]
    if not room >= -tolerance:
        return -1.0
    motion_under(system, sight, x, motion)
    rank = OPENED * opened + (OPENED - 1.0 - stuck)
    rank += TIGHT if room <= SMALL else 0.0
    return rank + (UNEVEN if is_uneven(system, sight, closed, choice, x, force, tolerance) else 0.0)


@compiled
def is_alike(system, sight, a, b, tolerance):
    """Whether two motions are the same; tolerance: that with which they were found."""
    most, free, off, nu = 0.0, 0.0, 0.0, velocities(system)
    for j in range(nu):
        most, off = max(most, abs(b[j])), max(off, abs(a[j] - b[j]))
        free = max(free, abs(sight.free[positions(system) + j]))
    return off <= ALIKE * max(1.0, tolerance / SMALL) * (most + free)


@compiled
def is_neutral(system, sight, closed, choice, size):
    """Whether a contact opens without an acceleration though nothing keeps it closed: what pivots there could press as well, in another motion."""
    row_of, x = local_array(force_count(system), int64), local_array(force_count(system), float64)
    m = held_rows(system, choice.modes, row_of)
    find_forces(system, sight, choice, x)
    for k in range(contact_count(system)):
        if closed[k] > 0.0 and choice.modes[k] == OPEN and m > 0 and acceleration(system, sight, x, 3 * k) <= SMALL * size:
            if has_own_part(system, sight, row_of, m, 3 * k, 1):
                return True
    return False


@compiled
def copy_choice(system, of, to):
    """A choice into another."""
    for k in range(contact_count(system)):
        to.modes[k], to.begins[k], to.paces[k] = of.modes[k], of.begins[k], of.paces[k]
        to.ways[2 * k], to.ways[2 * k + 1] = of.ways[2 * k], of.ways[2 * k + 1]
    for row in range(force_count(system)):
        to.shares[row] = of.shares[row]


@compiled
def is_tame(system, sight, closed, choice):
    """Whether no contact could lose its unique normal force, whatever the direction of its slip, the others free or holding."""
    apart()
    n = force_count(system)
    S, S0 = local_array((force_count(system), force_count(system)), float64), local_array((force_count(system), force_count(system)), float64)  # fmt: skip
    part, Q = local_array((force_count(system), force_count(system)), float64), local_array((force_count(system), force_count(system)), float64)  # fmt: skip
    B = local_array((force_count(system), force_count(system)), float64)
    z, v, own = local_array(force_count(system), float64), local_array(force_count(system), float64), local_array(3, float64)
    row_of, pivots = local_array(force_count(system), int64), local_array(force_count(system), int64)
    for k in range(contact_count(system)):
        if not closed[k] > 0.0:
            continue
        mu, mode, first = max(sight.mu[k], 0.0), choice.modes[k], 3 * k
        if not sight.A[first, first] > mu * math.hypot(sight.A[first, first + 1], sight.A[first, first + 2]):
            return False
        choice.modes[k] = OPEN
        m = columns(system, sight, choice, row_of, part)
        choice.modes[k] = mode
        if m == 0:
            continue
        for p in range(m):
            for q in range(m):
                S[p, q], S0[p, q] = 0.0, sight.A[row_of[p], row_of[q]]
                for a in range(n):
                    S[p, q] += sight.A[row_of[p], a] * part[a, q]
        r = range_basis(system, S0, Q, m)
        within(system, S, Q, m, r, B)
        if not lu_factor(B[:r, :r], pivots[:r]):
            return False
        for p in range(r):
            v[p] = 0.0
            for a in range(m):
                pushed = 0.0
                for row in range(n):
                    pushed += sight.A[first, row] * part[row, a]
                v[p] += pushed * Q[a, p]
        for i in range(3):  # the first row of what is left of A
            for p in range(r):
                z[p] = 0.0
                for a in range(m):
                    z[p] += Q[a, p] * sight.A[row_of[a], first + i]
            lu_solve(B[:r, :r], pivots[:r], z[:r])
            own[i] = sight.A[first, first + i]
            for p in range(r):
                own[i] -= v[p] * z[p]
        if own[0] > 1e-8 * sight.A[first, first] and not own[0] > mu * math.hypot(own[1], own[2]):
            return False
    return True


@compiled
def take_up(system, sight, total, kept, motions, ranks, trial, rank, motion, tolerance):
    """Keep a trial among the choices kept so far, of each motion the one of lowest rank; how many motions there are then, be there room for them or not."""
    place = 0
    while place < min(total, ranks.size) and not is_alike(system, sight, motions[place], motion, tolerance):
        place += 1
    if place < ranks.size and (place == total or rank < ranks[place]):
        copy_choice(system, trial, kept[place])
        ranks[place] = rank
        for j in range(velocities(system)):
            motions[place, j] = motion[j]
    return max(total, place + 1)


@compiled
def even_ones(found, ranks):
    """How many motions there are, without uneven ones if there are others."""
    even = 0
    for i in range(found):
        even += ranks[i] < UNEVEN
    return even if even > 0 else found


@compiled
def set_modes(system, sight, closed, number, choice):
    """The modes of a combination without slip that begins: a binary digit for each closed contact, that of the last one first; 0: it holds, or slips as it does."""
    all_open(system, choice)
    for k in range(contact_count(system) - 1, -1, -1):
        if closed[k] > 0.0:
            if number % 2 == 0:
                choice.modes[k] = SLIP if slips(sight, k) else STICK
            number //= 2


@compiled
def tell_idle(system, sight, closed, choice):
    """Open contacts that the others keep closed are idle; how fast slips begin."""
    row_of, x = local_array(force_count(system), int64), local_array(force_count(system), float64)
    m = held_rows(system, choice.modes, row_of)
    find_forces(system, sight, choice, x)
    for k in range(contact_count(system)):
        if choice.begins[k] > 0.0:
            b, c = acceleration(system, sight, x, 3 * k + 1), acceleration(system, sight, x, 3 * k + 2)
            choice.paces[k] = math.hypot(b, c)
        if closed[k] > 0.0 and choice.modes[k] == OPEN and not has_own_part(system, sight, row_of, m, 3 * k, 1):
            choice.modes[k] = IDLE


@compiled
def is_unique(system, code, sight, closed, total, choice):
    """Whether a choice is the only motion: all futures of two closed contacts are counted, more are judged by `is_tame`."""
    if total > 2:
        return is_tame(system, sight, closed, choice)
    rows = local_array((FUTURES, WIDTH), float64)
    first, second = -1, -1
    for k in range(contact_count(system)):
        if closed[k] > 0.0:
            first, second = (k, second) if first < 0 else (first, k)
    still = (not slips(sight, first), second >= 0 and not slips(sight, second))
    return futures_of_closed(code, first, second, still, sight.c, sight.A, sight.mu, sight.gamma, rows) <= 1


@compiled
def count_closed(system, closed):
    """How many contacts are closed."""
    total = 0
    for k in range(contact_count(system)):
        total += closed[k] > 0.0
    return total


@compiled
def try_simple(system, m, tolerance, size, force, kept, motions, ranks):
    """Try the combinations without slip that begins; how many motions there are."""
    sight, closed, trial, total = m.sight, m.closed, m.trial, 0
    motion = local_array(velocities(system), float64)
    for number in range(1 << count_closed(system, closed)):
        set_modes(system, sight, closed, number, trial)
        rank = try_choice(system, sight, closed, trial, size, force, tolerance, motion)
        if rank >= 0.0:
            total = take_up(system, sight, total, kept, motions, ranks, trial, rank, motion, tolerance)
    return total


@compiled
def try_swept(system, m, tolerance, size, force, kept, motions, ranks):
    """Try the combination to which a relaxation points; how many motions there are."""
    motion = local_array(velocities(system), float64)
    swept(system, m.sight, m.closed, force, m.trial)
    rank = try_choice(system, m.sight, m.closed, m.trial, size, force, tolerance, motion)
    return take_up(system, m.sight, 0, kept, motions, ranks, m.trial, rank, motion, tolerance) if rank >= 0.0 else 0


@compiled
def decide_several(system, code, m):
    """The modes of several closed contacts, into m.choice; TAKEN, or ASK."""
    apart()
    motions, ranks = local_array((KEPT, velocities(system)), float64), local_array(KEPT, float64)
    size, force = scales(system, m.sight, m.closed)
    closed = count_closed(system, m.closed)
    if closed > MOST_CLOSED:
        return ASK
    total = try_simple(system, m, SMALL, size, force, m.kept, motions, ranks)
    if total > KEPT:
        return ASK
    if total == 0:
        total = try_swept(system, m, SMALL, size, force, m.kept, motions, ranks)
    if even_ones(total, ranks) != 1:
        return ASK
    best = 0
    for i in range(1, total):
        best = i if ranks[i] < ranks[best] else best
    copy_choice(system, m.kept[best], m.choice)
    if closed > 2 and is_neutral(system, m.sight, m.closed, m.choice, size):
        return ASK
    if not is_unique(system, code, m.sight, m.closed, closed, m.choice):
        return ASK
    tell_idle(system, m.sight, m.closed, m.choice)
    return TAKEN
