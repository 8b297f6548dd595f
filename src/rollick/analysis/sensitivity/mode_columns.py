"""What a system with a `contact_form` owes to a parameter along its modes: `motion.filippov.saltation` with the parameter as one more state.

Inside a mode (w, 1)' = [[J, f_p], [0, 0]] (w, 1), f_p by complex step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from ...kernel.derivative import EPS
from ...kernel.names import InputError, called
from ...motion.filippov.algebra.code import contact_code
from ...motion.filippov.algebra.forces import ROLL
from ...motion.filippov.by_address import ReadyForm
from ...motion.filippov.memory import LOG_STATE, LOG_TIME
from ...motion.filippov.saltation import DIFFERENCE, ModesTransition
from ...motion.filippov.systems.mode import FilippovMode
from .columns import ComplexRate
from .tilt import moved, tilted

HELD = 1e-9  # relative: slip at the start that a change of the input would make, in a contact that rolls


class OwedToInput:
    """What a system with dry contacts owes to a parameter: f_p in a mode, and its form at parameters a little to either side."""

    def __init__(self, system: Any, direction: Mapping[str, float]):
        self.system, self.direction, self.tilted = system, direction, tilted(system, direction)
        self._near = [ReadyForm(moved(system, direction, sign * DIFFERENCE)) for sign in (1.0, -1.0)]
        self.above, self.below = (ready.form for ready in self._near)
        self._rates: dict[tuple[int, int], ComplexRate] = {}

    def __call__(self, modes: tuple[int, int], t: float, y: np.ndarray) -> np.ndarray:
        """f_p."""
        try:
            if modes not in self._rates:
                self._rates[modes] = ComplexRate(FilippovMode(self.tilted, modes, contact_code()))
            return self._rates[modes](t, y.astype(complex)).imag / EPS
        except (NumbaError, TypeError):
            raise InputError(
                f"the contact form of {called(self.system)} does not take complex parameters (it compares them, or stores them among real numbers), so that it "
                f"has no sensitivities to {', '.join(self.direction)}; write it with the functions of rollick.kernel. Those to the start can be had."
            ) from None


class FormColumns(ModesTransition):
    """The transition of a motion, with a parameter if there is a direction."""

    def __init__(self, stepper: Any, dense: tuple[np.ndarray, np.ndarray, np.ndarray], direction: Mapping[str, float]):
        super().__init__(stepper, *dense, OwedToInput(stepper.system, direction) if direction else None)

    def over(self, i: int, v: np.ndarray) -> tuple[np.ndarray, Any]:
        """A column over a step."""
        behind, dt = super().over(i, v[:, 0])
        return behind[:, None], dt

    def begun(self) -> np.ndarray:
        """The start takes nothing away: `check_start` refuses what it would."""
        return np.eye(self.m)

    def around(self, i: int) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
        """(t, y, f+, y, f+) of the change of mode that ends a step, if one does: the state goes on."""
        row = self.ends[i]
        if row is None:
            return None
        y, f = row[LOG_STATE:].copy(), self.new_rate(row)[: self.n]
        return float(row[LOG_TIME]), y, f, y, f

    def check_start(self, v: np.ndarray) -> None:
        """Refuse a change of the start that would make a contact slip that rolls: one side slips one way, the other side the other."""
        y, t, modes = self.states[0], float(self.times[0]), self.after(self.changes[0])
        for k in range(self.stepper.count):
            if modes[k] == ROLL:
                slope = self.slope(self.slip(modes, k), t, y)
                size = float(np.abs(slope[:, : self.n]).max() * np.abs(v[: self.n]).max())
                if np.abs((slope @ v)[: self.form.size]).max() > HELD * max(1.0, size):
                    raise InputError(
                        f"contact {k} of {called(self.stepper.system)} rolls at the start, and would slip if this input changed: one way if it grew, the other "
                        f"way if it shrank. That has no derivative; start with some slip, or ask for other inputs."
                    )
