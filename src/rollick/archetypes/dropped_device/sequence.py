"""One drop of the rod with its oscillator, from event to event: flight, impact, slip, rest (thesis (5.13)-(5.20), Fig. 5.6).

After an impact, with the tolerance eps: an end on the floor that moves down is hit again at once; if the velocities of both ends are small,
the rod rests; if that of one end is, the rod slips on it, after an impulse that takes the small velocity away; otherwise it flies. In the
scheme of the thesis "on the floor" means |height| < eps, which merges impacts (erratum E15). In the exact scheme it means height zero, known
from bookkeeping, and heights below eps^2 count as zero only where the rod comes to rest.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...motion.ode.dop853 import ROWS
from .impact import both_ends, impulse, take_away
from .oscillator import flight_peak, free_response, resting_peak
from .rod_flight import end_height, half_turns, next_contact, release_time
from .slip import LIFT_OFF, OTHER_END, TIME_UP, Slip, slide

RESTED, REACHED, MOST_IMPACTS, SIMULTANEOUS, FAILED = 0, 1, 2, 3, 4
SEQUENTIAL, TOGETHER, STOP = 0, 1, 2
FLIGHT, SLIP, REST = 0, 1, 2

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


@compiled
def energy(rho, h, v, w):
    """Mechanical energy of the rod per m g l."""
    return h + 0.5 * (v * v + rho * rho * w * w)


@compiled
def keep_phase(phases, found, kind, t, duration, end, h, phi, turns, v, w, u, du):
    """Append a phase to the log, if there is room."""
    n = int(found[PHASES])
    if n < phases.shape[0]:
        values = (float(kind), t, duration, float(end), h, phi, float(turns), v, w, u, du)
        for j in range(11):
            phases[n, j] = values[j]
    found[PHASES] += 1.0


@compiled
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


@compiled
def peak_seen(found, most, when):
    """Remember the largest displacement."""
    if most > found[PEAK]:
        found[PEAK] = most
        found[PEAK_TIME] = when


@compiled
def strike(dev, sign, phi, turns, t, h, v, w, du, g, hit, together, impacts, found):
    """An impact at the end `hit`, or at both: (h', phi', u') after it; the velocities of the ends in g and the log are brought up to date."""
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
    du -= jump  # (5.19)
    after = energy(dev.rho, h, v, w)
    both = 1.0 if p0 > 0.0 and p1 > 0.0 else 0.0
    if p0 > 0.0 or p1 == 0.0:
        keep_impact(impacts, found, t, 0, p0, v0, before, after, jump, phi + turns * math.pi, both)
    if p1 > 0.0:
        keep_impact(impacts, found, t, 1, p1, v1, before, after, jump, phi + turns * math.pi, both)
    if both == 1.0:
        g[0, 1], g[1, 1] = v + sign * w * c, v - sign * w * c
        return v, w, du
    vn, sigma = g[hit, 1], sign * (1.0 - 2.0 * hit)
    found[RESTITUTION] = max(found[RESTITUTION], abs(v + sigma * w * c + dev.gamma * vn))
    lost = (1.0 - dev.gamma * dev.gamma) * vn * vn / (2.0 * (1.0 + c * c / rho2))
    found[BALANCE] = max(found[BALANCE], abs(before - after - lost))
    g[hit, 1] = -dev.gamma * vn
    g[1 - hit, 1] = v - sigma * w * c
    return v, w, du


@compiled
def end_to_hit(rules, g):
    """The end on the floor that moves down fastest; -1 if none does."""
    hit = -1
    for e in range(2):
        if g[e, 0] <= rules.floor and g[e, 1] < -rules.eps and (hit < 0 or g[e, 1] < g[hit, 1]):
            hit = e
    return hit


@compiled
def end_to_slip_on(rules, g):
    """An end on the floor without velocity; -1 if there is none."""
    for e in range(2):
        if g[e, 0] <= rules.floor and abs(g[e, 1]) <= rules.eps:
            return e
    return -1


@compiled
def run_drop(dev, rules, start, scale, impacts, phases, found):
    """Drop from `start` = (h, phi, h', phi', u, u'); fills the logs and `found`. `scale` is the reference displacement."""
    rho2, K0 = dev.rho * dev.rho, dev.Omega * dev.Omega
    g = np.zeros((2, 3))  # of each end: height, velocity, time up to which it is known to be in the air
    y, atol, stages = np.empty(4), np.empty(4), np.empty((ROWS, 4))
    for j in range(FOUND):
        found[j] = 0.0
    t, h, v, w, u, du = 0.0, start[0], start[2], start[3], start[4], start[5]
    phi, turns = half_turns(start[1])
    sign = -1.0 if turns % 2 else 1.0
    for e in range(2):
        sigma = sign * (1.0 - 2.0 * e)
        g[e, 0], g[e, 1] = max(0.0, h + sigma * math.sin(phi)), v + sigma * w * math.cos(phi)
    status, stalled = -1, 0
    while status < 0:
        # ------------------------------------------------------------------------------------------------- flight
        s, end = next_contact(sign, phi, w, h, v, g[0, 0], g[0, 1], g[0, 2], g[1, 0], g[1, 1], g[1, 2])
        if t + s > rules.until:
            s, status = rules.until - t, REACHED
        found[FASTEST] = max(found[FASTEST], abs(w))
        K = K0 - rules.centrifugal * w * w
        most, when = flight_peak(s, u, du, dev.delta, K)
        peak_seen(found, most, t + when)
        keep_phase(phases, found, FLIGHT, t, s, -1, h, phi, turns, v, w, u, du)
        before = energy(dev.rho, h, v, w)
        u, du = free_response(s, u, du, dev.delta, K)
        sigma = sign * (1.0 - 2.0 * end)
        vn = end_height(s, sigma, math.sin(phi), math.cos(phi), w, g[end, 0], g[end, 1])[1]
        h += s * (v - 0.5 * s)
        v -= s
        t += s
        phi, more = half_turns(phi + w * s)
        turns += more
        if more % 2:
            sign = -sign
        peak_seen(found, abs(u), t)
        if status >= 0:
            break
        stalled = stalled + 1 if s == 0.0 else 0
        if stalled > 1000:
            status = FAILED
            break
        sigma = sign * (1.0 - 2.0 * end)
        landed = -sigma * math.sin(phi)
        found[DRIFT] = max(found[DRIFT], abs(h - landed))
        h = landed
        g[end, 0], g[end, 1] = 0.0, vn
        g[1 - end, 0], g[1 - end, 1] = max(0.0, 2.0 * h), v - sigma * w * math.cos(phi)
        g[0, 2] = g[1, 2] = 0.0
        found[ENERGY_RISE] = max(found[ENERGY_RISE], energy(dev.rho, h, v, w) - before)
        hit = end if vn < 0.0 else -1
        # ------------------------------------------------------------------- an instant: impacts until it is clear what follows
        while status < 0:
            if hit < 0:
                hit = end_to_hit(rules, g)
            if hit >= 0:
                if found[IMPACTS] >= rules.most:
                    status = MOST_IMPACTS
                    break
                other = 1 - hit
                meeting = g[other, 0] <= rules.floor and g[other, 1] <= rules.eps
                if meeting:
                    found[MEETINGS] += 1.0
                if meeting and rules.rule == STOP:
                    status = SIMULTANEOUS
                    break
                together = meeting and rules.rule == TOGETHER
                v, w, du = strike(dev, sign, phi, turns, t, h, v, w, du, g, hit, together, impacts, found)
                hit = -1
                continue
            quiet0, quiet1 = abs(g[0, 1]) <= rules.eps, abs(g[1, 1]) <= rules.eps
            if quiet0 and quiet1 and g[0, 0] <= rules.rest and g[1, 0] <= rules.rest:
                status = RESTED
                break
            on = end_to_slip_on(rules, g)
            if on < 0:
                break  # fly
            # ------------------------------------------------------------------------------------------------- slip
            other = 1 - on
            sigma = sign * (1.0 - 2.0 * on)
            if g[on, 1] > 0.0 and 0.0 < g[other, 0] <= rules.rest and g[other, 1] < -rules.eps:
                break  # the other end is about to hit: chatter goes on, fly
            v, w, du = take_away(dev, sigma, sign, phi, g[on, 1], v, w, du)
            if g[on, 0] > 0.0 or (g[other, 0] <= rules.rest and g[other, 1] < 0.0):  # both ends are on the floor, within eps
                phi, h = 0.0, 0.0
                g[other, 0] = 0.0
            g[on, 0], g[on, 1] = 0.0, 0.0
            g[other, 1] = v - sigma * w * math.cos(phi)
            if abs(g[other, 1]) <= rules.eps and g[other, 0] <= rules.rest:
                status = RESTED
                break
            if 1.0 + sigma * w * w * math.sin(phi) <= 0.0:
                break  # the end is thrown up: fly
            if g[other, 0] == 0.0 and g[other, 1] <= 0.0:
                if g[other, 1] < -rules.eps:
                    hit = other
                continue
            y[0], y[1], y[2], y[3] = phi, w, u, du
            s = Slip(rho2, dev.r, K0, dev.delta, rules.centrifugal, sigma, sign)
            before = energy(dev.rho, h, v, w)
            keep = int(found[PHASES])
            keep_phase(phases, found, SLIP, t, 0.0, on, h, phi, turns, v, w, u, du)
            why, duration, most, when = slide(s, y, rules.until - t, scale, stages, atol)
            if keep < phases.shape[0]:
                phases[keep, 2] = duration
            peak_seen(found, most, t + when)
            t += duration
            w, u, du = y[1], y[2], y[3]
            phi, more = half_turns(y[0])
            turns += more
            if more % 2:
                sign = -sign
            sigma = sign * (1.0 - 2.0 * on)
            if why == OTHER_END:
                phi = 0.0
            h, v = -sigma * math.sin(phi), -sigma * w * math.cos(phi)
            found[DRIFT] = max(found[DRIFT], abs(energy(dev.rho, h, v, w) - before))
            g[on, 0], g[on, 1], g[on, 2] = 0.0, 0.0, 0.0
            g[other, 0], g[other, 1], g[other, 2] = max(0.0, 2.0 * h), 2.0 * v, 0.0
            if why == OTHER_END:
                hit = other
                continue
            if why == LIFT_OFF:
                g[on, 2] = release_time(sigma, phi, w)
                break
            status = REACHED if why == TIME_UP else FAILED
    if status == RESTED:
        du += rules.last * (sign * math.cos(phi) * v + dev.r * w)  # (5.4): what is left of the velocity is taken away
        keep_phase(phases, found, REST, t, math.inf, -1, 0.0, 0.0, turns, 0.0, 0.0, u, du)
        most, when = resting_peak(u, du, -rules.load * sign, dev.delta, K0)
        peak_seen(found, most, t + when)
    found[STATUS], found[TIME], found[TURNS] = float(status), t, float(turns)
