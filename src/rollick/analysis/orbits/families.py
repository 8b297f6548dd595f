"""Families of periodic orbits at one value of all parameters: where quantities are conserved, orbits are not alone.

The equations F(x) = 0 of an orbit (x: states at the nodes, period) have then m dependent ones: their derivative has m left null vectors w_i at every orbit. An unfolding
term makes them regular (F. J. Munoz-Almaraz et al., Physica D 181 (2003) 1, in the discrete form of J. Galan-Vioque and A. Vanderbauwhede):

    F(x) + sum_i lambda_i w_i = 0,     Q_k(start) = const (m - 1 of them),     Q(start or period) = e,

in the unknowns (x, lambda; e). Where the quantities are really conserved every solution has lambda = 0; one with lambda far from zero is refused, as no orbit.
Each conserved quantity makes one more multiplier 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...kernel.compiling import compiling
from ...kernel.names import InputError, called, choose
from ...kernel.not_compiled import explained
from ...kernel.system import description, dim, signal_count, signals
from ..continuation.arclength import PseudoArclength
from ..continuation.point import Point
from ..continuation.problem import Finding
from ..continuation.trace import trace_branch
from .find import method_of
from .follow import STEPS, OrbitBranch
from .harmonic import HarmonicBalance, HarmonicEquations
from .impacts import impact_gap
from .modes_flow import through_modes
from .orbit import Orbit
from .problem import OrbitProblem

DEPENDENT = 1e-7  # relative: singular values below this belong to conserved quantities
NO_ORBIT = 1e-6  # of lambda, in the size of the states: beyond, what closes is not an orbit of the system
NEAR = 1e-6  # of differences of signals, relative; they serve Newton's direction alone


class FamilyProblem(OrbitProblem):
    """Orbits of one system along its family; `along`: "period", a state's value at the start, or a signal there ("energy")."""

    what = "a family of periodic orbits"
    doubles = False

    def __init__(self, orbit: Orbit, along: str, hold: Sequence[str], method: Any):
        system = orbit.system
        self.along = choose(along, ("period", *quantities(system)), f"what to follow a family of {called(system)} along")
        self.held = tuple(choose(name, quantities(system), f"quantity of {called(system)} to hold") for name in hold)
        self.W, self.values = np.zeros((0, 0)), np.zeros(0)
        self._prepare(system, self.along, orbit.period_law, orbit.closure, method)

    def made_equations(self, period: Any, closure: Any) -> Any:
        """The equations of an orbit, without a parameter."""
        if isinstance(self.method, HarmonicBalance):
            return HarmonicEquations(self.system, self.method, period, closure)
        from .equations import Equations

        return Equations(self.system, self.method.links(self.system, closure, None), period, closure)

    def arrives(self, here: Point, point: Point) -> None:
        """None: a family that shrinks onto a centre has no parameter that made it one."""

    def _unit(self, name: str) -> str:
        about = description(self.system)
        units = {q.name: q.unit for q in (*about.states, *about.signals)}
        return units.get(name, "s")

    def begin(self, orbit: Orbit) -> np.ndarray:
        """z of an orbit; how many quantities are conserved is seen here."""
        e = self.equations
        fractions = e.parts if isinstance(e, HarmonicEquations) else e.links.mesh[:-1]
        x = e.pack(orbit.at(fractions * orbit.period), orbit.period, orbit.extra)
        e.hold(x)
        sizes = np.linalg.svd(e.jacobian(x), compute_uv=False)
        m = int(np.sum(sizes < DEPENDENT * sizes[0]))
        if m == 0:
            raise InputError(
                f"this orbit of {called(self.system)} is alone: nothing is conserved there (the equations determine it, least singular value "
                f"{sizes[-1] / sizes[0]:.1e}). Follow it along a parameter: continue_orbit(orbit, parameter)."
            )
        if m - 1 != len(self.held):
            raise InputError(
                f"orbits of {called(self.system)} come in a family of {m} dimension(s) here; hold {m - 1} quantities to follow a curve in it "
                f"(hold=[...] of {', '.join(quantities(self.system))}), got {len(self.held)}."
            )
        self.count = m
        z = np.concatenate([x, np.zeros(m), [0.0]])
        self.values = np.array([self.quantity(name, z)[0] for name in self.held])
        z[-1] = self.quantity(self.along, z)[0]
        self.renew(z)
        return z

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """The unknowns of an orbit, and lambda."""
        return (*super().names, *(f"lambda_{i + 1}" for i in range(self.count)))

    def renew(self, z: np.ndarray) -> None:
        """w from the left null vectors of the derivative, turned as near to the old ones as can be: determinants keep their signs."""
        new = np.linalg.svd(self.equations.jacobian(z[:-1], z[-1]))[0][:, -self.count :]
        if self.W.shape == new.shape:
            U, _, Vt = np.linalg.svd(new.T @ self.W)
            new = new @ (U @ Vt)
        self.W = new

    # -- quantities --------------------------------------------------------------------------------------------------------------

    def start_rows(self) -> np.ndarray:
        """The derivative of the start by x."""
        e = self.equations
        rows = np.zeros((self.n, e.size))
        if isinstance(e, HarmonicEquations):
            basis = e.basis(np.zeros(1))[0]
            for k in range(self.n):
                rows[k, k : k + self.n * basis.size : self.n] = basis
        else:
            rows[:, : self.n] = np.eye(self.n) * np.sqrt(e.pieces)
        return rows

    def quantity(self, name: str, z: np.ndarray) -> tuple[float, np.ndarray]:
        """The value of a quantity, and its derivative by x."""
        e = self.equations
        U, T, _ = e.unpack(z[:-1], self.system)
        if name == "period":
            row = np.zeros(e.size)
            row[self.n * self.state_rows()] = 1.0
            return T, row
        value, slope = value_of(self.system, name)(U[0])
        return value, slope @ self.start_rows()

    # -- equations -------------------------------------------------------------------------------------------------------------

    def residual(self, z: np.ndarray) -> np.ndarray:
        """What must vanish."""
        e = self.equations
        return self.unfolded(e.residual(z[:-1], z[-1]), z)

    def quick_residual(self, z: np.ndarray) -> np.ndarray | None:
        """The same without derivatives."""
        F = super().quick_residual(z)
        return None if F is None else self.unfolded(F, z)

    def unfolded(self, F: np.ndarray, z: np.ndarray) -> np.ndarray:
        """All equations, from those of an orbit."""
        F = F + self.W @ z[self.equations.size : -1]
        held = [self.quantity(name, z)[0] - value for name, value in zip(self.held, self.values)]
        return np.concatenate([F, held, [self.quantity(self.along, z)[0] - z[-1]]])

    def jacobian(self, z: np.ndarray) -> Any:
        """Its derivative."""
        e, m = self.equations, self.count
        J = np.zeros((e.size + m, e.size + m + 1))
        J[: e.size, : e.size] = e.jacobian(z[:-1], z[-1])
        J[: e.size, e.size : e.size + m] = self.W
        for k, name in enumerate((*self.held, self.along)):
            J[e.size + k, : e.size] = self.quantity(name, z)[1]
        J[-1, -1] = -1.0
        return J

    # -- what is recorded and looked for ---------------------------------------------------------------------------------------

    @property
    def trivial_count(self) -> int:
        """One more for each conserved quantity."""
        return super().trivial_count + self.count

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """As of other orbits; also the signals at the start."""
        told = super().measures(z, J)
        U = self.equations.unpack(z[:-1], self.system)[0]
        for q in description(self.system).signals:
            told.setdefault(q.name, value_of(self.system, q.name)(U[0])[0])
        return told

    def classify(self, name: str, z: np.ndarray, J: Any, tangent: np.ndarray) -> Finding | None:
        """What a zero of a test is."""
        if name == "LP":
            period = float(self.equations.unpack(z[:-1], self.system)[1])
            return Finding("LP", f"{self.along} has an extremum along the family", {"period": period})
        return super().classify(name, z, J, tangent)

    def expected(self, kind: str) -> int | None:
        """Multipliers of a conservative system leave the unit circle in more ways than those of others."""
        return None if kind in ("LP", "BPC") else super().expected(kind)

    def scales(self, z: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        """As of other orbits; lambda by one."""
        inner = super().scales(np.delete(z, np.arange(self.equations.size, z.size - 1)), bounds)
        return np.concatenate([inner[:-1], np.ones(self.count), inner[-1:]])

    def sizes(self, z: np.ndarray) -> np.ndarray:
        """The extent of the orbit, whatever follows the unknowns of an orbit in z."""
        e = self.equations
        return super().sizes(np.concatenate([z[: e.size], np.zeros(self.count), z[-1:]]))

    def outside(self, z: np.ndarray) -> str:
        """A period must be above zero, and lambda zero."""
        e = self.equations
        off = float(np.abs(z[e.size : -1]).max())
        if off > NO_ORBIT * (1.0 + float(np.abs(z[: e.size]).max())):
            return f"what closes there is no orbit of {called(self.system)}: the unfolding term is {off:.1e}, so that nothing is conserved"
        return super().outside(z[: e.size + 1])

    def update(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The orbit is the neighbour of the next one; w is renewed."""
        z, tangent = super().update(z, tangent)
        self.renew(z)
        return z, tangent

    def memory(self) -> dict[str, np.ndarray]:
        """The neighbour, w, and what is held."""
        return {**super().memory(), "W": self.W, "values": self.values}

    def recall(self, memory: dict[str, np.ndarray]) -> None:
        """Take these up again."""
        super().recall(memory)
        self.W, self.values = np.asarray(memory["W"], float), np.asarray(memory["values"], float)
        self.count = self.W.shape[1]

    def about(self) -> dict[str, Any]:
        """Which problem it is."""
        from ...motion.result.provenance import parameters

        return {**super().about(), "problem": "FamilyProblem", "parameters": parameters(self.system), "held": list(self.held)}

    def orbit(self, z: np.ndarray, memory: dict[str, np.ndarray] | None = None) -> Orbit:
        """The orbit of a point, which knows that it is one of a family."""
        made = super().orbit(z, memory)
        made.made["family"] = True
        return made


def quantities(system: Any) -> tuple[str, ...]:
    """What can be held, or followed along: states and signals."""
    about = description(system)
    return (*(q.name for q in about.states), *(q.name for q in about.signals))


def value_of(system: Any, name: str) -> Callable[[np.ndarray], tuple[float, np.ndarray]]:
    """A state or a signal as a function of the state, with its derivative (of signals by differences)."""
    about, n = description(system), int(dim(system))
    states = [q.name for q in about.states]
    if name in states:
        row = np.eye(n)[states.index(name)]
        return lambda y: (float(y @ row), row)
    place, count = [q.name for q in about.signals].index(name), int(signal_count(system))

    def signal(y: np.ndarray) -> float:
        out = np.empty(count)
        signals(system, 0.0, np.ascontiguousarray(y, float), out)
        return float(out[place])

    def both(y: np.ndarray) -> tuple[float, np.ndarray]:
        steps = NEAR * (1.0 + np.abs(y))
        slope = [(signal(y + h * e) - signal(y - h * e)) / (2.0 * h) for h, e in zip(steps, np.eye(n))]
        return signal(y), np.array(slope)

    return both


def continue_family(
    orbit: Orbit,
    along: str = "period",
    bounds: tuple[float | None, float | None] | None = None,
    *,
    hold: Sequence[str] = (),
    method: Any = None,
    steps: PseudoArclength | None = None,
    directions: str = "both",
    file: Any = None,
    progress: bool | None = None,
) -> OrbitBranch:
    """The family of periodic orbits that a conserved quantity makes of an orbit, at fixed parameters.

    along: what the orbits are told by, and `bounds` are of: "period", a signal ("energy") or a state at the start. hold: where several quantities are
    conserved, those (states or signals, at the start) that stay the same; one less than there are. method, steps: as of `continue_orbit`.
    """
    if not isinstance(orbit, Orbit):
        raise InputError(f"continue_family needs an Orbit (find_orbit finds one); got {called(orbit)}.")
    system = orbit.system
    if orbit.driven or impact_gap.knows(type(system)) or through_modes(system):
        why = "is driven" if orbit.driven else "has impacts or dry contacts"
        raise InputError(f"families are of smooth systems that run by themselves; {called(system)} {why}.")
    with explained(system), compiling("the flow", system):
        problem = FamilyProblem(orbit, along, [hold] if isinstance(hold, str) else list(hold), method_of(method))
        z = problem.begin(orbit)
        branch = trace_branch(problem, z, steps or STEPS, bounds=bounds, directions=directions, file=file, progress=progress)
    return OrbitBranch.of(branch, problem)
