"""The motion of an automaton: mode after mode in the common loop, with the output times, events, dense output and limits that were asked for; the pieces are
joined to one motion."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..events.event import INNER, Event, Occurrence, Watch, watch
from ..events.jumps import crossed_by_jump
from ..integrate import Run
from ..ode.control import ACCEPTED
from ..ode.dense import ROWS
from ..problem import Problem
from ..progress import Progress
from ..result import outcome as o
from ..result.motion import Motion
from ..result.outcome import Outcome
from .automaton import Automaton, Change, Mode


@dataclass
class Journey:
    """What has been brought in on the way: the pieces, the modes and their beginnings, the events."""

    pieces: list[Motion] = field(default_factory=list)
    modes: list[list[Any]] = field(default_factory=list)
    events: list[Occurrence] = field(default_factory=list)
    costs: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("steps", "rejected", "evaluations", "jacobians"), 0))


def follow(problem: Problem, automaton: Automaton, method: Any, max_changes: int = 100_000, own_signals: bool = False) -> Motion:
    """The motion of an automaton; each mode is integrated by `method`. `own_signals`: derived quantities are those of the modes."""
    journey = Journey()
    first = automaton.begin(problem.t0, problem.start)
    t, y, sums, mode, ends_at_once = problem.t0, first.state, _summed(problem.sums, first), first.mode, first.outcome
    assert mode is not None
    journey.events += first.reports
    left, outcome = problem.max_steps, None
    user = list(problem.watches)
    times = problem.at
    with Progress(problem.progress, problem.t0, problem.t1) as bar:
        for _ in range(max_changes):
            if not mode.continues:
                journey.modes.append([mode.name, t])
            endings = [watch(_inner(e), mode.system, t, np.concatenate([y, sums]), problem.m) for e in mode.endings]
            piece_of = dataclasses.replace(
                problem,
                moving=mode.system,
                t0=t,
                t1=problem.t1 if ends_at_once is None else t,
                start=y,
                sums=sums,
                at=times,
                watches=[*endings, *user],
                max_steps=max(left, 1.0),
                progress=_Silent(bar),
            )
            run = Run(piece_of, method)
            ended = run.go()
            piece = run.motion(ended)
            t, y, sums, left = piece.end_time, piece.end_state.copy(), _sums(piece, problem.m), left - run.control[ACCEPTED]
            _keep(journey, piece, mode, own_signals)
            mine = [e for e in piece.events if e.name.startswith(INNER)]
            user = _counted(user, run.counts[len(endings) :])
            times = None if times is None else times[run.recorder.at_count :]
            if ends_at_once is not None:
                outcome = ends_at_once
                break
            if ended.status != o.EVENT or not (mine and mine[-1].terminal):
                outcome = ended
                break
            last = dataclasses.replace(mine[-1], name=mine[-1].name[len(INNER) :])
            before = y
            change = automaton.after(mode, last, t, y)
            journey.events += change.reports
            y, old_sums, sums = change.state, sums, _summed(sums, change)
            jump = np.concatenate([before, old_sums]), np.concatenate([y, sums])
            crossed, stops, counts = crossed_by_jump(user, [0] * len(user), t, *jump, problem.n, run.tolerance)
            user = _counted(user, counts)
            journey.events += crossed
            outcome = change.outcome or _also_ended(piece.events) or stops
            if outcome is None and (t - problem.t1) * (1.0 if problem.t1 >= problem.t0 else -1.0) >= 0.0:
                outcome = Outcome(o.FINISHED, f"reached t = {problem.t1:.6g}.")
            if outcome is not None or change.mode is None:
                break
            mode = change.mode
            outcome = _limit_reached(problem, run, left, t)
            if outcome is not None:
                break
            bar.update(t)
    if outcome is None:
        outcome = Outcome(
            o.MOST_STEPS,
            f"stopped at t = {t:.6g} after {max_changes} changes of mode; what was computed until then is here.",
        )
    return joined(problem, method, journey, outcome, (t, y, sums))


def _limit_reached(problem: Problem, run: Run, left: float, t: float) -> Outcome | None:
    """How a motion ends whose steps or time are used up; None if they are not."""
    if left <= 0.0:
        return Outcome(
            o.MOST_STEPS,
            f"stopped at t = {t:.6g} after max_steps = {problem.max_steps:g} steps. Raise max_steps; what was computed until then is here.",
        )
    return run.out_of_time(t) if problem.is_late else None


def _summed(sums: np.ndarray, change: Change) -> np.ndarray:
    """The integrals after a change."""
    return sums if change.sums is None else sums + change.sums[: sums.size]


class _Silent(Progress):
    """A progress bar that shows a piece of a motion on the bar of the whole."""

    def __init__(self, bar: Progress):
        self.bar_of_all = bar

    def __exit__(self, *_: Any) -> None:
        return None

    def update(self, t: float) -> None:
        """Tell the time reached."""
        self.bar_of_all.update(t)


def _inner(event: Event) -> Event:
    """An event that ends a mode, under a name that no user's event has."""
    return dataclasses.replace(event, name=INNER + event.label, terminal=True)


