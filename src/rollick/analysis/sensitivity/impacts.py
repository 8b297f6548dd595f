"""A body with one or two dry contacts that carries a column of sensitivities from impact to impact.

Between impacts it moves through modes (flight, slip, rolling: `modes.CarriedThroughModes`); `impact_law` takes the column through them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...mechanics.contact import contact_count
from ...motion.event_driven.memory import contacts_at
from ...motion.events.event import DIRECTIONS, Event
from ...motion.filippov.algebra.forces import OPEN
from ...motion.methods.event_driven import EventDriven
from ...motion.problem import Problem
from .impact_law import ImpactLaw
from .in_legs import InLegs, Instant, Passage
from .modes import WORDS as IN_MODES
from .modes import CarriedThroughModes
from .quantities import Quantity
from .resets import level_of
from .tilt import slope_along

WORDS = ("impact", *IN_MODES)
LASTS = 1e-7  # relative: a normal velocity that is none
NEAR = 1e-11  # relative: a quantity so close to its level is on it


class CarriedThroughImpacts(InLegs):
    """The motion of a body with a column: legs through modes, impacts between them."""

    def __init__(
        self,
        problem: Problem,
        method: EventDriven,
        direction: Mapping[str, float],
        w: np.ndarray,
        events: Sequence[Event] = (),
        max_impacts: int = 10_000,
    ):
        super().__init__(problem, direction, events)
        self.law = ImpactLaw(self.system, direction)
        self.impacts: list[Instant] = []
        inside = [e if e.what != "impact" else None for e in events]
        self._watched = [None if e is None or e.what in WORDS else (e, Quantity(self.system, e.what)) for e in inside]
        self._listed = [k for k, e in enumerate(inside) if e is not None]
        self._go(method, np.array(w, float), max_impacts)
        self.end, self.steps = self.legs[-1].end, sum(leg.steps for leg in self.legs)
        self.instants = [*self.impacts, *(one for leg in self.legs for one in leg.instants)]

    def _go(self, method: EventDriven, w: np.ndarray, max_impacts: int) -> None:
        problem, late = self.problem, None
        events = [self.events[k] for k in self._listed]
        while True:
            leg = CarriedThroughModes(problem, method, self.direction, w, events, closes=True, late=late)
            self._check_lasting(leg)
            self.legs.append(leg)
            if leg.closed is not None:
                leg.end = self.law.hit(leg.closed, leg.problem.t0, leg.end, leg.state, leg.rate)
            last = leg.end if leg.closed is None else leg.end - NEAR * max(1.0, abs(leg.end))
            for k, found in zip(self._listed, leg.passages):
                self.passages[k] += [p for p in found if p.t <= last]
            self.jumps += [t for t in leg.jumps if t <= last]
            if leg.closed is None:
                return
            if len(self.impacts) >= max_impacts:
                raise InputError(
                    f"{called(self.system)} has {max_impacts} impacts until t = {leg.end:.9g}, and goes on so: impacts that accumulate, at which no derivative is defined. "
                    f"Let until end before, or raise max_resets."
                )
            t, before = leg.end, leg.state(leg.end)
            column, f = leg.along.column(t), leg.rate(t, before)
            one = self.law.instant(leg.closed, t, before, column, f, leg.along.modes_at(t))
            self.jumps.append(t)
            self.impacts.append(one)
            self._at_impact(one, column, f)
            if t >= self.problem.t1:
                return
            problem, w, late = dataclasses.replace(self.problem, t0=t, start=one.after), one.after_moves, one.dt

    # -- an impact -----------------------------------------------------------------------------------------------------------------

    def _check_lasting(self, leg: CarriedThroughModes) -> None:
        """Refuse a contact that lasts after an impact (e = 0) and would rebound if the input changed: e itself, say."""
        if not self.impacts:
            return
        one, modes = self.impacts[-1], leg.along.after(leg.along.changes[0])
        for k in (k for k in range(int(contact_count(self.system))) if modes[k] != OPEN):
            normal = lambda s, t, y, k=k: contacts_at(s, t, y)[1].gamma[3 * k]
            rebound = slope_along(normal, self.system, one.t, one.after, one.dt, one.after_moves, self.direction)
            if abs(float(rebound)) > LASTS * (1.0 + float(np.abs(one.after_moves).max())):
                raise InputError(
                    f"contact {k} of {called(self.system)} lasts after the impact at t = {one.t:.9g}, and would rebound if this input changed: there is no derivative with respect to "
                    f"it. Take a restitution above zero, or leave this input out."
                )

    def _at_impact(self, one: Instant, w: np.ndarray, f: np.ndarray) -> None:
        """Events that happen with the impact: itself, and quantities that jump across their level."""
        t = one.t
        for k, e in enumerate(self.events):
            if e.what == "impact":
                self.passages[k].append(Passage(t, one.before, w, f, one.dt, "falling"))
            watched = self._watched[k]
            if watched is None:
                continue
            event, g = watched
            level = level_of(event, g)
            a, b = (float(g.values(t, y[None])[0]) - level for y in (one.before, one.after))
            size = max(abs(a + level), abs(b + level), abs(level), 1e-300)
            if min(abs(a), abs(b)) <= NEAR * size:
                raise InputError(
                    f"{g.name} is on its level at the impact at t = {t:.9g}: whether it passes it there is not told by a derivative. Ask for the event 'impact' instead."
                )
            kind = "rising" if a < 0.0 < b else "falling" if b < 0.0 < a else ""
            if kind and DIRECTIONS[event.direction] * (1 if kind == "rising" else -1) >= 0:
                self.passages[k].append(Passage(t, one.after, one.after_moves, np.zeros(self.n), one.dt, kind))

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in the mode of an instant; at a change in the one before it."""
        return self.legs[int(self.which(np.array([t]))[0])].rate(t, y)


def refuse_other_bodies(system: Any, method: EventDriven) -> None:
    """Refuse what these legs cannot follow, by name."""
    try:
        method.check(system)
    except InputError as error:
        raise InputError(
            f"sensitivities through impacts are had for bodies with one or two contacts with Coulomb friction, mu > 0; {called(system)} is none: {error}"
        ) from None


__all__ = ["WORDS", "CarriedThroughImpacts", "refuse_other_bodies"]
