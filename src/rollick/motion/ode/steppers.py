"""The integrators of smooth motions as steppers: how each begins, goes on for a block of steps, and hands over to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...kernel.evaluate import rate_at
from . import control as c
from .block import Block, Tolerance
from .dop853 import ROWS
from .erased import Engine
from .explicit import advance_explicit, first_step

# What the memory of a method that is handed over from must not leave behind.
FORGET = (c.STIFF, c.NOT_STIFF, c.FRESH, c.LAST_STEP, c.LAST_ERROR, c.LAST_REJECTED, c.NORM)


class Explicit:
    """DOP853: order 8, for smooth and moderately oscillating motions."""

    name, order = "dop853", 8
    puts_off = True  # its dense output, see `later`
    advice = "loosen rtol, or try method='radau' if the motion is stiff"

    def __init__(self, engine: Engine, n: int):
        self.engine, self.work = engine, np.zeros((ROWS, n))
        self.rate = self.work[0]

    def advance(self, system: Any, s: np.ndarray, y: np.ndarray, tolerance: Tolerance, block: Block) -> int:
        """A block of steps; why it ended."""
        return advance_explicit(self.engine.for_explicit(), s, y, self.work, tolerance, block)


class Implicit:
    """Radau IIA: order 5, L-stable, for stiff motions."""

    name, order = "radau", 5
    advice = "or loosen rtol"

    def __init__(self, engine: Engine, n: int):
        from .implicit import advance_implicit, radau_work  # not before a motion is stiff

        self.take_steps, self.engine, self.work = advance_implicit, engine, radau_work(n)
        self.rate = self.work.f0

    def advance(self, system: Any, s: np.ndarray, y: np.ndarray, tolerance: Tolerance, block: Block) -> int:
        """A block of steps; why it ended."""
        return self.take_steps(self.engine.for_implicit(), s, y, self.work, tolerance, block)


def begin(kind: Callable[[Engine, int], Any], system: Any, y: np.ndarray, s: np.ndarray, tolerance: Tolerance) -> Any:
    """A stepper at the start of a motion, with the rate there and, in the control record, a first step length."""
    n = y.size
    engine = Engine(system)
    engine.check(y)
    stepper = kind(engine, n)
    t, end = float(s[c.TIME]), float(s[c.END])
    rate_at(engine.erased, t, y, stepper.rate)
    scratch = np.zeros((3, n))
    scratch[0] = stepper.rate
    if np.all(np.isfinite(stepper.rate)) and end != t:
        order, longest = float(stepper.order), float(s[c.MOST_STEP])
        s[c.STEP] = first_step(engine.erased, t, y, end, order, longest, scratch, tolerance.relative, tolerance.absolute)
    s[c.EVALUATIONS] += 2
    return stepper


def hand_over(stepper: Any, s: np.ndarray) -> Any:
    """The other stepper, taking over at the same point."""
    n = stepper.rate.size
    other: Any = (Explicit if isinstance(stepper, Implicit) else Implicit)(stepper.engine, n)
    other.rate[:] = stepper.rate
    s[list(FORGET)] = 0.0
    return other
