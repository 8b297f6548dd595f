"""The event-driven method: slip, stick and flight of contacts, changed at events found to rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...kernel.names import InputError, called, choose, number, whole
from ...mechanics.contact import account_of
from ..event_driven.policy import POLICIES, PREFERENCES
from ..filippov.systems.form import is_form
from ..problem import Problem
from ..result.motion import Motion
from ..result.trust import Check
from .method import Method, refuse_unsuited, register
from .smooth import Adaptive, Auto


def check_choices(choices: Any) -> None:
    """Refuse what is no list of numbers of futures."""
    if isinstance(choices, (str, bytes)) or not isinstance(choices, Sequence):
        raise InputError(
            f"choices = {choices!r} must be a list of whole numbers, one for each state whose future is not unique, e.g. choices=(1, 0)."
        )
    for i in choices:
        whole(i, "an entry of choices", 0)


def way_of(system: Any) -> Any:
    """The module that follows a system: as a body with contacts, or as the form of one or two dry contacts."""
    if is_form(system):
        from . import modes_of_forms

        return modes_of_forms
    from . import modes_of_bodies

    return modes_of_bodies


@register
@dataclass(frozen=True)
class EventDriven(Method):
    """From event to event, each mode by DOP853 and, while it is stiff, by Radau IIA: no step size, no regularisation. The judge of time stepping.

    painleve: what to do where no contact force is consistent, or contacts may as well open: "stop", "impact" (without collision), "slip", "lift"; a form of dry contacts stops.
    ambiguous: what to do where contacts may as well stick as slip: "stop" and report, "roll" (prefer sticking) or "slip" (prefer slip, and of several the one that grows fastest).
    choices: which of the futures to take at the first such state, paradoxes among them, at the second, ...; then `painleve` and `ambiguous` count.
    slip_scale: of a form of dry contacts, whose slips have any unit: a slip that is large; rtol times it counts as none. As a rule it is found.
    """

    rtol: float = 1e-9
    atol: Any = None
    max_step: float = math.inf
    max_changes: int = 100_000
    painleve: str = "stop"
    ambiguous: str = "stop"
    choices: Sequence[int] = ()
    slip_scale: float | None = None

    name: ClassVar[str] = "event-driven"
    about: ClassVar[str] = "flight, slip and stick of contacts, changed at events; no step size"
    remedy: ClassVar[str] = (
        "A change of mode may have been missed: take a smaller rtol or max_step, or compare with method='moreau'."
    )
    refuses: ClassVar[dict[str, str]] = {
        "backward": "impacts and friction cannot be followed back in time, what comes to rest by them has many pasts; let until lie after since.",
    }
    leaves: ClassVar[bool] = False
    uses_rate: ClassVar[bool] = False

    def unsuited(self, system: Any) -> str:
        """Why a system's contacts cannot be followed from mode to mode; "" if they can."""
        reason = way_of(system).unsuited(system)
        return reason and f"the method 'event-driven' {reason}"

    def integrals(self, system: Any, wanted: bool | None, variational: bool) -> int:
        """The account of the contacts, if the system describes it; a form of dry contacts has none."""
        if wanted and is_form(system):
            raise InputError(f"integrals of {called(system)} are not accumulated from mode to mode; ask for signals.")
        return account_of(system, wanted)

    def check(self, system: Any) -> None:
        """Contacts with Coulomb friction or a smooth law; options within their ranges, and such as the system has use for."""
        refuse_unsuited(self, system)
        whole(self.max_changes, "max_changes", 1)
        choose(self.painleve, POLICIES, "painleve")
        choose(self.ambiguous, PREFERENCES, "ambiguous")
        check_choices(self.choices)
        if self.slip_scale is not None and not number(self.slip_scale, "slip_scale") > 0.0:
            raise InputError(f"slip_scale = {self.slip_scale!r} must be above zero.")
        if self.slip_scale is not None and not is_form(system):
            raise InputError(f"slip_scale is for forms of dry contacts; slips of {called(system)} are in m/s: leave it out.")
        if self.painleve != "stop" and is_form(system):
            raise InputError(
                f"painleve = {self.painleve!r} is for bodies, which can fly and hit; {called(system)} stops in Painleve's paradox: leave it out, or take choices=."
            )
        Auto(self.rtol, self.atol, self.max_step).check(system)

    @property
    def inner(self) -> Adaptive:
        """The tolerances in modes: a tenth of what is asked for.

        Where slip begins or ends it is a small difference of velocities, and its direction matters; a rebound may be very low.
        """
        atol = None if self.atol is None else 0.1 * np.asarray(self.atol, float)
        return Adaptive(0.1 * float(self.rtol), atol, self.max_step)

    def engine(self, problem: Problem) -> tuple[Any, np.ndarray]:
        """The states and the account."""
        return problem.system, np.concatenate([problem.start, problem.sums])

    def tolerance(self, problem: Problem, size: int) -> Any:
        """At a tenth of what is asked for."""
        return self.inner.tolerance(problem, size)

    def begin(self, run: Any, s: np.ndarray) -> Any:
        """The stepper."""
        return way_of(run.problem.system).begin(self, run, s)

    def run(self, problem: Problem) -> Motion:
        """The motion, from event to event."""
        motion: Motion = way_of(problem.system).run(self, problem)
        return motion

    def followed(self, problem: Problem) -> tuple[Motion, Any]:
        """The motion; and the answers to what had no single answer (`Policy`), or of a form the stepper."""
        motion, more = way_of(problem.system).followed(self, problem)
        return motion, more

    def finer(self) -> tuple[Method, str]:
        """At a thousandth of the tolerance."""
        inner, in_words = Auto(self.rtol, self.atol, self.max_step).finer()
        return replace(self, rtol=inner.options["rtol"], atol=inner.options["atol"]), in_words

    def local_error(self, system: Any) -> Any:
        """That of its tolerances."""
        return Auto(self.rtol, self.atol, self.max_step).local_error(system)

    def depth(self, motion: Motion) -> float:
        """What the net allows that catches missed impacts."""
        return float(way_of(motion.system).depth(self, motion))

    def compared(self, motion: Motion, simulate: Any) -> list[Check]:
        """What another way to follow contacts says of the motion: time stepping, or for a form its regularised twin."""
        checks: list[Check] = way_of(motion.system).compared(motion, simulate)
        return checks
