"""A disk that slips or rolls along a line, held by a spring (Example 2.7): a Filippov system of codimension one."""

from __future__ import annotations

import numpy as np

from ...motion.filippov.points import positive
from ...motion.filippov.switching import Switching


def spring_disk(m: float = 1.0, k: float = 1.0, mu: float = 0.1, g: float = 9.81) -> Switching:
    """x = (w, v, u): position and velocity of the centre, slip. F = (v, -kw/m - mu g sgn u, -kw/m - 3 mu g sgn u) (2.11).

    It rolls, u = 0, while |w| < 3 mu g m/k, with F_s = (v, -2kw/(3m), 0) (2.13).
    """
    for name, value in {"m": m, "k": k, "mu": mu, "g": g}.items():
        positive(value, name)

    def slipping(sign: float):
        def rate(x: np.ndarray) -> np.ndarray:
            pull = -k * x[0] / m
            return np.array([x[1], pull - sign * mu * g, pull - 3.0 * sign * mu * g])

        return rate

    return Switching(slipping(1.0), slipping(-1.0), lambda x: x[2], lambda x: np.array([0.0, 0.0, 1.0]), names=("w", "v", "u"))
