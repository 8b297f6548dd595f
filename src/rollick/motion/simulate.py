"""`simulate`: a system, a start, a final time; out comes a motion.

The work is done by compiled blocks of steps (`explicit`, `implicit`); between blocks Python looks for events, keeps what was computed,
shows progress, and notices Ctrl-C, the clock and the step budget. So events cost no recompilation of the integrator, and nothing
that was computed is lost, whatever happens.
"""

from __future__ import annotations

import math
import time
import warnings
from typing import Any

import numpy as np

from ..kernel.compiling import compiling
from ..kernel.hooks import guard, settle
from ..kernel.names import InputError, called, choose, number
from ..kernel.system import dim, integral_count
from .choice import STEPPING, stepped
from .contact.lasting import with_rate
from .events.event import watches
from .events.search import Stop, Watchman
from .interrupt import uninterrupted
from .ode import control as c
from .ode.dense import ROWS
from .ode.extended import Accumulating, Variational
from .ode.methods import METHODS, begin, hand_over
from .progress import Progress
from .result import outcome as o
from .result.motion import Motion
from .result.outcome import MotionWarning, Outcome, StartAdjusted
from .result.recorder import Harvest
from .start import check_system, state_vector

BLOCK_SECONDS = 0.1  # how often Python gets a word
ENDINGS = (c.REACHED, c.UNDERFLOW, c.NOT_FINITE, c.MOST_STEPS)


def simulate(
    system: Any,
    start: Any = None,
    until: float | str | None = None,
    *,
    since: float | None = None,
    method: str = "auto",
    rtol: float = 1e-9,
    atol: float | np.ndarray | None = None,
    at: Any = None,
    dense: bool = False,
    events: Any = None,
    variational: bool = False,
    integrals: bool | None = None,
    max_steps: int = 10_000_000,
    max_step: float = math.inf,
    wall_limit: float | None = None,
    progress: bool | None = None,
    verify: bool = False,
    dt: float | str | None = None,
    every: int | None = None,
    adapt: float | None = None,
) -> Motion:
    """Integrate a system from a start to a final time.

    Parameters
    ----------
    system: a NamedTuple with a registered `rate` (see `rollick.describe`).
    start: a dict of states (those not named are zero, "5deg" is understood), a sequence of all states, or a `Motion` to go on from.
        A start that violates the system's constraints is pulled onto them; a `StartAdjusted` warning says what was changed.
    until: the final time; smaller than `since` integrates backward.
    since: the initial time (0, or the end of the motion given as start).
    method: "dop853" (explicit, order 8), "radau" (stiff, order 5), or "auto": explicit until the motion turns out to be stiff, and back.
        Bodies with friction also: "moreau", "midpoint" or "thesis" (time stepping with step `dt`, output after `every` so many steps), and
        "event-driven" (one contact, Coulomb friction); "auto" takes "moreau" for set-valued laws. `adapt`: a tolerance by which steps are chosen.
    rtol, atol: local error per step at most atol + rtol*|y| for each state; atol is a number or one number per state (default rtol/1000).
    at: output at these times only (default: at every step).
    dense: keep the dense output, so that `motion.at(t)` answers for any t.
    events: names of states, signals or integrals, functions, or `Event`s; see `rollick.Event`.
    variational: also integrate the state-transition matrix, `motion.transition`.
    integrals: accumulate the system's integrals (default: yes, unless `variational`).
    max_steps, max_step, wall_limit: bounds on the number of steps, their length, and the seconds spent (compilation included);
        what was computed is returned.
    progress: a progress bar (default: on terminals, for runs longer than a second).
    verify: repeat at a tighter tolerance, and in a second formulation if there is one; `motion.trust` says how many digits to believe.

    An event function that is zero at the very start (to the tolerances) counts as having fired already, so that a motion can be restarted
    from an event; one that is about to cross zero at the very end is reported at the end. So the two halves of a motion report each
    event once. A motion that does not reach `until` says so in `motion.message` and in a `MotionWarning`.
    """
    options = dict(locals())
    began = time.perf_counter()
    other = stepped(options)
    if other is not None:
        return other
    with_rate(options["system"])
    run = _Run(**{k: v for k, v in options.items() if k not in ("verify", "dt", "every", "adapt")})
    motion = run.go(began)
    if not motion.outcome.complete or motion.status == o.LEFT:
        warnings.warn(motion.outcome.message, MotionWarning, stacklevel=2)
    if verify and motion.status != o.INTERRUPTED:
        from .result.verify import judge

        motion.trust = judge(motion, options)
    return motion


