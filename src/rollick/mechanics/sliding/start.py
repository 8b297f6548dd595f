"""How a body with friction is made and how it starts: attitude as for rolling bodies, position and slip on top."""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.hooks import guard, settle, start_state
from ...kernel.names import InputError, number
from ...kernel.quaternion import quaternion_matrix
from ...kernel.system import validate
from ...kernel.vector import cross, dot, matvec
from ..body import Body, check_body
from ..contact import LIFTS_OFF, check_contacts
from ..pressing import not_pressing
from ..rolling.start import make_attitude_unit, refuse_flat, rolling_start
from ..surfaces.plane import Plane, gravity_on
from .among import among, check_contact_point, check_one_point, choose_feet, coefficient, entries
from .assumed import tell_assumed
from .equations import Sliding, lasting_contact, parts
from .feet import Lowest, feet_count, foot
from .touching import Touching

PLACE = {"x": "m", "y": "m", "z": "m", "gap": "m"}
SPEED = {"vx": "m/s", "vy": "m/s", "vz": "m/s", "slip_x": "m/s", "slip_y": "m/s"}


@overload
def sliding(
    body: Body,
    on: Plane | None = None,
    law: Any = None,
    feet: Any = None,
    e_N: Any = None,
    sigma: Any = 0.0,
    g: Any = 9.81,
    restitution: Any = None,
) -> Sliding: ...


@overload
def sliding(
    body: Body,
    on: Any,
    law: Any = None,
    feet: Any = None,
    e_N: Any = None,
    sigma: Any = 0.0,
    g: Any = 9.81,
    restitution: Any = None,
) -> Sliding | Touching: ...


def sliding(
    body: Body,
    on: Any = None,
    law: Any = None,
    feet: Any = None,
    e_N: Any = None,
    sigma: Any = 0.0,
    g: Any = 9.81,
    restitution: Any = None,
) -> Sliding | Touching:
    """A body with friction on a plane, or among surfaces: a law of `rollick.mechanics.laws` (or a combination), Newton's restitution.

    on: a surface (default: the level plane), or a list of them, each alone or as (surface, law, restitution) where they differ. A `Plane` at rest
    alone makes a `Sliding`, told in the plane's frame; everything else a `Touching`, told in the upright frame.
    feet: where the body can touch (default: the point nearest to a surface; for a thin rim on planes the three points that let it fall
    flat; for a polyhedron of up to 32 corners these). e_N: short for restitution. sigma: a damping couple -sigma Omega.
    """
    if not isinstance(body, Body):
        raise InputError(f"sliding needs a Body, e.g. Body.from_inertia(mass, inertia, shape); got {body!r}.")
    if e_N is not None and restitution is not None:
        raise InputError(f"e_N = {e_N!r} and restitution = {restitution!r} say the same; keep restitution.")
    bounce = coefficient(e_N, "e_N") if e_N is not None else coefficient(0.0 if restitution is None else restitution)
    damping, strength = number(sigma, "sigma", "N m s"), number(g, "g", "m/s^2")
    if damping < 0.0:
        raise InputError(f"sigma = {sigma!r} must not be negative: it would feed energy into the body.")
    if strength < 0.0:
        raise InputError(f"g = {g!r} must not be negative; turn the body over instead.")
    listed = entries(on, law, bounce)
    plane, whole, bounce = listed[0]
    if len(listed) > 1 or not isinstance(plane, Plane):
        return among(body, listed, feet, damping, strength)
    chosen = choose_feet(body, [plane], feet)
    check_contact_point(body, chosen, [whole])
    return Sliding(body, gravity_on(plane, strength), whole, chosen, bounce, damping)


@validate.register(Sliding)
def _(system):
    check_body(system.body)
    check_one_point(system.body, system.feet)
    check_contacts(system)
    if not (math.isfinite(system.sigma) and system.sigma >= 0.0):
        raise InputError(f"sigma = {system.sigma!r} must not be negative: it would feed energy into the body.")


