"""What can follow a state of a system with dry contacts: all that Coulomb's law at each contact allows, as the solver sees it.

    what_follows(BallInCorner(slope=1.2), {"v": 0.3})        a list of `Future`

One future: what follows is unique. Several: it is not. None: no combination of slipping, rolling and opening is consistent (Painleve's case).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, called, number
from ...motion.filippov.algebra.forces import OPEN, SLIP
from ...motion.filippov.algebra.future import Future
from ...motion.filippov.instant import Contacts, tidied, touching
from ...motion.filippov.systems.form import contact_total, may_open
from ...motion.start import check_system, state_vector

STILL = 1e-12  # of the largest speed that there is: a slip that counts as none


def what_follows(system: Any, state: Any, t: float = 0.0) -> list[Future]:
    """All futures of a state (as a start of `simulate`). Contacts without slip may roll, begin to slip or open; those that slip go on, or open."""
    if not contact_total.knows(type(system)):
        raise InputError(
            f"what_follows is for systems with dry contacts, which register `contact_form` (docs/filippov.md), and for bodies with one or two "
            f"contacts; {called(system)} is neither."
        )
    system = check_system(system)
    total = int(contact_total(system))
    if total not in (1, 2):
        raise InputError(f"what_follows is for one or two contacts; {called(system)} has {total}.")
    y = state_vector(system, state)
    if not np.all(np.isfinite(y)):
        raise InputError(f"the state {y.tolist()} of {called(system)} must be finite numbers.")
    contacts, t = Contacts(system, y.size), number(t, "t", "s")
    tidied(system, contacts.ready.form, y)
    first = contacts.at(t, y, (OPEN, OPEN))
    closed, hits = touching(system, total, bool(may_open(system)), t, y, first.free[: y.size], first.gaps)
    if hits is not None:
        raise InputError(
            f"contact {hits[0]} of {called(system)} closes with {hits[1]:.4g} m/s in this state: an impact follows, which what_follows does not tell; "
            "give a state after it."
        )
    was = (SLIP if closed[0] else OPEN, SLIP if closed[1] else OPEN)
    seen = contacts.at(t, y, was)
    speeds = contacts.speeds(seen)
    small = STILL * max(float(np.abs(y).max(initial=0.0)), float(speeds.max()))
    still = (bool(closed[0] and speeds[0] <= small), bool(closed[1] and speeds[1] <= small))
    return contacts.futures(seen, was, still)


def verdict(found: list[Future]) -> str:
    """What a list of futures says, in words."""
    if not found:
        return "nothing is consistent (Painleve)"
    return "unique" if len(found) == 1 else "not unique"


__all__ = ["Future", "verdict", "what_follows"]
