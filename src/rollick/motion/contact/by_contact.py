"""The account of each contact in a motion from event to event, beside that of the body.

A mode accumulates the sums of the body: normal impulse, energy lost to sliding, pivoting, contour friction and impacts, and to damping. With several contacts
the first five follow once more for each of them (impacts come with jumps of the state). They are integrated alike, so that they add up to those of the body.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ...mechanics.contact import contacts_move
from ..problem import Problem
from ..result.motion import Motion
from .held import OF_EACH, account_size

EACH = ("impulse", "sliding", "pivoting", "contour", "impacts")
DRAG = 5  # the last of those of the body


def with_contacts(problem: Problem) -> Problem:
    """The problem with room for the sums of each contact, if any are accumulated."""
    if not problem.m:
        return problem
    return dataclasses.replace(
        problem, sums=np.concatenate([problem.sums, np.zeros(int(account_size(problem.system)) - problem.m)])
    )


def book_contacts(motion: Motion, problem: Problem) -> None:
    """Move the sums of each contact from the integrals of a motion to its provenance: `contacts`, `dragged`, `supplied` (by surfaces at rest: nothing)."""
    if motion.end_integrals is None or motion.q is None:
        return
    m, n = problem.m, motion.y.shape[1]
    made = motion.end_integrals[:m] - problem.sums
    each = motion.end_integrals[m:].reshape(-1, OF_EACH) if motion.end_integrals.size > m else made[None, :OF_EACH]
    motion.provenance["contacts"] = [dict(zip(EACH, map(float, sums))) for sums in each]
    motion.provenance["dragged"] = float(made[DRAG])
    if not contacts_move(motion.system):
        motion.provenance["supplied"] = 0.0
    if "start_integrals" in motion.provenance:
        motion.provenance["start_integrals"] = problem.sums.tolist()
    motion.q, motion.end_integrals = motion.q[:, :m].copy(), motion.end_integrals[:m].copy()
    if motion._dense is not None:
        t, y, f = motion._dense
        motion._dense = t, y[:, : n + m].copy(), f[:, :, : n + m].copy()
