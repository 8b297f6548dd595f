"""The three-variable example of extended Filippov systems (Examples 2.9, 2.16, 2.18), and the system that its misprint describes.

`toy(sign)` answers what happens at x1 = x2 = 0, `Toy(sign)` is the same field as a system that simulates: "slip" (x1, x2) under the "force"
-(x1, x2)/rho of size one, to which x2 answers with the factor -sign. With sign = +1 that force drives x2 instead of braking it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...analysis.filippov.theory.extended import ExtendedSwitching
from ...kernel.names import InputError
from ...kernel.scalar import sqrt
from ...kernel.system import describe, signals, validate
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load


def check_sign(sign: float) -> None:
    """Refuse what is neither the example nor its misprint."""
    if sign not in (-1.0, 1.0):
        raise InputError(f"sign must be -1 (the example) or +1 (as printed in (2.19)), not {sign!r}.")


def toy(sign: float = -1.0) -> ExtendedSwitching:
    """F = (-x1/rho + x3, sign x2/rho, -x1/rho - x3), rho^2 = x1^2 + x2^2, discontinuous where x1 = x2 = 0.

    sign = -1 is the example: limit directions 0 and pi, R = -1 + x3 cos(phi); attracting sliding for |x3| < 1, crossing beyond,
    F_s = (0, 0, -2 x3). sign = +1 is (2.19) as printed: R = -cos(2 phi) + x3 cos(phi), V = sin(2 phi) - x3 sin(phi); for |x3| < 2 two further
    directions cos(phi) = x3/2 repel, so that orbits cross although a tangent convex combination exists.
    """
    check_sign(sign)

    def of_angle(x: np.ndarray, cos: float, sin: float) -> np.ndarray:
        return np.array([-cos + x[2], sign * sin, -cos - x[2]])

    def field(x: np.ndarray) -> np.ndarray:
        rho = np.sqrt(x[0] * x[0] + x[1] * x[1])
        return of_angle(x, x[0] / rho, x[1] / rho)

    return ExtendedSwitching(
        field,
        lambda x: x[0],
        lambda x: x[1],
        gradients=lambda x: np.eye(2, len(x)),
        limit=lambda x, phi: of_angle(x, np.cos(phi), np.sin(phi)),
        names=("x1", "x2", "x3"),
    )


class Toy(NamedTuple):
    """x' = (-x1/rho + x3, sign x2/rho, -x1/rho - x3), rho^2 = x1^2 + x2^2 (Example 2.9; sign = +1 as printed in (2.19))."""

    sign: float = -1.0


describe(
    Toy,
    {"x1": ("", "it jumps where x1 = x2 = 0"), "x2": ("", "see x1"), "x3": ("", "along the set x1 = x2 = 0")},
    {"rho": ("", "distance from the set x1 = x2 = 0")},
    parameters={"sign": ("", "-1: the example; 1: as printed in (2.19)")},
    plot=("x1", "x2", "x3"),
)


@contact_total.register(Toy)
def _(system):
    return 1


@contact_form.register(Toy)
def _(system, modes, t, y, free, push, c, A, slip):
    zero = 0.0 * y[0]
    free[0], free[1], free[2] = y[2], zero, -y[2]
    push[1, 0], push[1, 1], push[1, 2] = 1.0 + zero, zero, 1.0 + zero
    push[2, 0], push[2, 1], push[2, 2] = zero, -system.sign + zero, zero
    c[1], c[2] = y[2], zero
    A[1, 1], A[1, 2] = 1.0 + zero, zero
    A[2, 1], A[2, 2] = zero, -system.sign + zero
    slip[0], slip[1] = y[0], y[1]


@grip_and_load.register(Toy)
def _(system, t, y, k):
    return 1.0 + 0.0 * y[0], 1.0 + 0.0 * y[0]


@signals.register(Toy)
def _(system, t, y, out):
    out[0] = sqrt(y[0] * y[0] + y[1] * y[1])


@validate.register(Toy)
def _(system):
    check_sign(system.sign)
