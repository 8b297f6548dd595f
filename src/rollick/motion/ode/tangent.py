"""A system with one tangent vector: (y, v) with v' = J(y) v, by a single complex evaluation of the rate.

rate(y + i eps v) = rate(y) + i eps J v + O(eps^2), eps = 1e-100: real part and imaginary part give both rates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.derivative import EPS
from ...kernel.system import dim, project, rate


class Tangent(NamedTuple):
    """A system and a tangent vector that its flow carries along; z and f are complex work arrays."""

    system: Any
    z: Any
    f: Any


@dim.register(Tangent)
def _(s):
    return 2 * dim(s.system)


@rate.register(Tangent)
def _(s, t, y, out):
    n = dim(s.system)
    for i in range(n):
        s.z[i] = complex(y[i], EPS * y[n + i])
    rate(s.system, t, s.z, s.f)
    for i in range(n):
        out[i] = s.f[i].real
        out[n + i] = s.f[i].imag / EPS


@project.register(Tangent)
def _(s, y):
    return project(s.system, y)


def tangent(system: Any) -> Tangent:
    """A system with room for a tangent vector."""
    n = dim(system)
    return Tangent(system, np.empty(n, complex), np.empty(n, complex))
