"""Newton's method onto a curve, in the plane through a predicted point: F(z) = 0, <row, z - z_predicted> = 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from .bordered import Bordered, Singular


class NoConvergence(ArithmeticError):
    """A corrector that did not converge; the message says how it failed."""


def correct(
    problem: Any, z: np.ndarray, row: np.ndarray, weights: np.ndarray, tol: float, limit: int
) -> tuple[np.ndarray, np.ndarray, Any, int]:
    """(z, F, F_z, iterations) on the curve: until a step is below tol (in the problem's scales).

    The last step is quadratically small beside the one before, so that what is left is far below tol. A step that doubles twice ends it.
    """
    z = z.copy()
    size = np.inf
    grew = 0
    for iteration in range(1, limit + 1):
        F, J = problem.evaluate(z)
        if not np.all(np.isfinite(F)):
            raise NoConvergence("the equations are not finite there")
        try:
            step = Bordered(J, row).solve(-np.append(F, 0.0))
        except Singular as error:
            raise NoConvergence(str(error)) from None
        z += step
        new = float(np.sqrt(np.sum(weights * step * step)))
        if new <= tol:
            F, J = problem.evaluate(z)
            return z, F, J, iteration
        grew = grew + 1 if new > 2.0 * size else 0
        if grew > 1 or not np.isfinite(new):
            raise NoConvergence("Newton's steps grow")
        size = new
    raise NoConvergence(f"Newton's steps are still {size:.2g} after {limit} of them (tol = {tol:g})")
