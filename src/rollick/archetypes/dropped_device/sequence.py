"""One drop of the rod with its oscillator, from event to event: flight, impact, slip, rest (thesis (5.13)-(5.20), Fig. 5.6).

After an impact, with the tolerance eps: an end on the floor that moves down is hit again at once; if the velocities of both ends are small,
the rod rests; if that of one end is, the rod slips on it, after an impulse that takes the small velocity away; otherwise it flies. In the
scheme of the thesis "on the floor" means |height| < eps, which merges impacts (erratum E15). In the exact scheme it means height zero, known
from bookkeeping, and heights below eps^2 count as zero only where the rod comes to rest.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.compiled import compiled, inlined
from ...kernel.local_array import float64, local_array
from ...motion.hybrid.phase import TIME_UP
from .impact import both_ends, impulse, take_away
from .oscillator import flight_peak, free_response, resting_peak
from .rod_flight import end_height, half_turns, next_contact, release_time
from .slip import LIFT_OFF, OTHER_END, Slip, slide

RESTED, REACHED, MOST_IMPACTS, SIMULTANEOUS, FAILED = 0, 1, 2, 3, 4
SEQUENTIAL, TOGETHER, STOP = 0, 1, 2
FLIGHT, SLIP, REST = 0, 1, 2
SLIPS, FLIES, RESTS, AGAIN = range(4)  # what follows when an end has lost its velocity

# the state of a drop: time, h, phi without half turns, the half turns, (-1)^turns, h', phi', u, u'
NOW, HEIGHT, ANGLE, HALF_TURNS, SIGN, FALL, SPIN, SHIFT, RATE = range(9)
STATE = 9

# what a drop leaves behind
STATUS, TIME, PEAK, PEAK_TIME, JUMP, IMPACTS, PHASES, FASTEST, ENERGY_RISE, RESTITUTION, BALANCE, DRIFT, TURNS, MEETINGS = range(
    14
)
FOUND = 14
IMPACT_COLUMNS = ("t", "end", "impulse", "velocity", "energy_before", "energy_after", "jump", "phi", "together")
PHASE_COLUMNS = ("kind", "t", "duration", "end", "h", "phi", "turns", "v", "w", "u", "du")


class Rules(NamedTuple):
    """How a drop is computed: tolerances for velocities, for "on the floor" and for rest; the rule for simultaneous impacts; the term u phi'^2."""

    eps: float
    floor: float
    rest: float
    rule: int
    centrifugal: float
    last: float
    load: float
    until: float
    most: int


@inlined
def energy(rho, h, v, w):
    """Mechanical energy of the rod per m g l."""
    return h + 0.5 * (v * v + rho * rho * w * w)


@inlined
def keep_phase(phases, found, kind, t, duration, end, h, phi, turns, v, w, u, du):
    """Append a phase to the log, if there is room."""
    n = int(found[PHASES])
    if n < phases.shape[0]:
        values = (float(kind), t, duration, float(end), h, phi, float(turns), v, w, u, du)
        for j in range(11):
            phases[n, j] = values[j]
    found[PHASES] += 1.0


@inlined
def keep_impact(impacts, found, t, end, zeta, vn, before, after, jump, phi, together):
    """Append an impact to the log, if there is room, and to the sums."""
    n = int(found[IMPACTS])
    if n < impacts.shape[0]:
        values = (t, float(end), zeta, vn, before, after, jump, phi, together)
        for j in range(9):
            impacts[n, j] = values[j]
    found[IMPACTS] += 1.0
    found[JUMP] = max(found[JUMP], abs(jump))
    found[ENERGY_RISE] = max(found[ENERGY_RISE], after - before)


@inlined
def peak_seen(found, most, when):
    """Remember the largest displacement."""
    if most > found[PEAK]:
        found[PEAK] = most
        found[PEAK_TIME] = when


