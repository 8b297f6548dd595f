"""A polyhedron falls and bounces until it flies no more: the loop over flights and impacts.

Vertices on the floor that move down after an impact are hit next, the fastest first, in the same instant (simultaneous impacts as a sequence).
When a vertex that touches has no speed left, infinitely many impacts have accumulated there. Without friction the body then leans on it, or on
the two of an edge, until another vertex lands; it rests when three have no speed left. With friction, or at rest, the computation stops and
says at how many vertices.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...motion.hybrid.phase import TIME_UP
from .leaning import LANDED, RELEASED, Leaning, lean
from .polyhedron import ORDER, ROWS, SHAKE, advance, first_root, flight_series, series_peak, vertex_series, vertical
from .vertex_impact import apply_impulse, body_energy, mobility, vertex_impulse, vertex_velocity

ACCUMULATED, REACHED, MOST_IMPACTS, FAILED = 0, 1, 2, 3
STATUS, TIME, PEAK, JUMP, IMPACTS, QUIET, ENERGY_RISE, DRIFT, RESTITUTION, WINDOWS, FASTEST, LEANS = range(12)
FOUND = 12
IMPACT_COLUMNS = ("t", "vertex", "px", "py", "pz", "velocity", "energy_before", "energy_after", "jump")
MOST_AT_ONCE = 100_000  # impacts in one instant


class BounceRules(NamedTuple):
    """Gravity, restitution, friction, the speed that counts as none, the last time, the most impacts."""

    g: float
    gamma: float
    mu: float
    eps: float
    until: float
    most: int


@compiled
def reference_scale(part, gh):
    """A displacement that counts as large: the component stopped from the fall's speed, without damping."""
    return math.sqrt(2.0 * gh) / part.Omega


@compiled
def look_up(body, y, height, speed):
    """Heights and speeds of all vertices from the state."""
    n = vertical(y)
    for j in range(body.vertices.shape[0]):
        x0, x1, x2 = body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]
        height[j] = y[2] + n[0] * x0 + n[1] * x1 + n[2] * x2
        speed[j] = vertex_velocity(body, y, j)[2]


@compiled
def release_begin(row, tau):
    """A time for which a vertex that has just lifted off stays above the floor: its first positive coefficient outweighs all that follow."""
    for k in range(2, 4):
        if row[k] > 1e-12 * abs(row[2] + row[3]):
            rest, power = 0.0, 1.0
            for m in range(k + 1, ORDER + 1):
                rest += abs(row[m]) * power
                power *= tau
            return min(tau, 0.5 * row[k] / rest) if rest > 0.0 else tau
        if row[k] < 0.0:
            return 0.0
    return 0.0


@compiled
def fly(body, part, rules, y, room, lifted, c, row, height, speed, found):
    """Fly until the first contact: (the vertex, or -1 if `room` was too short; the time flown). `lifted` is a vertex that has just lifted off."""
    flown = 0.0
    while True:
        tau = min(flight_series(body.moments, part, y, c), room - flown)
        found[WINDOWS] += 1.0
        best, which = math.inf, -1
        for j in range(body.vertices.shape[0]):
            vertex_series(body, c, rules.g, j, height[j], speed[j], row)
            s = first_root(row, tau, release_begin(row, tau) if j == lifted else 0.0)
            if s < best:
                best, which = s, j
        s = min(best, tau)
        for j in range(body.vertices.shape[0]):
            vertex_series(body, c, rules.g, j, height[j], speed[j], row)
            z, dz = row[ORDER], ORDER * row[ORDER]
            for k in range(ORDER - 1, 0, -1):
                z, dz = z * s + row[k], dz * s + k * row[k]
            height[j], speed[j] = max(0.0, z * s + row[0]), dz
        found[PEAK] = series_peak(c[SHAKE], s, found[PEAK])
        advance(c, rules.g, s, y)
        flown += s
        lifted = -1
        if which >= 0 or flown >= room:
            return which, flown


@compiled
def strike_all(body, part, rules, y, t, hit, near, eps, height, speed, impacts, found):
    """Impacts of one instant, until no vertex on the floor moves down; False if there is no end of them."""
    for _ in range(MOST_AT_ONCE):
        if found[IMPACTS] >= rules.most:
            return False
        v = vertex_velocity(body, y, hit)
        v = (v[0], v[1], speed[hit])
        before = body_energy(body, rules.g, y)
        P = vertex_impulse(rules.gamma, rules.mu, v, mobility(body, y, hit))
        jump = apply_impulse(body, part, y, hit, P)
        after = body_energy(body, rules.g, y)
        n = int(found[IMPACTS])
        if n < impacts.shape[0]:
            values = (t, float(hit), P[0], P[1], P[2], v[2], before, after, jump)
            for k in range(9):
                impacts[n, k] = values[k]
        found[IMPACTS] += 1.0
        found[JUMP] = max(found[JUMP], abs(jump))
        found[ENERGY_RISE] = max(found[ENERGY_RISE], after - before)
        bounced = -rules.gamma * speed[hit]
        found[RESTITUTION] = max(found[RESTITUTION], abs(vertex_velocity(body, y, hit)[2] - bounced))
        for j in range(height.size):
            speed[j] = vertex_velocity(body, y, j)[2]
        speed[hit] = bounced
        hit = -1
        for j in range(height.size):
            if height[j] <= near and speed[j] < -eps and (hit < 0 or speed[j] < speed[hit]):
                hit = j
        if hit < 0:
            return True
    return False


