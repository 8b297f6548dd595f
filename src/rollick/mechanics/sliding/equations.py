"""A body that may slip, stick, spin on its contact, lift off and fall: data, and the equations of lasting contact as an ODE.

Positions: mass centre x, y, z (z along the plane's upward normal) and the attitude quaternion; velocities: that of the mass centre in space
axes, and Omega in body axes. Lasting contact at the lowest point, rho(gamma) from the mass centre, makes an index-1 problem: the normal force
lambda_N follows from gap'' = 0,

    m v' = m G + lambda_N (n + a) + b,      I Omega' = -Omega x I Omega + rho x F + (lambda_N a_c + b_c) gamma + contour - sigma Omega,
    0 = n.v' + (rho x gamma).Omega' + gamma.(Omega x (Omega x rho) + Omega x rho'),

where the friction law gives the force along the plane and the couple as lambda_N (a, a_c) + (b, b_c): one linear equation for lambda_N. gap and gap'
are kept at zero by projection after each step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import compiled, inlined
from ...kernel.quaternion import make_unit, quaternion_matrix, quaternion_rate
from ...kernel.scalar import absolute, atan2, real, sqrt
from ...kernel.system import describe, integrals, project, rate, signals
from ...kernel.vector import add, axpy, cross, dot, matvec, scale, solve
from ..laws.friction import contour_ratio, pivot_couple, row_count
from ..laws.sliding import traction
from .feet import feet_count, foot, foot_rate


class Sliding(NamedTuple):
    """A body on a plane with friction: unilateral contacts at its feet, Newton's restitution e_N, a damping couple -sigma Omega."""

    body: Any
    gravity: tuple
    law: Any
    feet: Any
    e_N: float
    sigma: float


@inlined
def parts(y):
    """Position, quaternion, velocity, angular velocity."""
    return (y[0], y[1], y[2]), (y[3], y[4], y[5], y[6]), (y[7], y[8], y[9]), (y[10], y[11], y[12])


@compiled
def lowest_foot(s, gamma):
    """Which of the feet is the lowest."""
    best, least = 0, real(dot(gamma, foot(s.feet, s.body, gamma, 0)))
    for k in range(1, feet_count(s.feet)):
        height = real(dot(gamma, foot(s.feet, s.body, gamma, k)))
        if height < least - 1e-12 * absolute(least):  # of feet at the same height the first, whatever rounding says
            best, least = k, height
    return best


@compiled
def contact_state(s, r, v, omega, k=0):
    """rho, rho', the slip velocity (two components in space axes) and the twist gamma.Omega at foot k."""
    gamma = r[2]
    rho = foot(s.feet, s.body, gamma, k)
    drho = foot_rate(s.feet, s.body, gamma, k, cross(omega, gamma))
    turn = cross(omega, rho)
    return rho, drho, v[0] + dot(r[0], turn), v[1] + dot(r[1], turn), dot(gamma, omega)


@compiled
def lasting_contact(s, r, v, omega):
    """v', Omega', lambda_N and the friction (force along the plane, couple) of a contact that lasts."""
    gamma = r[2]
    m = s.body.mass
    rho, drho, v1, v2, twist = contact_state(s, r, v, omega)
    a, b = traction(s.law.sliding, v1, v2, twist)
    a_c = a[2] + pivot_couple(s.law.pivoting, twist)
    push = axpy(a[1], r[1], axpy(a[0], r[0], gamma))  # n + a in body axes
    held = axpy(b[1], r[1], scale(b[0], r[0]))
    spin = matvec(s.body.inertia, omega)
    t0 = axpy(-s.sigma, omega, axpy(b[2], gamma, add(cross(spin, omega), cross(rho, held))))
    t1 = axpy(a_c, gamma, cross(rho, push))
    if row_count(s.law) == 6:
        k1, k2 = contour_ratio(s.law.contour, dot(r[0], drho), dot(r[1], drho))
        along = axpy(k2, r[1], scale(k1, r[0]))
        t1 = add(t1, cross(gamma, foot_rate(s.feet, s.body, gamma, 0, along)))
    free, lever = solve(s.body.inertia, t0), solve(s.body.inertia, t1)
    w = cross(rho, gamma)
    bend = dot(gamma, cross(omega, add(cross(omega, rho), drho)))
    normal = -(s.gravity[2] + bend + dot(w, free)) / (1.0 / m + dot(w, lever))
    acceleration = (
        s.gravity[0] + (normal * a[0] + b[0]) / m,
        s.gravity[1] + (normal * a[1] + b[1]) / m,
        s.gravity[2] + normal / m,
    )
    force = (normal * a[0] + b[0], normal * a[1] + b[1], normal * a_c + b[2])
    return acceleration, axpy(normal, lever, free), normal, force


