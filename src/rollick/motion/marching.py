"""An integration without a record: on and on from one instant to the next, the state in place. For exponents, maps and the like."""

from __future__ import annotations

from typing import Any

import numpy as np

from .methods.smooth import Adaptive, tolerances
from .ode import control as c
from .ode.block import Tolerance, empty_block
from .ode.steppers import begin

BLOCK = 256  # steps between two looks


class Marching:
    """A system on its way from t = 0 towards `end`; `until` goes on to an instant, `y` is the state there and may be changed."""

    def __init__(self, system: Any, y: np.ndarray, end: float, method: Adaptive):
        self.system, self.y = system, y
        self.control = s = np.zeros(c.SIZE)
        s[c.END], s[c.MOST_STEP], s[c.LEFT] = end, method.max_step, 1e9
        self.tolerance = Tolerance(*tolerances(method.rtol, method.atol, y.size, y.size, []))
        self.stepper = begin(method.stepper, system, y, s, self.tolerance)
        self.block = empty_block(BLOCK, y.size, np.empty(0), np.empty((0, y.size)), False, False, False)

    @property
    def t(self) -> float:
        """The time reached."""
        return float(self.control[c.TIME])

    @property
    def rate(self) -> np.ndarray:
        """The rate at the present state, which the next step begins with."""
        return self.stepper.rate

    def until(self, t: float) -> bool:
        """Go on to an instant; whether it was reached."""
        self.control[c.END] = t
        status = c.FULL
        while status == c.FULL:
            status = self.stepper.advance(self.system, self.control, self.y, self.tolerance, self.block)
        return status == c.REACHED
