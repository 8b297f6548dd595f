"""Which mode a single closed contact goes on in, decided in compiled code: the contact law on the level of accelerations, see `contact.consistent`.

Decided where exactly one motion is consistent. Where none is, or several are (Painleve), it is left to Python, which knows what the user wants then, and says so.
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.local_array import float64, local_array
from ...mechanics.contact import contact_count
from ..contact.balance import force_count
from ..contact.beginning import SMALL
from ..contact.consistent import EDGE, WEIGHTLESS
from ..contact.held import OPEN, SLIP, STICK
from ..filippov.leaving import affine
from ..filippov.limit_angles import MOST, limit_angles
from .sight import find_forces, slips, way_of

TAKEN, ASK = 0, 1  # a motion was found; Python is to say what follows


@compiled
def all_open(system, choice):
    """The choice without any contact."""
    for k in range(contact_count(system)):
        choice.modes[k], choice.begins[k], choice.paces[k] = OPEN, 0, 1.0
        choice.ways[2 * k] = choice.ways[2 * k + 1] = 0.0
    for row in range(force_count(system)):
        choice.shares[row] = 0.0


@compiled
def ways_to_slip(sight, k, least, found):
    """All directions in which slip can begin at contact k alone: N > 0 and a_T = alpha d with alpha > `least` of the accelerations; how many. found: (alpha, d) of the
    largest alpha."""
    apart()
    base, slope = local_array(3, float64), local_array((3, 3), float64)
    p, P, den = local_array(2, float64), local_array((2, 2), float64), local_array(3, float64)
    angles = local_array(MOST, float64)
    largest, mu = 0.0, max(sight.mu[k], 0.0)
    for i in range(3):
        base[i] = sight.c[3 * k + i]
        largest = max(largest, abs(base[i]))
        for j in range(3):
            slope[i, j] = sight.A[3 * k + i, 3 * k + j]
    affine(True, base, slope, mu, 0.0, p, P, den)
    found[0] = 0.0
    count = 0
    for i in range(limit_angles(p, P, False, angles)):
        a, b = math.cos(angles[i]), math.sin(angles[i])
        drive = den[0] + den[1] * a + den[2] * b
        if drive == 0.0 or not -base[0] / drive > 0.0:
            continue
        alpha = ((p[0] + P[0, 0] * a + P[0, 1] * b) * a + (p[1] + P[1, 0] * a + P[1, 1] * b) * b) / drive
        if alpha > least * largest:
            count += 1
            if alpha > found[0]:
                found[0], found[1], found[2] = alpha, a, b
    return count


@compiled
def slip_along(choice, k, found):
    """Slip begins at contact k, along what `ways_to_slip` found."""
    choice.modes[k], choice.begins[k] = SLIP, 1
    choice.ways[2 * k], choice.ways[2 * k + 1] = found[1], found[2]


@compiled
def decide_one(system, sight, k, choice):
    """The mode of the only closed contact."""
    apart()
    all_open(system, choice)
    x, found = local_array(force_count(system), float64), local_array(3, float64)
    mu, pushed, row = max(sight.mu[k], 0.0), sight.c[3 * k], sight.A[3 * k]
    largest = max(max(abs(sight.c[3 * k]), abs(sight.c[3 * k + 1])), abs(sight.c[3 * k + 2]))
    presses = pushed < -WEIGHTLESS * largest
    if slips(sight, k):
        a, b = way_of(sight, k)
        if not row[3 * k] - mu * (row[3 * k + 1] * a + row[3 * k + 2] * b) > 0.0:
            return ASK
        choice.modes[k] = SLIP if presses else OPEN
        return TAKEN
    choice.modes[k] = STICK
    find_forces(system, sight, choice, x)
    normal, pull = x[3 * k], math.hypot(x[3 * k + 1], x[3 * k + 2])
    if row[3 * k] > mu * math.hypot(row[3 * k + 1], row[3 * k + 2]):  # no paradox for any direction
        if not presses:
            choice.modes[k] = OPEN
            return TAKEN
        sticks = pull <= mu * normal * (1.0 + SMALL)
        ways = ways_to_slip(sight, k, EDGE if sticks else SMALL, found)
        if sticks + ways > 1:
            return ASK
        if ways > 0:
            slip_along(choice, k, found)
        elif not sticks and not normal > 0.0:
            choice.modes[k] = OPEN
        return TAKEN
    none = SMALL * largest
    opens, sticks, ways = pushed > none, normal > 0.0 and pull <= mu * normal, ways_to_slip(sight, k, SMALL, found)
    if opens + sticks + ways != 1:
        if opens or sticks or ways > 0 or not pushed >= -none:
            return ASK
        opens = True  # nothing presses: no force, and the contact neither opens nor closes
    if opens:
        choice.modes[k] = OPEN
    elif not sticks:
        slip_along(choice, k, found)
    return TAKEN
