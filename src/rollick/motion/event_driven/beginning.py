"""In which directions the slip of several contacts begins together: each along its own acceleration, which depends on the directions of all through the friction.

They are found by Newton's method from several starts; among these is where a relaxation (projected Gauss-Seidel) points.
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import float64, int64, local_array
from ...mechanics.contact import contact_count
from ..contact.balance import force_count
from ..contact.held import SLIP, STICK
from .one_closed import all_open
from .sight import acceleration, find_forces, slips, way_of
from .thresholds import LOOSE, SMALL

STARTS, ROUNDS = 8, 25  # of Newton's method, beside two that forces tell; and iterations from each
FIRST = 4  # iterations that only follow the acceleration
TURN = 1e-6  # rad: of differences
FOUND = 1e-11  # relative to the acceleration
SWEEPS, BEYOND = 400, 1e9  # of the relaxation, and changes (of the force) with which it diverges, as with much friction it may


@compiled
def aim_at(system, choice, angles):
    """The directions of slips that begin, from their angles."""
    j = 0
    for k in range(contact_count(system)):
        if choice.begins[k] > 0.0:
            choice.ways[2 * k], choice.ways[2 * k + 1] = math.cos(angles[j]), math.sin(angles[j])
            j += 1


@compiled
def crossing(system, sight, choice, angles, turn, along):
    """d x a_T and d . a_T of slips that begin along angles."""
    x = local_array(force_count(system), float64)
    aim_at(system, choice, angles)
    find_forces(system, sight, choice, x)
    j = 0
    for k in range(contact_count(system)):
        if choice.begins[k] > 0.0:
            b, c = acceleration(system, sight, x, 3 * k + 1), acceleration(system, sight, x, 3 * k + 2)
            turn[j] = choice.ways[2 * k] * c - choice.ways[2 * k + 1] * b
            along[j] = choice.ways[2 * k] * b + choice.ways[2 * k + 1] * c
            j += 1
    return j


@compiled
def newton_turn(system, sight, choice, angles, turn, total):
    """A step of Newton's method for the angles, in place; whether it could be made."""
    slope, pivots = (
        local_array((contact_count(system), contact_count(system)), float64),
        local_array(contact_count(system), int64),
    )
    moved, other, along = local_array(contact_count(system), float64), local_array(contact_count(system), float64), local_array(contact_count(system), float64)  # fmt: skip
    step = local_array(contact_count(system), float64)
    for j in range(total):
        for i in range(total):
            moved[i] = angles[i] + (TURN if i == j else 0.0)
        crossing(system, sight, choice, moved, other, along)
        step[j] = -turn[j]
        for i in range(total):
            slope[i, j] = (other[i] - turn[i]) / TURN
    if not lu_factor(slope[:total, :total], pivots[:total]):
        return False
    lu_solve(slope[:total, :total], pivots[:total], step[:total])
    most = 1e-300
    for j in range(total):
        most = max(most, abs(step[j]))
    for j in range(total):
        angles[j] += step[j] * min(1.0, 0.5 / most)
    return True


@compiled
def find_directions(system, sight, choice, scale):
    """Zeros of d x a_T(d) near the directions of the choice, in place; whether there are any, with slips that grow."""
    apart()
    angles, turn, along = local_array(contact_count(system), float64), local_array(contact_count(system), float64), local_array(contact_count(system), float64)  # fmt: skip
    j = 0
    for k in range(contact_count(system)):
        if choice.begins[k] > 0.0:
            angles[j] = math.atan2(choice.ways[2 * k + 1], choice.ways[2 * k])
            j += 1
    for trial in range(ROUNDS):
        total = crossing(system, sight, choice, angles, turn, along)
        worst, least = 0.0, math.inf
        for j in range(total):
            if not math.isfinite(turn[j]):
                return False
            worst, least = max(worst, abs(turn[j])), min(least, along[j])
        if worst <= FOUND * scale:
            return least > SMALL * scale
        if trial < FIRST:
            for j in range(total):
                angles[j] += math.atan2(turn[j], along[j])
        elif not newton_turn(system, sight, choice, angles, turn, total):
            return False
    return False


@compiled
def pulled(choice, k, a, b):
    """Slip at contact k begins along a vector."""
    size = math.hypot(a, b)
    choice.ways[2 * k], choice.ways[2 * k + 1] = (a / size, b / size) if size > 0.0 else (1.0, 0.0)


