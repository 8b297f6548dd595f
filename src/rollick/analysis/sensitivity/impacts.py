"""A body with one or two dry contacts that carries a column of sensitivities from impact to impact; the interface of `carried.Carried`.

Between impacts it moves through modes (flight, slip, rolling: `modes.CarriedThroughModes`). Contact k closes where gap_k(t, y, p) = 0, so that the time of the impact moves by

    dt = -(grad gap . w + gap_p)/(gap_t + grad gap . f),

and with the impact law R (Newton's along the normal, Coulomb's along the surface, of all contacts that touch)

    w+ = R_y (w + f dt) + R_t dt + R_p - f+ dt.

R is smooth as long as each contact goes on sliding or sticks throughout: its derivative is by differences of order six with two steps, which must agree; at the edge between both,
and where an impact grazes, there is no derivative.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...mechanics.contact import contact_count, gap, positions
from ...motion.contact.impact import impact
from ...motion.contact.jumps import unsolved
from ...motion.contact.landing import CLOSED
from ...motion.contact.seen import view
from ...motion.events.event import DIRECTIONS, Event
from ...motion.filippov.forces import OPEN
from ...motion.methods.filippov import Filippov
from ...motion.problem import Problem
from .carried import Instant, Passage, level_of
from .columns import COMPLEX_STEP
from .modes import WORDS as IN_MODES
from .modes import CarriedThroughModes
from .quantities import Quantity
from .tilt import difference, moved

WORDS = ("impact", *IN_MODES)
GRAZES = 2e-4  # of 1 m/s and the largest velocity: an approach so slow has no derivative that could be trusted, or is one of a series that accumulates
STEPS = (1e-3, 1e-4, 1e-5)  # of differences of the impact law, relative to the state
SAME = 1e-6  # relative: how well two of them agree
NOISE = 1e-3  # of the state: of a derivative (by a part of the input) that small, less than SAME of it is rounding
LASTS = 1e-7  # relative: a normal velocity that is none
NEAR = 1e-11  # relative: a quantity so close to its level is on it


class CarriedThroughImpacts:
    """The motion of a body with a column: legs through modes, impacts between them."""

    columns_by = COMPLEX_STEP

    def __init__(
        self,
        problem: Problem,
        method: Filippov,
        direction: Mapping[str, float],
        w: np.ndarray,
        events: Sequence[Event] = (),
        max_impacts: int = 10_000,
    ):
        self.problem, self.system, self.direction = problem, problem.system, direction
        self.n = self.size = problem.n
        self.nq = int(positions(self.system))
        self.legs: list[CarriedThroughModes] = []
        self.passages: list[list[Passage]] = [[] for _ in events]
        self.jumps: list[float] = []
        self._instants: list[Instant] = []
        self._events = list(events)
        inside = [e if e.what != "impact" else None for e in events]
        self._watched = [None if e is None or e.what in WORDS else (e, Quantity(self.system, e.what)) for e in inside]
        self._listed = [k for k, e in enumerate(inside) if e is not None]
        self._go(method, np.array(w, float), max_impacts)
        self.end, self.steps = self.legs[-1].end, sum(leg.steps for leg in self.legs)

    def _go(self, method: Filippov, w: np.ndarray, max_impacts: int) -> None:
        problem, dt = self.problem, 0.0
        events = [self._events[k] for k in self._listed]
        while True:
            leg = CarriedThroughModes(problem, method, self.direction, w, events, closes=True, late=dt, later=bool(self.legs))
            self._check_lasting(leg)
            self.legs.append(leg)
            if leg.closed:
                leg.end = self._hit(leg)
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
            dt = self._time_moves(leg, t, before, w, f)
            after, slope = self._struck(leg, t, before, dt, w + f * dt)
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
        modes, reach = leg.along.first_modes, max(_reach(one.after_moves, one.after), abs(one.dt))
        for k in (k for k in range(int(contact_count(self.system))) if modes[k] != OPEN):

            def normal(h: float, k: int = k) -> float:
                h = h / reach
                return float(
                    view(moved(self.system, self.direction, h), one.t + h * one.dt, one.after + h * one.after_moves).gamma[k, 0]
                )

            if abs(float(difference(normal)) * reach) > LASTS * (1.0 + float(np.abs(one.after_moves).max())):
                raise InputError(
                    f"contact {k} of {called(self.system)} lasts after the impact at t = {one.t:.9g}, and would rebound if this input changed: there is no derivative with respect to "
                    f"it. Take a restitution above zero, or leave this input out."
                )

    def _gap(self, system: Any, t: float, y: np.ndarray, k: int) -> float:
        return float(gap(system, t, np.ascontiguousarray(y[: self.nq]), k))

    def _closing(self, t: float, y: np.ndarray, f: np.ndarray, k: int) -> float:
        """The rate of a gap."""
        pace = _reach(f, y)
        return float(difference(lambda h: self._gap(self.system, t + h / pace, y + h / pace * f, k))) * pace

    def _hit(self, leg: CarriedThroughModes) -> float:
        """When the gap is zero: legs end a little (1e-9 m) later, so that a contact that has just opened is not taken for one that closes."""
        k, t = leg.closed_contact, leg.end
        for _ in range(6):
            y = leg.states(t)[0]
            speed = self._closing(t, y, leg.rate(t, y), k)
            if not speed < 0.0:
                break
            step = self._gap(self.system, t, y, k) / speed
            t = min(max(t - step, leg.problem.t0), leg.end)
            if abs(step) <= 1e-15 * max(1.0, abs(t)):
                break
        return t

    def _time_moves(self, leg: CarriedThroughModes, t: float, y: np.ndarray, w: np.ndarray, f: np.ndarray) -> float:
        """dt; grazing is refused."""
        k = leg.closed_contact
        reach = _reach(w, y)
        speed = self._closing(t, y, f, k)
        moves = (
            float(difference(lambda h: self._gap(moved(self.system, self.direction, h / reach), t, y + h / reach * w, k))) * reach
        )
        if not -speed > GRAZES * (1.0 + float(np.abs(y[self.nq :]).max())):
            raise InputError(
                f"contact {k} of {called(self.system)} closes at t = {t:.9g} with {-speed:.3g} m/s only: the impact grazes, or is one of a series that accumulates; there "
                f"neighbours hit or miss, and nothing after it has a derivative. Let until end before, or ask for another start."
            )
        return -moves / speed

    def _struck(
        self, leg: CarriedThroughModes, t: float, y: np.ndarray, dt: float, dy: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The state after the impact, and R_t dt + R_y dy + R_p d."""
        total = int(contact_count(self.system))
        held = leg.last_modes
        touching = tuple(
            k for k in range(total) if k == leg.closed_contact or held[k] != OPEN or self._gap(self.system, t, y, k) < CLOSED
        )

        def law(system: Any, when: float, at: np.ndarray) -> np.ndarray:
            return impact(system, np.ascontiguousarray(at), touching, when)[0]

        after = law(self.system, t, y)
        told = unsolved(self.system, t, y, after, touching)
        if told:
            raise InputError(f"the motion that derivatives are asked of does not come to its end: {told}")
        reach = max(_reach(dy, y), abs(dt))

        def along(h: float) -> np.ndarray:
            h = h / reach
            return law(moved(self.system, self.direction, h), t + h * dt, y + h * dy)

        slopes = [difference(along, step) * reach for step in STEPS]
        for one, two in ((slopes[0], slopes[1]), (slopes[1], slopes[2])):
            if np.abs(one - two).max() <= SAME * max(
                float(np.abs(two).max()), float(np.abs(dy).max()), NOISE * float(np.abs(after).max())
            ):
                return after, one
        raise InputError(
            f"the impact of {called(self.system)} at t = {t:.9g} lies at the edge between sliding and sticking (or of a contact that takes part in it or does not): it has no "
            f"derivative there. Ask for another start, or other parameters."
        )

    def _at_impact(
        self, t: float, before: np.ndarray, w: np.ndarray, f: np.ndarray, dt: float, after: np.ndarray, slope: np.ndarray
    ) -> None:
        """Events that happen with the impact: itself, and quantities that jump across their level."""
        for k, e in enumerate(self._events):
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

    def at(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """States and columns at some times, one row each; at an impact those before it."""
        times = np.atleast_1d(np.asarray(t, float))
        y, w, which = np.empty((times.size, self.n)), np.empty((times.size, self.n)), self._leg(times)
        for k in np.unique(which):
            y[which == k], w[which == k] = self.legs[k].at(times[which == k])
        return y, w

    def states(self, t: Any) -> np.ndarray:
        """States at some times, one row each."""
        times = np.atleast_1d(np.asarray(t, float))
        y, which = np.empty((times.size, self.n)), self._leg(times)
        for k in np.unique(which):
            y[which == k] = self.legs[k].states(times[which == k])
        return y

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


def _reach(w: np.ndarray, y: np.ndarray) -> float:
    return max(1.0, float(np.max(np.abs(w) / (1.0 + np.abs(y)), initial=0.0)))


def refuse_other_bodies(system: Any, method: Filippov) -> None:
    """Refuse what these legs cannot follow, by name."""
    try:
        method.check(system)
    except InputError as error:
        raise InputError(
            f"sensitivities through impacts are had for bodies with one or two contacts with Coulomb friction, mu > 0; {called(system)} is none: {error}"
        ) from None


__all__ = ["WORDS", "CarriedThroughImpacts", "refuse_other_bodies"]
