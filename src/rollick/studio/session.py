"""One tab: its states with undo, its runs, its tasks. It knows nothing of how things look; it calls `changed` with a word when something is new.

Words: state (something was changed), curves, scene, map, branch, file, busy, progress, idle, cancelled, refused (with a sentence), told.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from ..kernel.names import InputError
from .limits import MOST_RUNS
from .maps import Map, branch_state, state_at
from .pool import Pool, Task
from .results import Results
from .state import History, State

Changed = Callable[[str, Any], None]


class Session:
    """A tab. `call` runs a function in the page's thread; `changed` is told there what is new."""

    def __init__(self, pool: Pool, results: Results, call: Callable[..., None], first: State | None = None):
        self.pool, self.results, self.call = pool, results, call
        self.changed: Changed = lambda word, value: None
        self.name = secrets.token_hex(8)
        self.history = History(first or State())
        self.shown: list[str] = []  # quantities that are drawn; empty: the system's choice
        self.kept: list[dict[str, Any]] = []  # runs beside the present one
        self.run: dict[str, Any] | None = None  # the present curves
        self.run_state: State | None = None
        self.scene: str | None = None
        self.scene_number = 0
        self.tasks: dict[str, Task] = {}
        self.map: tuple[Map, dict[str, Any]] | None = None
        self.branch: tuple[State, dict[str, Any]] | None = None

    @property
    def state(self) -> State:
        """What is on the page."""
        return self.history.now

    # -- changes ---------------------------------------------------------------------------------------------------------------

    def change(self, make: Callable[[State], State]) -> bool:
        """Another state, and its motion; a refusal is told and nothing changes. Whether it was accepted."""
        try:
            state = make(self.state)
        except InputError as error:
            self.changed("refused", str(error))
            return False
        if self.history.go(state):
            self.start()
            self.changed("state", None)
        return True

    def choose(self, system: str) -> None:
        """Another system."""
        self.shown = []
        self.change(lambda _: State(system))

    def back(self, step: str) -> None:
        """Undo or redo."""
        before = self.state.system
        self.history.undo() if step == "undo" else self.history.redo()
        if self.state.system != before:
            self.shown = []
        self.start()
        self.changed("state", None)

    # -- motions ---------------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Compute the motion of the present state, or take it from what is known."""
        state = self.state
        known = self.results.get(state.key)
        if known is not None:
            self.forget("motion")
            self.take(state, "curves", known["curves"])
            self.take(state, "scene", known["scene"])
            self.changed("idle", "motion")
            return
        found: dict[str, Any] = {}

        def hear(kind: str, value: Any) -> None:
            if kind in ("curves", "scene"):
                found[kind] = value
            if kind == "done" and "curves" in found and "scene" in found and found["curves"]["status"] != "interrupted":
                self.results.put(state.key, found)
            self.take(state, kind, value)

        self.submit("motion", state.plain(), hear)

    def take(self, state: State, kind: str, value: Any) -> None:
        """Something of a motion has arrived; what belongs to an older state is dropped."""
        if kind == "curves":
            if (
                state.key != self.state.key
                and self.run is not None
                and self.run_state is not None
                and self.run_state.system == self.state.system
            ):
                return
            self.run, self.run_state = {**value, "label": self.label(state)}, state
            self.changed("curves", None)
            if value["said"] or not value["complete"]:
                self.changed("told", " ".join([*value["said"][:2], *([] if value["complete"] else [value["message"]])]))
        elif kind == "scene":
            if state.key == self.state.key:
                self.scene, self.scene_number = value, self.scene_number + 1
                self.changed("scene", None)
        elif kind == "no scene" and state.key == self.state.key:
            self.scene, self.scene_number = None, self.scene_number + 1
            self.changed("scene", "there is no body to show moving here; the curves tell of it.")

    def label(self, state: State) -> str:
        """What tells a run from another: the numbers that differ from the system's own."""
        differ = {**state.set, **{f"{n}(0)": v for n, v in state.start.items()}}
        differ |= {"method": state.method} if state.method != "auto" else {}
        told = ", ".join(f"{n} = {v if isinstance(v, str) else format(v, '.4g')}" for n, v in list(differ.items())[:4])
        return f"{state.system}: {told}" if told else f"{state.system}, as it is"

    def keep(self) -> None:
        """Keep the present run beside the next ones."""
        if self.run is None:
            self.changed("refused", "there is no run to keep yet; wait for the first one.")
        elif any(run is self.run for run in self.kept):
            self.changed("refused", "this run is kept already; change something first.")
        elif len(self.kept) >= MOST_RUNS:
            self.changed("refused", f"{MOST_RUNS} runs are kept already; clear them, or drop one.")
        else:
            self.kept.append(self.run)
            self.changed("curves", None)

    def drop(self, place: int | None = None) -> None:
        """Forget a kept run, or all of them."""
        self.kept = [] if place is None else [run for k, run in enumerate(self.kept) if k != place]
        self.changed("curves", None)

    def runs(self) -> list[dict[str, Any]]:
        """What is drawn: kept runs, then the present one."""
        return [*(run for run in self.kept if run is not self.run), *([self.run] if self.run is not None else [])]

    # -- tasks -----------------------------------------------------------------------------------------------------------------

    def submit(self, kind: str, given: Any, hear: Callable[[str, Any], None]) -> None:
        """Hand a task to the workers; `hear` gets its parts in the page's thread."""
        holder: list[Task] = []

        def listener(word: str, value: Any) -> None:
            self.call(heard, word, value)

        def heard(word: str, value: Any) -> None:
            latest = bool(holder) and self.tasks.get(kind) is holder[0]
            if word in ("refused", "failed") and latest:
                self.changed("refused", value)
            elif word == "progress" and latest:
                self.changed("progress", value)
            elif word not in ("refused", "failed", "progress", "begun"):
                hear(word, value)
            if word in ("done", "refused", "failed", "cancelled") and latest:
                self.tasks.pop(kind, None)
                self.changed("idle", kind)
                if word == "cancelled":
                    self.changed("cancelled", kind)

        task = self.pool.submit(self.name, kind, given, listener)
        holder.append(task)
        self.tasks[kind] = task
        self.changed("busy", kind)

    def forget(self, kind: str) -> None:
        """What was asked for is not wanted any more; it may go on, nobody listens."""
        self.tasks.pop(kind, None)

    def cancel(self) -> None:
        """Give up all that runs."""
        for task in list(self.tasks.values()):
            self.pool.cancel(task)

    def ask_map(self, asked: Map) -> None:
        """A map."""

        def hear(kind: str, value: Any) -> None:
            if kind == "map":
                self.map = asked, value
                self.changed("map", value.get("said"))

        self.submit("map", asked.plain(), hear)

    def ask_branch(self, state: State, parameter: str, low: float, high: float) -> None:
        """A branch."""

        def hear(kind: str, value: Any) -> None:
            if kind == "branch":
                self.branch = state, value
                self.changed("branch", None)

        self.submit("branch", {"state": state.plain(), "parameter": parameter, "low": low, "high": high}, hear)

    def ask_file(self) -> None:
        """The present motion as a file."""
        self.submit("file", self.state.plain(), lambda kind, value: self.changed("file", value) if kind == "file" else None)

    def play_map(self, x: Any, y: Any) -> None:
        """Play the motion of a point of the map."""
        if self.map is None:
            return
        asked, found = self.map
        steady = None
        if "states" in found:
            i, j = (min(range(len(v)), key=lambda k: abs(v[k] - float(at))) for v, at in ((found["x"], x), (found["y"], y)))
            steady = found["states"][j * len(found["x"]) + i]
        self.change(lambda _: state_at(asked, x, y, steady))

    def play_branch(self, place: int, special: bool = False) -> None:
        """Play the steady motion of a point of the branch, slightly disturbed."""
        if self.branch is None:
            return
        state, found = self.branch
        if special:
            mark = found["specials"][place]
            value, at = mark["p"], mark["state"]
        else:
            value, at = found["exact"][place], found["at"][place]
        self.change(lambda _: branch_state(state, found["parameter"], value, at))

    def close(self) -> None:
        """The tab has gone."""
        self.changed = lambda word, value: None
        self.pool.forget(self.name)
        self.kept, self.run, self.scene, self.map, self.branch = [], None, None, None, None
