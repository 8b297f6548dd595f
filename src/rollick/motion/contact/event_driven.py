"""One frictional contact as an automaton: flight, slip and stick as ODEs of their own, changed at events found to rounding.

    flight -> impact          gap = 0: Newton's law along the normal, Coulomb's along the plane; then slip, stick or flight again
    slip   -> stick           the slip velocity comes to zero, and the force that rolling needs lies inside the friction cone
    stick  -> slip            that force reaches the edge of the cone; the slip begins in the direction in which it accelerates
    both   -> flight          the normal force comes to zero

Rebounds that accumulate are followed until their speed is negligible; the rest of the series is summed, and contact lasts from its limit on.
It is the judge of time stepping: no step size, no regularisation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.system import project, signals
from ...mechanics.contact import contact_rows, contacts_move, mass_matrix, positions, restitution, surface_velocity, velocities
from ...mechanics.sliding.modes import Flight, Slip, Stick, gap_rate, normal_compliance, slip_acceleration, with_slip
from ..events.event import Event, Occurrence
from ..hybrid.automaton import Change, Mode
from . import modes  # for bodies other than `Sliding`
from .impact import impact

__all__ = ["DryContact", "choose_mode", "modes", "start_slipping", "stopped", "told"]

STILL = 1e-10  # slip (m/s) that counts as none
SLOW = 1e-6  # rebound speed (m/s) below which the remaining rebounds are summed
MODES = {"flight": Flight, "slip": Slip, "stick": Stick}


def told(system: Any, mode: str, t: float, y: np.ndarray) -> np.ndarray:
    """gap, slip, normal force and cone margin in a mode."""
    out = np.empty(4)
    signals(MODES[mode](system), float(t), y, out)
    return out


def start_slipping(system: Any, t: float, y: np.ndarray) -> np.ndarray | None:
    """The state with a first trace of slip in the direction in which it accelerates; None if there is none (the body sticks, or lifts off)."""
    best = None
    for angle in np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False):
        d = np.array([math.cos(angle), math.sin(angle)])
        for _ in range(100):
            a1, a2, normal = slip_acceleration(system, t, y, float(d[0]), float(d[1]))
            size = math.hypot(a1, a2)
            if size == 0.0:
                break
            new = np.array([a1, a2]) / size
            if np.abs(new - d).max() < 1e-13:
                break
            d = new
        a1, a2, normal = slip_acceleration(system, t, y, float(d[0]), float(d[1]))
        along = a1 * d[0] + a2 * d[1]
        if along > 0.0 and abs(a1 * d[1] - a2 * d[0]) < 1e-9 * along and normal > 0.0:
            best = d
            break
    if best is None:
        return None
    return with_slip(system, t, y, *(10.0 * STILL * best))


def choose_mode(system: Any, t: float, y: np.ndarray, closed: bool) -> tuple[str, np.ndarray]:
    """The mode that goes on from a state, and the state pulled onto it."""
    if not closed:
        return "flight", y
    slip = told(system, "slip", t, y)[1]
    if slip > 20.0 * STILL:
        return ("slip", y) if told(system, "slip", t, y)[2] > 0.0 else ("flight", y)
    at_rest = stopped(system, t, y)
    _, _, normal, margin = told(system, "stick", t, at_rest)
    if normal <= 0.0:
        return "flight", y
    if margin >= 0.0:
        return "stick", at_rest
    moving = start_slipping(system, t, at_rest)
    return ("stick", at_rest) if moving is None else ("slip", moving)


EVENTS = {
    "flight": [Event("gap", "falling", terminal=True)],
    "slip": [Event("slip", "falling", terminal=True, level=5.0 * STILL), Event("normal", "falling", terminal=True)],
    "stick": [Event("margin", "falling", terminal=True), Event("normal", "falling", terminal=True)],
}


@dataclass(frozen=True)
class DryContact:
    """A body with one contact and Coulomb friction: flight, slip and stick, and what follows each ending."""

    system: Any

    def mode(self, name: str) -> Mode:
        """A mode by name."""
        return Mode(name, MODES[name](self.system), EVENTS[name])

    def begin(self, t: float, y: np.ndarray) -> tuple[Mode, np.ndarray]:
        """In the air, or in contact if the gap and its rate are zero."""
        gap = told(self.system, "flight", t, y)[0]
        closed = abs(gap) < 1e-12 and abs(gap_rate(self.system, t, y)) < 1e-12
        name, y = choose_mode(self.system, t, y, closed)
        return self.mode(name), y

    def after(self, mode: Mode, event: Occurrence, t: float, y: np.ndarray) -> Change:
        """Impact, lift-off, stick, or slip."""
        if mode.name == "flight":
            return self.landed(t, y)
        if event.name == "normal":
            return self.change("flight", y, t, "lift_off")
        if mode.name == "slip":
            new, y = choose_mode(self.system, t, stopped(self.system, t, y), True)
            return self.change(new, y, t, "stick" if new == "stick" else "slip_turns")
        moving = start_slipping(self.system, t, y)
        if moving is None:
            return self.change("flight", y, t, "lift_off")
        return self.change("slip", moving, t, "slip")

    def change(self, name: str, y: np.ndarray, t: float, report: str, *more: Occurrence) -> Change:
        """Go over to a mode, and report it."""
        return Change(self.mode(name), y, [*more, Occurrence(t, report, "crossing", y.copy(), False)])

    def landed(self, t: float, y: np.ndarray) -> Change:
        """After an impact: the body rebounds, or contact lasts from the limit of the remaining rebounds on."""
        y = impact(self.system, y, t=t)
        rebound = gap_rate(self.system, t, y)
        bounce = float(restitution(self.system, 0))
        if rebound > SLOW:
            return self.change("flight", y, t, "impact")
        limit = t
        if rebound > 0.0 and bounce < 1.0:
            name, pulled = choose_mode(self.system, t, y.copy(), True)
            # the normal acceleration of free flight at the contact: gap'' without force, G_NN times the force that lasting contact has
            fall = told(self.system, name, t, pulled)[2] * normal_compliance(self.system, t, y)
            limit = t + 2.0 * rebound / (fall * (1.0 - bounce)) if fall > 0.0 else t
        name, y = choose_mode(self.system, t, y, True)
        return self.change(name, y, t, name, Occurrence(limit, "contact", "crossing", y.copy(), False))


def stopped(system: Any, t: float, y: np.ndarray) -> np.ndarray:
    """The state without its last trace of slip: a friction impulse takes it out, so that no momentum about the contact is lost."""
    made = y.copy()
    nq, nu = int(positions(system)), int(velocities(system))
    W, M, w = np.zeros((6, nu)), np.zeros((nu, nu)), np.zeros(6)
    contact_rows(system, t, made[:nq], 0, W)
    mass_matrix(system, made[:nq], M)
    rows = W[:3]
    lift = np.linalg.solve(M, rows.T)
    if contacts_move(system):
        surface_velocity(system, t, made[:nq], 0, w)
        made[nq:] -= lift @ np.linalg.solve(rows @ lift, rows @ made[nq:] - w[:3])
    else:
        made[nq:] -= lift @ np.linalg.solve(rows @ lift, rows @ made[nq:])
    project(Stick(system), made)
    return made
