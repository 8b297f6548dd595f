"""Curves of folds of cycles, of period doublings and of tori (Neimark-Sacker points) in two parameters, and the points of codimension two on them.

Unknowns are those of an orbit and the first parameter; the second one is continued. To the equations of the orbit comes g = 0 (`critical`). Its gradient is
by central differences, which serve Newton's direction alone. Looked for on the way, and located:

    on folds             CPC (b = 0), R1 (<w, v> = 0: a second multiplier at 1), LPPD (one at -1), LPNS (a pair on the unit circle)
    on period doublings  GPD (c = 0), R2 (<w, v> = 0: a second one at -1), LPPD (one at 1), PDNS
    on tori              R1, R2, R3, R4 (mu_1 + mu_2 = 2, -2, -1, 0), CH (d = 0), LPNS, PDNS, NSNS

with b, c and d the coefficients of the return map (`map_forms`). Coefficients of the points of codimension two themselves are not computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError
from ..continuation.arclength import PseudoArclength
from ..continuation.branch import Branch
from ..continuation.point import KINDS, Special
from ..continuation.problem import Finding, Problem
from ..continuation.trace import trace_branch
from .critical import Border, Pair, complex_pair_on_circle, pair_of, passes, passes_circle, reduced_map
from .harmonic import HarmonicEquations
from .map_forms import flip_coefficient, fold_coefficient, torus_coefficient
from .problem import OrbitProblem
from .return_map import ReturnMap, no_return_map
from .sensitive import parameter_of, with_parameter
from .shooting import Shooting

STEP = 1e-5  # of differences, in the scales of the problem
STEPS = PseudoArclength(ds=0.01, ds_max=0.05, tol=1e-9)
RESONANT = {"R1": 2.0, "R2": -2.0, "R3": -1.0, "R4": 0.0}  # mu_1 + mu_2
WHAT = {"LPC": "folds of cycles", "PD": "period doublings", "TR": "torus bifurcations"}
COEFFICIENT = {"LPC": "b", "PD": "c", "TR": "d"}
NOT_COMPUTED = "the coefficients of its normal form are not computed"


class CycleCurve(Problem):
    """Folds (LPC), period doublings (PD) or tori (TR) of the orbits of a problem over a second parameter."""

    core = ()  # a turn in the second parameter is no bifurcation

    def __init__(self, problem: OrbitProblem, kind: str, second: str):
        if second == problem.parameter:
            raise InputError(f"the second parameter is {second} again; name another one.")
        parameter_of(problem.system, second)
        self.problem, self.kind, self.parameter, self.base = problem, kind, second, problem.system
        self.what, self.model = WHAT[kind], problem.model
        self.border = Border()
        self.total = 0.0  # of a torus: the sum of its pair at the last point
        self.sizes = np.ones(0)
        self.units = {**problem.units, second: problem._unit(second)}
        self.unknown_form = no_return_map(problem.equations)
        self._form: tuple[np.ndarray, float] | None = None

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """The unknowns of the orbit, and the first parameter."""
        return (*self.problem.names, self.problem.parameter)

    # -- equations -------------------------------------------------------------------------------------------------------------

    def put(self, q: float) -> None:
        """The second parameter."""
        e = self.problem.equations
        if parameter_of(e.system, self.parameter) != q:
            e.system = with_parameter(self.base, self.parameter, float(q))
            e.forget()

    def map(self, z: np.ndarray) -> np.ndarray:
        """M without its trivial multipliers."""
        self.put(z[-1])
        return reduced_map(self.problem.equations, z[:-2], z[-2])

    def matrix(self, z: np.ndarray) -> np.ndarray:
        """A."""
        M = self.map(z)
        return M - np.eye(len(M)) if self.kind == "LPC" else M + np.eye(len(M))

    def pair(self, z: np.ndarray) -> Pair:
        """The critical pair of a torus."""
        return pair_of(self.map(z), self.total)

    def renew(self, z: np.ndarray) -> None:
        """What is remembered of the critical multipliers."""
        if self.kind == "TR":
            self.total = self.pair(z).sum
        else:
            self.border.renew(self.matrix(z))

    def defect(self, z: np.ndarray) -> float:
        """g."""
        return self.pair(z).product - 1.0 if self.kind == "TR" else self.border.solve(self.matrix(z))[2]

    def residual(self, z: np.ndarray) -> np.ndarray:
        """The equations of the orbit, and g."""
        self.put(z[-1])
        F = self.problem.equations.residual(z[:-2], z[-2])
        return np.append(F, self.defect(z))

    def jacobian(self, z: np.ndarray) -> np.ndarray:
        """Exact but for the second parameter's column and g's row."""
        n = z.size
        self.put(z[-1])
        J = np.zeros((n - 1, n))
        J[:-1, :-1] = self.problem.equations.jacobian(z[:-2], z[-2])
        for j in range(n):
            h = STEP * (self.sizes[j] if self.sizes.size == n else 1.0)
            step = np.zeros(n)
            step[j] = h
            if j == n - 1:
                high, low = self.residual(z + step), self.residual(z - step)
                J[:, j] = (high - low) / (2.0 * h)
            else:
                J[-1, j] = (self.defect(z + step) - self.defect(z - step)) / (2.0 * h)
        return J

    def not_looked_for(self) -> list[str]:
        """Points where a coefficient vanishes that is not known."""
        of = {"LPC": "cusps of cycles", "PD": "generalised period doublings", "TR": "Chenciner points"}[self.kind]
        return [f"{of} are not looked for: {self.unknown_form}"] if self.unknown_form else []

    # -- points of codimension two ---------------------------------------------------------------------------------------------

    def coefficient(self, z: np.ndarray) -> float:
        """b, c or d of the return map; nan where it is not known (`unknown_form`), or where a pair is real."""
        if self._form is None or not np.array_equal(self._form[0], z):
            self._form = z.copy(), self._coefficient(z)
        return self._form[1]

    def normalised(self, z: np.ndarray) -> float:
        """The same with <p, q> = 1, as books have it."""
        if self.kind == "TR" or self.unknown_form:
            return self.coefficient(z)
        v, w, _ = self.border.solve(self.matrix(z))
        if self.problem.equations.period.unknown:  # within the section: w is across the flow already
            f = self.problem.equations.linked(z[:-2], z[-2])[4].rates[0]
            v = v - f * (f @ v) / (f @ f)
            v = v / np.linalg.norm(v)
        return self.coefficient(z) / float(w @ v) if w @ v else float("nan")

    def _coefficient(self, z: np.ndarray) -> float:
        if self.unknown_form:
            return float("nan")
        M = self.map(z)
        e = self.problem.equations
        try:
            P = ReturnMap(e, z[:-2], z[-2], self.problem.sizes(z[:-1]))
            if self.kind == "TR":
                half = 0.5 * pair_of(M, self.total).sum
                return torus_coefficient(P, float(np.arccos(half))) if abs(half) < 1.0 else float("nan")
            v, w, _ = self.border.solve(self.matrix(z))
            q, p = P.basis.T @ v, P.basis.T @ w
            form = fold_coefficient if self.kind == "LPC" else flip_coefficient
            return form(P, q / np.linalg.norm(q), p / np.linalg.norm(p))
        except (ArithmeticError, np.linalg.LinAlgError):
            return float("nan")

    def rest(self, z: np.ndarray, M: np.ndarray) -> np.ndarray:
        """The multipliers besides the critical ones (trivial ones are zero)."""
        if self.kind == "TR":
            return pair_of(M, self.total).rest
        values = np.linalg.eigvals(M).astype(complex)
        return np.delete(values, int(np.argmin(np.abs(values - (1.0 if self.kind == "LPC" else -1.0)))))

    def tests(self, z: np.ndarray, J: Any, tangent: np.ndarray) -> dict[str, float]:
        """Functions that vanish at points of codimension two."""
        M = self.map(z)
        rest = self.rest(z, M)
        found = {}
        if self.kind == "TR":
            total = pair_of(M, self.total).sum
            found = {name: total - value for name, value in RESONANT.items()}
            found |= {"CH": self.coefficient(z), "LPNS": passes(rest, 1.0), "PDNS": passes(rest, -1.0)}
            if rest.size > 1:
                found["NSNS"] = passes_circle(rest)
            return found
        v, w, _ = self.border.solve(self.matrix(z))
        if self.kind == "LPC":
            found = {"CPC": self.coefficient(z), "R1": float(w @ v), "LPPD": passes(rest, -1.0)}
        else:
            found = {"GPD": self.coefficient(z), "R2": float(w @ v), "LPPD": passes(rest, 1.0)}
        if rest.size > 1:
            found["LPNS" if self.kind == "LPC" else "PDNS"] = passes_circle(rest)
        return found

    def classify(self, name: str, z: np.ndarray, J: Any, tangent: np.ndarray) -> Finding | None:
        """What a zero of a test is; None where a pair that should be on the unit circle is real."""
        M = self.map(z)
        rest = self.rest(z, M)
        numbers = {self.problem.parameter: float(z[-2]), "period": float(self.problem.equations.linked(z[:-2], z[-2])[2])}
        if self.kind == "TR":
            total = pair_of(M, self.total).sum
            if name in ("LPNS", "PDNS", "NSNS") and abs(total) > 2.0:
                return None
            numbers["angle"] = float(np.arccos(np.clip(0.5 * total, -1.0, 1.0)))
        if name == "NSNS" or (self.kind != "TR" and name in ("LPNS", "PDNS")):
            angle = complex_pair_on_circle(rest)
            if angle is None:
                return None
            numbers["angle_2" if name == "NSNS" else "angle"] = angle
        return Finding(name, f"{KINDS[name]}; {NOT_COMPUTED}", numbers)

    # -- what is recorded and remembered ---------------------------------------------------------------------------------------

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """What is recorded of the orbits, the coefficient of the return map, and the angle of a torus."""
        self.put(z[-1])
        told = {**self.problem.measures(z[:-1], None), COEFFICIENT[self.kind]: self.normalised(z)}
        if self.kind == "TR":
            half = 0.5 * self.pair(z).sum
            told["angle"] = float(np.arccos(half)) if abs(half) <= 1.0 else float("nan")
        return told

    def scales(self, z: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        """Those of the orbits; the parameters by their size, or the bounds."""
        self.put(z[-1])
        inner = self.problem.scales(z[:-1], (-np.inf, np.inf))
        inner[-1] = max(abs(float(z[-2])), 1e-3)
        wide = bounds[1] - bounds[0]
        self.sizes = np.append(inner, wide if np.isfinite(wide) else max(1.0, abs(float(z[-1]))))
        return self.sizes

    def rescaled(self, z: np.ndarray, scales: np.ndarray) -> np.ndarray | None:
        """As of the orbits."""
        self.put(z[-1])
        inner = self.problem.rescaled(z[:-1], scales[:-1])
        return None if inner is None else np.append(inner, scales[-1])

    def outside(self, z: np.ndarray) -> str:
        """As of the orbits."""
        self.put(z[-1])
        return self.problem.outside(z[:-1])

    def update(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The orbit is the neighbour of the next one; what is critical is remembered."""
        self.put(z[-1])
        self.problem.equations.hold(z[:-2], z[-2])
        self.renew(z)
        return z, tangent

    def afresh(self) -> None:
        """As of the orbits."""
        self.problem.afresh()

    def memory(self) -> dict[str, np.ndarray]:
        """The neighbour, and what is critical."""
        return {**self.problem.memory(), "b": self.border.b, "c": self.border.c, "total": np.array([self.total])}

    def recall(self, memory: dict[str, np.ndarray]) -> None:
        """Take these up again."""
        self.problem.recall(memory)
        self.border.b, self.border.c = np.asarray(memory["b"], float), np.asarray(memory["c"], float)
        self.total = float(np.asarray(memory["total"], float)[0])

    def about(self) -> dict[str, Any]:
        """Which problem it is."""
        told = self.problem.about()
        return {
            **told,
            "problem": "CycleCurve",
            "curve": self.kind,
            "first": self.problem.parameter,
            "parameter": self.parameter,
            "unknowns": list(self.names),
            "no_coefficients": self.unknown_form,
        }


