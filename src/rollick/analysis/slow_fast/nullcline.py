"""Where the fast rates of a compiled system vanish, over many slow states: one sheet of it, followed from a point."""

from __future__ import annotations

import numpy as np

from ...kernel.names import InputError
from .compiled_split import SystemSplit

STEPS = 200  # on the way to the slow states, at most


def solved(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A^-1 b at points: A (n, n, points), b (n, points)."""
    try:
        return np.linalg.solve(np.moveaxis(A, -1, 0), np.moveaxis(b, -1, 0)[..., None])[..., 0].T
    except np.linalg.LinAlgError:
        return np.full_like(b, np.nan)


def _newton(split: SystemSplit, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """y with fast rates zero at points, and where it was found."""
    y = y.copy()
    found = np.zeros(x.shape[1], bool)
    with np.errstate(all="ignore"):
        for _ in range(60):
            rates, J = split.slopes(x, y)
            step = solved(J[split.m :, split.m :], rates[split.m :])
            size, long = np.abs(y).max(axis=0) + 1.0, np.abs(step).max(axis=0)
            y = y - step * np.minimum(1.0, 0.5 * size / np.where(long > 0.0, long, 1.0))
            found = np.all(np.isfinite(y), axis=0) & (long <= 1e-12 * size)
            if found.all() or not np.any(np.isfinite(y)):
                break
    return y, found


def where_fast_rates_vanish(split: SystemSplit, begin: np.ndarray, guess: np.ndarray, x: np.ndarray) -> np.ndarray:
    """h_0 at the nodes: followed from `begin` to each of them, so that the sheet is the same; a fold on the way is refused."""
    y, found = _newton(split, begin[:, None], guess[:, None])
    if not found.all():
        raise InputError(
            f"no point with fast rates zero was found over {_told(split, begin)} near {guess.tolist()}; give other fast states, or another `at`."
        )
    y = np.repeat(y, x.shape[1], axis=1)
    base, done, step = np.repeat(begin[:, None], x.shape[1], axis=1), 0.0, 0.25
    scale = 1.0 + float(np.abs(y).max())
    for _ in range(STEPS):
        part = min(1.0, done + step)
        there = base + (x - base) * part
        _, J = split.slopes(base + (x - base) * done, y)
        sign = np.sign(np.linalg.det(np.moveaxis(J[split.m :, split.m :], -1, 0)))
        after, good = _newton(split, there, y)
        _, J = split.slopes(there, np.where(np.isfinite(after), after, 0.0))
        good &= np.sign(np.linalg.det(np.moveaxis(J[split.m :, split.m :], -1, 0))) == sign
        good &= np.abs(after - y).max(axis=0) <= 0.25 * scale
        if good.all():
            y, done = after, part
            step *= 1.5
            if done >= 1.0:
                return y
        elif step < 1e-3:
            where = there[:, int(np.argmin(good))]
            raise InputError(
                f"the sheet ends on the way from {_told(split, begin)}, before {_told(split, where)}: there is a fold (critical_curve finds it), or it is too steep "
                f"to follow. Give a box on this side of it."
            )
        else:
            step *= 0.5
    raise InputError(f"the sheet from {_told(split, begin)} is too steep to be followed over this box; take a smaller one.")


def _told(split: SystemSplit, x: np.ndarray) -> str:
    return ", ".join(f"{n} = {v:.6g}" for n, v in zip(split.slow_names, x))
