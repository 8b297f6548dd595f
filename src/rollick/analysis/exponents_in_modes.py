"""Growth of neighbours along a motion through modes (method "filippov"): transition matrices inside modes, saltation where they change.

Where slip ends, motions nearby that differ by slip become one: the saltation matrix has not full rank, and a direction is lost for good. Its exponent is -inf. The others are those of the
frame that is left, which is carried from step to step and made orthonormal after each interval.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ..kernel.names import InputError, called
from ..motion.filippov.changing import STOPS
from ..motion.filippov.form import contact_total
from ..motion.filippov.saltation import Transition
from ..motion.methods import has_dry_friction
from ..motion.methods.filippov import Filippov
from ..motion.problem import make_problem
from ..motion.result import outcome as o

LOST = 1e-11  # relative: a direction that has shrunk to rounding
STEPS_IN_ALL = 5e6


def has_modes(system: Any) -> bool:
    """Whether a system is one of dry contacts, to be followed from mode to mode."""
    return bool(contact_total.knows(type(system))) and (has_dry_friction(system) or Filippov().suits(system))


def growth_in_modes(
    system: Any, start: Any, end: float, intervals: int, rtol: float, progress: bool | None
) -> tuple[np.ndarray, np.ndarray, bool]:
    """The logarithms of growth in each interval (-inf for directions that are lost), when the intervals ended, and whether somebody stopped it."""
    method = Filippov(rtol=rtol, max_step=end / intervals)
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
    motion, stepper = method.followed(make_problem(system, start, **asked))
    stopped = motion.status == o.INTERRUPTED
    if not (motion.complete or stopped):
        raise InputError(f"the motion of {called(system)} that exponents are asked of does not come to its end: {motion.message}")
    dense = motion._dense
    assert dense is not None
    along = Transition(stepper, *dense)
    n, span = along.n, end / intervals
    frame, merged = np.eye(n), False
    logs: list[np.ndarray] = []
    ends: list[float] = []
    for t, matrix, why in along.factors():
        frame = matrix @ frame
        merged |= why in (STOPS, "start")
        if t < span * (len(ends) + 1) * (1.0 - 1e-12):
            continue
        frame, grown = _orthonormal(frame, merged, span, system, intervals)
        logs.append(np.append(grown, np.full(n - grown.size, -np.inf)))
        ends.append(t)
        merged = False
    return np.array(logs).reshape(-1, n), np.array(ends), stopped


def _orthonormal(frame: np.ndarray, merged: bool, span: float, system: Any, intervals: int) -> tuple[np.ndarray, np.ndarray]:
    """The frame made orthonormal without the directions that are lost, and the logarithms by which the others grew."""
    if not frame.shape[1]:
        return frame, np.empty(0)
    Q, R = np.linalg.qr(frame)
    sizes = np.abs(np.diag(R))
    keep = sizes > LOST * max(float(sizes.max()), 1e-300)
    if not keep.all() and not merged:
        raise InputError(
            f"over {span:.3g} s the directions of {called(system)} shrink by more than double precision can tell apart, and no slip ended there; raise intervals = {intervals}."
        )
    return Q[:, keep], np.log(sizes[keep])
