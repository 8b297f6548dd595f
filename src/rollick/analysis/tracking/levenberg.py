"""Least squares with bounds, by Levenberg's and Marquardt's method, for residuals of variance one.

    (N + l diag N) s = -J^T r,   N = J^T J over the inputs that are free to move

The scale is that of statistics: a step promises to lower the sum of squares by 2 g.s - |J s|^2, and 1 is what one standard error makes. The search ends where no step
promises more than `enough` (times the mean square of the residuals, where the model is wrong and that is above 1). Derivatives cost far more than residuals: they
are kept as long as they predict what is gained, and made anew at the end. Within a standard error of the end steps are taken as they are: motions resolve the sum of squares itself less well than
its derivatives. Where all damped steps drown in that noise, the end is one if an undamped step promises less than a tenth of a standard error.

Where data hardly determine some combination of the inputs, sums of squares are narrow valleys that bend, and straight steps zigzag in them. A step s with fresh derivatives is bent: r'' along it by a
difference of residuals, a with (N + l diag N) a = -J^T r'', and s + a/2 is tried (geodesic acceleration; Transtrum and Sethna, arXiv:1201.5885), as long as a is small beside s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

CLOSE = 1.0  # a promise below which steps are taken as they are
STEPS = 20  # of this kind, at the most
REJECTED = 12  # rejections in a row
RESOLVED = 0.01  # a promise, a tenth of a standard error, that may drown in what the motions resolve of the sum of squares
GOOD = 0.9  # gained over promised: derivatives are kept
FIRST, LEAST = 1e-6, 1e-12  # damping
PART = 0.1  # of a step, over which its bending is measured
BENT = 1.5  # 2 |a|/|s| up to which a step is bent


@dataclass(frozen=True)
class Least:
    """The point, its sum of squares, whether it is a least one, and why the search ended."""

    x: np.ndarray
    cost: float
    status: int
    message: str


def least(
    residuals: Callable[[np.ndarray], np.ndarray],
    jacobian: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    scale: np.ndarray,
    *,
    enough: float = 1e-6,
    most: int = 50,
) -> Least:
    """From x to where |residuals|^2 is least between the bounds; `scale`: sizes of the inputs; `most` Jacobians at the most."""
    x = np.clip(np.array(x, float), low, high)
    r, J = residuals(x), jacobian(x) * scale
    cost, damping, fresh, used, rejected, close, before = float(r @ r), FIRST, True, 1, 0, 0, np.inf
    while True:
        new, free = _step(x, J, J.T @ r, damping, low, high, scale)
        if not free.any():
            return Least(x, cost, 1, "all inputs are at bounds")
        step = (new - x) / scale
        promised = -2.0 * float((J.T @ r) @ step) - float(np.sum((J @ step) ** 2))
        whole = max(promised, _promise(x, J, r, low, high, scale)) if fresh else promised  # what a step without damping promises
        misfit = max(1.0, (cost - promised) / r.size)
        done = not whole > enough * misfit
        if done and (fresh or used >= most):
            return Least(x, cost, 1, "no step lowers the sum of squares")
        # old derivatives lead to a point near the least one, not to it: J^T r = 0 must hold with its own; and they may lead there too slowly
        if not fresh and used < most and (done or (close and promised > 0.25 * before)):
            J, fresh, used, before = jacobian(x) * scale, True, used + 1, np.inf
            continue
        before = promised
        if fresh:
            new = _bent(residuals, x, new, r, J, damping, low, high, scale)
        tried = residuals(new)
        gain = cost - float(tried @ tried)
        near = promised < CLOSE * misfit and gain > -0.5 * promised - 0.1 * misfit and damping <= FIRST
        if near:
            close, damping = close + 1, max(0.01 * damping, LEAST)
            x, r, cost, fresh = new, tried, float(tried @ tried), False
            if close < STEPS:
                continue
            return Least(x, cost, int(promised < 0.1 * misfit), "steps within a standard error no longer shrink")
        if gain > 1e-3 * promised:
            x, r, cost, rejected, fresh = new, tried, float(tried @ tried), 0, False
            good = gain / promised if promised > 0.0 else 0.0
            damping = max(damping * (0.1 if good > 0.75 else 1.0 if good > 0.25 else 4.0), LEAST)
            if good > GOOD:
                continue
        else:
            rejected += 1
            damping = max(20.0 * damping, FIRST) if fresh else damping
            if rejected >= REJECTED:
                resolved = fresh and whole < RESOLVED * misfit
                why = "by more than the motions resolve it" if resolved else "as its derivatives promise"
                return Least(x, cost, int(resolved), f"no step lowers the sum of squares {why}")
            if fresh:
                continue
        if used >= most:
            return Least(x, cost, 0, f"{most} Jacobians were not enough")
        J, fresh, used = jacobian(x) * scale, True, used + 1


def _promise(x: np.ndarray, J: np.ndarray, r: np.ndarray, low: np.ndarray, high: np.ndarray, scale: np.ndarray) -> float:
    """By how much the undamped step, within the bounds, would lower the sum of squares."""
    new, _ = _step(x, J, J.T @ r, 0.0, low, high, scale)
    step = (new - x) / scale
    return -2.0 * float((J.T @ r) @ step) - float(np.sum((J @ step) ** 2))


def _bent(
    residuals: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    new: np.ndarray,
    r: np.ndarray,
    J: np.ndarray,
    damping: float,
    low: np.ndarray,
    high: np.ndarray,
    scale: np.ndarray,
) -> np.ndarray:
    """The end of a step, bent by half the acceleration along it where that is small."""
    step = (new - x) / scale
    along = residuals(x + PART * (new - x))
    bend = 2.0 / PART * ((along - r) / PART - J @ step)
    there, _ = _step(x, J, J.T @ bend, damping, low, high, scale)
    turn, size = (there - x) / scale, np.sqrt(np.sum(J * J, axis=0))
    small = 2.0 * np.linalg.norm(size * turn) <= BENT * np.linalg.norm(size * step)
    if not small:
        return new
    at_bounds = (new <= low) | (new >= high)  # a step that ends at a bound stays there
    return np.where(at_bounds, new, np.clip(new + 0.5 * scale * turn, low, high))


def _step(
    x: np.ndarray, J: np.ndarray, g: np.ndarray, damping: float, low: np.ndarray, high: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The end of the damped step, and which inputs are free: those at a bound that would leave stay.

    The way leads straight to the least point of the inputs that move, or until one of them comes to a bound and stays there; then to the least point of the others, and so on.
    Each piece lowers what the derivatives tell of the sum of squares. (To stop all at once that would pass a bound may raise it.)
    """
    free = ~(((x <= low) & (g > 0.0)) | ((x >= high) & (g < 0.0)))
    step, moving, end = np.zeros(x.size), free.copy(), x.copy()
    while moving.any():
        A = J[:, moving]
        N = A.T @ A
        rest = g[moving] + A.T @ (J[:, ~moving] @ step[~moving])
        aim = step.copy()
        aim[moving] = np.linalg.lstsq(N + damping * np.diag(np.diag(N) + 1e-300), -rest, rcond=1e-14)[0]
        new = x + scale * aim
        passed = moving & ((new < low) | (new > high))
        if not passed.any():
            step = aim
            break
        bound = np.where(new < low, low, high)
        part = np.full(x.size, np.inf)  # of the way, after which a bound is reached
        part[passed] = (bound - x - scale * step)[passed] / (scale * (aim - step))[passed]
        first = max(0.0, float(part.min()))
        here = passed & (part <= first)
        step = step + first * (aim - step)
        end[here], moving[here] = bound[here], False
        step[here] = ((end - x) / scale)[here]
    return np.where(free & ~moving, end, np.clip(x + scale * step, low, high)), free
