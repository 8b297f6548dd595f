"""The form of one or two dry contacts (`filippov.systems.form`) from mode to mode: S slips, R rolls, O is open, a letter for each contact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...kernel.names import called
from ..filippov.saltation import ModesTransition
from ..filippov.stepper import ThroughModes
from ..filippov.systems.form import contact_total
from ..filippov.systems.twin import compared_with_twin
from ..integrate import Run
from ..problem import Problem
from ..result import outcome as o
from ..result.motion import Motion
from ..result.trust import Check


def unsuited(system: Any) -> str:
    """Why the modes of a form cannot be followed, as a predicate of the method; "" if they can."""
    total = int(contact_total(system))
    return "" if total in (1, 2) else f"follows the form of one or two contacts; {called(system)} has {total}"


def begin(method: Any, run: Any, s: np.ndarray) -> Any:
    """The stepper."""
    return ThroughModes(run, s, method, careful=run.problem.variational)


def run(method: Any, problem: Problem) -> Motion:
    """The motion, from mode to mode."""
    motion: Motion = method.followed(replace(problem, variational=False))[0]
    if problem.variational:
        again, steps = method.followed(replace(problem, at=None, dense=True, progress=False))
        assert again._dense is not None
        motion.transition = ModesTransition(steps, *again._dense).at(motion.t)
    return motion


def followed(method: Any, problem: Problem) -> tuple[Motion, Any]:
    """The motion, and the stepper that made it."""
    run = Run(problem, method)
    outcome = run.go()
    steps: Any = run.stepper
    run.problem = replace(problem, variational=False)  # the transition matrix comes afterwards
    motion = run.motion(outcome)
    if steps is None:  # interrupted before
        return motion, None
    end = motion.end_time
    made = motion.provenance
    made.update(method=method.name, rtol=float(method.rtol), slip_scale=float(steps.scale.max()), painleve=[])
    telling = steps.telling(end, motion.events)
    made["methods"] = [*made["methods"], *telling.modes()]
    made["ambiguous"] = [choice for choice in steps.taken if choice["t"] <= end]
    forks = (fork["t"] for fork in made["ambiguous"] if any("R" in future.split()[0] for future in fork["futures"]))
    made["rolling_not_unique_since"] = next(forks, None)
    made["futures"] = [str(f) for f in steps.futures()] if motion.status == o.AMBIGUOUS else []
    motion.tell_by(telling)
    return motion, steps


def depth(method: Any, motion: Motion) -> float:
    """Zero: contacts of a form have no gaps."""
    return 0.0


def compared(motion: Motion, simulate: Any) -> list[Check]:
    """What the regularised twin, extrapolated, says of the motion."""
    return compared_with_twin(motion, simulate)
