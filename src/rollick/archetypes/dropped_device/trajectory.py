"""The motion between the events of a drop, at any time: flights in closed form, slips integrated again, the ring-down in closed form."""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from .oscillator import free_response
from .sequence import FLIGHT, SLIP
from .slip import Slip, slide

STATES = ("h", "phi", "v", "w", "u", "du")


@compiled
def phase_states(dev, rules, row, times, out):
    """The states (h, phi, h', phi', u, u') at ascending times (since the start of the phase) within one phase of the log."""
    kind, on, h, phi, turns, v, w, u, du = int(row[0]), row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10]
    K0 = dev.Omega * dev.Omega
    sign = -1.0 if int(turns) % 2 else 1.0
    if kind == SLIP:
        sigma = sign * (1.0 - 2.0 * on)
        y = np.empty(4)
        y[0], y[1], y[2], y[3] = phi, w, u, du
        s = Slip(dev.rho * dev.rho, dev.r, K0, dev.delta, rules.centrifugal, sigma, sign)
        before = 0.0
        for i in range(times.size):
            if times[i] > before:
                slide(s, y, times[i] - before, 1.0)
                before = times[i]
            values = (-sigma * math.sin(y[0]), y[0] + turns * math.pi, -sigma * y[1] * math.cos(y[0]), y[1], y[2], y[3])
            for j in range(6):
                out[i, j] = values[j]
        return
    flying = 1.0 if kind == FLIGHT else 0.0
    K = K0 - flying * rules.centrifugal * w * w
    load = 0.0 if flying else -sign * rules.load / K0
    for i in range(times.size):
        x = times[i]
        a, b = free_response(x, u - load, du, dev.delta, K)
        values = (h + flying * x * (v - 0.5 * x), phi + turns * math.pi + w * x, v - flying * x, w, a + load, b)
        for j in range(6):
            out[i, j] = values[j]


@compiled
def all_phases(dev, rules, phases, which, times, out):
    """The states at times of which `which` tells the phase, in rising order of the phases."""
    i = 0
    while i < times.size:
        j = i + 1
        while j < times.size and which[j] == which[i]:
            j += 1
        row = phases[which[i]]
        phase_states(dev, rules, row, times[i:j] - row[1], out[i:j])
        i = j


def sample(dev, rules, phases: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The states at given ascending times; a time at which a phase begins belongs to it. Shape (len(times), 6)."""
    times = np.asarray(times, float)
    which = np.clip(np.searchsorted(phases[:, 1], times, side="right") - 1, 0, len(phases) - 1)
    found, part = np.empty((times.size, len(STATES))), np.empty((times.size, len(STATES)))
    order = np.argsort(which, kind="stable")
    all_phases(dev, rules, phases, which[order], times[order], part)
    found[order] = part
    return found


def good_times(dev, phases: np.ndarray, end: float, most: int = 20_000) -> np.ndarray:
    """Times that show a drop well: enough within each phase for its vibrations, and both ends of it."""
    parts = []
    budget = most
    for kind, t, duration, w in phases[:, [0, 1, 2, 8]]:
        if not math.isfinite(duration):
            duration = max(end - t, min(6.0 / max(dev.d, 1e-3), 1e3))
        fastest = max(abs(w), min(dev.Omega, 4.0 * dev.delta + dev.Omega), 3.0)
        count = int(min(max(3, 2 + 6.0 * fastest * duration), 3000, max(3, budget)))
        budget -= count
        parts.append(t + duration * np.linspace(0.0, 1.0, count) ** (1.0 if kind == FLIGHT and dev.alpha < 1.0 else 1.5))
    return np.concatenate(parts)
