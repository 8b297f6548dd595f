"""Periodic orbits as a problem of continuation: z = (states at the nodes, period, what closing adds; parameter).

Tests along a branch, from the multipliers mu of the map over the part of the orbit that is computed, scaled so that they are of the order one:

    PD = prod (1 + mu_j)/(1 + |mu_j|)                      a multiplier passes -1: period doubling
    TR = prod_{i<j} (mu_i mu_j - 1)/(1 + |mu_i mu_j|)      without the trivial one; a complex pair passes the unit circle: Neimark-Sacker

Folds (LPC) and branch points (BPC) are what folds and branch points of the equations are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import called
from ...kernel.system import description, dim
from ...motion.result.provenance import parameters
from ...motion.result.rebuilt import type_name
from ..continuation.point import Point
from ..continuation.problem import Finding, Problem
from .closure import Closure
from .collocation import Polynomials
from .equations import Equations, Reference
from .extent import extent
from .harmonic import HarmonicBalance, HarmonicEquations
from .hopf_end import hopf_between
from .modes_flow import QUIET, flow_of, nearest_part, quiet_part, through_modes
from .multipliers import Multipliers, multipliers_of, vector_along
from .new_mesh import on_new_mesh
from .newton import Solved
from .orbit import NOT_ONE, ON_CIRCLE, Orbit
from .period import Period, not_repeated
from .sensitive import parameter_of
from .shooting import OneStart
from .solution import from_zero, made_series_orbit, options_of

SAMPLES = 48  # instants of an orbit from which its extent is found
SPARSE = 100  # unknowns above which the Jacobian is given as a sparse matrix
MESH_EVERY = 3  # points of a branch after which the mesh is moved
OUTGROWN = 2.0  # times the extent by which arclength is measured: it is measured anew
NEUTRAL = 1e-4  # how near to the unit circle a pair must be found


class OrbitProblem(Problem):
    """Periodic orbits of a system over one of its parameters."""

    what = "periodic orbits"
    doubles = True  # whether the doubled orbits of a PD are followed

    def __init__(self, system: Any, parameter: str, period: Period, closure: Closure, method: Any):
        parameter_of(system, parameter)  # refuses what is none
        self._prepare(system, parameter, period, closure, method)

    def _prepare(self, system: Any, parameter: str, period: Period, closure: Closure, method: Any) -> None:
        self.system, self.parameter, self.method = system, parameter, method
        self.equations = self.made_equations(period, closure)
        if isinstance(self.equations.links, Polynomials):
            self.equations.links.by_time = not period.unknown
        self.states = description(system).states
        self.n = int(dim(system))
        self.moves = 0
        self._plain: Any = None
        self._multipliers: tuple[np.ndarray, Multipliers] | None = None
        self._extent: tuple[np.ndarray, tuple[np.ndarray, np.ndarray]] | None = None
        self.widest = 0.0  # the largest extent of a state that an orbit of the branch had
        self.units = {q.name: q.unit for q in self.states} | {"period": "s", parameter: self._unit(parameter)}
        for q in self.states:
            self.units |= {f"min_{q.name}": q.unit, f"max_{q.name}": q.unit}

    def made_equations(self, period: Period, closure: Closure) -> Equations:
        """The equations, by the method."""
        if isinstance(self.method, HarmonicBalance):
            return HarmonicEquations(self.system, self.method, period, closure, self.parameter)
        links = self.method.links(self.system, closure, self.parameter)
        return Equations(self.system, links, period, closure, self.parameter)

    def _unit(self, name: str) -> str:
        about = description(self.system).parameters
        return about[name].unit if name in about else ""

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """The unknowns: states at the start (x) or at the nodes (x_0, x_1, ..., divided by the root of their number), the period, advances."""
        e = self.equations
        if isinstance(e, HarmonicEquations):
            waves = ["0", *(f"{kind}{h}" for h in range(1, e.H + 1) for kind in ("cos", "sin"))]
            return (*(f"{q.name}_{wave}" for wave in waves for q in self.states), *(["T"] if e.period.unknown else []))
        nodes = [q.name if e.pieces == 1 else f"{q.name}_{i}" for i in range(e.pieces) for q in self.states]
        middle = ["T"] if e.period.unknown else []
        extra = [f"advance_{self.states[k].name}" for k in e.closure.free] + (["turn"] if e.closure.turning else [])
        return (*nodes, *middle, *extra)

    # -- equations -------------------------------------------------------------------------------------------------------------

    def residual(self, z: np.ndarray) -> np.ndarray:
        """What must vanish."""
        return self.equations.residual(z[:-1], z[-1])

    def quick_residual(self, z: np.ndarray) -> np.ndarray | None:
        """The same without derivatives; not for orbits through modes, whose derivatives come along."""
        return None if through_modes(self.system) else self.equations.quick_residual(z[:-1], z[-1])

    def jacobian(self, z: np.ndarray) -> Any:
        """Its derivative."""
        J = self.equations.jacobian(z[:-1], z[-1])
        if z.size <= SPARSE or isinstance(self.equations, HarmonicEquations):  # all harmonics feel each other: nothing is zero
            return J
        from scipy.sparse import csr_array

        return csr_array(J)

    # -- what is recorded and looked for ---------------------------------------------------------------------------------------------

    def multipliers(self, z: np.ndarray) -> Multipliers:
        """Multipliers of the part that is computed, trivial ones included."""
        factors = self.equations.factors(z[:-1], z[-1])
        if self._multipliers is None or self._multipliers[0] is not factors:
            self._multipliers = factors, multipliers_of(factors)
        return self._multipliers[1]

    def trivial(self, values: np.ndarray) -> np.ndarray:
        """The places of the trivial multipliers: as many as there must be, the nearest to 1."""
        return np.argsort(np.abs(values - 1.0))[: self.trivial_count]

    @property
    def trivial_count(self) -> int:
        """How many multipliers are 1 by necessity: along the orbit of a system that runs by itself, along free and turning directions."""
        return (1 if self.equations.period.unknown else 0) + self.equations.closure.extra

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """Period, multipliers (trivial ones last), least and greatest values of the states."""
        T = self.equations.linked(z[:-1], z[-1])[2]
        values = self.multipliers(z).values
        trivial = self.trivial(values)
        ordered = np.concatenate([np.delete(values, trivial), values[trivial]]) ** self.equations.closure.order
        low, high = self.extent_at(z)
        self.widest = max(self.widest, float((high - low).max()))
        told: dict[str, Any] = {"period": T, "multipliers": ordered}
        for k, q in enumerate(self.states):
            told[f"min_{q.name}"], told[f"max_{q.name}"] = float(low[k]), float(high[k])
        if isinstance(self.equations.links, Polynomials):
            told["mesh"] = self.equations.links.mesh.copy()
        if self.may_begin_elsewhere:
            told["begins_at"] = float(self.equations.links.mesh[0])
        return told

    @property
    def may_begin_elsewhere(self) -> bool:
        """Whether shooting may begin at any part of the period: through modes, where an orbit at t = 0 may jump."""
        e = self.equations
        return isinstance(e.links, OneStart) and through_modes(self.system) and e.closure.order == 1 and not e.closure.extra

    def begin_at(self, part: float) -> None:
        """Begin at this part of the period from now on."""
        self.equations.links.begin_at(part)
        self.equations.forget()

    def extent_at(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest values of the states of an orbit; those of the last one are remembered."""
        if self._extent is None or not np.array_equal(self._extent[0], z):
            system, U, T, _, _ = self.equations.linked(z[:-1], z[-1])
            self._extent = z.copy(), self.extent_of(system, U, T)
        return self._extent[1]

    def extent_of(self, system: Any, U: np.ndarray, T: float) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest values over the part of the orbit that is computed, and what symmetry makes of it."""
        e = self.equations
        if self._plain is None:
            self._plain = flow_of(system, derivatives=False)
        flow = self._plain
        flow.put(system)
        if through_modes(system):
            h, starts, ends, first, last = flow.steps(e.links.mesh * T, U)
        else:
            count = max(8, SAMPLES // e.closure.order) + 1 if e.pieces == 1 else 0
            times = np.linspace(0.0, e.links.mesh[-1] * T, count) if count else e.links.mesh * T
            found = flow.over(times, U, chained=bool(count))
            starts = np.vstack([U, found.ends[:-1]]) if count else U
            h, ends, first, last = np.diff(times), found.ends, found.first_rates, found.last_rates
        S, low, high, shift = np.eye(self.n), np.full(self.n, np.inf), np.full(self.n, -np.inf), np.zeros(self.n)
        for _ in range(e.closure.order):
            a, b = extent(h, starts @ S.T + shift, ends @ S.T + shift, first @ S.T, last @ S.T)
            low, high = np.minimum(low, a), np.maximum(high, b)
            S, shift = e.closure.matrix @ S, e.closure.matrix @ shift + e.closure.advance
        return low, high

    def tests(self, z: np.ndarray, J: Any, tangent: np.ndarray) -> dict[str, float]:
        """Functions that vanish at period doublings and at Neimark-Sacker points."""
        values = self.multipliers(z).values
        told = {"PD": float(np.prod((1.0 + values) / (1.0 + np.abs(values))).real)}
        rest = np.delete(values, self.trivial(values))
        if rest.size > 1:
            i, j = np.triu_indices(rest.size, 1)
            pairs = rest[i] * rest[j]
            told["TR"] = float(np.prod((pairs - 1.0) / (1.0 + np.abs(pairs))).real)
        return told

    def classify(self, name: str, z: np.ndarray, J: Any, tangent: np.ndarray) -> Finding | None:
        """What a zero of a test is."""
        values = self.multipliers(z).values
        period = self.equations.unpack(z[:-1], self.equations.at(z[-1]))[1]
        numbers = {"period": float(period)}
        if name == "LP":
            return Finding("LPC", "two orbits meet and vanish", numbers)
        if name == "BP":
            return Finding("BPC", "two branches of orbits cross", numbers)
        if float(np.max(np.abs(values[self.trivial(values)] - 1.0), initial=0.0)) > NOT_ONE:
            return None  # one that must be 1 is not: next to a homoclinic orbit, say, noise passes -1 and the circle, and the others are not known either
        if name == "PD":
            if self.equations.closure.order > 1:
                return Finding("BPC", "the symmetry after part of a period breaks: a multiplier of that part passes -1", numbers)
            vector = self.null_vector(z, -1.0)
            return Finding("PD", f"an orbit of period {2.0 * period:.9g} branches off", numbers, {"vector": vector})
        rest = np.delete(values, self.trivial(values))
        i, j = np.triu_indices(rest.size, 1)
        best = int(np.argmin(np.abs(rest[i] * rest[j] - 1.0)))
        mu = rest[i[best]]
        if abs(mu.imag) < 1e-8 or abs(abs(mu) - 1.0) > NEUTRAL:
            return None  # a neutral saddle: mu_1 mu_2 = 1, both real
        angle = float(abs(np.angle(mu)))
        return Finding("TR", f"a torus branches off, turning by {angle:.9g} rad in a period", {**numbers, "angle": angle})

    def null_vector(self, z: np.ndarray, value: float) -> np.ndarray:
        """The eigenvector of a multiplier (1 or -1) at all nodes."""
        return vector_along(self.equations.linked(z[:-1], z[-1])[4].matrices, value)

    def unstable(self, measures: dict[str, Any]) -> int | None:
        """How many multipliers are outside the unit circle."""
        values = measures["multipliers"]
        return int(np.sum(np.abs(values[: values.size - self.trivial_count]) > 1.0 + ON_CIRCLE))

    def neutral(self, measures: dict[str, Any]) -> int:
        """How many multipliers, besides the trivial ones, are on the unit circle as far as numbers tell: next to a Hopf point one is."""
        sizes = np.abs(measures["multipliers"][: self.n - self.trivial_count])
        return int(np.sum(np.abs(sizes - 1.0) <= ON_CIRCLE))

    def expected(self, kind: str) -> int | None:
        """LPC, PD: one direction; TR: two."""
        return {"LPC": 1, "PD": 1, "TR": 2}.get(kind)

    def scales(self, z: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        """States by the extent of the orbit, the period by itself, the parameter by its bounds."""
        e = self.equations
        T = e.unpack(z[:-1], e.at(z[-1]))[1]
        sizes = self.sizes(z)
        wide = bounds[1] - bounds[0]
        p = float(z[-1])
        return np.concatenate(
            [
                np.tile(sizes, self.state_rows()),
                [T] if e.period.unknown else [],
                [sizes[k] for k in e.closure.free] + ([1.0] if e.closure.turning else []),
                [wide if np.isfinite(wide) else max(1.0, abs(p))],
            ]
        )

    def rescaled(self, z: np.ndarray, scales: np.ndarray) -> np.ndarray | None:
        """The states by the extent of this orbit, where it is more than twice that of the orbit they were measured by.

        Else a branch that begins at a small orbit would have a long way, in sizes of that orbit, around a resonance.
        """
        wider = np.zeros(scales.size)  # the period, what closing adds and the parameter keep their sizes
        sizes = np.tile(self.sizes(z), self.state_rows())
        wider[: sizes.size] = sizes
        return np.maximum(scales, wider) if np.any(wider > OUTGROWN * scales) else None

    def sizes(self, z: np.ndarray) -> np.ndarray:
        """Typical sizes of the states: the extent of the orbit."""
        low, high = self.extent_at(z)
        sizes = np.maximum(high - low, 0.0)
        sizes = np.maximum(sizes, 0.1 * max(float(sizes.max()), 1e-300))
        if float((high - low).max()) <= 1e-6 * (1.0 + float(np.abs(high).max())):  # an equilibrium, where orbits begin
            sizes = np.full(self.n, max(1.0, float(np.abs(high).max())))
        return sizes

    def state_rows(self) -> int:
        """How many times the states are among the unknowns: nodes, or functions of a series."""
        e = self.equations
        return 2 * e.H + 1 if isinstance(e, HarmonicEquations) else e.pieces

    def outside(self, z: np.ndarray) -> str:
        """A period must be above zero, and that of a drive one of the drive's."""
        e = self.equations
        if not e.period.unknown:
            system = e.at(z[-1])
            U, T, _ = e.unpack(z[:-1], system)
            return not_repeated(system, U[0], T)
        return "" if z[e.size - 1 - e.closure.extra] > 0.0 else "the period falls to zero"

    def arrives(self, here: Point, point: Point) -> tuple[np.ndarray, Finding] | None:
        """The Hopf point that the orbits shrink onto between two points."""
        return None if through_modes(self.system) else hopf_between(self, here, point)

    # -- memory ------------------------------------------------------------------------------------------------------------------

    def update(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The orbit is the neighbour of the next one; the mesh of collocation is moved now and then."""
        e = self.equations
        self.moves += 1
        if isinstance(e.links, Polynomials) and self.method.adapt and self.moves % MESH_EVERY == 0:
            z, tangent = on_new_mesh(e, z, tangent)
        if self.may_begin_elsewhere:
            z, tangent = self.begun_elsewhere(z, tangent)
        e.hold(z[:-1], z[-1])
        return z, tangent

    def begun_elsewhere(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same orbit begun at a quiet part of its period, where a change of mode has come near the part at which it began."""
        e = self.equations
        system, U, T, _, _ = e.linked(z[:-1], z[-1])
        part, changes = float(e.links.mesh[0]), list(e.links.flow.changes)
        if nearest_part(changes, T, part) > QUIET:
            return z, tangent
        later = part + float(np.mod(quiet_part(changes, T) - part, 1.0))
        start = flow_of(system, derivatives=False).over(np.array([part * T, later * T]), U).ends
        turns = np.floor(later)
        self.begin_at(later - turns)
        z = np.append(e.pack(start - turns * e.closure.advance, T), z[-1])
        e.hold(z[:-1], z[-1])
        way = np.linalg.svd(self.jacobian(z))[2][-1]
        way *= np.linalg.norm(tangent) / np.linalg.norm(way)
        return z, way * (1.0 if way[-1] * tangent[-1] >= 0.0 else -1.0)

    def afresh(self) -> None:
        """No orbit was wide so far, and no mesh moved."""
        self.widest, self.moves = 0.0, 0

    def memory(self) -> dict[str, np.ndarray]:
        """The neighbour, the mesh with the stages found last, how often it was moved, the widest orbit so far."""
        held, links = self.equations._held(), self.equations.links
        stages = links.memory() if isinstance(links, Polynomials) else {}
        counts = np.array([self.moves, self.widest])
        return {"states": held.states, "rates": held.rates, "mesh": links.mesh, "counts": counts, **stages}

    def recall(self, memory: dict[str, np.ndarray]) -> None:
        """Take all that up again."""
        e = self.equations
        e.reference = Reference(np.asarray(memory["states"], float), np.asarray(memory["rates"], float))
        e.forget()
        moves, widest = np.asarray(memory.get("counts", (0.0, 0.0)), float)
        self.moves, self.widest = int(moves), max(self.widest, float(widest))
        if isinstance(e.links, Polynomials):
            e.links.recall(memory)
        if self.may_begin_elsewhere:
            self.begin_at(float(np.asarray(memory["mesh"], float)[0]))

    def about(self) -> dict[str, Any]:
        """Which problem it is."""
        e = self.equations
        fixed = {k: v for k, v in parameters(self.system).items() if k != self.parameter.split(".")[0]}
        return {
            "problem": "OrbitProblem",
            "parameter": self.parameter,
            "unknowns": list(self.names),
            "system": called(self.system),
            "type": type_name(type(self.system)),
            "parameters": fixed,
            "orbits": {
                "method": self.method.name,
                **options_of(self.method),
                "cycles": e.period.cycles,
                "driven": not e.period.unknown,
            },
        }

    # -- orbits ----------------------------------------------------------------------------------------------------------------------

    def orbit(self, z: np.ndarray, memory: dict[str, np.ndarray] | None = None) -> Orbit:
        """The orbit of a point."""
        e = self.equations
        if isinstance(e, HarmonicEquations):
            return made_series_orbit(e, np.asarray(z[:-1], float), self.method, 0, float(z[-1]))
        system, U, T, extra, _ = e.linked(np.asarray(z[:-1], float), float(z[-1]))
        factors = e.factors(np.asarray(z[:-1], float), float(z[-1]))
        found = Solved(z[:-1], 0, float(np.linalg.norm(e.residual(np.asarray(z[:-1], float), float(z[-1])))), 0.0, 0)
        made = {"method": self.method.name, "options": options_of(self.method), "residual": found.residual}
        words = f"{self.method.name}, on a branch over {self.parameter}, closed to {found.residual:.1e}"
        mesh, U, impacts = from_zero(e, system, U, T)
        return Orbit(system, e.period, e.closure, mesh, U.copy(), T, extra.copy(), factors, made, words, impacts)
