"""How far an ensemble is to be believed: some of its members, spread over all, are simulated alone with `verify=True`, and what was kept of them is compared."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np

from ..motion.result.outcome import MotionWarning
from ..motion.result.trust import Check, Trust
from .chunks.one_by_one import motion_of, numbers_of
from .task import WORDS, Chunk, Task

MEMBERS = 8  # that verify=True looks at
ROUNDING = 1e-12  # of the largest value: what differs by less is the same
GROWTH = 10.0  # by so much a number that is kept may err more than the states it is made of


def spread(computed: np.ndarray, count: int) -> np.ndarray:
    """The places of `count` members, or of all that were computed, spread evenly."""
    return computed[np.unique(np.linspace(0, computed.size - 1, min(count, computed.size)).round().astype(int))]


def check_members(task: Task, found: Chunk, count: int) -> Trust:
    """The trust in an ensemble by `count` of its members: they end alone as they end here, and with the same numbers. The digits are those of the worst."""
    places = spread(np.flatnonzero(found.status >= 0), count)
    with np.errstate(invalid="ignore"):
        scale = np.nanmax(np.abs(found.values), axis=0, initial=0.0)
    checks, off, digits, compared = [], 0.0, 16.0, 0
    for i in places.tolist():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            motion = motion_of(task, i, **({"verify": True} if task.source.is_motion else {}))
        ended, there = motion.status, WORDS[found.status[i]]
        checks += [replace(check, text=f"member {i}: {check.text}") for check in motion.trust.doubts]
        if ended != there and not motion.trust.doubts:
            text = f"member {i} ends alone with {ended!r}, and in the ensemble with {there!r}"
            checks.append(Check("members", text, math.inf, 0.0, 0.0, "One of them is wrong: compare their motions."))
        if ended == there:
            off, compared = max(off, difference(found.values[i], np.array(numbers_of(task, motion)), scale)), compared + 1
        if not math.isnan(motion.trust.worst):
            digits = min(digits, motion.trust.worst)
    if not compared:
        return Trust((*checks, Check("members", "no member could be compared", math.inf, 0.0, 0.0)))
    text = f"{compared} of {len(found.status)} members, simulated alone, differ by {off:.1e} of the largest"
    known = f"; they have {digits:.1f} digits or more" if digits < 16.0 else ""
    explained = max(ROUNDING, GROWTH * 10.0**-digits)
    left = digits if off <= ROUNDING else min(digits, -math.log10(off))
    cause = "Numbers of an ensemble and of a motion alone come from the same equations: look at members that depend on their last digits."
    return Trust((Check("members", text + known, off, explained, max(0.0, left), cause), *checks))


def difference(here: np.ndarray, alone: np.ndarray, scale: np.ndarray) -> float:
    """By how much the numbers of a member differ, relative to the largest of all members; infinite where one of them is missing."""
    both = np.isnan(here) & np.isnan(alone)
    off = np.where(both, 0.0, np.abs(alone - here) / np.where(scale > 0.0, scale, 1.0))
    return float(np.where(np.isnan(off), np.inf, off).max(initial=0.0))
