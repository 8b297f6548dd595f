"""The three-variable example of extended Filippov systems (Examples 2.9, 2.16, 2.18), and the system that its misprint describes."""

from __future__ import annotations

import numpy as np

from ...kernel.names import InputError
from ...motion.filippov.extended import ExtendedSwitching


def toy(sign: float = -1.0) -> ExtendedSwitching:
    """F = (-x1/rho + x3, sign x2/rho, -x1/rho - x3), rho^2 = x1^2 + x2^2, discontinuous where x1 = x2 = 0.

    sign = -1 is the example: limit directions 0 and pi, R = -1 + x3 cos(phi); attracting sliding for |x3| < 1, crossing beyond,
    F_s = (0, 0, -2 x3). sign = +1 is (2.19) as printed: R = -cos(2 phi) + x3 cos(phi), V = sin(2 phi) - x3 sin(phi); for |x3| < 2 two further
    directions cos(phi) = x3/2 repel, so that orbits cross although a tangent convex combination exists.
    """
    if sign not in (-1.0, 1.0):
        raise InputError(f"sign must be -1 (the example) or +1 (as printed in (2.19)), not {sign!r}.")

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