def _sums(piece: Motion, m: int) -> np.ndarray:
    return np.zeros(m) if piece.end_integrals is None else piece.end_integrals.copy()


def _keep(journey: Journey, piece: Motion, mode: Mode, own_signals: bool) -> None:
    """Take a piece and the events in it."""
    if own_signals:
        piece.system = mode.system
        piece._derived = piece.derived
    journey.pieces.append(piece)
    journey.events += [e for e in piece.events if not e.name.startswith(INNER)]
    for name in journey.costs:
        journey.costs[name] += piece.provenance[name]


def _counted(watches: list[Watch], counts: Sequence[int]) -> list[Watch]:
    """The watches of a user after so many occurrences of each: those that end the motion after a number of them have fewer to wait for."""
    return [
        dataclasses.replace(w, stop_after=max(1, w.stop_after - seen)) if w.stop_after and seen else w
        for w, seen in zip(watches, counts)
    ]


def _also_ended(events: Sequence[Occurrence]) -> Outcome | None:
    """The end of the motion, if an event of the user that is to end it came at the very instant at which a mode ended."""
    for e in events:
        if e.terminal and not e.name.startswith(INNER):
            return Outcome(o.EVENT, f"stopped by the event {e.name} ({e.kind}) at t = {e.t:.10g}.")
    return None


def joined(
    problem: Problem, method: Any, journey: Journey, outcome: Outcome, end: tuple[float, np.ndarray, np.ndarray]
) -> Motion:
    """One motion of its pieces. Where a piece begins at the time at which the one before it ended, its first instant is left out."""
    pieces = journey.pieces
    firsts = [0]
    last = pieces[0].t[-1] if pieces[0].t.size else None
    for p in pieces[1:]:
        firsts.append(1 if p.t.size and p.t[0] == last else 0)
        last = p.t[-1] if p.t.size else last
    join = lambda parts: np.concatenate([part[first:] for part, first in zip(parts, firsts)])
    made = dict(pieces[0].provenance)
    made |= {name: int(value) for name, value in journey.costs.items()}
    made |= {
        "method": method.name,
        "methods": journey.modes,
        "until": problem.t1,
        "start": dict(zip(pieces[0].provenance["start"], map(float, problem.start))),
        "events": [w.event.stated for w in problem.watches],
        "seconds": pieces[-1].provenance["seconds"],
    }
    derived = [p._derived for p in pieces]
    motion = Motion(
        problem.system,
        pieces[0].about,
        join([p.t for p in pieces]),
        join([p.y for p in pieces]),
        join([p.q for p in pieces]) if problem.m else None,
        sorted(journey.events, key=lambda e: e.t if problem.t1 >= problem.t0 else -e.t),
        outcome,
        made,
        (end[0], end[1], end[2] if problem.m else None),
        dense=_joined_dense(pieces) if problem.dense else None,
        derived=join(derived) if all(d is not None for d in derived) else None,
    )
    return motion


def _joined_dense(pieces: Sequence[Motion]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The dense output of all pieces; between two of them a step of no length, across which the state may jump."""
    ts, ys, fs = [], [], []
    for k, piece in enumerate(pieces):
        assert piece._dense is not None
        t, y, f = piece._dense
        if k:
            fs.append(np.zeros((1, ROWS, y.shape[1])))
        ts.append(t)
        ys.append(y)
        fs.append(f)
    return np.concatenate(ts), np.concatenate(ys), np.concatenate(fs)
