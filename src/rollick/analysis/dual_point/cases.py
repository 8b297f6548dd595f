"""The linear systems of the four cases: slip or rolling at each contact (first letter P+, second P-), section 3.3, Tables 3.4 and 3.5.

Ten unknowns: the rates of s = (u1+, u1-, ua, Omega_a) and N, T1, T2 at both contacts. Six equations of motion (3.19),

    m (K s' + bias)_v - F+ - F- = F_e,       J (K s' + bias)_Omega - r+ x F+ - r- x F- = M_e - Omega x J Omega,

two friction laws T = -mu N u/|u| at a contact that slips, and rates that stay zero where a contact rolls. They are ten, but nine where both roll: the
force along the line of contacts is then not determined, the accelerations are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...kernel.names import InputError, choose
from .point import DualPoint

MODES = ("SS", "SR", "RS", "RR")
FREE = {"SS": 4, "SR": 2, "RS": 2, "RR": 1}
RANK = 1e-11  # a singular value below this part of the largest is zero


class Counts(NamedTuple):
    """Tables 3.4 and 3.5: unknowns, equations of motion, kinematic constraints, friction laws; and free quasi-velocities."""

    unknowns: int
    dynamic: int
    kinematic: int
    friction: int
    free: int

    @property
    def equations(self) -> int:
        """All of them."""
        return self.dynamic + self.kinematic + self.friction


@dataclass(frozen=True)
class Case:
    """One case at a point: the rates of s, (v_C', Omega'), the forces N, T1, T2 (rows P+, P-), the rank and what is left undetermined.

    free_force: the forces per unit of what is undetermined (rolling-rolling: a along the line of contacts at P+, -a at P-; the forces given are
    the smallest), otherwise None. condition: of the system in units of mass and length of the body. slack: mu N - |T| by contact.
    """

    mode: str
    rates: np.ndarray
    twist_rate: np.ndarray
    forces: np.ndarray
    counts: Counts
    rank: int
    condition: float
    residual: float
    free_force: np.ndarray | None
    slack: np.ndarray

    @property
    def pulls(self) -> tuple[bool, bool]:
        """Whether a contact would have to pull."""
        low = -1e-12 * float(np.abs(self.forces).max())
        return bool(self.forces[0, 0] < low), bool(self.forces[1, 0] < low)


def mode_of(point: DualPoint, still: float | None = None) -> str:
    """Which contacts slip: SS, SR, RS or RR; `still` (m/s): a slip that counts as none."""
    small = 1e-10 * point.size if still is None else still
    return "".join("S" if np.hypot(*u) > small else "R" for u in point.slips)


def slip_directions(point: DualPoint, mode: str) -> list[np.ndarray | None]:
    """The unit slip (u1, u2) where a contact slips, refused where it has none; None where it rolls."""
    found: list[np.ndarray | None] = []
    for letter, u, name in zip(mode, point.slips, ("P+", "P-")):
        speed = float(np.hypot(*u))
        if letter == "S" and speed == 0.0:
            raise InputError(
                f"{name} does not slip: case {mode} needs the direction, directions=(phi+, phi-) with None at a contact that rolls."
            )
        found.append(u / speed if letter == "S" else None)
    return found


def along(point: DualPoint, phi_plus: float | None, phi_minus: float | None) -> list[np.ndarray | None]:
    """Unit slips (u1, u2) from angles of (u1, ua): u2 = ua/c, so that phi is the angle on the surface only where c = <t2, a> is one."""
    found: list[np.ndarray | None] = []
    for phi, c in zip((phi_plus, phi_minus), point.frames.c):
        d = None if phi is None else np.array([np.cos(phi), np.sin(phi) / c])
        found.append(None if d is None else d / np.hypot(*d))
    return found


def case(point: DualPoint, mode: str, directions: tuple[float | None, float | None] | None = None) -> Case:
    """The case `mode` at a point. directions: the angles (phi+, phi-) of (u1, ua), for limits; by default those of the slips themselves."""
    mode = choose(mode, MODES, "mode")
    ways = slip_directions(point, mode) if directions is None else along(point, *directions)
    for letter, way, name in zip(mode, ways, ("phi+", "phi-")):
        if (letter == "S") != (way is not None):
            raise InputError(f"case {mode} takes {name} = {'an angle' if letter == 'S' else 'None'}.")
    if mode == "RR":
        must_roll(point)
    A, b = _system(point, mode, ways)
    _, sizes, V = np.linalg.svd(A)
    rank = int((sizes > RANK * sizes[0]).sum())
    if rank < len(A):
        raise InputError(
            f"case {mode} is singular: its {len(A)} equations have the rank {rank}; the normal forces of slip are not determined (Painleve's paradox)."
        )
    z = np.linalg.solve(np.vstack([A, V[len(A) :]]), np.append(b, np.zeros(10 - len(A))))  # rolling-rolling: the smallest forces
    residual = float(np.abs(A @ z - b).max() / max(float(np.abs(b).max()), 1e-300))
    mass, length = point.mass, point.length
    rates = z[:4] * np.array([1.0, 1.0, 1.0, 1.0 / length])
    forces = (mass * z[4:]).reshape(2, 3)
    friction, kinematic = 2 * mode.count("S"), len(A) - 6 - 2 * mode.count("S")
    mu = np.array([c.mu for c in point.contacts])
    return Case(
        mode,
        rates,
        point.K @ rates + point.bias,
        forces,
        Counts(10, 6, kinematic, friction, FREE[mode]),
        rank,
        float(sizes[0] / sizes[-1]),
        residual,
        _free(V[-1], point) if rank == 9 else None,
        mu * forces[:, 0] - np.hypot(forces[:, 1], forces[:, 2]),
    )


def directed(point: DualPoint, phi_plus: float, phi_minus: float) -> Case:
    """Slipping at both contacts in given directions: angles of (u1, ua)."""
    return case(point, "SS", (phi_plus, phi_minus))


def must_roll(point: DualPoint) -> None:
    """Refuse rolling at both contacts where the surfaces move against each other along the line of contacts."""
    small = 1e-9 * point.size
    if abs(point.parting) > small or abs(point.parting_rate) > 1e-9 * (point.size**2 / point.length):
        raise InputError(
            f"the surfaces move against each other along the line of contacts (at {point.parting:.3g} m/s, {point.parting_rate:.3g} m/s^2): both contacts cannot roll."
        )


def _system(point: DualPoint, mode: str, ways: list[np.ndarray | None]) -> tuple[np.ndarray, np.ndarray]:
    """The equations, in units of the body's mass and of the distance of its contacts."""
    mass, length = point.mass, point.length
    weight = np.zeros((6, 6))
    weight[:3, :3], weight[3:, 3:] = np.eye(3), point.inertia / (mass * length)
    scale = np.array([1.0, 1.0, 1.0, 1.0 / length, 1.0 / length, 1.0 / length])
    rows = [np.hstack([weight @ point.K * [1.0, 1.0, 1.0, 1.0 / length], -point.lift * scale[:, None]])]
    right = list(point.loads * scale / mass - weight @ point.bias)
    held = {0: 0.0, 2: 0.0} if mode[0] == "R" else {}
    if mode[1] == "R":
        held = {**held, 1: 0.0, 2: held.get(2, point.parting_rate)}
    for i in sorted(held):
        rows.append(np.eye(10)[i : i + 1])
        right.append(held[i])
    for k, (contact, way) in enumerate(zip(point.contacts, ways)):
        if way is not None:
            law = np.zeros((2, 10))
            law[:, 4 + 3 * k] = contact.mu * way
            law[0, 5 + 3 * k] = law[1, 6 + 3 * k] = 1.0
            rows.append(law)
            right += [0.0, 0.0]
    return np.vstack(rows), np.array(right)


def _free(null: np.ndarray, point: DualPoint) -> np.ndarray:
    """The undetermined forces, so that the one at P+ is a unit along a."""
    forces = null[4:].reshape(2, 3)
    c, n = point.frames.c[0], point.plus.n
    return forces / (forces[0] @ np.array([n @ point.frames.a, 0.0, c]))
