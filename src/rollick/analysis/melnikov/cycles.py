"""Limit cycles of x' = f0(x) + eps f1(x, p) for small eps: which closed orbits of the limit survive, for a whole branch from one quadrature.

Along a closed orbit H = h the perturbation changes H by eps I(h, p), I = int grad H . f1 dt over one period (Pontryagin). A limit cycle is a zero of I; p(h) is the
branch. Its multiplier is 1 + eps dI/dh + O(eps^2),

    dI/dh = int (div f1 - f1 . grad rho / rho) dt,     f0 = rho J grad H,

so that folds of the branch, dp/dh = -I_h/I_p = 0, and changes of stability are the same thing. At the centre the branch begins in a Hopf point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...kernel.names import InputError, number, whole
from ...motion.result.outcome import FINISHED
from ...motion.result.protocol import Result
from ..rates import Formula
from .family import Family
from .limit import HamiltonianLimit, two_values


@dataclass(frozen=True)
class Cycle:
    """One limit cycle at leading order: the orbit s, H, the parameter, its period, and dI/dh; stable for eps > 0 where that is negative."""

    s: float
    h: float
    p: float
    period: float
    slope: float

    @property
    def exponent(self) -> float:
        """Of Floquet, per eps."""
        return self.slope / self.period


class CycleEquations:
    """I(s, p), its derivative with respect to h, and the period, of a family of orbits."""

    def __init__(self, family: Family, perturbation: Callable):
        self.family = family
        self.f1 = Formula(perturbation, 2, "the perturbation")
        if self.f1.arguments > 2:
            raise InputError(
                "the perturbation depends on time: closed orbits under it are resonances, not a branch over H. Give f1(x, p)."
            )
        limit = family.limit
        limit.check(family.states(family.r[[0, family.seen // 2]], family.theta).reshape(2, -1), family.reference)

    def change(self, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """I."""
        work = lambda x, q: np.einsum("ikn,ikn->kn", self.family.limit.gradient(x), self.f1(x, q))[None]
        return self.family.integrate(s, p, work)[0][0]

    def numbers(self, s: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(dI/dh, period, error of dI/dh)."""
        limit = self.family.limit

        def what(x: np.ndarray, q: Any) -> np.ndarray:
            divergence = np.einsum("iikn->kn", self.f1.slopes(x, q)) - np.einsum(
                "ikn,ikn->kn", self.f1(x, q), limit.density_slope(x, q)
            )
            return np.stack([divergence, np.ones_like(divergence)])

        values, errors = self.family.integrate(s, p, what)
        return values[0], values[1], errors[0]

    def parameter(self, s: np.ndarray, between: tuple[float, float]) -> np.ndarray:
        """p with I(s, p) = 0 for each orbit, by secants: at once where p enters linearly."""
        s = np.atleast_1d(np.asarray(s, float))
        p, q = np.full(s.size, between[0]), np.full(s.size, between[1])
        f, g = self.change(s, p), self.change(s, q)
        size = np.maximum(np.abs(f), np.abs(g))
        for _ in range(40):
            there = np.abs(g) <= 3e-15 * size
            flat = there | (g == f)
            if np.any(flat & (np.abs(g) > 1e-13 * size)):
                k = int(np.argmax(flat & ~there))
                raise InputError(
                    f"I does not depend on the parameter on the orbit s = {s[k]:.6g}: no branch of limit cycles over it. Does f1 contain p?"
                )
            step = np.where(flat, 0.0, g * (q - p) / np.where(flat, 1.0, g - f))
            p, f, q = q, g, q - step
            if np.all(np.abs(step) <= 1e-13 * np.maximum(1.0, np.abs(q))):
                return q
            g = self.change(s, q)
        late = np.abs(step) > 1e-9 * np.maximum(1.0, np.abs(q))
        if np.any(late):
            raise InputError(
                f"the parameter of the limit cycle s = {s[int(np.argmax(late))]:.6g} was not found from p = {between[0]:g} and {between[1]:g}; "
                f"give two values nearer to where the cycles are."
            )
        return q


