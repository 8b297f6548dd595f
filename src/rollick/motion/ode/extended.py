"""A system with the integrals that it accumulates; systems with columns of derivatives are in `columns`.

Composition by dispatch: a wrapper is a NamedTuple that holds a system and has a `rate` of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
