"""Connections by shooting: the one-dimensional unstable manifold of the source is followed past the target; on which side does it leave?

The target has one unstable direction v (left eigenvector w), its stable manifold divides the space around it. Where the motion enters the ball of radius R around
the target and leaves it again, at the times t1 and t2, the gap

    G(p) = w.(x(t2) - b) exp(-lambda_u (t2 - t1))

is its distance from the stable manifold where it entered, in sign exactly. It is smooth in p, and its zeros are the connections. In the plane both manifolds may
also be compared on a given section: G is then the distance along it. A motion that misses the ball (or the section), one that runs away, and two ends of a
bracket at which the motion turns away another number of times before are told apart, and refused by name: sign changes between such are no connections.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import DOP853
from scipy.optimize import brentq

from ...kernel.names import InputError
from ..rates import Formula
from .saddle import Saddle, saddle_near

DELTA = 1e-6  # how far from the source the manifold is begun, in sizes
RTOL, ATOL = 1e-12, 1e-14


@dataclass(frozen=True)
class Shot:
    """One motion along the unstable manifold: what became of it, the gap if there is one, how often it had approached in vain before, its path."""

    p: float
    what: str  # "passes", "misses", "runs away"
    gap: float
    winding: int
    t: np.ndarray
    x: np.ndarray
    nearest: float


@dataclass(frozen=True)
class Ends:
    """What is connected, by what field: `backward` runs time backwards, from the target's only stable direction."""

    rates: Formula
    source: np.ndarray
    target: np.ndarray | None
    towards: np.ndarray | None
    radius: float | None
    longest: float
    section: tuple[np.ndarray, np.ndarray] | None = None
    backward: bool = False
    across: np.ndarray | None = None  # a left eigenvector at the goal: which side counts as positive

    @property
    def homoclinic(self) -> bool:
        """Whether it ends where it begins."""
        return self.target is None

    def saddles(self, p: float) -> tuple[Saddle, Saddle]:
        """Source and target at a parameter, in the order of time."""
        a = saddle_near(self.rates, self.source, p, "source")
        return a, a if self.target is None else saddle_near(self.rates, self.target, p, "target")

    def field(self, p: float) -> Callable[[float, np.ndarray], np.ndarray]:
        """x' in the direction of shooting."""
        sign = -1.0 if self.backward else 1.0
        return lambda t, x: sign * self.rates(x, p)


def side_of(ends: Ends, first: Saddle, last: Saddle, v: np.ndarray) -> np.ndarray:
    """The unstable direction with the sign that was asked for."""
    goal = ends.towards if ends.towards is not None else (None if ends.homoclinic else last.x)
    if goal is None:
        raise InputError("a homoclinic orbit leaves to one of two sides: give towards=, a state on the side that is meant.")
    along = float((goal - first.x) @ v)
    if abs(along) < 1e-9 * float(np.linalg.norm(goal - first.x)):
        raise InputError(
            f"{goal.tolist()} is at right angles to the direction {v} in which the connection leaves: give towards=, a state to one side."
        )
    return v if along > 0.0 else -v


def begin(ends: Ends, p: float) -> tuple[Saddle, Saddle, float, np.ndarray, float, np.ndarray]:
    """(where shooting begins, where it aims, exponent and direction of leaving, exponent and left vector at the goal)."""
    a, b = ends.saddles(p)
    first, last = (b, a) if ends.backward else (a, b)
    out, v, _ = first.direction(not ends.backward)
    rate, _, w = last.direction(not ends.backward)
    if ends.across is not None and float(w @ ends.across) < 0.0:
        w = -w
    return first, last, abs(out), side_of(ends, first, last, v), abs(rate), w


class _Turns:
    """How often a distance that fell has risen again, by more than a threshold: approaches that came to nothing."""

    def __init__(self, first: float):
        self.low = self.high = first
        self.falling = False

    def see(self, value: float, threshold: float) -> int:
        """1 if an approach has just come to nothing."""
        if self.falling:
            self.low = min(self.low, value)
            if value > self.low + threshold:
                self.falling, self.high = False, value
                return 1
        else:
            self.high = max(self.high, value)
            if value < self.high - threshold:
                self.falling, self.low = True, value
        return 0


