"""Which modes several closed contacts go on in, decided in compiled code: the rules and the order of `contact.combinations`.

Combinations without slip that begins are tried first, then the one to which a relaxation points. If that leaves one motion, it is taken if it is the only future of two contacts;
of more, if no contact has so much friction that slip could lose its unique normal force. All else is left to Python, which tries every combination.
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import float64, int64, local_array
from ...mechanics.contact import contact_count, positions, velocities
from ..contact.balance import force_count
from ..contact.beginning import SMALL
from ..contact.combinations import ALIKE, LOOSE, MOST, ROOM
from ..contact.held import IDLE, OPEN, SLIP, STICK
from ..contact.sharing import range_basis, within
from ..contact.uniqueness import futures_of_closed
from ..filippov.futures import MOST as FUTURES
from ..filippov.futures import WIDTH
from ..ode.around_step import all_finite
from .beginning import swept
from .easing import ease
from .one_closed import ASK, TAKEN, all_open
from .sight import acceleration, columns, find_forces, has_own_part, held_rows, motion_under, share_of, slips

KEPT = 4  # motions at most; more are left to Python
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
def accelerates_as_asked(system, sight, closed, choice, x, size):
    """Whether the accelerations of closed contacts are what their modes say."""
    exact = LOOSE * size
    for k in range(contact_count(system)):
        if not closed[k] > 0.0:
            continue
        a, b = acceleration(system, sight, x, 3 * k), acceleration(system, sight, x, 3 * k + 1)
        c = acceleration(system, sight, x, 3 * k + 2)
        if choice.modes[k] == OPEN and a < -SMALL * size:
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
def is_uneven(system, sight, closed, choice, x, force):
    """Whether a contact is idle that would press if it shared the load with the others."""
    row_of = local_array(force_count(system), int64)
    m = held_rows(system, choice.modes, row_of)
    for k in range(contact_count(system)):
        if closed[k] > 0.0 and choice.modes[k] == OPEN and m > 0 and not has_own_part(system, sight, row_of, m, 3 * k, 1):
            if share_of(system, sight, row_of, m, k, x) > SMALL * force:
                return True
    return False


@compiled
def try_choice(system, sight, closed, choice, size, force, motion):
    """Whether a combination is consistent: its rank (the lower, the better), -1 if it is not; its motion, and the forces between redundant contacts that it needs."""
    apart()
    x, eased = local_array(force_count(system), float64), local_array(force_count(system), float64)
    for row in range(force_count(system)):
        choice.shares[row] = 0.0
    find_forces(system, sight, choice, x)
    if not all_finite(x, x.size) or not accelerates_as_asked(system, sight, closed, choice, x, size):
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
    if not room >= -SMALL:
        return -1.0
    motion_under(system, sight, x, motion)
    rank = OPENED * opened + (OPENED - 1.0 - stuck)
    rank += TIGHT if room <= SMALL else 0.0
    return rank + (UNEVEN if is_uneven(system, sight, closed, choice, x, force) else 0.0)


@compiled
def is_alike(system, sight, a, b):
    """Whether two motions are the same."""
    most, free, off, nu = 0.0, 0.0, 0.0, velocities(system)
    for j in range(nu):
        most, off = max(most, abs(b[j])), max(off, abs(a[j] - b[j]))
        free = max(free, abs(sight.free[positions(system) + j]))
    return off <= ALIKE * (most + free)


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
def take_up(system, sight, found, motions, ranks, rank, trial, motion, choice):
    """Keep a trial among the motions found so far, of each the one of lowest rank; `choice` is the one of the lowest rank of all. How many motions there are."""
    for i in range(found):
        if is_alike(system, sight, motions[i], motion):
            if rank < ranks[i]:
                lowest = True
                for j in range(found):
                    lowest = lowest and (j == i or rank < ranks[j])
                if lowest:
                    copy_choice(system, trial, choice)
                ranks[i] = rank
                for j in range(velocities(system)):
                    motions[i, j] = motion[j]
            return found
    if found == KEPT:
        return KEPT + 1
    lowest = True
    for j in range(found):
        lowest = lowest and rank < ranks[j]
    if lowest:
        copy_choice(system, trial, choice)
    ranks[found] = rank
    for j in range(velocities(system)):
        motions[found, j] = motion[j]
    return found + 1


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
def decide_several(system, code, m):
    """The modes of several closed contacts, into m.choice."""
    apart()
    sight, closed, choice, trial = m.sight, m.closed, m.choice, m.trial
    motion, motions = local_array(velocities(system), float64), local_array((KEPT, velocities(system)), float64)
    ranks = local_array(KEPT, float64)
    size, force = scales(system, sight, closed)
    total, found = 0, 0
    for k in range(contact_count(system)):
        total += closed[k] > 0.0
    if total > MOST:
        return ASK
    for number in range(1 << total):
        set_modes(system, sight, closed, number, trial)
        rank = try_choice(system, sight, closed, trial, size, force, motion)
        if rank >= 0.0:
            found = take_up(system, sight, found, motions, ranks, rank, trial, motion, choice)
            if found > KEPT:
                return ASK
    if found == 0:
        swept(system, sight, closed, force, trial)
        rank = try_choice(system, sight, closed, trial, size, force, motion)
        if rank >= 0.0:
            found = take_up(system, sight, found, motions, ranks, rank, trial, motion, choice)
    if even_ones(found, ranks) != 1 or not is_unique(system, code, sight, closed, total, choice):
        return ASK
    tell_idle(system, sight, closed, choice)
    return TAKEN
