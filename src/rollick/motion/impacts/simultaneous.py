"""What several points do that meet the plane at once.

The outcome of a simultaneous impact is a modelling decision, so there are rules to choose from:

"sequential": one impact after the other, always at the point that approaches fastest, until none approaches any more (the thesis, with a
    tolerance below which a velocity counts as zero). The sequence may be infinite; then its limit is taken.
"simultaneous": Newton's law for all at once as a complementarity problem: impulses J >= 0, v+ + gamma v- >= 0, and J_i (v_i+ + gamma v_i-) = 0.
"stop": end there, and say so.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

RULES = ("sequential", "simultaneous", "stop")
MOST = 100_000


def sequential(
    f: np.ndarray, w: np.ndarray, gamma: float, p: np.ndarray, points: list[int], tolerance: float
) -> tuple[np.ndarray, list[tuple[int, np.ndarray, np.ndarray]]]:
    """The velocity after single impacts in turn, and the impacts (point, p before, p after)."""
    p = p.copy()
    made: list[tuple[int, np.ndarray, np.ndarray]] = []
    if not points:
        return p, made
    rounding = 1e-15 * float(np.max(np.abs(f[points]) @ np.abs(p)))
    limit = max(tolerance * float(np.max(np.abs(f[points] @ p))), rounding)
    for _ in range(MOST):
        v = f[points] @ p
        worst = int(np.argmin(v))
        if v[worst] >= -limit:
            break
        before = p.copy()
        p = p - (1.0 + gamma) * v[worst] * w[points[worst]]
        made.append((points[worst], before, p.copy()))
    still = [j for j in points if abs(float(f[j] @ p)) <= limit]
    return at_rest(f, w, p, still), made


def at_rest(f: np.ndarray, w: np.ndarray, p: np.ndarray, points: list[int]) -> np.ndarray:
    """p with the velocities of `points` made zero, by impulses at them; likewise q with their heights."""
    if not points:
        return p
    if len(points) > 2 or (
        len(points) == len(f) and not f[:, 0].any()
    ):  # three corners of a polygon, or both ends of a rod, fix the body
        return np.zeros(3)
    G = f[points] @ w[points].T
    return p - np.linalg.lstsq(G, f[points] @ p, rcond=1e-12)[0] @ w[points]


def complementary(
    f: np.ndarray, theta: np.ndarray, gamma: float, p: np.ndarray, points: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """The velocity after Newton's law for all points at once, and their impulses."""
    change, J = pushed_off(f[points], theta, (1.0 + gamma) * p)
    return p + change, J


def pushed_off(f: np.ndarray, theta: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """dx = Theta^-1 f'J with J >= 0, f (x + dx) >= 0 and J_i f_i.(x + dx) = 0; returns dx and J.

    This is the least |Theta^(-1/2) f'J + Theta^(1/2) x| over J >= 0, a least-squares problem with non-negative unknowns. dx is unique; J is
    not when more points touch than the body has freedoms.
    """
    root = np.sqrt(theta)
    J, _ = nnls((f / root).T, -root * x)
    return (f.T @ J) / theta, J
