"""`simulate`: a system, a start, a final time; out comes a motion."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..kernel.not_compiled import explained
from ..kernel.warn import warn_user
from .methods.method import Method, as_method, has_dry_friction, method_of, refuse
from .problem import Problem, make_problem
from .result import outcome as o
from .result.checks import check_motion, conclude
from .result.motion import Motion
from .result.outcome import MotionWarning
from .start import check_system, with_rate

MORE_STEPS = 10  # times as many a repetition may take, for `verify`


def simulate(
    system: Any,
    start: Any = None,
    until: float | str | None = None,
    *,
    since: float | str | None = None,
    method: Method | str | type[Method] = "auto",
    at: Any = None,
    dense: bool = False,
    events: Any = None,
    variational: bool = False,
    integrals: bool | None = None,
    max_steps: float = 10_000_000,
    wall_limit: float | None = None,
    progress: bool | None = None,
    verify: bool = False,
    rtol: float | None = None,
    atol: Any = None,
    max_step: float | None = None,
    dt: float | str | None = None,
    every: int | None = None,
    tol: float | None = None,
    painleve: str | None = None,
    max_changes: int | None = None,
    ambiguous: str | None = None,
    choices: Any = None,
    slip_scale: float | None = None,
) -> Motion:
    """Integrate a system from a start to a final time.

    Parameters
    ----------
    system: a NamedTuple with a registered `rate` (see `rollick.describe`), or with contacts.
    start: a dict of states (those not named are zero, "5deg" is understood), a sequence of all states, or a `Motion` to go on from.
        A start that violates the system's constraints is pulled onto them; a `StartAdjusted` warning says what was changed.
    until: the final time (default: the last of `at`); smaller than `since` integrates backward.
    since: the initial time (0, or the end of the motion given as start).
    method: an object, `DOP853(rtol=1e-10)`, `Radau()`, `Auto()`, `Moreau(dt=1e-4)`, `Midpoint(dt=...)`, `Thesis(dt=...)`, `EventDriven()`, or
        its name: "dop853" (explicit, order 8), "radau" (stiff, order 5), "auto" (explicit until the motion turns out to be stiff, and back;
        "event-driven" for Coulomb friction, "moreau" for other friction that can hold), "moreau", "midpoint", "thesis" (bodies with contacts, by time stepping), "event-driven"
        (contacts with Coulomb friction or a smooth law, and forms of dry contacts). What a method cannot honour is refused.
    at: output at these times only (default: at every step, or after `every` so many).
    dense: keep the dense output, so that `motion.at(t)` answers for any t.
    events: names of states, signals or integrals, functions, {name: direction}, or `Event`s; see `rollick.Event`.
    variational: also integrate the state-transition matrix, `motion.transition`.
    integrals: accumulate the system's integrals (default: yes, unless `variational`).
    max_steps, wall_limit: bounds on the number of steps and the seconds spent; what was computed is returned. Compilation counts and is not broken
        off: seconds are looked at after it, and then every tenth of a second.
    progress: a progress bar (default: on terminals, for runs longer than a second).
    verify: repeat more carefully, and in a second formulation if there is one; `motion.trust` then says how many digits to believe.
        Without it `motion.trust` has the cheap checks: what must be kept, the energy account, gaps, forks.
    rtol, atol, max_step, dt, every, tol, painleve, max_changes, ambiguous, choices, slip_scale: shorthands for the options of the method of these names. rtol, atol:
        local error per step at most atol + rtol*|y| for each state; atol is a number or one number per state (default rtol/1000). max_step:
        the longest step. dt: the step of time stepping; every: output after so many steps; rtol of time stepping: how far positions may be off at the end; tol:
        residual of the contact problem. painleve: what "event-driven" does in Painleve's paradox ("stop", "impact", "slip", "lift");
        max_changes: how many changes of mode it follows at most. ambiguous: what it does where contacts may as well roll as slip ("stop",
        "roll", "slip"); choices: which of the futures it takes at the first such state, the second, ...; slip_scale: of a form of dry contacts, a slip that is large, rtol times which counts as none.

    An event function that is zero at the very start (to the tolerances) counts as having fired already, so that a motion can be restarted
    from an event; one that is about to cross zero at the very end is reported at the end. So the two halves of a motion report each
    event once. A motion that does not reach `until`, or that a check contradicts (status "doubtful"), says so in `motion.message` and in a
    `MotionWarning`.
    """
    began = time.perf_counter()
    system = check_system(with_rate(system))
    shorthands = {"rtol": rtol, "atol": atol, "max_step": max_step, "dt": dt, "every": every}
    shorthands |= {
        "tol": tol,
        "painleve": painleve,
        "max_changes": max_changes,
        "ambiguous": ambiguous,
        "choices": choices,
        "slip_scale": slip_scale,
    }
    given = as_method(method)
    chosen = method_of(given, shorthands, system)
    asked = {"at": at is not None, "dense": dense, "variational": variational, "integrals": bool(integrals), "verify": verify}
    asked["dry friction"] = "dry friction" in chosen.refuses and has_dry_friction(system)
    refuse(chosen, {**asked, "events": events is not None and events != [] and events != ()}, system)
    output: dict[str, Any] = {"at": at, "dense": dense, "events": events, "variational": variational}
    limits: dict[str, Any] = {"max_steps": max_steps, "wall_limit": wall_limit, "progress": progress, "began": began}
    summed = chosen.integrals(system, integrals, variational)
    with explained(system):
        problem = make_problem(system, start, until, since=since, integrals=summed, **output, **limits)
    chosen = chosen.for_problem(problem)
    refuse(chosen, {**asked, "backward": problem.t1 < problem.t0}, system)
    if verify:
        chosen.finer()  # a method that has none says so before the motion, not after it
    with explained(system):
        motion = chosen.run(problem)
        chosen, motion = _succeeded(given, chosen, problem, motion)
    motion.provenance.setdefault("chosen", given.why(system, chosen))
    again = partial(simulate, max_steps=MORE_STEPS * max_steps, wall_limit=wall_limit)
    motion = _concluded(motion, chosen, again if verify else None)
    if isinstance(start, Motion) and start.model is not None:
        motion.of_model(start.model)
    return motion


def _succeeded(given: Method, taken: Method, problem: Problem, motion: Motion) -> tuple[Method, Motion]:
    """The method and the motion; another method's, and a sentence on it, where the one that was taken could not go on and the other comes as far."""
    other = given.successor(taken, problem, motion)
    if other is None:
        return taken, motion
    pulled = np.array(list(motion.provenance["start"].values()))  # onto the contact, if it was hardly off
    longer = other.run(replace(problem, start=pulled))
    if longer.end_time < motion.end_time:  # it may have been broken off before
        told = f"{other.name!r} came to t = {longer.end_time:.6g} only: {longer.message}"
        motion.outcome = motion.outcome._replace(message=f"{motion.message} {told}")
        return taken, motion
    if motion.status != o.LEFT:  # lasting contact that ends is no surprise
        reason = motion.message.split(" The motion until then is kept")[0]
        idle = [
            name for name, value in taken.options.items() if name not in other.options and value != getattr(type(taken)(), name)
        ]
        lost = f" Without {', '.join(idle)}, which time stepping does not know." if idle else ""
        told = f"Computed by {other.name!r}, since {taken.name!r} could not go on: {reason}{lost}"
        longer.outcome = longer.outcome._replace(message=f"{longer.message} {told}")
        longer.provenance["chosen"] = f"auto takes time stepping, since {taken.name!r} could not go on"
        warn_user(told, MotionWarning)
    return other, longer


def _concluded(motion: Motion, method: Method, again: Any) -> Motion:
    """Check the motion, verify it with `again` if that is wanted, and say so if it did not reach its end or a check contradicts it."""
    if not motion.outcome.complete or motion.status == o.LEFT:
        warn_user(motion.outcome.message, MotionWarning)
    motion.trust = check_motion(motion, method)
    if again is not None and motion.status != o.INTERRUPTED:
        from .result.verify import judge  # not before it is asked for

        motion.trust = judge(motion, method, again)
    conclude(motion)
    return motion
