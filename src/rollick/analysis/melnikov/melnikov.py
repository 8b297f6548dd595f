"""Melnikov's function of a perturbed connection, its zeros, and the parameter at which a connection survives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...kernel.names import InputError, number
from ...motion.result.outcome import FINISHED
from ...motion.result.protocol import Result
from ..rates import Formula
from .integral import first_order, second_order
from .limit import HamiltonianLimit, two_values
from .separatrix import Separatrix, separatrix

BETWEEN = (0.5, 0.381966011, 0.236067977)  # where that is looked at, in distances of nodes: no common period
UNSEEN = 0.2  # of what the perturbation changes by in time: how far it may be from a cubic through four nodes
FINEST = 0.1 / 32.0  # the least spacing that is tried


@dataclass(frozen=True)
class Zero:
    """A zero of Melnikov's function: its time and slope. Where the slope is not zero, the manifolds cross transversally for small eps."""

    t0: float
    slope: float

    @property
    def simple(self) -> bool:
        """Whether the manifolds cross there."""
        return self.slope != 0.0


@dataclass(frozen=True, repr=False)
class MelnikovFunction(Result):
    """M1 (and M2) along a connection. Without time in the perturbation there is one value, at t0 = 0."""

    has_page = False
    orbit: Separatrix
    perturbation: Formula
    t0: np.ndarray
    M1: np.ndarray
    M2: np.ndarray | None
    error: float  # of M1: the difference between all nodes and each second one
    zeros: list[Zero] = field(default_factory=list)
    status: str = FINISHED

    @property
    def message(self) -> str:
        """What was done."""
        return f"{self.orbit.t.size} nodes on the connection, M1 known to about {max(self.error, 1e-15):.1g}"

    @property
    def value(self) -> float:
        """M1 where the perturbation does not depend on time."""
        if self.t0.size != 1:
            raise InputError("Melnikov's function depends on t0 here; its values are M1, its zeros are zeros.")
        return float(self.M1[0])

    @property
    def second(self) -> float:
        """M2 where the perturbation does not depend on time."""
        if self.M2 is None or self.t0.size != 1:
            raise InputError("there is no single M2 here: ask for order=2, and for t0 dependence read M2.")
        return float(self.M2[0])

    def at(self, t0: Any) -> np.ndarray:
        """M1 at any times."""
        times = np.atleast_1d(np.asarray(t0, float))
        return first_order(self.orbit, self.perturbation, self.orbit.p, times)

    @property
    def system_name(self) -> str:
        """What it is of."""
        return f"{'homoclinic' if self.orbit.homoclinic else 'heteroclinic'} Melnikov function"

    @property
    def data(self) -> Any:
        """M over t0, and the connection over t."""
        import xarray as xr

        values = {"M1": ("t0", self.M1)} | ({} if self.M2 is None else {"M2": ("t0", self.M2)})
        values |= {name: ("t", row) for name, row in zip(self.orbit.limit.names, self.orbit.x)}
        return xr.Dataset(values, coords={"t0": self.t0, "t": self.orbit.t})

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The connection."""
        return self.orbit.t, dict(zip(self.orbit.limit.names, self.orbit.x)), {}

    def own_numbers(self) -> dict[str, Any]:
        """M over t0 and its zeros."""
        told: dict[str, Any] = {"t0": self.t0, "M1": self.M1, "error": self.error, "parameter": self.orbit.p}
        if self.M2 is not None:
            told["M2"] = self.M2
        return {**told, "zeros": [{"t0": z.t0, "slope": z.slope} for z in self.zeros]}

    def summary(self) -> str:
        """In a few lines."""
        names = self.orbit.limit.tell
        lines = [self.title, f"from     {names(self.orbit.unstable.saddle)}", f"to       {names(self.orbit.stable.saddle)}"]
        lines.append(f"status   {self.status}: {self.message}")
        if self.t0.size == 1:
            lines.append(f"M1       {self.M1[0]:.12g}" + ("" if self.M2 is None else f", M2 = {self.M2[0]:.9g}"))
        else:
            lines.append(f"M1       from {self.M1.min():.9g} to {self.M1.max():.9g}")
            told = ", ".join(f"{z.t0:.9g} (slope {z.slope:.4g})" for z in self.zeros[:8])
            lines.append(f"zeros    {told or 'none: the manifolds do not cross'}")
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """The connection in the plane, and M1 over t0 if it depends on it."""
        from .pictures import plot_melnikov

        return plot_melnikov(self, path)


def _zeros(f: Callable[[np.ndarray], np.ndarray], t: np.ndarray, values: np.ndarray, floor: float) -> list[Zero]:
    found = []
    for k in np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) <= 0.0):
        if max(abs(values[k]), abs(values[k + 1])) <= floor or values[k + 1] == 0.0:
            continue
        where = (
            float(t[k]) if values[k] == 0.0 else float(brentq(lambda s: float(f(np.array([s]))[0]), t[k], t[k + 1], xtol=1e-13))
        )
        step = 1e-4 * float(t[k + 1] - t[k])
        ahead, behind = f(np.array([where + step, where - step]))
        found.append(Zero(where, float(ahead - behind) / (2.0 * step)))
    return found


def _sees_time(orbit: Separatrix, f1: Formula, p: Any, times: np.ndarray) -> bool:
    """Whether the nodes are dense enough in time for the perturbation: between two of them it is near the cubic through four.

    Otherwise it may fall into step with the nodes, all of them and each second one alike, so that sums over both agree on something wrong.
    """
    x, some = orbit.x[:, :: max(1, orbit.t.size // 200)], times[:: max(1, times.size // 16)]
    t = orbit.t[:: max(1, orbit.t.size // 200)][None, :] + some[:, None]

    def at(shift: float) -> np.ndarray:
        values = f1(x[:, None, :], p, t + shift * orbit.h)
        return np.array([np.broadcast_to(v, t.shape) for v in values])

    nodes = [at(shift) for shift in (-1.0, 0.0, 1.0, 2.0)]
    off, every = 0.0, nodes
    for u in BETWEEN:
        between = at(u)
        cubic = (-u * (u - 1) * (u - 2), 3 * (u + 1) * (u - 1) * (u - 2), -3 * (u + 1) * u * (u - 2), (u + 1) * u * (u - 1))
        off = max(off, float(np.abs(between - sum(w * f for w, f in zip(cubic, nodes)) / 6.0).max()))
        every = [*every, between]
    values = np.stack(every)
    return off <= UNSEEN * float(np.abs(values - values.mean(axis=(0, 2), keepdims=True)).max())


def melnikov(
    limit: HamiltonianLimit,
    perturbation: Callable,
    source: Any,
    target: Any = None,
    p: Any = None,
    towards: Any = None,
    period: float | None = None,
    t0: Sequence[float] | np.ndarray | None = None,
    order: int = 1,
    second: Callable | None = None,
    tolerance: float = 1e-10,
    known: Separatrix | None = None,
) -> MelnikovFunction:
    """Melnikov's function of x' = f0(x) + eps f1 along the connection of the limit from `source` to `target` (to itself, without).

    perturbation: f1(x), f1(x, p) or f1(x, p, t). period: of f1 in time; t0 is then 200 times over one period unless given. order = 2 asks for M2 too;
    `second` is f2, of eps^2. towards: a point on the side to which the connection leaves, where there are two. known: the connection, if there is one already.
    """
    f1 = Formula(perturbation, 2, "the perturbation")
    if order not in (1, 2):
        raise InputError(f"order = {order!r} must be 1 or 2; beyond, find the connection itself (analysis.connections).")
    if f1.arguments == 3 and t0 is None and period is None:
        raise InputError(
            "the perturbation depends on time: give its period, or the times t0 at which Melnikov's function is wanted."
        )
    if f1.arguments == 3 and order == 2 and period is None:
        raise InputError("the second order needs the bounded motion at the saddles: give the period of the perturbation.")
    if period is not None and not number(period, "period") > 0.0:
        raise InputError(f"period = {period!r} must be above zero.")
    times: np.ndarray = np.zeros(1)
    if f1.arguments == 3:
        times = np.asarray(t0, float).ravel() if t0 is not None else float(period or 1.0) * np.arange(201) / 200.0
    spacing = 0.1
    while True:
        orbit = known if known is not None and spacing == 0.1 else separatrix(limit, source, target, p, towards, spacing)
        M1 = first_order(orbit, f1, p, times)
        if not np.all(np.isfinite(M1)):
            raise InputError("the perturbation is not finite somewhere on the connection: Melnikov's integral does not exist.")
        error = float(np.abs(M1 - first_order(orbit, f1, p, times, 2)).max())
        scale = orbit.h * float(np.abs(limit.gradient(orbit.x, p) * f1(orbit.x, p, orbit.t + times[0])).sum())
        seen = f1.arguments < 3 or _sees_time(orbit, f1, p, times)
        if error <= tolerance * scale and seen:
            break
        spacing /= 2.0
        if spacing < FINEST:
            if not seen:
                raise InputError(
                    f"the perturbation changes so fast in time that nodes {orbit.h:.3g} apart on the connection do not follow it; Melnikov's integral of a "
                    f"smooth one is exponentially small then. Leave the fast part out."
                )
            raise InputError(
                f"Melnikov's integral does not converge: halving the nodes changes it by {error:.2g}, of {scale:.2g}. Is the perturbation smooth in x and t?"
            )
    M2 = second_order(orbit, f1, second, p, times, period if f1.arguments == 3 else None)[1] if order == 2 else None
    zeros = [] if times.size == 1 else _zeros(lambda s: first_order(orbit, f1, p, s), times, M1, 1e-13 * scale)
    if period is not None and len(zeros) > 1 and abs(zeros[-1].t0 - zeros[0].t0 - period) < 1e-9 * period:
        zeros = zeros[:-1]
    return MelnikovFunction(orbit, f1, times, M1, M2, error, zeros)


@dataclass(frozen=True)
class SurvivingConnection:
    """Where a connection survives a perturbation: p = p0 + eps p1 + O(eps^2), M1(p0) = 0, p1 = -M2(p0)/M1'(p0)."""

    p0: float
    p1: float | None
    slope: float  # dM1/dp at p0
    melnikov: MelnikovFunction

    def at(self, eps: float) -> float:
        """The parameter for a given eps."""
        return self.p0 + (self.p1 or 0.0) * eps


