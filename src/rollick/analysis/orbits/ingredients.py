"""What the motion of a system is made of at an instant, as numbers: whether they change tells whether something drives it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.evaluate import rate_at
from ...kernel.system import dim
from ...mechanics import contact as body
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load
from .impacts import gap_of, impact_gap


def ingredients(system: Any, t: float, y: np.ndarray) -> np.ndarray:
    """M, h, and the gap, W and w of each contact of a body; the form of dry contacts; or else the rate, with the gap of a system that has an impact law."""
    y = np.ascontiguousarray(y, float)
    if body.contact_count.knows(type(system)):
        return of_body(system, t, y)
    if contact_total.knows(type(system)):
        return of_form(system, t, y)
    out = np.empty(int(dim(system)))
    rate_at(system, t, y, out)
    return np.append(out, gap_of(system, t, y)) if impact_gap.knows(type(system)) else out


def of_body(system: Any, t: float, y: np.ndarray) -> np.ndarray:
    """M, h, and the gap, W and w of each contact."""
    nq, nu, rows = int(body.positions(system)), int(body.velocities(system)), int(body.rows_per_contact(system))
    q, u = y[:nq].copy(), y[nq:].copy()
    M, h, found = np.zeros((nu, nu)), np.zeros(nu), []
    body.mass_matrix(system, q, M)
    body.smooth_forces(system, t, q, u, h)
    for k in range(int(body.contact_count(system))):
        W, w = np.zeros((rows, nu)), np.zeros(rows)
        body.contact_rows(system, t, q, k, W)
        body.surface_velocity(system, t, q, k, w)
        found += [W.ravel(), w, [float(body.gap(system, t, q, k))]]
    return np.concatenate([M.ravel(), h, *found])


def of_form(system: Any, t: float, y: np.ndarray) -> np.ndarray:
    """All that a system with dry contacts is made of."""
    count = int(contact_total(system))
    free, push, c, A, slip = np.zeros(y.size), np.zeros((6, y.size)), np.zeros(6), np.zeros((6, 6)), np.zeros(4)
    contact_form(system, (1, 1 if count == 2 else 0), t, y, free, push, c, A, slip)
    grips = [value for k in range(count) for value in grip_and_load(system, t, y, k)]
    return np.concatenate([free, push.ravel(), c, A.ravel(), slip, np.array(grips, float)])


def differ_at(system: Any, y: np.ndarray, pairs: list[tuple[float, float]], tol: float) -> bool:
    """Whether these numbers are others at the second time of some pair than at the first, by more than `tol`, relative."""
    for s, t in pairs:
        a, b = ingredients(system, s, y), ingredients(system, t, y)
        if not np.array_equal(a, b, equal_nan=True) and not bool(np.all(np.abs(a - b) <= tol * (1.0 + np.abs(a)))):
            return True
    return False
