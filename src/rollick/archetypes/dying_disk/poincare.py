"""Stability of self-similar motion with gravity: the map from impact to impact, turned back and scaled (section 4.2.3, appendix B.2).

    C-bar: (p, q) -> (R^-1 p_b/|p_b|, R^-1 q_b/|p_b|^2),   p_b = U_0 p + a t,   q_b = q + U_0 p t + a t^2/2                   (4.32)
    t = [-f_1.U_0 p - sqrt((f_1.U_0 p)^2 - 2 (f_1.a)(f_1.q))]/(f_1.a)                                        (4.33) corrected (E11)

Its image obeys f_0.q = 0 and |p| = 1, so two of the six eigenvalues of its Jacobian are zero and four are left. Without rebound the point
hit before stays in contact, f_{n-1}.q = 0 and f_{n-1}.p = 0, so four are zero and two are left (E12).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.derivative import jacobian
from .disk import Disk, acceleration, functionals, impact, rotation
from .selfsimilar import SelfSimilar, rolling_down


def cbar(state: np.ndarray, d: Disk, a: np.ndarray) -> np.ndarray:
    """C-bar of (p, q); takes complex numbers."""
    p, q = state[:3], state[3:]
    f1, Rt = functionals(d)[1], rotation(d).T
    after = impact(d) @ p
    v, h, b = f1 @ after, f1 @ q, f1 @ a
    t = (-v - np.sqrt(v * v - 2.0 * b * h)) / b
    pb, qb = after + a * t, q + after * t + 0.5 * a * t * t
    square = pb @ pb
    return np.concatenate([Rt @ pb / np.sqrt(square), Rt @ qb / square])


@dataclass(frozen=True)
class Stability:
    """The eigenvalues of C-bar at a self-similar motion (those that are not zero by construction, largest first), and how well it is fixed."""

    motion: SelfSimilar
    eigenvalues: np.ndarray
    zeros: np.ndarray  # moduli of the eigenvalues that are zero in theory
    residual: float  # |C-bar(x) - x|

    @property
    def growth(self) -> float:
        """The largest modulus: the factor of a perturbation per impact."""
        return float(np.abs(self.eigenvalues[0]))

    @property
    def stable(self) -> bool:
        """Whether every perturbation dies out."""
        return self.growth < 1.0


def stability(motion: SelfSimilar) -> Stability:
    """The spectrum of the Jacobian of C-bar at a self-similar motion with gravity, by complex step."""
    d, a = motion.disk, acceleration(motion.disk, motion.g)
    size = float(np.linalg.norm(motion.p))
    fixed = np.concatenate([motion.p / size, motion.q / size**2])
    values = np.linalg.eigvals(jacobian(cbar, fixed, d, a))
    values = values[np.argsort(-np.abs(values), kind="stable")]
    left = 2 if d.gamma == 0.0 else 4
    residual = float(np.max(np.abs(cbar(fixed, d, a) - fixed)) / np.max(np.abs(fixed)))
    return Stability(motion, values[:left], np.abs(values[left:]), residual)


def growth(d: Disk) -> float:
    """The factor of perturbations per impact; nan where no self-similar motion with gravity exists."""
    motion = rolling_down(d)
    return float("nan") if motion is None else stability(motion).growth