def refuse_flat_on_one_point(system: Sliding, attitude: np.ndarray) -> None:
    """Refuse an attitude in which a disk or a torus that touches at its lowest point has a circle of them."""
    if isinstance(system.feet, Lowest):
        refuse_flat(system, attitude)


def lowest_gap(system: Sliding, z: float, q: Any) -> float:
    """The smallest gap of all contacts."""
    gamma = quaternion_matrix(q)[2]
    return min(z + float(dot(gamma, foot(system.feet, system.body, gamma, k))) for k in range(int(feet_count(system.feet))))


@start_state.register(Sliding)
def _(system, given):
    place = {n: number(given[n], n, u) for n, u in PLACE.items() if n in given}
    speed = {n: number(given[n], n, u) for n, u in SPEED.items() if n in given}
    for one, other in (("z", "gap"), ("vx", "slip_x"), ("vy", "slip_y")):
        if one in given and other in given:
            raise InputError(f"the start gives both {one} and {other}, which say the same; keep one.")
    turned = {n: v for n, v in given.items() if n not in PLACE and n not in SPEED}
    attitude = rolling_start(system, turned, "body that slides", (*PLACE, *SPEED))
    refuse_flat_on_one_point(system, attitude[:4])
    q, omega = tuple(float(v) for v in attitude[:4]), tuple(float(v) for v in attitude[4:])
    z = place.get("z", place.get("gap", 0.0) - lowest_gap(system, 0.0, q))
    r = quaternion_matrix(q)
    rho = foot(system.feet, system.body, r[2], 0)
    turn = matvec(r, cross(omega, rho))  # the velocity of the contact point relative to the mass centre
    closed = abs(lowest_gap(system, z, q)) < 1e-9
    by_slip = (
        closed or "slip_x" in speed or "slip_y" in speed
    )  # in the air nothing else than a slip that is given asks for a velocity
    vx = speed.get("vx", speed.get("slip_x", 0.0) - float(turn[0]) if by_slip else 0.0)
    vy = speed.get("vy", speed.get("slip_y", 0.0) - float(turn[1]) if by_slip else 0.0)
    vz = speed.get("vz", -float(turn[2]) if closed else 0.0)
    tell_assumed(speed, {n: v for n, v in (("vx", vx), ("vy", vy)) if n not in speed and f"slip_{n[1]}" not in speed})
    return np.array([place.get("x", 0.0), place.get("y", 0.0), z, *q, vx, vy, vz, *omega])


@settle.register(Sliding)
def _(system, y):
    y = np.array(y, float)
    said = make_attitude_unit(y, 3)
    refuse_flat_on_one_point(system, y[3:7])
    below = lowest_gap(system, float(y[2]), tuple(float(v) for v in y[3:7]))
    if below < -1e-12:
        y[2] -= below
        if below < -1e-9:
            said.append(f"the body was lifted by {-below:.6g} m out of the plane")
    if not math.isfinite(y.sum()):
        raise InputError("the start is not finite.")
    return y, "the start was adjusted: " + "; ".join(said) + "." if said else ""


@compiled
def normal_forces(system, y, out):
    """The normal force of lasting contact at many states."""
    for i in range(y.shape[0]):
        _, q, v, omega = parts(y[i])
        out[i] = lasting_contact(system, quaternion_matrix(q), v, omega)[2]


@guard.register(Sliding)
def _(system):
    def forces(at: np.ndarray, states: np.ndarray) -> np.ndarray:
        out = np.empty(len(states))
        normal_forces(system, np.ascontiguousarray(states), out)
        return out

    def leaves(t: np.ndarray, y: np.ndarray) -> tuple[int, str] | None:
        pulled = np.flatnonzero(not_pressing(system, t, y, forces))
        if not pulled.size:
            return None
        return max(0, int(pulled[0]) - 1), LIFTS_OFF

    return leaves
