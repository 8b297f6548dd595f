"""What can follow a state of a system with dry contacts: all that Coulomb's law at each contact allows, as the solver sees it.

    what_follows(BallInCorner(slope=1.2), {"v": 0.3})        a list of `Future`

One future: what follows is unique. Several: it is not. None: no combination of slipping, rolling and opening is consistent (Painleve's case).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, called, number
from ...kernel.system import project
from ...motion.event_driven.futures_at import futures_of_body
from ...motion.filippov.algebra.forces import OPEN, SLIP
from ...motion.filippov.algebra.future import Future
from ...motion.filippov.instant import Contacts
from ...motion.filippov.systems.form import is_form
from ...motion.methods.event_driven import EventDriven
from ...motion.start import check_system, state_vector, with_rate

STILL = 1e-12  # of the largest speed that there is: a slip that counts as none


def what_follows(system: Any, state: Any, t: float = 0.0) -> list[Future]:
    """All futures of a state (as a start of `simulate`). Contacts without slip may roll, begin to slip or open; those that slip go on, or open."""
    reason = EventDriven().unsuited(system)
    if reason:
        raise InputError(f"what_follows tells what 'event-driven' may go on with, but {reason}.")
    system = check_system(with_rate(system))
    y = state_vector(system, state)
    if not np.all(np.isfinite(y)):
        raise InputError(f"the state {y.tolist()} of {called(system)} must be finite numbers.")
    t = number(t, "t", "s")
    return futures_of_form(system, t, y) if is_form(system) else futures_of_body(system, t, y)


def futures_of_form(system: Any, t: float, y: np.ndarray) -> list[Future]:
    """All futures of a form of dry contacts at (t, y)."""
    project(system, y)
    contacts = Contacts(system, y.size)
    was = (SLIP, SLIP if contacts.count == 2 else OPEN)
    seen = contacts.at(t, y, was)
    speeds = contacts.speeds(seen)
    small = STILL * max(float(np.abs(y).max(initial=0.0)), float(speeds.max()))
    return contacts.futures(seen, was, (bool(speeds[0] <= small), contacts.count == 2 and bool(speeds[1] <= small)))


def verdict(found: list[Future]) -> str:
    """What a list of futures says, in words."""
    if not found:
        return "nothing is consistent (Painleve)"
    return "unique" if len(found) == 1 else "not unique"


__all__ = ["Future", "verdict", "what_follows"]
