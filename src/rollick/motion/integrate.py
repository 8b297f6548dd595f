"""The one control loop: block after block of steps; between them events, guards, limits, progress, Ctrl-C, and the choice of stepper.

The work is done by compiled blocks of steps (`ode.block` has their contract). Between blocks Python has a word, so that events cost no
recompilation of an integrator, and nothing that was computed is lost, whatever happens.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from ..kernel.compiling import compiling, compiling_seconds
from ..kernel.hooks import guard
from ..kernel.names import InputError, called
from ..kernel.not_compiled import raised_inside
from ..kernel.trial import try_once
from .ahead import compile_ahead
from .events.search import Stop, Watchman
from .interrupt import uninterrupted
from .ode import control as c
from .ode.block import Block
from .ode.dense import ROWS, sample
from .ode.extended import Accumulating
from .problem import Problem
from .progress import Progress
from .result import outcome as o
from .result.failure import explain, explain_exception, out_of_steps
from .result.motion import Motion
from .result.outcome import Outcome
from .result.recorder import Recorder

BLOCK_SECONDS = 0.1  # how often Python gets a word
REASONS = (c.FULL, c.REACHED, c.UNDERFLOW, c.NOT_FINITE, c.STIFFNESS, c.MOST_STEPS, c.SMOOTH)
COUNTED = [c.TIME, c.ACCEPTED, c.REJECTED]  # one of them changes when a step is made or tried
PARTS = 256  # into which what is left of the step is divided each time
ENDINGS = (c.REACHED, c.UNDERFLOW, c.NOT_FINITE, c.MOST_STEPS)


def integrate(problem: Problem, method: Any) -> Motion:
    """The motion of a problem by a method (`methods.method.Method` says what the loop asks of it)."""
    run = Run(problem, method)
    outcome = run.go()
    return run.motion(outcome)


class Run:
    """One integration: the problem, what is integrated, and the loop over blocks."""

    def __init__(self, problem: Problem, method: Any):
        self.problem, self.method = problem, method
        self.system, self.n, self.m = problem.system, problem.n, problem.m
        self.t0, self.t1, self.at, self.watches = problem.t0, problem.t1, problem.at, problem.watches
        self.engine, self.y = method.engine(problem)
        self.tolerance = method.tolerance(problem, self.y.size)
        self.every = method.stride(problem)
        self.keep_dense = problem.dense
        self.dense = self.keep_dense or bool(self.watches)
        self.guard = guard(problem.moving) if method.leaves else None
        self.store = self.at is None or self.dense or self.guard is not None
        self.used: list[tuple[str, float]] = []
        self.occurrences: list[Any] = []
        self.by_jumps: list[Any] = []  # those of them that a jump of the state made
        self.counts = [0] * len(self.watches)  # of occurrences, for each watch
        self.seconds = 0.0
        self.stepper: Any = None
        self.control = s = np.zeros(c.SIZE)
        s[c.TIME], s[c.END], s[c.LEFT] = self.t0, self.t1, problem.max_steps
        s[c.MOST_STEP] = getattr(method, "max_step", np.inf)
        self.recorder = Recorder(self)
        s[c.NEXT_AT] = self.recorder.at_start

    def go(self) -> Outcome:
        """Run to the end, whatever the end is."""
        p = self.problem
        bar = p.progress if isinstance(p.progress, Progress) else Progress(p.progress, self.t0, self.t1)
        with compiling("the motion", self.system), bar:
            if self.watches:
                compile_ahead()
            try:
                if self.method.uses_rate:
                    try_once(Accumulating(p.moving) if self.m else p.moving, self.t0, self.y[: self.n + self.m])
                self.stepper = stepper = self.method.begin(self, self.control)
                if not callable(getattr(stepper, "advance", None)):
                    raise InputError(
                        f"`begin` of the method {self.method.name!r} returned {stepper!r}; let it return a stepper (docs/adding.md)."
                    )
                self.used.append((stepper.name, self.t0))
                outcome = self.blocks(stepper, bar)
            except KeyboardInterrupt:
                outcome = self.interrupted()
        self.seconds = time.perf_counter() - p.began
        return outcome

    def blocks(self, stepper: Any, bar: Progress) -> Outcome:
        """Block after block until one of them is the last; why it was."""
        s, recorder = self.control, self.recorder
        watchman = Watchman(self) if self.watches else None
        at_start = None if watchman is None else watchman.look_at_start(self.t0)
        size, first = 64, True
        while True:
            started = time.perf_counter()
            s[c.STORED] = 0.0
            block = recorder.room(size, self.method.switches, stepper)
            before = s.copy()
            pressed, trouble, status = False, None, c.FULL
            try:
                status = stepper.advance(self.engine, s, self.y, self.tolerance, block)
                self.check_contract(stepper, status, before)
            except KeyboardInterrupt:  # heard when the block was done, or while it was compiled
                status, pressed = c.REACHED if s[c.TIME] == self.t1 else c.FULL, True
            except Exception as error:  # a rate that raises: what was computed before is kept
                if s[c.ACCEPTED] == 0.0 or raised_inside(error) is None:
                    raise
                trouble = error
            with uninterrupted():
                steps = int(s[c.STORED])
                late = self.problem.is_late
                ending = status in ENDINGS or pressed or late or trouble is not None
                stop = at_start or self.look(watchman, block, steps, first, ending)
                if stop is not None:
                    recorder.cut(block, stop, self.t1 >= self.t0, s)
                    return stop.outcome
                recorder.take(block, steps, s)
                first = first and not steps
                if ending:
                    recorder.finish()
                if trouble is not None:
                    return explain_exception(trouble, self, s)
                if ending:
                    return self.ending(status, pressed, stepper)
                if status in (c.STIFFNESS, c.SMOOTH):
                    stepper = self.method.next_stepper(stepper, s)
                    self.used.append((stepper.name, float(s[c.TIME])))
                bar.update(s[c.TIME])
            size = self.next_size(size, time.perf_counter() - started)

    def check_contract(self, stepper: Any, status: Any, before: np.ndarray) -> None:
        """Refuse a stepper that does not say why it stopped, stopped too early, or makes no step: the loop would never end."""
        s = self.control
        if status not in REASONS:
            wrong = f"ended a block with {status!r}; let it return FULL, REACHED, MOST_STEPS, NOT_FINITE or another reason"
        elif status == c.REACHED and s[c.TIME] != self.t1:
            wrong = f"says REACHED at s[TIME] = {s[c.TIME]:.10g}, but s[END] = {self.t1:.10g}; set s[TIME], or return FULL"
        elif status == c.FULL and np.array_equal(s[COUNTED], before[COUNTED]):
            wrong = f"says FULL at t = {s[c.TIME]:.10g} without a step; make one, and count it in s[ACCEPTED]"
        else:
            return
        raise InputError(
            f"`advance` of the stepper {stepper.name!r} {wrong} (rollick.motion.ode.control; the contract is in docs/adding.md)."
        )

    def next_size(self, size: int, taken: float) -> int:
        """How many steps the next block has room for: such that it takes about `BLOCK_SECONDS`."""
        limit = 1024 if self.dense else 8192 * self.every
        width = max(8, self.y.size * (ROWS if self.dense else 1) // 8)
        if taken < 0.5 * BLOCK_SECONDS:
            return min(4 * size, max(64, limit * 8 // width), limit)
        return max(4, size // 2) if taken > 2.0 * BLOCK_SECONDS else size

    def look(self, watchman: Watchman | None, block: Block, steps: int, first: bool, ending: bool) -> Stop | None:
        """Where in a block the motion ends: at a terminal event, or where its equations cease to hold; None if it goes on."""
        left = self.leaving(block, steps)
        if left is not None:
            steps, ending = left.step + int(left.t != block.ts[left.step]), True
        if watchman is None or not steps:
            return left
        jump = getattr(self.stepper, "jump", None)  # of the state, as the last step of the block
        if jump is None or left is not None:
            return watchman.look(block.ts, block.ys, block.fs, steps, first, ending, left) or left
        stop = watchman.look(block.ts, block.ys, block.fs, steps - 1, first, True) if steps > 1 else None
        before, after = jump
        return watchman.jump(float(block.ts[steps]), before, after, steps, stop)

    def leaving(self, block: Block, steps: int) -> Stop | None:
        """Where in a block the motion leaves the range in which its equations hold, if it does."""
        found = self.guard(block.ts[: steps + 1], block.ys[: steps + 1, : self.n]) if self.guard is not None and steps else None
        if found is None:
            return None
        k, why = found
        t, state = last_instant(self, float(block.ts[k]), block.ys[k], float(block.ts[k + 1]))
        message = (
            f"{called(self.system)} stopped at t = {t:.10g}, before until = {self.t1:g}. {why} The motion until then is kept."
        )
        return Stop(t, state, k, Outcome(o.LEFT, message))

    def ending(self, status: int, pressed: bool, stepper: Any) -> Outcome:
        """Why the last block was the last."""
        s = self.control
        if status == c.REACHED:
            return Outcome(o.FINISHED, f"reached t = {self.t1:.6g}.")
        if status in (c.UNDERFLOW, c.NOT_FINITE):
            return explain(status, self, stepper, s)
        if pressed:
            return self.interrupted()
        if status == c.MOST_STEPS:
            return out_of_steps(s[c.TIME], s[c.STEP], self.problem.max_steps, stepper.advice)
        return self.out_of_time(float(s[c.TIME]))

    def out_of_time(self, t: float) -> Outcome:
        """The outcome of a run that has spent its seconds, and how many of them went into compilation, which nothing breaks off."""
        wall, compiled = self.problem.wall, compiling_seconds() - self.problem.compiled
        spent = time.perf_counter() - self.problem.began
        once = (
            f" ({spent:.3g} s in all, {compiled:.3g} s of them for compiling, which happens once)"
            if compiled > 0.1 * wall
            else ""
        )
        return Outcome(
            o.TIME_LIMIT,
            f"stopped at t = {t:.6g} after wall_limit = {wall:g} s{once}. Raise it, or go on with "
            f"simulate(system, motion, until=...); what was computed until then is here.",
        )

    def interrupted(self) -> Outcome:
        """The outcome of a run that somebody stopped."""
        if self.control[c.ACCEPTED] == 0.0:
            return Outcome(
                o.INTERRUPTED, f"interrupted at t = {self.control[c.TIME]:.6g}, before the first step; nothing was computed."
            )
        return Outcome(
            o.INTERRUPTED,
            f"interrupted at t = {self.control[c.TIME]:.6g}; what was computed until then is here. "
            f"Go on with simulate(system, motion, until=...).",
        )

    def account(self) -> dict[str, Any]:
        """What the stepper counted besides, if it did."""
        return self.stepper.account() if hasattr(self.stepper, "account") else {}

    def motion(self, outcome: Outcome) -> Motion:
        """The motion of a finished (or broken off) run."""
        return Motion.from_run(self, outcome)


def last_instant(run: Run, t: float, y: np.ndarray, end: float) -> tuple[float, np.ndarray]:
    """The time and the state up to which a run's equations hold, in its step from (t, y) to `end`, in which its guard says that they cease to.

    The step is made once more, with dense output, and divided again and again until neighbouring numbers are left.
    """
    assert run.guard is not None
    again = Run(step_again(run, t, y, end), run.method)
    again.guard = None
    again.y[:] = again.recorder.states[0][:] = y
    again.go()
    made = again.recorder
    if not made.coefficients:
        return t, y.copy()
    times, states, rows = np.concatenate(made.times), np.concatenate(made.states), np.concatenate(made.coefficients)

    def at(instants: np.ndarray) -> np.ndarray:
        there = np.empty((instants.size, y.size))
        sample(times, states, rows, instants, there)
        return there

    inside, outside = t, float(times[-1])
    before = np.empty(0)  # one instant before `inside`, once there is one: a guard knows the bend of a force from three
    while True:
        instants = np.linspace(inside, outside, PARTS + 1)
        instants = instants[np.concatenate([[True], np.diff(instants) != 0.0])]
        seen = np.concatenate([before, instants])
        found = run.guard(seen, at(seen)[:, : run.n])
        if found is None or instants.size <= 2:
            break
        first = max(found[0] - before.size, 0)
        before = instants[max(first - 1, 0) : first]
        inside, outside = float(instants[first]), float(instants[first + 1])
    return inside, at(np.array([inside]))[0] if inside != t else y.copy()


def step_again(run: Run, t: float, y: np.ndarray, end: float) -> Problem:
    """The problem of one step of a run, with dense output and without events."""
    n, m = run.n, run.m
    return replace(run.problem, t0=t, t1=end, start=y[:n].copy(), sums=y[n : n + m].copy(), at=None, watches=(), dense=True, wall=np.inf, progress=False)  # fmt: skip
