"""How fast a contact turns, seen by the body: fast tops, and disks around which the contact runs ever faster, need shorter steps."""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...mechanics.contact import velocities
from .work import CLOSED, TURN, TURNING, TURNING_CONTACT, TURNING_LIFT

FAR = 0.2  # rad: how far a contact may turn in one step, or one part of it


@compiled
def note_turning(system, count, dt, w):
    """How fast the first closed contact turns, seen by the body: from the change of its first friction row since the last step; the angle (rad).

    The change is measured by the kinetic energy that belongs to it, relative to that of the row. Spin counts, and a contact that runs around the body.
    """
    last = w.last.shape[0] - 1
    nu = velocities(system)
    seen = w.k[CLOSED, 0] + 1.0 if count > 0 else 0.0
    rate = 0.0
    if seen > 0.0 and seen == w.last[last, TURNING_CONTACT]:
        change, size = 0.0, 0.0
        for j in range(nu):
            change += abs((w.rows[0, 1, j] - w.v[TURNING, j]) * (w.rows[1, 1, j] - w.v[TURNING_LIFT, j]))
            size += w.rows[0, 1, j] * w.rows[1, 1, j]
        rate = (change / size) ** 0.5 / dt if size > 0.0 else 0.0
    w.last[last, TURN], w.last[last, TURNING_CONTACT] = rate, seen
    if seen > 0.0:
        for j in range(nu):
            w.v[TURNING, j], w.v[TURNING_LIFT, j] = w.rows[0, 1, j], w.rows[1, 1, j]
    return rate * dt
