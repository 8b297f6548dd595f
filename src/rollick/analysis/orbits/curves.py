"""Curves of folds of cycles and of period doublings in two parameters.

Unknowns are those of an orbit and the first parameter; the second one is continued. To the equations of the orbit comes g = 0, where

    [ A   b ] [ v ]   [ 0 ]
    [ c^T 0 ] [ g ] = [ 1 ],        A = F_x (fold),   A = M + 1 (period doubling),

g is zero exactly where A is singular (W. Govaerts, Numerical Methods for Bifurcations of Dynamical Equilibria, 2000); b and c are renewed from A's singular vectors along the curve. The
gradient of g is by central differences, which serve Newton's direction alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ..continuation.arclength import PseudoArclength
from ..continuation.branch import Branch
from ..continuation.point import Special
from ..continuation.problem import Problem
from ..continuation.trace import trace_branch
from .harmonic import HarmonicEquations
from .problem import OrbitProblem
from .sensitive import parameter_of, with_parameter

STEP = 1e-5  # of differences, in the scales of the problem


class CycleCurve(Problem):
    """Folds (LPC) or period doublings (PD) of the orbits of a problem over a second parameter."""

    def __init__(self, problem: OrbitProblem, kind: str, second: str):
        e = problem.equations
        if e.pieces > 1 or isinstance(e, HarmonicEquations):
            raise InputError(
                "curves of folds and period doublings are followed by shooting; continue the branch with method=Shooting() first."
            )
        if second == problem.parameter:
            raise InputError(f"the second parameter is {second} again; name another one.")
        parameter_of(problem.system, second)
        self.problem, self.kind, self.parameter, self.base = problem, kind, second, problem.system
        self.what = {"LPC": "folds of cycles", "PD": "period doublings"}[kind]
        self.b = self.c = np.zeros(0)
        self.sizes = np.ones(0)
        self.units = {**problem.units, second: problem._unit(second)}

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """The unknowns of the orbit, and the first parameter."""
        return (*self.problem.names, self.problem.parameter)

    def put(self, q: float) -> None:
        """The second parameter."""
        e = self.problem.equations
        if parameter_of(e.system, self.parameter) != q:
            e.system = with_parameter(self.base, self.parameter, float(q))
            e._last = None

    def matrix(self, z: np.ndarray) -> np.ndarray:
        """A."""
        self.put(z[-1])
        e = self.problem.equations
        if self.kind == "LPC":
            return e.jacobian(z[:-2], z[-2])[:, :-1]
        M = np.eye(e.n)
        for G in e.linked(z[:-2], z[-2])[4].matrices:
            M = G @ M
        return M + np.eye(e.n)

    def renew(self, z: np.ndarray) -> None:
        """b and c from the singular vectors of A."""
        U, _, Vt = np.linalg.svd(self.matrix(z))
        b, c = U[:, -1], Vt[-1]
        if self.b.size == b.size:  # on the side of the old ones, so that g keeps its sign
            b, c = b * (np.sign(b @ self.b) or 1.0), c * (np.sign(c @ self.c) or 1.0)
        self.b, self.c = b, c

    def defect(self, z: np.ndarray) -> float:
        """g."""
        A = self.matrix(z)
        bordered = np.block([[A, self.b[:, None]], [self.c[None, :], np.zeros((1, 1))]])
        right = np.zeros(len(bordered))
        right[-1] = 1.0
        return float(np.linalg.solve(bordered, right)[-1])

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

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """What is recorded of the orbits."""
        self.put(z[-1])
        return self.problem.measures(z[:-1], None)

    def scales(self, z: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        """Those of the orbits; the parameters by their size, or the bounds."""
        self.put(z[-1])
        inner = self.problem.scales(z[:-1], (-np.inf, np.inf))
        inner[-1] = max(abs(float(z[-2])), 1e-3)
        wide = bounds[1] - bounds[0]
        self.sizes = np.append(inner, wide if np.isfinite(wide) else max(1.0, abs(float(z[-1]))))
        return self.sizes

    def update(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The orbit is the neighbour of the next one; b and c are renewed."""
        self.put(z[-1])
        self.problem.equations.hold(z[:-2], z[-2])
        self.renew(z)
        return z, tangent

    def memory(self) -> dict[str, np.ndarray]:
        """The neighbour, b and c."""
        return {**self.problem.memory(), "b": self.b, "c": self.c}

    def recall(self, memory: dict[str, np.ndarray]) -> None:
        """Take these up again."""
        self.problem.recall(memory)
        self.b, self.c = np.asarray(memory["b"], float), np.asarray(memory["c"], float)

    def about(self) -> dict[str, Any]:
        """Which problem it is."""
        told = self.problem.about()
        return {**told, "problem": "CycleCurve", "curve": self.kind, "parameter": self.parameter, "unknowns": list(self.names)}


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
    """The curve of folds or period doublings through a special point (LPC, PD) of a branch of orbits, in a second parameter.

    Special points on the curve itself (codimension two) are not looked for.
    """
    special: Special = branch.special(label)
    if special.kind not in ("LPC", "PD"):
        raise InputError(f"curves are followed of folds (LPC) and period doublings (PD); {special.label} is a {special.title}.")
    problem = CycleCurve(branch.problem, special.kind, second)
    z = np.append(special.z, parameter_of(branch.problem.system, second))
    branch.problem.equations.hold(special.z[:-1], special.parameter)
    problem.renew(z)
    try:
        method = replace(steps or PseudoArclength(ds=0.01, ds_max=0.05, tol=1e-9), detect=False)
        return trace_branch(problem, z, method, bounds=bounds, directions=directions, file=file, progress=progress)
    finally:
        problem.put(parameter_of(branch.problem.system, second))
