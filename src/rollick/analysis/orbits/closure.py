"""How an orbit closes.

    y(T/m) = R(theta) (S y(0)) + a,         S^m = 1

Plain orbits: m = 1, S = 1, no turn, no advance. Half-period symmetry: m = 2, and the first half is computed; about a centre c, y(T/2) - c = -(y(0) - c), the advance is 2 c. Relative periodic orbits: states on
which nothing depends (`free`: an angle, a place along a rail) advance by an unknown a; pairs of states on which only a common rotation acts
(`turning`) turn by an unknown angle theta. For each such unknown the start of its own direction is held.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, choose, number
from ...kernel.system import description
from .asked import advances_given, matrix_given, names_given, pairs_given


@dataclass(frozen=True)
class Closure:
    """S and its order m, the places of free states, known advances (2 pi for an angle that goes round), pairs of turning states."""

    n: int
    matrix: np.ndarray
    order: int = 1
    free: tuple[int, ...] = ()
    advance: np.ndarray = field(default_factory=lambda: np.zeros(0))
    turning: tuple[tuple[int, int], ...] = ()

    @property
    def extra(self) -> int:
        """How many unknowns closing adds: one for each free state, one for a turn."""
        return len(self.free) + (1 if self.turning else 0)

    def rotation(self, theta: float) -> np.ndarray:
        """R(theta), which turns all pairs by the same angle."""
        R = np.eye(self.n)
        for i, j in self.turning:
            R[i, i] = R[j, j] = np.cos(theta)
            R[i, j], R[j, i] = -np.sin(theta), np.sin(theta)
        return R

    def generator(self) -> np.ndarray:
        """X with R(theta) = exp(theta X)."""
        X = np.zeros((self.n, self.n))
        for i, j in self.turning:
            X[i, j], X[j, i] = -1.0, 1.0
        return X

    def goal(self, start: np.ndarray, extra: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the part of the orbit that is computed must end; and the derivatives of that by the start and by the extra unknowns."""
        if self.order == 1 and not self.extra:
            return start + self.advance, self.matrix, np.zeros((self.n, 0))
        R = self.rotation(float(extra[-1])) if self.turning else np.eye(self.n)
        by_start = R @ self.matrix
        goal = by_start @ start
        by_extra = np.zeros((self.n, self.extra))
        for k, place in enumerate(self.free):
            goal[place] += extra[k]
            by_extra[place, k] = 1.0
        if self.turning:
            by_extra[:, -1] = self.generator() @ goal
        return goal + self.advance, by_start, by_extra

    def guessed(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """The extra unknowns that bring the start nearest to where the orbit ends."""
        extra = [float(end[k] - start[k] - self.advance[k]) for k in self.free]
        if self.turning:
            sums = sum((start[i] - 1j * start[j]) * (end[i] + 1j * end[j]) for i, j in self.turning)
            extra.append(float(np.angle(sums)))
        return np.array(extra)

    def pins(self, start: np.ndarray, reference: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What must vanish so that free states begin where they are held; and its derivative by the start."""
        rows = np.zeros((self.extra, self.n))
        for k, place in enumerate(self.free):
            rows[k, place] = 1.0
        if self.turning:
            across = self.generator() @ reference
            rows[-1] = across / (np.linalg.norm(across) or 1.0)
        return rows @ (start - reference), rows

    def last_factor(self, extra: np.ndarray) -> np.ndarray | None:
        """What a transition matrix over the part is followed by, so that its multipliers are those of a map into itself; None for 1."""
        if self.order == 1 and not self.turning:
            return None
        R = self.rotation(float(extra[-1])) if self.turning else np.eye(self.n)
        return np.linalg.inv(R @ self.matrix)


def places(system: Any, names: Sequence[str], what: str) -> tuple[int, ...]:
    """The places of states by name."""
    known = [q.name for q in description(system).states]
    return tuple(known.index(choose(name, known, f"{what} of {called(system)}")) for name in names)


def closure_of(
    system: Any,
    symmetry: Any = None,
    free: Sequence[str] = (),
    advance: Mapping[str, Any] | None = None,
    turning: Sequence[tuple[str, str]] = (),
) -> Closure:
    """The closure of an orbit from what a user says.

    `symmetry`: states that change sign after half a period ({"x": -1} or "all"), or a square matrix S of finite order.
    """
    states = description(system).states
    n, names = len(states), [q.name for q in states]
    free, turning, advance = names_given(free, "free"), pairs_given(turning), advances_given(advance)
    S, order = np.eye(n), 1
    if isinstance(symmetry, str):
        choose(symmetry, ("all",), "symmetry (or give a dict of signs, or a matrix)")
        S, order = -np.eye(n), 2
    elif isinstance(symmetry, Mapping):
        for name, sign in symmetry.items():
            if sign not in (-1, 1):
                raise InputError(f"symmetry: {name} = {sign!r} must be 1 or -1; give a matrix for anything else.")
            k = places(system, [name], "state")[0]
            S[k, k] = sign
        order = 2
    elif symmetry is not None:
        S = matrix_given(symmetry, n, names)
        order = next((m for m in range(1, 25) if np.allclose(np.linalg.matrix_power(S, m), np.eye(n), atol=1e-12)), 0)
        if order == 0:
            raise InputError("the matrix of a symmetry has a power that is 1 (at most the 24th); this one has none.")
    if order > 1 and (free or turning):
        raise InputError(
            "a symmetry after part of a period and free or turning states cannot be combined; leave one of them out."
        )
    step = np.zeros(n)
    for name, value in advance.items():
        k = places(system, [name], "state")[0]
        step[k] = number(value, name, states[k].unit)
    if order > 1 and np.abs(sum(np.linalg.matrix_power(S, j) @ step for j in range(order))).max() > 1e-9:
        raise InputError(
            f"after {order} parts of the period the symmetry and advance = {dict(advance or {})!r} do not bring the orbit back; "
            "advance may only move the centre of the symmetry (by twice the centre, where signs change)."
        )
    pairs = tuple((places(system, pair, "state")[0], places(system, pair, "state")[1]) for pair in turning)
    return Closure(n, S, order, places(system, free, "state"), step, pairs)
