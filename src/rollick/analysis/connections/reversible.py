"""Symmetric connections of reversible systems: R f(x) = -f(R x) with an involution R.

An orbit of the unstable manifold of an equilibrium a that meets the fixed set Fix(R) = {x: R x = x} goes on as its own mirror image and ends in R a. In three states
with a plane of antisymmetric directions (R x = -x) and a one-dimensional unstable manifold this happens at single parameters, although the manifolds of both ends are too
thin for a connection of a general system: Bykov's cycles are made of such. The manifold is followed to a crossing of one antisymmetric coordinate with zero; the other is
the gap. The same is solved as a boundary-value problem (SciPy's solve_bvp) on half the orbit, with its length and the parameter unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.integrate import DOP853, solve_bvp
from scipy.optimize import brentq

from ...kernel.names import InputError, number, whole
from ..rates import Formula, rates_of
from .find import Connection, _names, _state, interval
from .saddle import saddle_near
from .shooting import ATOL, DELTA, RTOL, Shot

AGREE = 1e-6  # of the width looked at: how well both parameters must agree


def _mirror(rates: Formula, R: Any, n: int, p: float) -> tuple[np.ndarray, np.ndarray]:
    """R and two antisymmetric rows; refused if R is no reversor."""
    R = np.asarray(R, float)
    if R.shape != (n, n) or not np.allclose(R @ R, np.eye(n), atol=1e-12):
        raise InputError(f"the reversor must be a matrix of {n} rows with R R = 1.")
    x = np.random.default_rng(1).uniform(-1.0, 1.0, (n, 5))
    off = np.abs(R @ rates(x, p) + rates(R @ x, p)).max()
    if not off <= 1e-9 * max(1.0, float(np.abs(rates(x, p)).max())):
        raise InputError(f"the field is not reversed by R: R f(x) + f(R x) is {off:.3g} somewhere, and must be zero.")
    _, sizes, rows = np.linalg.svd(np.eye(n) - R)
    rows = rows[sizes > 1e-9]
    if len(rows) != 2:
        raise InputError(
            f"R has {len(rows)} antisymmetric directions; symmetric connections are found along one parameter where there are two."
        )
    return R, rows


def _shot(
    rates: Formula, source: np.ndarray, towards: np.ndarray, rows: np.ndarray, p: float, crossing: int, longest: float
) -> Shot:
    """The unstable manifold until the crossing of rows[0].x = 0 that is counted; the gap is rows[1].x there."""
    a = saddle_near(rates, source, p, "source")
    if a.unstable != 1:
        raise InputError(
            f"the source has {a.unstable} unstable directions at p = {p:.6g}; a symmetric connection is shot along a single one."
        )
    _, v, _ = a.direction(True)
    v = v if float(v @ (towards - a.x)) > 0.0 else -v
    size = float(np.linalg.norm(a.x))
    steps = DOP853(lambda t, x: rates(x, p), 0.0, a.x + DELTA * size * v, longest, rtol=RTOL, atol=ATOL * max(size, 1.0))
    times, path, seen = [0.0], [steps.y.copy()], 0
    while steps.status == "running":
        with np.errstate(all="ignore"):
            steps.step()
        if steps.status == "failed" or not np.all(np.isfinite(steps.y)) or np.abs(steps.y).max() > 1e3 * size:
            return Shot(p, "runs away", np.nan, seen, np.array(times), np.array(path).T, np.inf)
        if float(rows[0] @ path[-1]) * float(rows[0] @ steps.y) < 0.0:
            seen += 1
            if seen == crossing:
                dense = steps.dense_output()
                t = float(brentq(lambda t, dense=dense: float(rows[0] @ dense(t)), steps.t_old, steps.t, xtol=1e-14))
                times.append(t)
                path.append(dense(t))
                return Shot(p, "passes", float(rows[1] @ path[-1]), seen, np.array(times), np.array(path).T, 0.0)
        times.append(steps.t)
        path.append(steps.y.copy())
    return Shot(p, "misses", np.nan, seen, np.array(times), np.array(path).T, np.inf)


def _half_by_boundary_value(rates: Formula, shot: Shot, source: np.ndarray, rows: np.ndarray) -> float:
    """The parameter from half the orbit on [0, 1], time scaled by its unknown length."""
    t, x = shot.t, shot.x
    delta = float(np.linalg.norm(x[:, 0] - saddle_near(rates, source, shot.p, "source").x))

    def ends(x0: np.ndarray, x1: np.ndarray, q: np.ndarray) -> np.ndarray:
        a = saddle_near(rates, source, float(q[0]), "source")
        v = a.direction(True)[1]
        v = v if float(v @ (x[:, 1] - x[:, 0])) > 0.0 else -v
        off = x0 - a.x - delta * v  # n conditions: on the unstable direction, at the distance delta
        return np.concatenate([off / delta, rows @ x1])

    done = solve_bvp(
        lambda s, y, q: q[1] * rates(y, float(q[0])), ends, t / t[-1], x, p=[shot.p, t[-1]], tol=1e-9, max_nodes=20000
    )
    if not done.success:
        raise InputError(
            f"the boundary-value problem of the symmetric connection did not converge near p = {shot.p:.9g}: {done.message}"
        )
    return float(done.p[0])


def find_symmetric_connection(
    field: Any,
    source: Any,
    reversor: Any,
    between: tuple[float, float],
    parameter: str | None = None,
    towards: Any = None,
    crossing: int = 1,
    longest: float = 200.0,
    names: Sequence[str] | None = None,
) -> Connection:
    """The connection from the equilibrium near `source` to its mirror image, for a parameter between two values.

    reversor: the matrix R. towards: a state on the side to which it leaves (the mirror image, by default). crossing: at which crossing of the antisymmetric plane the
    orbit meets Fix(R).
    """
    x_source = _state(source, "source")
    rates = rates_of(field, parameter, x_source.size)
    low, high = interval(between)
    R, rows = _mirror(rates, reversor, x_source.size, low)
    goal = R @ x_source if towards is None else _state(towards, "towards", x_source.size)
    count = whole(crossing, "crossing", 1)
    look = lambda p: _shot(rates, x_source, goal, rows, float(p), count, number(longest, "longest"))
    shots = [look(low), look(high)]
    told = "; ".join(f"p = {s.p:.6g}: {f'gap {s.gap:.3g}' if s.what == 'passes' else s.what}" for s in shots)
    if any(s.what != "passes" for s in shots) or shots[0].gap * shots[1].gap > 0.0:
        raise InputError(
            f"no symmetric connection between p = {low:.9g} and {high:.9g} at crossing {count}: {told}. Bring the values nearer to it."
        )

    def gap(p: float) -> float:
        shot = look(p)
        if shot.what != "passes":
            raise InputError(
                f"aliasing: at p = {p:.12g}, between {low:.9g} and {high:.9g}, the motion {shot.what}. Bring both values nearer to the connection."
            )
        return shot.gap

    p = float(brentq(gap, low, high, xtol=1e-13, rtol=9e-16))
    shot = look(p)
    if abs(shot.gap) > 1e-6 * max(abs(s.gap) for s in shots):
        raise InputError(
            f"aliasing: at p = {p:.12g} the gap jumps instead of passing through zero ({shot.gap:.3g}): this is no connection."
        )
    q = _half_by_boundary_value(rates, shot, x_source, rows)
    if not abs(q - p) <= AGREE * abs(high - low):
        raise InputError(
            f"shooting tells {p:.12g}, the boundary-value problem {q:.12g}: they differ by {abs(q - p):.2g}, so that neither is trusted."
        )
    t = np.concatenate([shot.t, 2.0 * shot.t[-1] - shot.t[-2::-1]])
    x = np.concatenate([shot.x, R @ shot.x[:, -2::-1]], axis=1)
    a = saddle_near(rates, x_source, p, "source")
    b = saddle_near(rates, R @ a.x, p, "target")
    return Connection(parameter or "p", p, p, q, float("nan"), t, x, a, b, _names(rates, names, x_source.size), shots)
