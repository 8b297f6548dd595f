"""How a body among surfaces starts: attitude as for rolling bodies, x, y and z or the gap, velocity or no slip; what is said of its motions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.hooks import highlights, kept, settle, start_state
from ...kernel.names import InputError, called, number
from ..contact import contact_count
from ..poses import Poses, matrices, poses, unit_quaternions
from ..rolling.start import make_attitude_unit, rolling_start
from .assumed import tell_assumed, tell_taken_away
from .meeting import relative_velocity
from .poses import drawn, pieces
from .summary import contact_energy, friction_highlights
from .touching import Touching, met_at, nearest_contact

PLACE = {"x": "m", "y": "m", "z": "m", "gap": "m"}
SPEED = {"vx": "m/s", "vy": "m/s", "vz": "m/s"}
STEEP = 0.05  # the vertical part of a normal below which a surface does not carry
CLOSED = 1e-9  # m


def meeting(system: Touching, q: np.ndarray) -> Any:
    """The nearest contact at t = 0: attitude and `Meeting`."""
    try:
        return met_at(system, 0.0, q, nearest_contact(system, 0.0, q))
    except ZeroDivisionError:
        raise lies_flat(system) from None


def lies_flat(system: Touching) -> InputError:
    """Why a body that faces a surface with a whole circle has no contact point there."""
    return InputError(
        f"the body cannot start like this: this {called(system.body.shape)} faces a surface squarely, with a circle of nearest points; tilt it, e.g. theta = 5deg, so that "
        f"one point is nearest."
    )


def lowered(system: Touching, q: np.ndarray, wanted: float) -> np.ndarray:
    """The positions with the mass centre moved along the vertical so that the smallest gap of the surfaces below is the one that is wanted."""
    q = q.copy()
    for _ in range(200):
        best = None
        for k in range(int(contact_count(system))):
            try:
                _, met = met_at(system, 0.0, q, k)
            except ZeroDivisionError:
                raise lies_flat(system) from None
            if met.normal[2] > STEEP and (best is None or met.gap < best[0]):
                best = (float(met.gap), float(met.normal[2]))
        if best is None:
            break
        step = (wanted - best[0]) / best[1]
        q[2] += step
        if abs(step) < 1e-14 * (1.0 + abs(q[2])):
            return q
    raise InputError("the height of the start does not follow from its gap here: no surface carries the body from below; give z.")


@start_state.register(Touching)
def _(system, given):
    place = {n: number(given[n], n, u) for n, u in PLACE.items() if n in given}
    speed = {n: number(given[n], n, u) for n, u in SPEED.items() if n in given}
    if "z" in place and "gap" in place:
        raise InputError("the start gives both z and gap, which say the same; keep one.")
    turned = {n: v for n, v in given.items() if n not in PLACE and n not in SPEED}
    attitude = rolling_start(system, turned, "body that slides", (*PLACE, *SPEED))
    q = np.array([place.get("x", 0.0), place.get("y", 0.0), place.get("z", 0.0), *attitude[:4]])
    if "z" not in place:
        q = lowered(system, q, place.get("gap", 0.0))
    omega = attitude[4:]
    r, met = meeting(system, q)
    closed = abs(met.gap) < CLOSED
    v = -np.array(relative_velocity(met, r, (0.0, 0.0, 0.0), tuple(omega))) if closed else np.zeros(3)  # no slip
    for i, name in enumerate(SPEED):
        v[i] = speed.get(name, v[i])
    tell_assumed(speed, {n: float(v[i]) for i, n in enumerate(("vx", "vy")) if n not in speed})
    if closed and speed and "vz" not in speed:  # the contact stays closed: vz follows, and what was given stays as it is
        n = np.array(met.normal)
        toward = float(np.dot(n, relative_velocity(met, r, tuple(v), tuple(omega))))
        v -= toward * n if abs(n[2]) <= STEEP else np.array([0.0, 0.0, toward / n[2]])
        tell_taken_away(speed, {"vx": float(v[0]), "vy": float(v[1])})
    return np.array([*q, *v, *omega])


@settle.register(Touching)
def _(system, y):
    y = np.array(y, float)
    if not np.isfinite(y.sum()):
        raise InputError("the start is not finite.")
    said = make_attitude_unit(y, 3)
    before = y[:3].copy()
    for _ in range(100):
        _, met = meeting(system, y[:7])
        if met.gap >= -1e-12:
            break
        y[:3] -= float(met.gap) * np.array(met.normal)
    else:
        raise InputError(
            f"the body does not fit where it starts: a gap of {met.gap:.6g} m remains; move it away from the surfaces."
        )
    moved = float(np.linalg.norm(y[:3] - before))
    if moved > 1e-9:
        said.append(f"the body was moved by {moved:.6g} m out of a surface")
    return y, "the start was adjusted: " + "; ".join(said) + "." if said else ""


@kept.register(Touching)
def _(system):
    return contact_energy(system)


@highlights.register(Touching)
def _(system, motion):
    return friction_highlights(motion, system.body.mass * float(np.linalg.norm(system.gravity)))


@poses.register(Touching)
def _(system, t, y, q):
    attitude = unit_quaternions(y[:, 3:7])
    r = matrices(attitude)
    met = [met_at(system, float(at), row, nearest_contact(system, float(at), row))[1] for at, row in zip(t, y)]
    rho = np.array([m.rho for m in met], float)
    contact = y[:, :3] + np.einsum("nij,nj->ni", r, rho)
    footprint = rho + np.array(system.body.centre)
    touch = pieces(np.array([m.gap for m in met], float), footprint)
    return Poses(
        system.body, drawn(system.body, system.feet), attitude, np.array(y[:, :3]), contact, footprint, (0.0, 0.0, 1.0), touch
    )


__all__ = ["lowered", "meeting"]
