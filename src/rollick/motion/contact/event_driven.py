"""An event-driven integrator for one frictional contact: flight, slip and stick as ODEs of their own, changed at events found to rounding.

    flight -> impact          gap = 0: Newton's law along the normal, Coulomb's along the plane; then slip, stick or flight again
    slip   -> stick           the slip velocity comes to zero, and the force that rolling needs lies inside the friction cone
    stick  -> slip            that force reaches the edge of the cone; the slip begins in the direction in which it accelerates
    both   -> flight          the normal force comes to zero

Rebounds that accumulate are followed until their speed is negligible; the rest of the series is summed, and contact lasts from its limit on.
It is the judge of time stepping: no step size, no regularisation.
"""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernel.hooks import settle
from ...kernel.names import InputError, called, number
from ...kernel.quaternion import quaternion_matrix
from ...kernel.system import description, project, signals
from ...kernel.vector import cross, dot
from ...mechanics.contact import contact_rows, mass_matrix
from ...mechanics.laws.sliding import Coulomb
from ...mechanics.sliding.equations import Sliding
from ...mechanics.sliding.feet import Lowest, foot
from ...mechanics.sliding.modes import Flight, Slip, Stick, slip_acceleration
from ..events.event import Event, Occurrence
from ..result import outcome as o
from ..result.motion import Motion
from ..result.outcome import MotionWarning, Outcome
from ..simulate import simulate
from ..start import as_floats, state_vector
from .impact import impact

STILL = 1e-10  # slip (m/s) that counts as none
SLOW = 1e-6  # rebound speed (m/s) below which the remaining rebounds are summed
MODES = {"flight": Flight, "slip": Slip, "stick": Stick}


@dataclass
class Track:
    """What a run has brought in."""

    t: list[np.ndarray] = field(default_factory=list)
    y: list[np.ndarray] = field(default_factory=list)
    events: list[Occurrence] = field(default_factory=list)
    modes: list[list[Any]] = field(default_factory=list)
    steps: int = 0
    evaluations: int = 0


def told(system: Any, mode: str, y: np.ndarray) -> np.ndarray:
    """gap, slip, normal force and cone margin in a mode."""
    out = np.empty(4)
    signals(MODES[mode](system), 0.0, y, out)
    return out


def start_slipping(system: Sliding, y: np.ndarray) -> np.ndarray | None:
    """The state with a first trace of slip in the direction in which it accelerates; None if there is none (the body sticks, or lifts off)."""
    r = quaternion_matrix(tuple(y[3:7]))
    omega = tuple(y[10:13])
    best = None
    for angle in np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False):
        d = np.array([math.cos(angle), math.sin(angle)])
        for _ in range(100):
            a1, a2, normal = slip_acceleration(system, r, omega, float(d[0]), float(d[1]))
            size = math.hypot(a1, a2)
            if size == 0.0:
                break
            new = np.array([a1, a2]) / size
            if np.abs(new - d).max() < 1e-13:
                break
            d = new
        a1, a2, normal = slip_acceleration(system, r, omega, float(d[0]), float(d[1]))
        along = a1 * d[0] + a2 * d[1]
        if along > 0.0 and abs(a1 * d[1] - a2 * d[0]) < 1e-9 * along and normal > 0.0:
            best = d
            break
    if best is None:
        return None
    made = y.copy()
    made[7:9] += 10.0 * STILL * best
    return made


def choose_mode(system: Sliding, y: np.ndarray, closed: bool) -> tuple[str, np.ndarray]:
    """The mode that goes on from a state, and the state pulled onto it."""
    if not closed:
        return "flight", y
    slip = told(system, "slip", y)[1]
    if slip > 20.0 * STILL:
        return ("slip", y) if told(system, "slip", y)[2] > 0.0 else ("flight", y)
    at_rest = stopped(system, y)
    _, _, normal, margin = told(system, "stick", at_rest)
    if normal <= 0.0:
        return "flight", y
    if margin >= 0.0:
        return "stick", at_rest
    moving = start_slipping(system, at_rest)
    return ("stick", at_rest) if moving is None else ("slip", moving)


EVENTS = {
    "flight": [Event("gap", "falling", terminal=True)],
    "slip": [Event("slip", "falling", terminal=True, level=5.0 * STILL), Event("normal", "falling", terminal=True)],
    "stick": [Event("margin", "falling", terminal=True), Event("normal", "falling", terminal=True)],
}


