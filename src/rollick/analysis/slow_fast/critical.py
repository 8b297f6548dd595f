"""The critical manifold g(x, y, 0) = 0: its sheets over a grid of slow states, its stability, and its folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...kernel.palette import INK, WARM
from ...motion.result.outcome import FINISHED
from ...motion.result.protocol import Result
from ..filippov.curves import trace
from .split import SlowFast


def on_critical_manifold(system: SlowFast, x: np.ndarray, y: Any, p: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """y with g(x, y, 0) = 0 by Newton's method at all points at once, from a guess (n,) or (n, points...): (y, whether it was found)."""
    shape = x.shape[1:]
    guess = np.asarray(y, float) if not np.iscomplexobj(y) else np.asarray(y)
    y = np.array(np.broadcast_to(guess.reshape(system.n, *(1,) * len(shape)) if guess.ndim <= 1 else guess, (system.n, *shape)))
    y = y.astype(np.result_type(y, x))
    found = np.zeros(shape, bool)
    with np.errstate(all="ignore"):
        for _ in range(60):
            g, A = system.fast_rates(x, y, p), system.fast_slopes(x, y, p)
            step = _solved(A, g)
            size = np.abs(y).max(axis=0) + 1.0
            long = np.abs(step).max(axis=0)
            step = step * np.minimum(1.0, 0.5 * size / np.where(long > 0.0, long, 1.0))
            y = y - step
            found = np.all(np.isfinite(y), axis=0) & (long <= 1e-13 * size)
            if found.all():
                break
    return y, found


def _solved(A: np.ndarray, g: np.ndarray) -> np.ndarray:
    """A^-1 g point by point; matrices are (n, n, points...). A singular one gives nan."""
    matrices, right = np.moveaxis(A, (0, 1), (-2, -1)), np.moveaxis(g, 0, -1)[..., None]
    bad = np.abs(np.linalg.det(matrices)) < 1e-300
    matrices = np.where(bad[..., None, None], np.eye(A.shape[0]), matrices)
    out = np.moveaxis(np.linalg.solve(matrices, right)[..., 0], -1, 0)
    return np.where(bad, np.nan, out)


@dataclass(frozen=True)
class Fold:
    """A fold of the critical manifold: slow and fast states where g = 0 and det g_y = 0."""

    x: np.ndarray
    y: np.ndarray


@dataclass(frozen=True, repr=False)
class CriticalManifold(Result):
    """A curve of the critical manifold over one slow state (the others are held): points x (m, points) and y (n, points), stability, folds."""

    has_page = False
    system: SlowFast
    along: str
    x: np.ndarray
    y: np.ndarray
    growth: np.ndarray  # the largest real part of the eigenvalues of g_y: negative where fast motions come to rest on it
    folds: list[Fold]
    ends: tuple[str, str]
    status: str = FINISHED

    @property
    def attracting(self) -> np.ndarray:
        """Where fast motions are attracted."""
        return self.growth < 0.0

    @property
    def message(self) -> str:
        """How the curve ended at both ends."""
        return f"{self.x.shape[1]} points; it ends where it {self.ends[0]} and where it {self.ends[1]}"

    @property
    def system_name(self) -> str:
        """What it is."""
        return "critical manifold"

    @property
    def data(self) -> Any:
        """The curve."""
        import xarray as xr

        rows = dict(zip((*self.system.slow_names, *self.system.fast_names), (*self.x, *self.y)))
        return xr.Dataset({k: ("point", v) for k, v in {**rows, "growth": self.growth, "attracting": self.attracting}.items()})

    def own_numbers(self) -> dict[str, Any]:
        """The curve and its folds."""
        rows = dict(zip((*self.system.slow_names, *self.system.fast_names), (*self.x, *self.y)))
        return {**rows, "growth": self.growth, "attracting": self.attracting, "folds": [{"x": f.x, "y": f.y} for f in self.folds]}

    def summary(self) -> str:
        """In a few lines."""
        tell = lambda f: ", ".join(
            f"{n} = {v:.9g}" for n, v in zip((*self.system.slow_names, *self.system.fast_names), (*f.x, *f.y))
        )
        lines = [self.title, f"status   {self.status}: {self.message}"]
        lines.append(f"attracts at {np.count_nonzero(self.attracting)} of {self.growth.size} points")
        return "\n".join([*lines, *(f"fold     {tell(f)}" for f in self.folds)])

    def plot(self, *names: str, path: Any = None) -> Any:
        """The first fast state (or the named one) over the slow one: attracting solid, repelling dashed."""
        from ...kernel.names import choose
        from ...plotting import figure, finished

        row = self.system.fast_names.index(choose(names[0], self.system.fast_names, "fast state")) if names else 0
        place = self.system.slow_names.index(self.along)
        fig, axes = figure(1, 1, width=5.4, height=3.8)
        ax = axes[0, 0]
        for good, style in ((True, "-"), (False, "--")):
            keep = self.attracting == good
            ax.plot(
                np.where(keep, self.x[place], np.nan),
                np.where(keep, self.y[row], np.nan),
                style,
                color=INK if good else WARM,
            )
        ax.plot([f.x[place] for f in self.folds], [f.y[row] for f in self.folds], "o", color=WARM, markersize=5)
        ax.set_xlabel(self.along)
        ax.set_ylabel(self.system.fast_names[row])
        ax.set_title("critical manifold: attracting solid, repelling dashed")
        return finished(fig, path)


