"""The exact oscillation of a wheelset whose contact jumps on the way: a quarter of a period from branch to branch.

Between jumps the rolling equations (1.50) are smooth, and each branch is followed with its own contact. It ends where the next
branch holds the wheelset at the same height z: there both points touch. As y' has the same sign on both sides the motion goes
through; theta, z, y and psi are continuous, and the rolling radii jump.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from ...kernel.names import InputError
from .contact import iterate, rolling_rates, told
from .geometry import Geometry
from .locus import all_jumps, deepest, rest
from .period import INSIDE, first_coefficients_of

GATE = 5e-5  # m, how near a jump (at psi = 0) the next branch is asked for


class Crossing(NamedTuple):
    """A jump on the way to the middle: where it is for psi = 0, and the unknowns of both branches there, the outer one first."""

    y: float
    outer: np.ndarray
    inner: np.ndarray


def crossings(g: Geometry, reach: float, points: int = 160) -> list[Crossing]:
    """All jumps between 0 and reach, from outside to inside."""
    y = np.linspace(0.0, reach, points + 1)
    return [Crossing(at, outer, inner) for at, inner, outer in all_jumps(g, y, rest(g, y))][::-1]


class Branch:
    """A contact that is followed along a motion: each call begins with the unknowns of the last."""

    def __init__(self, g: Geometry, x: np.ndarray) -> None:
        self.g, self.x = g, x[:, None].copy()

    def at(self, y: float, psi: float) -> np.ndarray | None:
        """The unknowns there, or None where the branch ends."""
        x, good = iterate(self.g, np.array([y]), np.array([psi]), self.x)
        if not good[0] or np.abs(x[4:6] - self.x[4:6]).max() > 2e-3:
            return None
        self.x = x
        return x


def period_with_jumps(g: Geometry, amplitude: float, on_way: list[Crossing], rtol: float = 1e-9) -> float:
    """The wavelength [m] of the oscillation of an amplitude [m], through these jumps (all of those up to the amplitude)."""
    a01, b10 = first_coefficients_of(g, g.curvatures)
    kappa = math.sqrt(-b10 / a01)
    left = [c for c in on_way if c.y < amplitude]
    branch = Branch(g, rest(g, np.array([amplitude])).unknowns[:, 0])
    y, psi, way = amplitude, 0.0, 0.0
    for step in range(len(left) + 1):
        goal = left[step] if step < len(left) else None
        y, psi, length = follow(g, branch, goal, y, psi, kappa, rtol)
        way += length
        if goal is not None:
            branch = Branch(g, goal.inner)
    return 4.0 * way


def follow(
    g: Geometry, branch: Branch, goal: Crossing | None, y: float, psi: float, kappa: float, rtol: float
) -> tuple[float, float, float]:
    """Along one branch until the next jump, or y = 0: (y, psi, way). First to the neighbourhood of the jump, then with short
    steps.

    A stage of a step that is too long may lie where the branch has ended; it then repeats the last rates, and the step is refused
    for its error.
    """
    following = Branch(g, goal.inner) if goal is not None else None
    target = goal.y if goal is not None else 0.0
    last = [-1.0, 0.0]

    def rate(s: float, state: np.ndarray) -> list[float]:
        x = branch.at(state[0], state[1] * kappa)
        if x is not None:
            f = rolling_rates(told(g, state[:1], kappa * state[1:], x))
            last[:] = float(f.y[0]), float(f.psi[0]) / kappa
        return list(last)

    def near(s: float, state: np.ndarray) -> float:
        return float(state[0] - target - GATE)

    def ends(s: float, state: np.ndarray) -> float:
        if following is None:
            return float(state[0])
        mine, other = branch.at(state[0], state[1] * kappa), following.at(state[0], state[1] * kappa)
        return float(state[0] - target) if mine is None or other is None else float(mine[1, 0] - other[1, 0])

    way, state, short = 0.0, np.array([y, psi / kappa]), False
    for event in (near, ends):
        if event is near and near(0.0, state) <= 0.0:
            continue
        event.terminal = True  # type: ignore[attr-defined]
        event.direction = -1.0  # type: ignore[attr-defined]
        short = event is ends and following is not None
        longest = 0.1 * GATE / max(abs(state[1]) * kappa, 1e-6) if short else 0.1 / kappa
        made = solve_ivp(
            rate, (0.0, 100.0 / kappa), state, method="DOP853", events=event, rtol=rtol, atol=1e-3 * rtol, max_step=longest
        )
        if made.status != 1:
            raise InputError(f"no quarter of an oscillation was found from y = {1e3 * y:.5g} mm: {made.message}")
        way, state = way + float(made.t[-1]), made.y[:, -1]
    x = branch.at(float(state[0]), kappa * float(state[1]))
    if x is None or float(deepest(g, state[:1], kappa * state[1:], x)[0][0]) > INSIDE:
        raise InputError(
            f"near y = {1e3 * state[0]:.5g} mm another contact carries than the one that was followed; smooth the profiles more."
        )
    return float(state[0]), kappa * float(state[1]), way
