"""Bodies with contacts from event to event: flight, slip and stick of any number of contacts, with impacts between them."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError, called
from ...kernel.warn import warn_user
from ...mechanics.contact import contact_count, gap, law_of, positions
from ...mechanics.size import extent, size_and_extent
from ..contact.by_address import MODES, ByAddress
from ..contact.by_contact import book_contacts, with_contacts
from ..contact.resistance import not_followed
from ..event_driven.policy import Policy
from ..events.event import Occurrence
from ..integrate import Run
from ..problem import Problem
from ..result import outcome as o
from ..result.checks import deepest, digits_left
from ..result.energy_check import check_energy
from ..result.motion import Motion
from ..result.outcome import MotionWarning, Outcome
from ..result.provenance import plain
from ..result.trust import Check
from ..result.verify import largest_of_unit
from .method import registers
from .stepping import Moreau

MOST_CONTACTS = 64  # their algebra is on the stack
LEAST_ORDER = 0.25  # of convergence, by which time stepping is seen to come closer
APART = 1e-2  # of the largest value of each state: two motions, not one
STEPS = 400  # time steps of the coarser of two stepped motions that `verify` compares with


def unsuited(system: Any) -> str:
    """Why the modes of a system's contacts cannot be followed, as a predicate of the method; "" if they can: what holds there is Coulomb friction alone."""
    if not contact_count.knows(type(system)):
        return (
            f"follows bodies that slide, and systems that register M, h, W and gap, or the form of one or two dry contacts; {called(system)} registers "
            f"{registers(system)}"
        )
    if int(contact_count(system)) > MOST_CONTACTS:
        return f"follows at most {MOST_CONTACTS} contacts, open or closed; {called(system)} has {int(contact_count(system))}"
    for k in range(int(contact_count(system))):
        part = not_followed(law_of(system, k))
        if part is not None:
            return f"follows Coulomb friction and smooth laws; the law of contact {k} has {called(part)}, which holds in a way of its own"
    return ""


@compiled
def least_gaps(system, t, y, gaps, extents):
    """The least gap at many instants, and how large the positions are that it is a difference of."""
    for i in range(t.size):
        q = y[i, : positions(system)]
        extents[i] = extent(system, q)
        gaps[i] = gap(system, t[i], q, 0)
        for k in range(1, contact_count(system)):
            gaps[i] = min(gaps[i], gap(system, t[i], q, k))


def gaps_of(motion: Motion) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The instants of a motion, and its end; the least gap (m) and the extent of the positions (m) at each."""
    t, y = np.append(motion.t, motion.end_time), np.ascontiguousarray(np.vstack([motion.y, motion.end_state]))
    gaps, extents = np.empty(len(t)), np.empty(len(t))
    least_gaps(motion.system, t, y, gaps, extents)
    return t, gaps, extents


def refuse_start_inside(problem: Problem, size: float, rtol: float) -> None:
    """Refuse a start at which a gap is below what the tolerances explain, where the positions are of some size (m)."""
    system, q = problem.system, problem.start[: int(positions(problem.system))]
    allowed = deepest(rtol, size)
    for k in range(int(contact_count(system))):
        height = float(gap(system, problem.t0, q, k))
        if height < -allowed:
            which = "" if contact_count(system) == 1 else f" {k}"
            raise InputError(
                f"{called(system)} starts {-height:.3g} m inside the surface at contact{which}; let it start above it or on it (gap >= 0)."
            )


def in_order(own: list[Occurrence], by_jumps: set[int], told: list[Occurrence]) -> list[Occurrence]:
    """The user's events and what is told of changes of mode, in the order of time; at one instant those first that were found before it, those last that a jump of the state made."""
    ranked = [(e.t, 2 if id(e) in by_jumps else 0, e) for e in own] + [(e.t, 1, e) for e in told]
    return [e for *_, e in sorted(ranked, key=lambda entry: entry[:2])]


def run(method: Any, problem: Problem) -> Motion:
    """The motion, from event to event; what was paradoxical on the way is said."""
    given, problem = problem, replace(problem, variational=False)
    motion, answers = method.followed(with_contacts(problem))
    if given.variational:
        motion.transition = transition(method, given, motion)
    options = {name: plain(value) for name, value in method.options.items()}
    motion.provenance.update(method=method.name, options=options, rtol=float(method.rtol))
    motion.provenance["painleve"] = answers.paradoxes
    motion.provenance["ambiguous"] = [fork for fork in answers.forks if fork["t"] <= motion.end_time]
    if answers.futures:
        motion.provenance["futures"] = list(answers.futures)
    book_contacts(motion, problem)
    check_energy(motion)
    settled = [p for p in answers.paradoxes if p["done"] != "stop"]
    if settled:
        told = ", ".join(f"{p['case']} at t = {p['t']:.6g} (done: {p['done']})" for p in settled[:5])
        more = f", and {len(settled) - 5} more" if len(settled) > 5 else ""
        told = f"Painleve's paradox: {told}{more}."
        motion.outcome = Outcome(motion.status, f"{motion.message} {told}")
        warn_user(told, MotionWarning)
    return judged(method, motion)


