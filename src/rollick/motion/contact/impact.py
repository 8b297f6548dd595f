"""An impact with friction: Newton's law along the normal, the friction law along the plane, solved like a time step of no length."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.cholesky import cholesky
from ...kernel.compiled import compiled
from ...mechanics.contact import contact_count, mass_matrix, positions, rows_per_contact, velocities
from .gathering import DEFAULT, gather
from .restituting import solve_bounded
from .several import begin_contacts
from .work import CLOSED, PERCUSSION, work_for


@compiled
def strike(system, t, q, u, count, w):
    """The velocities after the impact at the contacts listed in w.k[CLOSED]; the residual."""
    nu = velocities(system)
    rows = rows_per_contact(system)
    mass_matrix(system, q, w.M)
    cholesky(w.M, nu)
    gather(system, t, q, u, u, count, DEFAULT, False, w)
    begin_contacts(system, count, w)
    error = solve_bounded(system, count, 0.0, 1e-14, w)
    for j in range(nu):
        for i in range(count * rows):
            u[j] += w.rows[1, i, j] * w.v[PERCUSSION, i]
    return error


def impact(system: Any, y: np.ndarray, contacts: tuple[int, ...] = (0,), t: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """The state after an impact at the given contacts at time t, and the percussions there, a row for each contact."""
    nq, nu = positions(system), velocities(system)
    w = work_for(nq, nu, contact_count(system))
    for a, k in enumerate(contacts):
        w.k[CLOSED, a] = k
    made = np.array(y, float)
    strike(system, float(t), made[:nq], made[nq : nq + nu], len(contacts), w)
    rows = int(rows_per_contact(system))
    return made, w.v[PERCUSSION, : len(contacts) * rows].reshape(-1, rows).copy()
