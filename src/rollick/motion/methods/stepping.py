"""The methods that step over impacts and stick: Moreau's scheme, its second-order variant, and the scheme of Sailer's thesis as published."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...kernel.names import InputError, called, number, whole
from ...kernel.warn import warn_user
from ...mechanics.contact import account_of, contact_count, law_of
from ...mechanics.laws.sliding import set_valued
from ..contact.gathering import DEFAULT, MIDPOINT, THESIS
from ..contact.step_error import COMPARED, shorter, with_longer_steps
from ..contact.stepper import DT, EVERY, FIRST, LOST, SCHEME, SETTINGS, SWEEPS, TOL, TOTAL, EqualSteps
from ..integrate import Run, integrate
from ..problem import Problem
from ..result import outcome as o
from ..result.checks import deepest
from ..result.energy_check import check_energy
from ..result.motion import Motion
from ..result.outcome import MotionWarning
from .method import Method, refuse_unsuited, register, registers

OUTPUTS = 2000  # about so many instants of output, unless `every` says otherwise
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)  # steps in this ratio never end together
LEAST_STEP = 1e-12  # s
FACTORS = (0.1, 0.1, 0.1, 0.1, 1e-4, 1e-4)  # r_N, r_T, r_tau, r_R of the thesis


def needs_stepping(system: Any) -> bool:
    """Whether a body with contacts can hold, or stand on several feet, so that lasting contact at one point is not enough."""
    if not contact_count.knows(type(system)):
        return False
    contacts = range(int(contact_count(system)))
    return stands(system) or any(bool(set_valued(part)) for k in contacts for part in law_of(system, k))


def stands(system: Any) -> bool:
    """Whether a body has several feet, any of which may touch, or several surfaces to touch."""
    from ...mechanics.sliding import Feet, Touching

    if isinstance(system, Touching):
        return int(contact_count(system)) > 1
    return isinstance(getattr(system, "feet", None), Feet) and len(system.feet.places) > 1


@dataclass(frozen=True)
class Stepping(Method):
    """Time stepping with step dt; output after `every` so many steps (default: about 2000 instants).

    rtol: how far the positions at the end may be off, relative to the largest of their unit: dt is shortened until steps twice as long end so near. The summary tells how near that is also without it.
    tol: residual of the contact problem, relative.
    """

    dt: Any = 1e-4
    rtol: Any = None
    every: Any = None
    tol: Any = 1e-12

    # A quarter, for first order and a quarter of the step. Impact times jump by fractions of a step, so that it may be more.
    left_by_finer: ClassVar[float] = 0.5
    scheme: ClassVar[int] = DEFAULT
    leaves: ClassVar[bool] = False
    uses_rate: ClassVar[bool] = False
    refuses: ClassVar[dict[str, str]] = {
        "variational": "a step that goes over impacts has no derivative; take method='event-driven' (Coulomb friction and smooth laws).",
        "backward": "impacts and friction cannot be followed back in time; let until lie after since.",
    }

    def unsuited(self, system: Any) -> str:
        """Contacts are stepped of whatever registers M, h, W and gap."""
        if contact_count.knows(type(system)):
            return ""
        return f"the method {self.name!r} steps bodies that slide, and systems that register M, h, W and gap; {called(system)} registers {registers(system)}"

    def check(self, system: Any) -> None:
        """A body with contacts; options within their ranges."""
        refuse_unsuited(self, system)
        if not number(self.dt, "dt", "s") >= LEAST_STEP:
            raise InputError(f"dt = {self.dt!r} must be {LEAST_STEP:g} s or more; 1e-4 is the default.")
        if self.every is not None:
            whole(self.every, "every", 1)
        if self.rtol is not None and not 0.0 < number(self.rtol, "rtol") <= 0.1:
            raise InputError(
                f"rtol = {self.rtol!r} must lie between 0 and 0.1: how far the positions at the end may be off, relative; 1e-3 is a good start."
            )
        if not 0.0 < number(self.tol, "tol") < 1.0:
            raise InputError(f"tol = {self.tol!r} must lie between 0 and 1.")

    def integrals(self, system: Any, wanted: bool | None, variational: bool) -> int:
        """The accounting is always kept."""
        return account_of(system, wanted)

    def engine(self, problem: Problem) -> tuple[Any, np.ndarray]:
        """The body, and (q, u, sums)."""
        sums = np.zeros(LOST)
        sums[: problem.m] = problem.sums
        return problem.system, np.concatenate([problem.start, sums])

    def run(self, problem: Problem) -> Motion:
        """The motion, with the check of its energy account and an estimate of its error; with `rtol` the steps are shortened until that is small enough."""
        motion, error = self.with_error(problem)
        if self.rtol is not None:
            motion, error = self.refined(problem, motion, error)
        if error is not None:
            motion.provenance["step_error"] = error
        if motion.status != o.EVENT:  # the account is that of whole steps, and an event ends the motion inside one
            check_energy(motion)
        return motion

    def with_error(self, problem: Problem) -> tuple[Motion, float | None]:
        """The motion, and how far it is off, as steps twice as long tell; None where they cannot."""
        motion = integrate(problem, self)
        return motion, with_longer_steps(problem, self.coarser(), motion)

    def refined(self, problem: Problem, motion: Motion, error: float | None) -> tuple[Motion, float | None]:
        """The motion with steps so short that its error is at most rtol, or as short as max_steps allows; infinity for an error that nobody knows."""
        wanted, span = number(self.rtol, "rtol"), problem.t1 - problem.t0
        dt, least = number(self.dt, "dt", "s"), max(LEAST_STEP, span / problem.max_steps)
        while span > 0.0 and motion.status in COMPARED and (error is None or error > wanted) and dt > least:
            dt = max(least, shorter(min(dt, span), math.inf if error is None else error, wanted))
            motion, error = dataclasses.replace(self, dt=dt).with_error(problem)
            if problem.is_late:
                break
        unknown = error is None and motion.status in COMPARED and span > 0.0
        return motion, math.inf if unknown else error

    @property
    def remedy(self) -> str:  # type: ignore[override]
        """What to try where a check of a motion fails."""
        if self.rtol is not None:
            return f"rtol = {self.rtol} may take more steps than max_steps allows: loosen it, raise max_steps, or take method='event-driven'."
        way_out = "a smaller dt" if self.scheme == MIDPOINT else "a smaller dt, or method='midpoint'"
        return f"Steps of {self.dt} s may be too long for {self.name!r} in this motion: take {way_out}."

    def depth(self, motion: Motion) -> float:
        """What the body falls in a step at the greatest speed of its gap.

        A scheme that leaves gaps as they are adds up what its contacts sink: in each step at most dt times the change of the normal velocity.
        """
        if motion.t.size < 2:
            return math.inf
        dt = number(motion.provenance["options"]["dt"], "dt", "s")
        with np.errstate(divide="ignore", invalid="ignore"):
            speed = np.abs(np.diff(motion["gap"]) / np.diff(motion.t))
        fall = 2.0 * dt * float(np.nan_to_num(speed, posinf=0.0).max())
        if self.scheme == THESIS:
            fall += float(motion.provenance["sinking"])
        return float(deepest(0.0)) + fall

    def total(self, problem: Problem) -> int:
        """How many equal steps there are."""
        return max(1, round((problem.t1 - problem.t0) / number(self.dt, "dt", "s")))

    def stride(self, problem: Problem) -> int:
        """Output after so many steps."""
        if self.every is not None:
            return whole(self.every, "every", 1)
        return max(1, self.total(problem) // OUTPUTS)

    def begin(self, run: Run, s: np.ndarray) -> Any:
        """The stepper, with the step such that a whole number of them reaches the end."""
        problem = run.problem
        total = self.total(problem)
        settings = np.zeros(SETTINGS)
        step = (problem.t1 - problem.t0) / total
        if number(self.dt, "dt", "s") > 1.5 * step > 0.0:
            warn_user(
                f"dt = {self.dt} s is longer than the motion, {step:.6g} s, which is one step; take a smaller dt, or a later until.",
                MotionWarning,
            )
        settings[DT], settings[SCHEME], settings[TOL], settings[SWEEPS] = step, self.scheme, number(self.tol, "tol"), 10_000
        settings[EVERY], settings[FIRST], settings[TOTAL] = run.every, problem.t0, total
        if problem.t1 == problem.t0:
            settings[TOTAL] = 0
        return EqualSteps(self.name, run.engine, settings, FACTORS)

    def coarser(self) -> Method:
        """With steps twice as long."""
        return dataclasses.replace(self, dt=2.0 * number(self.dt, "dt", "s"), rtol=None, every=None)

    def finer(self) -> tuple[Method, str]:
        """With a quarter of the step, or of the tolerance that chooses it."""
        if self.rtol is not None:
            wanted = 0.25 * number(self.rtol, "rtol")
            return dataclasses.replace(self, rtol=wanted, every=None), f"rtol {wanted:.0e}"
        step = 0.25 * number(self.dt, "dt", "s")
        return dataclasses.replace(self, dt=step, every=None), f"dt {step:.3g} s"

    def as_careful(self) -> list[tuple[Method, str]]:
        """With steps that share no instant with its own. An impact that falls just before the end of a step does so with a quarter of the step, too: both err alike.

        And with much shorter ones: whether a low rebound is resolved or caught, which the motion from there on depends on, all long steps may decide alike.
        """
        if self.rtol is not None:
            return []
        steps = (share * number(self.dt, "dt", "s") for share in (GOLDEN, GOLDEN**6))
        return [(dataclasses.replace(self, dt=step, every=None), f"dt {step:.3g} s") for step in steps]


@register
@dataclass(frozen=True)
class Moreau(Stepping):
    """Moreau's time stepping: first order, contact problems solved by Newton's method, gaps closed."""

    name: ClassVar[str] = "moreau"
    about: ClassVar[str] = "time stepping over impacts and stick, first order"


@register
@dataclass(frozen=True)
class Midpoint(Stepping):
    """Moreau's time stepping with contacts that last treated by the midpoint rule: second order where the motion is smooth."""

    name: ClassVar[str] = "midpoint"
    about: ClassVar[str] = "time stepping over impacts and stick, second order where the motion is smooth"
    scheme: ClassVar[int] = MIDPOINT


@register
@dataclass(frozen=True)
class Thesis(Stepping):
    """The scheme of Sailer's thesis as published: fixed factors, absolute tolerance 1e-8, gaps left as they are."""

    tol: Any = 1e-8
    name: ClassVar[str] = "thesis"
    about: ClassVar[str] = (
        "time stepping as published in Sailer's thesis: fixed factors, absolute tolerance, gaps left as they are"
    )
    scheme: ClassVar[int] = THESIS