@inlined
def strike(dev, x, g, hit, together, impacts, found):
    """An impact at the end `hit`, or at both: h', phi', u' of the state x, the velocities of the ends in g, and the log are brought up to date."""
    sign, phi, h, v, w = x[SIGN], x[ANGLE], x[HEIGHT], x[FALL], x[SPIN]
    rho2, c = dev.rho * dev.rho, math.cos(phi)
    v0, v1 = g[0, 1], g[1, 1]
    if together:
        p0, p1 = both_ends(dev.gamma, rho2, c, v0, v1)
    else:
        z = impulse(dev.gamma, rho2, c, g[hit, 1])
        p0, p1 = (z, 0.0) if hit == 0 else (0.0, z)
    before = energy(dev.rho, h, v, w)
    v += p0 + p1  # (5.17)
    w += sign * c / rho2 * (p0 - p1)  # (5.18)
    jump = sign * c * ((1.0 + dev.r / rho2) * p0 + (1.0 - dev.r / rho2) * p1)
    x[FALL], x[SPIN] = v, w
    x[RATE] -= jump  # (5.19)
    after = energy(dev.rho, h, v, w)
    both = 1.0 if p0 > 0.0 and p1 > 0.0 else 0.0
    angle = phi + x[HALF_TURNS] * math.pi
    if p0 > 0.0 or p1 == 0.0:
        keep_impact(impacts, found, x[NOW], 0, p0, v0, before, after, jump, angle, both)
    if p1 > 0.0:
        keep_impact(impacts, found, x[NOW], 1, p1, v1, before, after, jump, angle, both)
    if both == 1.0:
        g[0, 1], g[1, 1] = v + sign * w * c, v - sign * w * c
        return
    vn, sigma = g[hit, 1], sign * (1.0 - 2.0 * hit)
    found[RESTITUTION] = max(found[RESTITUTION], abs(v + sigma * w * c + dev.gamma * vn))
    lost = (1.0 - dev.gamma * dev.gamma) * vn * vn / (2.0 * (1.0 + c * c / rho2))
    found[BALANCE] = max(found[BALANCE], abs(before - after - lost))
    g[hit, 1] = -dev.gamma * vn
    g[1 - hit, 1] = v - sigma * w * c


@inlined
def end_to_hit(rules, g):
    """The end on the floor that moves down fastest; -1 if none does."""
    hit = -1
    for e in range(2):
        if g[e, 0] <= rules.floor and g[e, 1] < -rules.eps and (hit < 0 or g[e, 1] < g[hit, 1]):
            hit = e
    return hit


@inlined
def end_to_slip_on(rules, g):
    """An end on the floor without velocity; -1 if there is none."""
    for e in range(2):
        if g[e, 0] <= rules.floor and abs(g[e, 1]) <= rules.eps:
            return e
    return -1


@inlined
def begin(start, x, g, found):
    """The state and the ends at the start = (h, phi, h', phi', u, u')."""
    for j in range(FOUND):
        found[j] = 0.0
    phi, turns = half_turns(start[1])
    x[NOW], x[HEIGHT], x[FALL], x[SPIN], x[SHIFT], x[RATE] = 0.0, start[0], start[2], start[3], start[4], start[5]
    x[ANGLE], x[HALF_TURNS], x[SIGN] = phi, float(turns), -1.0 if turns % 2 else 1.0
    for e in range(2):
        sigma = x[SIGN] * (1.0 - 2.0 * e)
        g[e, 0], g[e, 1], g[e, 2] = max(0.0, start[0] + sigma * math.sin(phi)), start[2] + sigma * start[3] * math.cos(phi), 0.0


@inlined
def turn_to(x, phi):
    """The angle of the state, half turns taken off."""
    x[ANGLE], more = half_turns(phi)
    x[HALF_TURNS] += more
    if more % 2:
        x[SIGN] = -x[SIGN]


