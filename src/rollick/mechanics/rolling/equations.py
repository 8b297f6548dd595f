"""A convex body rolling on a plane: marble (no slip) or rubber (no slip and no twist).

States: the attitude as a unit quaternion q0..q3 (body to inertial, z along the plane's upward normal) and the angular velocity Omega in body
axes. With gamma the upward normal seen from the body, rho(gamma) the contact point from the mass centre, G gravity in body axes,

    gamma' = gamma x Omega,    rho' = (d rho / d gamma) gamma',
    (I + m (rho.rho 1 - rho rho^T)) Omega' = -Omega x I Omega + m rho x (rho' x Omega + Omega x (rho x Omega) - G) - sigma Omega + lambda gamma

and, for rubber, gamma.Omega = 0, which the couple lambda about the normal maintains: gamma.Omega' = 0. What the integrator lets slip is
taken out after each step (`project`): q is made a unit quaternion, and the twist is removed from Omega. The mass centre follows from the constraint: v = rho x Omega.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import compiled, inlined
from ...kernel.dispatch import generic
from ...kernel.names import InputError, choose, number
from ...kernel.quaternion import make_unit, quaternion_matrix, quaternion_rate
from ...kernel.scalar import absolute, atan2, sqrt
from ...kernel.system import describe, integrals, project, rate, rate_with_integrals, signals
from ...kernel.vector import add, axpy, cross, dot, matvec, scale, solve, sub, vecmat
from ..body import Body
from ..shapes.convex import support, support_rate
from ..shapes.smoothness import flat_words
from ..surfaces.plane import Plane, gravity_on


class Marble(NamedTuple):
    """A body that rolls without slipping; it may pivot about the contact normal."""

    body: Any
    gravity: tuple
    sigma: float


class Rubber(NamedTuple):
    """A body that rolls without slipping and without twisting about the contact normal."""

    body: Any
    gravity: tuple
    sigma: float


@compiled
def contact(body, gamma, omega):
    """rho and rho': the contact point from the mass centre in body axes, and its rate."""
    n = scale(-1.0, gamma)
    return sub(support(body.shape, n), body.centre), support_rate(body.shape, n, cross(omega, gamma))


@inlined
def moment(body, rho, drho, omega, gravity, sigma):
    """The right-hand side of the equation for Omega', without the couple about the normal."""
    spin = matvec(body.inertia, omega)
    inner = sub(add(cross(drho, omega), cross(omega, cross(rho, omega))), gravity)
    return axpy(-sigma, omega, axpy(body.mass, cross(rho, inner), cross(spin, omega)))


@inlined
def inertia_at(body, rho):
    """The inertia about the contact point."""
    m, i = body.mass, body.inertia
    s = m * dot(rho, rho)
    return (
        (i[0][0] + s - m * rho[0] * rho[0], i[0][1] - m * rho[0] * rho[1], i[0][2] - m * rho[0] * rho[2]),
        (i[1][0] - m * rho[1] * rho[0], i[1][1] + s - m * rho[1] * rho[1], i[1][2] - m * rho[1] * rho[2]),
        (i[2][0] - m * rho[2] * rho[0], i[2][1] - m * rho[2] * rho[1], i[2][2] + s - m * rho[2] * rho[2]),
    )


@generic
def constrained(system, j, b, gamma, omega):
    """Omega' and the couple lambda about the normal, from j Omega' = b + lambda gamma: all in which marble and rubber differ."""


@constrained.register(Marble)
def _(system, j, b, gamma, omega):
    return solve(j, b), 0.0 * b[0]


@constrained.register(Rubber)
def _(system, j, b, gamma, omega):
    free = solve(j, b)
    push = solve(j, gamma)
    couple = -dot(gamma, free) / dot(gamma, push)
    return axpy(couple, push, free), couple


@inlined
def write_rolling(q, omega, acceleration, out):
    """The rates of quaternion and angular velocity."""
    dq = quaternion_rate(q, omega)
    for i in range(4):
        out[i] = dq[i]
    for i in range(3):
        out[4 + i] = acceleration[i]


@inlined
def state_of(y):
    """The quaternion and the angular velocity."""
    return (y[0], y[1], y[2], y[3]), (y[4], y[5], y[6])


