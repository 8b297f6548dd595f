"""A system with one column of sensitivities: what the state owes to a parameter p, or to a number of the start.

    y' = f(t, y, p),      w' = J w + f_p,      w(0) = dy(0)/dp

`Column` has both from one complex evaluation: the rate of the tilted system (p + i eps) at y + i eps w is f + i eps (J w + f_p). `Compared` serves
equations that take no complex parameters (they compare them, say): f_p is there a central difference of order six, J w as before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.derivative import EPS, rate_jacobian
from ...kernel.local_array import complex128, float64, local_array
from ...kernel.system import dim, project, rate
from .tilt import WEIGHTS

C1, C2, C3 = WEIGHTS


class Column(NamedTuple):
    """A system, and the same tilted."""

    system: Any
    tilted: Any


class Compared(NamedTuple):
    """A system, and its neighbours at p + k h and p - k h, k = 1, 2, 3; scale = 1/h, zero if no parameter changes."""

    system: Any
    above: tuple
    below: tuple
    scale: float


@dim.register(Column)
def _(s):
    return 2 * dim(s.system)


@dim.register(Compared)
def _(s):
    return 2 * dim(s.system)


@rate.register(Column)
def _(s, t, y, out):
    n = dim(s.system)
    z = local_array(n, complex128)
    f = local_array(n, complex128)
    for i in range(n):
        z[i] = complex(y[i], EPS * y[n + i])
    rate(s.tilted, t, z, f)
    for i in range(n):
        out[i] = f[i].real
        out[n + i] = f[i].imag / EPS


@rate.register(Compared)
def _(s, t, y, out):
    n = dim(s.system)
    z = local_array(n, complex128)
    f = local_array(n, complex128)
    high = local_array(n, float64)
    low = local_array(n, float64)
    for i in range(n):
        z[i] = complex(y[i], EPS * y[n + i])
    rate(s.system, t, z, f)
    for i in range(n):
        out[i] = f[i].real
        out[n + i] = f[i].imag / EPS
    if s.scale != 0.0:
        x = y[:n]
        rate(s.above[0], t, x, high)
        rate(s.below[0], t, x, low)
        for i in range(n):
            out[n + i] += C1 * (high[i] - low[i]) * s.scale
        rate(s.above[1], t, x, high)
        rate(s.below[1], t, x, low)
        for i in range(n):
            out[n + i] += C2 * (high[i] - low[i]) * s.scale
        rate(s.above[2], t, x, high)
        rate(s.below[2], t, x, low)
        for i in range(n):
            out[n + i] += C3 * (high[i] - low[i]) * s.scale


@project.register(Column)
def _(s, y):
    return project(s.system, y[: dim(s.system)])


@project.register(Compared)
def _(s, y):
    return project(s.system, y[: dim(s.system)])


# Block diagonal: it serves a simplified Newton iteration, whose result does not depend on what is left out (see `motion.ode.extended`).
@rate_jacobian.register(Column)
def _(s, t, y, z, f, out):
    n = dim(s.system)
    out[:, :] = 0.0
    rate_jacobian(s.system, t, y, z, f, out)
    for i in range(n):
        for j in range(n):
            out[n + i, n + j] = out[i, j]


@rate_jacobian.register(Compared)
def _(s, t, y, z, f, out):
    n = dim(s.system)
    out[:, :] = 0.0
    rate_jacobian(s.system, t, y, z, f, out)
    for i in range(n):
        for j in range(n):
            out[n + i, n + j] = out[i, j]
