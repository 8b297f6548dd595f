"""Orthogonal collocation: on every interval of a mesh a polynomial that satisfies the equations at Gauss points.

On the interval from s_i, of length h (in fractions of the period T), the stages Z_j at the Gauss points c_j satisfy

    Z_j = U_i + h T sum_k a_jk f(Z_k),          E_i = U_i + h T sum_k b_k f(Z_k),

with a_jk, b_k the integrals of the Lagrange polynomials of the points (de Boor and Swartz 1973; the error at the nodes is O(h^2m), inside O(h^(m+1))).
The stages are eliminated interval by interval, all intervals at once; what remains are the states at the nodes (`equations`), and the transition
matrix of each interval, so that multipliers come from the same factors as in shooting.

The mesh is moved so that every interval has the same share of |u^(m+1)|^(1/(m+1)) (de Boor's equidistribution, as in COLSYS and AUTO).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial.legendre import leggauss

from ...kernel.names import InputError, whole
from ...kernel.system import dim
from .equations import Links
from .slopes import Slopes

STAGE_STEPS = 25  # of Newton's iteration for the stages
STAGE_TOLERANCE = 1e-13  # relative
WORST = 0.05  # no interval is shorter than this part of the mean share of its own (a floor under the density)


@dataclass(frozen=True)
class Collocation:
    """`intervals` polynomials of degree `degree`; the mesh is adapted `adapt` times when an orbit is found, and along a branch every few points."""

    intervals: int = 40
    degree: int = 4
    adapt: int = 3
    name: str = "collocation"

    def links(self, system: Any, closure: Any, parameter: str | None) -> Polynomials:
        """What `Equations` need."""
        count, degree, adapt = whole(self.intervals, "intervals"), whole(self.degree, "degree"), whole(self.adapt, "adapt")
        if count < 3 or not 2 <= degree <= 8 or adapt < 0:
            raise InputError(
                f"Collocation needs intervals = {count} of at least 3, degree = {degree} between 2 and 8, adapt = {adapt} not below 0."
            )
        return Polynomials(system, parameter, np.linspace(0.0, 1.0 / closure.order, count + 1), degree)


class Rule(NamedTuple):
    """Gauss points on [0, 1], integrals a of the Lagrange polynomials up to each point, b over the interval, these integrals as polynomials, the
    values of the Lagrange polynomials at 0, and their highest derivatives."""

    c: np.ndarray
    a: np.ndarray
    b: np.ndarray
    integrals: tuple[Polynomial, ...]
    first: np.ndarray
    top: np.ndarray


@lru_cache
def gauss(m: int) -> Rule:
    """The rule of m points."""
    c = 0.5 * (leggauss(m)[0] + 1.0)
    basis = []
    for k in range(m):
        others = np.delete(c, k)
        basis.append(Polynomial.fromroots(others) / float(np.prod(c[k] - others)))
    inside = tuple(p.integ() for p in basis)
    a, b = np.array([[p(x) for p in inside] for x in c]), np.array([p(1.0) for p in inside])
    return Rule(c, a, b, inside, np.array([p(0.0) for p in basis]), np.array([p.deriv(m - 1)(0.0) for p in basis]))


class Polynomials:
    """Links by collocation; `mesh` may be moved, the stages found last are where the next search begins."""

    def __init__(self, system: Any, parameter: str | None, mesh: np.ndarray, degree: int):
        self.parameter, self.mesh, self.rule = parameter, mesh, gauss(degree)
        self.n = int(dim(system))
        self.stages: np.ndarray | None = None
        self.starts: np.ndarray | None = None
        self.rates: np.ndarray | None = None
        self.all_slopes = Slopes(parameter)
        self.by_time = False  # whether the rate's own dependence on the time is needed; `find` and `branch` say so

    @property
    def pieces(self) -> int:
        """The number of intervals."""
        return len(self.mesh) - 1

    @property
    def points(self) -> np.ndarray:
        """The Gauss points of all intervals, as fractions of the period."""
        return self.mesh[:-1, None] + np.diff(self.mesh)[:, None] * self.rule.c

    def slopes(self, system: Any, T: float, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """f, J and f_p at the stages."""
        N, m, n = Z.shape
        f, J, w = self.all_slopes(system, (self.points * T).ravel(), Z.reshape(N * m, n))
        return f.reshape(N, m, n), J.reshape(N, m, n, n), w.reshape(N, m, n)

    def first_stages(self, U: np.ndarray, T: float, system: Any) -> np.ndarray:
        """Where the search for stages begins: those found last, moved with the nodes; without these, straight lines from node to node."""
        if self.stages is not None and self.starts is not None and self.starts.shape == U.shape:
            return self.stages + (U - self.starts)[:, None]
        following = np.vstack([U[1:], U[-1:] + (U[-1:] - U[-2:-1] if len(U) > 1 else 0.0)])
        return U[:, None] + self.rule.c[None, :, None] * (following - U)[:, None]

    def __call__(self, system: Any, U: np.ndarray, T: float) -> Links:
        N, n, m = self.pieces, self.n, len(self.rule.c)
        a, b = self.rule.a, self.rule.b
        h = np.diff(self.mesh)
        H = h * T
        Z = np.ascontiguousarray(self.first_stages(U, T, system))
        eye = np.eye(m * n)
        for step in range(STAGE_STEPS):
            f, J, w = self.slopes(system, T, Z)
            if not np.all(np.isfinite(f)):
                raise ArithmeticError("the rates at the collocation points are not finite")
            # (1 - H a x J) dZ = U + H a f - Z
            matrix = eye - np.einsum("i,jk,ikpq->ijpkq", H, a, J).reshape(N, m * n, m * n)
            missing = U[:, None] + H[:, None, None] * np.einsum("jk,ikp->ijp", a, f) - Z
            size = float(np.abs(missing).max())
            scale = 1.0 + float(np.abs(Z).max())
            if size <= STAGE_TOLERANCE * scale or (step > 3 and size <= 1e-11 * scale):
                break
            Z = Z + np.linalg.solve(matrix, missing.reshape(N, m * n, 1)).reshape(N, m, n)
        else:
            raise ArithmeticError(f"the stages of collocation are not found: what is missing is still {size:.2g}")
        self.stages, self.starts, self.rates = Z, U.copy(), f
        drive = f
        if self.by_time:  # the Gauss points move with T
            ft = self.all_slopes.by_time(system, (self.points * T).ravel(), Z.reshape(N * m, n))
            drive = f + T * self.points[:, :, None] * ft.reshape(N, m, n)
        sides = np.empty((N, m, n, n + 2))
        sides[..., :n] = np.eye(n)
        sides[..., n] = h[:, None, None] * np.einsum("jk,ikp->ijp", a, drive)
        sides[..., n + 1] = H[:, None, None] * np.einsum("jk,ikp->ijp", a, w)
        dZ = np.linalg.solve(matrix, sides.reshape(N, m * n, n + 2)).reshape(N, m, n, n + 2)
        moved = H[:, None, None] * np.einsum("k,ikpq,ikqr->ipr", b, J, dZ)
        G = moved[..., :n] + np.eye(n)
        by_period = moved[..., n] + h[:, None] * np.einsum("k,ikp->ip", b, drive)
        by_parameter = moved[..., n + 1] + H[:, None] * np.einsum("k,ikp->ip", b, w)
        ends = U + H[:, None] * np.einsum("k,ikp->ip", b, f)
        # The rate at a node from the polynomial, which knows it to O(h^m): it serves phase conditions alone.
        return Links(ends, G, by_period, by_parameter, np.einsum("k,ikp->ip", self.rule.first, f), G)

    def memory(self) -> dict[str, np.ndarray]:
        """The stages found last and the nodes they belong to, from which the next search begins."""
        return {} if self.stages is None or self.starts is None else {"stages": self.stages, "starts": self.starts}

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Take up a mesh and stages again."""
        self.mesh = np.asarray(memory["mesh"], float)
        self.stages, self.starts = (np.array(memory[name], float) if name in memory else None for name in ("stages", "starts"))

    # -- the mesh --------------------------------------------------------------------------------------------------------------

    def at(self, U: np.ndarray, T: float, fractions: np.ndarray) -> np.ndarray:
        """The polynomials of the orbit found last at some fractions of the period."""
        assert self.rates is not None
        i = np.clip(np.searchsorted(self.mesh, fractions, side="right") - 1, 0, self.pieces - 1)
        h = np.diff(self.mesh)[i]
        x = (fractions - self.mesh[i]) / h
        weights = np.array([p(x) for p in self.rule.integrals])
        return U[i] + (h * T)[:, None] * np.einsum("kr,rkp->rp", weights, self.rates[i])

    def share(self, T: float) -> np.ndarray:
        """|u^(m+1)|^(1/(m+1)) on every interval: the m-th derivative is constant there, and neighbours give the next one."""
        assert self.rates is not None
        m, h = len(self.rule.c), np.diff(self.mesh)
        size = np.maximum(np.ptp(self.rates.reshape(-1, self.n), axis=0) * T, 1e-12)
        highest = T * np.einsum("k,ikp->ip", self.rule.top, self.rates) / size / h[:, None] ** (m - 1)
        middle = 0.5 * (h + np.roll(h, -1))
        jump = np.abs(np.roll(highest, -1, axis=0) - highest) / middle[:, None]  # at the right end of each interval
        jump[-1] = jump[-2] if self.mesh[-1] < 1.0 else jump[-1]  # half an orbit is not periodic
        return (0.5 * (jump + np.roll(jump, 1, axis=0))).max(axis=1) ** (1.0 / (m + 1))

    def moved_mesh(self, T: float) -> np.ndarray:
        """A mesh on which every interval has the same share."""
        h, density = np.diff(self.mesh), self.share(T)
        mean = float(np.sum(density * h) / np.sum(h))
        if not (mean > 0.0 and np.isfinite(mean)):
            return self.mesh
        whole_ = np.concatenate([[0.0], np.cumsum(np.maximum(density, WORST * mean) * h)])
        return np.interp(np.linspace(0.0, whole_[-1], self.pieces + 1), whole_, self.mesh)

    def move(self, U: np.ndarray, T: float, mesh: np.ndarray) -> np.ndarray:
        """Go over to another mesh; the states at its nodes."""
        new = self.at(U, T, mesh[:-1])
        points = mesh[:-1, None] + np.diff(mesh)[:, None] * self.rule.c
        stages = self.at(U, T, points.ravel()).reshape(len(mesh) - 1, len(self.rule.c), self.n)
        self.mesh, self.stages, self.starts = mesh, stages, new.copy()
        return new
