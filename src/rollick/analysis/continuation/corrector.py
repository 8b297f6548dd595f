"""Newton's method onto a curve, in the plane through a predicted point: F(z) = 0, <row, z - z_predicted> = 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from .bordered import Bordered, Singular

CHORDS = 6  # steps with a derivative that is known already
SURELY = 1e-2  # of tol: what may be left behind the last of these


class NoConvergence(ArithmeticError):
    """A corrector that did not converge; the message says how it failed."""


def correct(
    problem: Any, z: np.ndarray, row: np.ndarray, weights: np.ndarray, tol: float, limit: int
) -> tuple[np.ndarray, np.ndarray, Any, int]:
    """(z, F, F_z, iterations) on the curve: until a step is below tol (in the problem's scales).

    The last step is quadratically small beside the one before, so that what is left is far below tol. A step that doubles twice ends it. Where F alone costs
    much less than F_z (`Problem.quick_residual`), the derivative is kept as long as steps shrink by it at least tenfold.
    """
    z = z.copy()
    size = np.inf
    grew = chords = 0
    for iteration in range(1, limit + 1):
        F, J = problem.evaluate(z)
        if not np.all(np.isfinite(F)):
            raise NoConvergence("the equations are not finite there")
        try:
            matrix = Bordered(J, row)
            step = matrix.solve(-np.append(F, 0.0))
        except Singular as error:
            raise NoConvergence(str(error)) from None
        z += step
        new = float(np.sqrt(np.sum(weights * step * step)))
        if new > tol:
            z, new, more = _with_old_derivative(problem, matrix, z, new, weights, tol)
            chords += more
        if new <= tol:
            F, J = problem.evaluate(z)
            return z, F, J, iteration + chords
        grew = grew + 1 if new > 2.0 * size else 0
        if grew > 1 or not np.isfinite(new):
            raise NoConvergence("Newton's steps grow")
        size = new
    raise NoConvergence(f"Newton's steps are still {size:.2g} after {limit} of them (tol = {tol:g})")


def _with_old_derivative(
    problem: Any, matrix: Bordered, z: np.ndarray, size: float, weights: np.ndarray, tol: float
) -> tuple[np.ndarray, float, int]:
    """Further steps with a known derivative, as long as each is a tenth of the one before: z, the last size (above tol where they ended early), and their number."""
    for count in range(1, CHORDS + 1):
        F = problem.quick_residual(z)
        if F is None or not np.all(np.isfinite(F)):
            break
        step = matrix.solve(-np.append(F, 0.0))
        new = float(np.sqrt(np.sum(weights * step * step)))
        if not new < 0.1 * size:
            break
        z, rate, size = z + step, new / size, new
        if new <= tol and new * rate <= SURELY * tol:
            return z, new, count
    return z, max(size, 2.0 * tol), count - 1
