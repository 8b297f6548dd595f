"""The method for Filippov systems: from mode to mode (slip, roll, open), through every transition, with what is not unique told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...kernel.names import InputError, called, choose, number, whole
from ...mechanics.contact import contact_count, law_of
from ..contact.resistance import grip
from ..filippov.saltation import ModesTransition
from ..filippov.stepper import POLICIES, ThroughModes
from ..filippov.systems import bodies  # noqa: F401  (their form)
from ..filippov.systems.form import contact_total
from ..filippov.systems.twin import compared_with_twin
from ..integrate import Run
from ..problem import Problem
from ..result import outcome as o
from ..result.motion import Motion
from ..result.trust import Check
from .event_driven import check_choices, not_in_modes
from .method import Method, refuse_unsuited, register, registers
from .smooth import Adaptive, Auto


@register
@dataclass(frozen=True)
class Filippov(Method):
    """Systems with one or two dry contacts (`motion.filippov.systems.form`), and bodies with two contacts and Coulomb friction, from mode to mode.

    ambiguous: what to do where the future is not unique: `stop` and report, `roll` (prefer rolling), or `slip` (prefer slip, and of several the one that grows fastest).
    choices: which of the futures to take at the first such state, the second, ...; then `ambiguous` counts. Where rolling ceases to be the only future is such a state;
    if rolling is chosen there, the next one is where that happens again. slip_scale: a slip that is large; rtol times it counts as none.
    """

    name: ClassVar[str] = "filippov"
    about: ClassVar[str] = "from mode to mode (slip, roll, open) for one or two dry contacts; non-unique futures are told"
    rtol: float = 1e-9
    atol: Any = None
    max_step: float = float("inf")
    ambiguous: str = "stop"
    choices: Sequence[int] = ()
    slip_scale: float | None = None
    max_changes: int = 100_000
    remedy: ClassVar[str] = (
        "A change of mode may have been missed: take a smaller rtol or max_step, or compare with method='moreau'."
    )
    refuses: ClassVar[dict[str, str]] = {
        "backward": "what comes to rest by friction has many pasts; let until lie after since.",
        "integrals": "they are not accumulated along its modes; ask for signals, or take 'event-driven' for a body.",
    }

    def unsuited(self, system: Any) -> str:
        """One or two dry contacts are followed: of a system with `contact_form`, or of a sliding body with Coulomb friction alone."""
        if not contact_total.knows(type(system)):
            return (
                f"the method 'filippov' is for systems with dry contacts, which register `contact_form` (docs/filippov.md), and for sliding bodies "
                f"with one or two contacts; {called(system)} registers {registers(system)}"
            )
        total = int(contact_total(system))
        if total not in (1, 2):
            return f"the method 'filippov' is for one or two contacts; {called(system)} has {total}"
        if not contact_count.knows(type(system)):
            return ""
        reason = not_in_modes(system)
        if reason:
            return f"the method 'filippov' {reason}"
        slippery = [k for k in range(total) if float(grip(law_of(system, k))) <= 0.0]
        if slippery:
            return f"the method 'filippov' is for Coulomb friction with mu > 0 at all contacts; contact {slippery[0]} of {called(system)} has none"
        return ""

    def check(self, system: Any) -> None:
        """One or two dry contacts; options within their ranges."""
        refuse_unsuited(self, system)
        choose(self.ambiguous, POLICIES, "ambiguous")
        whole(self.max_changes, "max_changes", 1)
        if self.slip_scale is not None and not number(self.slip_scale, "slip_scale") > 0.0:
            raise InputError(f"slip_scale = {self.slip_scale!r} must be above zero.")
        check_choices(self.choices)
        Auto(self.rtol, self.atol, self.max_step).check(system)

    def suits(self, system: Any) -> bool:
        """Whether a system has its form, and no other method."""
        return contact_total.knows(type(system)) and not contact_count.knows(type(system))

    def integrals(self, system: Any, wanted: bool | None, variational: bool) -> int:
        """None."""
        return 0

    @property
    def inner(self) -> Adaptive:
        """The method for the modes, at a tenth of the tolerance: slips are small differences, and beginning slip is stiff."""
        atol = None if self.atol is None else 0.1 * np.asarray(self.atol, float)
        return Auto(0.1 * float(self.rtol), atol, self.max_step)

    leaves: ClassVar[bool] = False
    uses_rate: ClassVar[bool] = False

    def engine(self, problem: Problem) -> tuple[Any, np.ndarray]:
        """The states alone."""
        return problem.system, problem.start.copy()

    def tolerance(self, problem: Problem, size: int) -> Any:
        """At a tenth of what is asked for: slips are small differences."""
        return self.inner.tolerance(problem, size)

    def begin(self, run: Any, s: np.ndarray) -> Any:
        """The stepper."""
        return ThroughModes(run, s, self, careful=run.problem.variational)

    def run(self, problem: Problem) -> Motion:
        """The motion, from mode to mode."""
        motion = self.followed(replace(problem, variational=False))[0]
        if problem.variational:
            again, steps = self.followed(replace(problem, at=None, dense=True, progress=False))
            assert again._dense is not None
            along = ModesTransition(steps, *again._dense)
            motion.transition = along.at(motion.t)
        return motion

    def followed(self, problem: Problem) -> tuple[Motion, ThroughModes]:
        """The motion, and the stepper that made it."""
        run = Run(problem, self)
        outcome = run.go()
        steps: ThroughModes = run.stepper
        run.problem = replace(problem, variational=False)  # the transition matrix comes afterwards
        motion = run.motion(outcome)
        end = motion.end_time
        made = motion.provenance
        made.update(method=self.name, rtol=float(self.rtol), slip_scale=float(steps.scale.max()))
        telling = steps.telling(end, motion.events)
        made["methods"] = [*made["methods"], *telling.modes()]
        made["ambiguous"] = [choice for choice in steps.taken if choice["t"] <= end]
        forks = (fork["t"] for fork in made["ambiguous"] if any("R" in future.split()[0] for future in fork["futures"]))
        made["rolling_not_unique_since"] = next(forks, None)
        made["futures"] = [str(f) for f in steps.futures()] if motion.status == o.AMBIGUOUS else []
        motion.tell_by(telling)
        return motion, steps

    def finer(self) -> tuple[Method, str]:
        """At a thousandth of the tolerance."""
        inner, in_words = Auto(self.rtol, self.atol, self.max_step).finer()
        return replace(self, rtol=inner.options["rtol"], atol=inner.options["atol"]), in_words

    def local_error(self, system: Any) -> Any:
        """That of its tolerances."""
        return Auto(self.rtol, self.atol, self.max_step).local_error(system)

    def compared(self, motion: Motion, simulate: Any) -> list[Check]:
        """What the regularised twin, extrapolated, says of the motion."""
        return compared_with_twin(motion, simulate)
