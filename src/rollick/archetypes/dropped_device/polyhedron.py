"""A rigid polyhedron dropped on a plane, in three dimensions: data, flight by power series, first contact without a missed root.

In flight the mass centre falls freely and the body turns without torque. All of it is a quadratic system, in the principal axes of the body,

    I omega' = (I omega) x omega,    n' = n x omega,    q' = q (0, omega)/2,

with n the upward vertical seen from the body. So the coefficients of the power series follow from convolutions, and a series of order 22 gives a
window of time within which the motion is known to rounding. The height of a vertex x is the polynomial

    z(s) = z + v s - g s^2/2 + n(s).x ,

and with M = sum k (k-1) |z_k| tau^(k-2), a bound on |z''| within the window, the parabola z + z' s - M s^2/2 lies below it. Its first root is
a step that passes no contact. Height and speed of a vertex that has just been hit are carried along as they are, so that short bounces keep
their digits.

The component is a light oscillator at the point `a` of the body that moves along the unit vector d,

    u'' + 2 delta u' + (Omega^2 - |omega|^2 + (omega.d)^2) u = -d.(omega' x a + omega x (omega x a))     (in flight),

and rides along in the same series; its windows are short against 1/Omega, so that no turn of u is missed.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...kernel.compiled import compiled, inlined

ORDER = 22
SMALL = 1e-17
LONGEST = 50.0
STATES = ("x", "y", "z", "vx", "vy", "vz", "q0", "q1", "q2", "q3", "omega1", "omega2", "omega3", "u", "du")
SPIN, VERTICAL, TURN, SHAKE = 0, 3, 6, 10
ROWS = 11


class Polyhedron(NamedTuple):
    """Mass, principal moments, and the vertices from the mass centre in principal axes (an array of shape (n, 3))."""

    mass: float
    moments: tuple[float, float, float]
    vertices: np.ndarray


class Solid(NamedTuple):
    """A polyhedron in principal axes, and the axes as columns in the frame its user thinks in, with the mass centre there."""

    body: Polyhedron
    axes: np.ndarray
    centre: np.ndarray
    least_height: float


class Component(NamedTuple):
    """A light oscillator at a point of the body, moving along a unit vector (both in principal axes)."""

    a: tuple[float, float, float]
    d: tuple[float, float, float]
    Omega: float
    delta: float
    centrifugal: float


@inlined
def vertical(y):
    """The upward vertical in body axes: the third row of the rotation matrix."""
    w, a, b, c = y[6], y[7], y[8], y[9]
    return 2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b)


@compiled
def flight_series(moments, part, y, c):
    """Fill c[row, k] with the power series of omega, n, q and u from the state y; the length of time they are good for."""
    i1, i2, i3 = moments
    e1, e2, e3 = (i2 - i3) / i1, (i3 - i1) / i2, (i1 - i2) / i3
    n = vertical(y)
    for j in range(3):
        c[SPIN + j, 0], c[VERTICAL + j, 0] = y[10 + j], n[j]
    for j in range(4):
        c[TURN + j, 0] = y[6 + j]
    a, d = part.a, part.d
    K = part.Omega * part.Omega
    c[SHAKE, 0], c[SHAKE, 1] = y[13], y[14]
    da = d[0] * a[0] + d[1] * a[1] + d[2] * a[2]
    ax = (a[1] * d[2] - a[2] * d[1], a[2] * d[0] - a[0] * d[2], a[0] * d[1] - a[1] * d[0])  # d.(w x a) = w.(a x d)
    for k in range(ORDER):
        s1 = s2 = s3 = n1 = n2 = n3 = q0 = q1 = q2 = q3 = 0.0
        for j in range(k + 1):
            w1, w2, w3 = c[0, k - j], c[1, k - j], c[2, k - j]
            s1 += c[1, j] * w3
            s2 += c[2, j] * w1
            s3 += c[0, j] * w2
            n1 += c[4, j] * w3 - c[5, j] * w2
            n2 += c[5, j] * w1 - c[3, j] * w3
            n3 += c[3, j] * w2 - c[4, j] * w1
            q0 -= c[7, j] * w1 + c[8, j] * w2 + c[9, j] * w3
            q1 += c[6, j] * w1 + c[8, j] * w3 - c[9, j] * w2
            q2 += c[6, j] * w2 + c[9, j] * w1 - c[7, j] * w3
            q3 += c[6, j] * w3 + c[7, j] * w2 - c[8, j] * w1
        f = 1.0 / (k + 1)
        c[0, k + 1], c[1, k + 1], c[2, k + 1] = f * e1 * s1, f * e2 * s2, f * e3 * s3
        c[3, k + 1], c[4, k + 1], c[5, k + 1] = f * n1, f * n2, f * n3
        c[6, k + 1], c[7, k + 1], c[8, k + 1], c[9, k + 1] = 0.5 * f * q0, 0.5 * f * q1, 0.5 * f * q2, 0.5 * f * q3
        if k + 2 <= ORDER:
            force = -(k + 1) * (ax[0] * c[0, k + 1] + ax[1] * c[1, k + 1] + ax[2] * c[2, k + 1])
            for j in range(k + 1):
                m = k - j
                along = d[0] * c[0, j] + d[1] * c[1, j] + d[2] * c[2, j]
                force += -along * (a[0] * c[0, m] + a[1] * c[1, m] + a[2] * c[2, m])
                force += da * (c[0, j] * c[0, m] + c[1, j] * c[1, m] + c[2, j] * c[2, m])
            stretch = 0.0
            if part.centrifugal != 0.0:
                for j in range(k + 1):
                    turning = 0.0
                    for m in range(j + 1):
                        turning += c[0, m] * c[0, j - m] + c[1, m] * c[1, j - m] + c[2, m] * c[2, j - m]
                        left = d[0] * c[0, m] + d[1] * c[1, m] + d[2] * c[2, m]
                        turning -= left * (d[0] * c[0, j - m] + d[1] * c[1, j - m] + d[2] * c[2, j - m])
                    stretch += turning * c[SHAKE, k - j]
            u2 = force + part.centrifugal * stretch - K * c[SHAKE, k] - 2.0 * part.delta * (k + 1) * c[SHAKE, k + 1]
            c[SHAKE, k + 2] = u2 / ((k + 1) * (k + 2))
    return window(c, part)


@inlined
def window(c, part):
    """The time for which the last two terms of all series are negligible; short against the oscillator's own time while it moves."""
    tau = LONGEST
    for first, last in ((SPIN, VERTICAL), (VERTICAL, TURN), (TURN, SHAKE), (SHAKE, ROWS)):
        scale = 0.0
        for j in range(first, last):
            scale = max(scale, abs(c[j, 0]))
        if first == SHAKE:
            scale = max(scale, abs(c[SHAKE, 1]) / part.Omega, 1e-14)
        for k in range(ORDER - 1, ORDER + 1):
            for j in range(first, last):
                if abs(c[j, k]) > 1e-300:
                    tau = min(tau, (SMALL * scale / abs(c[j, k])) ** (1.0 / k))
    if c[SHAKE, 0] != 0.0 or c[SHAKE, 1] != 0.0 or c[SHAKE, 2] != 0.0:
        tau = min(tau, 0.7 / (part.Omega + part.delta))
    return tau


