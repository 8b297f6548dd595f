"""How far a stepped motion is off: it is made once more with steps twice as long, and where that ends elsewhere the error is about as large.

A scheme of first order that halves its steps halves its error, so that the difference of two motions is the error of the finer one; impacts, whose instants are
known to a step, make it of first order for all schemes. Positions are compared, which do not jump: each with the largest position of its unit on the way.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np

from ...mechanics.contact import positions
from ..integrate import integrate
from ..problem import Problem
from ..result import outcome as o
from ..result.motion import Motion
from ..result.outcome import MotionWarning
from ..result.verify import largest_of_unit

COMPARED = (o.FINISHED, o.EVENT)  # how a motion ended that is compared
FEWEST = 4  # steps of a motion that can be compared with one of half as many
SAFETY = 0.7  # of the step that would just do
LEAST, MOST = 1.0 / 64.0, 0.5  # by so much a step is shortened at once


def with_longer_steps(problem: Problem, coarser: Any, motion: Motion) -> float | None:
    """How far a motion with longer steps ends from the motion, relative to the largest position of each unit; None where that cannot be told."""
    if motion.status not in COMPARED or motion.provenance["steps"] < FEWEST:
        return None
    again = dataclasses.replace(
        problem, t1=motion.end_time, at=np.array([motion.end_time]), watches=(), dense=False, progress=False, variational=False
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionWarning)
        other = integrate(again, coarser)
    if other.status != o.FINISHED:
        return None
    nq = int(positions(problem.system))
    units = [q.unit for q in motion.about.states[:nq]]
    largest = np.abs(np.vstack([motion.y[:, :nq], motion.end_state[:nq], problem.start[:nq]])).max(axis=0)
    scale = largest_of_unit(largest, units)
    apart = np.abs(other.end_state - motion.end_state)[:nq]
    return float((apart / np.where(scale > 0.0, scale, 1.0)).max())


def shorter(dt: float, error: float, wanted: float) -> float:
    """The step with which an error of first order would be as small as wanted."""
    return dt * min(MOST, max(LEAST, SAFETY * wanted / error))
