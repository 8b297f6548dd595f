"""Rates and their derivatives at many points of an orbit at once: what collocation and harmonic balance are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from ...kernel.compiled import compiled
from ...kernel.derivative import EPS, rate_jacobian, rate_time_derivative
from ...kernel.dispatch import generic
from ...kernel.local_array import complex128, local_array
from ...kernel.system import dim, rate
from ...motion.ode.columns import Columns, last_rate
from .sensitive import compared, sensitive


@generic
def slopes(system, t, y, f, J, w):
    """f = rate, J = its derivative by the state, w = by the parameter (zero for a plain system)."""


@slopes.otherwise
def _(s, t, y, f, J, w):
    n = dim(s)
    z = local_array(n, complex128)
    g = local_array(n, complex128)
    rate_jacobian(s, t, y, z, g, J)
    rate(s, t, y, f)
    for i in range(n):
        w[i] = 0.0


@slopes.register(Columns)
def _(s, t, y, f, J, w):
    n = dim(s.system)
    z = local_array(n, complex128)
    g = local_array(n, complex128)
    rate_jacobian(s.system, t, y, z, g, J)
    for i in range(n):
        z[i] = complex(y[i], 0.0)
    last_rate(s.owed, s.system, t, y, z, g)
    for i in range(n):
        f[i] = g[i].real
        w[i] = g[i].imag / EPS


@compiled
def slopes_along(system, t, y, f, J, w):
    """`slopes` at many points."""
    for i in range(t.size):
        slopes(system, t[i], y[i], f[i], J[i], w[i])


@compiled
def time_slopes_along(system, t, y, z, g, out):
    """d rate/d t at many points."""
    for i in range(t.size):
        rate_time_derivative(system, t[i], y[i], z, g, out[i])


class Slopes:
    """f, J, f_p (and f_t) of systems of one kind; `parameter` may be None, f_p is then zero."""

    def __init__(self, parameter: str | None):
        self.parameter = parameter
        self.wrap: Any = (lambda s: s) if parameter is None else (lambda s: sensitive(s, parameter))

    def __call__(self, system: Any, t: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """f, J and f_p at instants t and states y, one row each."""
        count, n = y.shape
        y = np.ascontiguousarray(y)
        f, J, w = np.empty((count, n)), np.empty((count, n, n)), np.empty((count, n))
        try:
            slopes_along(self.wrap(system), t, y, f, J, w)
        except NumbaError:  # the equations take no complex parameter
            name = self.parameter
            if name is None:
                raise
            self.wrap = lambda s: compared(s, name)
            slopes_along(self.wrap(system), t, y, f, J, w)
        return f, J, w

    @staticmethod
    def by_time(system: Any, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        """f_t."""
        out = np.empty(y.shape)
        n = y.shape[1]
        time_slopes_along(system, t, np.ascontiguousarray(y), np.empty(n, complex), np.empty(n, complex), out)
        return out
