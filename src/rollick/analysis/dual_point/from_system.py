"""A `DualPoint` from a body made by `sliding`: any shape, any surfaces, at a state in which two contacts are closed.

The geometry is asked of the shape and of the surface: where they meet, the body's radii of curvature (how the contact point moves when the normal turns),
the surface's curvature (how its normal changes, by complex step), its velocity, spin and acceleration. Nothing is taken from the equations of motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.derivative import EPS
from ...kernel.names import InputError, called
from ...kernel.quaternion import quaternion_matrix
from ...mechanics.contact import contact_count
from ...mechanics.laws.each import laws_in
from ...mechanics.laws.friction import NoContour, NoPivoting
from ...mechanics.laws.sliding import Coulomb
from ...mechanics.sliding import Sliding, Touching, Tripod
from ...mechanics.sliding.feet import feet_count, foot, foot_rate
from ...mechanics.sliding.meeting import surfaces_in
from ...mechanics.sliding.touching import met_at
from ...mechanics.surfaces.distance import material_velocity, moves, normal
from ...mechanics.surfaces.plane import Plane
from ...motion.start import as_floats, state_vector
from .contact import Contact
from .point import DualPoint, moving

CLOSED = 1e-9  # m
MET = 1e-6  # by how much the normals of body and surface may differ where they meet


def dual_point(
    system: Any, state: Any, t: float = 0.0, contacts: Sequence[int] | None = None, closed: float = CLOSED
) -> DualPoint:
    """The body at a state (as a start of `simulate`, or all states in order), with two closed contacts.

    contacts: the numbers of P+ and P-, needed where more than two are closed; by default the first and the second closed one. closed: a gap (m) that counts
    as none.
    """
    if not isinstance(system, (Sliding, Touching)):
        raise InputError(f"dual_point takes a body made by sliding(body, on=[...], law=Coulomb(...)), not {called(system)}.")
    system = as_floats(system)
    y = state_vector(system, state)
    if y.shape != (13,) or not np.all(np.isfinite(y)):
        raise InputError(f"the state of {called(system)} is 13 finite numbers, not {y.tolist()}.")
    count = int(contact_count(system))
    places = [_place(system, t, y, k) for k in range(count)]
    chosen = _chosen([gap for _, _, gap in places], contacts, closed)
    R = np.array(quaternion_matrix(tuple(y[3:7])))
    plus, minus = (_contact(system, t, y, R, k, *places[k][:2]) for k in chosen)
    mass, gravity, sigma = system.body.mass, np.array(system.gravity), system.sigma
    inertia = R @ np.array(system.body.inertia) @ R.T
    if sigma > 0.0:
        wrench = lambda v, omega: (mass * gravity, -sigma * omega)
        point = DualPoint(plus, minus, mass, 0.5 * (inertia + inertia.T), wrench=wrench)
    else:
        point = DualPoint(plus, minus, mass, 0.5 * (inertia + inertia.T), mass * gravity)
    return moving(point, y[7:10], R @ y[10:13])


def _chosen(gaps: list[float], contacts: Sequence[int] | None, closed: float) -> tuple[int, int]:
    """The two contacts to look at."""
    shut = [k for k, gap in enumerate(gaps) if abs(gap) <= closed]
    said = ", ".join(f"{k}: {gap:.3g} m" for k, gap in enumerate(gaps))
    if contacts is None:
        if len(shut) != 2:
            more = "; choose two of them, contacts=(k_plus, k_minus)" if len(shut) > 2 else ""
            raise InputError(f"two contacts must be closed, here {len(shut)} are (gaps {said}){more}.")
        return shut[0], shut[1]
    pair = tuple(contacts)
    if len(pair) != 2 or pair[0] == pair[1] or any(k not in range(len(gaps)) for k in pair):
        raise InputError(f"contacts = {contacts!r} must be two different numbers from 0 to {len(gaps) - 1}.")
    for k in pair:
        if k not in shut:
            raise InputError(f"contact {k} is not closed: the gaps are {said}; a gap up to {closed:g} m counts as none.")
    return int(pair[0]), int(pair[1])


def _place(system: Any, t: float, y: np.ndarray, k: int) -> tuple[np.ndarray, Any, float]:
    """The contact point from the mass centre in body axes, `Meeting` (None on a plane alone), and the gap."""
    if isinstance(system, Touching):
        _, met = met_at(system, float(t), y[:7], k)
        return np.array(met.rho, float), met, float(met.gap)
    gamma = quaternion_matrix(tuple(y[3:7]))[2]
    rho = np.array(foot(system.feet, system.body, gamma, k), float)
    return rho, None, float(y[2] + np.dot(gamma, rho))


def _contact(system: Any, t: float, y: np.ndarray, R: np.ndarray, k: int, rho: np.ndarray, met: Any) -> Contact:
    """Contact k."""
    m = int(feet_count(system.feet))
    i, j = k % m, k // m
    n = np.array([0.0, 0.0, 1.0]) if met is None else np.array(met.normal, float)
    n = n / np.linalg.norm(n)
    surface = surfaces_in(system.on)[j] if isinstance(system, Touching) else Plane()
    p = tuple(y[:3] + R @ rho)
    if met is not None and np.abs(np.array(normal(surface, float(t), p)) - n).max() > MET:
        raise InputError(f"where the body meets {called(surface)} (contact {k}) was not found: the normals of both differ there.")
    return Contact(
        R @ rho,
        n,
        _mu(system, j if isinstance(system, Touching) else k, surface),
        _radii(system, R, n, i),
        _curvature(surface, t, p, n) if met is not None else 0.0,
        (0.0, 0.0, 0.0) if met is None else met.velocity,
        (0.0, 0.0, 0.0) if met is None else met.spin,
        _acceleration(surface, t, p, met),
    )


def _mu(system: Any, which: int, surface: Any) -> float:
    """Coulomb's mu; other laws are refused."""
    laws = laws_in(system.law)
    law = laws[min(which, len(laws) - 1)]
    for part, plain in ((law.sliding, Coulomb), (law.pivoting, NoPivoting), (law.contour, NoContour)):
        if not isinstance(part, plain) and getattr(part, "mu", 1.0) != 0.0:
            raise InputError(
                f"the contact with {called(surface)} has {called(part)} friction; the theory of two contacts is for Coulomb(mu) alone, without pivoting and "
                "contour friction."
            )
    return float(getattr(law.sliding, "mu", 0.0))


