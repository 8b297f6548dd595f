"""The slow manifold y = h(x, eps) = h_0(x) + eps h_1(x) + ... to any order.

It is invariant:  g(x, h, eps) = eps h_x f(x, h, eps).  At a point x0 all unknowns are polynomials in (x - x0, eps) up to the total degree K + D; the equation is solved
in Taylor arithmetic by y <- y - A^-1 (g - eps y_x f), A = g_y(x0, h_0, 0). Each step makes the coefficients right up to one more level deg(x) + 2 deg(eps), since eps y_x
loses one power of x and wins one of eps: after 2 (K + D) + 1 steps all are exact, with derivatives of h_k up to the order K + D - k. No grid, no differences.
Points may be complex: complex steps pass through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ...kernel.names import InputError, array_of, called, number, whole
from ..taylor import Series, as_series, variables
from .compiled_split import SystemSplit
from .critical import on_critical_manifold
from .invariant import GridManifold, grid_manifold
from .split import SlowFast, as_list

STEPS = 24  # on the way from `at`, if not more are needed
SHORTEST = 1e-4  # of such a step
JUMP = 0.25  # of 1 + |y|: what the fast states may change in one of them


@dataclass(frozen=True)
class SlowManifold:
    """The sheet of the slow manifold on which the fast states are near `near`, to an order in eps."""

    system: SlowFast
    near: np.ndarray
    order: int
    p: Any = None
    at: np.ndarray | None = None  # slow states over which the fast ones are near `near`

    # -- coefficients -----------------------------------------------------------------------------------------------------------------

    def _series(self, x: np.ndarray, degree: int, p: Any) -> list[Series]:
        """y as polynomials in (x - x0, eps)."""
        s = self.system
        y0, found = on_critical_manifold(s, x, self._guess(x, p), p)
        if not np.all(found):
            k = int(np.argmin(found.ravel()))
            raise InputError(
                f"there is no critical manifold over {', '.join(f'{n} = {v.real:.6g}' for n, v in zip(s.slow_names, x.reshape(s.m, -1)[:, k]))} near "
                f"{self.near.tolist()}: beyond a fold, or another sheet. Give other slow states, or fast states nearer to the sheet."
            )
        A = np.moveaxis(s.fast_slopes(x, y0, p), (0, 1), (-2, -1))
        if np.any(np.abs(np.linalg.det(A)) < 1e-12 * np.abs(A).max(axis=(-2, -1)) ** s.n):
            raise InputError("the critical manifold has a fold there (g_y is singular): there is no slow manifold over it.")
        inverse = np.moveaxis(np.linalg.inv(A), (-2, -1), (0, 1))
        dx = variables(x, degree, more=1)
        eps = dx[s.m]
        dx = dx[: s.m]
        y = [as_series(row, dx[0]) for row in y0]
        for _ in range(2 * degree + 1):
            f = as_list(s.call(s.slow, s.m, dx, y, p, eps), dx[0])
            g = as_list(s.call(s.fast, s.n, dx, y, p, eps), dx[0])
            residual = [g[i] - eps * _sum([y[i].derivative(k) * f[k] for k in range(s.m)]) for i in range(s.n)]
            y = [y[i] - _sum([residual[j] * inverse[i, j] for j in range(s.n)]) for i in range(s.n)]
        return y

    def _guess(self, x: np.ndarray, p: Any) -> np.ndarray:
        """Fast states from which Newton's method begins: `near`, or those of the sheet followed from `at` to x in steps without a jump."""
        if self.at is None:
            return self.near
        s = self.system
        begin = self.at.reshape(s.m, *(1,) * (x.ndim - 1))
        y, found = on_critical_manifold(s, self.at, self.near, p)
        if not found:
            raise InputError(
                f"no point of the critical manifold was found over at = {self.at.tolist()} near {self.near.tolist()}."
            )
        y = np.broadcast_to(y.reshape(s.n, *(1,) * (x.ndim - 1)), (s.n, *x.shape[1:]))
        sign = np.sign(np.linalg.det(np.moveaxis(s.fast_slopes(self.at, y.reshape(s.n, -1)[:, 0], p), (0, 1), (-2, -1))))
        gone, step = 0.0, 1.0 / STEPS  # parts of the way
        while gone < 1.0:
            to = min(1.0, gone + step) if gone + step < 1.0 - 1e-12 else 1.0
            states = begin + (x - begin) * to
            after, found = on_critical_manifold(s, states, y, p)
            turned = np.sign(np.linalg.det(np.moveaxis(s.fast_slopes(states, after, p), (0, 1), (-2, -1))).real) != sign
            bad = ~found | turned | (np.abs(after - y).max(axis=0) > JUMP * (1.0 + np.abs(y).max(axis=0)))
            if not np.any(bad):
                y, gone, step = after, to, min(2.0 * step, 1.0 / STEPS)
            elif step > SHORTEST / STEPS:  # steep, or the end: a shorter step tells
                step *= 0.5
            else:
                where = states.reshape(s.m, -1)[:, int(np.argmax(bad.ravel()))].real
                raise InputError(
                    f"the sheet ends on the way from {self.at.tolist()}, before {', '.join(f'{n} = {v:.6g}' for n, v in zip(s.slow_names, where))}: there is a "
                    f"fold (critical_curve finds it), or it is too steep to follow. Give slow states on this side of it."
                )
        return y

    def terms(self, x: Any, p: Any = None) -> np.ndarray:
        """h_0, h_1, ... up to the order, at slow states x (m, points...): shape (order + 1, n, points...)."""
        x = self.system.points(x)
        y = self._series(x, self.order, self.p if p is None else p)
        zero = (0,) * self.system.m
        return np.array([[yi.part(*zero, k) for yi in y] for k in range(self.order + 1)])

    def __call__(self, x: Any, eps: float, p: Any = None) -> np.ndarray:
        """h, shape (n, points...)."""
        terms = self.terms(x, p)
        return sum(term * eps**k for k, term in enumerate(terms))  # type: ignore[return-value]

    # -- what follows from it -----------------------------------------------------------------------------------------------------------

    def reduced_flow(self, x: Any, eps: float, p: Any = None) -> np.ndarray:
        """x' = f(x, h(x, eps), eps): the motion on the manifold, shape (m, points...)."""
        states = self.system.points(x)
        q = self.p if p is None else p
        return self.system.slow_rates(states, self(states, eps, q), q, eps)

    def residual(self, x: Any, eps: float, p: Any = None) -> np.ndarray:
        """g(x, h, eps) - eps h_x f(x, h, eps) of the sum up to the order, shape (n, points...): of order eps^(order + 1)."""
        s, states = self.system, self.system.points(x)
        q = self.p if p is None else p
        y = self._series(states, self.order + 1, q)
        zero = [0] * s.m
        h = sum(np.array([yi.part(*zero, k) for yi in y]) * eps**k for k in range(self.order + 1))
        slopes = np.empty((s.n, s.m, *states.shape[1:]), dtype=h.dtype)  # type: ignore[union-attr]
        for l in range(s.m):
            one = list(zero)
            one[l] = 1
            slopes[:, l] = sum(np.array([yi.part(*one, k) for yi in y]) * eps**k for k in range(self.order + 1))
        f = s.slow_rates(states, h, q, eps)  # type: ignore[arg-type]
        return s.fast_rates(states, h, q, eps) - eps * np.einsum("il...,l...->i...", slopes, f)  # type: ignore[arg-type]

    def residual_order(self, x: Any, eps: Any = (1e-2, 5e-3, 2.5e-3), p: Any = None) -> tuple[float, np.ndarray]:
        """The slope of log(residual) over log(eps), and the largest residuals: it should be order + 1."""
        values = np.array([number(e, "eps") for e in eps])
        if values.size < 2 or np.any(values <= 0.0):
            raise InputError(f"eps = {eps!r} must be two or more values above zero.")
        sizes = np.array([float(np.abs(self.residual(x, float(e), p)).max()) for e in values])
        if np.any(sizes <= 0.0):
            return float("inf"), sizes
        return float(np.polyfit(np.log(values), np.log(sizes), 1)[0]), sizes


