"""Which modes can follow: the contact law on the level of accelerations, for contacts that are closed and neither approach nor separate.

With gamma' = c + A lambda (see `balance`) a contact may

    open       lambda = 0,  gap'' > 0
    slip       lambda = N (1, -mu d),  N > 0,  gap'' = 0;  d along the slip or, where there is none, along the slip that begins: a_T = alpha d, alpha > 0
    stick      gamma' = 0,  N > 0,  |lambda_T| <= mu N

All of these are tried, and exactly the consistent ones are given back. With D(d) = A_NN - mu A_NT.d > 0 for all d there is at least one; beside stick, slip may be consistent,
too, where its normal force is smaller. Where D < 0, slip with gap'' < 0 without force has none (inconsistent), with gap'' > 0 two: slip, and open (indeterminate):
Painleve's paradox. Several closed contacts are coupled by A: `combinations`.
"""

from __future__ import annotations

import math

import numpy as np

from rollick.motion.contact.held import OPEN, SLIP, STICK
from rollick.motion.event_driven.thresholds import BESIDE, SMALL, WEIGHTLESS

from .beginning import slip_directions
from .choice import INCONSISTENT, INDETERMINATE, Choice, Verdict
from .combinations import of_several
from .seen import View


def verdict(seen: View, closed: tuple[int, ...]) -> Verdict:
    """The modes that closed contacts can go on in, the others being open."""
    return of_one(seen, closed[0]) if len(closed) == 1 else of_several(seen, closed)


def of_one(seen: View, k: int) -> Verdict:
    """The modes that contact k can go on in, the others being open."""
    c, A = seen.of(k)
    mu, largest = max(float(seen.mu[k]), 0.0), float(np.abs(c).max())
    none, presses = SMALL * largest, c[0] < -WEIGHTLESS * largest
    opens = Choice({k: OPEN}, {})
    if seen.slips(k):
        drive = A[0, 0] - mu * float(A[0, 1:] @ seen.way(k))
        if drive > 0.0:
            return Verdict((Choice({k: SLIP}, {}) if presses else opens,))
        if c[0] < 0.0:
            return Verdict((), INCONSISTENT)
        return Verdict((Choice({k: SLIP}, {}), opens), INDETERMINATE)
    force = -np.linalg.solve(A, c)
    pull = math.hypot(force[1], force[2])
    sticks = Choice({k: STICK}, {})
    if A[0, 0] > mu * math.hypot(A[0, 1], A[0, 2]):  # no paradox for any direction
        if not presses:
            return Verdict((opens,))
        holds = pull <= mu * force[0] * (1.0 + SMALL)
        least = BESIDE if holds else SMALL  # at the edge of the cone stick and slip are one motion
        found = [*([sticks] if holds else []), *(Choice({k: SLIP}, {k: way}) for way in slip_directions(c, A, mu, least))]
        return Verdict(tuple(found) or (sticks if force[0] > 0.0 else opens,), INDETERMINATE if len(found) > 1 else "")
    choices = [opens] if c[0] > none else []
    if force[0] > 0.0 and pull <= mu * force[0]:
        choices.append(sticks)
    choices += [Choice({k: SLIP}, {k: way}) for way in slip_directions(c, A, mu)]
    if not choices and c[0] >= -none:  # nothing presses: no force, and the contact neither opens nor closes
        choices = [opens]
    return Verdict(tuple(choices), "" if len(choices) == 1 else INDETERMINATE if choices else INCONSISTENT)
