"""The slow manifold y = h(x) of a compiled system over a box of slow states, to any order.

It is invariant:  R = g(x, h) - eps h_x f(x, h) = 0.  h is a polynomial on Chebyshev nodes of the box. Order 0 is where the fast rates vanish, g = 0; then

    h <- h - (g_y - eps h_x f_y)^-1 R,

which leaves out only eps f . d/dx of the correction: each step makes R smaller by one order of eps (Fraser's and Roussel's iteration with a local Newton step).
With order=None it goes on until R falls no further (slow manifolds are defined up to exp(-c/eps) only, and the series in eps diverges in general); from there the
collocated equation R = 0 is solved by Newton's method with the term that was left out, all nodes at once. It is kept if it is better. What was reached is always told:
the largest R between the nodes, which knows nothing of how h was found, and how well the polynomial is resolved (`tail`): layers of fast motion across the box are invariant, too, but
not smooth, and of two grids the one without them is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, number, whole
from ...motion.result.outcome import FINISHED
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from .chebyshev_box import ChebyshevBox
from .compiled_split import SystemSplit, of_start
from .iteration import OnGrid, on_grid, residual_at

COUNTS = (6, 9, 13, 19, 28, 42, 63, 95)  # nodes along an axis that are tried
MOST = 40_000  # nodes in all
RESOLVED = 1e-13  # relative: coefficients that are rounding
LONGEST = 60  # iterations


@dataclass(frozen=True, repr=False)
class GridManifold(Result):
    """A slow manifold over a box: `__call__`, `reduced_flow`, `residual`, `growth`; how well it is known is `residuals`, the largest R after each step."""

    has_page = False
    split: SystemSplit
    grid: ChebyshevBox
    h: np.ndarray  # at the nodes (n, nodes)
    order: int
    eps: float
    p: Any
    residuals: list[float]
    growth: np.ndarray  # at the nodes: the largest real part of the eigenvalues of the rates across the manifold; it attracts where that is negative
    gap: float  # the least ratio of a rate across to the rates along it
    tail: float
    newton: int = 0  # how many steps after them solved for all nodes at once
    asked: dict[str, Any] = field(default_factory=dict)
    status: str = FINISHED

    # -- the manifold ---------------------------------------------------------------------------------------------------------------

    def _at(self, x: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[int, ...]]:
        points = self.split.points(x)
        flat = points.reshape(self.split.m, -1)
        h, slopes = self.grid.values(self.grid.coefficients(self.h), self.grid.unit_of(flat, self.split.slow_names))
        return flat, h, slopes, points.shape[1:]

    def __call__(self, x: Any) -> np.ndarray:
        """h, shape (n, points...)."""
        _, h, _, shape = self._at(x)
        return h.reshape(self.split.n, *shape)

    def states(self, x: Any) -> np.ndarray:
        """The states of the system on the manifold, one in each row."""
        flat, h, _, _ = self._at(x)
        return self.split.states(flat, h)

    def reduced_flow(self, x: Any) -> np.ndarray:
        """x' = f(x, h(x)), shape (m, points...)."""
        flat, h, _, shape = self._at(x)
        return self.split.slow_rates(flat, h, self.p, self.eps).reshape(self.split.m, *shape)

    def residual(self, x: Any) -> np.ndarray:
        """R = g(x, h) - eps h_x f(x, h), shape (n, points...)."""
        flat, h, slopes, shape = self._at(x)
        return residual_at(self.split, flat, h, slopes, self.p, self.eps).reshape(self.split.n, *shape)

    @property
    def attracting(self) -> bool:
        """Whether it attracts everywhere over the box."""
        return bool(np.all(self.growth < 0.0))

    def at_eps(self, eps: Any) -> GridManifold:
        """The same for another value of the small number."""
        if self.split.small is None:
            raise InputError("this split has no small number; write SystemSplit(..., small=name).")
        return grid_manifold(self.split, **{**self.asked, "eps": eps})

    def residual_order(self, eps: Sequence[float] = (1e-2, 5e-3, 2.5e-3)) -> tuple[float, np.ndarray]:
        """The slope of log(residual) over log(eps), and the largest residuals: it should be order + 1."""
        values = np.array([number(e, "eps") for e in eps])
        if values.size < 2 or np.any(values <= 0.0):
            raise InputError(f"eps = {eps!r} must be two or more values above zero.")
        sizes = np.array([self.at_eps(float(e)).residuals[-1] for e in values])
        if np.any(sizes <= 0.0):
            return float("inf"), sizes
        return float(np.polyfit(np.log(values), np.log(sizes), 1)[0]), sizes

    # -- as a result -----------------------------------------------------------------------------------------------------------------

    @property
    def system_name(self) -> str:
        """What it is."""
        return f"slow manifold of {called(self.split.system)}"

    @property
    def message(self) -> str:
        """How well it is known."""
        how = f"order {self.order}" + (f" and {self.newton} steps of Newton's method" if self.newton else "")
        return f"{how}, invariance residual {self.residuals[-1]:.2g}, {self.grid.count} nodes along each slow state"

    @property
    def provenance(self) -> dict[str, Any]:
        """System and versions."""
        return {"system": called(self.split.system), "eps": self.eps, "small": self.split.small, **environment()}

    @property
    def data(self) -> Any:
        """The nodes."""
        import xarray as xr

        flow = self.split.slow_rates(self.grid.nodes, self.h, self.p, self.eps)
        rows = dict(zip((*self.split.slow_names, *self.split.fast_names), (*self.grid.nodes, *self.h)))
        rows |= {f"rate_of_{name}": row for name, row in zip(self.split.slow_names, flow)}
        variables = {k: ("node", v) for k, v in {**rows, "growth": self.growth}.items()}
        return xr.Dataset(variables, attrs={"order": self.order, "eps": self.eps, "residual": self.residuals[-1]})

    def own_numbers(self) -> dict[str, Any]:
        """How well it is known."""
        return {
            "slow": list(self.split.slow_names), "fast": list(self.split.fast_names), "box": self.grid.box, "order": self.order,
            "eps": self.eps, "residuals": self.residuals, "attracting": self.attracting, "spectral_gap": self.gap, "nodes": self.grid.count,
            "resolved_to": self.tail,
        }  # fmt: skip

    def summary(self) -> str:
        """In a few lines."""
        word = "attracts" if self.attracting else "repels" if np.all(self.growth > 0.0) else "attracts in a part of the box only"
        small = f"{self.split.small} = {self.eps:g}" if self.split.small else "none"
        lines = [
            self.title,
            f"status   {self.status}: {self.message}",
            f"small    {small}; fast rates are at least {self.gap:.3g} times the slow ones",
            f"it       {word}: growth across it {self.growth.min():.4g} to {self.growth.max():.4g}",
            f"resolved to {self.tail:.1g} by its polynomial",
            "residual "
            + ", ".join(f"{k}: {r:.2g}" for k, r in enumerate(self.residuals[:12]))
            + (", ..." if len(self.residuals) > 12 else ""),
        ]
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """The first fast state (or the named one) over the first slow one, the others in the middle of their ranges; and the residuals."""
        from .manifold_picture import plot_manifold

        return plot_manifold(self, names, path)


