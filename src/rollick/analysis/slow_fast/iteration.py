"""The iteration that makes a manifold over a grid invariant, one order of eps with each step; and the solution of the collocated equation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, called
from .chebyshev_box import ChebyshevBox
from .compiled_split import SystemSplit
from .nullcline import solved, where_fast_rates_vanish

CHECKS = 200  # points between the nodes
UNKNOWNS = 4000  # that are solved for at once, at most


class OnGrid(NamedTuple):
    """The manifold at the nodes of a grid, and what is known of it (see `invariant.GridManifold`)."""

    grid: ChebyshevBox
    h: np.ndarray
    order: int
    residuals: list[float]
    growth: np.ndarray
    gap: float
    tail: float
    newton: int
    score: float


def residual_at(split: SystemSplit, x: np.ndarray, h: np.ndarray, slopes: np.ndarray, p: Any, eps: float) -> np.ndarray:
    """R = g - eps h_x f at points."""
    used = split.set(p, eps)
    rates = split._rates(x, h)
    return used * (rates[split.m :] - np.einsum("nmk,mk->nk", slopes, rates[: split.m]))


def on_grid(
    split: SystemSplit, grid: ChebyshevBox, begin: np.ndarray, guess: np.ndarray, steps: int, until_best: bool, eps: float, p: Any
) -> OnGrid:
    """The manifold on a grid."""
    m, x = split.m, grid.nodes
    used = split.set(p, eps)
    h = where_fast_rates_vanish(split, begin, guess, x)
    rng = np.random.default_rng(0)
    unit = rng.uniform(-1.0, 1.0, (m, CHECKS))
    between = grid.at(unit)
    pick = rng.choice(x.shape[1], min(4, x.shape[1]), replace=False)
    split.check_others(x[:, pick], h[:, pick])

    def checked(h: np.ndarray) -> float:
        values, slopes = grid.values(grid.coefficients(h), unit)
        return float(np.abs(residual_at(split, between, values, slopes, p, eps)).max())

    _, first, _ = _linear(split, grid, h)
    weight = used * float(np.median(np.abs(first))) * float(np.abs(h).max())

    def score(h: np.ndarray, size: float) -> float:
        """The residual, or what the polynomial does not resolve if that is more: a layer of fast motion can be invariant, too, and is not smooth."""
        return max(size, weight * grid.tail(h))

    residuals, kept, newton = [checked(h)], [h], 0
    for _ in range(steps):
        R, across, _ = _linear(split, grid, h)
        h = h - solved(across, R)
        size = checked(h)
        if not np.all(np.isfinite(h)) or not np.isfinite(size):
            break
        if until_best and size >= 0.5 * residuals[-1] and len(residuals) > 1 and size >= 0.5 * residuals[-2]:
            break
        residuals.append(size)
        kept.append(h)
    if until_best:
        last = int(np.argmin([score(*pair) for pair in zip(kept, residuals)]))
        residuals, kept = residuals[: last + 1], kept[: last + 1]
        for _ in range(8 if kept[-1].size <= UNKNOWNS else 0):
            step = _all_at_once(split, grid, kept[-1])
            sizes = [checked(kept[-1] - part * step) if np.all(np.isfinite(step)) else np.inf for part in (1.0, 0.5, 0.2)]
            best = int(np.argmin(sizes))
            h = kept[-1] - (1.0, 0.5, 0.2)[best] * step
            if not (sizes[best] < 0.9 * residuals[-1] and score(h, sizes[best]) <= score(kept[-1], residuals[-1])):
                break
            residuals.append(sizes[best])
            kept.append(h)
            newton += 1
    elif len(residuals) <= steps:
        raise InputError(
            f"the slow manifold of {called(split.system)} grows without bound after {len(residuals) - 1} of {steps} steps: it is not invariant to that order over this box "
            f"(a fold, or no gap between fast and slow). Take a lower order, a smaller box, or order=None."
        )
    h = kept[-1]
    growth, gap = _rates_across(split, grid, h)
    split.set(p, used if split.small is not None else None)
    return OnGrid(grid, h, len(residuals) - 1 - newton, residuals, growth, gap, grid.tail(h), newton, score(h, residuals[-1]))


def _linear(split: SystemSplit, grid: ChebyshevBox, h: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """At the nodes: R/eps (n, nodes), its derivative by h there (n, n, nodes), and the slow rates (m, nodes)."""
    m = split.m
    rates, J = split.slopes(grid.nodes, h)
    slopes = grid.slopes(h)
    R = rates[m:] - np.einsum("nmk,mk->nk", slopes, rates[:m])
    return R, J[m:, m:] - np.einsum("nmk,mjk->njk", slopes, J[:m, m:]), rates[:m]


def _all_at_once(split: SystemSplit, grid: ChebyshevBox, h: np.ndarray) -> np.ndarray:
    """The correction d with (g_y - h_x f_y) d - f . d_x = R at all nodes."""
    R, across, flow = _linear(split, grid, h)
    n, nodes = h.shape
    along = np.zeros((nodes, nodes))
    for l in range(split.m):
        factors = [grid.D if k == l else np.eye(grid.count) for k in range(split.m)]
        D = factors[0]
        for factor in factors[1:]:
            D = np.kron(D, factor)
        along += flow[l][:, None] * D / grid.half[l]
    big = -np.kron(np.eye(n), along)
    for i in range(n):
        for j in range(n):
            big[i * nodes : (i + 1) * nodes, j * nodes : (j + 1) * nodes] += np.diag(across[i, j])
    try:
        return np.linalg.solve(big, R.ravel()).reshape(n, nodes)
    except np.linalg.LinAlgError:
        return np.full_like(h, np.nan)


def _rates_across(split: SystemSplit, grid: ChebyshevBox, h: np.ndarray) -> tuple[np.ndarray, float]:
    """The largest real parts of eigenvalues across the manifold at the nodes, and the least ratio of rates across to rates along."""
    m = split.m
    _, J = split.slopes(grid.nodes, h)
    slopes = grid.slopes(h)
    across = np.moveaxis(J[m:, m:] - np.einsum("nmk,mjk->njk", slopes, J[:m, m:]), -1, 0)
    along = np.moveaxis(J[:m, :m] + np.einsum("mnk,nlk->mlk", J[:m, m:], slopes), -1, 0)
    fast, slow = np.linalg.eigvals(across), np.linalg.eigvals(along)
    with np.errstate(divide="ignore"):
        ratio = np.abs(fast).min(axis=1) / np.abs(slow).max(axis=1)
    return fast.real.max(axis=1), float(ratio.min())
