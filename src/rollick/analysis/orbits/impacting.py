"""The equations of a periodic orbit with a given sequence of impacts.

Unknowns are the start U, the period T where nothing drives the system, and the instants t_i = tau_i T of the k impacts. With E_i where the flight
before impact i ends and R the impact law,

    gap(t_i, E_i) = 0,  i = 1 .. k,      E_{k+1} - U = 0,

flights being smooth solutions that know nothing of the gap. So the equations stay smooth where an impact grazes: its speed passes through zero as
any other quantity does (beyond, the orbit is not real), and grazing is located like every other special point.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...motion.hybrid.saltation import with_instant
from .closure import Closure
from .equations import Equations, Links, Reference
from .flow import Flow
from .impacts import Impact, Law, gap_of, law_at, saltation
from .period import Period

LOOKS = 40  # at the gap in a flight
NONE = 1e3  # the least gap of flights without a minimum


class Chain:
    """What `Equations` ask of links: the mesh of a single start, and the flow."""

    pieces = 1

    def __init__(self, flow: Flow):
        self.flow = flow
        self.mesh = self.fractions = np.array([0.0, 1.0])


class ImpactEquations(Equations):
    """Residual and Jacobian of an orbit with `count` impacts."""

    links: Chain

    def __init__(self, system: Any, flow: Flow, period: Period, closure: Closure, count: int, parameter: str | None = None):
        if closure.order > 1 or closure.extra:
            raise InputError("orbits with impacts have no symmetry, free or turning states here; leave these out.")
        super().__init__(system, Chain(flow), period, closure, parameter)
        self.count = count
        self._least: tuple[np.ndarray, float] | None = None

    @cached_property
    def size(self) -> int:
        """How many unknowns there are, without the parameter."""
        return self.n + (1 if self.period.unknown else 0) + self.count

    def pack(self, states: np.ndarray, period: float, extra: np.ndarray | None = None) -> np.ndarray:
        """The vector of unknowns; `extra`: the instants of the impacts as parts of the period."""
        tail = np.zeros(self.count) if extra is None else np.asarray(extra, float)
        return np.concatenate([states[0], [period] if self.period.unknown else [], tail])

    def unpack(self, x: np.ndarray, system: Any) -> tuple[np.ndarray, float, np.ndarray]:
        """The start, the period, the instants of impacts (as parts of it)."""
        T = float(x[self.n]) if self.period.unknown else self.period.of(system)
        return x[None, : self.n], T, x[self.size - self.count : self.size]

    def hold(self, x: np.ndarray, p: float | None = None) -> None:
        """Take an orbit as the known neighbour from now on."""
        _, U, _, _, links = self.linked(x, p)
        self.reference = Reference(U.copy(), links.rates.copy())

    def linked(self, x: np.ndarray, p: float | None = None) -> tuple[Any, np.ndarray, float, np.ndarray, Links]:
        """As `Equations.linked`; also the residual, its derivative, and the impacts (`impacts`) of these unknowns."""
        if not self.same(x, p):
            system = self.at(p)
            U, T, tau = self.unpack(x, system)
            if not T > 0.0:
                raise ArithmeticError(f"the period would become {T:.6g}")
            self.links.flow.put(system)
            self.keep(x, p, (system, U, T, tau, self._chain(system, U[0], T, tau)))
        assert self._last is not None
        return self._last[1]

    def _chain(self, system: Any, start: np.ndarray, T: float, tau: np.ndarray) -> Links:
        """Flight after flight, with derivatives by the start, T, the tau and the parameter (in this order of columns)."""
        n, k, flow = self.n, self.count, self.links.flow
        at_T, at_p = n, n + 1 + k
        unit = np.eye(n + k + 2)
        y, t, D, dt = start, 0.0, unit[:n], np.zeros(n + k + 2)
        gaps, rows, factors, impacts = np.zeros(k), np.zeros((k, n + k + 2)), [], []
        f1, rates = np.zeros(n), np.zeros((1, n))
        law: Law | None = None  # of the last impact, the rate before it is f1
        for i in range(k + 1):
            end = T * (tau[i] if i < k else 1.0)
            flight = flow.over(np.array([t, end]), y[None])
            E, G, f0 = flight.ends[0], flight.matrices[0], flight.first_rates[0]
            if law is None:
                rates[0] = f0
            else:
                factors.append(saltation(law, f1, f0))
            factors.append(G)
            D = G @ with_instant(D, -dt, f0)
            D[:, at_p] += flight.by_parameter[0]
            y, t, f1 = E, end, flight.last_rates[0]
            dt = (end / T) * unit[at_T] + (T * unit[n + 1 + i] if i < k else 0.0)
            D = with_instant(D, dt, f1)
            if i < k:
                law = law_at(system, self.parameter, end, E)
                moves = law.moves(dt, D, unit[at_p])
                gaps[i], rows[i], D, y = law.gap, moves[0], moves[1:], law.after
                impacts.append(Impact(end, E, y, -law.opening(f1)))
        self.gaps, self.rows, self.D, self.impacts = gaps, rows, D, impacts
        M = np.eye(n)
        for factor in factors:
            M = factor @ M
        return Links(y[None], M[None], D[None, :, at_T], D[None, :, at_p], rates, np.array(factors))

    def residual(self, x: np.ndarray, p: float | None = None) -> np.ndarray:
        """What must vanish: closing, the phase, the gaps."""
        _, U, _, _, links = self.linked(x, p)
        parts = [links.ends[0] - U[0] - self.closure.advance]
        if self.period.unknown:
            weights, reference = self._phase()
            parts.append([float(np.sum(weights * (U - reference.states)))])
        return np.concatenate([*parts, self.gaps])

    def jacobian(self, x: np.ndarray, p: float | None = None) -> np.ndarray:
        """Its derivative."""
        system, _, _, _, _ = self.linked(x, p)
        n, k = self.n, self.count
        full = np.vstack([self.D, np.zeros((1, n + k + 2)), self.rows])
        full[:n, :n] -= np.eye(n)
        if self.period.unknown:
            full[n, :n] = self._phase()[0].ravel()
            return full if self.parameter is not None else full[:, :-1]
        slope = 0.0 if self.parameter is None else self.period.slope(system, self.parameter)
        full[:, -1] += slope * full[:, n]
        full = np.delete(np.delete(full, n, axis=0), n, axis=1)
        return full if self.parameter is not None else full[:, :-1]

    # -- what is real ----------------------------------------------------------------------------------------------------------------

    def least_speed(self) -> float:
        """The least speed of an impact of the orbit evaluated last; 1 if there is none."""
        return min((impact.speed for impact in self.impacts), default=1.0)

    def least_gap(self, system: Any, U: np.ndarray, T: float) -> float:
        """The least local minimum of the gap inside the flights of the orbit evaluated last; a large number if there is none."""
        if self._least is not None and self._last is not None and self._least[0] is self._last[0]:
            return self._least[1]
        flow, best = self.links.flow, np.inf
        edges = [0.0, *(impact.t for impact in self.impacts), T]
        starts = [U[0], *(impact.after for impact in self.impacts)]
        for a, b, y in zip(edges, edges[1:], starts):
            if not b > a:
                continue
            times = np.linspace(a, b, LOOKS + 1)
            states = np.vstack([y, flow.over(times, y[None], chained=True).ends])
            gaps = np.array([gap_of(system, float(t), z) for t, z in zip(times, states)])
            for j in range(1, LOOKS):
                if gaps[j] <= gaps[j - 1] and gaps[j] <= gaps[j + 1]:
                    best = min(best, self._minimum(system, times[j - 1], states[j - 1], times[j + 1]))
        least = float(best) if np.isfinite(best) else NONE
        if self._last is not None:
            self._least = self._last[0], least
        return least

    def _minimum(self, system: Any, a: float, y: np.ndarray, b: float) -> float:
        """The minimum of the gap between two instants: where it neither opens nor closes."""
        from scipy.optimize import brentq

        flow = self.links.flow

        def opening(t: float) -> float:
            piece = flow.over(np.array([a, t]), y[None])
            return law_at(system, None, t, piece.ends[0]).opening(piece.last_rates[0])

        low, high = opening(a), opening(b)
        if low >= 0.0 or high <= 0.0:
            return np.inf
        t = float(brentq(opening, a, b, xtol=1e-14 * max(1.0, abs(b)), rtol=8.9e-16))
        return gap_of(system, t, flow.over(np.array([a, t]), y[None]).ends[0])
