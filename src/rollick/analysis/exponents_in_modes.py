"""Growth of neighbours along a motion through modes (method "filippov") and impacts: transition matrices inside modes, saltation where they change.

Where slip ends, motions nearby that differ by slip become one: the saltation matrix has not full rank, and a direction is lost for good. Its exponent is -inf. The others are those of the
frame that is left, which is carried from step to step and made orthonormal after each interval. Where a contact closes, the body goes on after the impact (`sensitivity.impact_law`).
An impact that sticks, or that does not rebound (e = 0), loses directions as the end of slip does.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..kernel.names import InputError, called
from ..motion.filippov.changing import STOPS
from ..motion.filippov.saltation import ModesTransition
from ..motion.filippov.systems.form import contact_total
from ..motion.hybrid.saltation import with_instant
from ..motion.methods import has_dry_friction
from ..motion.methods.event_driven import EventDriven
from ..motion.problem import Problem, make_problem
from ..motion.result import outcome as o
from .frame import Frame, truncated
from .sensitivity.impact_law import ImpactLaw
from .sensitivity.in_legs import Instant
from .sensitivity.modes import leg

SINGULAR = 1e-9  # relative: a singular value of an impact's saltation matrix that is none; they come from differences
STEPS_IN_ALL = 5e6
IMPACT = "impact"


def has_modes(system: Any) -> bool:
    """Whether a system is one of dry contacts, to be followed from mode to mode."""
    return bool(contact_total.knows(type(system))) and (has_dry_friction(system) or EventDriven().suits(system))


def growth_in_modes(
    system: Any, start: Any, end: float, intervals: int, rtol: float, progress: bool | None
) -> tuple[np.ndarray, np.ndarray, bool]:
    """The logarithms of growth in each interval (-inf for directions that are lost), when the intervals ended, and whether somebody stopped it."""
    method = EventDriven(rtol=rtol, max_step=end / intervals)
    method.check(system)
    asked: dict[str, Any] = {
        "until": end,
        "since": None,
        "at": None,
        "dense": True,
        "events": None,
        "variational": True,
        "integrals": 0,
    }
    asked |= {"max_steps": STEPS_IN_ALL, "wall_limit": None, "progress": progress, "began": time.perf_counter()}
    legs = Legs(make_problem(system, start, **asked), method)
    n, span = legs.n, end / intervals
    frame, merged = Frame(system, n), False
    logs: list[np.ndarray] = []
    ends: list[float] = []
    for t, matrix, why in legs.factors():
        frame.columns = matrix @ frame.columns
        merged |= why in (STOPS, "start", IMPACT)
        complete = t >= span * (len(ends) + 1) * (1.0 - 1e-12)
        if complete or why == IMPACT:
            frame.straighten(merged)
            merged = False
        if complete:
            logs.append(frame.taken())
            ends.append(t)
    return np.array(logs).reshape(-1, n), np.array(ends), legs.stopped


class Legs:
    """A motion through modes, and through the impacts that end them."""

    def __init__(self, problem: Problem, method: EventDriven):
        self.problem, self.method, self.n = problem, method, problem.n
        self.stopped = False

    def factors(self) -> Iterator[tuple[float, np.ndarray, Any]]:
        """Factor by factor of the transition matrix: until when, the matrix, and what ended there."""
        problem, system = self.problem, self.problem.system
        struck: Instant | None = None
        while True:
            motion, stepper, closed = leg(problem, self.method)
            self.stopped = motion.status == o.INTERRUPTED
            if not (motion.complete or self.stopped or closed is not None):
                raise InputError(
                    f"the motion of {called(system)} that exponents are asked of does not come to its end: {motion.message}"
                )
            assert motion._dense is not None
            along = ModesTransition(stepper, *motion._dense)
            if struck is not None:
                S = with_instant(struck.after_moves, -struck.dt, along.new_rate(along.changes[0]))
                yield problem.t0, truncated(S, SINGULAR), IMPACT
            if closed is None:
                yield from along.factors()
                return
            law = ImpactLaw(system, {})
            t = law.hit(closed, problem.t0, float(motion.end_time), motion.at, along.rate_at)
            yield from along.factors(t)
            if t >= self.problem.t1:
                return
            y = motion.at(t)
            struck = law.instant(closed, t, y, np.eye(self.n), along.rate_at(t, y), along.modes_at(t))
            problem = dataclasses.replace(self.problem, t0=t, start=struck.after)
