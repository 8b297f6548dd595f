"""The forces at the contacts of bodies that go from mode to mode (`method="event-driven"`), and of wheelsets with creep, in the plane's frame.

In a mode (open, slip, roll for each contact) the forces are N, T1, T2 along the normal n and two directions t1, t2 of each contact, those that the
solver itself finds by linear equations (`motion.filippov.algebra.forces`). If both contacts roll, the pair along the line between them changes nothing and is not told by any equation:
of x + tau null that with the largest static margin is shown (`motion.filippov.algebra.cones`), which is inside both friction cones if any is. What n, t1 and t2
are follows from the work of each system; where only friction is known, as in the model of chapter 5, N is left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..mechanics.poses import Poses
from ..motion.filippov.algebra.cones import FAR, shared_margin
from ..motion.filippov.algebra.forces import ROLL
from ..motion.filippov.instant import Contacts
from .kinds import kind_of

POOL_BALL, SPRING_DISK = "filippov.pool_ball.PoolBall", "filippov.spring_disk.SpringDisk"
CORNER, FLOWMETER = "filippov.corner.BallInCorner", "flowmeter.system.FlowMeter"
DRY, LOADED, CREEP = "wheelset.dry.DryWheelset", "wheelset.load_transfer.LoadedWheelset", "wheelset.creep.CreepWheelset"
KNOWN = (POOL_BALL, SPRING_DISK, CORNER, FLOWMETER, DRY, LOADED, CREEP)
LEVEL = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # n, t1, t2 on a level plane: z, x, y


class Shown(NamedTuple):
    """forces (contacts, n, 3); what they are and in which unit; the size that is drawn as long as nine tenths of the body."""

    forces: np.ndarray
    what: str
    unit: str
    size: float


def corner_axes(ball: Any) -> np.ndarray:
    """n = (+-cos a, sin a, 0), t1 = z, t2 = n x z of both contacts; in the picture x is along the edge and z along the normal of P+ (`archetypes.filippov.poses`)."""
    half, edge = 0.5 * ball.opening, np.array([0.0, 0.0, 1.0])
    normals = [np.array([side * np.cos(half), np.sin(half), 0.0]) for side in (1.0, -1.0)]
    drawn = np.stack([edge, np.cross(normals[0], edge), normals[0]])
    return np.array([[drawn @ n, drawn @ edge, drawn @ np.cross(n, edge)] for n in normals])


def vessel_axes(poses: Poses) -> np.ndarray:
    """(n, 2, 3, 3): floor n = e2, t1 = e3, t2 = e1; wall n = e1, t1 = e3, t2 = -e2 (4.2)-(4.8), e1 toward the axis of the vessel, e2 up."""
    e1 = -poses.contact * [1.0, 1.0, 0.0]
    e1 /= np.linalg.norm(e1, axis=1, keepdims=True)
    e2 = np.broadcast_to([0.0, 0.0, 1.0], e1.shape)
    e3 = np.cross(e1, e2)
    return np.stack([np.stack([e2, e3, e1], axis=1), np.stack([e1, e3, -e2], axis=1)], axis=1)


def axes_of(system: Any, poses: Poses) -> np.ndarray | None:
    """n, t1, t2 of each contact in the plane's frame: (n, contacts, 3, 3); None for systems whose directions are not known here."""
    kind = kind_of(system, KNOWN)
    if kind in (POOL_BALL, SPRING_DISK):
        found = LEVEL[None]
    elif kind in (DRY, LOADED, CREEP):
        found = np.stack([LEVEL, LEVEL])  # along the rails and across them, the model is linear in the displacements
    elif kind == CORNER:
        found = corner_axes(system)
    elif kind == FLOWMETER:
        return vessel_axes(poses)
    else:
        return None
    return np.broadcast_to(found, (len(poses.contact), *found.shape))


def rows_in_modes(system: Any, t: np.ndarray, y: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """(N, T1, T2) of each contact at the instants t: (n, contacts, 3); zero where one is open."""
    count = modes.shape[1]
    contacts = Contacts(system, y.shape[1])
    rows = np.zeros((len(t), count, 3))
    for k, (time, state) in enumerate(zip(t, y)):
        pair = (int(modes[k, 0]), int(modes[k, 1]) if count == 2 else 0)
        here = contacts.at(float(time), state, pair)
        x, null, missing = contacts.forces(here, pair)
        if missing > 0 and pair == (ROLL, ROLL):
            margin, tau = shared_margin(x, null, here.mu, contacts.shape[1])
            if margin < FAR:
                x = x + tau * null
        rows[k] = x[: 3 * count].reshape(count, 3)
    rows[modes == 0] = 0.0
    return np.nan_to_num(rows)  # where slip is just beginning its direction may not be known yet


def rows_of_creep(system: Any, t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(0, T1, T2) per mass of both contacts of a wheelset with creep, by its law; the spin at a contact is psi' -+ (angle/r) v."""
    from ..archetypes.wheelset.creep import creep_forces
    from ..archetypes.wheelset.irregularity import alignment

    w = system.wheels
    aside = np.array([float(alignment(w.track, w.v * float(time))[0]) for time in t])
    turn = -(w.omega_L / w.eta) * (y[:, 0] - aside) - 0.5 * (y[:, 2] - y[:, 3])  # Psi' = b psi'
    rows = np.zeros((len(y), 2, 3))
    for k, side in enumerate((-1.0, 1.0)):
        spin = turn / w.b + side * system.angle * w.v / w.r
        rows[:, k, 1:] = [creep_forces(system, float(a), float(b), float(c)) for a, b, c in zip(y[:, 2 + k], y[:, 4], spin)]
    return rows


def forces_in_modes(system: Any, t: np.ndarray, y: np.ndarray | None, modes: np.ndarray | None, poses: Poses) -> Shown | None:
    """The forces at the contacts, with what is to be said about them; None where they are not known."""
    axes, kind = axes_of(system, poses), kind_of(system, KNOWN)
    if axes is None or y is None:
        return None
    if kind == CREEP:
        rows = rows_of_creep(system, t, y)
    elif modes is None or modes.shape[1] != axes.shape[1]:
        return None
    else:
        rows = rows_in_modes(system, t, y, modes)
    if kind in (DRY, CREEP):  # the bound mu N/m stands for N, which is not known
        rows[:, :, 0] = 0.0
        bound = system.C if kind == DRY else system.wheels.C
        told = ("friction per mass", "m/s²", float(bound))
    elif kind == LOADED:
        told = ("contact force per mass", "m/s²", float(system.wheels.C / system.mu))
    else:
        told = ("contact force", "N", float(system.m * system.g))
    return Shown(np.einsum("nki,nkij->knj", rows, axes), *told)