@compiled
def write_rates(q, v, omega, acceleration, turning, out):
    """The rates of all states from the two accelerations."""
    dq = quaternion_rate(q, omega)
    for i in range(3):
        out[i] = v[i]
        out[7 + i] = acceleration[i]
        out[10 + i] = turning[i]
    for i in range(4):
        out[3 + i] = dq[i]


@rate.register(Sliding)
def _(s, t, y, out):
    _, q, v, omega = parts(y)
    acceleration, turning, _, _ = lasting_contact(s, quaternion_matrix(q), v, omega)
    write_rates(q, v, omega, acceleration, turning, out)


@project.register(Sliding)
def _(s, y):
    make_unit(y, 3)
    _, q, _, omega = parts(y)
    gamma = quaternion_matrix(q)[2]
    rho = foot(s.feet, s.body, gamma, 0)
    y[2] = -dot(gamma, rho)
    y[9] = -dot(gamma, cross(omega, rho))
    return True


@integrals.register(Sliding)
def _(s, t, y, out):
    _, q, v, omega = parts(y)
    r = quaternion_matrix(q)
    _, _, normal, force = lasting_contact(s, r, v, omega)
    _, drho, v1, v2, twist = contact_state(s, r, v, omega)
    out[0] = normal
    out[1] = -(force[0] * v1 + force[1] * v2)
    out[2] = -force[2] * twist
    k1, k2 = contour_ratio(s.law.contour, dot(r[0], drho), dot(r[1], drho))
    out[3] = -normal * (k1 * dot(r[0], drho) + k2 * dot(r[1], drho))
    out[4] = 0.0 * normal
    out[5] = s.sigma * dot(omega, omega)


@signals.register(Sliding)
def _(s, t, y, out):
    place, q, v, omega = parts(y)
    r = quaternion_matrix(q)
    gamma = r[2]
    rho, drho, v1, v2, twist = contact_state(s, r, v, omega, lowest_foot(s, gamma))
    m = s.body.mass
    out[0] = atan2(sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]), gamma[2])
    out[1] = atan2(r[0][2], -r[1][2])
    out[2] = atan2(gamma[0], gamma[1])
    out[3] = 0.5 * m * dot(v, v) + 0.5 * dot(omega, matvec(s.body.inertia, omega)) - m * dot(s.gravity, place)
    out[4] = place[2] + dot(gamma, rho)
    out[5] = v1
    out[6] = v2
    out[7] = sqrt(v1 * v1 + v2 * v2)
    out[8] = twist
    lever = matvec(r, rho)
    out[9] = place[0] + lever[0]
    out[10] = place[1] + lever[1]
    out[11] = sqrt(dot(drho, drho))


describe(
    Sliding,
    {
        "x": ("m", "mass centre"),
        "y": ("m", "mass centre"),
        "z": ("m", "mass centre, above the plane"),
        "q0": ("", "attitude quaternion, scalar part"),
        "q1": "",
        "q2": "",
        "q3": "",
        "vx": ("m/s", "velocity of the mass centre"),
        "vy": "m/s",
        "vz": "m/s",
        "omega1": ("rad/s", "angular velocity in body axes"),
        "omega2": "rad/s",
        "omega3": "rad/s",
    },
    {
        "theta": ("rad", "nutation: the angle of the body's axis e3 against the normal"),
        "phi": ("rad", "yaw of the nodal line, in (-pi, pi]"),
        "psi": ("rad", "rotation about the body's axis, in (-pi, pi]"),
        "energy": ("J", "kinetic and potential energy"),
        "gap": (
            "m",
            "distance of the lowest point from the plane: of several feet the least gap, and what follows is of that foot",
        ),
        "slip_x": ("m/s", "velocity of the material point at the lowest point"),
        "slip_y": "m/s",
        "slip": ("m/s", "its magnitude along the plane"),
        "twist": ("rad/s", "angular velocity about the normal"),
        "contact_x": ("m", "lowest point"),
        "contact_y": ("m", "lowest point"),
        "contour_speed": ("m/s", "speed of the contact point on the body"),
    },
    {
        "impulse": ("N s", "accumulated normal force"),
        "lost_sliding": ("J", "energy lost to sliding friction"),
        "lost_pivoting": ("J", "energy lost to pivoting friction"),
        "lost_contour": ("J", "energy lost to contour friction"),
        "lost_impacts": ("J", "energy lost in impacts, along the normal"),
        "lost_drag": ("J", "energy taken by the damping couple"),
    },
    {
        "gravity": ("m/s^2", "gravity in the frame of the plane"),
        "e_N": ("", "Newton's coefficient of restitution"),
        "sigma": ("N m s", "coefficient of the damping couple"),
    },
    plot=("theta", "energy", "slip", "gap"),
)
