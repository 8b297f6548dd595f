"""The event-driven method: flight, slip and stick of one dry contact, changed at events found to rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ...kernel.names import InputError, called, whole
from ...mechanics.contact import contact_count, law_of
from ...mechanics.laws.friction import NoContour, NoPivoting
from ...mechanics.laws.sliding import Coulomb
from ...mechanics.sliding.equations import Sliding
from ...mechanics.sliding.feet import Lowest
from ...mechanics.sliding.touching import Touching
from ..contact.event_driven import DryContact
from ..hybrid.automaton import follow
from ..problem import Problem
from ..result.motion import Motion
from .method import Method, register
from .smooth import Auto


def one_dry_contact(system: Any) -> bool:
    """Whether a system has one contact, with Coulomb friction; away from planes with that alone."""
    if not isinstance(system, (Sliding, Touching)) or int(contact_count(system)) != 1:
        return False
    law = law_of(system, 0)
    if isinstance(system, Sliding):
        return isinstance(system.feet, Lowest) and isinstance(law.sliding, Coulomb)
    return isinstance(law.sliding, Coulomb) and isinstance(law.pivoting, NoPivoting) and isinstance(law.contour, NoContour)


@register
@dataclass(frozen=True)
class EventDriven(Method):
    """From event to event, each mode by DOP853 or Radau: no step size, no regularisation. The judge of time stepping."""

    rtol: float = 1e-9
    atol: Any = None
    max_step: float = math.inf
    max_changes: int = 100_000

    name: ClassVar[str] = "event-driven"
    about: ClassVar[str] = "flight, slip and stick of one dry contact, changed at events; no step size"
    refuses: ClassVar[dict[str, str]] = {
        "variational": "the state jumps at impacts and changes of mode; take a smooth friction law and method='auto'.",
        "integrals": "its modes keep no account of impulses and losses; method='moreau' does.",
        "backward": "impacts and friction cannot be followed back in time; let until lie after since.",
    }

    def check(self, system: Any) -> None:
        """One contact, at the lowest point, with Coulomb friction."""
        if not one_dry_contact(system):
            raise InputError(
                f"the event-driven method is for one contact with Coulomb friction: sliding(body, law=Coulomb(mu), feet=Lowest()); "
                f"got {called(system)}. Take 'moreau', or 'auto'."
            )
        whole(self.max_changes, "max_changes", 1)
        self.inner.check(system)

    @property
    def inner(self) -> Auto:
        """The method for the modes."""
        return Auto(self.rtol, self.atol, self.max_step)

    def integrals(self, system: Any, wanted: bool | None, variational: bool) -> int:
        """None are accumulated."""
        return 0

    def run(self, problem: Problem) -> Motion:
        """The motion, from event to event."""
        motion = follow(problem, DryContact(problem.system), self.inner, self.max_changes)
        motion.provenance["method"] = self.name
        return motion

    def finer(self) -> tuple[Method, str]:
        """At a hundredth of the tolerance."""
        inner, in_words = self.inner.finer()
        return replace(self, rtol=inner.options["rtol"], atol=inner.options["atol"]), in_words
