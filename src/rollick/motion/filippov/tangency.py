"""Tangencies of a field with a surface: visible, invisible, cusps, by Lie derivatives.

Along an orbit of F, H(t) has the derivatives L_F H = <grad H, F>, L_F^2 H, L_F^3 H. Where the first vanishes, the orbit of the field on
the side H > 0 is *visible* if L_F^2 H > 0 (it is in its own half space before and after) and *invisible* if < 0; on the side H < 0 the other
way round. Where the second vanishes too it is a *cusp* (if the third does not), at which visible turns into invisible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .derivative import Derivative, along

if TYPE_CHECKING:
    from .switching import Switching


class Tangency(NamedTuple):
    """A tangency: its kind (`visible`, `invisible`, `cusp`, `degenerate`), L_F^2 H, L_F^3 H, and the errors of both."""

    kind: str
    second: float
    third: float
    second_error: float
    third_error: float


def lie(system: Switching, x: np.ndarray, side: str, order: int) -> Derivative:
    """The Lie derivative of H of order 1, 2 or 3 along the field of a side."""
    if order == 1:
        return Derivative(np.asarray(system.slope(x) @ system.field(x, side)), 0.0, "complex step")
    return along(lambda z: lie(system, z, side, order - 1).value, x, np.real(system.field(x, side)))


def tangency(system: Switching, x: np.ndarray, side: str, tolerance: float = 1e-7) -> Tangency:
    """The kind of the tangency of a side's field at x, where L_F H = 0.

    L_F^2 H counts as zero if it is smaller than its error or than `tolerance` of its size |F|^2 |D grad H| + |grad H| |DF F|, estimated by the
    derivatives along F of gradient and field.
    """
    second, third = lie(system, x, side, 2), lie(system, x, side, 3)
    field = system.field(x, side)
    bend = along(lambda z: system.slope(z), x, field).value
    turn = along(lambda z: system.field(z, side), x, field).value
    size = np.linalg.norm(bend) * np.linalg.norm(field) + np.linalg.norm(system.slope(x)) * np.linalg.norm(turn)
    values = (float(second.value), float(third.value), second.error, third.error)
    if abs(values[0]) > max(tolerance * float(size), 10.0 * second.error):
        visible = (values[0] > 0.0) == (side == "positive")
        return Tangency("visible" if visible else "invisible", *values)
    if abs(values[1]) > 10.0 * third.error and values[1] != 0.0:
        return Tangency("cusp", *values)
    return Tangency("degenerate", *values)