@compiled
def settle_on(body, part, y, first, second, speed):
    """Impulses that take the small speeds of one or two vertices away: what is left of an infinite sequence of impacts."""
    W = mobility(body, y, first)
    if second < 0:
        apply_impulse(body, part, y, first, (0.0, 0.0, -speed[first] / W[2][2]))
        return
    before = vertex_velocity(body, y, second)[2]
    apply_impulse(body, part, y, first, (0.0, 0.0, 1.0))
    cross_term = vertex_velocity(body, y, second)[2] - before
    apply_impulse(body, part, y, first, (0.0, 0.0, -1.0))
    a, b, d = W[2][2], cross_term, mobility(body, y, second)[2][2]
    det = a * d - b * b
    apply_impulse(body, part, y, first, (0.0, 0.0, (-d * speed[first] + b * speed[second]) / det))
    apply_impulse(body, part, y, second, (0.0, 0.0, (b * speed[first] - a * speed[second]) / det))


@compiled
def at_floor(body, y, j):
    """Put vertex j on the floor."""
    n = vertical(y)
    y[2] = -(n[0] * body.vertices[j, 0] + n[1] * body.vertices[j, 1] + n[2] * body.vertices[j, 2])


@compiled
def quiet_vertices(near, eps, height, speed):
    """How many vertices touch without speed, and the first and the last of them (-1: none)."""
    quiet, first, second = 0, -1, -1
    for j in range(height.size):
        if height[j] <= near and abs(speed[j]) <= eps:
            quiet += 1
            first, second = (j, -1) if quiet == 1 else (first, j)
    return quiet, first, second


@compiled
def lean_on(body, part, rules, y, first, second, room, reach, scale, height, speed, found):
    """Lasting contact of one or two vertices, without friction: (why it ended, the duration, the vertex that landed or which was released)."""
    settle_on(body, part, y, first, second, speed)
    before = body_energy(body, rules.g, y)
    found[LEANS] += 1.0
    leaning = Leaning(body, part, rules.g, math.sqrt(rules.g / reach), first, second)
    why, lasted, which, most = lean(leaning, y, room, reach, scale)
    found[PEAK] = max(found[PEAK], most)
    at_floor(body, y, first)
    found[DRIFT] = max(found[DRIFT], abs(body_energy(body, rules.g, y) - before))
    look_up(body, y, height, speed)
    for j in range(height.size):
        height[j] = max(height[j], 0.0)
    height[first], speed[first] = 0.0, 0.0
    if second >= 0:
        height[second], speed[second] = 0.0, 0.0
    return why, lasted, which


@compiled
def reach_of(body):
    """The distance of the farthest vertex from the mass centre."""
    reach = 0.0
    for j in range(body.vertices.shape[0]):
        reach = max(reach, math.sqrt(body.vertices[j, 0] ** 2 + body.vertices[j, 1] ** 2 + body.vertices[j, 2] ** 2))
    return reach


@compiled
def on_the_floor(body, part, rules, y, t, hit, reach, scale, height, speed, impacts, stalled, found):
    """Impacts of an instant and leaning after it, until the body flies: (the status or -1, the time, the vertex that has just lifted off or -1).

    `stalled` counts how often in a row leaning took no time.
    """
    eps = rules.eps * math.sqrt(rules.g * reach)
    near = eps * eps / rules.g
    while True:
        if hit >= 0 and not strike_all(body, part, rules, y, t, hit, near, eps, height, speed, impacts, found):
            return MOST_IMPACTS if found[IMPACTS] >= rules.most else FAILED, t, -1
        quiet, first, second = quiet_vertices(near, eps, height, speed)
        if quiet == 0:
            return -1, t, -1
        found[QUIET] = float(quiet)
        if quiet > 2 or quiet == height.size or rules.mu > 0.0:
            return ACCUMULATED, t, -1
        room = rules.until - t
        why, lasted, which = lean_on(body, part, rules, y, first, second, room, reach, scale, height, speed, found)
        t += lasted
        stalled[0] = stalled[0] + 1 if lasted < 1e-13 * t else 0
        if stalled[0] > 20:
            return FAILED, t, -1
        hit = -1
        if why == LANDED:
            height[which] = 0.0
            hit = which if speed[which] < 0.0 else -1
        elif why == RELEASED:
            lifted = first if which == 0 else second
            if second < 0:
                return -1, t, lifted
            speed[lifted] = 2.0 * eps  # the other contact goes on alone
        else:
            return REACHED if why == TIME_UP else FAILED, t, -1


@compiled
def run_polyhedron(body, part, rules, y, impacts, found):
    """Follow a polyhedron from the state y (overwritten): fills the log of impacts and `found`."""
    count = body.vertices.shape[0]
    c, row = np.zeros((ROWS, ORDER + 1)), np.empty(ORDER + 1)
    height, speed = np.empty(count), np.empty(count)
    stalled = np.zeros(1, np.int64)
    for k in range(FOUND):
        found[k] = 0.0
    reach = reach_of(body)
    scale = reference_scale(part, rules.g * max(y[2], reach))
    look_up(body, y, height, speed)
    t, lifted, status = 0.0, -1, -1
    while status < 0:
        before = body_energy(body, rules.g, y)
        hit, flown = fly(body, part, rules, y, rules.until - t, lifted, c, row, height, speed, found)
        t += flown
        found[DRIFT] = max(found[DRIFT], abs(body_energy(body, rules.g, y) - before))
        found[FASTEST] = max(found[FASTEST], math.sqrt(y[10] ** 2 + y[11] ** 2 + y[12] ** 2))
        if hit < 0:
            status = REACHED
            break
        height[hit] = 0.0
        at_floor(body, y, hit)
        status, t, lifted = on_the_floor(body, part, rules, y, t, hit, reach, scale, height, speed, impacts, stalled, found)
    found[STATUS], found[TIME] = float(status), t