@inlined
def fly(dev, rules, x, g, phases, found):
    """Fly to the next contact: (status or -1, the end that touches, its velocity, the duration)."""
    sign, phi, h, v, w = x[SIGN], x[ANGLE], x[HEIGHT], x[FALL], x[SPIN]
    s, end = next_contact(sign, phi, w, h, v, g[0, 0], g[0, 1], g[0, 2], g[1, 0], g[1, 1], g[1, 2])
    status = -1
    if x[NOW] + s > rules.until:
        s, status = rules.until - x[NOW], REACHED
    found[FASTEST] = max(found[FASTEST], abs(w))
    K = dev.Omega * dev.Omega - rules.centrifugal * w * w
    most, when = flight_peak(s, x[SHIFT], x[RATE], dev.delta, K)
    peak_seen(found, most, x[NOW] + when)
    keep_phase(phases, found, FLIGHT, x[NOW], s, -1, h, phi, int(x[HALF_TURNS]), v, w, x[SHIFT], x[RATE])
    before = energy(dev.rho, h, v, w)
    x[SHIFT], x[RATE] = free_response(s, x[SHIFT], x[RATE], dev.delta, K)
    sigma = sign * (1.0 - 2.0 * end)
    vn = end_height(s, sigma, math.sin(phi), math.cos(phi), w, g[end, 0], g[end, 1])[1]
    h += s * (v - 0.5 * s)
    x[FALL] = v = v - s
    x[NOW] += s
    turn_to(x, phi + w * s)
    x[HEIGHT] = h
    peak_seen(found, abs(x[SHIFT]), x[NOW])
    if status < 0:
        sigma = x[SIGN] * (1.0 - 2.0 * end)
        x[HEIGHT] = landed = -sigma * math.sin(x[ANGLE])
        found[DRIFT] = max(found[DRIFT], abs(h - landed))
        g[end, 0], g[end, 1] = 0.0, vn
        g[1 - end, 0], g[1 - end, 1] = max(0.0, 2.0 * landed), v - sigma * w * math.cos(x[ANGLE])
        g[0, 2] = g[1, 2] = 0.0
        found[ENERGY_RISE] = max(found[ENERGY_RISE], energy(dev.rho, landed, v, w) - before)
    return status, end, vn, s


@inlined
def collide_at(dev, rules, x, g, hit, impacts, found):
    """An impact at `hit`, by the rule for simultaneous ones; the status, -1 to go on."""
    if found[IMPACTS] >= rules.most:
        return MOST_IMPACTS
    meeting = g[1 - hit, 0] <= rules.floor and g[1 - hit, 1] <= rules.eps
    if meeting:
        found[MEETINGS] += 1.0
    if meeting and rules.rule == STOP:
        return SIMULTANEOUS
    strike(dev, x, g, hit, meeting and rules.rule == TOGETHER, impacts, found)
    return -1


@inlined
def come_to_slip(dev, rules, x, g, on):
    """Take the small velocity of the end `on` away: what follows, SLIPS, FLIES, RESTS, or AGAIN (the other end touches, too)."""
    other = 1 - on
    sign, phi = x[SIGN], x[ANGLE]
    sigma = sign * (1.0 - 2.0 * on)
    if g[on, 1] > 0.0 and 0.0 < g[other, 0] <= rules.rest and g[other, 1] < -rules.eps:
        return FLIES  # the other end is about to hit: chatter goes on
    x[FALL], x[SPIN], x[RATE] = take_away(dev, sigma, sign, phi, g[on, 1], x[FALL], x[SPIN], x[RATE])
    if g[on, 0] > 0.0 or (g[other, 0] <= rules.rest and g[other, 1] < 0.0):  # both ends are on the floor, within eps
        x[ANGLE] = phi = 0.0
        x[HEIGHT] = 0.0
        g[other, 0] = 0.0
    g[on, 0], g[on, 1] = 0.0, 0.0
    g[other, 1] = x[FALL] - sigma * x[SPIN] * math.cos(phi)
    if abs(g[other, 1]) <= rules.eps and g[other, 0] <= rules.rest:
        return RESTS
    if 1.0 + sigma * x[SPIN] * x[SPIN] * math.sin(phi) <= 0.0:
        return FLIES  # the end is thrown up
    return AGAIN if g[other, 0] == 0.0 and g[other, 1] <= 0.0 else SLIPS


