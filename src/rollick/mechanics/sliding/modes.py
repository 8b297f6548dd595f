"""The three modes of one frictional contact, each an ODE of its own in the states of the body: flight, slip, stick.

    Flight      no contact force
    Slip        lasting contact, friction mu lambda_N against the slip (for `Sliding` the index-1 form of `equations`)
    Stick       lasting contact without slip: rolling, with the force that it takes

Each tells the gap, the slip, the normal force and the margin mu lambda_N - |lambda_T| to the edge of the friction cone. For `Sliding` all is in
closed form here; for any other body with one contact see `motion.contact.modes`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.quaternion import quaternion_matrix
from ...kernel.scalar import sqrt
from ...kernel.system import describe, descriptions, project, rate, signals
from ...kernel.vector import add, axpy, cross, dot, matvec, solve, sub, vecmat
from ..contact import positions, tidy
from ..rolling.equations import inertia_at
from .equations import Sliding, contact_state, lasting_contact, parts, write_rates
from .feet import foot


class Flight(NamedTuple):
    """The body in the air."""

    system: Any


class Slip(NamedTuple):
    """The body in lasting contact, slipping."""

    system: Any


class Stick(NamedTuple):
    """The body in lasting contact, without slip."""

    system: Any


@generic
def flight_rate(system, t, y, out):
    """dy/dt without contact."""


@generic
def slip_rate(system, t, y, out):
    """dy/dt in lasting contact with slip."""


@generic
def stick_rate(system, t, y, out):
    """dy/dt in lasting contact without slip."""


@generic
def hold_slipping(system, y):
    """Pull a state onto lasting contact, as far as that does not ask for the time."""


@generic
def hold_sticking(system, y):
    """Pull a state onto lasting contact without slip, as far as that does not ask for the time."""


@generic
def flight_signals(system, t, y, out):
    """Gap, slip, normal force and margin in the air."""


@generic
def slip_signals(system, t, y, out):
    """Gap, slip, normal force and margin while slipping."""


@generic
def stick_signals(system, t, y, out):
    """Gap, slip, normal force and margin while sticking."""


@generic
def gap_rate(system, t, y):
    """The rate of the gap. From Python."""


@generic
def normal_compliance(system, t, y):
    """G_NN = W_N M^-1 W_N^T. From Python."""


@generic
def slip_acceleration(system, t, y, d1, d2):
    """The acceleration of the slip if the body, at rest at its contact, begins to slip in the direction d; and the normal force. From Python."""


@generic
def with_slip(system, t, y, v1, v2):
    """The state with so much more slip. From Python."""


@rate.register(Flight)
def _(mode, t, y, out):
    flight_rate(mode.system, t, y, out)


@rate.register(Slip)
def _(mode, t, y, out):
    slip_rate(mode.system, t, y, out)


@rate.register(Stick)
def _(mode, t, y, out):
    stick_rate(mode.system, t, y, out)


@project.register(Flight)
def _(mode, y):
    tidy(mode.system, y[: positions(mode.system)])
    return True


@project.register(Slip)
def _(mode, y):
    return hold_slipping(mode.system, y)


@project.register(Stick)
def _(mode, y):
    return hold_sticking(mode.system, y)


@signals.register(Flight)
def _(mode, t, y, out):
    flight_signals(mode.system, t, y, out)


@signals.register(Slip)
def _(mode, t, y, out):
    slip_signals(mode.system, t, y, out)


@signals.register(Stick)
def _(mode, t, y, out):
    stick_signals(mode.system, t, y, out)


@compiled
def free_turning(s, omega):
    """Omega' without contact."""
    return solve(s.body.inertia, axpy(-s.sigma, omega, cross(matvec(s.body.inertia, omega), omega)))


@flight_rate.register(Sliding)
def _(s, t, y, out):
    _, q, v, omega = parts(y)
    write_rates(q, v, omega, s.gravity, free_turning(s, omega), out)


@slip_rate.register(Sliding)
def _(s, t, y, out):
    rate(s, t, y, out)


@compiled
def rolling_contact(s, r, v, omega):
    """v', Omega', lambda_N and the friction force (two components) of a contact that lasts without slip."""
    gamma = r[2]
    m = s.body.mass
    rho, drho, _, _, _ = contact_state(s, r, v, omega)
    g = vecmat(s.gravity, r)
    # v = -Omega x rho: v' = rho x Omega' + rho' x Omega + Omega x (rho x Omega), in body axes
    inner = sub(add(cross(drho, omega), cross(omega, cross(rho, omega))), g)
    spin = matvec(s.body.inertia, omega)
    b = axpy(-s.sigma, omega, axpy(m, cross(rho, inner), cross(spin, omega)))
    turning = solve(inertia_at(s.body, rho), b)
    felt = add(cross(rho, turning), inner)  # v' - G in body axes
    space = matvec(r, felt)
    acceleration = (space[0] + s.gravity[0], space[1] + s.gravity[1], space[2] + s.gravity[2])
    return acceleration, turning, m * dot(felt, gamma), (m * space[0], m * space[1])