class _Run:
    """One integration: checked input, buffers, and the loop over blocks."""

    def __init__(
        self,
        system,
        start,
        until,
        since,
        method,
        rtol,
        atol,
        at,
        dense,
        events,
        variational,
        integrals,
        max_steps,
        max_step,
        wall_limit,
        progress,
    ):
        continued = start if isinstance(start, Motion) else None
        self.system = check_system(system)
        self.method_name = choose(method, (*METHODS, *STEPPING) if method not in METHODS else METHODS, "method")
        n = dim(self.system)
        if integrals is None:
            integrals = not variational
        self.m = integral_count(self.system) if integrals else 0
        self.n = n
        inner = Accumulating(self.system) if self.m else self.system
        self.variational = bool(variational)
        self.engine = Variational(inner) if variational else inner
        if until is None:
            raise InputError("until is missing: give the final time, e.g. until=20.0.")
        first = (
            continued.end_time
            if continued is not None and since is None
            else number(0.0 if since is None else since, "since", "s")
        )
        self.t0, self.t1 = first, number(until, "until", "s")
        self.rtol, self.atol = tolerances(rtol, atol, dim(self.engine), n, [q.name for q in Motion.describe(self.system).states])
        y = np.zeros(dim(self.engine))
        if continued is not None:
            names, known = ([q.name for q in about.states] for about in (Motion.describe(self.system), continued.about))
            if names != known:
                raise InputError(
                    f"a motion of {continued.provenance['system']} (states {', '.join(known)}) cannot be continued by {called(self.system)} "
                    f"(states {', '.join(names)}); give the start by name, start=dict({names[0]}=...)."
                )
            y[:n] = continued.end_state
            if self.m and continued.end_integrals is not None:
                y[n : n + self.m] = continued.end_integrals
        else:
            y[:n] = state_vector(self.system, start)
        y[:n], self.settled = settle(self.system, y[:n].copy())
        if self.settled:
            warnings.warn(self.settled, StartAdjusted, stacklevel=3)
        if variational:
            k = n + self.m
            y[k:] = np.eye(k).ravel()
        self.y = y
        self.start = y[:n].copy()
        self.at = output_times(at, self.t0, self.t1)
        self.most = positive(max_step, "max_step")
        self.wall = math.inf if wall_limit is None else positive(wall_limit, "wall_limit")
        self.max_steps = positive(max_steps, "max_steps")
        if self.max_steps < 1.0:
            raise InputError(f"max_steps = {max_steps!r} must be at least 1.")
        self.watches = watches(events, self.system, self.t0, y, self.m)
        self.keep_dense = bool(dense)
        self.dense = self.keep_dense or bool(self.watches)
        self.guard = guard(self.system)
        self.store = self.at is None or self.dense or self.guard is not None
        self.show = progress
        self.used: list[tuple[str, float]] = []

    def go(self, began: float) -> Motion:
        """Run to the end, whatever the end is."""
        s = np.zeros(c.SIZE)
        s[c.TIME], s[c.END], s[c.MOST_STEP], s[c.LEFT] = self.t0, self.t1, self.most, self.max_steps
        harvest = Harvest(self)
        s[c.NEXT_AT] = harvest.at_start
        with compiling(f"the motion of {called(self.system)}"), Progress(self.show, self.t0, self.t1) as bar:
            outcome = None
            try:
                method = begin(
                    "radau" if self.method_name == "radau" else "dop853",
                    self.engine,
                    self.t0,
                    self.y,
                    self.t1,
                    self.most,
                    s,
                    self.rtol,
                    self.atol,
                )
                self.used.append((method.name, self.t0))
                outcome = self.blocks(method, s, harvest, bar, began)
            except KeyboardInterrupt:
                outcome = self.interrupted(s)
        return Motion.from_run(self, harvest, outcome, s, time.perf_counter() - began)

    def blocks(self, method: Any, s: np.ndarray, harvest: Harvest, bar: Progress, began: float) -> Outcome:
        """Block after block; between them: events, progress, limits, and the choice of method."""
        watchman = Watchman(self) if self.watches else None
        watch = self.method_name == "auto"
        size = 64
        first = True
        while True:
            block_start = time.perf_counter()
            s[c.STORED] = 0.0
            ts, ys, fs = harvest.room(size)
            pressed = False
            try:
                status = method.advance(
                    self.engine, s, self.y, method.work, self.rtol, self.atol, harvest.at, harvest.at_out, ts, ys, fs, self.store, self.dense, watch
                )  # fmt: skip
            except KeyboardInterrupt:  # heard when the block was done, or while it was compiled
                status, pressed = c.REACHED if s[c.TIME] == self.t1 else c.FULL, True
            with uninterrupted():
                now = time.perf_counter()
                steps = int(s[c.STORED])
                left = self.leaving(ts, ys, steps)
                if left is not None:
                    steps = left.step
                ending = left is not None or status in ENDINGS or pressed or now - began > self.wall
                if watchman is not None and steps:
                    stop = watchman.look(ts, ys, fs, steps, first, ending)
                    if stop is not None:
                        harvest.cut(ts, ys, fs, stop, self.t1 >= self.t0, s)
                        return stop.outcome
                if left is not None:
                    harvest.cut(ts, ys, fs, left, self.t1 >= self.t0, s)
                    return left.outcome
                harvest.take(ts, ys, fs, steps, s)
                first = first and not steps
                if ending:
                    return self.ending(status, pressed, method, s)
                if status in (c.STIFFNESS, c.SMOOTH):
                    method = hand_over(method)
                    for index in (c.STIFF, c.NOT_STIFF, c.FRESH, c.LAST_STEP, c.LAST_ERROR, c.LAST_REJECTED, c.NORM):
                        s[index] = 0.0
                    self.used.append((method.name, float(s[c.TIME])))
                bar.update(s[c.TIME])
            taken = time.perf_counter() - block_start
            most = 1024 if self.dense else 8192
            if taken < 0.5 * BLOCK_SECONDS:
                size = min(4 * size, max(64, most * 8 // max(8, dim(self.engine) * (ROWS if self.dense else 1) // 8)), most)
            elif taken > 2.0 * BLOCK_SECONDS:
                size = max(4, size // 2)

    def leaving(self, ts: np.ndarray, ys: np.ndarray, steps: int) -> Stop | None:
        """Where in a block the motion leaves the range in which its equations hold, if it does."""
        found = self.guard(ts[: steps + 1], ys[: steps + 1, : self.n]) if self.guard is not None and steps else None
        if found is None:
            return None
        k, why = found
        message = (
            f"{called(self.system)} stopped at t = {ts[k]:.10g}, before until = {self.t1:g}. {why} The motion until then is kept."
        )
        return Stop(float(ts[k]), ys[k].copy(), k, Outcome(o.LEFT, message))

    def ending(self, status: int, pressed: bool, method: Any, s: np.ndarray) -> Outcome:
        """Why the last block was the last."""
        if status == c.REACHED:
            return Outcome(o.FINISHED, f"reached t = {self.t1:.6g}.")
        if status in (c.UNDERFLOW, c.NOT_FINITE):
            from .result.failure import explain

            return explain(status, self, method, s)
        if pressed:
            return self.interrupted(s)
        if status == c.MOST_STEPS:
            return Outcome(
                o.MOST_STEPS,
                f"stopped at t = {s[c.TIME]:.6g} after max_steps = {self.max_steps:g} steps (the last one {abs(s[c.STEP]):.3g} long). "
                f"Raise max_steps, loosen rtol, or try method='radau' if the motion is stiff; what was computed until then is here.",
            )
        return Outcome(
            o.TIME_LIMIT,
            f"stopped at t = {s[c.TIME]:.6g} after wall_limit = {self.wall:g} s. Raise it, or go on with simulate(system, motion, until=...); what was computed until then is here.",
        )

    @staticmethod
    def interrupted(s: np.ndarray) -> Outcome:
        """The outcome of a run that somebody stopped."""
        return Outcome(
            o.INTERRUPTED,
            f"interrupted at t = {s[c.TIME]:.6g}; what was computed until then is here. Go on with simulate(system, motion, until=...).",
        )


def positive(given: Any, what: str) -> float:
    """A number above zero (infinity allowed)."""
    try:
        value = float(given)
    except (TypeError, ValueError):
        raise InputError(f"{what} = {given!r} is not a number.") from None
    if not value > 0.0:
        raise InputError(f"{what} = {given!r} must be above zero.")
    return value


def tolerances(rtol: Any, atol: Any, size: int, n: int, names: list[str]) -> tuple[float, np.ndarray]:
    """Checked tolerances: rtol, and one atol per component of the extended state."""
    r = number(rtol, "rtol")
    if not 0.0 <= r <= 0.1:
        raise InputError(f"rtol = {rtol!r} must lie between 0 and 0.1; 1e-6 is coarse, 1e-9 the default, 1e-12 fine.")
    try:
        given = np.asarray(1e-3 * max(r, 1e-14) if atol is None else atol, float).ravel()
    except (TypeError, ValueError):
        raise InputError(f"atol = {atol!r} is not a number, nor one number per state ({', '.join(names)}).") from None
    if given.size not in (1, n):
        raise InputError(f"atol has {given.size} entries; give one number, or one per state ({', '.join(names)}).")
    if not np.all(given > 0.0) or not np.all(np.isfinite(given)):
        raise InputError(
            f"atol = {atol!r} must be above zero (a state may pass through zero, where rtol alone asks for the impossible)."
        )
    full = np.full(size, float(given.min()))
    full[:n] = given
    floor = 4.0 * np.finfo(float).eps
    if r < floor:
        warnings.warn(f"rtol = {r:g} is below what floating point can hold; {floor:.1g} is used.", MotionWarning, stacklevel=4)
        r = floor
    return r, full


def output_times(at: Any, t0: float, t1: float) -> np.ndarray | None:
    """Checked output times, in the direction of integration."""
    if at is None:
        return None
    times = np.atleast_1d(np.asarray([number(v, "at", "s") for v in np.atleast_1d(np.asarray(at, object)).ravel()], float))
    forward = 1.0 if t1 >= t0 else -1.0
    if np.any(np.diff(times) * forward < 0.0):
        raise InputError("the output times `at` must be ordered in the direction of integration; sort them first.")
    low, high = min(t0, t1), max(t0, t1)
    outside = times[(times < low) | (times > high)]
    if outside.size:
        raise InputError(f"output time {outside[0]:g} lies outside the motion, which runs from {t0:g} to {t1:g}.")
    return times
