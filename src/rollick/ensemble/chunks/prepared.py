"""Members made ready for compiled code: by columns where the system allows it, one by one where it does not. Both ways give the same numbers.

By columns the source makes one system whose varied numbers are `Lanes` (`kernel.lanes`), so that the checks of all members run at once; starts and times are
columns by themselves. A member that is refused, or whose making does something that a column cannot, is made one by one, which gives its reason. The first and
the last member of each part are made both ways and compared: a part that differs anywhere is made one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...kernel.erased import PackedMany, PackedRows, outline
from ...kernel.errors import InputError
from ...kernel.hooks import settle, start_integrals, start_state
from ...kernel.lanes import Lanes, in_lanes
from ...kernel.leaves import floats_in, leaves, rest_of, rows_of, with_floats
from ...kernel.names import choose, number
from ...kernel.system import description, integral_count
from ...motion.problem import Problem, make_problem
from ...motion.start import state_vector
from ..task import REFUSED, WORDS, Chunk, Task

FEW = 3  # members that are not worth a column


@dataclass
class Group:
    """Members whose systems are of one type: their places in the chunk, the first of them in full, and of all the floats of the system, the start with what is
    accumulated, and (since, until). `systems`: all of them, if they differ in more than floats."""

    places: np.ndarray
    lead: Problem
    rows: np.ndarray
    starts: np.ndarray
    spans: np.ndarray
    systems: list[Any] | None = None

    @property
    def varied(self) -> tuple[int, ...]:
        """The floats in which not all have the numbers of the first, bit by bit."""
        return tuple(np.flatnonzero((self.rows.view(np.int64) != self.rows[:1].view(np.int64)).any(axis=0)).tolist())

    def some(self, which: np.ndarray) -> Group:
        """Some of the members, in the order in which they are named."""
        systems = None if self.systems is None else [self.systems[i] for i in which]
        return replace(
            self,
            places=self.places[which],
            rows=self.rows[which],
            starts=self.starts[which],
            spans=self.spans[which],
            systems=systems,
        )

    def system(self, i: int) -> Any:
        """The system of the i-th member."""
        return with_floats(self.lead.system, self.rows[i].tolist()) if self.systems is None else self.systems[i]


def packed(group: Group, wrap: Any) -> Any:
    """What `wrap` makes of the systems of a group, in memory."""
    if group.systems is None:
        return PackedRows(group.lead.system, group.rows, wrap)
    return PackedMany([wrap(system) for system in group.systems])


class Preparation:
    """The members at some places of a chunk that begins with the member `first`, in groups; `left` are places that only `simulate` can tell something of.

    share: whether the members of a group must have everything but floats in common (those that can go abreast must in any case). lanes: whether columns may be used.
    """

    def __init__(
        self, task: Task, first: int, places: np.ndarray, out: Chunk, share: bool = False, lanes: bool = True, method: Any = None
    ):
        self.task, self.first, self.out, self.share, self.method = task, first, out, share, method
        self.groups: list[Group] = []
        self.left: list[int] = []
        self.one_by_one(self.by_columns(places) if lanes and places.size > FEW else places)
        self.left.sort()

    # -- by columns ----------------------------------------------------------------------------------------------------------------

    def by_columns(self, all_places: np.ndarray) -> np.ndarray:
        """Make the groups that columns can make; the places that are left."""
        task = self.task
        columns = {name: c[self.first + all_places] for name, c in task.members.columns.items()}
        words = [name for name, c in columns.items() if c.dtype != np.float64]
        alone = []
        for inside in _alike([columns[name] for name in words], all_places.size):
            roles: dict[str, dict[str, Any]] = {"parameter": {}, "start": {}, "time": {}}
            for name, column in columns.items():
                role, inner = task.roles[name]
                part = column[inside]
                same = name in words or _constant(part)
                roles[role][inner] = (part[0].item() if isinstance(part[0], np.generic) else part[0]) if same else part
            places = all_places[inside]
            made, left = self.systems(roles["parameter"], places.size)
            alone.append(places[left])
            for some, system in made:
                here = {r: {n: c[some] if isinstance(c, np.ndarray) else c for n, c in v.items()} for r, v in roles.items()}
                alone.append(self.group(places[some], system, here["start"], here["time"]))
        return np.sort(np.concatenate(alone)) if alone else np.zeros(0, int)

    def systems(self, values: dict[str, Any], count: int) -> tuple[list[tuple[np.ndarray, Any]], np.ndarray]:
        """Systems with lanes in their fields, each for some of `count` places; and the places that are left."""
        varied = {name: column for name, column in values.items() if isinstance(column, np.ndarray)}
        fixed = {name: value for name, value in values.items() if name not in varied}
        return in_lanes(varied, count, lambda lanes: self.task.source.make({name: {**fixed, **lanes}[name] for name in values}))

    def group(self, places: np.ndarray, system: Any, begins: dict[str, Any], times: dict[str, Any]) -> np.ndarray:
        """Add the members at some places, whose systems differ in lanes only; the places that have to be made one by one."""
        y, spans = self.starts(system, begins, places.size), self.spans(times, places.size)
        if y is None or spans is None:
            return places
        good = np.isfinite(y).all(axis=1) & np.isfinite(spans).all(axis=1)
        if self.task.keep.path is not None:
            good &= spans[:, 1] >= spans[:, 0]
        chosen = np.flatnonzero(good)
        if chosen.size == 0:
            return places
        floats = [leaf.values if type(leaf) is Lanes else leaf for leaf in floats_in(system)]
        rows = np.empty((places.size, len(floats)))
        for j, leaf in enumerate(floats):
            rows[:, j] = leaf
        try:
            lead, end = (self.problem(int(self.first + places[k])) for k in (chosen[0], chosen[-1]))
        except Exception:
            return places
        made = Group(places[chosen], lead, rows[chosen], np.hstack([y[chosen], np.zeros((chosen.size, lead.m))]), spans[chosen])
        if not (_agrees(made, 0, lead, system) and _agrees(made, -1, end, system)):
            return places
        self.groups.append(made)
        return places[~good]

    def starts(self, system: Any, begins: dict[str, Any], count: int) -> np.ndarray | None:
        """The states at the start, a row each; None if the system has a way of its own to make them."""
        cls, start = type(system), self.task.start
        if settle.knows(cls) or start_integrals.knows(cls):
            return None
        about = description(system).states
        names = [q.name for q in about]
        y = np.zeros((count, len(names)))
        try:
            if isinstance(start, (Mapping, type(None))):
                if start_state.knows(cls):
                    return None
                for name, value in {**(start or {}), **begins}.items():
                    j = names.index(choose(name, names, "state"))
                    y[:, j] = value if isinstance(value, np.ndarray) else number(value, name, about[j].unit)
            elif type(start) in (list, tuple, np.ndarray):
                y[:] = state_vector(system, start)
                for name, value in begins.items():
                    y[:, names.index(name)] = value
            else:
                return None
        except Exception:  # told member by member
            return None
        return y

    def spans(self, times: dict[str, Any], count: int) -> np.ndarray | None:
        """(since, until) of members; None if they cannot be read."""
        spans = np.zeros((count, 2))
        try:
            for j, (name, value) in enumerate((("since", self.task.since), ("until", self.task.until))):
                value = times.get(name, value)
                if value is not None:
                    spans[:, j] = value if isinstance(value, np.ndarray) else number(value, name, "s")
                elif name == "until":
                    return None
        except Exception:
            return None
        return spans

    # -- one by one ----------------------------------------------------------------------------------------------------------------

    def one_by_one(self, places: np.ndarray) -> None:
        """Groups of members, each of which is made by itself."""
        kinds: dict[Any, list[tuple[int, Problem]]] = {}
        for k in places.tolist():
            try:
                problem = self.problem(self.first + k)
            except InputError as error:
                self.out.status[k], self.out.reasons[k] = WORDS.index(REFUSED), str(error)
                continue
            except Exception:  # told by `simulate_member`
                self.left.append(k)
                continue
            if self.task.keep.path is not None and problem.t1 < problem.t0:
                self.left.append(k)
                continue
            share = self.share or description(problem.system).abreast
            key = outline(problem.moving), rest_of(problem.moving) if share else ()
            kinds.setdefault(key, []).append((k, problem))
        for members in kinds.values():
            problems = [problem for _, problem in members]
            self.groups.append(
                Group(
                    np.array([k for k, _ in members]), problems[0], rows_of([p.system for p in problems]),
                    np.array([np.concatenate([p.start, p.sums]) for p in problems]), np.array([[p.t0, p.t1] for p in problems]),
                    [p.system for p in problems],
                )
            )  # fmt: skip

    def problem(self, i: int) -> Problem:
        """What is to be computed for a member, as `simulate` has it."""
        values, start, since, until = self.task.parts(i)
        system = self.task.source.make(values)
        wanted = self.task.integrals
        count = (
            self.method.integrals(system, wanted, False)
            if self.method is not None
            else int(integral_count(system))
            if wanted
            else 0
        )
        return make_problem(
            system, start, until, since=since, at=None, dense=False, events=None, variational=False, integrals=count,
            max_steps=self.task.max_steps, wall_limit=None, progress=False, began=0.0,
        )  # fmt: skip


def _alike(words: list[np.ndarray], count: int) -> list[np.ndarray]:
    """Places with the same words."""
    if not words:
        return [np.arange(count)]
    kinds: dict[Any, list[int]] = {}
    for k, key in enumerate(zip(*(column.tolist() for column in words))):
        kinds.setdefault(key, []).append(k)
    return [np.array(places) for places in kinds.values()]


def _constant(column: np.ndarray) -> bool:
    """Whether all numbers of a column are the same, bit by bit."""
    return bool((column.view(np.int64) == column[:1].view(np.int64)).all())


def _same(a: Any, b: Any) -> bool:
    a, b = np.array(a, float), np.array(b, float)
    return a.shape == b.shape and bool((a.view(np.int64) == b.view(np.int64)).all())


def _agrees(group: Group, k: int, problem: Problem, system: Any) -> bool:
    """Whether the k-th member of a group is the one that was made by itself."""
    others = [leaf for leaf, is_float in leaves(system) if not is_float]
    wanted = [leaf for leaf, is_float in leaves(problem.system) if not is_float]
    plain = all(a is b or (type(a) is type(b) and isinstance(a, (int, str)) and a == b) for a, b in zip(others, wanted))
    return (
        plain
        and len(others) == len(wanted)
        and problem.moving is problem.system
        and outline(problem.system) == outline(group.lead.system)
        and _same(floats_in(problem.system), group.rows[k])
        and _same(np.concatenate([problem.start, problem.sums]), group.starts[k])
        and _same([problem.t0, problem.t1], group.spans[k])
    )
