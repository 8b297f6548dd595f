"""Contacts as an automaton: flight, slip and stick as ODEs of their own (`modes`), changed at events found to rounding.

    flight -> impact          gap = 0: Newton's law along the normal, the friction law along the surface; then slip, stick or flight again
    slip   -> stick           the slip velocity comes to zero, and the force that rolling needs lies inside the friction cone
    stick  -> slip            that force reaches the edge of the cone; the slip begins in the direction in which it accelerates
    both   -> flight          the normal force comes to zero, and without it the gap grows

What follows is decided by the contact law on the level of accelerations (`consistent`): all modes are tried. At the edge between two of them it
is asked a moment later. Where none or several are consistent (Painleve), that is reported, and `painleve` says what to do:

    "stop"       the motion ends there
    "impact"     an impact without collision (`without_collision`)
    "slip", "lift"     where several are consistent, that one; where none is, the motion ends

Rebounds that accumulate are followed until their speed is negligible; the rest of the series is summed, and contact lasts from its limit on.
A contact with a smooth law has two modes, flight and contact. It is the judge of time stepping: no step size, no regularisation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...kernel.names import called
from ...mechanics.contact import (
    contact_count,
    positions,
    restitution,
)
from ..events.event import Event, Occurrence
from ..hybrid.automaton import Change, Mode
from ..result import outcome as o
from ..result.outcome import Outcome
from .consistent import INCONSISTENT, INDETERMINATE, MOVING, Choice, View, verdict, view
from .impact import impact
from .jumps import SLOW, at_rest, losses, raised, unsolved
from .modes import OPEN, SLIP, STICK, InMode
from .without_collision import percussion_without_collision

CLOSED = 1e-10  # m: a gap that counts as closed where a contact is looked at
LOW = 1e-9  # m (and what positions may be off): rebounds that are lower are summed, or slower than SLOW
TRACE, STOPPED = 10.0, 5.0  # times the slip that counts as none: the slip with which slip begins, and at which it ends
AHEAD = 1e-6  # s: how much later it is asked what follows at an edge between two modes
LIFTED = 1e-12  # m: after lift-off the gap stays at zero, to rounding, for a while; it has closed again when it is that far below
NET = 1e-8  # m (and what positions may be off): below the surface by so much, an impact that was missed is caught up with
SAME, CROWD = 1e-12, 50  # s, and how many changes so close to each other are too many
POLICIES = ("stop", "impact", "slip", "lift")

LANDS = "open_gap"
NETS = "net"
STOPS = "least_slip"
LIFTS, BREAKS = Event("normal", "falling", terminal=True, touch=False), Event("margin", "falling", terminal=True, touch=False)
EDGE = 1e-6  # of `drive`: closer to zero, the normal force of slip has no limit
JAMS, FREES = (
    Event("drive", way, terminal=True, touch=False, level=level, name=way)
    for way, level in (("falling", EDGE), ("rising", -EDGE))
)


@dataclass
class DryContact:
    """A body with contacts and friction: flight, slip and stick, and what follows each ending."""

    system: Any
    painleve: str = "stop"
    rtol: float = 1e-9
    paradoxes: list[dict[str, Any]] = field(default_factory=list)
    recent: list[float] = field(default_factory=list)
    begun: dict[int, np.ndarray] = field(default_factory=dict)  # the directions in which slip began

    # -- modes and their names -------------------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The number of contacts."""
        return int(contact_count(self.system))

    def name_of(self, modes: tuple[int, ...], mu: np.ndarray) -> str:
        """flight, slip, stick or contact (a law that cannot hold); of several contacts one after the other."""
        words = [("flight", "slip" if m > 0.0 else "contact", "stick")[mode] for mode, m in zip(modes, mu)]
        return "flight" if not any(modes) else " ".join(words)

    def view(self, t: float, y: np.ndarray) -> View:
        """All contacts at an instant."""
        return view(self.system, t, y, self.rtol)

    def extent(self, y: np.ndarray) -> float:
        """How large the position is that gaps are differences of."""
        return float(np.abs(y[:3]).max())

    def mode(self, modes: tuple[int, ...], y: np.ndarray, seen: View, lifted: bool = False) -> Mode:
        """The ODE of some modes from a state on, and what ends it."""
        mu, still = seen.mu, seen.still
        net = NET + 30.0 * self.rtol * self.extent(y)
        lands = Event(LANDS, "falling", terminal=True, touch=False, level=-LIFTED if lifted else 0.0)
        caught = Event("open_gap", "falling", terminal=True, touch=False, level=-net, name=NETS)
        ends = [lands, caught] if OPEN in modes else []
        if any(modes):
            ends.append(LIFTS)
        slipping = [s for mode, m, s in zip(modes, mu, still) if mode == SLIP and m > 0.0]
        if slipping:
            ends.append(Event(STOPS, "falling", terminal=True, touch=False, level=STOPPED * min(slipping)))
        if SLIP in modes:
            ends += [JAMS, FREES]
        if STICK in modes:
            ends.append(BREAKS)
        return Mode(self.name_of(modes, mu), InMode(self.system, modes), ends)

    # -- the automaton ---------------------------------------------------------------------------------------------------------------

    def begin(self, t: float, y: np.ndarray) -> Change:
        """In the air, in contact, or, if a contact is closed and approaches, with an impact."""
        seen = self.view(t, y)
        touching = [k for k in range(self.count) if seen.gaps[k] < 1e-12]
        slow = 1e-12 * (1.0 + float(np.abs(y[int(positions(self.system)) :]).max()))
        if any(seen.gamma[k, 0] < -slow for k in touching):
            first = self.landed(t, y)
        else:
            first = self.settled(t, y, tuple(k for k in touching if seen.gamma[k, 0] <= slow))
        if first.mode is not None:
            return first
        return Change(self.mode((OPEN,) * self.count, y, seen), first.state, first.reports, first.outcome, first.sums)

    def after(self, mode: Mode, event: Occurrence, t: float, y: np.ndarray) -> Change:
        """What follows an ending: an impact, or what is consistent with the contacts that are held."""
        self.recent = [*(s for s in self.recent if abs(t - s) <= SAME), t]
        if len(self.recent) > CROWD:
            told = f"{called(self.system)} changed its mode {CROWD} times at t = {t:.10g} and gets no further; the motion until then is kept."
            return Change(None, y, [], Outcome(o.MOST_STEPS, told))
        modes = mode.system.modes
        held = tuple(k for k in range(self.count) if modes[k] != OPEN)
        if event.name in (LANDS, NETS):
            return self.landed(t, y, held)
        seen = self.view(t, y)
        if event.name in (JAMS.label, FREES.label) and abs(self.drive(seen, held)) < 2.0 * EDGE:
            return self.paradox(t, y, seen, held, INCONSISTENT if event.name == JAMS.label else INDETERMINATE, (), mode)
        later = None
        if event.name == LIFTS.label:  # without the force of the contact that carries least: does the gap grow?
            forces = seen.forces(modes)
            least = min(held, key=lambda k: forces[3 * k])
            later = t + AHEAD, y + AHEAD * seen.rates(tuple(OPEN if k == least else m for k, m in enumerate(modes)))
        elif event.name == BREAKS.label:
            later = t + AHEAD, y + AHEAD * seen.rates(modes)
        change = self.settled(t, y, held, later, mode)
        if event.name == STOPS:  # the instant at which it comes to zero, not that at which it is small
            when = t + self.stopping(seen, modes)
            change = replace(
                change, reports=[replace(e, t=when) if e.name in ("stick", "slip_turns") else e for e in change.reports]
            )
        return change

    def drive(self, seen: View, held: tuple[int, ...]) -> float:
        """The least acceleration of the gap per normal force of contacts that slip, relative to that of the slip."""
        found = math.inf
        for k in held:
            A = seen.of(k)[1]
            found = min(found, 2.0 * (A[0, 0] - max(seen.mu[k], 0.0) * float(A[0, 1:] @ seen.way(k))) / (A[1, 1] + A[2, 2]))
        return found

    def stopping(self, seen: View, modes: tuple[int, ...]) -> float:
        """How long the slip that has nearly ended would take to end."""
        forces, found = seen.forces(modes), 0.0
        for k, mode in enumerate(modes):
            size = math.hypot(seen.gamma[k, 1], seen.gamma[k, 2])
            if mode == SLIP and seen.mu[k] > 0.0 and size <= 2.0 * STOPPED * seen.still[k]:
                change = (seen.c.ravel() + seen.A @ forces)[3 * k + 1 : 3 * k + 3] @ seen.gamma[k, 1:]
                found = max(found, -size * size / change if change < 0.0 else 0.0)
        return found

    # -- what is consistent ------------------------------------------------------------------------------------------------------------

    def settled(
        self,
        t: float,
        y: np.ndarray,
        closed: tuple[int, ...],
        later: tuple[float, np.ndarray] | None = None,
        before: Mode | None = None,
    ) -> Change:
        """Go on with contacts that are closed: pull the state onto them, find the consistent modes, and take them."""
        if not closed:
            return self.change((OPEN,) * self.count, t, y, before)
        slipping = self.view(t, y)
        still = tuple(k for k in closed if not slipping.slips(k))
        y = at_rest(self.system, t, y, closed, still)
        seen = self.view(t, y)
        asked = seen
        if later is not None:
            ahead = at_rest(self.system, later[0], later[1], (), still)
            asked = self.view(later[0], ahead)
        found = verdict(asked, closed[0])
        if found.case:
            return self.paradox(t, y, seen, closed, found.case, found.choices, before)
        return self.take(t, y, found.choices[0], before)

    def take(self, t: float, y: np.ndarray, choice: Choice, before: Mode | None, *reports: Occurrence) -> Change:
        """Go over to a choice of modes; slip that begins gets a first trace."""
        modes = tuple(choice.modes.get(k, OPEN) for k in range(self.count))
        wanted, still_slip = np.zeros(3 * self.count), self.view(t, y).still
        for k, way in choice.ways.items():
            wanted[3 * k + 1 : 3 * k + 3] = TRACE * still_slip[k] * way
        held = tuple(k for k, m in enumerate(modes) if m != OPEN)
        still = tuple(k for k in held if modes[k] == STICK or k in choice.ways)
        if held:
            y = at_rest(self.system, t, y, held, still, wanted)
        return self.change(modes, t, y, before, *reports, turned=choice.ways)

    def change(
        self,
        modes: tuple[int, ...],
        t: float,
        y: np.ndarray,
        before: Mode | None,
        *reports: Occurrence,
        turned: dict[int, np.ndarray] | None = None,
    ) -> Change:
        """Go over to some modes, and report what changed; None before: after an impact, nothing but the mode."""
        seen, ways = self.view(t, y), turned or {}
        more: list[Occurrence] = []
        if before is not None:
            for k, (old, new) in enumerate(zip(before.system.modes, modes)):
                word = (
                    "lift_off"
                    if old != OPEN == new
                    else "stick"
                    if old != STICK == new
                    else "slip"
                    if old == STICK != new
                    else ""
                )
                if old == new == SLIP and k in ways:  # slip that hardly began, and begins again, is not worth a word
                    word = "" if k in self.begun and float(self.begun[k] @ ways[k]) > 0.5 else "slip_turns"
                if word:
                    more.append(Occurrence(t, word, "crossing", y.copy(), False))
        self.begun = {k: way for k, way in {**self.begun, **ways}.items() if modes[k] == SLIP}
        lifted = any(e.name == "lift_off" for e in more)
        return Change(self.mode(modes, y, seen, lifted), y, [*reports, *more])

    # -- impacts -----------------------------------------------------------------------------------------------------------------------

    def landed(self, t: float, y: np.ndarray, held: tuple[int, ...] = ()) -> Change:
        """After an impact: contacts rebound, or last from the limit of the remaining rebounds on."""
        seen = self.view(t, y)
        touching = tuple(k for k in range(self.count) if k in held or seen.gaps[k] < CLOSED)
        y, work = raised(self.system, t, y, seen)
        struck = impact(self.system, y, touching, t)
        told = unsolved(self.system, t, y, struck, touching)
        if told:
            return Change(None, y, [], Outcome(o.UNSOLVED, told))
        after = self.view(t, struck)
        hit = Occurrence(t, "impact", "crossing", struck.copy(), False)
        taken = losses(self.system, t, y, struck, work)
        low = 2.0 * (LOW + 10.0 * self.rtol * self.extent(y))
        slow = tuple(k for k in touching if after.gamma[k, 0] <= max(SLOW, math.sqrt(low * max(-after.c[k, 0], 0.0))))
        lasting = tuple(k for k in slow if after.c[k, 0] < 0.0 or k in held)
        if not lasting:
            made = self.change((OPEN,) * self.count, t, struck, None, hit)
            return Change(made.mode, made.state, made.reports, made.outcome, taken)
        made = self.settled(t, struck, lasting)
        if made.mode is not None:
            limit, modes = t, made.mode.system.modes
            for k in lasting:
                rebound, fall, e = after.gamma[k, 0], -after.c[k, 0], float(restitution(self.system, k))
                if k not in held and rebound > 0.0 and e < 1.0 and fall > 0.0:
                    limit = max(limit, t + 2.0 * rebound / (fall * (1.0 - e)))
            begun = (
                []
                if not any(modes) or set(lasting) <= set(held)
                else [Occurrence(limit, "contact", "crossing", made.state.copy(), False)]
            )
            whole = set(touching) <= set(lasting) and any(modes)
            word = Occurrence(t, made.mode.name, "crossing", made.state.copy(), False)
            first = [*begun, word] if whole and made.mode.name != "contact" else begun if whole else [hit, *begun]
            made = Change(made.mode, made.state, [*first, *made.reports], made.outcome)
            taken = losses(self.system, t, y, made.state, work)  # with what the remaining rebounds take
        return Change(made.mode, made.state, made.reports, made.outcome, taken)

    # -- Painleve ----------------------------------------------------------------------------------------------------------------------

    def paradox(
        self,
        t: float,
        y: np.ndarray,
        seen: View,
        closed: tuple[int, ...],
        case: str,
        choices: tuple[Choice, ...],
        before: Mode | None,
    ) -> Change:
        """No mode is consistent, or several are: report it, and do what the user chose."""
        named = Occurrence(t, f"painleve_{case}", "crossing", y.copy(), False)
        wanted = {"slip": SLIP, "lift": OPEN}.get(self.painleve)
        fits = [c for c in choices if wanted in c.modes.values()] or (
            [c for c in choices if STICK in c.modes.values()] if wanted == SLIP else []
        )
        entry = {"t": float(t), "case": case, "done": "stop"}
        self.paradoxes.append(entry)
        if wanted is not None and fits:
            entry["done"] = self.painleve
            return self.take(t, y, fits[0], before, named)
        if self.painleve == "impact" and len(closed) == 1:
            sticks = [c for c in choices if STICK in c.modes.values()]
            if sticks:
                entry["done"] = "stick"
                return self.take(t, y, sticks[0], before, named)
            struck = self.struck_without_collision(t, y, seen, closed[0])
            if struck is not None:
                entry["done"] = "impact"
                made = self.settled(t, struck, closed)
                hit = Occurrence(t, "impact_without_collision", "crossing", struck.copy(), False)
                return Change(made.mode, made.state, [named, hit, *made.reports], made.outcome, losses(self.system, t, y, struck))
        why = (
            "no contact force is" if not choices else "several motions (" + ", ".join(self.spelled(c) for c in choices) + ") are"
        )
        told = (
            f"{called(self.system)} stopped at t = {t:.10g}: with this much friction {why} consistent (Painleve's paradox, {case}). The motion until "
            f"then is kept. Choose what is to happen with method=EventDriven(painleve=...): {', '.join(POLICIES[1:])}; or take method='moreau'."
        )
        return Change(None, y, [named], Outcome(o.PAINLEVE, told))

    def spelled(self, choice: Choice) -> str:
        """A choice in words."""
        return " ".join({OPEN: "lift-off", SLIP: "slip", STICK: "stick"}[m] for m in choice.modes.values())

    def struck_without_collision(self, t: float, y: np.ndarray, seen: View, k: int) -> np.ndarray | None:
        """The state after an impact without collision at contact k; None if there is none."""
        if seen.mu[k] <= 0.0 or math.hypot(seen.gamma[k, 1], seen.gamma[k, 2]) <= MOVING * seen.still[k]:
            return None
        P = percussion_without_collision(seen.gamma[k], seen.of(k)[1], float(seen.mu[k]))
        if P is None:
            return None
        struck = y.copy()
        struck[int(positions(self.system)) :] += P @ seen.lift[3 * k : 3 * k + 3]
        return struck