def grid_manifold(
    split: SystemSplit,
    near: Any,
    box: Any,
    order: int | None = None,
    eps: Any = None,
    p: Any = None,
    at: Any = None,
    nodes: int | None = None,
) -> GridManifold:
    """The sheet of the slow manifold that passes near the fast states `near` over the slow states `at` (the middle of the box, by default).

    box: rows (least, greatest) for each slow state, or {name: (least, greatest)}. order: how many steps are made after g = 0; None: until the residual falls no
    further. nodes: along each slow state; by default as many as it takes.
    """
    asked = {"near": near, "box": box, "order": order, "eps": eps, "p": p, "at": at, "nodes": nodes}
    given = np.asarray([box[n] for n in split.slow_names] if isinstance(box, dict) and set(box) == set(split.slow_names) else box)
    if given.dtype == object or given.shape != (split.m, 2) or not np.all(given[:, 0] < given[:, 1]):
        raise InputError(f"box = {box!r} must be {split.m} rows (least, greatest), for {', '.join(split.slow_names)}.")
    low_high = given.astype(float)
    begin = low_high.mean(axis=1) if at is None else of_start(split, at, split.slow_names, "at")
    guess = of_start(split, near, split.fast_names, "near")
    value = split.eps if eps is None else number(eps, "eps")
    if not value > 0.0 or (split.small is None and value != 1.0):
        raise InputError(f"eps = {eps!r} must be above zero, and 1 where the split has no small number.")
    steps = LONGEST if order is None else whole(order, "order")
    counts = [whole(nodes, "nodes", 3)] if nodes is not None else [c for c in COUNTS if c**split.m <= MOST]
    best: OnGrid | None = None
    idle = 0  # grids that were no better
    for count in counts:
        found = on_grid(split, ChebyshevBox(low_high, count), begin, guess, steps, order is None, value, p)
        if best is None or found.score < best.score:
            best = found
        idle = idle + 1 if best is not found else 0
        if found.tail < RESOLVED or idle == 2:
            break
    assert best is not None
    f = best
    return GridManifold(split, f.grid, f.h, f.order, value, p, f.residuals, f.growth, f.gap, f.tail, f.newton, asked)
