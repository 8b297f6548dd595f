"""Derivatives by the complex step: exact to rounding, no step size to choose.

For an analytic f, f(x + i*eps*v) = f(x) + i*eps*Df(x)v + O(eps^2); with eps = 1e-100 the imaginary part divided by eps is the
directional derivative to the last digit, because nothing is subtracted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .compiled import compiled
from .dispatch import generic
from .names import InputError, array_of, called
from .system import dim, rate

EPS = 1e-100


@generic
def rate_jacobian(system: Any, t: float, y: np.ndarray, z: np.ndarray, f: np.ndarray, out: np.ndarray) -> None:
    """out[i, j] = d rate_i / d y_j at (t, y); z and f are complex work arrays of the length of the state.

    By complex step, unless a type of system has something better to offer.
    """


@rate_jacobian.otherwise
def _(system: Any, t: float, y: np.ndarray, z: np.ndarray, f: np.ndarray, out: np.ndarray) -> None:
    n = dim(system)
    for i in range(n):
        z[i] = y[i]
    for j in range(n):
        z[j] = complex(y[j], EPS)
        rate(system, t, z, f)
        z[j] = y[j]
        for i in range(n):
            out[i, j] = f[i].imag / EPS


@compiled
def rate_time_derivative(system: Any, t: float, y: np.ndarray, z: np.ndarray, f: np.ndarray, out: np.ndarray) -> None:
    """out[i] = d rate_i / d t at (t, y)."""
    n = dim(system)
    for i in range(n):
        z[i] = y[i]
    rate(system, complex(t, EPS), z, f)
    for i in range(n):
        out[i] = f[i].imag / EPS


@compiled
def _fill_jacobian(system: Any, t: float, y: np.ndarray, z: np.ndarray, f: np.ndarray, out: np.ndarray) -> None:
    rate_jacobian(system, t, y, z, f, out)


def system_jacobian(system: Any, y: Any, t: float = 0.0) -> np.ndarray:
    """The Jacobian matrix of a system's rate at a state."""
    y = np.ascontiguousarray(array_of(y, "y"))
    n = dim(system)
    if y.size != n:
        raise InputError(f"the state of {called(system)} has {n} entries, not {y.size}.")
    out = np.empty((n, n))
    _fill_jacobian(system, float(t), y, np.empty(n, complex), np.empty(n, complex), out)
    return out


def jacobian(f: Callable[..., Any], x: Any, *args: Any) -> np.ndarray:
    """The derivative of any function of a vector that accepts complex numbers: shape (size of f, size of x).

    `f` may return a scalar, a tuple or an array; extra arguments are passed on. It must be analytic where it is evaluated
    (use `rollick.kernel`'s `absolute`, `maximum`, ... where a branch is meant) and must not drop imaginary parts.
    """
    if not callable(f):
        raise InputError(f"f = {f!r} is no function; write e.g. jacobian(lambda x: x**2, [1.0, 2.0]).")
    x = np.atleast_1d(array_of(x, "x"))
    if not x.size:
        raise InputError("x is empty: there is nothing to differentiate by.")
    columns = []
    for j in range(x.size):
        z = x.astype(complex)
        z[j] += 1j * EPS
        value = np.atleast_1d(np.asarray(f(z, *args)))
        if not np.iscomplexobj(value):
            value = value.astype(complex)
        columns.append(value.ravel().imag / EPS)
    return np.stack(columns, axis=1)


def hessian(f: Callable[..., Any], x: Any, *args: Any, step: float = 1e-5) -> np.ndarray:
    """Second derivatives of a scalar function: central differences of the exact gradient, symmetrised."""
    x = np.atleast_1d(array_of(x, "x"))
    rows = []
    for j in range(x.size):
        d = step * max(1.0, abs(x[j]))
        ahead, behind = x.copy(), x.copy()
        ahead[j] += d
        behind[j] -= d
        rows.append((jacobian(f, ahead, *args)[0] - jacobian(f, behind, *args)[0]) / (2.0 * d))
    h = np.array(rows)
    symmetric: np.ndarray = 0.5 * (h + h.T)
    return symmetric
