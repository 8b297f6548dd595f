"""The method for Filippov systems: from mode to mode (slip, roll, open), through every transition, with what is not unique told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...kernel.names import InputError, called, choose, number, whole
from ...mechanics.contact import contact_count, law_of
from ..contact.resistance import grip
from ..filippov.afterwards import contradiction, fork, jammed
from ..filippov.automaton import POLICIES, DryModes
from ..filippov.bodies import known
from ..filippov.form import contact_total
from ..filippov.twin import compared_with_twin
from ..hybrid.automaton import follow
from ..problem import Problem
from ..result import outcome as o
from ..result.motion import Motion
from ..result.outcome import Outcome
from .event_driven import in_modes
from .method import Method, register
from .smooth import Adaptive, Auto


@register
@dataclass(frozen=True)
class Filippov(Method):
    """Systems with one or two dry contacts (`motion.filippov.form`), and bodies with two contacts and Coulomb friction, from mode to mode.

    ambiguous: what to do where the future is not unique: `stop` and report, or `roll` (prefer rolling). choices: which of the futures to take at the
    first such state, the second, ...; then `ambiguous` counts. slip_scale: a slip that is large; rtol times it counts as none.
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
    refuses: ClassVar[dict[str, str]] = {
        "backward": "what comes to rest by friction has many pasts; let until lie after since.",
        "variational": "not with changes of mode yet; take differences of two motions.",
        "integrals": "they are not accumulated along its modes; ask for signals, or take 'event-driven' for a body.",
    }

    def check(self, system: Any) -> None:
        """One or two dry contacts."""
        cls = type(system)
        if not contact_total.knows(cls):
            raise InputError(
                f"the method 'filippov' is for systems with dry contacts, which register `contact_form` (docs/filippov.md), and for bodies with "
                f"one or two contacts; {called(system)} is neither. Take 'auto'."
            )
        total = int(contact_total(system))
        if total not in (1, 2):
            raise InputError(
                f"the method 'filippov' is for one or two contacts; {called(system)} has {total}. Take 'event-driven' or 'moreau'."
            )
        if contact_count.knows(cls):
            slippery = [k for k in range(total) if float(grip(law_of(system, k))) <= 0.0]
            if not in_modes(system) or slippery:
                raise InputError(
                    f"the method 'filippov' is for Coulomb friction, mu > 0, at all contacts; {called(system)} has "
                    f"{law_of(system, slippery[0] if slippery else 0)!r}. Take 'event-driven' or 'moreau'."
                )
        choose(self.ambiguous, POLICIES, "ambiguous")
        whole(self.max_changes, "max_changes", 1)
        if self.slip_scale is not None and not number(self.slip_scale, "slip_scale") > 0.0:
            raise InputError(f"slip_scale = {self.slip_scale!r} must be above zero.")
        for i in self.choices:
            whole(i, "an entry of choices", 0)
        self.inner.check(system)

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

    def run(self, problem: Problem) -> Motion:
        """The motion, from mode to mode."""
        span = abs(problem.t1 - problem.t0)
        modes = DryModes(problem.system, self.ambiguous, tuple(self.choices), float(self.rtol), span, self.slip_scale)
        motion = follow(problem, modes, self.inner, int(self.max_changes))
        rolled = fork(modes, motion) if not self.choices else None
        if rolled is not None and self.ambiguous == "stop":
            t, found = rolled
            shorter = None if problem.at is None else problem.at[problem.at <= t]
            modes = DryModes(problem.system, self.ambiguous, (), float(self.rtol), span, self.slip_scale)
            motion = follow(replace(problem, t1=t, at=shorter), modes, self.inner, int(self.max_changes))
            modes.open_choices = tuple(found)
            motion.outcome = Outcome(
                o.AMBIGUOUS,
                f"{called(problem.system)} rolls, but at t = {t:.10g} its future is not unique any more: {'; '.join(map(str, found))}. "
                f"Choose ambiguous='roll' to go on rolling; the motion until then is kept.",
            )
        if motion.status == o.UNDERFLOW and jammed(modes, motion):
            motion.outcome = Outcome(
                o.PAINLEVE,
                f"the normal forces of {called(problem.system)} grow without bound at t = {motion.end_time:.10g}: slip loses its unique normal force "
                f"(Painleve); the motion until then is kept.",
            )
        wrong = contradiction(modes, motion)
        if wrong:
            motion.outcome = Outcome(o.UNSOLVED, wrong)
        motion.provenance.update(method=self.name, rtol=float(self.rtol), ambiguous=modes.taken)
        motion.provenance["slip_scale"] = float(modes.scale.max())
        motion.provenance["rolling_not_unique_since"] = None if rolled is None else rolled[0]
        motion.provenance["futures"] = [str(f) for f in modes.open_choices]
        return motion

    def finer(self) -> tuple[Method, str]:
        """At a hundredth of the tolerance."""
        inner, in_words = Auto(self.rtol, self.atol, self.max_step).finer()
        return replace(self, rtol=inner.options["rtol"], atol=inner.options["atol"]), in_words

    def compared(self, motion: Motion, simulate: Any) -> list[str]:
        """What the regularised twin, extrapolated, says of the motion."""
        return compared_with_twin(motion, simulate)


__all__ = ["Filippov", "known"]
