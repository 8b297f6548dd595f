"""The flow of a system with contacts, from mode to mode, as `flow` has it for smooth systems: by `simulate(..., variational=True)`.

Bodies with contacts slip, stick, lift off and hit; systems with a form of dry contacts slip and roll. Transition matrices contain the saltation at every impact and change of mode, and lose
rank where slip ends. Derivatives by a parameter are central differences, of motions that go through the same modes.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...kernel.system import dim
from ...mechanics.contact import contact_count
from ...motion.filippov.systems.form import is_form
from ...motion.methods import method_of
from ...motion.ode.dense import ROWS
from ...motion.result.outcome import INTERRUPTED, MotionWarning
from ...motion.simulate import simulate
from .begun_in_contact import Contacts
from .flow import Flow, Lost, Pieces
from .impacts import Impact
from .sensitive import NEAR, parameter_of, with_parameter
from .watch import look, seconds_left

RTOL = 1e-11
QUIET = 0.03  # of the period: a change of mode so near to where shooting begins soon passes it
SHORTER = (1.0, 0.1, 0.01)  # of the steps of differences, until neighbours go through the same modes


def through_modes(system: Any) -> bool:
    """Whether a system is one that goes from mode to mode."""
    return bool(contact_count.knows(type(system))) or is_form(system)


def modes_method(system: Any, rtol: float = RTOL) -> Any:
    """The method that follows a system from mode to mode, also a body that "auto" follows by a rate until it lifts off."""
    return method_of("event-driven", {"rtol": rtol}, system)


def flow_of(system: Any, parameter: str | None = None, method: Any = None, derivatives: bool = True) -> Any:
    """The flow of a system, smooth or through modes."""
    if not through_modes(system):
        return Flow(system, parameter, method, derivatives)
    return ModesFlow(system, parameter, RTOL if method is None else float(method.rtol), derivatives)


def slope_in(x: float, f: np.ndarray) -> np.ndarray:
    """The derivative by x of the nested form of dense output with coefficients f, at the fraction x of a step."""
    value, slope = f[ROWS - 1], np.zeros(f.shape[1])
    for k in range(ROWS - 2, -1, -1):
        factor, sign = (1.0 - x, -1.0) if k % 2 == 0 else (x, 1.0)
        value, slope = f[k] + factor * value, factor * slope + sign * value
    return value + x * slope


def rate_of(motion: Any, t: float, before: bool = False) -> np.ndarray:
    """dy/dt at an instant of a motion with dense output, behind a change of mode there, or before it."""
    ts, _, fs = motion._dense
    i = int(np.searchsorted(ts, t, side="left" if before else "right")) - 1
    i = min(max(i, 0), len(ts) - 2)
    h = float(ts[i + 1] - ts[i])
    return slope_in((t - float(ts[i])) / h, fs[i]) / h


def quiet_part(changes: list[float], T: float) -> float:
    """The part of a period T in the middle of the longest time in which modes do not change; 0 where they never do."""
    if not changes:
        return 0.0
    parts = np.sort(np.mod(np.array(changes) / T, 1.0))
    long = np.diff(np.append(parts, parts[0] + 1.0))
    k = int(np.argmax(long))
    return float(np.mod(parts[k] + 0.5 * long[k], 1.0))


def nearest_part(changes: list[float], T: float, part: float) -> float:
    """How far (in periods) a part of the period is from the nearest change of mode."""
    away = np.abs(np.mod(np.array(changes) / T - part + 0.5, 1.0) - 0.5)
    return float(away.min(initial=np.inf))


def story(motion: Any) -> list[str]:
    """Modes and events one after the other: those of neighbours must be the same where differences are taken."""
    return [name for name, _ in motion.provenance["methods"]] + [event.name for event in motion.events]


class ModesFlow:
    """The flow through modes; the interface of `Flow`."""

    def __init__(self, system: Any, parameter: str | None, rtol: float, derivatives: bool):
        self.parameter, self.derivatives = parameter, derivatives
        self.n, self.method = int(dim(system)), modes_method(system, rtol)
        self.system, self.contacts = system, contacts_of(system)
        self.visited: list[tuple[str, float]] = []  # of the pieces followed last
        self.impacts: list[Impact] = []
        self.changes: list[float] = []  # when modes changed, impacts among them
        self.held: list[np.ndarray] = []  # in which modes of its contacts the piece before each one ended

    @property
    def words(self) -> str:
        """The modes of the pieces followed last, one after the other."""
        return (", " if self.contacts else " ").join(name for name, _ in self.visited)

    def put(self, system: Any) -> None:
        """Another system of the same kind from now on."""
        if system != self.system:
            self.system, self.contacts = system, contacts_of(system)

    def motion(self, system: Any, t0: float, t1: float, y: np.ndarray, variational: bool = False) -> Any:
        """One piece, with dense output."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MotionWarning)  # of one that breaks off: told below
                motion = simulate(
                    system, y, t1, since=t0, method=self.method, dense=True, variational=variational, integrals=False, progress=False, wall_limit=seconds_left(),
                )  # fmt: skip
        except InputError as error:
            raise Lost(str(error).rstrip(".")) from None
        if motion.status == INTERRUPTED:
            raise KeyboardInterrupt
        look()
        if not motion.complete or motion.end_time < t1:
            raise Lost(motion.message.rstrip("."))
        return motion

    def over(self, times: np.ndarray, starts: np.ndarray, chained: bool = False) -> Pieces:
        """The flow over the pieces between `times`."""
        count, n = len(times) - 1, self.n
        ends, matrices, slopes = np.empty((count, n)), np.empty((count, n, n)), np.zeros((count, n))
        first, last, held = np.empty((count, n)), np.empty((count, n)), []
        self.visited, self.impacts, self.changes = [], [], []
        if chained and not self.derivatives:
            return self.through(times, starts[0])
        for i in range(count):
            t0, t1 = float(times[i]), float(times[i + 1])
            y = ends[i - 1] if chained and i else starts[i]
            if t1 == t0:
                raise InputError("a piece of a motion through modes needs a length.")
            modes = self.begins(i, count, t0, y)
            motion = self.motion(self.system, t0, t1, onto(self.contacts, modes, t0, y), self.derivatives)
            ends[i], first[i], last[i] = motion.end_state, rate_of(motion, t0), rate_of(motion, t1, before=True)
            self.note(motion)
            if self.derivatives:
                matrices[i] = motion.transition[-1]
                if self.contacts is not None:
                    matrices[i] = matrices[i] @ self.contacts.slope(modes, t0, y)
                    held.append(self.contacts.modes(t1, ends[i]))
                if self.parameter is not None:
                    slopes[i] = self.by_parameter(modes, t0, t1, y, story(motion))
        self.held = [] if chained and count > 1 else held[-1:] + held[:-1]
        return Pieces(ends, matrices if self.derivatives else np.empty((0, n, n)), slopes, first, last)

    def begins(self, i: int, count: int, t: float, y: np.ndarray) -> Any:
        """The modes of the contacts that the start of a piece is pulled onto: those that were closed at the end of the piece before, if it is next to them."""
        if self.contacts is None:
            return None
        nothing = np.zeros(self.contacts.count, int)
        return self.contacts.beside(self.held[i], t, y) if len(self.held) == count else nothing

    def by_parameter(self, modes: Any, t0: float, t1: float, y: np.ndarray, told: list[str]) -> np.ndarray:
        """The derivative of the end of a piece by the parameter."""
        assert self.parameter is not None
        p = parameter_of(self.system, self.parameter)
        for part in SHORTER:
            h = part * NEAR * max(1.0, abs(p))
            beside = [with_parameter(self.system, self.parameter, p + d) for d in (h, -h)]
            high, low = (self.motion(s, t0, t1, onto(contacts_of(s), modes, t0, y)) for s in beside)
            if story(high) == story(low) == told:
                return np.asarray((high.end_state - low.end_state) / (2.0 * h))
        raise Lost(
            f"motions of {called(self.system)} go through other modes for {self.parameter} = {p:.9g} -+ {h:.1g}: an impact grazes, or modes change there, and there is no derivative"
        )

    def note(self, motion: Any) -> None:
        """Keep the modes and impacts of a motion."""
        modes = [(str(letters), float(t)) for letters, t in motion.provenance["methods"]]
        self.visited += modes
        self.changes += [t for _, t in modes[1:]]
        if self.contacts is None:
            return
        ts, ys, _ = motion._dense
        for i in np.flatnonzero(np.diff(ts) == 0.0):
            speeds = self.contacts.approach(float(ts[i]), ys[i])
            if speeds:
                self.impacts.append(Impact(float(ts[i]), ys[i].copy(), ys[i + 1].copy(), max(speeds)))

    def through(self, times: np.ndarray, start: np.ndarray) -> Pieces:
        """One motion with output at all times."""
        n, count = self.n, len(times) - 1
        motion = self.motion(self.system, float(times[0]), float(times[-1]), onto(self.contacts, None, float(times[0]), start))
        self.note(motion)
        first = np.array([rate_of(motion, float(t)) for t in times[:-1]])
        last = np.array([rate_of(motion, float(t), before=True) for t in times[1:]])
        return Pieces(motion.at(times[1:]), np.empty((0, n, n)), np.zeros((count, n)), first, last)

    def steps(self, times: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, ...]:
        """The steps of the motions over pieces: lengths, states and rates at both ends."""
        found = []
        for t0, t1, y in zip(times, times[1:], starts):
            motion = self.motion(self.system, float(t0), float(t1), onto(self.contacts, None, float(t0), y))
            ts, ys, fs = motion._dense
            h = np.diff(ts)
            keep = h > 0.0
            first, last = (np.array([slope_in(x, f) for f in fs[keep]]) / h[keep, None] for x in (0.0, 1.0))
            found.append((h[keep], ys[:-1][keep], ys[1:][keep], first, last))
        return tuple(np.concatenate(part) for part in zip(*found))


def contacts_of(system: Any) -> Contacts | None:
    """The contacts of a body; None of a system that is none."""
    return Contacts(system) if contact_count.knows(type(system)) else None


def onto(contacts: Contacts | None, modes: Any, t: float, y: np.ndarray) -> np.ndarray:
    """A start, pulled onto contacts in these modes (None: no contacts)."""
    if contacts is None:
        return y
    return contacts.onto(np.zeros(contacts.count, int) if modes is None else modes, t, y)
