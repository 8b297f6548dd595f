"""A system with one tangent vector: (y, v) with v' = J(y) v, by a single complex evaluation of the rate.

rate(y + i eps v) = rate(y) + i eps J v + O(eps^2), eps = 1e-100: real part and imaginary part give both rates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.derivative import EPS
from ...kernel.local_array import complex128, local_array
from ...kernel.system import dim, project, rate


class Tangent(NamedTuple):
    """A system and a tangent vector that its flow carries along."""

    system: Any


@dim.register(Tangent)
def _(s):
    return 2 * dim(s.system)


@rate.register(Tangent)
def _(s, t, y, out):
    n = dim(s.system)
    z = local_array(n, complex128)
    f = local_array(n, complex128)
    for i in range(n):
        z[i] = complex(y[i], EPS * y[n + i])
    rate(s.system, t, z, f)
    for i in range(n):
        out[i] = f[i].real
        out[n + i] = f[i].imag / EPS


@project.register(Tangent)
def _(s, y):
    return project(s.system, y)
