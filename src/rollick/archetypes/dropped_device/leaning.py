"""A polyhedron that leans on the floor: one or two vertices stay in contact, without friction, until another one hits or a force vanishes.

With the vertical n in body axes and vertices x_k in contact, the forces follow from z_k'' = 0,

    sum_l [1/m + n.(I^-1 (x_l x n) x x_k)] lambda_l = g - n.(alpha x x_k + omega x (omega x x_k)),    alpha = I^-1 (I omega x omega),

and body and component are integrated together by DOP853. The end of the phase is found by repeating the last step with the right length.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.compiled import compiled, inlined
from ...kernel.quaternion import quaternion_matrix
from ...kernel.system import describe, rate
from ...kernel.vector import add, cross, dot
from ...motion.ode.dop853 import NEW, dop853_step
from .polyhedron import STATES, Component, Polyhedron

LANDED, RELEASED, TIME_UP, STUCK = 1, 2, 3, 4
RTOL = 1e-11


class Leaning(NamedTuple):
    """A body with its component, gravity, and the vertices in contact (second = -1: only one)."""

    body: Polyhedron
    part: Component
    g: float
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


@compiled
def lean_end(s, y, tau, kind, k, atol):
    """The length of the step, at most tau, at which another vertex lands (kind LANDED) or a force vanishes; the state is in k[NEW]."""
    a, b = 0.0, tau
    for _ in range(60):
        x = 0.5 * (a + b)
        dop853_step(s, 0.0, y, x, k, RTOL, atol)
        value = lowest(s, k[NEW])[1] if kind == LANDED else forces_least(s, k[NEW])[0]
        if value > 0.0:
            a = x
        else:
            b = x
        if b - a <= 1e-15 * tau:
            break
    dop853_step(s, 0.0, y, b, k, RTOL, atol)
    return b


@compiled
def lean_turn(s, y, tau, last, k, atol):
    """|u| at the instant within a step of length tau at which u' = 0."""
    a, fa, b, fb, most = 0.0, y[14], tau, last, 0.0
    for _ in range(40):
        x = b - fb * (b - a) / (fb - fa)
        if not a < x < b:
            x = 0.5 * (a + b)
        dop853_step(s, 0.0, y, x, k, RTOL, atol)
        f = k[NEW, 14]
        most = max(most, abs(k[NEW, 13]))
        if f == 0.0 or abs(f) < 1e-8 * (abs(y[14]) + abs(last)):
            break
        if (f > 0.0) == (fb > 0.0):
            b, fb, fa = x, f, 0.5 * fa
        else:
            a, fa, fb = x, f, 0.5 * fb
    return most


@compiled
def lean(s, y, room, reach, scale, k, atol, after):
    """Lean from the state y (overwritten): (why it ended, duration, vertex that landed or contact released, largest |u|)."""
    pace = math.sqrt(s.g / reach)
    for j in range(15):
        atol[j] = 1e-13
    for j in range(3):
        atol[j], atol[3 + j], atol[10 + j] = 1e-14 * reach, 1e-13 * reach * pace, 1e-13 * pace
    atol[13], atol[14] = 1e-11 * scale, 1e-11 * scale * s.part.Omega
    t, most, tau = 0.0, abs(y[13]), 1e-3 / (pace + s.part.Omega)
    for _ in range(5_000_000):
        if t >= room:
            return TIME_UP, t, -1, most
        speed = math.sqrt(y[10] ** 2 + y[11] ** 2 + y[12] ** 2)
        tau = min(tau, 0.05 / pace, 0.1 / (speed + pace), 0.7 / (s.part.Omega + s.part.delta), room - t)
        rate(s, 0.0, y, k[0])
        error = dop853_step(s, 0.0, y, tau, k, RTOL, atol)
        factor = 5.0 if error < 1e-9 else min(5.0, max(0.2, 0.9 * error ** (-0.125)))
        if not error <= 1.0:
            tau *= factor if error == error else 0.2
            if tau < 1e-16:
                return STUCK, t, -1, most
            continue
        why, used = 0, tau
        if lowest(s, k[NEW])[1] <= 0.0:
            why = LANDED
        elif forces_least(s, k[NEW])[0] < 0.0:
            why = RELEASED
        if why != 0:
            used = lean_end(s, y, tau, why, k, atol)
        for j in range(15):
            after[j] = k[NEW, j]
        most = max(most, abs(after[13]))
        if y[14] * after[14] < 0.0 and max(abs(y[13]), abs(after[13])) + used * max(abs(y[14]), abs(after[14])) > most:
            most = max(most, lean_turn(s, y, used, after[14], k, atol))
        t += used
        for j in range(15):
            y[j] = after[j]
        size = 1.0 / math.sqrt(y[6] ** 2 + y[7] ** 2 + y[8] ** 2 + y[9] ** 2)
        for j in range(6, 10):
            y[j] *= size
        if why == LANDED:
            return LANDED, t, lowest(s, y)[0], most
        if why == RELEASED:
            return RELEASED, t, forces_least(s, y)[1], most
        tau *= factor
    return STUCK, t, -1, most
