"""Newton's method with damping for the equations of an orbit; where they are singular (a family of orbits), the nearest solution."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg.lapack import dgecon, dgetrf, dgetrs
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from .modes_flow import through_modes
from .watch import look

STEPS = 40
LARGE = 100  # unknowns
SHORTEST = 1.0 / 256.0
NOTHING = 1e-10  # relative to the largest derivative: the flow is known to no more
NEARLY = 1e-5  # relative: singular values below it nearly belong to one
SINGULAR = 1e-9  # relative: singular values below this belong to a family of orbits


class NotFound(ArithmeticError):
    """Newton's method does not converge."""


class Solved(NamedTuple):
    """The solution, how many steps it took, the last residual and step, and how many directions the equations leave free."""

    x: np.ndarray
    steps: int
    residual: float
    step: float
    family: int


def direction(J: np.ndarray, F: np.ndarray) -> tuple[np.ndarray, int]:
    """-J^-1 F, the shortest one where J is singular, by least squares where it has more rows; and how many directions J leaves free."""
    A, scale = scaled(J, F)
    if A.shape[0] == A.shape[1]:
        found = sparse_direction(A, F) if F.size > LARGE else None
        if found is not None:
            return found / scale, 0
        lu, pivots, broken = dgetrf(A)
        if broken == 0 and dgecon(lu, float(np.abs(A).sum(axis=0).max()))[0] > SINGULAR:
            return -dgetrs(lu, pivots, F)[0] / scale, 0
    found, free = shortest(A, F, SINGULAR)
    return found / scale, free


def scaled(J: np.ndarray, F: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """J with columns of the size one, and what they were divided by."""
    scale = np.abs(J).max(axis=0)
    scale[scale <= NOTHING * scale.max(initial=0.0)] = 1.0  # a column of rounding errors: of an unknown on which nothing depends
    A = J / scale
    if not (np.all(np.isfinite(A)) and np.all(np.isfinite(F))):
        raise NotFound("the equations are not finite")
    return A, scale


def shortest(A: np.ndarray, F: np.ndarray, cut: float) -> tuple[np.ndarray, int]:
    """The shortest -A^-1 F by least squares, without singular values below `cut` (relative), and how many these are."""
    U, s, V = np.linalg.svd(A, full_matrices=False)
    small = s <= cut * s[0]
    inverse = np.where(small, 0.0, 1.0 / np.where(small, 1.0, s))
    return -(V.T @ (inverse * (U.T @ F))), int(np.sum(small))


def cautious(J: np.ndarray, F: np.ndarray) -> np.ndarray | None:
    """A step without the directions that hardly change anything: beside a family of orbits its direction is nearly free, and a tiny residual would lead far along it. None: there are none."""
    A, scale = scaled(J, F)
    found, free = shortest(A, F, NEARLY)
    return found / scale if free else None


def sparse_direction(A: np.ndarray, F: np.ndarray) -> np.ndarray | None:
    """-A^-1 F for a matrix of many nodes, most of it zero; None where it is nearly singular."""
    try:
        lu = splu(csc_array(A))
        found = -lu.solve(F)
        probe = lu.solve(np.random.default_rng(2).normal(size=F.size))  # large where a singular value is small
    except RuntimeError:  # exactly singular
        return None
    limit = 1.0 / (SINGULAR * float(np.abs(A).max()))
    return found if np.all(np.isfinite(found)) and float(np.abs(probe).max()) < limit else None


def opening(equations: Any, x: np.ndarray) -> float:
    """By how much an orbit does not close, as cheaply as it is to be had: a trial that fails needs no derivatives; infinite where there is none."""
    try:
        quick = None if through_modes(equations.system) else equations.quick_residual(x)  # through modes derivatives come along
        return float(np.linalg.norm(equations.residual(x) if quick is None else quick))
    except ArithmeticError:
        return np.inf


def solve(equations: Any, x: np.ndarray, tol: float = 1e-11, steps: int = STEPS) -> Solved:
    """A zero of `equations.residual` near x. `tol`: of the last step, relative to the size of the unknowns."""
    F = equations.residual(x)
    size, last, family = float(np.linalg.norm(F)), np.inf, 0
    if not np.isfinite(size):
        raise NotFound("the equations are not finite at the guess")
    for count in range(1, steps + 1):
        J = equations.jacobian(x)[:, : x.size]
        d, family = direction(J, F)
        length, scale = float(np.linalg.norm(d)), 1.0 + float(np.linalg.norm(x))
        part = 1.0
        while True:
            look(words=f"Newton's step {count}, open by {size:.3g}")
            new = opening(equations, x + part * d)
            if new <= (1.0 - 0.1 * part) * size or (
                part == 1.0 and (new <= 1e-9 * scale or length <= 1e-7 * scale) and np.isfinite(new)
            ):
                break
            other = cautious(J, F) if part == 1.0 and x.size <= LARGE else None
            if other is not None and opening(equations, x + other) <= 0.5 * size:
                d, length = other, float(np.linalg.norm(other))
                break
            part *= 0.5
            if part < SHORTEST:
                raise NotFound(f"Newton's method gets no closer after {count} steps; the orbit is still open by {size:.3g}")
        x = x + part * d
        try:  # the motion itself is there, its derivatives may not be
            F = equations.residual(x)
        except ArithmeticError as error:
            raise NotFound(f"Newton's method came, after {count} steps, to where the orbit has no derivatives: {error}") from None
        size = float(np.linalg.norm(F))
        if length <= tol * scale or (length <= 1e3 * tol * scale and length > 0.3 * last):
            return Solved(x, count, size, length, family)
        last = length
    raise NotFound(f"Newton's method does not converge in {steps} steps; the orbit is still open by {size:.3g}")
