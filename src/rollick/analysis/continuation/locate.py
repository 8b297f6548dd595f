"""Special points between two points of a branch: where a test function changes its sign.

The arclength sigma measured along the tangent of the first point parametrises the piece: F(z) = 0, <t0, z - z0> = sigma. The test is a function of
sigma there, and its zero is found by Brent's method, every value at a corrected point. Branch points, where the corrector is badly conditioned,
are then moved onto the solution of a regular system (`branching`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import brentq

from .bordered import Singular, tangent_of
from .branching import branch_tangents, polished
from .corrector import NoConvergence, correct
from .point import Point, Special
from .problem import Finding

NOISE = 1e-10  # of a test function that is of the order one; smaller values have no sign
TURNS = 1e-3  # of the tangent's part along the parameter: at a branch point where the present curve turns
SIGN_CHANGE = "a sign change of the test {}"
SINGULAR_VALUES = 60  # entries of z up to which the test for branch points is a singular value


def all_tests(problem: Any, z: np.ndarray, J: Any, tangent: np.ndarray, weights: np.ndarray, matrix: Any) -> dict[str, float]:
    """Those of the core that the problem asks for, and its own.

    LP: the parameter's part of the tangent. BP: the least singular value of [F_z; t], with the sign of its determinant; for many unknowns the
    determinant, up to a positive factor.
    """
    found = {}
    if "LP" in problem.core:
        found["LP"] = float(tangent[-1] * np.sqrt(weights[-1]))
    if "BP" in problem.core:
        found["BP"] = _branch_test(J, tangent, weights, matrix)
    return {**found, **problem.tests(z, J, tangent)}


def _branch_test(J: Any, tangent: np.ndarray, weights: np.ndarray, matrix: Any) -> float:
    scale = 1.0 / np.sqrt(weights)
    sign, size = matrix.log_determinant()
    if tangent.size <= SINGULAR_VALUES and not matrix.sparse:
        values = np.linalg.svd(np.vstack([J * scale, tangent / scale]), compute_uv=False)
        return sign * float(values[-1] / values[0])
    return sign * float(np.exp(np.clip(size / tangent.size, -300.0, 300.0)))


class Piece:
    """The curve between two points of a branch."""

    def __init__(self, problem: Any, method: Any, weights: np.ndarray, base: Point, end: Point):
        self.problem, self.method, self.weights, self.base, self.end = problem, method, weights, base, end
        self.row = weights * base.tangent
        self.length = float(self.row @ (end.z - base.z))

    def at(self, sigma: float) -> tuple[np.ndarray, Any, np.ndarray, dict[str, float]]:
        """z, F_z, tangent and tests at sigma."""
        u = sigma / self.length
        chord = self.base.z + u * (self.end.z - self.base.z)  # lies in the plane of this sigma
        z, _, J, _ = correct(self.problem, chord, self.row, self.weights, self.method.tol, 2 * self.method.newton)
        t, M = tangent_of(J, self.base.tangent, self.weights)
        return z, J, t, all_tests(self.problem, z, J, t, self.weights, M)

    def zero(self, name: str) -> Special | None:
        """The special point where a test vanishes, or None where its sign changes at a pole, or without meaning."""
        f0, f1 = self.base.tests[name], self.end.tests[name]

        def value(sigma: float) -> float:
            if sigma == 0.0:
                return f0
            try:
                return f1 if sigma == self.length else self.at(sigma)[3][name]
            except (NoConvergence, Singular):
                if rough:  # on the very point
                    return 0.0
                raise

        rough = name == "BP"
        sigma = float(
            brentq(value, 0.0, self.length, xtol=abs(self.length) * (1e-5 if rough else 1e-14), rtol=1e-13 if not rough else 1e-5)
        )
        if rough:
            special = self.branch_point(sigma)
            if special is not None:
                return special
            sigma = float(brentq(value, 0.0, self.length, xtol=1e-14, rtol=1e-13))
        z, J, t, tests = self.at(sigma)
        if abs(tests[name]) > 0.1 * min(abs(f0), abs(f1)) + NOISE:
            return None
        return self.told(name, z, J, t, tests)

    def branch_point(self, sigma: float) -> Special | None:
        """The branch point near sigma as the solution of Moore's system; None if that does not converge."""
        try:
            near, _, t, tests = self.at(sigma)
        except (NoConvergence, Singular):  # on the very point
            near, t, tests = self.base.z + sigma / self.length * (self.end.z - self.base.z), self.base.tangent, self.base.tests
        z = polished(self.problem, near, 1.0 / np.sqrt(self.weights))
        if z is None:
            return None
        inside = float(self.row @ (z - self.base.z)) / self.length
        if not -0.01 <= inside <= 1.01:
            return None
        return self.told("BP", z, self.problem.jacobian(z), t, {**tests, "BP": 0.0})

    def told(self, name: str, z: np.ndarray, J: Any, t: np.ndarray, tests: dict[str, float]) -> Special | None:
        """What is at z, with what belongs to it."""
        arrays: dict[str, np.ndarray] = {}
        if name == "BP":
            tangents, coefficients = branch_tangents(self.problem, z, t, self.weights)
            t, arrays = (
                tangents[0] * np.sign(np.sum(self.weights * tangents[0] * self.base.tangent) or 1.0),
                {"tangents": tangents, "branching": coefficients},
            )
        finding: Finding | None = self.problem.classify(name, z, J, t)
        if finding is None:
            return None
        measures = self.problem.measures(z, J)
        s = self.base.s + float(np.sum(self.weights * self.base.tangent * (z - self.base.z)))
        return Special(
            z, t, s, measures, tests, self.problem.unstable(measures),
            kind=finding.kind, sentence=finding.sentence, numbers=finding.numbers, arrays={**arrays, **finding.arrays},
        )  # fmt: skip


def crossings(last: dict[str, Point], end: Point, noise: float = NOISE) -> list[str]:
    """The tests whose sign at `end` differs from that at their last point with a sign."""
    return [
        name
        for name, value in end.tests.items()
        if name in last and np.isfinite(value) and abs(value) > noise and value * last[name].tests[name] < 0.0
    ]


def located(piece_of: Callable[[str], Piece], names: list[str]) -> tuple[list[Special], list[str]]:
    """The special points behind sign changes, in the order of the branch, and sentences on those that could not be located."""
    found: list[Special] = []
    doubts: list[str] = []
    for name in names:
        piece = piece_of(name)
        try:
            special = piece.zero(name)
        except (ArithmeticError, np.linalg.LinAlgError) as error:  # among these NoConvergence and Singular
            doubts.append(
                f"{SIGN_CHANGE.format(name)} between {piece.base.z[-1]:.9g} and {piece.end.z[-1]:.9g} could not be located: {error}"
            )
            continue
        if special is not None:
            found.append(special)
    branch_points = [p for p in found if p.kind == "BP"]
    if any(abs(p.tangent[-1]) * np.sqrt(piece_of("BP").weights[-1]) < TURNS for p in branch_points):
        doubts = [told for told in doubts if not told.startswith(SIGN_CHANGE.format("LP"))]  # it turns where another crosses it
    weights = {id(p): piece_of("BP").weights for p in branch_points}
    kept = [
        p for p in found if p.kind != "LP" or all(np.sum(weights[id(b)] * (p.z - b.z) ** 2) > 1e-8 for b in branch_points)
    ]  # a curve that turns where another crosses it is a branch point, not a fold besides
    return sorted(kept, key=lambda p: p.s), doubts
