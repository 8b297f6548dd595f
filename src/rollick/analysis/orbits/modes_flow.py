"""The flow of a system with dry contacts, from mode to mode, as `flow` has it for smooth systems: by `simulate(method="filippov", variational=True)`.

Transition matrices contain the saltation at every change of mode, and lose rank where slip ends. Derivatives by a parameter are central differences.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.evaluate import rate_at
from ...kernel.names import InputError
from ...kernel.system import dim
from ...motion.filippov.algebra.code import contact_code
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load
from ...motion.filippov.systems.mode import FilippovMode
from ...motion.methods.event_driven import EventDriven
from ...motion.result.outcome import INTERRUPTED
from ...motion.simulate import simulate
from .flow import Flow, Lost, Pieces
from .sensitive import NEAR, parameter_of, with_parameter
from .watch import look, seconds_left

LETTERS = {"O": 0, "S": 1, "R": 2}
RTOL = 1e-11
AT_ONCE = 1e-6  # of a piece


def through_modes(system: Any) -> bool:
    """Whether a system is one that goes from mode to mode."""
    return bool(contact_total.knows(type(system)))


def flow_of(system: Any, parameter: str | None = None, method: Any = None, derivatives: bool = True) -> Any:
    """The flow of a system, smooth or through modes."""
    if not through_modes(system):
        return Flow(system, parameter, method, derivatives)
    rtol = RTOL if method is None else method.rtol
    return ModesFlow(system, parameter, float(rtol), derivatives)


def form_at(system: Any, t: float, y: np.ndarray) -> np.ndarray:
    """All that a system with dry contacts is made of at an instant, as numbers."""
    count = int(contact_total(system))
    free, push, c, A, slip = np.zeros(y.size), np.zeros((6, y.size)), np.zeros(6), np.zeros((6, 6)), np.zeros(4)
    contact_form(system, (1, 1 if count == 2 else 0), t, y, free, push, c, A, slip)
    grips = [value for k in range(count) for value in grip_and_load(system, t, y, k)]
    return np.concatenate([free, push.ravel(), c, A.ravel(), slip, np.array(grips, float)])


def form_depends_on_time(system: Any, y: np.ndarray, instants: tuple[float, ...]) -> bool:
    """Whether what a system with dry contacts is made of is another one at another time."""
    first = form_at(system, 0.0, y)
    return any(not np.array_equal(form_at(system, t, y), first) for t in instants)


def form_repeats(system: Any, y: np.ndarray, T: float, instants: tuple[float, ...], tol: float) -> bool:
    """Whether that repeats after a time T."""
    pairs = [(form_at(system, t, y), form_at(system, t + T, y)) for t in instants]
    return all(bool(np.all(np.abs(a - b) <= tol * (1.0 + np.abs(a)))) for a, b in pairs)


def heard(motion: Any) -> None:
    """Ctrl-C during a motion is Ctrl-C; and look up."""
    if motion.status == INTERRUPTED:
        raise KeyboardInterrupt
    look()


class ModesFlow:
    """The flow through modes; the interface of `Flow`."""

    def __init__(self, system: Any, parameter: str | None, rtol: float, derivatives: bool):
        self.system, self.parameter, self.derivatives = system, parameter, derivatives
        self.n, self.method = int(dim(system)), EventDriven(rtol=rtol)
        self.visited: list[tuple[str, float]] = []
        self.events: list[Any] = []

    def put(self, system: Any) -> None:
        """Another system of the same kind from now on."""
        self.system = system

    def motion(self, system: Any, t0: float, t1: float, y: np.ndarray, variational: bool) -> Any:
        """One piece."""
        motion = simulate(
            system,
            y,
            t1,
            since=t0,
            method=self.method,
            at=[t1],
            variational=variational,
            progress=False,
            wall_limit=seconds_left(),
        )
        heard(motion)
        if not motion.complete or motion.end_time < t1:
            raise Lost(motion.message)
        return motion

    def rate(self, letters: str, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in a mode."""
        modes = tuple(LETTERS[x] for x in letters) + (0,) * (2 - len(letters))
        out = np.empty(self.n)
        rate_at(FilippovMode(self.system, modes, contact_code()), float(t), np.ascontiguousarray(y), out)
        return out

    def first_rate(self, letters: str, t0: float, t1: float, y: np.ndarray) -> np.ndarray:
        """dy/dt at the beginning of a piece; where slip begins there, whose direction the state does not tell, from where it comes to at once (for phases, which need no digits)."""
        out = self.rate(letters, t0, y)
        if np.all(np.isfinite(out)):
            return out
        h = AT_ONCE * (t1 - t0)
        return (self.motion(self.system, t0, t0 + h, y, False).end_state - y) / h

    def over(self, times: np.ndarray, starts: np.ndarray, chained: bool = False) -> Pieces:
        """The flow over the pieces between `times`."""
        count, n = len(times) - 1, self.n
        ends, matrices, slopes = np.empty((count, n)), np.empty((count, n, n)), np.zeros((count, n))
        first, last = np.empty((count, n)), np.empty((count, n))
        self.visited, self.events = [], []
        if chained and not self.derivatives:
            return self.through(times, starts[0])
        for i in range(count):
            t0, t1 = float(times[i]), float(times[i + 1])
            y = ends[i - 1] if chained and i else starts[i]
            if t1 == t0:
                raise InputError("a piece of a motion through modes needs a length.")
            motion = self.motion(self.system, t0, t1, y, self.derivatives)
            ends[i] = motion.end_state
            used = motion.provenance["methods"]
            self.visited += [(str(letters), float(t)) for letters, t in used]
            self.events += list(motion.events)
            first[i], last[i] = self.first_rate(used[0][0], t0, t1, y), self.rate(used[-1][0], t1, ends[i])
            if self.derivatives:
                matrices[i] = motion.transition[-1]
            if self.derivatives and self.parameter is not None:
                p = parameter_of(self.system, self.parameter)
                h = NEAR * max(1.0, abs(p))
                high, low = (
                    self.motion(with_parameter(self.system, self.parameter, p + d), t0, t1, y, False).end_state for d in (h, -h)
                )
                slopes[i] = (high - low) / (2.0 * h)
        return Pieces(ends, matrices if self.derivatives else np.empty((0, n, n)), slopes, first, last)

    def through(self, times: np.ndarray, start: np.ndarray) -> Pieces:
        """One motion with output at all times."""
        n, count = self.n, len(times) - 1
        t0, t1 = float(times[0]), float(times[-1])
        motion = simulate(
            self.system, start, t1, since=t0, method=self.method, at=np.asarray(times[1:], float), progress=False, wall_limit=seconds_left(),
        )  # fmt: skip
        heard(motion)
        if not motion.complete or len(motion.t) < count:
            raise Lost(motion.message)
        used = motion.provenance["methods"]
        since = [float(t) for _, t in used]
        self.visited, self.events = [(str(letters), float(t)) for letters, t in used], list(motion.events)
        states = np.vstack([start, motion.y])
        rates = np.array(
            [self.rate(used[max(0, int(np.searchsorted(since, t, side="right")) - 1)][0], t, y) for t, y in zip(times, states)]
        )
        rates[0] = self.first_rate(used[0][0], t0, float(times[1]), start)
        return Pieces(motion.y.copy(), np.empty((0, n, n)), np.zeros((count, n)), rates[:-1], rates[1:])
