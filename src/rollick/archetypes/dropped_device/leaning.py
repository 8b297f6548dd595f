"""A polyhedron that leans on the floor: one or two vertices stay in contact, without friction, until another one hits or a force vanishes.

With the vertical n in body axes and vertices x_k in contact, the forces follow from z_k'' = 0,

    sum_l [1/m + n.(I^-1 (x_l x n) x x_k)] lambda_l = g - n.(alpha x x_k + omega x (omega x x_k)),    alpha = I^-1 (I omega x omega),

and body and component are integrated together, as a phase of `motion.hybrid.phase`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.compiled import compiled, inlined
from ...kernel.local_array import float64, local_array
from ...kernel.quaternion import quaternion_matrix
from ...kernel.system import describe, project, rate
from ...kernel.vector import add, cross, dot
from ...motion.hybrid.phase import ending, guard_value, longest_step, run_phase, watched
from .polyhedron import STATES, Component, Polyhedron

LANDED, RELEASED = 1, 2  # what ends the phase
RTOL = 1e-11


class Leaning(NamedTuple):
    """A body with its component, gravity, the rate at which it falls over, and the vertices in contact (second = -1: only one)."""

    body: Polyhedron
    part: Component
    g: float
    pace: float  # sqrt(g/reach)
    first: int
    second: int


@inlined
def vertex(body, j):
    """A vertex as a tuple."""
    return body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]


@inlined
def over(t, moments):
    """I^-1 t."""
    return t[0] / moments[0], t[1] / moments[1], t[2] / moments[2]


@inlined
def lifted(g, n, omega, alpha, x):
    """The upward acceleration of a vertex in free flight."""
    return -g + dot(n, add(cross(alpha, x), cross(omega, cross(omega, x))))


@compiled
def contact_forces(s, y):
    """The forces at both contacts, the vertical, and alpha."""
    b = s.body
    R = quaternion_matrix((y[6], y[7], y[8], y[9]))
    n, omega = R[2], (y[10], y[11], y[12])
    i1, i2, i3 = b.moments
    alpha = over(cross((i1 * omega[0], i2 * omega[1], i3 * omega[2]), omega), b.moments)
    x = vertex(b, s.first)
    turn = over(cross(x, n), b.moments)
    a11 = 1.0 / b.mass + dot(n, cross(turn, x))
    r1 = -lifted(s.g, n, omega, alpha, x)
    if s.second < 0:
        return r1 / a11, 0.0, n, alpha
    z = vertex(b, s.second)
    twist = over(cross(z, n), b.moments)
    a12, a22 = 1.0 / b.mass + dot(n, cross(turn, z)), 1.0 / b.mass + dot(n, cross(twist, z))
    r2 = -lifted(s.g, n, omega, alpha, z)
    det = a11 * a22 - a12 * a12
    return (a22 * r1 - a12 * r2) / det, (a11 * r2 - a12 * r1) / det, n, alpha


@rate.register(Leaning)
def _(s, t, y, out):
    f1, f2, n, alpha = contact_forces(s, y)
    b, c = s.body, s.part
    omega = (y[10], y[11], y[12])
    t1 = cross(vertex(b, s.first), n)
    t2 = cross(vertex(b, max(s.second, 0)), n)
    turn = over((f1 * t1[0] + f2 * t2[0], f1 * t1[1] + f2 * t2[1], f1 * t1[2] + f2 * t2[2]), b.moments)
    da = add(alpha, turn)
    push = (f1 + f2) / b.mass
    out[0], out[1], out[2] = y[3], y[4], y[5]
    out[3], out[4], out[5] = 0.0, 0.0, push - s.g
    out[6] = -0.5 * (y[7] * omega[0] + y[8] * omega[1] + y[9] * omega[2])
    out[7] = 0.5 * (y[6] * omega[0] + y[8] * omega[2] - y[9] * omega[1])
    out[8] = 0.5 * (y[6] * omega[1] + y[9] * omega[0] - y[7] * omega[2])
    out[9] = 0.5 * (y[6] * omega[2] + y[7] * omega[1] - y[8] * omega[0])
    out[10], out[11], out[12] = da[0], da[1], da[2]
    frame = dot(c.d, add(cross(da, c.a), cross(omega, cross(omega, c.a)))) + push * dot(c.d, n)
    along = dot(omega, c.d)
    stretch = c.centrifugal * (dot(omega, omega) - along * along)
    out[13] = y[14]
    out[14] = -frame + (stretch - c.Omega * c.Omega) * y[13] - 2.0 * c.delta * y[14]


describe(Leaning, states={name: "" for name in STATES}, about="a polyhedron with one or two vertices on the floor")


@inlined
def vertex_height(y, x):
    """Height of a body point, for a quaternion near unit length."""
    w, a, b, c = y[6], y[7], y[8], y[9]
    k = 2.0 / (w * w + a * a + b * b + c * c)
    return y[2] + k * (a * c - w * b) * x[0] + k * (b * c + w * a) * x[1] + (1.0 - k * (a * a + b * b)) * x[2]


@compiled
def lowest(s, y):
    """The lowest of the vertices that are not in contact and move down, and its height."""
    which, least = -1, math.inf
    n = quaternion_matrix((y[6], y[7], y[8], y[9]))[2]
    omega = (y[10], y[11], y[12])
    for j in range(s.body.vertices.shape[0]):
        x = vertex(s.body, j)
        if j != s.first and j != s.second and y[5] + dot(n, cross(omega, x)) < 0.0:
            z = vertex_height(y, x)
            if z < least:
                which, least = j, z
    return which, least


@compiled
def forces_least(s, y):
    """The lesser force, and at which contact it acts (0 or 1)."""
    f1, f2, _, _ = contact_forces(s, y)
    return (f1, 0) if s.second < 0 or f1 <= f2 else (f2, 1)


@longest_step.register(Leaning)
def _(s, y):
    speed = math.sqrt(y[10] ** 2 + y[11] ** 2 + y[12] ** 2)
    return min(0.05 / s.pace, 0.1 / (speed + s.pace), 0.7 / (s.part.Omega + s.part.delta))


@ending.register(Leaning)
def _(s, y):
    if lowest(s, y)[1] <= 0.0:
        return LANDED
    return RELEASED if forces_least(s, y)[0] < 0.0 else 0


@guard_value.register(Leaning)
def _(s, y, guard):
    return lowest(s, y)[1] if guard == LANDED else forces_least(s, y)[0]


@watched.register(Leaning)
def _(s):
    return 13


@project.register(Leaning)
def _(s, y):
    """Back to a quaternion of unit length."""
    size = 1.0 / math.sqrt(y[6] ** 2 + y[7] ** 2 + y[8] ** 2 + y[9] ** 2)
    for j in range(6, 10):
        y[j] *= size
    return True


@compiled
def lean(s, y, room, reach, scale):
    """Lean from the state y (overwritten): (why it ended, duration, vertex that landed or contact released, largest |u|).

    `reach` is the distance of the farthest vertex, `scale` the displacement that counts as large.
    """
    atol = local_array(15, float64)
    for j in range(3):
        atol[j], atol[3 + j], atol[10 + j] = 1e-14 * reach, 1e-13 * reach * s.pace, 1e-13 * s.pace
    for j in range(6, 10):
        atol[j] = 1e-13
    atol[13], atol[14] = 1e-11 * scale, 1e-11 * scale * s.part.Omega
    why, duration, most, _ = run_phase(s, y, room, 1e-3 / (s.pace + s.part.Omega), RTOL, atol)
    which = -1
    if why == LANDED:
        which = lowest(s, y)[0]
    elif why == RELEASED:
        which = forces_least(s, y)[1]
    return why, duration, which, most