def transition(method: Any, problem: Problem, motion: Motion) -> np.ndarray:
    """The state-transition matrix at the instants of a motion, from its log and dense output."""
    from ..event_driven.transition import ContactTransition

    if motion.end_time == problem.t0:  # nothing has begun
        return np.repeat(np.eye(problem.n)[None], motion.t.size, axis=0)
    steps = replace(problem, variational=False, at=None, dense=True, progress=False, watches=(), t1=motion.end_time)
    run = Run(with_contacts(steps), method)
    again = run.motion(run.go())
    assert again._dense is not None
    return ContactTransition(run.stepper, *again._dense).at(motion.t, behind=problem.at is not None)


def policy(method: Any, system: Any) -> Policy:
    """What the user wants where the future is not unique."""
    return Policy(system, method.painleve, method.ambiguous, [int(i) for i in method.choices])


def begin(method: Any, run: Any, s: np.ndarray) -> Any:
    """The stepper."""
    from ..event_driven.stepper import FromEventToEvent

    problem = run.problem
    by_address = ByAddress(problem.system, MODES, any_size=True)
    q = np.ascontiguousarray(problem.start[: int(positions(problem.system))])
    refuse_start_inside(problem, float(size_and_extent(by_address.body, q)[1]), float(method.rtol))
    return FromEventToEvent(run, s, method, by_address, policy(method, problem.system))


def followed(method: Any, problem: Problem) -> tuple[Motion, Any]:
    """The motion, and the answers to what had no single answer (`Policy`)."""
    run = Run(problem, method)
    motion = run.motion(run.go())
    if problem.at is None:  # of the two states at a jump, that before it
        kept = np.append(True, np.diff(motion.t) != 0.0)
        motion.t, motion.y = motion.t[kept], motion.y[kept]
        motion.q = None if motion.q is None else motion.q[kept]
    if run.stepper is None:  # interrupted before
        return motion, policy(method, problem.system)
    words, by_jumps = run.stepper.words, {id(e) for e in run.by_jumps}
    mine, end = motion.events, motion.end_time
    motion.provenance["methods"] += words.modes(end)
    motion.tell_by(lambda: in_order(mine, by_jumps, words.events(end)))
    return motion, run.stepper.policy


def judged(method: Any, motion: Motion) -> Motion:
    """The motion; its status says so if the body is inside a surface anywhere."""
    t, gaps, extents = gaps_of(motion)
    motion.provenance["least_gap"] = float(gaps.min())
    inside = gaps < -deepest(float(method.rtol), extents)
    if inside.any():
        first = float(t[np.flatnonzero(inside)[0]])
        motion.outcome = Outcome(
            o.PENETRATES,
            f"{called(motion.system)} is {-gaps.min():.3g} m inside a surface, first at t = {first:.10g}: a change of mode was missed, and the "
            f"motion is wrong from there on. Take a smaller rtol or max_step, or method='moreau'.",
        )
    return motion


def depth(method: Any, motion: Motion) -> float:
    """What the net allows that catches missed impacts."""
    return float(deepest(float(method.rtol), float(gaps_of(motion)[2].max())))


def compared(motion: Motion, simulate: Any) -> list[Check]:
    """How far time stepping is from the end of the motion with two step sizes; where it does not come closer, no more digits than it leaves."""
    span = motion.end_time - motion.provenance["since"]
    if not span > 0.0:
        return []
    start, n = np.array(list(motion.provenance["start"].values())), len(motion.about.states)
    scale = np.maximum(np.abs(motion.y).max(axis=0), np.abs(motion.end_state)) if motion.t.size else np.abs(motion.end_state)
    scale = largest_of_unit(scale, [q.unit for q in motion.about.states])  # a state may be nothing but noise
    scale = np.where(scale > 0.0, scale, 1.0)
    off, dt = [], span / max(STEPS, math.ceil(span / 2e-3))
    for step in (dt, 0.25 * dt):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            other = simulate(
                motion.system,
                start,
                motion.end_time,
                since=motion.provenance["since"],
                method=Moreau(dt=step),
                at=[motion.end_time],
                progress=False,
            )
        if other.status not in (o.FINISHED, o.DOUBTFUL):  # a coarse step may well be doubtful
            text = f"time stepping with dt {step:.3g} s did not get beyond t = {other.end_time:.6g} ({other.status})"
            return [Check("time stepping", text, 0.0, math.inf)]
        off.append(float((np.abs(other.end_state - motion.end_state)[:n] / scale).max()))
    order = math.inf if off[1] == 0.0 or off[0] < 1e-12 else math.log(off[0] / off[1], 4.0)
    words = "to rounding" if order == math.inf else f"order {order:.1f}" if order > 0.0 else "no convergence seen"
    text = f"time stepping (moreau) with dt {dt:.3g} and {0.25 * dt:.3g} s: off by {off[0]:.1e} and {off[1]:.1e} at the end ({words})"
    closer = order > LEAST_ORDER
    explained = math.inf if closer else APART
    cause = "An impact or a change of mode may decide otherwise: look at the motion, and at one from a start close by."
    return [Check("time stepping", text, off[1], explained, 16.0 if closer else digits_left(off[1]), cause)]
