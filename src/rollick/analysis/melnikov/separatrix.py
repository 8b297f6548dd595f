"""Connections of the Hamiltonian limit: the orbit from a saddle to itself, or to another one, at equal intervals of time.

Both halves leave their saddle along its manifold (beyond the distance DELTA it is saddle + s v + s^2 w2 + s^3 w3, exact to rounding) and meet on the line across the orbit at
t = 0, where s is the same for both (the middle of a symmetric connection). So neither comes near the far saddle, where errors grow. The trapezoidal rule on such
nodes converges faster than any power of their distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.integrate import DOP853

from ...kernel.names import InputError
from .limit import HamiltonianLimit
from .march import C, march

DELTA = 1e-5  # where integration begins, in sizes of the orbit; nearer to the saddle the orbit is its expansion to third order
REACH = 22.0  # how far the expansion is used: to exp(-22) DELTA
NEAR = 0.02  # how near to its end a path must come to be a candidate, in sizes of the orbit
AGREE = 1e-8  # how well the halves must meet


@dataclass(frozen=True)
class Half:
    """One half of a connection: from the saddle (index 0) to t = 0; the half that ends in a saddle is run backwards, h < 0."""

    saddle: np.ndarray
    exponent: float  # of the direction in which it leaves, positive for the unstable one
    h: float
    x: np.ndarray  # (2, steps + 1)
    stages: np.ndarray  # (2, steps, 12)

    @property
    def t(self) -> np.ndarray:
        """The times of the nodes: the last one is zero."""
        return self.h * (np.arange(self.x.shape[1]) - (self.x.shape[1] - 1))


@dataclass(frozen=True)
class Separatrix:
    """A connection of the limit: nodes t (equally spaced, zero in the middle), states x (2, nodes), both halves."""

    limit: HamiltonianLimit
    p: Any
    t: np.ndarray
    x: np.ndarray
    unstable: Half
    stable: Half
    gap: float  # between the halves where they meet, in sizes of the orbit

    @property
    def h(self) -> float:
        """The distance of the nodes."""
        return float(self.t[1] - self.t[0])

    @property
    def homoclinic(self) -> bool:
        """Whether it ends where it began."""
        return bool(np.array_equal(self.unstable.saddle, self.stable.saddle))


def _eigen(limit: HamiltonianLimit, saddle: np.ndarray, p: Any, sign: float) -> tuple[float, np.ndarray]:
    values, vectors = np.linalg.eig(limit.field_slopes(saddle, p))
    k = int(np.argmax(sign * values.real))
    if abs(values[k].imag) > 0.0 or sign * values[k].real <= 0.0:
        raise InputError(f"{limit.tell(saddle)} is no saddle of the field of the limit: its eigenvalues are {values}.")
    return float(values[k].real), vectors[:, k].real / np.linalg.norm(vectors[:, k].real)


@dataclass
class _Leaving:
    """How an orbit leaves a saddle: x = saddle + s v + s^2 w2 + s^3 w3 + O(s^4), s = exp(exponent t); the sign of v is that of its side."""

    saddle: np.ndarray
    exponent: float
    v: np.ndarray
    w2: np.ndarray
    w3: np.ndarray

    def at(self, s: Any) -> np.ndarray:
        """The orbit near the saddle."""
        s = np.asarray(s)
        axes = (slice(None), *(None,) * s.ndim)
        return self.saddle[axes] + s * (self.v[axes] + s * (self.w2[axes] + s * self.w3[axes]))


def _leaving(limit: HamiltonianLimit, p: Any, saddle: np.ndarray, sign: float, side: float, size: float) -> _Leaving:
    """(2 exponent - A) w2 and (3 exponent - A) w3 are the coefficients of s^2 and s^3 of f0 along what is known before, here by differences."""
    exponent, v = _eigen(limit, saddle, p, sign)
    A = limit.field_slopes(saddle, p)
    terms: list[np.ndarray] = [np.zeros(2), side * v]
    for order, eta in ((2, 1e-3 * size), (3, 1e-2 * size)):
        found = []
        for s in (eta, 2.0 * eta):
            ahead = limit.field(saddle + sum(w * s**k for k, w in enumerate(terms)), p)
            behind = limit.field(saddle + sum(w * (-s) ** k for k, w in enumerate(terms)), p)
            found.append((ahead + (-1.0) ** order * behind) / (2.0 * s**order))
            if order == 3:
                found[-1] -= A @ terms[1] / s**2
        coefficient = (4.0 * found[0] - found[1]) / 3.0
        if order == 2:
            coefficient = coefficient - A @ terms[0]
        terms.append(np.linalg.solve(order * exponent * np.eye(2) - A, coefficient))
    return _Leaving(saddle, exponent, *terms[1:])


def _path(
    limit: HamiltonianLimit, p: Any, leaving: _Leaving, size: float, there: Callable[[np.ndarray, np.ndarray], bool]
) -> tuple[Any, Any] | None:
    """Times and states of an orbit from DELTA on, until `there` says of two successive states that it has arrived; None if it never does."""
    sign = float(np.sign(leaving.exponent))
    steps = DOP853(
        lambda t, x: sign * limit.field(x, p),
        0.0,
        leaving.at(DELTA * size),
        60.0 / abs(leaving.exponent),
        rtol=3e-13,
        atol=1e-15 * size,
        max_step=0.3 / abs(leaving.exponent),  # so that no passage is stepped over
    )
    times, path = [0.0], [steps.y.copy()]
    while steps.status == "running":
        steps.step()
        x = steps.y.copy()
        if steps.status == "failed" or not np.all(np.isfinite(x)) or np.abs(x - leaving.saddle).max() > 1e4 * size:
            return None
        times.append(steps.t)
        path.append(x)
        if there(path[-2], x):
            return np.array(times), np.array(path).T
    return None


def _choose(
    limit: HamiltonianLimit, p: Any, a: np.ndarray, b: np.ndarray, towards: Any
) -> tuple[np.ndarray, np.ndarray, _Leaving, float]:
    """The unstable half as a rough path that comes near to the target: times, states, how it leaves, the size in which DELTA was measured."""
    homoclinic = b is a
    signs = [1.0, -1.0]
    if towards is not None:  # on which side of the stable direction: the unstable coordinate, whatever the angle between both
        v, into = _eigen(limit, a, p, 1.0)[1], _eigen(limit, a, p, -1.0)[1]
        along = float(np.linalg.solve(np.stack([v, into], axis=1), limit.point(towards) - a)[0])
        if along == 0.0:
            raise InputError(
                f"towards = {towards!r} lies on the stable direction {into} of {limit.tell(a)}, to neither side of it: give a point to one side."
            )
        signs = [float(np.sign(along))]
    size = max(1.0, float(np.abs(a).max())) if homoclinic else float(np.linalg.norm(b - a))
    found = []
    for side in signs:
        farthest = [0.0 if homoclinic else size]

        def near(before: np.ndarray, x: np.ndarray, farthest: list[float] = farthest) -> bool:
            away = float(np.linalg.norm(x - b))
            arrived = away < NEAR * farthest[0] and away < float(np.linalg.norm(before - b))
            farthest[0] = max(farthest[0], away)
            return arrived

        leaving = _leaving(limit, p, a, 1.0, side, size)
        rough = _path(limit, p, leaving, size, near)
        if rough is not None:
            found.append((*rough, leaving, size))
    if not found:
        side_told = "" if towards is None else f" towards {np.asarray(towards).tolist()}"
        raise InputError(
            f"the orbit that leaves {limit.tell(a)}{side_told} does not come to {limit.tell(b)}: these are not connected in the limit. "
            f"H there is {float(limit.energy(a, p)):.9g} and {float(limit.energy(b, p)):.9g}."
        )
    if len(found) == 2:
        raise InputError(
            f"both orbits that leave {limit.tell(a)} come to {limit.tell(b)}: say which one is meant with towards=, a point on its side."
        )
    return found[0]


def _backwards(limit: HamiltonianLimit, p: Any, b: np.ndarray, middle: np.ndarray, size: float) -> tuple[float, _Leaving]:
    """The stable half run backwards until it crosses the line across the orbit at `middle`: the time it takes, and how it leaves."""
    across = limit.field(middle, p)
    across = across / np.linalg.norm(across)
    found = []
    for side in (1.0, -1.0):
        leaving = _leaving(limit, p, b, -1.0, side, size)

        def crossed(before: np.ndarray, x: np.ndarray) -> bool:
            ahead, behind = float(across @ (before - middle)), float(across @ (x - middle))
            if not ahead > 0.0 >= behind:
                return False
            return float(np.linalg.norm(before + ahead / (ahead - behind) * (x - before) - middle)) < 0.3 * size

        rough = _path(limit, p, leaving, size, crossed)
        if rough is None:
            continue
        t, x = float(rough[0][-1]), rough[1][:, -1]
        for _ in range(6):  # onto the line, by short steps back
            late = float(across @ (x - middle)) / float(across @ limit.field(x, p))
            x = march(lambda y: limit.field(y, p), x, -late, 1)[0][:, -1]
            t += late  # backwards: later on the line is less far back
        found.append((float(np.linalg.norm(x - middle)), t, leaving))
    if not found:
        raise InputError(
            f"no orbit that ends in {limit.tell(b)} comes from {limit.tell(middle)}: these saddles are not connected in the limit."
        )
    return min(found, key=lambda f: f[0])[1:]


def _half(limit: HamiltonianLimit, p: Any, leaving: _Leaving, amplitude: float, h: float, size: float) -> Half:
    """The half with s = amplitude exp(exponent t) near its saddle, by steps of h: integrated from about DELTA, before that by its expansion."""
    h = float(np.copysign(h, leaving.exponent))
    rate = abs(leaving.exponent * h)
    steps = max(1, round(float(np.log(amplitude / (DELTA * size))) / rate))
    count = int(REACH / rate) + 1
    s = amplitude * np.exp(-rate * steps)
    x, stages = march(lambda y: limit.field(y, p), leaving.at(s), h, steps)
    when = np.arange(-count, 0)[:, None] + np.append(C, 0.0)  # at the stages, and at the beginning of the step
    near = leaving.at(s * np.exp(rate * when))
    x = np.concatenate([near[:, :, -1], x], axis=1)
    return Half(leaving.saddle, leaving.exponent, h, x, np.concatenate([near[:, :, :-1], stages], axis=1))


def separatrix(
    limit: HamiltonianLimit, source: Any, target: Any = None, p: Any = None, towards: Any = None, spacing: float = 0.1
) -> Separatrix:
    """The connection of the limit from the saddle near `source` to the one near `target` (to itself, without).

    towards: a point on the side to which it leaves, if two connections leave. spacing: of the nodes, times the largest exponent of the saddles.
    """
    a = limit.saddle(source, p)
    b = a if target is None else limit.saddle(target, p)
    if np.allclose(a, b, rtol=0.0, atol=1e-10):
        b = a
    with np.errstate(all="ignore"):  # paths that do not come to the goal may run away
        t, path, out, first = _choose(limit, p, a, b, towards)
        size = float(np.abs(path - a[:, None]).max())
        _same_level(limit, p, a, b, path, size)
        limit.check(path, p)
        k = int(np.argmax(np.linalg.norm(limit.field(path, p), axis=0)))
        back, into = _backwards(limit, p, b, path[:, k], size)
        # s = c exp(exponent t) at both ends, t = 0 at path[:, k]; then t = 0 is moved to where both c are equal
        c = np.log(DELTA * first) + out.exponent * t[k], np.log(DELTA * size) - into.exponent * back
        shift = (c[1] - c[0]) / (out.exponent - into.exponent)
        amplitude = float(np.exp(c[0] + out.exponent * shift))
        h = spacing / max(out.exponent, -into.exponent)
        unstable, stable = _half(limit, p, out, amplitude, h, size), _half(limit, p, into, amplitude, h, size)
        unstable, stable = _joined(limit, p, unstable, stable)
    gap = float(np.linalg.norm(unstable.x[:, -1] - stable.x[:, -1])) / size
    if not gap < AGREE:
        raise InputError(
            f"the halves of the connection from {limit.tell(a)} to {limit.tell(b)} miss each other by {gap:.2g} of its size where they should meet "
            f"({limit.tell(unstable.x[:, -1])}): they are not connected, or the spacing {spacing} is too wide; make it smaller."
        )
    x = np.concatenate([unstable.x, stable.x[:, -2::-1]], axis=1)
    return Separatrix(limit, p, h * (np.arange(x.shape[1]) - (unstable.x.shape[1] - 1)), x, unstable, stable, gap)


def _joined(limit: HamiltonianLimit, p: Any, unstable: Half, stable: Half) -> tuple[Half, Half]:
    """Both halves moved along the orbit by half of what they differ in time at t = 0: rounding where they begin, some 1e-11."""
    f0 = limit.field(unstable.x[:, -1], p)
    late = 0.5 * float(f0 @ (unstable.x[:, -1] - stable.x[:, -1])) / float(f0 @ f0)
    if abs(late * unstable.exponent) > 1e-7:  # no rounding: they do not meet
        return unstable, stable
    moved = [
        replace(half, x=half.x + ahead * limit.field(half.x, p), stages=half.stages + ahead * limit.field(half.stages, p))
        for half, ahead in ((unstable, -late), (stable, late))
    ]
    return moved[0], moved[1]


def _same_level(limit: HamiltonianLimit, p: Any, a: np.ndarray, b: np.ndarray, path: np.ndarray, size: float) -> None:
    levels = float(limit.energy(a, p)), float(limit.energy(b, p))
    height = float(np.abs(limit.hessian(a, p)).max()) * size**2
    if abs(levels[0] - levels[1]) > 1e-9 * height:
        raise InputError(
            f"H is {levels[0]:.12g} at {limit.tell(a)} and {levels[1]:.12g} at {limit.tell(b)}: saddles of different H are not connected in the limit."
        )
