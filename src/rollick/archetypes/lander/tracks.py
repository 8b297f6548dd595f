"""Many flights, cheaply: fixed steps of DOP853 on the equations of `equations`, the wheel's stops found within a step.

`modes` is the lander with its wheel turning backward, held, and forward: one machine code serves all three. A step in which the wheel
stops (or breaks away from its bearing) is cut at that moment, which is found by the regula falsi on the length of the step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.system import project, rate
from ...motion.ode.dop853 import NEW, ROWS, dop853_step
from .equations import accelerations
from .lander import BACKWARD, FORWARD, HELD, Lander

SUBSTEPS = 2  # steps of integration per second: directions good to 2e-9 over 45 min at 0.7 rad/s, to 3e-7 at 1.5 rad/s


def modes_of(lander: Lander) -> tuple[Lander, Lander, Lander]:
    """The lander with its wheel turning backward, held, forward."""
    return lander._replace(sense=BACKWARD), lander._replace(sense=HELD), lander._replace(sense=FORWARD)


@compiled
def margin(modes, mode, y):
    """Positive as long as the wheel goes on as it does: its speed in its own sense, or what is left of the dry friction that holds it."""
    if mode == 1:
        _, _, torque = accelerations(modes[1], (y[4], y[5], y[6]), y[7])
        return modes[1].mu_0 - abs(torque)
    return y[7] if mode == 2 else -y[7]


@compiled
def mode_of(modes, y):
    """How a free wheel goes on from a state: 0 backward, 1 held, 2 forward (6.9)."""
    if y[7] != 0.0:
        return 2 if y[7] > 0.0 else 0
    _, _, torque = accelerations(modes[1], (y[4], y[5], y[6]), y[7])
    if abs(torque) <= modes[1].mu_0:
        return 1
    return 0 if torque > 0.0 else 2


@compiled
def advance_wheel(modes, mode, driven, y, h, k, unit):
    """Advance y in place by the time h (negative: backward, without stops), through stops of the wheel; the mode at the end.

    k and unit are work space: ROWS rows of 8, and 8 ones.
    """
    left = h
    for _ in range(100):
        system = modes[mode]
        rate(system, 0.0, y, k[0])
        dop853_step(system, 0.0, y, left, k, 0.0, unit)
        done = driven or h < 0.0 or margin(modes, mode, k[NEW]) >= 0.0
        if not done:  # cut the step where the margin is zero
            low, high = 0.0, left
            at_low, at_high = max(margin(modes, mode, y), 0.0), margin(modes, mode, k[NEW])
            cut = high
            for _ in range(80):
                if high - low <= 1e-13 * left:
                    break
                cut = low + (high - low) * at_low / (at_low - at_high) if at_low > 0.0 else 0.5 * (low + high)
                cut = min(max(cut, low + 1e-3 * (high - low)), high - 1e-3 * (high - low))
                dop853_step(system, 0.0, y, cut, k, 0.0, unit)
                found = margin(modes, mode, k[NEW])
                if found > 0.0:
                    low, at_low = cut, found
                    at_high *= 0.5
                else:
                    high, at_high = cut, found
                    at_low *= 0.5
            left -= cut
        for i in range(8):
            y[i] = k[NEW, i]
        project(system, y)
        if done:
            return mode
        y[7] = 0.0
        if mode == 1:
            _, _, torque = accelerations(modes[1], (y[4], y[5], y[6]), 0.0)
            mode = 0 if torque > 0.0 else 2
        else:
            mode = mode_of(modes, y)
    return mode


@compiled
def follow(modes, driven, y, h, substeps, out, k, unit):
    """The states at 0, h, 2 h, ... (the rows of `out`), from y, which becomes the last of them."""
    mode = 1 if driven else mode_of(modes, y)
    for i in range(8):
        out[0, i] = y[i]
    for row in range(1, out.shape[0]):
        for _ in range(substeps):
            mode = advance_wheel(modes, mode, driven, y, h / substeps, k, unit)
        for i in range(8):
            out[row, i] = y[i]


def workspace() -> tuple[np.ndarray, np.ndarray]:
    """Work space for one thread."""
    return np.zeros((ROWS, 8)), np.ones(8)


def states_along(lander: Lander, y: Any, h: float, count: int, motor: bool = False, substeps: int | None = None) -> np.ndarray:
    """The states (count + 1, 8) at 0, h, ..., count h; h may be negative while the wheel spins."""
    steps = max(1, int(np.ceil(abs(h) * SUBSTEPS))) if substeps is None else substeps
    out = np.empty((count + 1, 8))
    k, unit = workspace()
    follow(modes_of(lander), motor, np.array(y, float), float(h), steps, out, k, unit)
    return out


def suns(states: np.ndarray) -> np.ndarray:
    """The directions of the Sun in the lander frame, from states."""
    w, x, y, z = states[..., 0], states[..., 1], states[..., 2], states[..., 3]
    return np.stack([2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)], axis=-1)


def axes(states: np.ndarray) -> np.ndarray:
    """The lander's z axis in the solar frame, from states."""
    w, x, y, z = states[..., 0], states[..., 1], states[..., 2], states[..., 3]
    return np.stack([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)], axis=-1)