@inlined
def dynamics(s, omega, r):
    """rho, rho', Omega' and lambda at an attitude r."""
    rho, drho = contact(s.body, r[2], omega)
    b = moment(s.body, rho, drho, omega, vecmat(s.gravity, r), s.sigma)
    acceleration, couple = constrained(s, inertia_at(s.body, rho), b, r[2], omega)
    return rho, drho, acceleration, couple


@rate.register(Marble)
@rate.register(Rubber)
def _(s, t, y, out):
    q, omega = state_of(y)
    _, _, acceleration, _ = dynamics(s, omega, quaternion_matrix(q))
    write_rolling(q, omega, acceleration, out)


@project.register(Marble)
def _(s, y):
    make_unit(y, 0)
    return True


@project.register(Rubber)
def _(s, y):
    make_unit(y, 0)
    q, omega = state_of(y)
    gamma = quaternion_matrix(q)[2]
    twist = dot(gamma, omega)
    for i in range(3):
        y[4 + i] -= twist * gamma[i]
    return True


@inlined
def write_integrals(s, r, drho, omega, out, first):
    """The track of the contact point, P' = R rho', the power of the damping couple, and the power it takes to climb the plane."""
    track = matvec(r, drho)
    out[first] = track[0]
    out[first + 1] = track[1]
    out[first + 2] = s.sigma * dot(omega, omega)
    out[first + 3] = -s.body.mass * (s.gravity[0] * track[0] + s.gravity[1] * track[1])


@integrals.register(Marble)
@integrals.register(Rubber)
def _(s, t, y, out):
    q, omega = state_of(y)
    r = quaternion_matrix(q)
    _, drho = contact(s.body, r[2], omega)
    write_integrals(s, r, drho, omega, out, 0)


@rate_with_integrals.register(Marble)
@rate_with_integrals.register(Rubber)
def _(s, t, y, out):
    q, omega = state_of(y)
    r = quaternion_matrix(q)
    _, drho, acceleration, _ = dynamics(s, omega, r)
    write_rolling(q, omega, acceleration, out)
    write_integrals(s, r, drho, omega, out, 7)


@signals.register(Marble)
@signals.register(Rubber)
def _(s, t, y, out):
    q, omega = state_of(y)
    r = quaternion_matrix(q)
    rho, drho, acceleration, couple = dynamics(s, omega, r)
    gamma = r[2]
    m = s.body.mass
    g = vecmat(s.gravity, r)
    v = cross(rho, omega)
    # a = -Omega' x rho - Omega x rho' - Omega x (Omega x rho); the plane's force is m (a - G).
    a = add(cross(rho, acceleration), add(cross(drho, omega), cross(omega, cross(rho, omega))))
    force = scale(m, sub(a, g))
    normal = dot(force, gamma)
    along = axpy(-normal, gamma, force)
    friction = sqrt(dot(along, along))
    height = -dot(rho, gamma)
    out[0] = atan2(sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]), gamma[2])  # theta
    out[1] = atan2(r[0][2], -r[1][2])  # phi: e3 = (sin phi sin theta, -cos phi sin theta, cos theta)
    out[2] = atan2(gamma[0], gamma[1])  # psi: gamma = (sin theta sin psi, sin theta cos psi, cos theta)
    out[3] = height
    lever = matvec(r, rho)  # from the mass centre to the contact; the potential is that of the mass centre from the contact
    out[4] = 0.5 * m * dot(v, v) + 0.5 * dot(omega, matvec(s.body.inertia, omega)) + m * dot(s.gravity, lever)
    out[5] = normal
    out[6] = friction
    out[7] = friction / absolute(normal)
    out[8] = couple
    out[9] = absolute(couple) / absolute(normal)
    out[10] = normal / (m * sqrt(dot(s.gravity, s.gravity)))
    out[11] = dot(gamma, omega)
    out[12] = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0
    out[13] = -lever[0]
    out[14] = -lever[1]
    across = sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1])
    out[15] = (omega[0] * gamma[1] - omega[1] * gamma[0]) / across  # theta' = Omega1 cos psi - Omega2 sin psi
    out[16] = gamma[0]
    out[17] = gamma[1]
    out[18] = gamma[2]
    yaw = (omega[0] * gamma[0] + omega[1] * gamma[1]) / (across * across)  # phi' sin^2 = Omega.(gamma - cos e3)
    out[19] = yaw
    out[20] = omega[2] - gamma[2] * yaw  # Omega3 = psi' + phi' cos(theta)
    pull = matvec(r, along)
    out[21] = pull[0]
    out[22] = pull[1]
    track = matvec(r, drho)
    out[23] = sqrt(track[0] * track[0] + track[1] * track[1])


