"""Periodic orbits with impacts as a problem of continuation: also grazing is looked for.

    GRAZ     the least speed of an impact passes zero: that impact becomes a touch
    TOUCH    the least gap inside a flight passes zero: an impact is born there

Both are grazing (kind GRAZ). Beyond, the orbit is not real; the branch ends with the first point on the other side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ..continuation.point import Point, Special
from ..continuation.problem import Finding
from .closure import Closure
from .extent import extent
from .flow import Flow
from .impact_find import made_impact_orbit
from .impacting import ImpactEquations
from .orbit import Orbit
from .period import Period
from .problem import SAMPLES, OrbitProblem
from .shooting import Shooting

SLOW = 1e-5  # relative: an impact this slow is one that grazes


class ImpactProblem(OrbitProblem):
    """Periodic orbits with a given number of impacts over a parameter."""

    what = "periodic orbits with impacts"
    equations: ImpactEquations

    def __init__(self, system: Any, parameter: str, period: Period, closure: Closure, method: Any, count: int):
        if not isinstance(method, Shooting):
            raise InputError(
                f"orbits of {called(system)} may have impacts, which {method.name} does not follow; take Shooting()."
            )
        self.count = count
        self.beyond = False  # whether the last point is one beyond grazing
        super().__init__(system, parameter, period, closure, method)

    def made_equations(self, period: Period, closure: Closure) -> ImpactEquations:
        """The equations of flights and impacts."""
        flow = Flow(self.system, self.parameter, self.method.integrator)
        return ImpactEquations(self.system, flow, period, closure, self.count, self.parameter)

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """The start, the period, the instants of impacts as parts of the period."""
        middle = ["T"] if self.equations.period.unknown else []
        return (*(q.name for q in self.states), *middle, *(f"tau_{i + 1}" for i in range(self.count)))

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """As of smooth orbits, and the least speed of an impact."""
        return {**super().measures(z, J), "impact_speed": self.least_speed(z)}

    def least_speed(self, z: np.ndarray) -> float:
        """The least speed of an impact; nan without one."""
        self.equations.linked(z[:-1], z[-1])
        return min((impact.speed for impact in self.equations.impacts), default=float("nan"))

    def extent_of(self, system: Any, U: np.ndarray, T: float) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest values over all flights."""
        if self._plain is None:
            self._plain = Flow(system, derivatives=False)
        flow, impacts = self._plain, self.equations.impacts
        flow.put(system)
        low, high = U[0].copy(), U[0].copy()
        edges, starts = [0.0, *(i.t for i in impacts), T], [U[0], *(i.after for i in impacts)]
        for a, b, y in zip(edges, edges[1:], starts):
            times = np.linspace(a, b, max(8, SAMPLES // len(starts)) + 1)
            found = flow.over(times, y[None], chained=True)
            first = np.vstack([y, found.ends[:-1]])
            least, greatest = extent(np.diff(times), first, found.ends, found.first_rates, found.last_rates)
            low, high = np.minimum(low, least), np.maximum(high, greatest)
        return low, high

    def tests(self, z: np.ndarray, J: Any, tangent: np.ndarray) -> dict[str, float]:
        """Also grazing."""
        told = super().tests(z, J, tangent)
        system, U, T, _, _ = self.equations.linked(z[:-1], z[-1])
        if self.count:
            told["GRAZ"] = self.least_speed(z)
        told["TOUCH"] = self.equations.least_gap(system, U, T)
        return told

    def classify(self, name: str, z: np.ndarray, J: Any, tangent: np.ndarray) -> Finding | None:
        """Also grazing."""
        if name not in ("GRAZ", "TOUCH"):
            return super().classify(name, z, J, tangent)
        speeds = [impact.speed for impact in self.equations.impacts]
        if name == "TOUCH" and speeds and min(speeds) < SLOW * (1.0 + max(map(abs, speeds))):
            return None  # the flight beside an impact that loses its speed: the same point as GRAZ
        period = self.equations.unpack(z[:-1], self.equations.at(z[-1]))[1]
        what = "an impact loses its speed" if name == "GRAZ" else "a flight touches what it may hit"
        return Finding("GRAZ", f"grazing: {what}; beyond, the orbit is not real", {"period": float(period)})

    def expected(self, kind: str) -> int | None:
        """Anything may happen at grazing: there the multipliers are not finite."""
        return None if kind == "GRAZ" else super().expected(kind)

    def outside(self, z: np.ndarray) -> str:
        """A point beyond grazing is the last one: without it grazing could not be located."""
        why = super().outside(z)
        if why:
            return why
        why = self.not_real(z)
        if not why:
            self.beyond = False
        return why if self.beyond else ""

    def arrives(self, here: Point, point: Point) -> tuple[np.ndarray, Finding] | None:
        """None: orbits with impacts do not shrink onto an equilibrium, they graze first."""
        return super().arrives(here, point) if not self.count else None

    def not_real(self, z: np.ndarray) -> str:
        """Why an orbit is no motion, or ""."""
        system, U, T, _, _ = self.equations.linked(z[:-1], z[-1])
        if self.count and self.least_speed(z) < 0.0:
            return "beyond grazing: an impact would open the gap"
        return "beyond grazing: the gap would be negative in flight" if self.equations.least_gap(system, U, T) < 0.0 else ""

    def scales(self, z: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        """States by the extent of the orbit, the period by itself, instants in parts of it, the parameter by its bounds."""
        T = self.equations.linked(z[:-1], z[-1])[2]
        low, high = self.extent_at(z)
        sizes = np.maximum(high - low, 0.1 * max(float((high - low).max()), 1e-12))
        wide = bounds[1] - bounds[0]
        last = wide if np.isfinite(wide) else max(1.0, abs(float(z[-1])))
        return np.concatenate([sizes, [T] if self.equations.period.unknown else [], np.ones(self.count), [last]])

    def update(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The orbit is the neighbour of the next one; an impact that has left the period [0, T] is counted at its other end."""
        self.beyond = bool(self.not_real(z))
        moved = self.rotated(z)
        if moved is not None:
            self.equations.hold(moved[:-1], moved[-1])
            way = np.linalg.svd(self.jacobian(moved))[2][-1]
            way *= np.linalg.norm(tangent) / np.linalg.norm(way)
            z, tangent = moved, way * (1.0 if way[-1] * tangent[-1] >= 0.0 else -1.0)
        return super().update(z, tangent)

    def rotated(self, z: np.ndarray) -> np.ndarray | None:
        """The same orbit with all impacts inside the period, where one has left it; None where none has. For driven systems, which have a phase."""
        e = self.equations
        _system, U, T, tau, _ = e.linked(z[:-1], z[-1])
        if e.period.unknown or not self.count or (tau[0] >= 0.0 and tau[-1] <= 1.0):
            return None
        flow, first = e.links.flow, e.impacts[0]
        if tau[0] < 0.0:  # the state at t = 0 is really that after this impact
            start = flow.over(np.array([first.t, 0.0]), first.after[None]).ends[0]
            tau = np.append(tau[1:], tau[0] + 1.0)
        else:  # the state at t = T is really that before this impact
            before = e.impacts[-2] if self.count > 1 else None
            since, y = (0.0, U[0]) if before is None else (before.t, before.after)
            start = flow.over(np.array([since, T]), y[None]).ends[0] - e.closure.advance
            tau = np.append(tau[-1] - 1.0, tau[:-1])
        return np.append(e.pack(start[None], T, tau), z[-1])

    def recall(self, memory: dict[str, np.ndarray]) -> None:
        """Take up a neighbour again."""
        super().recall(memory)
        self.beyond = False

    def about(self) -> dict[str, Any]:
        """Which problem it is."""
        told = super().about()
        return {**told, "problem": "ImpactProblem", "orbits": {**told["orbits"], "impacts": self.count}}

    def orbit(self, z: np.ndarray, memory: dict[str, np.ndarray] | None = None) -> Orbit:
        """The orbit of a point."""
        return made_impact_orbit(self.equations, np.asarray(z[:-1], float), self.method, None, float(z[-1]))

    def doubled(self, special: Special) -> tuple[ImpactProblem, np.ndarray, np.ndarray]:
        """At a period doubling: the problem of twice the period, where it begins, and in which direction."""
        old = self.equations
        _, U, T, tau, _ = old.linked(special.z[:-1], special.parameter)
        vector = np.asarray(special.arrays["vector"], float)[0]
        problem = ImpactProblem(self.system, self.parameter, old.period.times(2), old.closure, self.method, 2 * self.count)
        e = problem.equations
        z = np.append(e.pack(U, 2.0 * T, np.concatenate([0.5 * tau, 0.5 + 0.5 * tau])), special.parameter)
        e.hold(z[:-1], z[-1])
        e.linked(z[:-1], z[-1])
        n, k = self.n, e.count
        moved = -np.linalg.solve(e.rows[:, n + 1 : n + 1 + k], e.rows[:, :n] @ vector) if k else np.zeros(0)
        return problem, z, np.append(e.pack(vector[None], 0.0, moved), 0.0)
