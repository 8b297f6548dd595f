"""A plate that falls onto the contact points of its flat face, as a body with contacts: what `collide` follows from impact to impact is followed here by `simulate`.

Small tilt, no friction (see `mechanics.plate`): q = (phi_x, phi_y, h), u = (omega_x, omega_y, v), and for contact i at (x_i, y_i)

    q' = u,    Theta u' = (0, 0, -m g) + sum over i of f_i N_i,    gap_i = f_i . q >= 0,    f_i = (y_i, -x_i, 1)

with the restitution gamma. Where several points touch at once, Newton's law holds for all of them at once: what `collide` calls "simultaneous". Points within 1e-9 of the body's size
touch at once. So the end of complete chatter of three and more points is not told: the last blows may throw the plate back with up to a hundredth of its speed. `collide` decides that.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kernel.names import InputError, called
from ..kernel.system import describe, signals, validate
from ..mechanics import contact
from ..mechanics.facets import hovering, placed_plate
from ..mechanics.laws.friction import Friction, friction
from ..mechanics.laws.sliding import Coulomb
from ..mechanics.plate import Plate, is_possible
from ..mechanics.poses import poses
from ..motion.impacts.record import Collisions

FRICTIONLESS: Friction = friction(Coulomb(0.0))


class FallingPlate(NamedTuple):
    """A plate over a plane: gamma: coefficient of restitution at all points; g: gravity, zero for none."""

    plate: Plate
    gamma: float = 0.2
    g: float = 1.0


describe(
    FallingPlate,
    {
        "phi_x": ("rad", "tilt about x"),
        "phi_y": ("rad", "tilt about y"),
        "h": ("m", "height of the mass centre above its place where the face lies flat"),
        "omega_x": ("rad/s", "rate of phi_x"),
        "omega_y": ("rad/s", "rate of phi_y"),
        "v": ("m/s", "rate of h"),
    },
    {"lowest": ("m", "height of the lowest point"), "energy": ("J", "kinetic and potential energy")},
    parameters={
        "plate": ("", "contact points, radii of gyration and mass"),
        "gamma": ("", "coefficient of restitution"),
        "g": ("m/s^2", "gravity"),
    },
    plot=("h", "lowest", "energy"),
)


@contact.positions.register(FallingPlate)
@contact.velocities.register(FallingPlate)
def _(body):
    return 3


@contact.contact_count.register(FallingPlate)
def _(body):
    return len(body.plate.x)


@contact.position_rate.register(FallingPlate)
def _(body, q, u, out):
    for i in range(3):
        out[i] = u[i]


@contact.mass_matrix.register(FallingPlate)
def _(body, q, out):
    for i in range(3):
        for j in range(3):
            out[i, j] = 0.0
    out[0, 0] = body.plate.mass * body.plate.rho_x * body.plate.rho_x
    out[1, 1] = body.plate.mass * body.plate.rho_y * body.plate.rho_y
    out[2, 2] = body.plate.mass


@contact.smooth_forces.register(FallingPlate)
def _(body, t, q, u, out):
    out[0] = out[1] = 0.0 * u[0]
    out[2] = -body.plate.mass * body.g + 0.0 * u[0]


@contact.gap.register(FallingPlate)
def _(body, t, q, k):
    return body.plate.y[k] * q[0] - body.plate.x[k] * q[1] + q[2]


@contact.contact_rows.register(FallingPlate)
def _(body, t, q, k, out):
    for i in range(3):
        for j in range(3):
            out[i, j] = 0.0
    out[0, 0], out[0, 1], out[0, 2] = body.plate.y[k], -body.plate.x[k], 1.0


@contact.law_of.register(FallingPlate)
def _(body, k):
    return FRICTIONLESS


@contact.restitution.register(FallingPlate)
def _(body, k):
    return body.gamma


@signals.register(FallingPlate)
def _(body, t, y, out):
    plate = body.plate
    lowest = contact.gap(body, t, y[:3], 0)
    for k in range(1, len(plate.x)):
        lowest = min(lowest, contact.gap(body, t, y[:3], k))
    turning = plate.rho_x * plate.rho_x * y[3] * y[3] + plate.rho_y * plate.rho_y * y[4] * y[4]
    out[0], out[1] = lowest, plate.mass * (0.5 * (turning + y[5] * y[5]) + body.g * y[2])


@validate.register(FallingPlate)
def _(body):
    if not isinstance(body.plate, Plate):
        raise InputError(f"the plate of FallingPlate must be a Plate (rollick.mechanics.plate), not {called(body.plate)}.")
    if not is_possible(body.plate):
        raise InputError(
            "a Plate has two or more contact points (x, y), radii of gyration and a mass above zero; make it with `plate(points, rho)`."
        )
    if not 0.0 <= body.gamma <= 1.0:
        raise InputError(f"gamma = {body.gamma!r} of FallingPlate must lie between 0 (no rebound) and 1 (no loss).")
    if not 0.0 <= body.g < np.inf:
        raise InputError(f"g = {body.g!r} of FallingPlate must be zero (no gravity) or above: it pulls towards the plane.")


def refuse_stop(rule: str) -> None:
    """Refuse the rule of `collide` that a motion from event to event does not have."""
    if rule == "stop":
        raise InputError(
            "rule = 'stop' is for collisions alone; as a motion, points that touch at once are struck at once: leave it out."
        )


def begun(start: Any) -> Any:
    """A start of a falling plate: where collisions ended, or whatever `simulate` takes."""
    if not isinstance(start, Collisions):
        return start
    q, p, e_q, e_p = start.end
    return np.concatenate([np.ldexp(q, e_q), np.ldexp(p, e_p)])


@poses.register(FallingPlate)
def _(body, t, y, q):
    return hovering(*placed_plate(body.plate, y))