@dataclass(frozen=True, repr=False)
class CycleBranch(Result):
    """A branch of limit cycles at leading order in eps: arrays over the orbits s; the Hopf point it begins in; its folds."""

    has_page = False
    equations: CycleEquations
    between: tuple[float, float]
    s: np.ndarray
    h: np.ndarray
    p: np.ndarray
    period: np.ndarray
    slope: np.ndarray
    unresolved: np.ndarray  # orbits so near to the outermost one that their nodes are too few
    hopf: Cycle
    criticality: float  # dp/dh at the Hopf point
    folds: list[Cycle]
    name: str = "p"
    status: str = FINISHED

    @property
    def message(self) -> str:
        """What was done."""
        told = f"{self.s.size} closed orbits"
        return told + (
            f", of which {np.count_nonzero(self.unresolved)} next to the edge are not resolved to all digits"
            if self.unresolved.any()
            else ""
        )

    @property
    def stable(self) -> np.ndarray:
        """Whether a cycle is stable for small eps > 0; for eps < 0 it is the other way round."""
        return self.slope < 0.0

    def cycle(self, s: float) -> Cycle:
        """The limit cycle through the orbit s, computed anew."""
        where = np.array([number(s, "s")])
        p = self.equations.parameter(where, self.between)
        slope, period, _ = self.equations.numbers(where, p)
        return Cycle(float(s), float(self.equations.family.level(where)[0]), float(p[0]), float(period[0]), float(slope[0]))

    def cycles_at(self, p: float) -> list[Cycle]:
        """All limit cycles at a parameter."""
        value = number(p, self.name)
        off = self.p - value
        found = []
        for k in np.flatnonzero(off[:-1] * off[1:] < 0.0):
            f = lambda s: float(self.equations.parameter(np.array([s]), self.between)[0]) - value
            found.append(self.cycle(float(brentq(f, self.s[k], self.s[k + 1], xtol=1e-13))))
        return found

    def orbit(self, s: float) -> np.ndarray:
        """States of the orbit s, (2, points), closed."""
        family = self.equations.family
        x = family.nodes(np.array([number(s, "s")]))[0].x[:, 0]
        return np.append(x, x[:, :1], axis=1)

    @property
    def system_name(self) -> str:
        """What it is of."""
        return "limit cycles at leading order"

    @property
    def data(self) -> Any:
        """The branch over s."""
        import xarray as xr

        values = {"h": self.h, self.name: self.p, "period": self.period, "slope": self.slope, "stable": self.stable}
        return xr.Dataset({key: ("s", value) for key, value in values.items()}, coords={"s": self.s})

    def own_numbers(self) -> dict[str, Any]:
        """The branch, its Hopf point and folds."""
        told = {"s": self.s, "h": self.h, self.name: self.p, "period": self.period, "slope": self.slope, "stable": self.stable}
        return {**told, "hopf": vars(self.hopf), "criticality": self.criticality, "folds": [vars(f) for f in self.folds]}

    def summary(self) -> str:
        """In a few lines."""
        lines = [self.title, f"status   {self.status}: {self.message}"]
        lines.append(f"along    {self.name} from {self.p.min():.9g} to {self.p.max():.9g}")
        lines.append(
            f"Hopf     {self.name} = {self.hopf.p:.12g}, period {self.hopf.period:.9g}; d{self.name}/dh = {self.criticality:.6g} there"
        )
        lines += [f"fold     {self.name} = {f.p:.12g} at s = {f.s:.9g}, period {f.period:.9g}" for f in self.folds]
        lines.append(f"stable   for eps > 0: {np.count_nonzero(self.stable)} of {self.s.size}")
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """The parameter over the orbits, stable (eps > 0) solid, unstable dashed; some of the cycles in the plane."""
        from .pictures import plot_cycles

        return plot_cycles(self, path)


def cycle_branch(
    limit: HamiltonianLimit,
    perturbation: Callable,
    centre: Any,
    edge: Any,
    between: tuple[float, float] = (0.0, 1.0),
    count: int = 200,
    name: str = "p",
) -> CycleBranch:
    """The branch p(h) of limit cycles of x' = f0 + eps f1(x, p) around a centre of the limit, out to the orbit through `edge` (a saddle, for the whole family).

    between: two values of the parameter to begin with; any two do if p enters linearly. count: of orbits.
    """
    pair = two_values(between)
    reference = pair[1] if pair[1] != 0.0 else pair[0]
    family = Family(limit, centre, edge, whole(count, "count", 8), reference)
    equations = CycleEquations(family, perturbation)
    p = equations.parameter(family.s, pair)
    slope, period, error = equations.numbers(family.s, p)
    unresolved = error > 1e-8 * (np.abs(slope) + period * np.abs(slope / period).mean())
    hopf, criticality = _hopf(equations, pair)
    branch = CycleBranch(
        equations, pair, family.s, family.level(family.s), p, period, slope, unresolved, hopf, criticality, [], str(name)
    )
    floor = 1e-10 * np.abs(slope).max()
    for k in np.flatnonzero((slope[:-1] * slope[1:] < 0.0) & (np.abs(slope[:-1]) + np.abs(slope[1:]) > floor) & ~unresolved[1:]):
        branch.folds.append(
            branch.cycle(float(brentq(lambda s: branch.cycle(s).slope, family.s[k], family.s[k + 1], xtol=1e-12)))
        )
    return branch


def _hopf(equations: CycleEquations, between: tuple[float, float]) -> tuple[Cycle, float]:
    """Where the orbits shrink onto the centre: p, period and slope as polynomials in h - H(centre), from small orbits."""
    family = equations.family
    s = np.array([0.02, 0.03, 0.04, 0.05, 0.06])
    p = equations.parameter(s, between)
    slope, period, _ = equations.numbers(s, p)
    h = family.level(s) - family.level0
    fits = [np.polynomial.Polynomial.fit(h, value, 4, domain=[0.0, h[-1]], window=[0.0, 1.0]) for value in (p, period, slope)]
    return Cycle(0.0, family.level0, *(float(f(0.0)) for f in fits)), float(fits[0].deriv()(0.0))
