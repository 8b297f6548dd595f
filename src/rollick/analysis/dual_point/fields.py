"""The four fields of a body with two contacts in its quasi-velocities s, at one configuration: a `DoubleSwitching`.

Where both slip, the frictionless problem is solved once for every s: (s', N+, N-) = z0 + Z (T1+, T2+, T1-, T2-). With T = -mu N d for slip directions d two
equations are left, for N+ and N-; the other fields are those of `cases`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from ..filippov.theory.double import DoubleSwitching
from ..filippov.theory.margin import StaticForces
from .cases import Case, case, must_roll
from .point import NAMES, DualPoint

TANGENTS = [1, 2, 4, 5]  # of (N+, T1+, T2+, N-, T1-, T2-)


class Condensed(NamedTuple):
    """(s', N+, N-) = z0 + Z (T1+, T2+, T1-, T2-)."""

    z0: np.ndarray
    Z: np.ndarray


def condensed(point: DualPoint) -> Condensed:
    """The frictionless solution, and what friction adds to it."""
    weight = np.zeros((6, 6))
    weight[:3, :3], weight[3:, 3:] = point.mass * np.eye(3), point.inertia
    B = np.hstack([weight @ point.K, -point.lift[:, [0, 3]]])
    solved = np.linalg.solve(B, np.column_stack([point.loads - weight @ point.bias, point.lift[:, TANGENTS]]))
    return Condensed(solved[:, 0], solved[:, 1:])


def slipping(point: DualPoint, at: Condensed, plus: Any, minus: Any) -> tuple[np.ndarray, np.ndarray]:
    """s' and (N+, N-) of slip at both contacts; angles of (u1, ua), or arrays of them (then a column for each pair)."""
    ways = []
    for phi, c, contact in ((plus, point.frames.c[0], point.plus), (minus, point.frames.c[1], point.minus)):
        one, two = np.cos(phi), np.sin(phi) / c
        size = -contact.mu / np.sqrt(one * one + two * two)
        ways.append((size * one, size * two))
    (p1, p2), (m1, m2) = ways
    Z, (b0, b1) = at.Z, at.z0[4:]
    e00, e10 = Z[4, 0] * p1 + Z[4, 1] * p2, Z[5, 0] * p1 + Z[5, 1] * p2
    e01, e11 = Z[4, 2] * m1 + Z[4, 3] * m2, Z[5, 2] * m1 + Z[5, 3] * m2
    det = (1.0 - e00) * (1.0 - e11) - e01 * e10
    det = np.where(np.abs(det) > 1e-30, det, 1e-30)  # on a pole: huge, not infinite
    n0, n1 = ((1.0 - e11) * b0 + e01 * b1) / det, (e10 * b0 + (1.0 - e00) * b1) / det
    T = np.array([p1 * n0, p2 * n0, m1 * n1, m2 * n1])
    base = at.z0[:4] if T.ndim == 1 else at.z0[:4, None]
    return base + Z[:4] @ T, np.array([n0, n1])


def least_drive(point: DualPoint, count: int = 48) -> float:
    """The least of det over all pairs of slip directions, where (N+, N-) = adj(...) N0/det; it is one without friction.

    Where it is not positive, normal forces of slip are unbounded or reversed in some directions: Painleve's paradox, the body jams.
    """
    phi = 2.0 * np.pi * np.arange(count) / count
    d = np.stack([np.cos(phi), np.sin(phi)])
    Z = condensed(point).Z[4:]
    plus, minus = (
        -point.plus.mu * Z[:, :2] @ d,
        -point.minus.mu * Z[:, 2:] @ d,
    )  # the columns of E for all directions of each contact
    det = (1.0 - plus[0])[:, None] * (1.0 - minus[1])[None] - np.outer(plus[1], minus[0])
    return float(det.min())


def static_forces(point: DualPoint, rolling: Case | None = None) -> StaticForces:
    """The forces of rolling at both contacts, up to the one along the line of contacts."""
    rolling = case(point, "RR") if rolling is None else rolling
    if rolling.free_force is None:
        raise InputError(f"rolling at both contacts should leave one force undetermined; the rank is {rolling.rank}, not 9.")
    return StaticForces(rolling.forces, rolling.free_force, (point.plus.mu, point.minus.mu))


def double_switching(point: DualPoint) -> DoubleSwitching:
    """The four fields as functions of s = (u1+, u1-, ua, Omega_a), the body kept where it is; angles are those of (u1, ua)."""
    must_roll(point)
    mu = (point.plus.mu, point.minus.mu)
    if min(mu) <= 0.0:
        raise InputError(
            f"mu+ = {mu[0]:g}, mu- = {mu[1]:g}: without friction at a contact nothing jumps there; both must be positive."
        )
    last: list[Any] = [None, None, None]

    def look(s: np.ndarray) -> tuple[DualPoint, Condensed]:
        key = np.asarray(s, float).tobytes()
        if last[0] != key:
            here = point.at(s)
            last[:] = [key, here, condensed(here)]
        return last[1], last[2]

    def both(s: np.ndarray, plus: Any, minus: Any) -> tuple[np.ndarray, np.ndarray]:
        return slipping(*look(s), plus, minus)

    def angles(s: np.ndarray) -> tuple[float, float]:
        return float(np.arctan2(s[2], s[0])), float(np.arctan2(s[2], s[1]))

    def one_of(mode: str, s: np.ndarray, sign: float) -> Case:
        phi = 0.0 if sign > 0.0 else np.pi
        return case(look(s)[0], mode, (phi, None) if mode == "SR" else (None, phi))

    def normal(mode: str, s: np.ndarray) -> np.ndarray:
        if mode == "SS":
            return both(s, *angles(s))[1]
        return one_of(mode, s, s[0] if mode == "SR" else s[1]).forces[:, 0]

    return DoubleSwitching(
        lambda s: both(s, *angles(s))[0],
        lambda s: one_of("SR", s, s[0]).rates,
        lambda s: one_of("RS", s, s[1]).rates,
        lambda s: case(look(s)[0], "RR").rates,
        index=(0, 1, 2),
        directed=lambda s, plus, minus: both(s, plus, minus)[0],
        one_sided=lambda mode, s, sign: one_of(mode, s, sign).rates,
        normal=normal,
        directed_normal=lambda s, plus, minus: both(s, plus, minus)[1],
        static=lambda s: static_forces(look(s)[0]),
        names=NAMES,
        scale=point.size,
    )
