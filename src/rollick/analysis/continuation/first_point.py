"""Where a branch begins: a start corrected onto the curve, and beside special points."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError
from .arclength import PseudoArclength
from .bordered import Singular, first_tangent, tangent_of
from .corrector import NoConvergence, correct
from .locate import NOISE, all_tests
from .point import Point, Special


def first_point(
    problem: Any, start: Any, method: PseudoArclength, bounds: tuple[float, float], tangent: Any, both: bool = False
) -> tuple[Point, np.ndarray, bool]:
    """The start, corrected onto the curve; the weights of arclength; whether tests have no sign there.

    A start that happens to be a special point itself is exchanged for one beside it, so that the branch, which is followed in both directions, passes the special point and tells it.
    """
    special = start if isinstance(start, Special) else None
    n = len(problem.names) + 1
    try:
        z = np.array(start.z if isinstance(start, Point) else start, float).ravel()
    except (TypeError, ValueError):
        told = ", ".join((*problem.names[:8], problem.parameter))
        raise InputError(
            f"a start of this problem is {n} numbers ({told}), or a special point, branch.special(...); got {start!r:.80}."
        ) from None
    if z.size != n or not np.all(np.isfinite(z)):
        told = ", ".join((*problem.names[:8], problem.parameter))
        raise InputError(f"a start of this problem has {n} finite numbers ({told}); got {z.size}.")
    if not bounds[0] <= z[-1] <= bounds[1]:
        raise InputError(
            f"the start has {problem.parameter} = {z[-1]:g}, outside bounds = ({bounds[0]:g}, {bounds[1]:g}); begin inside."
        )
    beyond = problem.outside(z)
    if beyond:
        raise InputError(f"the equations do not hold at the start: {beyond}")
    scales = np.asarray(problem.scales(z, bounds), float)
    weights = 1.0 / scales**2
    if special is not None and special.kind == "BP" and tangent is None:
        tangents = special.arrays.get("tangents", np.zeros((1, 0)))
        if len(tangents) < 2:
            raise InputError(f"no second branch crosses at {special}; its branching equation has no two real solutions.")
        tangent = tangents[1]
    if tangent is not None:  # from a point that is one: the first step is taken along this direction
        try:
            t = np.array(tangent, float).ravel()
        except (TypeError, ValueError):
            t = np.zeros(0)
        if t.size != n or not np.any(t) or not np.all(np.isfinite(t)):
            raise InputError(f"a tangent of this problem has {n} numbers, not all zero; got {tangent!r}.")
        t /= np.sqrt(np.sum(weights * t * t))
        measures = problem.measures(z, problem.jacobian(z))
        return Point(z, t, 0.0, measures, {}, problem.unstable(measures)), weights, True
    try:
        across = np.zeros(n)
        across[-1] = 1.0
        try:  # at the parameter of the start, if it is no fold
            z, _, J, _ = correct(problem, z, across, weights, method.tol, 4 * method.newton)
        except NoConvergence:
            guess = first_tangent(problem.jacobian(z), weights)
            z, _, J, _ = correct(problem, z, weights * guess, weights, method.tol, 4 * method.newton)
        beyond = problem.outside(z)
        if beyond:
            raise NoConvergence(beyond)
        t = first_tangent(J, weights)
        first = point_at(problem, z, t, weights, 0.0, method, J)
        beside = _beside(problem, z, weights, bounds, method, first) if both and special is None else None
        return beside or first, weights, special is not None
    except (NoConvergence, Singular, np.linalg.LinAlgError) as error:
        beside = _beside(problem, z, weights, bounds, method, None)
        if beside is not None:
            return beside, weights, False
        named = ", ".join(f"{name} = {value:.6g}" for name, value in list(zip((*problem.names, problem.parameter), z))[:8])
        raise InputError(
            f"the start ({named}) could not be corrected onto a branch: {error}. Begin nearer to a solution; where it is one, solutions are "
            f"not isolated there (a quantity is conserved: hold a state)."
        ) from None


def _beside(
    problem: Any, z: np.ndarray, weights: np.ndarray, bounds: tuple[float, float], method: PseudoArclength, first: Point | None
) -> Point | None:
    """A point of the branch one step from a start at which tests vanish, or which is singular; None if there is nothing to be gained."""
    gone = [] if first is None else [k for k, v in first.tests.items() if np.isfinite(v) and abs(v) <= NOISE]
    if first is not None and not gone:
        return None
    across = np.zeros(z.size)
    across[-1] = 1.0
    ways = [(across / np.sqrt(weights[-1]), across)]  # along the parameter: from a crossing of branches the tangent is not known
    if first is not None:
        ways.insert(len(ways) if "BP" in gone else 0, (first.tangent, weights * first.tangent))
    for direction, row in ways:
        for sign in (-1.0, 1.0):
            try:
                near, _, J, _ = correct(problem, z + sign * method.ds * direction, row, weights, method.tol, method.newton)
                if not bounds[0] <= near[-1] <= bounds[1] or problem.outside(near):
                    continue
                point = point_at(problem, near, first_tangent(J, weights), weights, 0.0, method, J)
            except (NoConvergence, Singular, np.linalg.LinAlgError):
                continue
            if first is None or any(abs(point.tests[k]) > NOISE for k in gone):
                return point
    return None


def point_at(
    problem: Any, z: np.ndarray, tangent: np.ndarray, weights: np.ndarray, s: float, method: PseudoArclength, J: Any = None
) -> Point:
    """The point z of a curve, on the side of a tangent."""
    J = problem.jacobian(z) if J is None else J
    t, M = tangent_of(J, tangent, weights)
    tests = all_tests(problem, z, J, t, weights, M) if method.detect else {}
    measures = problem.measures(z, J)
    return Point(z, t, s, measures, tests, problem.unstable(measures))
