"""Contacts as an automaton: flight, slip and stick as ODEs of their own (`modes`), changed at events found to rounding.

    flight -> impact          gap = 0: the impact law along the normal, the friction law along the surface; then slip, stick or flight again
    slip   -> stick           the slip velocity comes to zero, and the force that rolling needs lies inside the friction cone
    stick  -> slip            that force reaches the edge of the cone; the slip begins in the direction in which it accelerates
    both   -> flight          the normal force comes to zero, and without it the gap grows

    stick  -> stick or slip   slip becomes consistent beside stick (a fork, `uniqueness`): `ambiguous` says which

What follows is decided by the contact law on the level of accelerations, for all closed contacts at once (`consistent`, `combinations`). At the edge
between two modes it is asked a moment later. Where no combination or several are consistent, that is reported, and `painleve` and `ambiguous` say
what to do (`settling`). Rebounds that accumulate are followed until their speed is negligible; the rest of the series is summed, and contact lasts
from its limit on (`landing`). A contact with a smooth law has two modes, flight and contact. It is the judge of time stepping: no step size,
no regularisation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rollick.kernel.names import called
from rollick.mechanics.contact import positions
from rollick.motion.event_driven.thresholds import AHEAD, CLOSED, CROWD, DRIVE_EDGE, SAME, SLOW, STOPPED
from rollick.motion.events.event import Occurrence
from rollick.motion.hybrid.automaton import Change, Mode
from rollick.motion.result import outcome as o
from rollick.motion.result.outcome import Outcome

from .choice import INCONSISTENT, INDETERMINATE
from .consistent import verdict
from .jumps import at_rest
from .landing import Landing
from .modes import IDLE, OPEN, SLIP, STICK
from .seen import View
from .settling import POLICIES, is_fork
from .transitions import BREAKS, FORKS, FREES, IDLES, JAMS, JOINS, LANDS, LEAVES, LIFTS, NETS, STOPS

__all__ = ["POLICIES", "DryContact"]


@dataclass
class DryContact(Landing):
    """A body with contacts and friction: flight, slip and stick, and what follows each ending."""

    def begin(self, t: float, y: np.ndarray) -> Change:
        """In the air, in contact, or, if a contact is closed and approaches, with an impact. A gap no higher than the rebounds that are summed is closed."""
        seen, low = self.view(t, y), self.low(y)
        touching = [k for k in range(self.count) if seen.gaps[k] < low]
        slow = 1e-12 * (1.0 + float(np.abs(y[int(positions(self.system)) :]).max()))
        if any(seen.gamma[k, 0] < -slow for k in touching):
            first = self.landed(t, y, closed=low)
        else:
            first = self.settled(t, y, tuple(k for k in touching if seen.gamma[k, 0] <= slow))
            first = self.begun_at_a_fork(t, first) or first
        if first.mode is not None:
            return first
        return Change(self.mode((OPEN,) * self.count, y, seen), first.state, first.reports, first.outcome, first.sums)

    def begun_at_a_fork(self, t: float, first: Change) -> Change | None:
        """What follows if a moment later other motions are consistent beside the one that sticks: the start is where a band begins."""
        if first.mode is None or self.in_band:
            return None
        modes, y = self.modes_in(first.mode), first.state
        held = tuple(k for k, m in enumerate(modes) if m != OPEN)
        if STICK not in modes:
            return None
        later = t + AHEAD, y + AHEAD * self.view(t, y).rates(modes, np.array(first.mode.system.shares[: 3 * self.count]))
        ahead = self.view(later[0], at_rest(self.system, self.body, later[0], later[1], (), held))
        return self.settled(t, y, held, later) if is_fork(verdict(ahead, held)) else None

    def after(self, mode: Mode, event: Occurrence, t: float, y: np.ndarray) -> Change:
        """What follows an ending: an impact, or what is consistent with the contacts that are held."""
        self.recent = [*(s for s in self.recent if abs(t - s) <= SAME), t]
        if len(self.recent) > CROWD:
            told = f"{called(self.system)} changed its mode {CROWD} times at t = {t:.10g} and gets no further; the motion until then is kept."
            return Change(None, y, [], Outcome(o.MOST_STEPS, told))
        modes, shares = self.modes_in(mode), np.array(mode.system.shares[: 3 * self.count])
        held = tuple(k for k in range(self.count) if modes[k] != OPEN)
        if event.name in (LANDS, NETS):
            return self.landed(t, y, held)
        seen = self.view(t, y)
        closed = CLOSED * self.size(y)
        if any(m == OPEN and g <= closed and v[0] < -SLOW for m, g, v in zip(modes, seen.gaps, seen.gamma)):
            return self.landed(t, y, held)  # at the same instant
        if event.name == LEAVES:
            return self.same(t, y, modes, mode, shares)
        if event.name == IDLES:
            return self.idle_no_more(t, y, seen, modes, mode)
        if event.name in (JAMS.label, FREES.label) and abs(seen.drive(modes)) < 2.0 * DRIVE_EDGE:
            return self.paradox(t, y, seen, held, INCONSISTENT if event.name == JAMS.label else INDETERMINATE, (), mode)
        later = None
        if event.name == LIFTS.label:  # without the force of the contact that carries least: does the gap grow?
            forces = seen.forces(modes, None, shares)
            least = min((k for k in held if modes[k] != IDLE), key=lambda k: forces[3 * k])
            later = t + AHEAD, y + AHEAD * seen.rates(tuple(OPEN if k == least else m for k, m in enumerate(modes)), shares)
        elif event.name in (
            BREAKS.label,
            FORKS,
            JOINS,
        ):  # a band may begin or end where forces have to be shared otherwise, or sticking ends
            later = t + AHEAD, y + AHEAD * seen.rates(modes, shares)
        change = self.settled(t, y, held, later, mode)
        if event.name in (BREAKS.label, FORKS, JOINS) and change.mode is not None and self.modes_in(change.mode) == modes:
            change = replace(change, mode=replace(change.mode, continues=True))
        if event.name == STOPS:  # the instant at which it comes to zero, not that at which it is small
            when = t + self.stopping(seen, modes, shares)
            change = replace(
                change, reports=[replace(e, t=when) if e.name in ("stick", "slip_turns") else e for e in change.reports]
            )
        return change

    def same(self, t: float, y: np.ndarray, modes: tuple[int, ...], mode: Mode, shares: np.ndarray) -> Change:
        """Go on in the same modes, with other endings."""
        change = self.change(modes, t, y, mode, shares=shares)
        assert change.mode is not None
        return replace(change, mode=replace(change.mode, continues=True))

    def idle_no_more(self, t: float, y: np.ndarray, seen: View, modes: tuple[int, ...], mode: Mode) -> Change:
        """Contacts that carried nothing, and that the others do not keep closed any more: they are open, or land."""
        held = tuple(k for k, m in enumerate(modes) if m not in (OPEN, IDLE))
        if any(m == IDLE and g < 0.0 for m, g in zip(modes, seen.gaps)):
            return self.landed(t, y, held)
        return self.settled(t, y, held, None, mode)

    def stopping(self, seen: View, modes: tuple[int, ...], shares: np.ndarray) -> float:
        """How long the slip that has nearly ended would take to end."""
        rates, found = seen.accelerations(seen.forces(modes, None, shares)), 0.0
        for k, mode in enumerate(modes):
            size = math.hypot(seen.gamma[k, 1], seen.gamma[k, 2])
            if mode == SLIP and seen.mu[k] > 0.0 and size <= 2.0 * STOPPED * seen.still[k]:
                change = float(rates[k, 1:] @ seen.gamma[k, 1:])
                found = max(found, -size * size / change if change < 0.0 else 0.0)
        return found