def shoot(ends: Ends, p: float) -> Shot:
    """The motion from the source at a parameter."""
    first, last, out, v, rate, w = begin(ends, p)
    size = (
        float(np.linalg.norm(last.x - first.x))
        if not ends.homoclinic
        else float(np.linalg.norm((ends.towards if ends.towards is not None else v) - first.x))
    )
    start = first.x + DELTA * size * v
    steps = DOP853(ends.field(p), 0.0, start, ends.longest, rtol=RTOL, atol=ATOL * max(size, 1.0))
    away = lambda x: float(np.linalg.norm(x - last.x))
    times, path = [0.0], [start]
    farthest, winding, nearest, entered, inside = (0.0 if ends.homoclinic else size), 0, np.inf, np.nan, False
    turns = _Turns(away(start))
    while steps.status == "running":
        with np.errstate(all="ignore"):
            steps.step()
        x = steps.y
        if (
            steps.status == "failed"
            or not np.all(np.isfinite(x))
            or away(x) > 1e3 * max(size, farthest if steps.t < 20.0 / out else size)
        ):
            return Shot(p, "runs away", np.nan, winding, np.array(times), np.array(path).T, nearest)
        before = away(path[-1])
        times.append(steps.t)
        path.append(x.copy())
        radius = ends.radius if ends.radius is not None else 0.1 * farthest
        far = (
            ends.homoclinic and farthest < 3.0 * radius
            if ends.radius is not None
            else ends.homoclinic and steps.t < 0.8 * np.log(1.0 / DELTA) / out
        )
        if not inside:
            if away(x) < radius and before >= radius and not far:
                dense = steps.dense_output()
                entered = float(
                    brentq(lambda t, dense=dense, radius=radius: away(dense(t)) - radius, steps.t_old, steps.t, xtol=1e-14)
                )
                inside, goal = True, radius
            else:
                farthest = max(farthest, away(x))
                winding += turns.see(away(x), 0.05 * farthest)
                if not far and farthest > 2.0 * away(x):
                    nearest = min(nearest, away(x))
        elif away(x) > goal:
            dense = steps.dense_output()
            left = float(brentq(lambda t, dense=dense, goal=goal: away(dense(t)) - goal, steps.t_old, steps.t, xtol=1e-14))
            gap = float(w @ (dense(left) - last.x)) * float(np.exp(-rate * (left - entered)))
            return Shot(p, "passes", gap, winding, np.array(times), np.array(path).T, min(nearest, away(path[-1])))
        else:
            nearest = min(nearest, away(x))
            if steps.t - entered > 40.0 / rate:
                return Shot(p, "passes", 0.0, winding, np.array(times), np.array(path).T, nearest)
    return Shot(p, "misses", np.nan, winding, np.array(times), np.array(path).T, nearest)


def _to_section(ends: Ends, p: float, saddle: Saddle, unstable: bool, v: np.ndarray) -> tuple[np.ndarray, int] | None:
    """Where a one-dimensional manifold first crosses the section, and how often it turned about its saddle before; None if it does not."""
    assert ends.section is not None
    point, normal = ends.section
    sign = 1.0 if unstable else -1.0
    size = float(np.linalg.norm(point - saddle.x))
    f = lambda t, x: sign * ends.rates(x, p)
    steps = DOP853(f, 0.0, saddle.x + DELTA * size * v, ends.longest, rtol=RTOL, atol=ATOL * max(size, 1.0))
    height = lambda x: float(normal @ (x - point))
    turns, before = 0, np.sign(float(v @ f(0.0, steps.y)))
    while steps.status == "running":
        with np.errstate(all="ignore"):
            steps.step()
        if steps.status == "failed" or not np.all(np.isfinite(steps.y)) or float(np.linalg.norm(steps.y - saddle.x)) > 1e3 * size:
            return None
        dense = steps.dense_output()
        if height(dense(steps.t_old)) * height(steps.y) < 0.0:
            t = float(brentq(lambda t, dense=dense: height(dense(t)), steps.t_old, steps.t, xtol=1e-14))
            return dense(t), turns
        now = np.sign(float(v @ f(0.0, steps.y)))
        turns, before = turns + int(now != before), now
    return None


