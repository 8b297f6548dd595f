"""A body with one or two dry contacts that carries a column of sensitivities from impact to impact.

Between impacts it moves through modes (flight, slip, rolling: `modes.CarriedThroughModes`). At an impact (`impact_law`: its time moves by dt, R is the law)

    w+ = R_y (w + f dt) + R_t dt + R_p - f+ dt,

f and f+ being the rates before and after it.
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
from ...motion.filippov.forces import OPEN
from ...motion.methods.filippov import Filippov
from ...motion.problem import Problem
from .carried import Instant, Passage, level_of
from .impact_law import ImpactLaw, reach_of
from .in_contact import CarriedInContact
from .modes import WORDS as IN_MODES
from .modes import CarriedThroughModes
from .quantities import Quantity
from .tilt import difference, moved

WORDS = ("impact", *IN_MODES)
LASTS = 1e-7  # relative: a normal velocity that is none
NEAR = 1e-11  # relative: a quantity so close to its level is on it


class CarriedThroughImpacts(CarriedInContact):
    """The motion of a body with a column: legs through modes, impacts between them."""

    def __init__(
        self,
        problem: Problem,
        method: Filippov,
        direction: Mapping[str, float],
        w: np.ndarray,
        events: Sequence[Event] = (),
        max_impacts: int = 10_000,
    ):
        super().__init__(problem, direction, events)
        self.law = ImpactLaw(self.system, direction)
        self.legs: list[CarriedThroughModes] = []
        self._instants: list[Instant] = []
        inside = [e if e.what != "impact" else None for e in events]
        self._watched = [None if e is None or e.what in WORDS else (e, Quantity(self.system, e.what)) for e in inside]
        self._listed = [k for k, e in enumerate(inside) if e is not None]
        self._go(method, np.array(w, float), max_impacts)
        self.end, self.steps = self.legs[-1].end, sum(leg.steps for leg in self.legs)

    def _go(self, method: Filippov, w: np.ndarray, max_impacts: int) -> None:
        problem, dt = self.problem, 0.0
        events = [self.events[k] for k in self._listed]
        while True:
            leg = CarriedThroughModes(problem, method, self.direction, w, events, closes=True, late=dt, later=bool(self.legs))
            self._check_lasting(leg)
            self.legs.append(leg)
            if leg.closed:
                leg.end = self.law.hit(leg.closed_contact, leg.problem.t0, leg.end, leg.state, leg.rate)
            last = leg.end - NEAR * max(1.0, abs(leg.end)) if leg.closed else leg.end
            for k, found in zip(self._listed, leg.passages):
                self.passages[k] += [p for p in found if p.t <= last]
            self.jumps += [t for t in leg.jumps if t <= last]
            if not leg.closed:
                return
            if len(self._instants) >= max_impacts:
                raise InputError(
                    f"{called(self.system)} has {max_impacts} impacts until t = {leg.end:.9g}, and goes on so: impacts that accumulate, at which no derivative is defined. "
                    f"Let until end before, or raise max_resets."
                )
            t = leg.end
            before = leg.states(t)[0]
            w, f = leg.along.column(t), leg.rate(t, before)
            dt = self.law.time_moves(leg.closed_contact, t, before, w, f)
            touching = self.law.touching(leg.closed_contact, t, before, leg.last_modes)
            after = self.law.struck(touching, t, before)
            slope = self.law.slope(touching, t, before, dt, w + f * dt, after)
            self.jumps.append(t)
            self._instants.append(Instant(t, dt, before, w + f * dt, after, slope))
            self._at_impact(t, before, w, f, dt, after, slope)
            if t >= self.problem.t1:
                return
            problem, w = dataclasses.replace(self.problem, t0=t, start=after), slope

    # -- an impact -----------------------------------------------------------------------------------------------------------------

    def _check_lasting(self, leg: CarriedThroughModes) -> None:
        """Refuse a contact that lasts after an impact (e = 0) and would rebound if the input changed: e itself, say."""
        if not self._instants:
            return
        one = self._instants[-1]
        modes, reach = leg.along.first_modes, max(reach_of(one.after_moves, one.after), abs(one.dt))
        for k in (k for k in range(int(contact_count(self.system))) if modes[k] != OPEN):

            def normal(h: float, k: int = k) -> float:
                h = h / reach
                system = moved(self.system, self.direction, h)
                return float(contacts_at(system, one.t + h * one.dt, one.after + h * one.after_moves)[1].gamma[3 * k])

            if abs(float(difference(normal)) * reach) > LASTS * (1.0 + float(np.abs(one.after_moves).max())):
                raise InputError(
                    f"contact {k} of {called(self.system)} lasts after the impact at t = {one.t:.9g}, and would rebound if this input changed: there is no derivative with respect to "
                    f"it. Take a restitution above zero, or leave this input out."
                )

    def _at_impact(
        self, t: float, before: np.ndarray, w: np.ndarray, f: np.ndarray, dt: float, after: np.ndarray, slope: np.ndarray
    ) -> None:
        """Events that happen with the impact: itself, and quantities that jump across their level."""
        for k, e in enumerate(self.events):
            if e.what == "impact":
                self.passages[k].append(Passage(t, before, w, f, dt, "falling"))
            watched = self._watched[k]
            if watched is None:
                continue
            event, g = watched
            level = level_of(event, g)
            a, b = (float(g.values(t, y[None])[0]) - level for y in (before, after))
            size = max(abs(a + level), abs(b + level), abs(level), 1e-300)
            if min(abs(a), abs(b)) <= NEAR * size:
                raise InputError(
                    f"{g.name} is on its level at the impact at t = {t:.9g}: whether it passes it there is not told by a derivative. Ask for the event 'impact' instead."
                )
            kind = "rising" if a < 0.0 < b else "falling" if b < 0.0 < a else ""
            if kind and DIRECTIONS[event.direction] * (1 if kind == "rising" else -1) >= 0:
                self.passages[k].append(Passage(t, after, slope, np.zeros(self.n), dt, kind))

    # -- the interface of Carried -----------------------------------------------------------------------------------------------------

    def _leg(self, times: np.ndarray) -> np.ndarray:
        ends = np.array([leg.end for leg in self.legs])
        return np.minimum(np.searchsorted(ends, times, side="left"), len(ends) - 1)

    def _of_legs(self, t: Any, what: str) -> np.ndarray:
        """What the legs tell at some times, one row each; at an impact the leg before it."""
        times = np.atleast_1d(np.asarray(t, float))
        rows, which = np.empty((times.size, self.n)), self._leg(times)
        for k in np.unique(which):
            rows[which == k] = getattr(self.legs[k], what)(times[which == k])
        return rows

    def states(self, t: Any) -> np.ndarray:
        """States at some times, one row each."""
        return self._of_legs(t, "states")

    def columns(self, t: Any) -> np.ndarray:
        """Columns at some times, one row each."""
        return self._of_legs(t, "columns")

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in the mode of an instant; at a change in the one before it."""
        return self.legs[int(self._leg(np.array([t]))[0])].rate(t, y)

    def moving_jumps(self) -> list[tuple[float, float, np.ndarray, np.ndarray]]:
        """The impacts: when, how that time moves, the states before and after."""
        return [(one.t, one.dt, one.before, one.after) for one in self._instants]

    def instants(self) -> list[Instant]:
        """Impacts and changes of mode."""
        return [*self._instants, *(one for leg in self.legs for one in leg.instants())]

    def nodes(self) -> list[np.ndarray]:
        """The ends of the steps of each mode."""
        cut = [
            np.append(piece[piece < leg.end], min(piece[-1], leg.end))
            for leg in self.legs
            for piece in leg.nodes()
            if piece[0] < leg.end
        ]
        return [piece for piece in cut if piece.size > 1]


def refuse_other_bodies(system: Any, method: Filippov) -> None:
    """Refuse what these legs cannot follow, by name."""
    try:
        method.check(system)
    except InputError as error:
        raise InputError(
            f"sensitivities through impacts are had for bodies with one or two contacts with Coulomb friction, mu > 0; {called(system)} is none: {error}"
        ) from None


__all__ = ["WORDS", "CarriedThroughImpacts", "refuse_other_bodies"]
