"""The methods for smooth motions: DOP853, Radau IIA, and the choice between them while the motion goes on."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...kernel.names import InputError, number
from ...kernel.system import description, dim
from ...kernel.warn import warn_user
from ...mechanics.contact import account_of, contact_count
from ..filippov.systems.form import is_form
from ..integrate import Run
from ..ode.block import Tolerance
from ..ode.extended import Accumulating
from ..ode.steppers import Explicit, Implicit, begin, hand_over
from ..problem import Problem, positive
from ..result.motion import Motion
from ..result.outcome import LEFT, PENETRATES, UNDERFLOW, UNSOLVED, MotionWarning
from .method import DRY_FRICTION, METHODS, Method, register

TIGHTER = 1e-3  # times the tolerance: its dense output, which errs more than its steps, is then well below the error of a motion
FINEST = 1e-14  # the smallest rtol worth asking for
EPS = 2.220446049250313e-16
STEPPED_OVER = (UNSOLVED, UNDERFLOW, PENETRATES)  # how a motion from event to event may end that time stepping goes on beyond
JUMPS = {
    DRY_FRICTION: "its force jumps where the slip is zero, and no step is small enough there"  # `refuse` says what to take
}


@dataclass(frozen=True)
class Adaptive(Method):
    """A method that chooses its steps by the local error: at most atol + rtol |y| for each state, per step."""

    rtol: float = 1e-9
    atol: Any = None
    max_step: float = math.inf
    remedy: ClassVar[str] = "If the equations are right, something jumps between steps: take a smaller rtol, or give max_step."

    def check(self, system: Any) -> None:
        """Tolerances and step within their ranges."""
        names = [q.name for q in description(system).states]
        tolerances(self.rtol, self.atol, len(names), len(names), names, told=True)
        positive(self.max_step, "max_step")

    def run(self, problem: Problem) -> Motion:
        """The motion; a body in lasting contact has to start in contact."""
        if contact_count.knows(type(problem.moving)):
            from ..contact.held_start import held_start

            problem = held_start(problem, self)
        return Method.run(self, problem)

    def engine(self, problem: Problem) -> tuple[Any, np.ndarray]:
        """The system, followed by its integrals, followed by the state-transition matrix, as far as they are asked for."""
        inner = Accumulating(problem.moving) if problem.m else problem.moving
        y = np.concatenate([problem.start, problem.sums])
        if not problem.variational:
            return inner, y
        from ..ode.columns import with_transition

        return with_transition(inner), np.concatenate([y, np.eye(y.size).ravel()])

    def tolerance(self, problem: Problem, size: int) -> Tolerance:
        """Checked tolerances, one absolute one per component."""
        names = [q.name for q in description(problem.system).states]
        return Tolerance(*tolerances(self.rtol, self.atol, size, dim(problem.system), names))

    def local_error(self, system: Any) -> Tolerance:
        """That of its tolerances."""
        names = [q.name for q in description(system).states]
        return Tolerance(*tolerances(self.rtol, self.atol, len(names), len(names), names, told=True))

    def begin(self, run: Run, s: np.ndarray) -> Any:
        """The first stepper."""
        return begin(self.stepper, run.engine, run.y, s, run.tolerance)

    stepper: ClassVar[type] = Explicit
    lasting: ClassVar[bool] = True

    def finer(self) -> tuple[Method, str]:
        """At a thousandth of the tolerance; nothing is finer than the finest: then at a thousand times it."""
        by_atol = self.atol is not None and float(np.min(self.atol)) > FINEST
        factor = TIGHTER if self.rtol > FINEST / 0.5 or by_atol else 1.0 / TIGHTER
        rtol = min(max(factor * float(self.rtol), FINEST), 0.1)
        atol = factor * (1e-3 * max(float(self.rtol), 1e-14) if self.atol is None else np.asarray(self.atol, float))
        in_words = f"rtol {rtol:.0e}" if self.rtol > 0.0 else f"atol {np.min(atol):.0e}"
        return dataclasses.replace(self, rtol=rtol, atol=atol), in_words


@register
@dataclass(frozen=True)
class Auto(Adaptive):
    """Explicit until the motion turns out to be stiff, and back. Contacts that can hold, or are several, are followed from event to event; those that hold in other ways than Coulomb's are stepped."""

    name: ClassVar[str] = "auto"
    about: ClassVar[str] = (
        "dop853 until the motion turns out to be stiff, then radau, and back; for friction that can hold, or several contacts, event-driven, or else moreau"
    )
    switches: ClassVar[bool] = True

    def chosen(self, system: Any, asked: Collection[str] = ()) -> Method:
        """From mode to mode for a Filippov system; from event to event where contacts can hold, or several may close; time stepping where they hold in other ways than Coulomb's."""
        if is_form(system):
            return METHODS["event-driven"]()
        if not contact_count.knows(type(system)):
            return self
        from .stepping import Moreau, needs_stepping

        if not needs_stepping(system):
            return self
        exact = METHODS["event-driven"]()
        stepped = bool(set(asked) & (set(Moreau().options) - set(exact.options)))
        return Moreau() if stepped or exact.unsuited(system) else exact

    def why(self, system: Any, taken: Method) -> str:
        """Why it took time stepping, or goes from event to event."""
        if not contact_count.knows(type(system)):
            return ""
        from .stepping import Stepping, needs_stepping

        if not needs_stepping(system):
            return ""
        if not isinstance(taken, Stepping):
            return "auto follows contacts from event to event"
        reason: str = METHODS["event-driven"]().unsuited(system)
        return f"auto takes time stepping: {reason}" if reason else ""

    def for_problem(self, problem: Problem) -> Method:
        """From event to event where a body with a smooth law starts away from its contact: it flies, hits, and lasting contact follows."""
        if not contact_count.knows(type(problem.system)):
            return self
        from ..contact.held_start import off_contact

        return (self.by_events(problem) or self) if off_contact(problem) else self

    def by_events(self, problem: Problem) -> Method | None:
        """The event-driven method with the same tolerances; None if it cannot follow the body, or accumulate what integrals it has."""
        events: Any = METHODS["event-driven"]
        events = events(rtol=self.rtol, atol=self.atol, max_step=self.max_step)
        own = problem.m not in (0, account_of(problem.system, None))
        return None if own or events.unsuited(problem.system) else events

    def successor(self, taken: Method, problem: Problem, motion: Motion) -> Method | None:
        """Time stepping where a motion from event to event cannot go on. From event to event where lasting contact of a body ended: it flies, hits, and contact may last again.

        Motions back in time end there, and time stepping has no derivatives.
        """
        if taken.name == "event-driven":
            can_be_stepped = motion.status in STEPPED_OVER and not problem.variational and not is_form(problem.system)
            return METHODS["moreau"]() if can_be_stepped else None
        if not isinstance(taken, Auto):
            return None
        ended = motion.status == LEFT and contact_count.knows(type(problem.system))
        return taken.by_events(problem) if ended and problem.t1 > problem.t0 else None

    def next_stepper(self, stepper: Any, s: np.ndarray) -> Any:
        """Radau after DOP853, and DOP853 after Radau."""
        return hand_over(stepper, s)