def switched_motion(
    system: Any,
    start: Any,
    until: float | str,
    *,
    rtol: float = 1e-10,
    at: Any = None,
    max_switches: int = 100_000,
    progress: bool | None = None,
) -> Motion:
    """The motion of a body with one contact and set-valued Coulomb friction, from event to event."""
    system = as_floats(system)
    if not isinstance(system, Sliding) or not isinstance(system.law.sliding, Coulomb) or not isinstance(system.feet, Lowest):
        raise InputError(
            f"the event-driven integrator is for one contact with Coulomb friction: sliding(body, law=Coulomb(mu), feet=Lowest()); got {called(system)}."
        )
    end = number(until, "until", "s")
    times = None if at is None else np.asarray(at, float)
    y, settled = settle(system, state_vector(system, start))
    began = time.perf_counter()
    t = 0.0
    kept = Track([np.zeros(1)], [y[None].copy()])
    gap, _, _, _ = told(system, "flight", y)
    closed = abs(gap) < 1e-12 and abs(gap_rate(system, y)) < 1e-12
    mode, y = choose_mode(system, y, closed)
    outcome = None
    for _ in range(max_switches):
        kept.modes.append([mode, t])
        piece = simulate(
            MODES[mode](system), y, end, since=t, rtol=rtol, events=EVENTS[mode], at=wanted(times, t, end), progress=False
        )
        keep(kept, piece)
        y, t = piece.end_state.copy(), piece.end_time
        if piece.status != o.EVENT:
            outcome = piece.outcome
            break
        last = piece.events[-1]
        t, y, mode, name = after(system, mode, last, t, y, kept)
        kept.events.append(Occurrence(t, name, "crossing", y.copy(), False))
        if t >= end:
            outcome = Outcome(o.FINISHED, f"reached t = {end:.6g}.")
            break
    if outcome is None:
        outcome = Outcome(
            o.MOST_STEPS, f"stopped at t = {t:.6g} after {max_switches} changes of mode; what was computed until then is here."
        )
    return finished(system, kept, outcome, (t, y), end, rtol, settled, time.perf_counter() - began)


def wanted(times: np.ndarray | None, since: float, end: float) -> Any:
    """The output times of a piece."""
    return None if times is None else times[(times > since) & (times <= end)]


def keep(kept: Track, piece: Motion) -> None:
    """Take the output of a piece."""
    first = 1 if piece.t.size and kept.t and piece.t[0] == kept.t[-1][-1] else 0
    if piece.t.size > first:
        kept.t.append(piece.t[first:])
        kept.y.append(piece.y[first:])
    kept.steps += piece.provenance["steps"]
    kept.evaluations += piece.provenance["evaluations"]


def gap_rate(system: Sliding, y: np.ndarray) -> float:
    """The normal velocity of the lowest point."""
    gamma = quaternion_matrix(tuple(y[3:7]))[2]
    rho = foot(system.feet, system.body, gamma, 0)
    return float(y[9] + dot(gamma, cross(tuple(y[10:13]), rho)))


def after(
    system: Sliding, mode: str, event: Occurrence, t: float, y: np.ndarray, kept: Track
) -> tuple[float, np.ndarray, str, str]:
    """Time, state, mode and name of what follows an event."""
    if mode == "flight":
        y = impact(system, y)
        rebound = gap_rate(system, y)
        if rebound > SLOW:
            return t, y, "flight", "impact"
        limit = t
        if rebound > 0.0 and system.e_N < 1.0:
            before = y.copy()
            pulled = choose_mode(system, before, True)
            normal = told(system, pulled[0], pulled[1])[2]
            # the normal acceleration of free flight at the contact: gap'' without force, G_NN times the force that lasting contact has
            fall = normal * normal_compliance(system, y)
            limit = t + 2.0 * rebound / (fall * (1.0 - system.e_N)) if fall > 0.0 else t
        mode, y = choose_mode(system, y, True)
        kept.events.append(Occurrence(limit, "contact", "crossing", y.copy(), False))
        return t, y, mode, mode
    if event.name == "normal":
        return t, y, "flight", "lift_off"
    if mode == "slip":
        new, y = choose_mode(system, stopped(system, y), True)
        return t, y, new, "stick" if new == "stick" else "slip_turns"
    moving = start_slipping(system, y)
    if moving is None:
        return t, y, "flight", "lift_off"
    return t, moving, "slip", "slip"


def stopped(system: Sliding, y: np.ndarray) -> np.ndarray:
    """The state without its last trace of slip: a friction impulse takes it out, so that no momentum about the contact is lost."""
    made = y.copy()
    W = np.zeros((6, 6))
    contact_rows(system, made[:7], 0, W)
    M = np.zeros((6, 6))
    mass_matrix(system, made[:7], M)
    rows = W[:3]
    lift = np.linalg.solve(M, rows.T)
    made[7:] -= lift @ np.linalg.solve(rows @ lift, rows @ made[7:])
    project(Stick(system), made)
    return made


def normal_compliance(system: Sliding, y: np.ndarray) -> float:
    """G_NN = W_N M^-1 W_N^T."""
    gamma = quaternion_matrix(tuple(y[3:7]))[2]
    w = np.array(cross(foot(system.feet, system.body, gamma, 0), gamma))
    return float(1.0 / system.body.mass + w @ np.linalg.solve(np.array(system.body.inertia), w))


def finished(
    system: Any,
    kept: Track,
    outcome: Outcome,
    end: tuple[float, np.ndarray],
    until: float,
    rtol: float,
    settled: str,
    seconds: float,
) -> Motion:
    """The motion of a run."""
    from .moreau import record

    note = np.array([end[0], 0.0, 0.0, kept.steps])
    made = record(system, kept.y[0][0], until, 0.0, "event-driven", rtol, note, settled, seconds)
    made["methods"] = kept.modes
    made["evaluations"] = kept.evaluations
    events = sorted(kept.events, key=lambda e: e.t)
    motion = Motion(
        system,
        description(system),
        np.concatenate(kept.t),
        np.concatenate(kept.y),
        None,
        events,
        outcome,
        made,
        (end[0], end[1], None),
    )
    if not outcome.complete:
        warnings.warn(outcome.message, MotionWarning, stacklevel=3)
    return motion