def trace_cycle_curve(
    branch: Any,
    label: str,
    second: str,
    bounds: tuple[float | None, float | None] | None = None,
    *,
    steps: PseudoArclength | None = None,
    directions: str = "both",
    file: Any = None,
    progress: bool | None = None,
) -> Branch:
    """The curve of folds, period doublings or tori through a special point (LPC, PD, TR) of a branch of orbits, in a second parameter.

    It is followed by shooting, whatever made the branch. bounds: of the second parameter. steps: a `PseudoArclength`; with detect=False points of
    codimension two are not looked for.
    """
    special: Special = branch.special(label)
    if special.kind not in WHAT:
        raise InputError(
            f"curves are followed of folds (LPC), period doublings (PD) and tori (TR); {special.label} is a {special.title}."
        )
    shooting, start = from_one_start(branch, special)
    problem = CycleCurve(shooting, special.kind, second)
    z = np.append(start, parameter_of(shooting.system, second))
    try:
        problem.put(z[-1])
        shooting.equations.hold(z[:-2], z[-2])
        if special.kind == "TR":
            problem.total = 2.0 * float(np.cos(special.numbers["angle"]))
        problem.renew(z)
        return trace_branch(problem, z, steps or STEPS, bounds=bounds, directions=directions, file=file, progress=progress)
    finally:
        problem.put(parameter_of(shooting.system, second))


def from_one_start(branch: Any, special: Special) -> tuple[OrbitProblem, np.ndarray]:
    """The problem of a branch, and a special point on it, by single shooting."""
    old: OrbitProblem = branch.problem
    e = old.equations
    if e.pieces == 1 and not isinstance(e, HarmonicEquations):
        if old.may_begin_elsewhere:
            old.begin_at(float(special.measures["begins_at"]))
        return old, special.z
    orbit = branch.orbit(special)
    problem = OrbitProblem(old.system, old.parameter, e.period, e.closure, Shooting())
    problem.model = old.model
    return problem, np.append(problem.equations.pack(orbit.states[:1], orbit.period, orbit.extra), special.parameter)
