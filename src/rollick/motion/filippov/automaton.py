"""Filippov systems as an automaton: S (slips), R (rolls) and O (open) for each contact, and what follows the end of each mode.

Slip arrives at zero along a limit direction. When it is as small as a tolerance, the rest of the way is gone in a straight line; then all
consistent combinations are looked for (`futures`). If one is left, it is taken; slip that begins gets a first trace in its direction, along
which it grows, and which it comes back to: the motion does not depend on the size of the trace. If several are left, `ambiguous` says what to do; none is
Painleve's inconsistent case. At the edge of a mode, where forces leave a cone or a normal force vanishes, the question is put a moment later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernel.names import called
from ...kernel.system import dim, project
from ..events.event import Occurrence
from ..hybrid.automaton import Change, Mode
from ..result import outcome as o
from ..result.outcome import Outcome
from .code import JUDGED, contact_code
from .forces import OPEN, ROLL, ROWS, SLIP
from .form import contact_total, may_open, presses, slip_size
from .future import Future, found_futures
from .mode import NAMES, FilippovMode, all_forces, endings, look

POLICIES = ("stop", "roll")
TRACE, STOPPED = 10.0, 1.0  # times the slip that counts as none: the slip with which slip begins, and at which it ends
AHEAD = 1e-6  # of the time in which slips change: how much later it is asked what follows at an edge
CLOSED = 1e-9  # m: a gap that counts as none
SAME, CROWD = 1e-12, 50


@dataclass(frozen=True)
class Instant:
    """All contacts at an instant; see `form`."""

    t: float
    y: np.ndarray
    free: np.ndarray
    push: np.ndarray
    c: np.ndarray
    A: np.ndarray
    slip: np.ndarray
    mu: np.ndarray
    load: np.ndarray
    w: np.ndarray
    gaps: np.ndarray


@dataclass
class DryModes:
    """A system with dry contacts: its modes, and what follows their endings. `choices`: which future to take where there are several, one after the other."""

    system: Any
    ambiguous: str
    choices: Sequence[int]
    rtol: float
    span: float
    slip_scale: float | None = None
    taken: list[dict[str, Any]] = field(default_factory=list)
    scale: np.ndarray = field(default_factory=lambda: np.zeros(2))
    pace: float = 0.0
    recent: list[float] = field(default_factory=list)
    open_choices: tuple[Future, ...] = ()

    @property
    def count(self) -> int:
        """The number of contacts."""
        return int(contact_total(self.system))

    @property
    def shape(self) -> tuple[int, int, bool]:
        """What the linear algebra of contacts has to know."""
        return self.count, int(slip_size(self.system)), bool(presses(self.system))

    def instant(self, t: float, y: np.ndarray, modes: tuple[int, int]) -> Instant:
        """The contacts with modes[k] > 0."""
        n = int(dim(self.system))
        made = Instant(
            float(t),
            np.ascontiguousarray(y, float),
            np.zeros(n),
            np.zeros((ROWS, n)),
            np.zeros(ROWS),
            np.zeros((ROWS, ROWS)),
            np.zeros(4),
            np.zeros(2),
            np.zeros(2),
            np.zeros(4),
            np.zeros(2),
        )
        look(
            self.system,
            modes,
            made.t,
            made.y,
            made.free,
            made.push,
            made.c,
            made.A,
            made.slip,
            made.mu,
            made.load,
            made.w,
            made.gaps,
        )
        return made

    def speeds(self, seen: Instant) -> np.ndarray:
        """|u| of both contacts."""
        return np.hypot(seen.slip[::2], seen.slip[1::2])

    def measure(self, seen: Instant, closed: Sequence[int]) -> None:
        """Update what slips are compared with: the largest so far, or what the accelerations make of them in a thousandth of the time."""
        rows = [3 * k + i for k in closed for i in (0, 1, 2)]
        a = float(np.abs(seen.c[rows]).max(initial=0.0))
        if not self.shape[2]:
            a = max(a, float(np.abs(seen.A[np.ix_(rows, rows)] @ np.repeat(seen.mu * seen.load, 3)[rows]).max(initial=0.0)))
        self.pace = max(self.pace, a)
        least = 1e-3 * self.pace * self.span
        self.scale = np.maximum(self.scale, np.maximum(self.speeds(seen), least))
        if self.slip_scale is not None:
            self.scale = np.full(2, float(self.slip_scale))

    @property
    def none(self) -> np.ndarray:
        """The slips that count as none."""
        return np.maximum(self.rtol, 1e-13) * self.scale

    def futures(self, seen: Instant, was: tuple[int, int], still: tuple[bool, bool]) -> list[Future]:
        """All consistent combinations at an instant."""
        return found_futures(self.shape, was, still, seen)

    def begin(self, t: float, y: np.ndarray) -> Change:
        """The modes at the start: contacts that are closed, without slip or with it."""
        y = np.array(y, float)
        project(self.system, y)
        all_closed = (SLIP, SLIP if self.count == 2 else OPEN)
        first = self.instant(t, y, all_closed)
        closed = [k for k in range(self.count) if not may_open(self.system) or first.gaps[k] <= CLOSED]
        was: Any = tuple(SLIP if k in closed else OPEN for k in range(2))
        seen = self.instant(t, y, was)
        self.measure(seen, closed)
        still = tuple(bool(k in closed and self.speeds(seen)[k] <= 2.0 * TRACE * self.none[k]) for k in range(2))
        change = self.decide(t, y, seen, was, still, None)
        if change.mode is None:
            kept = tuple(ROLL if s else w for w, s in zip(was, still))
            return Change(self.mode(kept), change.state, change.reports, change.outcome)
        return change

    def after(self, mode: Mode, event: Occurrence, t: float, y: np.ndarray) -> Change:
        """What follows the end of a mode."""
        self.recent = [*(s for s in self.recent if abs(t - s) <= SAME * max(1.0, abs(t))), t]
        if len(self.recent) > CROWD:
            told = f"{called(self.system)} changed its mode {CROWD} times at t = {t:.10g} and gets no further; the motion until then is kept."
            return Change(None, y, [], Outcome(o.MOST_STEPS, told))
        modes = mode.system.modes
        which = int(event.name.split("[")[1][:-1])
        why = NAMES[which]
        contact = {"stops": which, "lifts": which - 2, "closes": which - 6}.get(why, 0)
        was = modes
        seen = self.instant(t, y, was)
        self.measure(seen, [k for k in range(2) if modes[k] != OPEN])
        if why == "closes":
            told = (
                f"contact {contact} of {called(self.system)} closes at t = {t:.10g}, with an impact, which the method 'filippov' does not follow; "
                f"take 'event-driven'. The motion until then is kept."
            )
            return Change(None, y, [Occurrence(t, "closes", f"contact {contact}", y.copy(), True)], Outcome(o.CLOSES, told))
        if why == "jams":
            return self.stopped(
                t, y, o.PAINLEVE, f"slip of {called(self.system)} loses its unique normal force at t = {t:.10g} (Painleve)"
            )
        still = [m == ROLL for m in modes]
        when = t
        if why == "stops":
            when, y = self.arrived(t, y, modes, contact)
            still[contact] = True
            other = 1 - contact
            if modes[other] == SLIP:
                again = self.instant(when, y, was)
                still[other] = bool(self.speeds(again)[other] <= 2.0 * TRACE * self.none[other])
            seen = self.instant(when, y, was)
        elif why in ("breaks", "lifts"):
            seen = self.later(seen, modes, tuple(still))
        return self.decide(when, y, seen, was, tuple(still), mode)

    def later(self, seen: Instant, modes: Any, still: Any) -> Instant:
        """The contacts a moment after the edge of a mode, in that mode: as little later as it takes for it to be out of the question."""
        out, _ = self.rates(seen, modes)
        ahead = AHEAD * min(float(self.scale.max()) / self.pace if self.pace > 0.0 else 1.0, self.span)
        nothing = None  # the first such instant at which no combination is consistent
        for factor in (1.0, 10.0, 100.0, 1e3, 1e4):
            moved = self.instant(seen.t + factor * ahead, seen.y + factor * ahead * out, modes)
            found = self.futures(moved, modes, still)
            if any(f.modes == tuple(modes) and not f.pace.any() for f in found):
                continue
            if found:
                return moved
            nothing = (
                moved if nothing is None else nothing
            )  # so close to a grazed edge beginning slip is too slow to be told from none
        return seen if nothing is None else nothing  # it only touched the edge, or nothing follows

    def arrived(self, t: float, y: np.ndarray, modes: tuple[int, int], k: int) -> tuple[float, np.ndarray]:
        """The instant at which a slip that is nearly zero is zero, in a straight line; and the state there, without that slip."""
        seen = self.instant(t, y, modes)
        out, rates = self.rates(seen, modes)
        slip = seen.slip
        u = slip[2 * k : 2 * k + 2] if self.shape[1] == 2 else np.array([slip[2 * k], 0.0])
        a = rates[k] if self.shape[1] == 2 else np.array([rates[k, 0], 0.0])
        along = float(u @ a)
        left = -float(u @ u) / along if along < 0.0 else 0.0
        left = min(left, 1e-3 * self.span)
        y = y + left * out
        return t + left, self.with_slip(t + left, y, tuple(ROLL if j == k else m for j, m in enumerate(modes)), np.zeros(4))

    def rates(self, seen: Instant, modes: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """dy/dt in given modes, and the accelerations of both slips."""
        x, null = np.zeros(ROWS), np.zeros(ROWS)
        all_forces(contact_code(), *self.shape, modes, seen.c, seen.A, seen.mu, seen.load, seen.w, x, null, np.zeros(JUDGED))
        if not self.shape[2]:
            x[::3] = 0.0  # known loads are not in the rows
        return seen.free + x @ seen.push, (seen.c + seen.A @ x).reshape(2, 3)[:, 1:]

    def with_slip(self, t: float, y: np.ndarray, modes: tuple[int, ...], wanted: np.ndarray) -> np.ndarray:
        """The state with given slips at contacts that roll (`modes`), by impulses at the closed contacts."""
        size, pressing = self.shape[1:]
        seen = self.instant(t, y, tuple(modes))  # type: ignore[arg-type]
        rows = [3 * k + 1 + i for k in range(self.count) if modes[k] == ROLL for i in range(size)]
        if not rows:
            return y
        off = np.array([wanted[2 * (r // 3) + r % 3 - 1] - seen.slip[2 * (r // 3) + r % 3 - 1] for r in rows])
        held = [3 * k for k in range(self.count) if modes[k] != OPEN] if pressing else []
        all_rows = held + rows
        impulse = np.linalg.lstsq(seen.A[np.ix_(all_rows, all_rows)], np.concatenate([np.zeros(len(held)), off]), rcond=1e-11)[0]
        made = y + impulse @ seen.push[all_rows]
        project(FilippovMode(self.system, tuple(SLIP if m == ROLL else m for m in modes), contact_code()), made)
        return made

    def decide(self, t: float, y: np.ndarray, seen: Instant, was: Any, still: Any, before: Mode | None) -> Change:
        """Take the one future there is, or what the policy says."""
        found = self.futures(seen, was, still)
        if not found:
            return self.stopped(
                t,
                y,
                o.PAINLEVE,
                f"no combination of slipping, rolling and opening is consistent for {called(self.system)} at t = {t:.10g} (Painleve)",
            )
        if len(found) == 1:
            return self.take(t, y, found[0], before)
        words = "; ".join(f"{i}: {f}" for i, f in enumerate(found))
        choice = self.choice(found, before)
        self.taken.append({"t": float(t), "futures": [str(f) for f in found], "taken": choice})
        if choice is None:
            self.open_choices = tuple(found)
            told = (
                f"the future of {called(self.system)} is not unique at t = {t:.10g}: {words}. Choose ambiguous='roll' (prefer rolling), choices=(i, ...), "
                f"or follow all of them with motion_tree; the motion until then is kept."
            )
            return Change(
                None, y, [Occurrence(t, "ambiguous", f"{len(found)} futures", y.copy(), True)], Outcome(o.AMBIGUOUS, told)
            )
        report = Occurrence(t, "ambiguous", f"{len(found)} futures, took {found[choice].letters}", y.copy(), False)
        return self.take(t, y, found[choice], before, report)

    def choice(self, found: list[Future], before: Mode | None) -> int | None:
        """Which future to take where there are several; None: stop."""
        done = sum(1 for past in self.taken if past["taken"] is not None)
        if done < len(self.choices):
            wanted = int(self.choices[done])
            return wanted if 0 <= wanted < len(found) else None
        if self.ambiguous != "roll":
            return None
        rolling = [sum(m == ROLL for m in f.modes) for f in found]
        most = [i for i, r in enumerate(rolling) if r == max(rolling)]
        return most[0] if len(most) == 1 and max(rolling) > 0 else None

    def take(self, t: float, y: np.ndarray, future: Future, before: Mode | None, *reports: Occurrence) -> Change:
        """Go over to a combination of modes; slip that begins gets a first trace."""
        old = before.system.modes if before is not None else None
        if OPEN in future.modes[: self.count] and (old is None or any(m != OPEN == n for m, n in zip(old, future.modes))):
            if not may_open(self.system):
                return self.stopped(
                    t,
                    y,
                    o.LOST,
                    f"a contact of {called(self.system)} opens at t = {t:.10g}, and its states cannot tell how it goes on",
                )
        wanted, begins = np.zeros(4), [k for k in range(self.count) if future.pace[k] > 0.0]
        held = tuple(ROLL if k in begins else m for k, m in enumerate(future.modes))
        if begins:
            size = max(TRACE * self.none[k] / future.pace[k] for k in begins)
            for k in begins:
                wanted[2 * k : 2 * k + 2] = size * future.pace[k] * future.way[2 * k : 2 * k + 2]
        y = self.with_slip(t, y, held, wanted)
        told = list(reports)
        if old is not None:
            for k in range(self.count):
                word = {(SLIP, ROLL): "stick", (ROLL, SLIP): "slip"}.get((old[k], future.modes[k]), "")
                word = "lift_off" if old[k] != OPEN == future.modes[k] else word
                word = "slip_turns" if old[k] == SLIP == future.modes[k] and k in begins else word
                if word:
                    told.append(Occurrence(t, word, f"contact {k}" if self.count == 2 else "crossing", y.copy(), False))
        return Change(self.mode(future.modes), y, told)

    def mode(self, modes: tuple[int, ...]) -> Mode:
        """The ODE of some modes, and what ends it."""
        letters = "".join("OSR"[m] for m in modes[: self.count])
        return Mode(letters, FilippovMode(self.system, tuple(map(int, modes)), contact_code()), endings(STOPPED * self.none))

    def stopped(self, t: float, y: np.ndarray, status: str, told: str) -> Change:
        """The end, with its reason."""
        return Change(
            None, y, [Occurrence(t, status, "end", y.copy(), True)], Outcome(status, f"{told}; the motion until then is kept.")
        )