@inlined
def slip(dev, rules, x, g, on, scale, phases, found):
    """Slip on the end `on` until something happens; why it ended (see `slip.py`)."""
    y = local_array(4, float64)
    other = 1 - on
    sigma = x[SIGN] * (1.0 - 2.0 * on)
    y[0], y[1], y[2], y[3] = x[ANGLE], x[SPIN], x[SHIFT], x[RATE]
    s = Slip(dev.rho * dev.rho, dev.r, dev.Omega * dev.Omega, dev.delta, rules.centrifugal, sigma, x[SIGN])
    before = energy(dev.rho, x[HEIGHT], x[FALL], x[SPIN])
    keep = int(found[PHASES])
    turns = int(x[HALF_TURNS])
    keep_phase(phases, found, SLIP, x[NOW], 0.0, on, x[HEIGHT], x[ANGLE], turns, x[FALL], x[SPIN], x[SHIFT], x[RATE])
    why, duration, most, when = slide(s, y, rules.until - x[NOW], scale)
    if keep < phases.shape[0]:
        phases[keep, 2] = duration
    peak_seen(found, most, x[NOW] + when)
    x[NOW] += duration
    x[SPIN], x[SHIFT], x[RATE] = y[1], y[2], y[3]
    turn_to(x, y[0])
    sigma = x[SIGN] * (1.0 - 2.0 * on)
    if why == OTHER_END:
        x[ANGLE] = 0.0
    x[HEIGHT], x[FALL] = -sigma * math.sin(x[ANGLE]), -sigma * x[SPIN] * math.cos(x[ANGLE])
    found[DRIFT] = max(found[DRIFT], abs(energy(dev.rho, x[HEIGHT], x[FALL], x[SPIN]) - before))
    g[on, 0], g[on, 1], g[on, 2] = 0.0, 0.0, 0.0
    g[other, 0], g[other, 1], g[other, 2] = max(0.0, 2.0 * x[HEIGHT]), 2.0 * x[FALL], 0.0
    if why == LIFT_OFF:
        g[on, 2] = release_time(sigma, x[ANGLE], x[SPIN])
    return why


@inlined
def on_the_floor(dev, rules, x, g, hit, scale, impacts, phases, found):
    """An instant on the floor, and slips after it, until it is clear what follows: the status, -1 to fly."""
    while True:
        if hit < 0:
            hit = end_to_hit(rules, g)
        if hit >= 0:
            status = collide_at(dev, rules, x, g, hit, impacts, found)
            if status >= 0:
                return status
            hit = -1
            continue
        quiet = abs(g[0, 1]) <= rules.eps and abs(g[1, 1]) <= rules.eps
        if quiet and g[0, 0] <= rules.rest and g[1, 0] <= rules.rest:
            return RESTED
        on = end_to_slip_on(rules, g)
        follows = come_to_slip(dev, rules, x, g, on) if on >= 0 else FLIES
        if follows == FLIES:
            return -1
        if follows == RESTS:
            return RESTED
        if follows == AGAIN:
            hit = 1 - on if g[1 - on, 1] < -rules.eps else -1
            continue
        why = slip(dev, rules, x, g, on, scale, phases, found)
        if why == LIFT_OFF:
            return -1
        if why != OTHER_END:
            return REACHED if why == TIME_UP else FAILED
        hit = 1 - on


@compiled
def run_drop(dev, rules, start, scale, impacts, phases, found):
    """Drop from `start` = (h, phi, h', phi', u, u'); fills the logs and `found`. `scale` is the reference displacement."""
    # g, of each end: height, velocity, time up to which it is known to be in the air. All below is inlined, so that x and g stay in registers.
    x, g = local_array(STATE, float64), local_array((2, 3), float64)
    begin(start, x, g, found)
    status, stalled = -1, 0
    while status < 0:
        status, end, vn, flown = fly(dev, rules, x, g, phases, found)
        if status < 0:
            stalled = stalled + 1 if flown == 0.0 else 0
            status = FAILED if stalled > 1000 else -1
        if status < 0:
            status = on_the_floor(dev, rules, x, g, end if vn < 0.0 else -1, scale, impacts, phases, found)
    turns = int(x[HALF_TURNS])
    if status == RESTED:  # (5.4): what is left of the velocity is taken away
        x[RATE] += rules.last * (x[SIGN] * math.cos(x[ANGLE]) * x[FALL] + dev.r * x[SPIN])
        keep_phase(phases, found, REST, x[NOW], math.inf, -1, 0.0, 0.0, turns, 0.0, 0.0, x[SHIFT], x[RATE])
        most, when = resting_peak(x[SHIFT], x[RATE], -rules.load * x[SIGN], dev.delta, dev.Omega * dev.Omega)
        peak_seen(found, most, x[NOW] + when)
    found[STATUS], found[TIME], found[TURNS] = float(status), x[NOW], float(turns)