@register
@dataclass(frozen=True)
class DOP853(Adaptive):
    """Explicit, order 8, by Dormand and Prince: for smooth and moderately oscillating motions."""

    name: ClassVar[str] = "dop853"
    about: ClassVar[str] = "explicit, order 8, steps by local error; for smooth motions"
    refuses: ClassVar[dict[str, str]] = JUMPS


@register
@dataclass(frozen=True)
class Radau(Adaptive):
    """Radau IIA, order 5, L-stable: for stiff motions."""

    name: ClassVar[str] = "radau"
    about: ClassVar[str] = "implicit, order 5, L-stable, steps by local error; for stiff motions"
    refuses: ClassVar[dict[str, str]] = JUMPS
    stepper: ClassVar[type] = Implicit


def tolerances(rtol: Any, atol: Any, size: int, n: int, names: list[str], told: bool = False) -> tuple[float, np.ndarray]:
    """Checked tolerances: rtol, and one atol per component of the extended state. `told`: without a warning."""
    r = number(rtol, "rtol")
    if not 0.0 <= r <= 0.1:
        raise InputError(f"rtol = {rtol!r} must lie between 0 and 0.1; 1e-6 is coarse, 1e-9 the default, 1e-12 fine.")
    floor = 4.0 * EPS
    if r < floor and not told:
        warn_user(f"rtol = {r:g} is below what floating point can hold; {floor:.1g} is used.", MotionWarning)
    if atol is None:
        return max(r, floor), np.full(size, 1e-3 * max(r, 1e-14))
    try:
        given = np.asarray(atol, float).ravel()
    except (TypeError, ValueError):
        raise InputError(f"atol = {atol!r} is not a number, nor one number per state ({', '.join(names)}).") from None
    if given.size not in (1, n):
        raise InputError(f"atol has {given.size} entries; give one number, or one per state ({', '.join(names)}).")
    if not np.all(given > 0.0) or not np.all(np.isfinite(given)):
        raise InputError(
            f"atol = {atol!r} must be above zero and finite (a state may pass through zero, where rtol alone asks for the impossible)."
        )
    full = np.full(size, float(given.min()))
    full[:n] = given
    return max(r, floor), full
