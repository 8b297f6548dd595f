"""Bodies whose attitude is a quaternion: steady up to turns, with the rates at which they turn.

Where nothing distinguishes a heading, a body that spins or rolls in a circle is steady in a frame that turns with it: f(y) = xi L y, where L y is how
states change when the body is turned about the vertical. A body of revolution may also turn about its own axis. Such turns are found by trying: L for left or
right multiplication of the quaternion by e3, together with pairs of velocities turned alike; those for which f commutes with the turn,

    J(y) L y = L f(y)         at random states,

are symmetries. They are taken out of the equations by a slice: with h_i = a_i.y, a_i = L_i y0 (in the quaternion's entries), and M_ij = a_i . L_j y,

    f~ = f - sum_j xi_j L_j y - K/2 (|q|^2 - 1) q,        M xi = a.f + K h,

so that h' = -K h and |q|^2 - 1 decays likewise: zeros of f~ are the relative equilibria with h = 0, |q| = 1; its Jacobian is regular where these are isolated. The
other eigenvalues, on the subspace a_i.v = 0, q.v = 0, which is invariant, are those of the motion within the turning frame.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

K = 1.0  # 1/s: how fast what is redundant decays in f~
PAIRS = (("vx", "vy"), ("omega1", "omega2"), ("w1", "w2"), ("v1", "v2"))
COMMUTES = 1e-9
SAMPLES = 4
# rows: the derivative of (q0, q1, q2, q3) under left and right multiplication by (1 + e3 d/2)
LEFT = 0.5 * np.array([[0, 0, 0, -1], [0, 0, -1, 0], [0, 1, 0, 0], [1, 0, 0, 0]], float)
RIGHT = 0.5 * np.array([[0, 0, 0, -1], [0, 0, 1, 0], [0, -1, 0, 0], [1, 0, 0, 0]], float)


def quaternion_of(field: Any, y: np.ndarray) -> list[int]:
    """The four states of a unit quaternion, by their names (q0 .. q3) and by their length, which no rate changes; [] if there is none."""
    names = list(field.names)
    for name in names:
        group = [f"{name[:-1]}{k}" for k in range(4)]
        if name.endswith("0") and all(other in names for other in group):
            found = [names.index(other) for other in group]
            f = field.rate(y)
            size = float(np.linalg.norm(f[found])) + 1e-12
            if abs(float(np.linalg.norm(y[found])) - 1.0) < 1e-6 and abs(float(y[found] @ f[found])) < 1e-9 * size:
                return found
    return []


class Turning:
    """What of a system's states is redundant or a matter of heading: `quaternion`, `turns` (matrices L), `anchors` (rows a)."""

    def __init__(self, field: Any, y: np.ndarray, rows: list[int]):
        self.n = y.size
        self.quaternion = quaternion_of(field, y)
        self.turns: list[np.ndarray] = []
        self.names: list[str] = []
        self.anchors = np.zeros((0, self.n))
        if self.quaternion:
            self._find(field, y, rows)

    def __bool__(self) -> bool:
        return bool(self.quaternion)

    def _find(self, field: Any, y: np.ndarray, rows: list[int]) -> None:
        samples = self._samples(field, y)
        q = self.quaternion
        names = list(field.names)
        known = [(names.index(a), names.index(b)) for a, b in PAIRS if a in names and b in names]
        for title, block in (("heading", LEFT), ("own axis", RIGHT)):
            for signs in itertools.product((0.0, 1.0, -1.0), repeat=len(known)):
                L = np.zeros((self.n, self.n))
                L[np.ix_(q, q)] = block
                for (a, b), sign in zip(known, signs):
                    L[a, b], L[b, a] = -sign, sign
                if not self._commutes(L, samples, rows):
                    continue
                anchor = np.zeros(self.n)
                anchor[q] = (L @ y)[q]
                anchors, turns = np.vstack([self.anchors, anchor]), [*self.turns, L]
                M = np.array([[ai @ Lj @ y for Lj in turns] for ai in anchors])
                if np.linalg.cond(M) < 1e4:
                    self.anchors, self.turns = anchors, turns
                    self.names.append(title)
                break

    def _samples(self, field: Any, y: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        random = np.random.default_rng(1)
        found, spread = [], 0.3
        for _ in range(40):
            at = y + spread * random.normal(size=y.size) * np.maximum(np.abs(y), 0.3)
            at[self.quaternion] /= np.linalg.norm(at[self.quaternion])
            with np.errstate(all="ignore"):
                f, J = field.rate_and_jacobian(at)
            if np.all(np.isfinite(f)) and np.all(np.isfinite(J)):
                found.append((at, f, J))
                if len(found) == SAMPLES:
                    break
            else:
                spread *= 0.7
        return found

    def _commutes(self, L: np.ndarray, samples: list[Any], rows: list[int]) -> bool:
        for y, f, J in samples:
            left, right = (J @ (L @ y))[rows], (L @ f)[rows]
            size = float(np.max(np.abs(J[rows]) @ np.abs(L @ y))) + float(np.max(np.abs(right)))
            if float(np.max(np.abs(left - right))) > COMMUTES * max(size, 1e-300):
                return False
        return bool(samples)

    # -- f~ -------------------------------------------------------------------------------------------------------------------------

    def rates(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """The rates at which it turns, xi."""
        if not self.turns:
            return np.zeros(0)
        M = np.array([[a @ L @ y for L in self.turns] for a in self.anchors])
        return np.linalg.solve(M, self.anchors @ f + K * (self.anchors @ y))

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """f~ from f."""
        out = f.copy()
        for x, L in zip(self.rates(y, f), self.turns):
            out -= x * (L @ y)
        q = y[self.quaternion]
        out[self.quaternion] -= 0.5 * K * (q @ q - 1.0) * q
        return out

    def with_jacobian(self, y: np.ndarray, f: np.ndarray, J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """f~ and its Jacobian, from f and J."""
        value, matrix = self.value(y, f), J.copy()
        if self.turns:
            xi = self.rates(y, f)
            M = np.array([[a @ L @ y for L in self.turns] for a in self.anchors])
            along = self.anchors @ J + K * self.anchors - sum(x * (self.anchors @ L) for x, L in zip(xi, self.turns))
            slopes = np.linalg.solve(M, along)
            for x, L, slope in zip(xi, self.turns, slopes):
                matrix -= x * L + np.outer(L @ y, slope)
        q = y[self.quaternion]
        block = np.ix_(self.quaternion, self.quaternion)
        matrix[block] -= K * (np.outer(q, q) + 0.5 * (q @ q - 1.0) * np.eye(4))
        return value, matrix

    def complex_values(self, Y: np.ndarray, F: np.ndarray) -> np.ndarray:
        """f~ from f at complex states, one in each row."""
        out = F.copy()
        if self.turns:
            turned = [Y @ L.T for L in self.turns]
            M = np.stack([T @ self.anchors.T for T in turned], axis=2)  # rows i, columns j
            xi = np.linalg.solve(M, (F @ self.anchors.T + K * (Y @ self.anchors.T))[:, :, None])[:, :, 0]
            for j, T in enumerate(turned):
                out -= xi[:, j : j + 1] * T
        q = Y[:, self.quaternion]
        out[:, self.quaternion] -= 0.5 * K * (np.sum(q * q, 1, keepdims=True) - 1.0) * q
        return out

    def across(self, y: np.ndarray, rows: list[int]) -> np.ndarray:
        """The rows, in the entries `rows`, that vanish on what is neither redundant nor a turn."""
        norm = np.zeros(self.n)
        norm[self.quaternion] = y[self.quaternion]
        return np.vstack([norm, self.anchors])[:, rows]

    def tangents(self, y: np.ndarray, rows: list[int]) -> np.ndarray:
        """An orthonormal basis, in the entries `rows`, of what is neither redundant nor a turn."""
        across = self.across(y, rows)
        return np.linalg.svd(across)[2][len(across) :].T