def _sum(terms: list[Series]) -> Series:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


@overload
def slow_manifold(
    system: SlowFast,
    near: Any,
    order: int | None = 1,
    p: Any = None,
    at: Any = None,
    *,
    box: Any = None,
    eps: Any = None,
    nodes: int | None = None,
) -> SlowManifold: ...


@overload
def slow_manifold(
    system: SystemSplit,
    near: Any,
    order: int | None = 1,
    p: Any = None,
    at: Any = None,
    *,
    box: Any = None,
    eps: Any = None,
    nodes: int | None = None,
) -> GridManifold: ...


def slow_manifold(
    system: SlowFast | SystemSplit,
    near: Any,
    order: int | None = 1,
    p: Any = None,
    at: Any = None,
    *,
    box: Any = None,
    eps: Any = None,
    nodes: int | None = None,
) -> SlowManifold | GridManifold:
    """The sheet of the slow manifold with the fast states near `near`, to an order in eps: a `SlowManifold` of formulas, a `GridManifold` of a compiled system.

    With `at`, slow states, the sheet is the one that passes near (at, near): it is followed from there to wherever it is asked for, and a fold on the way is refused by name.
    Without, it is at each point the sheet that Newton's method finds from `near`: enough where there is one sheet only.

    A compiled system (`SystemSplit`) is told the `box` of slow states, {name: (least, greatest)}; eps is the system's own unless it is given, `at` is the middle of the box, and
    order=None goes on until the residual falls no further.
    """
    if isinstance(system, SystemSplit):
        if box is None:
            raise InputError(
                "the slow manifold of a compiled system is had over a box of slow states; give box={name: (least, greatest), ...}."
            )
        return grid_manifold(system, near, box, order, eps, p, at, nodes)
    if not (box is None and eps is None and nodes is None) or order is None:
        raise InputError(
            "box, eps, nodes and order=None are for compiled systems (SystemSplit); formulas are told eps where their manifold is asked for."
        )
    if not isinstance(system, SlowFast):
        raise InputError(
            f"slow_manifold takes a split into slow and fast states, SlowFast(...) or SystemSplit(...), not {called(system)}."
        )
    y = array_of(near, "near").reshape(-1)
    if y.size != system.n:
        raise InputError(
            f"near = {near!r} must be the {system.n} fast states {', '.join(system.fast_names)} of a point near the sheet."
        )
    where = None if at is None else np.asarray(at, float).reshape(-1)
    if where is not None and where.size != system.m:
        raise InputError(
            f"at = {at!r} must be the {system.m} slow states {', '.join(system.slow_names)} of a point of the sheet."
        )
    return SlowManifold(system, y, whole(order, "order"), p, where)
