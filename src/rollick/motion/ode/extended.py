"""Systems made of systems: with accumulated integrals, and with variational equations.

Composition by dispatch: a wrapper is a NamedTuple that holds a system and has a `rate` of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.derivative import EPS, rate_jacobian
from ...kernel.local_array import complex128, local_array
from ...kernel.system import dim, integral_count, project, rate, rate_with_integrals


class Accumulating(NamedTuple):
    """A system followed by the integrals it accumulates: (y, q) with q' = integrals(y)."""

    system: Any


@dim.register(Accumulating)
def _(a):
    return dim(a.system) + integral_count(a.system)


@rate.register(Accumulating)
def _(a, t, y, out):
    rate_with_integrals(a.system, t, y, out)


@project.register(Accumulating)
def _(a, y):
    return project(a.system, y)


class Variational(NamedTuple):
    """A system with its state-transition matrix: (y, Phi) with Phi' = J(y) Phi, Phi(0) = 1, stored column by column.

    J Phi is taken one column at a time as a directional derivative by complex step.
    """

    system: Any


@dim.register(Variational)
def _(v):
    return dim(v.system) * (1 + dim(v.system))


@rate.register(Variational)
def _(v, t, y, out):
    n = dim(v.system)
    z = local_array(n, complex128)
    f = local_array(n, complex128)
    rate(v.system, t, y, out)
    for j in range(n):
        for i in range(n):
            z[i] = complex(y[i], EPS * y[n + j * n + i])
        rate(v.system, t, z, f)
        for i in range(n):
            out[n + j * n + i] = f[i].imag / EPS


@project.register(Variational)
def _(v, y):
    return project(v.system, y)


@rate_jacobian.register(Variational)
def _(v, t, y, z, f, out):
    # Block diagonal: J for the state and for each column of Phi. What Phi' owes to the state's error is left out; it is block
    # triangular, so that the simplified Newton iteration it serves converges all the same (and the result does not depend on it).
    n = dim(v.system)
    out[:, :] = 0.0
    rate_jacobian(v.system, t, y, z, f, out)
    for block in range(1, n + 1):
        for i in range(n):
            for j in range(n):
                out[block * n + i, block * n + j] = out[i, j]
