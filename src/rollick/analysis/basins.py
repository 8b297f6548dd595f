"""Basins of attraction: from which starts a system comes to which attractor.

Every start of a grid is followed for a settling time and then watched; the motion while it is watched has *features* (least, greatest and mean value
of each state, the mean with a smooth window, so that it does not matter how many periods of a cycle fit into the time), and motions with the same features are on one attractor. Features are computed in threads and kept in a file as they are found
(`ensemble.grid_map`), so that a map can be resumed; attractors are told apart afterwards, in the order of the grid, so that the result depends neither on threads nor
on interruptions. A point that the motion does not settle at within the time (its features still change) is *unsettled*, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..ensemble.grid_map import grid_map
from ..kernel.compiling import compiling
from ..kernel.names import InputError, called, choose, number, numbers
from ..kernel.system import description
from ..kernel.trial import try_once
from ..motion.contact.lasting import with_rate
from ..motion.methods import DOP853, has_dry_friction
from ..motion.methods.smooth import tolerances
from ..motion.ode import control as c
from ..motion.ode.block import Tolerance, empty_block
from ..motion.ode.steppers import begin
from ..motion.result.outcome import FINISHED
from ..motion.result.protocol import Result
from ..motion.result.provenance import environment
from ..motion.result.provenance import parameters as numbers_of
from ..motion.start import check_system, state_vector

SAMPLES = 2000  # instants in each half of the time of watching
# sin^4 over a half: the mean of a cycle is off by 1e-3 of its amplitude if four periods fit in, by 1e-5 if ten do (without: by 0.07, 0.03)
WINDOW = (lambda w: w / w.sum())(np.sin(np.pi * (np.arange(SAMPLES) + 0.5) / SAMPLES) ** 4)
GONE, UNSETTLED = -1, -2  # labels of starts that leave (states grow beyond all bounds) and of those that do not settle
STEPS = 4096


class Basins(Result):
    """`labels` over the grid (0, 1, ... attractors, -1 gone, -2 not settled), the `attractors` with their features, `fractions` of the starts."""

    has_page = False
    status = FINISHED

    def __init__(
        self,
        system: Any,
        axes: Mapping[str, np.ndarray],
        labels: np.ndarray,
        attractors: list[dict[str, Any]],
        made: dict[str, Any],
    ):
        self.system, self.axes, self.labels, self.attractors, self._made = system, dict(axes), labels, attractors, made

    @property
    def message(self) -> str:
        """What was found."""
        lost = int((self.labels == UNSETTLED).sum())
        told = f"{self.labels.size} starts, {len(self.attractors)} attractors"
        told += f", {int((self.labels == GONE).sum())} starts leave" if (self.labels == GONE).any() else ""
        return told + (
            f"; {lost} starts did not settle in the time given: raise settle (a cycle needs ten periods of watch)."
            if lost
            else "."
        )

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.system)

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return numbers_of(self.system)

    @property
    def fractions(self) -> np.ndarray:
        """The part of the starts that goes to each attractor."""
        return np.array([float((self.labels == k).mean()) for k in range(len(self.attractors))])

    @property
    def data(self) -> Any:
        """Labels and attractors as an `xarray.Dataset`."""
        import xarray as xr

        units = {q.name: q.unit for q in description(self.system).states}
        coords: dict[str, Any] = {name: (name, values, {"units": units.get(name, "")}) for name, values in self.axes.items()}
        variables: dict[str, Any] = {"attractor": (tuple(self.axes), self.labels.astype(np.int32))}
        if self.attractors:
            names = list(self.attractors[0]["mean"])
            coords["state"] = names
            for word in ("least", "greatest", "mean"):
                variables[word] = (("number", "state"), np.array([[a[word][n] for n in names] for a in self.attractors]))
        return xr.Dataset(variables, coords=coords, attrs={"title": f"basins of {self.title}", "format": "rollick basins 1"})

    @property
    def provenance(self) -> dict[str, Any]:
        """How it was computed."""
        return {"system": self.system_name, "model": self.model, **self._made, **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """Attractors with their parts of the grid."""
        listed = [{**a, "fraction": f} for a, f in zip(self.attractors, self.fractions.tolist())]
        return {
            "attractors": listed,
            "axes": {name: values.tolist() for name, values in self.axes.items()},
            "labels": self.labels.tolist(),
            "gone": float((self.labels == GONE).mean()),
            "unsettled": float((self.labels == UNSETTLED).mean()),
        }

    def summary(self) -> str:
        """The attractors."""
        lines = [f"basins of {self.title} over {' x '.join(self.axes)}", f"status   {self.status}: {self.message}"]
        units = {q.name: f" {q.unit}" if q.unit else "" for q in description(self.system).states}
        for k, (a, part) in enumerate(zip(self.attractors, self.fractions)):
            if a["kind"] == "rest":
                told = ", ".join(f"{n} = {v:.6g}{units.get(n, '')}" for n, v in a["mean"].items())
            else:
                told = ", ".join(f"{n} in [{a['least'][n]:.4g}, {a['greatest'][n]:.4g}]{units.get(n, '')}" for n in a["mean"])
            lines.append(f"{k}: {100.0 * part:6.2f} %  {a['kind']:6}  {told}")
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """The basins over two axes of the grid; returns the figure."""
        from .map_pictures import plot_basins

        return plot_basins(self, path)


def basins(
    system: Any,
    axes: Mapping[str, Any],
    start: Any = None,
    *,
    settle: Any,
    watch: Any = None,
    angles: Sequence[str] = (),
    ignore: Sequence[str] = (),
    tolerance: float = 1e-3,
    far: float = 1e6,
    rtol: float = 1e-8,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Basins:
    """The basins of attraction of a system over a grid of starts.

    Parameters
    ----------
    axes: {state: values}, one or more states, or names that a start understands (the tilt of a body); the others are as in `start`.
    settle: how long each motion is given to come near its attractor; watch: how long it is watched then (default: half of it). A cycle is
        recognised if some five of its periods fit into half of that.
    angles: states that count modulo a full turn; ignore: states that ride along (a track), which do not tell attractors apart.
    tolerance: features that differ by less, relative to the extent of all motions, are the same.
    far: a motion whose states grow beyond this is gone.
    store: a netCDF file that is kept up to date; the same map goes on where it was broken off. workers: threads.
    """
    system = check_system(with_rate(system))
    method = DOP853(rtol=rtol)
    if has_dry_friction(system):
        raise InputError(
            f"basins are those of smooth systems here, and {called(system)} has dry friction; take a smooth law such as Regularised(mu, eps), or a chart over numbers of the start "
            f"(chart), which follows it from mode to mode."
        )
    about = description(system).states
    names, units = [q.name for q in about], {q.name: q.unit for q in about}
    grid = {n: np.atleast_1d(numbers(v, n, units.get(n, ""))) for n, v in axes.items()}
    turning = [names.index(choose(n, names, "state among angles")) for n in angles]
    unseen = [names.index(choose(n, names, "state to ignore")) for n in ignore]
    long = number(settle, "settle", "s")
    seen = 0.5 * long if watch is None else number(watch, "watch", "s")
    if not (long > 0.0 and seen > 0.0 and 0.0 < tolerance < 1.0):
        raise InputError(f"settle = {settle!r} and watch = {watch!r} must be above zero, and 0 < tolerance = {tolerance} < 1.")
    base = state_vector(system, start)
    begin = starting(system, start, base, list(grid))
    for edge in (0, -1):
        begin([values[edge] for values in grid.values()])  # refuses what is no start
    columns = _columns(names, turning, unseen)
    with compiling("the motions", system):
        try_once(system, 0.0, np.array(base, float))
    times = np.concatenate([np.linspace(0.0, long, SAMPLES + 1)[1:], long + np.linspace(0.0, seen, 2 * SAMPLES + 1)[1:]])

    def work(points: np.ndarray, first: int) -> np.ndarray:
        return np.array([_features(system, begin(p), times, method, columns, far) for p in points])

    labels = [f"{word}_{half}_{name}" for half in (1, 2) for word in ("least", "greatest", "mean") for name, _, _ in columns]
    labels += [f"{word}_{name}" for word in ("lowest", "highest") for name, _, _ in columns]
    made = {"system": called(system), "parameters": numbers_of(system), "start": base.tolist(), "settle": long, "watch": seen, "samples": SAMPLES, "rtol": rtol,
            "angles": list(angles), "ignore": list(ignore), "far": far}  # fmt: skip
    found = grid_map(work, grid, labels, about=made, store=store, workers=workers, progress=progress, title="basins")
    features = np.stack([found[name].values.ravel() for name in labels], axis=1)
    marks, attractors = matched(features, [name for name, _, _ in columns], tolerance)
    shape = tuple(v.size for v in grid.values())
    return Basins(system, grid, marks.reshape(shape), attractors, {**made, "tolerance": tolerance})


def _columns(names: list[str], turning: list[int], unseen: list[int]) -> list[tuple[str, int, str]]:
    """What is looked at: (name, state, how); an angle by its cosine and sine."""
    found: list[tuple[str, int, str]] = []
    for i, name in enumerate(names):
        if i in unseen:
            continue
        found += [(f"cos_{name}", i, "cos"), (f"sin_{name}", i, "sin")] if i in turning else [(name, i, "")]
    if not found:
        raise InputError("all states are ignored, so that nothing tells attractors apart; ignore fewer.")
    return found


def starting(system: Any, start: Any, base: np.ndarray, axes: list[str]) -> Callable[[Sequence[float]], np.ndarray]:
    """The state at a point of the grid: states are put in their places, or, if the start has names, those of the axes are given besides."""
    names = [q.name for q in description(system).states]
    if start is not None and not isinstance(start, Mapping):
        places = [names.index(choose(n, names, f"state of {called(system)}")) for n in axes]

        def placed(point: Sequence[float]) -> np.ndarray:
            y = np.array(base, float)
            y[places] = point
            return y

        return placed
    return lambda point: state_vector(system, {**(start or {}), **dict(zip(axes, map(float, point)))})


def _features(
    system: Any, y: np.ndarray, times: np.ndarray, method: DOP853, columns: list[tuple[str, int, str]], far: float
) -> np.ndarray:
    """Least, greatest and mean of each column in both halves of the time of watching, and its extent on the whole way; inf if the motion goes too far or breaks down."""
    start = y[None].copy()
    states = sampled(system, y, times, method, far)
    if states is None:
        return np.full(8 * len(columns), np.inf)
    states = np.concatenate([start, states])
    turned: dict[str, Any] = {"": lambda v: v, "cos": np.cos, "sin": np.sin}
    values = np.stack([turned[how](states[:, i]) for _, i, how in columns], axis=1)
    halves = values[-2 * SAMPLES : -SAMPLES], values[-SAMPLES:]
    told = [np.concatenate([-_greatest(-h), _greatest(h), WINDOW @ h]) for h in halves]
    return np.concatenate([*told, values.min(axis=0), values.max(axis=0)])


def _greatest(values: np.ndarray) -> np.ndarray:
    """The greatest value of each column, between samples too: the parabola through a local maximum and its neighbours."""
    before, here, after = values[:-2], values[1:-1], values[2:]
    bend = before - 2.0 * here + after
    peaks = (here >= before) & (here >= after) & (bend < 0.0)
    top = here - np.where(peaks, (after - before) ** 2 / np.where(bend < 0.0, 8.0 * bend, -1.0), 0.0)
    return np.maximum(values.max(axis=0), np.where(peaks, top, -np.inf).max(axis=0))


def sampled(system: Any, y: np.ndarray, times: np.ndarray, method: DOP853, far: float) -> np.ndarray | None:
    """The states at some times, by one call of compiled code after the other; None if they grow beyond `far` or the motion breaks down."""
    s = np.zeros(c.SIZE)
    s[c.END], s[c.MOST_STEP], s[c.LEFT] = times[-1], method.max_step, 1e9
    tolerance = Tolerance(*tolerances(method.rtol, method.atol, y.size, y.size, []))
    stepper = begin(method.stepper, system, y, s, tolerance)
    out = np.empty((times.size, y.size))
    block = empty_block(STEPS, y.size, times, out, False, False, False)
    status = c.FULL
    while status == c.FULL:
        status = stepper.advance(system, s, y, tolerance, block)
        if not np.all(np.abs(y) < far):
            return None
    return out if status == c.REACHED and np.all(np.abs(out) < far) else None


def matched(features: np.ndarray, names: list[str], tolerance: float) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """Labels of points by their features (first and second half of the time of watching; extent of the whole), and the attractors in the order in which they are met."""
    count, m = len(features), len(names)
    first, second, extents = features[:, : 3 * m], features[:, 3 * m : 6 * m], features[:, 6 * m :]
    marks = np.full(count, UNSETTLED)
    marks[~np.all(np.isfinite(features), axis=1)] = GONE
    good = marks == UNSETTLED
    if not good.any():
        return marks, []
    lowest, highest = extents[good][:, :m].min(axis=0), extents[good][:, m:].max(axis=0)
    extent = np.maximum(highest - lowest, 1e-12 * (1.0 + np.maximum(np.abs(lowest), np.abs(highest))))
    scale = np.tile(extent, 3)
    found: list[np.ndarray] = []
    for i in np.flatnonzero(good):
        near = [float(np.max(np.abs(second[i] - a) / scale)) for a in found]
        if near and min(near) <= tolerance:
            marks[i] = int(np.argmin(near))
        elif float(np.max(np.abs(second[i] - first[i]) / scale)) <= 0.5 * tolerance:
            marks[i] = len(found)
            found.append(second[i])
    for i in np.flatnonzero(marks == UNSETTLED):  # those that came before the first of their kind
        near = [float(np.max(np.abs(second[i] - a) / scale)) for a in found]
        if near and min(near) <= tolerance:
            marks[i] = int(np.argmin(near))
    change = np.zeros(count)
    change[good] = np.max(np.abs(second[good] - first[good]) / scale, axis=1)
    for k in range(len(found)):  # the member that settled best tells what the attractor is
        members = np.flatnonzero(marks == k)
        found[k] = second[members[np.argmin(change[members])]]
    return marks, [_described(a, names, extent, tolerance) for a in found]


def _described(a: np.ndarray, names: list[str], extent: np.ndarray, tolerance: float) -> dict[str, Any]:
    m = len(names)
    least, greatest, mean = a[:m], a[m : 2 * m], a[2 * m :]
    kind = "rest" if np.all(greatest - least <= tolerance * extent) else "motion"
    return {"kind": kind} | {
        w: dict(zip(names, v.tolist())) for w, v in (("least", least), ("greatest", greatest), ("mean", mean))
    }