def surviving_connection(
    limit: HamiltonianLimit,
    perturbation: Callable,
    source: Any,
    target: Any = None,
    between: tuple[float, float] = (-1.0, 1.0),
    towards: Any = None,
    order: int = 1,
    second: Callable | None = None,
) -> SurvivingConnection:
    """The parameter between two values at which Melnikov's integral, without time, is zero; with order = 2 also its slope in eps."""
    a, b = two_values(between)

    fixed = None if limit.depends_on_parameter else separatrix(limit, source, target, a, towards)

    def M(p: float, order: int = 1) -> MelnikovFunction:
        known = None if fixed is None else replace(fixed, p=p)
        return melnikov(limit, perturbation, source, target, p, towards, order=order, second=second, known=known)

    left, right = M(a).value, M(b).value
    if not left * right < 0.0:
        raise InputError(
            f"M1 is {left:.6g} at p = {a:g} and {right:.6g} at p = {b:g}: it has no sign change between; choose other values."
        )
    p0 = float(brentq(lambda p: M(p).value, a, b, xtol=1e-13, rtol=1e-14))
    step = 1e-4 * abs(b - a)
    slope = (M(p0 + step).value - M(p0 - step).value) / (2.0 * step)
    there = M(p0, order)
    return SurvivingConnection(p0, None if order == 1 else -there.second / slope, slope, there)
