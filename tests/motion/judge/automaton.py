"""Contacts as an automaton in Python: modes as ODEs of the common loop, ended by events that the common search finds. The judge of compiled code.

`DryContact` decides what follows; here are the modes as ODEs, what ends them, and the method.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rollick.kernel.compiled import compiled
from rollick.kernel.local_array import local_array
from rollick.kernel.system import (
    describe,
    descriptions,
    dim,
    integral_count,
    integrals,
    project,
    rate,
    rate_with_integrals,
    signals,
)
from rollick.mechanics.contact import contact_count, contacts_move, gap, positions, tidy, velocities
from rollick.mechanics.sliding.equations import Sliding
from rollick.motion.contact.by_address import STIFF_MODES
from rollick.motion.contact.held import FAR, IDLE, OPEN, SLIP, STICK, account_size, mode_rate, mode_rate_with_losses
from rollick.motion.contact.onto import pull_onto
from rollick.motion.contact.resistance import is_dry
from rollick.motion.contact.uniqueness import is_only_future
from rollick.motion.event_driven.held_body import mode_signals
from rollick.motion.event_driven.memory import room_for
from rollick.motion.event_driven.thresholds import LIFTED, NET, STOPPED
from rollick.motion.events.event import Event
from rollick.motion.events.functions import Ready, switch_values
from rollick.motion.filippov.algebra.code import futures_code
from rollick.motion.hybrid.follow import follow
from rollick.motion.methods import DOP853, EventDriven
from rollick.motion.methods.modes_of_bodies import refuse_start_inside
from rollick.motion.methods.smooth import Auto

from .dry_contact import DryContact
from .modes import InMode, any_held
from .transitions import BREAKS, FORKS, FREES, IDLES, JAMS, JOINS, LANDS, LEAVES, LIFTS, NETS, STOPS


@compiled
def mode_losses(system, modes, shares, t, y, sums):
    """The normal forces and the power lost to each mechanism."""
    rates = local_array(dim(system), y.dtype)
    mode_rate_with_losses(system, modes, shares, t, y, rates, sums)


_plain = descriptions[Sliding]
describe(
    InMode,
    {q.name: (q.unit, q.about) for q in _plain.states},
    {
        "least_slip": ("m/s", "least slip of the contacts that slip"),
        "normal": ("N", "least normal force"),
        "margin": ("N", "least mu N - |T| of the contacts that stick"),
        "drive": ("", "vanishes where slip has no unique normal force"),
        "idle_gap": ("m", "how far contacts that are kept closed by others are off"),
    },
    {q.name: (q.unit, q.about) for q in _plain.integrals},
)


@rate.register(InMode)
def _(mode, t, y, out):
    mode_rate(mode.system, mode.modes, mode.shares, t, y, out)


@integrals.register(InMode)
def _(mode, t, y, out):
    mode_losses(mode.system, mode.modes, mode.shares, t, y, out)


@rate_with_integrals.register(InMode)
def _(mode, t, y, out):
    n = positions(mode.system) + velocities(mode.system)
    mode_rate_with_losses(mode.system, mode.modes, mode.shares, t, y, out[:n], out[n:])


@signals.register(InMode)
def _(mode, t, y, out):
    mode_signals(mode.system, mode.modes, mode.shares, t, y, out)


@project.register(InMode)
def _(mode, y):
    tidy(mode.system, y[: positions(mode.system)])
    if any_held(mode.modes) and not contacts_move(mode.system):
        pull_onto(mode.system, mode.modes, 0.0, y)
    return True


@dim.register(InMode)
def _(mode):
    return positions(mode.system) + velocities(mode.system)


@integral_count.register(InMode)
def _(mode):
    return account_size(mode.system)


class OpenGaps(NamedTuple):
    """Zero where the gap of an open contact passes a level; a level for each contact."""

    levels: tuple


@switch_values.register(OpenGaps)
def _(event, mode, t, y, out):
    for k in range(contact_count(mode.system)):
        out[k] = 1.0
        if mode.modes[k] == OPEN:
            out[k] = gap(mode.system, t, y[: positions(mode.system)], k) - event.levels[k]


def gaps_pass(name: str, direction: str, levels: Any) -> Event:
    """The event that the gap of an open contact passes its level: one entry per contact, so that none hides behind another that is smaller."""
    given = tuple(map(float, levels))
    more = room_for(len(given)) - len(given)
    return Event(Ready(OpenGaps((*given, *(0.0,) * more)), len(given)), direction, terminal=True, touch=False, name=name)


class OnlyFuture(NamedTuple):
    """1 where what sticks has no other future, -1 where it has. code: addresses of the algebra."""

    code: Any


@switch_values.register(OnlyFuture)
def _(event, mode, t, y, out):
    out[0] = 1.0 if is_only_future(mode.system, event.code, mode.modes, t, y) else -1.0


def edge_of_band(modes: tuple[int, ...], inside: bool) -> list[Event]:
    """The event at which what sticks ceases to be the only future or, `inside` a band, at which it is so again; none where that is not asked."""
    held = [m for m in modes if m != OPEN]
    if STICK not in held or len(held) > 2 or not set(held) <= {SLIP, STICK}:
        return []
    switch = Ready(OnlyFuture(futures_code(len(held))), 1)
    return [Event(switch, "rising" if inside else "falling", terminal=True, touch=False, name=JOINS if inside else FORKS)]


@dataclass
class ContactAutomaton(DryContact):
    """A body with contacts, whose modes are ODEs that end by events."""

    def __post_init__(self):
        super().__post_init__()
        if not is_dry(self.system):
            self.by_address.add(STIFF_MODES)

    def mode(self, modes, y, seen, lifted=(), shares=None):
        """The ODE of some modes from a state on, and what ends it."""
        net = NET * self.size(y) + 30.0 * self.rtol * self.extent(y)
        ends = []
        if OPEN in modes:
            above = LIFTED * self.size(y) + 10.0 * self.rtol * self.extent(y)
            levels = [-above if k in lifted else 0.0 for k in range(self.count)]
            ends += [gaps_pass(LANDS, "falling", levels), gaps_pass(NETS, "falling", [-net] * self.count)]
            if lifted:
                ends.append(gaps_pass(LEAVES, "rising", [above if k in lifted else -FAR for k in range(self.count)]))
        if IDLE in modes:
            ends.append(Event(IDLES, "rising", terminal=True, touch=False, level=net))
        slipping = [s for mode, m, s in zip(modes, seen.mu, seen.still) if mode == SLIP and m > 0.0]
        if slipping:  # before what depends on the direction of the slip
            ends.append(Event(STOPS, "falling", terminal=True, touch=False, level=STOPPED * min(slipping)))
        if any(modes):
            ends.append(LIFTS)
        if SLIP in modes:
            ends += [JAMS, FREES]
        if STICK in modes:
            ends += [BREAKS, *edge_of_band(modes, self.in_band)]
        return replace(super().mode(modes, y, seen, lifted, shares), endings=ends)


@dataclass(frozen=True)
class InPython(EventDriven):
    """Motions from event to event by the automaton."""

    def followed(self, problem):
        """The motion, and the automaton that followed it."""
        automaton = ContactAutomaton(
            problem.system, self.painleve, float(self.rtol), ambiguous=self.ambiguous, choices=list(self.choices)
        )
        refuse_start_inside(problem, automaton.extent(problem.start), float(self.rtol))
        method = DOP853 if is_dry(problem.system) else Auto
        inner = method(self.inner.rtol, self.inner.atol, self.inner.max_step)
        return follow(problem, automaton, inner, self.max_changes), automaton