def _across(n: np.ndarray) -> np.ndarray:
    return np.eye(3) - np.outer(n, n)


def _symmetric(made: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The part of a tensor that is symmetric and across n."""
    P = _across(n)
    return P @ (0.5 * (made + made.T)) @ P


def _radii(system: Any, R: np.ndarray, n: np.ndarray, i: int) -> np.ndarray:
    """How foot i moves on the body when the outward normal turns, in space axes."""
    n_b = R.T @ n
    if isinstance(system.feet, Tripod) and i > 0 and np.hypot(n_b[0], n_b[1]) > 1e-8:
        raise InputError("the second and third point of Tripod() touch only where the rim lies flat; take feet=Lowest().")
    columns = [foot_rate(system.feet, system.body, tuple(n_b), i, tuple(e)) for e in _across(n_b)]
    made = np.array(columns, float).T
    if not np.all(np.isfinite(made)):
        raise InputError(
            f"the body has no radius of curvature where it touches (normal {n_b.tolist()} in its axes): it touches along a line."
        )
    return _symmetric(R @ made @ R.T, n)


def _curvature(surface: Any, t: float, p: tuple, n: np.ndarray) -> np.ndarray:
    """How the normal of a surface changes along it."""
    columns = []
    for e in np.eye(3):
        at = normal(surface, float(t), tuple(complex(x, EPS * d) for x, d in zip(p, e)))
        columns.append([complex(x).imag / EPS for x in at])
    return _symmetric(np.array(columns).T, n)


def _acceleration(surface: Any, t: float, p: tuple, met: Any) -> np.ndarray:
    """That of the surface's material at the contact point."""
    if met is None or not moves(surface):
        return np.zeros(3)
    here = tuple(complex(x, EPS * float(w)) for x, w in zip(p, met.velocity))
    return np.array([complex(x).imag / EPS for x in material_velocity(surface, complex(t, EPS), here)])
