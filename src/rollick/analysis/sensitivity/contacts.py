"""A body with contacts that carries a column of sensitivities from event to event: through flight, impacts, slip and stick of any number of contacts.

The log of the motion tells what changed; `motion.event_driven.transition` takes the column along.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...motion.contact.by_address import MODES, ByAddress
from ...motion.event_driven.transition import ContactTransition
from ...motion.integrate import Run
from ...motion.methods.event_driven import EventDriven
from ...motion.methods.modes_of_bodies import judged
from ...motion.problem import Problem
from ...motion.result import outcome as o
from ...motion.result.motion import Motion
from .along import Along
from .columns import COMPLEX_STEP, NEIGHBOURS
from .in_legs import Instant, Passage
from .modes import CarriedThroughModes, dense_of
from .quantities import Quantity
from .resets import level_of
from .tilt import moved

NEAR = 1e-11  # relative: a quantity so close to its level is on it


def moved_bodies(system: Any, direction: Mapping[str, float]) -> Callable[[float], Any] | None:
    """What makes the body ready with its parameters moved by so much along a direction; None if there is no direction."""
    return (lambda h: ByAddress(moved(system, direction, h), MODES, any_size=True)) if direction else None


def followed(problem: Problem, method: EventDriven) -> tuple[Motion, Run]:
    """A motion from event to event with dense output, and the run that made it, with its log."""
    run = Run(dataclasses.replace(problem, variational=False), method)
    motion = run.motion(run.go())
    if motion.status == o.INTERRUPTED:
        raise KeyboardInterrupt
    return judged(method, motion), run


class CarriedThroughContacts(CarriedThroughModes):
    """The motion of a body with a column, from event to event."""

    def follow(self, problem: Problem, method: EventDriven, w: np.ndarray) -> tuple[Motion, Along]:
        """The motion, and the column along it."""
        motion, self.run = followed(problem, method)
        self.columns_by = NEIGHBOURS if self.direction else COMPLEX_STEP
        transition = ContactTransition(self.run.stepper, *dense_of(motion), moved_bodies(self.system, self.direction))
        along = Along(transition, w)
        self.impacts = {one.t: one for one in along.instants.values() if one.jumps}
        for k, g in self.watched.items():
            for one in self.impacts.values():
                self.refuse_on_level(k, g, one)
        return motion, along

    def refuse_on_level(self, k: int, g: Quantity, one: Instant) -> None:
        """Refuse a quantity that an impact finds on its level, or leaves there."""
        level = level_of(self.events[k], g)
        before, after = (float(value) for value in g.values([one.t, one.t], np.stack([one.before, one.after])))
        size = max(abs(before), abs(after), abs(level), 1e-300)
        if min(abs(before - level), abs(after - level)) <= NEAR * size:
            raise InputError(
                f"{g.name} is on its level at the impact at t = {one.t:.9g}: whether it passes it there is not told by a derivative. Ask for the event 'impact' instead."
            )

    def passage(self, e: Any, g: Quantity) -> Passage:
        """An event of a quantity: at an impact, if it makes the quantity jump across its level."""
        if e.t in self.impacts and any(e is one for one in self.run.by_jumps):
            return self.changed(self.impacts[e.t], e)
        return super().passage(e, g)

    def changes(self) -> list[tuple[str, Passage]]:
        """What happened where modes changed, in words; an impact is told with the state before it."""
        words, found = self.run.stepper.words, []
        for i, one in self.along.instants.items():
            row = self.along.transition.rows[i]
            if row.landed > 0.0:
                found.append(("impact", Passage(one.t, one.before, one.before_moves, np.zeros(self.n), one.dt, "crossing")))
            told = words.impact_in(row) if row.landed > 0.0 else words.changes_in(row)
            found += [(e.name, self.changed(one, e)) for e in told if e.name != "impact"]
        return found
