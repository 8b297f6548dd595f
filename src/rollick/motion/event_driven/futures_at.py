"""All futures of a body with contacts at an instant, for Python: the choices of modes of `all_futures` with their forces."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...mechanics.contact import contact_count, positions
from ...mechanics.size import size_and_extent
from ..contact.by_address import MODES, ByAddress
from ..contact.held import FAR, OPEN, STICK
from ..filippov.algebra.code import futures_code
from ..filippov.algebra.future import Future
from .all_futures import all_futures
from .memory import memory, room_for_futures
from .sight import find_forces, see
from .thresholds import CLOSED, DEEPEST, MOST_CLOSED, SLOW


def futures_of_body(system: Any, t: float, y: np.ndarray) -> list[Future]:
    """All futures of a body at (t, y), as it is; a state in which a contact is about to hit, or is inside its surface, has none that is told here, and is refused."""
    by_address, y = ByAddress(system, MODES, any_size=True), np.ascontiguousarray(y, float)
    body, count = by_address.body, int(contact_count(system))
    m = memory(body)
    see(body, t, y, 0.0, m.sight)
    gaps, rates, who = m.sight.gaps[:count], m.sight.gamma[: 3 * count : 3], called(system)
    inside = 1e3 * DEEPEST + CLOSED * float(size_and_extent(body, y[: int(positions(system))])[0])
    for k in range(count):
        if gaps[k] < -inside:
            raise InputError(
                f"contact {k} of {who} is {-gaps[k]:.3g} m inside its surface; give a state that touches it (gap 0), or lies outside."
            )
        if gaps[k] <= inside and rates[k] < -SLOW:
            raise InputError(
                f"contact {k} of {who} closes with {-rates[k]:.4g} m/s in this state: an impact follows, which what_follows does not tell; give a state after it."
            )
    m.closed[:count] = (gaps <= inside) & (rates <= SLOW)
    closed = int(m.closed[:count].sum())
    if closed > MOST_CLOSED:
        raise InputError(
            f"{who} has {closed} closed contacts in this state; what_follows tries all combinations of modes, of at most {MOST_CLOSED} contacts."
        )
    if not closed:
        return [Future((OPEN,) * count, np.zeros(2 * count), np.zeros(count), np.zeros(3 * count), FAR, count)]
    rows = room_for_futures(body)
    total = all_futures(body, futures_code(min(count, 2)), m, rows)
    return [future_of_choice(body, m, row, count) for row in rows[:total]]


def future_of_choice(body: Any, m: Any, choice: Any, count: int) -> Future:
    """A choice of modes with its forces."""
    forces = np.zeros(m.wanted.size)
    find_forces(body, m.sight, choice, forces)
    modes = tuple(choice.modes[:count].astype(int).tolist())
    rooms = [
        m.sight.mu[k] * forces[3 * k] - math.hypot(*forces[3 * k + 1 : 3 * k + 3]) for k in range(count) if modes[k] == STICK
    ]
    begins = choice.begins[:count] > 0.0
    way = np.where(np.repeat(begins, 2), choice.ways[: 2 * count], 0.0)
    return Future(
        modes, way, np.where(begins, choice.paces[:count], 0.0), forces[: 3 * count].copy(), float(min(rooms, default=FAR)), count
    )