@compiled
def begin_along(system, sight, choice, start):
    """The directions that a search for those of slip begins with: where contacts would go without friction, against the forces that hold them, and some others."""
    x = local_array(force_count(system), float64)
    count = contact_count(system)
    if start == 0:
        for k in range(count):
            if choice.begins[k] > 0.0:
                choice.ways[2 * k] = choice.ways[2 * k + 1] = 0.0
        find_forces(system, sight, choice, x)
        for k in range(count):
            if choice.begins[k] > 0.0:
                pulled(choice, k, acceleration(system, sight, x, 3 * k + 1), acceleration(system, sight, x, 3 * k + 2))
    elif start == 1:
        for k in range(count):
            choice.modes[k] = STICK if choice.begins[k] > 0.0 else choice.modes[k]
        find_forces(system, sight, choice, x)
        for k in range(count):
            if choice.begins[k] > 0.0:
                choice.modes[k] = SLIP
                pulled(choice, k, -x[3 * k + 1], -x[3 * k + 2])
    else:
        angle = 2.0 * math.pi * (start - 2 + 0.3) / STARTS
        for k in range(count):
            if choice.begins[k] > 0.0:
                choice.ways[2 * k], choice.ways[2 * k + 1] = math.cos(angle), math.sin(angle)


@compiled
def largest_of(sight, k):
    """The largest eigenvalue of the symmetric part of A at contact k."""
    a, b, c = sight.A[3 * k, 3 * k], sight.A[3 * k + 1, 3 * k + 1], sight.A[3 * k + 2, 3 * k + 2]
    d = 0.5 * (sight.A[3 * k, 3 * k + 1] + sight.A[3 * k + 1, 3 * k])
    e = 0.5 * (sight.A[3 * k + 1, 3 * k + 2] + sight.A[3 * k + 2, 3 * k + 1])
    f = 0.5 * (sight.A[3 * k, 3 * k + 2] + sight.A[3 * k + 2, 3 * k])
    mean, off = (a + b + c) / 3.0, d * d + e * e + f * f
    a, b, c = a - mean, b - mean, c - mean
    size = math.sqrt((a * a + b * b + c * c + 2.0 * off) / 6.0)
    if not size > 0.0:
        return mean
    half = 0.5 * (a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f)) / (size * size * size)
    return mean + 2.0 * size * math.cos(math.acos(min(1.0, max(-1.0, half))) / 3.0)


@compiled
def relax(system, sight, closed, force, x):
    """Forces by projected Gauss-Seidel."""
    n = force_count(system)
    for row in range(n):
        x[row] = 0.0
    for _ in range(SWEEPS):
        most = 0.0
        for k in range(contact_count(system)):
            if not closed[k] > 0.0:
                continue
            i, per = 3 * k, 1.0 / largest_of(sight, k)
            mu, old0, old1, old2 = max(sight.mu[k], 0.0), x[3 * k], x[3 * k + 1], x[3 * k + 2]
            a, b, c = (
                acceleration(system, sight, x, i),
                acceleration(system, sight, x, i + 1),
                acceleration(system, sight, x, i + 2),
            )
            x[i] = max(x[i] - a * per, 0.0)
            if slips(sight, k):
                w1, w2 = way_of(sight, k)
                x[i + 1], x[i + 2] = -mu * x[i] * w1, -mu * x[i] * w2
            else:
                t1, t2 = x[i + 1] - b * per, x[i + 2] - c * per
                share = min(1.0, mu * x[i] / max(math.hypot(t1, t2), 1e-300))
                x[i + 1], x[i + 2] = t1 * share, t2 * share
            most = max(most, max(abs(x[i] - old0), max(abs(x[i + 1] - old1), abs(x[i + 2] - old2))))
        if not 1e-9 * force < most < BEYOND * force:
            return


@compiled
def swept(system, sight, closed, force, choice):
    """Modes, and directions of slip that begins, to which a relaxation points; the directions made exact."""
    apart()
    x = local_array(force_count(system), float64)
    kept = local_array(force_count(system), float64)
    relax(system, sight, closed, force, x)
    all_open(system, choice)
    begins, scale = False, 1e-300
    for row in range(force_count(system)):
        scale = max(scale, abs(sight.c[row]))
    for k in range(contact_count(system)):
        normal, pull = x[3 * k], math.hypot(x[3 * k + 1], x[3 * k + 2])
        if closed[k] > 0.0 and normal > LOOSE * force:
            sticks = not slips(sight, k) and pull < sight.mu[k] * normal * (1.0 - 1e-6)
            choice.modes[k] = STICK if sticks else SLIP
            if not sticks and not slips(sight, k):
                choice.begins[k], begins = 1, True
                pulled(choice, k, -x[3 * k + 1], -x[3 * k + 2])
    if not begins:
        return
    for i in range(2 * contact_count(system)):
        kept[i] = choice.ways[i]
    if find_directions(system, sight, choice, scale):
        return
    for start in range(2 + STARTS):
        begin_along(system, sight, choice, start)
        if find_directions(system, sight, choice, scale):
            return
    for i in range(2 * contact_count(system)):
        choice.ways[i] = kept[i]
