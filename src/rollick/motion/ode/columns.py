"""A system with columns that its flow carries along: what the state owes to its start and to a parameter p.

    y' = f(t, y, p),      w' = J w   (+ f_p in the last column, if it is owed to p)

stored one after the other: y, w_1, ..., w_k. Directional derivatives by complex step: f(y + i eps w) = f + i eps J w, eps = 1e-100. One wrapper serves tangent
vectors (k = 1), transition matrices (k = n, from the identity), both together with a parameter (k = n + 1), and one column of sensitivities (k = 1, with f_p).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.derivative import EPS, rate_jacobian
from ...kernel.dispatch import constant, decided, generic
from ...kernel.local_array import complex128, float64, local_array
from ...kernel.system import dim, project, rate

# f'(0) = sum c_k (f(k h) - f(-k h))/h, k = 1, 2, 3: order six
WEIGHTS = (3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0)
C1, C2, C3 = WEIGHTS


class Nothing(NamedTuple):
    """No column is owed to a parameter."""

    zero: float = 0.0


class Tilted(NamedTuple):
    """The system with p + i eps in place of p: its rate at y + i eps w is f + i eps (J w + f_p)."""

    system: Any


class Neighbours(NamedTuple):
    """The system at p + k h and p - k h, k = 1, 2, 3, for equations that take no complex parameters; scale = 1/h, zero if no parameter changes."""

    above: tuple
    below: tuple
    scale: float


class Columns(NamedTuple):
    """A system, a tuple as long as it has columns, and what the last of them owes to a parameter."""

    system: Any
    columns: tuple
    owed: Any


def columns_of(system: Any, count: int, owed: Any = None) -> Columns:
    """A system with so many columns."""
    return Columns(system, (0.0,) * count, Nothing() if owed is None else owed)


def with_tangent(system: Any) -> Columns:
    """(y, v) with v' = J v."""
    return columns_of(system, 1)


def with_transition(system: Any) -> Columns:
    """(y, Phi) with Phi' = J Phi, stored column by column."""
    return columns_of(system, int(dim(system)))


@constant
def column_count(s):
    """How many columns a system carries."""


@column_count.register(Columns)
def _(s):
    return len(s.columns)


@dim.register(Columns)
def _(s):
    return dim(s.system) * (1 + len(s.columns))


@generic
def last_rate(owed, system, t, y, z, f):
    """f + i eps (J w + what is owed to the parameter), at z = y + i eps w."""


@last_rate.register(Nothing)
def _(owed, system, t, y, z, f):
    rate(system, t, z, f)


@last_rate.register(Tilted)
def _(owed, system, t, y, z, f):
    rate(owed.system, t, z, f)


@last_rate.register(Neighbours)
def _(owed, system, t, y, z, f):
    n = dim(system)
    x = y[:n]
    high = local_array(n, float64)
    low = local_array(n, float64)
    rate(system, t, z, f)
    if owed.scale != 0.0:
        rate(owed.above[0], t, x, high)
        rate(owed.below[0], t, x, low)
        for i in range(n):
            f[i] += complex(0.0, EPS * C1 * (high[i] - low[i]) * owed.scale)
        rate(owed.above[1], t, x, high)
        rate(owed.below[1], t, x, low)
        for i in range(n):
            f[i] += complex(0.0, EPS * C2 * (high[i] - low[i]) * owed.scale)
        rate(owed.above[2], t, x, high)
        rate(owed.below[2], t, x, low)
        for i in range(n):
            f[i] += complex(0.0, EPS * C3 * (high[i] - low[i]) * owed.scale)


def carry_before_last(s, t, y, z, f, out):
    """The rates of all columns but the last."""
    n = dim(s.system)
    for j in range(1, column_count(s)):
        for i in range(n):
            z[i] = complex(y[i], EPS * y[j * n + i])
        rate(s.system, t, z, f)
        for i in range(n):
            out[j * n + i] = f[i].imag / EPS


def carry_none(s, t, y, z, f, out):
    """There is only one column: nothing but its own equations is compiled."""


@decided
def carry_first(s, t, y, z, f, out):
    """The rates of the columns before the last, if there are any."""
    return carry_before_last if column_count(s) > 1 else carry_none


@rate.register(Columns)
def _(s, t, y, out):
    n = dim(s.system)
    z = local_array(n, complex128)
    f = local_array(n, complex128)
    carry_first(s, t, y, z, f, out)
    last = n * column_count(s)
    for i in range(n):
        z[i] = complex(y[i], EPS * y[last + i])
    last_rate(s.owed, s.system, t, y, z, f)
    for i in range(n):
        out[i] = f[i].real
        out[last + i] = f[i].imag / EPS


@project.register(Columns)
def _(s, y):
    return project(s.system, y[: dim(s.system)])


@rate_jacobian.register(Columns)
def _(s, t, y, z, f, out):
    # Block diagonal: J for the state and for each column. What columns owe to the state's error is left out; it is block triangular, so
    # that the simplified Newton iteration it serves converges all the same (and the result does not depend on it).
    n = dim(s.system)
    out[:, :] = 0.0
    rate_jacobian(s.system, t, y, z, f, out)
    for block in range(1, column_count(s) + 1):
        for i in range(n):
            for j in range(n):
                out[block * n + i, block * n + j] = out[i, j]
