"""A system with its state-transition matrix and with what its flow owes to one parameter p.

States (y, Phi, w) with

    y' = f(t, y, p),   Phi' = J Phi,   w' = J w + f_p,      Phi(0) = 1,  w(0) = 0,

stored one column after the other: y, the columns of Phi, w. All derivatives are directional and by complex step. `tilted` is the system once
more with the parameter p + i eps: a rate of it at y + i eps w is f + i eps (J w + f_p), both terms in one evaluation. A system whose
equations do not take a complex parameter (they compare it, say) is `Compared` instead with two neighbours.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

from ...kernel.derivative import EPS, rate_jacobian
from ...kernel.local_array import complex128, float64, local_array
from ...kernel.names import InputError, called, choose
from ...kernel.system import dim, project, rate

NEAR = 1e-5  # relative distance of the neighbours of `Compared`: the derivative is good to about 1e-10


class Sensitive(NamedTuple):
    """A system, and the same with p + i eps in place of p."""

    system: Any
    tilted: Any


class Compared(NamedTuple):
    """A system, and the same with p + h and p - h; scale = 1/(2 h)."""

    system: Any
    above: Any
    below: Any
    scale: float


@dim.register(Sensitive)
def _(s):
    return dim(s.system) * (2 + dim(s.system))


@dim.register(Compared)
def _(s):
    return dim(s.system) * (2 + dim(s.system))


@rate.register(Sensitive)
def _(s, t, y, out):
    n = dim(s.system)
    z = local_array(n, complex128)
    f = local_array(n, complex128)
    for j in range(1, n + 1):
        for i in range(n):
            z[i] = complex(y[i], EPS * y[j * n + i])
        rate(s.system, t, z, f)
        for i in range(n):
            out[j * n + i] = f[i].imag / EPS
    for i in range(n):
        out[i] = f[i].real
        z[i] = complex(y[i], EPS * y[n * (n + 1) + i])
    rate(s.tilted, t, z, f)
    for i in range(n):
        out[n * (n + 1) + i] = f[i].imag / EPS


@rate.register(Compared)
def _(s, t, y, out):
    n = dim(s.system)
    z = local_array(n, complex128)
    f = local_array(n, complex128)
    high = local_array(n, float64)
    low = local_array(n, float64)
    for j in range(1, n + 2):
        for i in range(n):
            z[i] = complex(y[i], EPS * y[j * n + i])
        rate(s.system, t, z, f)
        for i in range(n):
            out[j * n + i] = f[i].imag / EPS
    rate(s.above, t, y[:n], high)
    rate(s.below, t, y[:n], low)
    for i in range(n):
        out[i] = f[i].real
        out[n * (n + 1) + i] += (high[i] - low[i]) * s.scale


@project.register(Sensitive)
def _(s, y):
    return project(s.system, y)


@project.register(Compared)
def _(s, y):
    return project(s.system, y)


@rate_jacobian.register(Sensitive)
def _(s, t, y, z, f, out):
    # Block diagonal, as that of `motion.ode.extended.Variational`: it serves a simplified Newton iteration.
    n = dim(s.system)
    out[:, :] = 0.0
    rate_jacobian(s.system, t, y, z, f, out)
    for block in range(1, n + 2):
        for i in range(n):
            for j in range(n):
                out[block * n + i, block * n + j] = out[i, j]


@rate_jacobian.register(Compared)
def _(s, t, y, z, f, out):
    n = dim(s.system)
    out[:, :] = 0.0
    rate_jacobian(s.system, t, y, z, f, out)
    for block in range(1, n + 2):
        for i in range(n):
            for j in range(n):
                out[block * n + i, block * n + j] = out[i, j]


def parameter_of(system: Any, name: str) -> float:
    """The value of a parameter, a field of a system or of one of its parts ("law.mu")."""
    value = system
    for part in name.split("."):
        if not hasattr(value, "_fields"):
            raise InputError(f"{called(system)} has no parameter {name!r}: {part!r} has no parts.")
        value = getattr(value, choose(part, value._fields, f"parameter of {called(system)}"))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"the parameter {name!r} of {called(system)} is {value!r}, not a number.")
    return float(value)


def with_parameter(system: Any, name: str, value: Any) -> Any:
    """The same system with another value of a parameter, a field of it or of one of its parts."""
    *path, last = name.split(".")
    holders = [system]
    for part in path:
        holders.append(getattr(holders[-1], part))
    steps = list(zip(holders, [*path, last]))
    return reduce(lambda inner, step: step[0]._replace(**{step[1]: inner}), reversed(steps), value)


def tilted(system: Any, name: str) -> Any:
    """The system with the parameter p + i eps."""
    return with_parameter(system, name, complex(parameter_of(system, name), EPS))


def sensitive(system: Any, name: str) -> Sensitive:
    """A system with derivatives with respect to a parameter."""
    return Sensitive(system, tilted(system, name))


def compared(system: Any, name: str) -> Compared:
    """The same by comparison with neighbours."""
    p = parameter_of(system, name)
    h = NEAR * max(1.0, abs(p))
    return Compared(system, with_parameter(system, name, p + h), with_parameter(system, name, p - h), 0.5 / h)