STATES = {
    "q0": ("", "attitude quaternion, scalar part"),
    "q1": "",
    "q2": "",
    "q3": "",
    "omega1": ("rad/s", "angular velocity in body axes"),
    "omega2": "rad/s",
    "omega3": "rad/s",
}
SIGNALS = {
    "theta": ("rad", "nutation: the angle of the body's axis e3 against the normal"),
    "phi": ("rad", "yaw of the nodal line, in (-pi, pi]"),
    "psi": ("rad", "rotation about the body's axis, in (-pi, pi]"),
    "height": ("m", "height of the mass centre above the plane"),
    "energy": ("J", "kinetic energy, and potential energy of the mass centre relative to the contact point"),
    "normal_force": ("N", "force of the plane along its normal"),
    "friction_force": ("N", "magnitude of the force along the plane"),
    "friction_demand": ("", "coefficient of friction that rolling needs"),
    "spin_couple": ("N m", "couple about the normal that prevents twist (rubber)"),
    "spin_demand": ("m", "that couple over the normal force"),
    "lift_off_margin": ("", "normal force over weight; the body would lift off at zero"),
    "twist": ("rad/s", "angular velocity about the normal"),
    "length_error": ("", "|q| - 1"),
    "centre_x": ("m", "mass centre from the contact point, along x"),
    "centre_y": ("m", "mass centre from the contact point, along y"),
    "theta_rate": ("rad/s", "rate of the nutation; undefined where e3 is along the normal"),
    "gamma1": ("", "upward normal in body axes, along e1"),
    "gamma2": ("", "upward normal in body axes, along e2"),
    "gamma3": ("", "upward normal in body axes, along e3"),
    "phi_rate": ("rad/s", "rate of the yaw phi; undefined where e3 is along the normal"),
    "psi_rate": ("rad/s", "rate of the rotation psi about the body's axis; undefined where e3 is along the normal"),
    "friction_x": ("N", "force along the plane, along x"),
    "friction_y": ("N", "force along the plane, along y"),
    "contact_speed": ("m/s", "speed at which the contact point moves over the plane"),
}
INTEGRALS = {
    "x": ("m", "track of the contact point"),
    "y": ("m", "track of the contact point"),
    "dissipated": ("J", "energy taken by the damping couple"),
    "climb": ("J", "potential energy of the contact point on a tilted plane"),
}
PARAMETERS = {
    "sigma": ("N m s", "coefficient of the damping couple -sigma omega"),
    "gravity": ("m/s^2", "gravity in the frame of the plane"),
}

for _kind in (Marble, Rubber):
    describe(_kind, STATES, SIGNALS, INTEGRALS, PARAMETERS, plot=("theta", "height", "friction_demand", "lift_off_margin"))


def rolling(body: Body, on: Plane | None = None, how: str = "marble", sigma: float = 0.0, g: float = 9.81) -> Marble | Rubber:
    """A body that rolls on a plane: how = "marble" (no slip) or "rubber" (no slip and no twist); -sigma omega is a damping couple."""
    if not isinstance(body, Body):
        raise InputError(f"rolling needs a Body, e.g. Body.from_inertia(mass, inertia, shape); got {body!r}.")
    kind: Any = {"marble": Marble, "rubber": Rubber}[choose(how, ("marble", "rubber"), "way of rolling")]
    damping = number(sigma, "sigma", "N m s")
    if damping < 0.0:
        raise InputError(f"sigma = {sigma!r} must not be negative: it would feed energy into the body.")
    check_rolls(body.shape)
    return kind(body, gravity_on(on or Plane(), g), damping)


def check_rolls(shape: Any) -> None:
    """Refuse a shape whose contact point jumps: it has no radius of curvature to roll with, and the equations above do not hold."""
    flat = flat_words(shape)
    if flat:
        raise InputError(
            f"{flat}; roll a smooth shape fitted to it, Body.from_mesh(..., smooth=True) or smooth_fit(shape), or let it slide and rock: "
            f"sliding(body, law=Coulomb(0.3))."
        )