def compare_on_section(ends: Ends, p: float) -> Shot:
    """In the plane: both manifolds where they first cross the section; the gap is the distance along it."""
    a, b = ends.saddles(p)
    assert ends.section is not None
    normal = ends.section[1]
    v = side_of(ends, a, b, a.direction(True)[1])
    start = _to_section(ends, p, a, True, v)
    found = [_to_section(ends, p, b, False, sign * b.direction(False)[1]) for sign in (1.0, -1.0)]
    empty = np.empty((2, 0))
    if start is None:
        return Shot(p, "misses", np.nan, 0, empty[0], empty, np.inf)
    arrivals = [f for f in found if f is not None]
    if not arrivals:
        return Shot(p, "misses", np.nan, start[1], empty[0], empty, np.inf)
    end = min(arrivals, key=lambda f: float(np.linalg.norm(f[0] - start[0])))
    along = np.array([-normal[1], normal[0]]) / float(np.linalg.norm(normal))
    return Shot(p, "passes", float(along @ (start[0] - end[0])), start[1] + 1000 * end[1], empty[0], empty, 0.0)


def _beside(look: Callable[[float], Shot], one: Shot, two: Shot) -> list[Shot]:
    """Shots between one that passes and one that does not, until one passes on the other side; those that pass."""
    if (one.what == "passes") == (two.what == "passes"):
        return []
    good, bad, found = (one, two, []) if one.what == "passes" else (two, one, [])
    for _ in range(8):
        shot = look(0.5 * (good.p + bad.p))
        if shot.what != "passes":
            bad = shot
            continue
        found.append(shot)
        if shot.gap * good.gap < 0.0:
            break
        good = shot
    return found


def bracketed(ends: Ends, between: tuple[float, float], count: int, tolerance: float) -> tuple[float, list[Shot]]:
    """The parameter of the connection between two values, and the shots of the first look."""
    look: Any = shoot if ends.section is None else compare_on_section
    values = np.linspace(*between, count)
    shots = [look(ends, float(p)) for p in values]
    for one, two in list(
        pairwise(shots)
    ):  # between a motion that passes and one that does not there may be one that passes on the other side
        shots += _beside(lambda p: look(ends, p), one, two)
    shots.sort(key=lambda s: s.p)
    pairs = [
        (one, two)
        for one, two in pairwise(shots)
        if one.what == two.what == "passes" and one.gap * two.gap <= 0.0 and not one.gap == two.gap == 0.0
    ]
    clean = [(one, two) for one, two in pairs if one.winding == two.winding]
    if not clean:
        told = "; ".join(
            f"p = {s.p:.6g}: " + (f"gap {s.gap:.3g} after {s.winding % 1000} turns" if s.what == "passes" else s.what)
            for s in shots
        )
        if pairs:
            one, two = pairs[0]
            raise InputError(
                f"aliasing: the gap changes its sign between p = {one.p:.9g} and {two.p:.9g}, but at both the motion approaches the target another number of times before, so that this "
                f"is no connection. Take more values (count > {count}), or others. Seen: {told}."
            )
        raise InputError(
            f"no connection between p = {between[0]:.9g} and {between[1]:.9g}: the gap has no sign change there. Seen: {told}."
        )
    if len(clean) > 1:
        where = ", ".join(f"{one.p:.9g} and {two.p:.9g}" for one, two in clean)
        raise InputError(f"there are {len(clean)} connections, between p = {where}: choose one by narrower values of between.")
    one, two = clean[0]
    memory = {one.p: one.gap, two.p: two.gap}

    def gap(p: float) -> float:
        if p not in memory:
            shot = look(ends, float(p))
            if shot.what != "passes" or shot.winding != one.winding:
                raise InputError(
                    f"aliasing: at p = {p:.12g}, between {one.p:.9g} and {two.p:.9g}, the motion "
                    + (
                        f"{shot.what}"
                        if shot.what != "passes"
                        else f"comes after {shot.winding % 1000} turns, not {one.winding % 1000}"
                    )
                    + ". Bring both values of between nearer to the connection."
                )
            memory[p] = shot.gap
        return memory[p]

    p = float(brentq(gap, one.p, two.p, xtol=tolerance, rtol=9e-16))
    beside = max((abs(g) for q, g in memory.items() if abs(q - p) <= 1e3 * tolerance), default=0.0)
    if beside > 1e-3 * max(abs(one.gap), abs(two.gap)):
        raise InputError(
            f"aliasing: at p = {p:.12g} the gap jumps from one sign to the other (it is {beside:.3g} beside it) instead of passing through zero: this is no connection."
        )
    return p, shots