@inlined
def polynomial(row, s):
    """The value of a power series."""
    value = row[ORDER]
    for k in range(ORDER - 1, -1, -1):
        value = value * s + row[k]
    return value


@inlined
def slope(row, s):
    """The derivative of a power series."""
    value = ORDER * row[ORDER]
    for k in range(ORDER - 1, 0, -1):
        value = value * s + k * row[k]
    return value


@compiled
def vertex_series(body, c, g, j, height, speed, row):
    """The power series of the height of vertex j, from its height and speed at the start."""
    x, y, z = body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]
    for k in range(2, ORDER + 1):
        row[k] = c[3, k] * x + c[4, k] * y + c[5, k] * z
    row[0], row[1] = height, speed
    row[2] -= 0.5 * g


@compiled
def first_root(row, tau, begin):
    """The first time within `begin` .. tau at which a height comes down to zero; inf if there is none."""
    bend, power = 0.0, 1.0
    for k in range(2, ORDER + 1):
        bend += k * (k - 1) * abs(row[k]) * power
        power *= tau
    s = begin
    for _ in range(100_000):
        z, dz = polynomial(row, s), slope(row, s)
        if z < 0.0:
            return s
        root = math.sqrt(dz * dz + 2.0 * bend * z)
        step = 2.0 * z / (root - dz) if dz < 0.0 else (dz + root) / bend if bend > 0.0 else math.inf
        if step <= 4e-16 * s or step == 0.0:
            return s
        s += step
        if s > tau:
            return math.inf
    return s


@compiled
def series_peak(row, tau, most):
    """The largest |u| of a window: at its ends, or where u' changes its sign."""
    most = max(most, abs(row[0]), abs(polynomial(row, tau)))
    a, fa = 0.0, row[1]
    b, fb = tau, slope(row, tau)
    if fa * fb >= 0.0:
        return most
    for _ in range(60):
        x = b - fb * (b - a) / (fb - fa)
        if not a < x < b:
            x = 0.5 * (a + b)
        f = slope(row, x)
        most = max(most, abs(polynomial(row, x)))
        if f == 0.0 or b - a < 1e-12 * tau:
            break
        if (f > 0.0) == (fb > 0.0):
            b, fb, fa = x, f, 0.5 * fa
        else:
            a, fa, fb = x, f, 0.5 * fb
    return most


@compiled
def advance(c, g, s, y):
    """The state after the time s of flight, from its series."""
    for j in range(3):
        y[j] += s * y[3 + j]
    y[2] -= 0.5 * g * s * s
    y[5] -= g * s
    total = 0.0
    for j in range(4):
        y[6 + j] = polynomial(c[TURN + j], s)
        total += y[6 + j] * y[6 + j]
    scale = 1.0 / math.sqrt(total)
    for j in range(4):
        y[6 + j] *= scale
    for j in range(3):
        y[10 + j] = polynomial(c[SPIN + j], s)
    y[13], y[14] = polynomial(c[SHAKE], s), slope(c[SHAKE], s)
