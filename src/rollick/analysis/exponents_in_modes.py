"""Growth of neighbours along a motion through modes and impacts: transition matrices inside modes, saltation where they change.

Where slip ends, motions nearby that differ by slip become one: the saltation matrix has not full rank, and a direction is lost for good. Its exponent is -inf. The others are those of the
frame that is left, which is carried from step to step and made orthonormal after each interval. An impact that sticks, or that does not rebound (e = 0), loses directions as the end of slip
does; so does the first change of mode with the length of a body's quaternion, which is kept at one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..kernel.names import InputError, called
from ..mechanics.contact import contact_count
from ..motion.event_driven.transition import ContactTransition
from ..motion.filippov.changing import STOPS
from ..motion.filippov.saltation import ModesTransition
from ..motion.filippov.systems.form import is_form
from ..motion.integrate import Run
from ..motion.methods.event_driven import EventDriven
from ..motion.methods.modes_of_bodies import judged
from ..motion.methods.stepping import needs_stepping
from ..motion.problem import Problem, make_problem
from ..motion.result import outcome as o
from ..motion.result.motion import Motion
from .frame import Frame, truncated

SINGULAR = 1e-9  # relative: a singular value of a saltation matrix that is none; they come from differences
STEPS_IN_ALL = 5e6


def has_modes(system: Any) -> bool:
    """Whether a system is to be followed from mode to mode: its contacts can hold, or are several, or it has a `contact_form`."""
    if contact_count.knows(type(system)):
        return (needs_stepping(system) or int(contact_count(system)) > 1) and not EventDriven().unsuited(system)
    return is_form(system)


def growth_in_modes(
    system: Any, start: Any, end: float, intervals: int, rtol: float, progress: bool | None
) -> tuple[np.ndarray, np.ndarray, bool]:
    """The logarithms of growth in each interval (-inf for directions that are lost), when the intervals ended, and whether somebody stopped it."""
    is_body = contact_count.knows(type(system))
    method = EventDriven(rtol=rtol, max_step=end / intervals)
    method.check(system)
    asked: dict[str, Any] = {"until": end, "since": None, "at": None, "dense": True, "events": None, "integrals": 0}
    asked |= {"max_steps": STEPS_IN_ALL, "wall_limit": None, "progress": progress, "began": time.perf_counter()}
    motion, factors = (of_body if is_body else of_form)(make_problem(system, start, variational=not is_body, **asked), method)
    stopped = motion.status == o.INTERRUPTED
    if not (motion.complete or stopped):
        raise InputError(f"the motion of {called(system)} that exponents are asked of does not come to its end: {motion.message}")
    n, span = len(motion.about.states), end / intervals
    frame, merged = Frame(system, n), False
    logs: list[np.ndarray] = []
    ends: list[float] = []
    for t, matrix, merges in factors:
        frame.columns = (truncated(matrix, SINGULAR) if merges else matrix) @ frame.columns
        merged |= merges
        complete = t >= span * (len(ends) + 1) * (1.0 - 1e-12)
        if complete or merges:
            frame.straighten(merged)
            merged = False
        if complete:
            logs.append(frame.taken())
            ends.append(t)
    return np.array(logs).reshape(-1, n), np.array(ends), stopped


def of_body(problem: Problem, method: EventDriven) -> tuple[Motion, Iterator[tuple[float, np.ndarray, bool]]]:
    """A motion from event to event, and the factors of its transition matrix: until when, the matrix, and whether neighbours that differ may be one then."""
    run = Run(problem, method)
    motion = judged(method, run.motion(run.go()))
    assert motion._dense is not None
    return motion, ContactTransition(run.stepper, *motion._dense).factors()


def of_form(problem: Problem, method: EventDriven) -> tuple[Motion, Iterator[tuple[float, np.ndarray, bool]]]:
    """The same of a system with a `contact_form`."""
    motion, stepper = method.followed(problem)
    assert motion._dense is not None
    factors = ModesTransition(stepper, *motion._dense).factors()
    return motion, ((t, matrix, why in (STOPS, "start")) for t, matrix, why in factors)
