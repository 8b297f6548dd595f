"""Which attractor a motion comes to: each member is followed for a settling time and then watched; members whose motions look the same then are on one attractor.

The motion while it is watched has *features*: least, greatest and mean value of each state, the mean with a smooth window, so that it does not matter how
many periods of a cycle fit into the time, in both halves of the time of watching; and its extent on the whole way. Features are kept for each member; attractors are told
apart when all are known, in the order of the members, so that the result depends neither on threads nor on interruptions. A member that does not settle within the time
(its features still change) is *unsettled*, not guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..kernel.names import InputError, choose, number
from ..motion.result.outcome import FINISHED
from .keep import Keeping, Path
from .task import WORDS, Chunk, Task

SAMPLES = 2000  # instants in each half of the time of watching
# sin^4 over a half: the mean of a cycle is off by 1e-3 of its amplitude if four periods fit in, by 1e-5 if ten do (without: by 0.07, 0.03)
WINDOW = (lambda w: w / w.sum())(np.sin(np.pi * (np.arange(SAMPLES) + 0.5) / SAMPLES) ** 4)
GONE, UNSETTLED = (
    -1,
    -2,
)  # labels of members that leave (states grow beyond all bounds, a motion breaks down) and of those that do not settle
Column = tuple[str, int, str]


@dataclass(frozen=True)
class Attractor:
    """The number of the attractor that a member comes to: 0, 1, ... in the order in which they are met, -1 gone, -2 not settled.

    settle: how long each motion is given to come near its attractor; watch: how long it is watched then (default: half of it). A cycle is
        recognised if some five of its periods fit into half of that.
    angles: states that count modulo a full turn; ignore: states that ride along (a track), which do not tell attractors apart.
    tolerance: features that differ by less, relative to the extent of all motions, are the same.
    far: a motion whose states grow beyond this is gone.
    """

    settle: Any
    watch: Any = None
    angles: Sequence[str] = ()
    ignore: Sequence[str] = ()
    tolerance: float = 1e-3
    far: float = 1e6
    name: str = "attractor"

    def times(self) -> tuple[float, float]:
        """The time to settle, and the time of watching."""
        long = number(self.settle, "settle", "s")
        seen = 0.5 * long if self.watch is None else number(self.watch, "watch", "s")
        if not (long > 0.0 and seen > 0.0 and 0.0 < self.tolerance < 1.0):
            raise InputError(
                f"settle = {self.settle!r} and watch = {self.watch!r} must be above zero, and 0 < tolerance = {self.tolerance} < 1."
            )
        return long, seen

    def instants(self) -> np.ndarray:
        """When the states are looked at, after the start."""
        long, seen = self.times()
        return np.concatenate([np.linspace(0.0, long, SAMPLES + 1)[1:], long + np.linspace(0.0, seen, 2 * SAMPLES + 1)[1:]])

    def columns(self, names: list[str]) -> list[Column]:
        """What is looked at: (name, state, how); an angle by its cosine and sine."""
        turning = {choose(n, names, "state among angles") for n in self.angles}
        unseen = {choose(n, names, "state to ignore") for n in self.ignore}
        found: list[Column] = []
        for i, name in enumerate(names):
            if name not in unseen:
                found += [(f"cos_{name}", i, "cos"), (f"sin_{name}", i, "sin")] if name in turning else [(name, i, "")]
        if not found:
            raise InputError("all states are ignored, so that nothing tells attractors apart; ignore fewer.")
        return found

    def stated(self) -> dict[str, Any]:
        """In plain values."""
        long, seen = self.times()
        told = {"settle": long, "watch": seen, "samples": SAMPLES, "angles": list(self.angles), "ignore": list(self.ignore)}
        return {"attractor": {**told, "tolerance": self.tolerance, "far": self.far}}


def feature_labels(columns: list[Column]) -> list[str]:
    """The names of the features."""
    labels = [f"{word}_{half}_{name}" for half in (1, 2) for word in ("least", "greatest", "mean") for name, _, _ in columns]
    return labels + [f"{word}_{name}" for word in ("lowest", "highest") for name, _, _ in columns]


class Settling(Task):
    """The work of an ensemble of which attractors are asked: features take the place of states at many times."""

    attractor: Attractor

    @property
    def since_zero(self) -> float:
        """When the motions begin."""
        return 0.0 if self.since is None else number(self.since, "since", "s")

    def chunk(self, first: int, last: int) -> Chunk:
        """The members from `first` to before `last`: what is kept of them besides, and their features."""
        asked, times = self.attractor, self.since_zero + self.attractor.instants()
        path = Path(np.concatenate([[self.since_zero], times]))
        inner = Task(**{**plain_fields(self), "keep": Keeping(self.keep.measures, path, self.own_functions())})
        found = inner.chunk(first, last)
        columns = asked.columns(self.state_names())
        features = np.full((last - first, 8 * len(columns)), np.inf)
        assert found.paths is not None
        for k in np.flatnonzero(found.status == WORDS.index(FINISHED)):
            if np.all(np.abs(found.paths[k]) < asked.far):
                features[k] = features_of(found.paths[k], columns)
        return Chunk(np.hstack([found.values, features]), found.status, found.time, found.steps, None, found.reasons)

    def own_functions(self) -> dict[str, Any]:
        """The functions of a motion that are kept besides."""
        return {name: f for name, f in self.keep.functions.items() if f is not features_of}


def plain_fields(task: Task) -> dict[str, Any]:
    """What a task is made of."""
    return {field.name: getattr(task, field.name) for field in fields(Task)}


def settling(task: Task, asked: Attractor) -> Settling:
    """The same work, with features."""
    labels = feature_labels(asked.columns(task.state_names()))
    keep = Keeping(task.keep.measures, None, {**task.keep.functions, **dict.fromkeys(labels, features_of)})
    made = Settling(**{**plain_fields(task), "keep": keep})
    made.attractor = asked
    return made


def named_attractors(task: Settling, found: Chunk) -> tuple[Task, Chunk, list[dict[str, Any]]]:
    """Numbers of attractors in the place of features; and what the attractors are."""
    asked, own = task.attractor, task.own_functions()
    kept = len(task.keep.measures) + len(own)
    columns = [name for name, _, _ in asked.columns(task.state_names())]
    marks, attractors = matched(found.values[:, kept:], columns, asked.tolerance)
    values = np.column_stack([found.values[:, :kept], np.where(found.status < 0, np.nan, marks)])
    plain = Task(**{**plain_fields(task), "keep": Keeping(task.keep.measures, None, {**own, asked.name: features_of})})
    return plain, Chunk(values, found.status, found.time, found.steps, None, found.reasons), attractors


def features_of(states: np.ndarray, columns: list[Column]) -> np.ndarray:
    """Least, greatest and mean of each column in both halves of the time of watching, and its extent on the whole way."""
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