def critical_curve(
    system: SlowFast,
    start: Any,
    near: Any,
    along: str | None = None,
    between: tuple[float, float] = (-np.inf, np.inf),
    p: Any = None,
    step: float = 0.02,
) -> CriticalManifold:
    """The critical manifold followed as one slow state changes, through folds: from the slow states `start` and fast states near `near`.

    along: the slow state that changes (the first, by default); between: its range. The curve is followed by pseudo-arclength, steps are `step` of its size.
    """
    from ...kernel.names import choose

    place = 0 if along is None else system.slow_names.index(choose(along, system.slow_names, "slow state"))
    held = system.points(np.asarray(start, float)).reshape(system.m).astype(float)
    y0 = np.asarray(near, float).reshape(-1)
    if y0.size != system.n:
        raise InputError(f"near = {near!r} must be the {system.n} fast states {', '.join(system.fast_names)}.")
    y, found = on_critical_manifold(system, held, y0, p)
    if not found:
        raise InputError(
            f"no point of the critical manifold was found over {held.tolist()} near {y0.tolist()}; give other fast states."
        )

    def states(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = held.copy()
        x[place] = z[-1]
        return x, z[:-1]

    def residual(z: np.ndarray) -> np.ndarray:
        x, y = states(z)
        return system.fast_rates(x, y, p)

    inside = lambda z: bool(between[0] <= z[-1] <= between[1])
    first = [*map(float, y), float(held[place])]
    curve = trace(residual, first, [max(1.0, abs(v)) for v in first], step, inside)
    z = curve.points.T
    x = np.repeat(held[:, None], z.shape[1], axis=1)
    x[place] = z[-1]
    A = np.moveaxis(system.fast_slopes(x, z[:-1], p), (0, 1), (-2, -1))
    growth = np.linalg.eigvals(A).real.max(axis=1)
    det = np.linalg.det(A)
    folds = [_fold(system, states, z[:, k], z[:, k + 1], p) for k in np.flatnonzero(det[:-1] * det[1:] < 0.0)]
    return CriticalManifold(system, system.slow_names[place], x, z[:-1], growth, folds, curve.ends)


def _fold(system: SlowFast, states: Any, one: np.ndarray, two: np.ndarray, p: Any) -> Fold:
    """g = 0 and det g_y = 0 between two points of the curve, by Newton's method with differences of det."""

    def equations(z: np.ndarray) -> np.ndarray:
        x, y = states(z)
        A = system.fast_slopes(x, y, p)
        return np.append(system.fast_rates(x, y, p), np.linalg.det(A))

    z = 0.5 * (one + two)
    for _ in range(40):
        value = equations(z)
        columns = []
        for j in range(z.size):
            h = np.zeros(z.size)
            h[j] = 1e-6 * max(1.0, abs(z[j]))
            columns.append((equations(z + h) - equations(z - h)) / (2.0 * h[j]))
        step = np.linalg.solve(np.stack(columns, axis=1), value)
        z = z - step
        if np.abs(step).max() < 1e-13 * max(1.0, float(np.abs(z).max())):
            break
    x, y = states(z)
    return Fold(x, y)


def critical_sheets(system: SlowFast, x: Any, seeds: Any, p: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """All points of the critical manifold over a grid of slow states x (m, points...) that Newton's method finds from the seeds (seeds, n).

    (y, growth): y (sheets, n, points...) sorted by the first fast state, nan where a sheet does not exist; growth, the largest real part of the eigenvalues of g_y,
    negative where a sheet attracts.
    """
    states = system.points(x)
    starts = np.atleast_2d(np.asarray(seeds, float))
    if starts.shape[1] != system.n:
        starts = starts.T
    if starts.shape[1] != system.n:
        raise InputError(f"seeds = {seeds!r} must be rows of the {system.n} fast states {', '.join(system.fast_names)}.")
    flat = states.reshape(system.m, -1)
    found: list[list[np.ndarray]] = [[] for _ in range(flat.shape[1])]
    for seed in starts:
        y, good = on_critical_manifold(system, flat, seed, p)
        for k in np.flatnonzero(good):
            if all(np.abs(y[:, k] - other).max() > 1e-7 * (1.0 + np.abs(other).max()) for other in found[k]):
                found[k].append(y[:, k])
    sheets = max(1, max(len(f) for f in found))
    out = np.full((sheets, system.n, flat.shape[1]), np.nan)
    for point, solutions in enumerate(found):
        for sheet, y in zip(out, sorted(solutions, key=lambda v: float(v[0]))):
            sheet[:, point] = y
    growth = np.full((sheets, flat.shape[1]), np.nan)
    for sheet, rates in zip(out, growth):
        keep = np.isfinite(sheet[0])
        if keep.any():
            A = np.moveaxis(system.fast_slopes(flat[:, keep], sheet[:, keep], p), (0, 1), (-2, -1))
            rates[keep] = np.linalg.eigvals(A).real.max(axis=1)
    return out.reshape(sheets, system.n, *states.shape[1:]), growth.reshape(sheets, *states.shape[1:])