@stick_rate.register(Sliding)
def _(s, t, y, out):
    _, q, v, omega = parts(y)
    acceleration, turning, _, _ = rolling_contact(s, quaternion_matrix(q), v, omega)
    write_rates(q, v, omega, acceleration, turning, out)


@hold_slipping.register(Sliding)
def _(s, y):
    return project(s, y)


@hold_sticking.register(Sliding)
def _(s, y):
    project(s, y)
    _, q, _, omega = parts(y)
    r = quaternion_matrix(q)
    turn = matvec(r, cross(omega, foot(s.feet, s.body, r[2], 0)))
    y[7] = -turn[0]
    y[8] = -turn[1]
    return True


@compiled
def write_signals(s, place, r, v, omega, normal, friction, out):
    """Gap, slip, normal force, and the margin to the edge of the friction cone."""
    rho, _, v1, v2, _ = contact_state(s, r, v, omega)
    out[0] = place[2] + dot(r[2], rho)
    out[1] = sqrt(v1 * v1 + v2 * v2)
    out[2] = normal
    out[3] = s.law.sliding.mu * normal - friction


@flight_signals.register(Sliding)
def _(s, t, y, out):
    place, q, v, omega = parts(y)
    zero = 0.0 * y[0]
    write_signals(s, place, quaternion_matrix(q), v, omega, zero, zero, out)


@slip_signals.register(Sliding)
def _(s, t, y, out):
    place, q, v, omega = parts(y)
    r = quaternion_matrix(q)
    _, _, normal, force = lasting_contact(s, r, v, omega)
    write_signals(s, place, r, v, omega, normal, sqrt(force[0] * force[0] + force[1] * force[1]), out)


@stick_signals.register(Sliding)
def _(s, t, y, out):
    place, q, v, omega = parts(y)
    r = quaternion_matrix(q)
    _, _, normal, force = rolling_contact(s, r, v, omega)
    write_signals(s, place, r, v, omega, normal, sqrt(force[0] * force[0] + force[1] * force[1]), out)


@compiled
def beginning_slip(s, r, omega, d1, d2):
    """The acceleration of the slip if the body, at rest at its contact, begins to slip in the direction d; and the normal force."""
    rho = foot(s.feet, s.body, r[2], 0)
    turn = matvec(r, cross(omega, rho))
    tiny = 1e-9
    v = (tiny * d1 - turn[0], tiny * d2 - turn[1], -turn[2])
    acceleration, turning, normal, _ = lasting_contact(s, r, v, omega)
    _, drho, _, _, _ = contact_state(s, r, v, omega)
    bend = matvec(r, add(cross(turning, rho), cross(omega, add(cross(omega, rho), drho))))
    return acceleration[0] + bend[0], acceleration[1] + bend[1], normal


@slip_acceleration.register(Sliding)
def _(s, t, y, d1, d2):
    return beginning_slip(s, quaternion_matrix(tuple(y[3:7])), tuple(y[10:13]), d1, d2)


@with_slip.register(Sliding)
def _(s, t, y, v1, v2):
    made = y.copy()
    made[7] += v1
    made[8] += v2
    return made


@gap_rate.register(Sliding)
def _(s, t, y):
    gamma = quaternion_matrix(tuple(y[3:7]))[2]
    rho = foot(s.feet, s.body, gamma, 0)
    return float(y[9] + dot(gamma, cross(tuple(y[10:13]), rho)))


@normal_compliance.register(Sliding)
def _(s, t, y):
    gamma = quaternion_matrix(tuple(y[3:7]))[2]
    w = np.array(cross(foot(s.feet, s.body, gamma, 0), gamma))
    return float(1.0 / s.body.mass + w @ np.linalg.solve(np.array(s.body.inertia), w))


_STATES = {q.name: (q.unit, q.about) for q in descriptions[Sliding].states}
_SIGNALS = {
    "gap": ("m", "distance of the lowest point from the plane"),
    "slip": ("m/s", "slip velocity"),
    "normal": ("N", "normal force"),
    "margin": ("N", "mu lambda_N - |lambda_T|"),
}
for _mode in (Flight, Slip, Stick):
    describe(_mode, _STATES, _SIGNALS)
