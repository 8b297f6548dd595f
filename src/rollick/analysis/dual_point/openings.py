"""Which contacts may open: every way to go on in which at most one of the two contacts lasts.

With forces lambda = (N+, T1+, T2+, N-, T1-, T2-) the gaps and the slips that are zero have the rates gamma' = c + A lambda. A contact that opens has no force,
and its gap must grow. The other one slips as it did, holds (its force inside the cone), or begins to slip, in a direction d along its own acceleration:
gamma_T' = |gamma_T'| d under T = -mu N d. Everything that fits is found; what lasts with both contacts is told by `cases` and by `what_next`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from .contact import cross
from .point import DualPoint

SAMPLES = 720
NOTHING = 1e-10  # of the accelerations that the loads give


class Opening(NamedTuple):
    """A way to go on: who opens, what the other contact does, its force (N, T1, T2), and the acceleration of the gaps that open (m/s^2)."""

    opens: tuple[str, ...]
    rest: str
    force: tuple[float, float, float]
    gaps: tuple[float, ...]

    def __str__(self) -> str:
        who = " and ".join(self.opens)
        gaps = ", ".join(f"{g:.6g}" for g in self.gaps)
        return f"{who} may open (gap'' = {gaps} m/s^2)" + (f" while {self.rest}" if self.rest else "")


def accelerations(point: DualPoint) -> tuple[np.ndarray, np.ndarray]:
    """c and A of gamma' = c + A lambda: for each contact the gap, and the velocity along t1 and t2 of a contact that does not slip."""
    weight = np.zeros((6, 6))
    weight[:3, :3], weight[3:, 3:] = np.eye(3) / point.mass, np.linalg.inv(point.inertia)
    c, lift = point.lift.T @ (weight @ point.loads), point.lift
    for k, (contact, rates, slip) in enumerate(zip(point.contacts, point.contact_rates, point.slip_velocities)):
        bend = cross(point.omega, rates.r) - rates.velocity
        c[3 * k : 3 * k + 3] += np.array([contact.n, point.frames.t1[k], point.frames.t2[k]]) @ bend
        c[3 * k] += rates.n @ slip
    return c, lift.T @ weight @ lift


def openings(point: DualPoint, mode: str) -> list[Opening]:
    """The ways to go on in which a contact opens, from a state in which the contacts slip or roll as the mode says."""
    c, A = accelerations(point)
    small = NOTHING * (
        float(np.linalg.norm(point.loads[:3])) / point.mass + float(np.abs(c).max()) + point.size**2 / point.length
    )
    found = []
    if c[0] > small and c[3] > small:
        found.append(Opening(("P+", "P-"), "", (0.0, 0.0, 0.0), (float(c[0]), float(c[3]))))
    for k, (other, name) in enumerate((("P-", "P+"), ("P+", "P-"))):
        here = slice(3 * k, 3 * k + 3)
        for rest, force in _alone(point, k, mode[k], c[here], A[here, here], small):
            gap = float(c[3 - 3 * k] + A[3 - 3 * k, here] @ force)
            if gap > small:
                found.append(Opening((other,), f"{name} {rest}", (float(force[0]), float(force[1]), float(force[2])), (gap,)))
    return found


def _alone(point: DualPoint, k: int, letter: str, c: np.ndarray, A: np.ndarray, small: float) -> list[tuple[str, np.ndarray]]:
    """What contact k can do alone, with its force."""
    mu = point.contacts[k].mu

    def pressed(d: np.ndarray) -> np.ndarray | None:
        """The force of slip along d; None if the contact would have to pull, or drives itself."""
        way = np.array([1.0, -mu * d[0], -mu * d[1]])
        drive = float(A[0] @ way)
        if drive <= 0.0 or c[0] >= -small:
            return None
        return -c[0] / drive * way

    if letter == "S":
        slip = point.slips[k]
        force = pressed(slip / np.hypot(*slip))
        return [] if force is None else [("goes on slipping", force)]
    found = []
    held = np.linalg.solve(A, -c)
    if held[0] > 0.0 and np.hypot(held[1], held[2]) <= mu * held[0]:
        found.append(("goes on rolling", held))

    def turn(phi: float) -> float:
        d = np.array([np.cos(phi), np.sin(phi)])
        force = pressed(d)
        if force is None:
            return np.nan
        rate = c[1:] + A[1:] @ force
        return float(d[0] * rate[1] - d[1] * rate[0])

    angles = 2.0 * np.pi * (np.arange(SAMPLES + 1) + 0.38196601125) / SAMPLES
    values = np.array([turn(phi) for phi in angles])
    for a, b, va, vb in zip(angles, angles[1:], values, values[1:]):
        if not va * vb < 0.0:
            continue
        phi = float(brentq(turn, a, b, xtol=1e-14))
        d = np.array([np.cos(phi), np.sin(phi)])
        force = pressed(d)
        if force is not None and d @ (c[1:] + A[1:] @ force) > small:
            found.append(("begins to slip", force))
    return found
