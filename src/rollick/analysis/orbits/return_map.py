"""The return map P of a periodic orbit, with its derivative, near its fixed point; and P's second and third derivatives.

Of a driven system P is the flow over a period; of one that runs by itself the way back to the plane through the start across the orbit, with n the
direction of the flow there. With the unknowns r that closing leaves (the period, the instants of impacts), E(y, r) where the orbit ends, and G(y, r) = 0
what determines r (n.(E - y0) = 0, and the gaps),

    DP = E_y - E_r G_r^-1 G_y,

in the coordinates of an orthonormal basis of the plane. B(u, .) and C(u, u, .) are central differences of DP along u, extrapolated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...motion.methods import DOP853
from .flow import Flow
from .impacting import ImpactEquations
from .modes_flow import through_modes

TIGHTEST = DOP853(rtol=1e-13)
STEPS = 12  # of Newton's method for r
REACH = 0.1  # the longest step of differences, in sizes of the orbit; it is halved until what is extrapolated settles
LEVELS = 11
SETTLED, NEARLY, UNSETTLED = 1e-9, 1e-5, 1e-2  # relative


def no_return_map(equations: Any) -> str:
    """Why the return map of these orbits is not known here, or ""."""
    if through_modes(equations.system):
        return f"{called(equations.system)} goes from mode to mode"
    if equations.closure.extra:
        return "states of the orbit are free or turn"
    return "" if equations.pieces == 1 else "the orbit has several starts"


class ReturnMap:
    """P near the orbit with the unknowns x at the parameter p; `size`: how far the states reach, one number or one for each."""

    def __init__(self, equations: Any, x: np.ndarray, p: float, size: Any = 1.0):
        why = no_return_map(equations)
        if why:
            raise InputError(f"no return map is computed: {why}.")
        self.system = equations.at(p)
        self.closure, self.period = equations.closure, equations.period
        U, self.T, rest = equations.unpack(x, self.system)
        self.y0 = U[0].copy()
        self.n = self.y0.size
        self.part = float(equations.links.mesh[-1])  # of the period, that is computed
        flow = Flow(self.system, None, TIGHTEST)
        self.flow, self.impacts = flow, None
        self.rest = np.zeros(0)
        if isinstance(equations, ImpactEquations):
            self.impacts = ImpactEquations(self.system, flow, self.period, self.closure, equations.count)
            self.rest = rest.copy()
        self.back = np.linalg.inv(self.closure.matrix)
        if self.period.unknown:
            f = flow.over(np.zeros(2), self.y0[None]).first_rates[0]
            self.normal = f / np.linalg.norm(f)
            self.basis = np.linalg.svd(self.normal[None, :])[2][1:].T
            self.unknowns = np.append(self.T, self.rest)
        else:
            self.basis, self.unknowns = np.eye(self.n), self.rest
        self.scale = np.linalg.norm(self.basis * np.broadcast_to(np.asarray(size, float), (self.n,))[:, None], axis=0)
        self.centre = self.jacobian(np.zeros(self.basis.shape[1]))

    def around(self, y: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of an orbit with impacts: E, E_y, E_r, and G with its derivative (by y, then by r)."""
        n, own = self.n, self.period.unknown
        T, tau = (float(r[0]), r[1:]) if own else (self.T, r)
        chain = self.impacts
        assert chain is not None
        end, D = chain._chain(self.system, y, T, tau).ends[0], chain.D[:, :-1]
        gaps, rows = chain.gaps, chain.rows[:, :-1]
        end, D = self.back @ (end - self.closure.advance), self.back @ D
        if own:
            gaps, rows = np.append(self.normal @ (end - self.y0), gaps), np.vstack([self.normal @ D, rows])
        else:
            D, rows = np.delete(D, n, axis=1), np.delete(rows, n, axis=1)
        return end, D[:, :n], D[:, n:], gaps, rows

    def jacobian(self, xi: np.ndarray) -> np.ndarray:
        """DP at y0 + basis xi."""
        y = self.y0 + self.basis @ xi
        if self.impacts is None:
            return self.smooth(y)
        r, last = self.unknowns.copy(), np.inf
        for _ in range(STEPS):
            _, by_start, by_rest, G, rows = self.around(y, r)
            if not r.size:
                return self.basis.T @ by_start @ self.basis
            step = np.linalg.solve(rows[:, self.n :], -G)
            r = r + step
            size = float(np.abs(step).max() / (1.0 + np.abs(r).max()))
            if settled(size, last):
                break
            last = size
        else:
            raise ArithmeticError("the way back to the section is not found")
        _, by_start, by_rest, _, rows = self.around(y, r)
        turned = by_start - by_rest @ np.linalg.solve(rows[:, self.n :], rows[:, : self.n])
        return self.basis.T @ turned @ self.basis

    def smooth(self, y: np.ndarray) -> np.ndarray:
        """DP of a smooth orbit: once around in its period, and the rest of the way to the section in a short piece."""
        since = self.T * self.part
        found = self.flow.over(np.array([0.0, since]), y[None])
        M, end = found.matrices[0], found.ends[0]
        if not self.period.unknown:
            return self.basis.T @ self.back @ M @ self.basis
        normal = self.normal @ self.back
        goal = self.normal @ (self.y0 + self.back @ self.closure.advance)
        last, dt, here, rate, G = np.inf, 0.0, end, found.last_rates[0], np.eye(self.n)
        for _ in range(STEPS):
            step = (goal - normal @ here) / (normal @ rate)
            if not abs(step) < 0.5 * since:
                break
            dt += step
            if settled(abs(step) / since, last):
                turned = (np.eye(self.n) - np.outer(rate, normal) / (normal @ rate)) @ G @ M
                return self.basis.T @ self.back @ turned @ self.basis
            last = abs(step) / since
            piece = self.flow.over(np.array([0.0, dt]), end[None])
            here, rate, G = piece.ends[0], piece.last_rates[0], piece.matrices[0]
        raise ArithmeticError("the way back to the section is not found")

    def forms(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The matrices B(u, .) and C(u, u, .)."""
        length = float(np.linalg.norm(u / self.scale))
        if length == 0.0:
            return np.zeros_like(self.centre), np.zeros_like(self.centre)
        size = max(1.0, float(np.abs(self.centre).max()))
        B, C = Limit(size * length), Limit(size * length**2)
        for k in range(LEVELS):
            h = REACH / 2**k / length
            try:
                high, low = self.jacobian(h * u), self.jacobian(-h * u)
            except ArithmeticError:  # so far from the orbit there is no way back
                B, C = Limit(B.size), Limit(C.size)
                continue
            B.add((high - low) / (2.0 * h))
            C.add((high - 2.0 * self.centre + low) / h**2)
            if B.done and C.done:
                break
        if max(B.error, C.error) > UNSETTLED:
            raise ArithmeticError(f"differences of the return map do not settle: {B.error:.1e}, {C.error:.1e}")
        return B.best, C.best


def settled(step: float, last: float) -> bool:
    """Whether Newton's method has come to its end, a relative step of this size after one of another."""
    return step < 1e-14 or (step < 1e-11 and step >= 0.3 * last)


class Limit:
    """The limit of values at h, h/2, h/4, ... whose errors are powers of h^2: extrapolated as long as that pays (Ridders)."""

    def __init__(self, size: float) -> None:
        self.size = size  # of a value that counts as large: smaller ones are known to a part of this
        self.row: list[np.ndarray] = []
        self.best, self.error, self.worse = np.zeros(0), np.inf, 0

    @property
    def done(self) -> bool:
        """Whether further values would not help: rounding has taken over, or all is settled."""
        return self.error < SETTLED or (self.worse > 1 and self.error < NEARLY)

    def add(self, value: np.ndarray) -> None:
        """The value at the next h."""
        row = [value]
        better = False
        for k, old in enumerate(self.row):
            row.append(row[k] + (row[k] - old) / (4.0 ** (k + 1) - 1.0))
            size = max(float(np.abs(row[-1]).max()), self.size)
            error = max(float(np.abs(row[-1] - row[k]).max()), float(np.abs(row[-1] - old).max())) / size
            if error < self.error:
                self.best, self.error, better = row[-1], error, True
        self.worse = 0 if better else self.worse + (1 if self.row else 0)
        self.row = row
