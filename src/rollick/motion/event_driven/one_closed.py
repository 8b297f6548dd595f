"""The modes in which a single closed contact can go on: the contact law on the level of accelerations, for a contact that neither approaches nor separates.

With gamma' = c + A lambda (see `contact.balance`) it may

    open       lambda = 0,  gap'' > 0
    slip       lambda = N (1, -mu d),  N > 0,  gap'' = 0;  d along the slip or, where there is none, along the slip that begins: a_T = alpha d, alpha > 0
    stick      gamma' = 0,  N > 0,  |lambda_T| <= mu N

With D(d) = A_NN - mu A_NT.d > 0 for all d there is at least one; beside stick, slip may be consistent, too, where its normal force is smaller. Where D < 0, slip with
gap'' < 0 without force has none (inconsistent), with gap'' > 0 two: slip, and open (indeterminate): Painleve's paradox. Several closed contacts are coupled by A: `several_closed`.
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.local_array import float64, local_array
from ...mechanics.contact import contact_count
from ..contact.balance import force_count
from ..contact.held import OPEN, SLIP, STICK
from ..filippov.algebra.leaving import affine
from ..filippov.algebra.limit_angles import MOST, limit_angles
from .sight import find_forces, slips, way_of
from .thresholds import BESIDE, SMALL, WEIGHTLESS

TAKEN, ASK = 0, 1  # a motion was found; somebody is to choose, or there is none
WAYS = MOST + 2  # to go on, at most: it opens, it sticks, or slips in one of these directions


@compiled
def all_open(system, choice):
    """The choice without any contact."""
    for k in range(contact_count(system)):
        choice.modes[k], choice.begins[k], choice.paces[k] = OPEN, 0, 1.0
        choice.ways[2 * k] = choice.ways[2 * k + 1] = 0.0
    for row in range(force_count(system)):
        choice.shares[row] = 0.0


@compiled
def note_way(ways, total, mode, a, b):
    """Write down a way to go on: a mode, and the direction in which slip begins (0, 0: none begins); how many there are then."""
    ways[total, 0], ways[total, 1], ways[total, 2] = mode, a, b
    return total + 1


@compiled
def slips_that_begin(sight, k, least, ways, total):
    """Write down all directions in which slip can begin at contact k alone, the fastest first: N > 0 and a_T = alpha d with alpha > `least` of the accelerations. How many
    ways there are then."""
    apart()
    base, slope = local_array(3, float64), local_array((3, 3), float64)
    p, P, den = local_array(2, float64), local_array((2, 2), float64), local_array(3, float64)
    angles, alphas = local_array(MOST, float64), local_array(WAYS, float64)
    largest, mu, first = 0.0, max(sight.mu[k], 0.0), total
    for i in range(3):
        base[i] = sight.c[3 * k + i]
        largest = max(largest, abs(base[i]))
        for j in range(3):
            slope[i, j] = sight.A[3 * k + i, 3 * k + j]
    affine(True, base, slope, mu, 0.0, p, P, den)
    for i in range(limit_angles(p, P, False, angles)):
        a, b = math.cos(angles[i]), math.sin(angles[i])
        drive = den[0] + den[1] * a + den[2] * b
        if drive == 0.0 or not -base[0] / drive > 0.0:
            continue
        alpha = ((p[0] + P[0, 0] * a + P[0, 1] * b) * a + (p[1] + P[1, 0] * a + P[1, 1] * b) * b) / drive
        if alpha > least * largest:
            place = total
            while place > first and alphas[place - 1] < alpha:
                alphas[place] = alphas[place - 1]
                note_way(ways, place, SLIP, ways[place - 1, 1], ways[place - 1, 2])
                place -= 1
            alphas[place] = alpha
            note_way(ways, place, SLIP, a, b)
            total += 1
    return total


@compiled
def ways_of_one(system, sight, k, choice, ways):
    """All ways in which the only closed contact can go on, into rows of `ways` (mode, direction of slip that begins); how many. choice: room for one."""
    apart()
    all_open(system, choice)
    x = local_array(force_count(system), float64)
    mu, pushed, row = max(sight.mu[k], 0.0), sight.c[3 * k], sight.A[3 * k]
    largest = max(max(abs(sight.c[3 * k]), abs(sight.c[3 * k + 1])), abs(sight.c[3 * k + 2]))
    presses = pushed < -WEIGHTLESS * largest
    if slips(sight, k):
        a, b = way_of(sight, k)
        if row[3 * k] - mu * (row[3 * k + 1] * a + row[3 * k + 2] * b) > 0.0:
            return note_way(ways, 0, SLIP if presses else OPEN, 0.0, 0.0)
        if pushed < 0.0:
            return 0
        return note_way(ways, note_way(ways, 0, SLIP, 0.0, 0.0), OPEN, 0.0, 0.0)
    choice.modes[k] = STICK
    find_forces(system, sight, choice, x)
    normal, pull, total = x[3 * k], math.hypot(x[3 * k + 1], x[3 * k + 2]), 0
    if row[3 * k] > mu * math.hypot(row[3 * k + 1], row[3 * k + 2]):  # no paradox for any direction
        if not presses:
            return note_way(ways, 0, OPEN, 0.0, 0.0)
        sticks = pull <= mu * normal * (1.0 + SMALL)
        total = note_way(ways, 0, STICK, 0.0, 0.0) if sticks else 0
        total = slips_that_begin(
            sight, k, BESIDE if sticks else SMALL, ways, total
        )  # at the edge of the cone stick and slip are one
        return total if total > 0 else note_way(ways, 0, STICK if normal > 0.0 else OPEN, 0.0, 0.0)
    none = SMALL * largest
    if pushed > none:
        total = note_way(ways, 0, OPEN, 0.0, 0.0)
    if normal > 0.0 and pull <= mu * normal:
        total = note_way(ways, total, STICK, 0.0, 0.0)
    total = slips_that_begin(sight, k, SMALL, ways, total)
    if total == 0 and pushed >= -none:  # nothing presses: no force, and the contact neither opens nor closes
        return note_way(ways, 0, OPEN, 0.0, 0.0)
    return total


@compiled
def choose_way(system, k, ways, i, choice):
    """The i-th of the ways of the only closed contact, as a choice of modes."""
    all_open(system, choice)
    choice.modes[k] = ways[i, 0]
    if ways[i, 1] != 0.0 or ways[i, 2] != 0.0:
        choice.begins[k], choice.ways[2 * k], choice.ways[2 * k + 1] = 1, ways[i, 1], ways[i, 2]


@compiled
def decide_one(system, sight, k, choice):
    """The mode of the only closed contact, if there is exactly one; TAKEN, or ASK."""
    ways = local_array((WAYS, 3), float64)
    if ways_of_one(system, sight, k, choice, ways) != 1:
        return ASK
    choose_way(system, k, ways, 0, choice)
    return TAKEN
