"""Many sequences of collisions, in compiled code: a member flies and collides until its sequence ends in a way that compiled code can decide.

What the phases of `phases.py` do in flight, and where two points bounce in turn, is done here in the same functions; a sequence that comes into lasting
contact, to rest on some points or to impacts at once is marked by its code, for whoever follows it from the start in Python.
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from .loop import BEFORE, COLUMNS, COUNT, EXPONENT_P, EXPONENT_Q, FULL, INTEGERS, LAST, PAIR, collisions
from .settle import MOVES, RESTS, settle_pair

TRAIL = 512  # points that were hit last; a repeated word is looked for in the last 384
STATE = 7


@compiled
def fall(f, w, gamma, g, s, k, max_impacts, until, tie, values, trail):
    """One sequence from a fresh state s and whole numbers k, both changed in place: why it ended, a code of `loop`."""
    while True:
        left = max_impacts - k[COUNT]
        if left <= 0:
            return FULL
        code = collisions(f, w, gamma, g, s, k, left, until, tie, True, values, trail)
        if code != PAIR:
            return code
        e_q, e_p = int(k[EXPONENT_Q]), int(k[EXPONENT_P])
        g_now, unit = math.ldexp(g, e_q - 2 * e_p), math.ldexp(1.0, e_q - e_p)
        outcome, T, q, p = settle_pair(f, w, gamma, g_now, (s[0], s[1], s[2]), (s[3], s[4], s[5]), k[LAST], k[BEFORE])
        if outcome == MOVES or s[6] + T * unit > until:
            continue
        whole = max(abs(s[3]), abs(s[4]), abs(s[5]))
        if outcome == RESTS or max(abs(p[0]), abs(p[1]), abs(p[2])) <= 1e-13 * whole:
            return PAIR
        s[0], s[1], s[2], s[3], s[4], s[5] = q[0], q[1], q[2], p[0], p[1], p[2]
        s[6] += T * unit


@compiled
def fall_members(f, w, numbers, which, states, wholes, max_impacts, until, tie, trails, codes):
    """Members one after the other: plates f[j], w[j] with (gamma, g) = numbers[j], j = which[i]; states and wholes hold starts, and then ends."""
    values = np.empty((0, COLUMNS))
    for i in range(states.shape[0]):
        j = which[i]
        codes[i] = fall(
            f[j], w[j], numbers[j, 0], numbers[j, 1], states[i], wholes[i], max_impacts, until, tie, values, trails[i]
        )


def fresh(starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """States and whole numbers of members at their start (q, p), a row each."""
    states, wholes = np.zeros((len(starts), STATE)), np.zeros((len(starts), INTEGERS), np.int64)
    states[:, :6] = starts
    wholes[:, [LAST, BEFORE]] = -1
    return states, wholes
