"""The integrators behind one interface: how each begins, goes on for a block of steps, and hands over to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import choose
from ...kernel.system import dim, rate
from .control import EVALUATIONS, STEP
from .dop853 import ROWS
from .explicit import advance_explicit, first_step
from .implicit import advance_implicit, radau_work

METHODS = ("auto", "dop853", "radau")


@compiled
def rate_at(system, t, y, out):
    """out = rate(system, t, y), as a compiled function of its own."""
    rate(system, t, y, out)


class Explicit:
    """DOP853: order 8, for smooth and moderately oscillating motions."""

    name, order = "dop853", 8

    def __init__(self, n: int):
        self.work = np.zeros((ROWS, n))
        self.rate = self.work[0]

    advance = staticmethod(advance_explicit)


class Implicit:
    """Radau IIA: order 5, L-stable, for stiff motions."""

    name, order = "radau", 5

    def __init__(self, n: int):
        self.work = radau_work(n)
        self.rate = self.work.f0

    advance = staticmethod(advance_implicit)


def begin(
    name: str, system: Any, t: float, y: np.ndarray, end: float, most: float, control: np.ndarray, rtol: float, atol: np.ndarray
) -> Any:
    """An integrator at the start of a motion, with the rate there and a first step length."""
    name = choose(name, METHODS, "method")
    n = dim(system)
    method = Implicit(n) if name == "radau" else Explicit(n)
    rate_at(system, t, y, method.rate)
    scratch = np.zeros((3, n))
    scratch[0] = method.rate
    if np.all(np.isfinite(method.rate)) and end != t:
        control[STEP] = first_step(system, t, y, end, float(method.order), most, scratch, rtol, atol)
    control[EVALUATIONS] += 2
    return method


def hand_over(method: Any) -> Any:
    """The other integrator, taking over at the same point."""
    n = method.rate.size
    other = Explicit(n) if isinstance(method, Implicit) else Implicit(n)
    other.rate[:] = method.rate
    return other
