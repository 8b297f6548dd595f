"""A free flight from event to event: the wheel spins, comes to a stop in its bearing, and may break away again.

    spinning -> stuck        omega_rot = 0, and the torque that holds the wheel is within the dry friction, |M| <= mu_0             (6.9)
    spinning -> reversed     omega_rot = 0, and it is not
    stuck    -> spinning     the holding torque reaches mu_0; the wheel then lags behind: its sense is against that torque

Each mode is an ODE without corners; the moments of change are its events, found to rounding (see `motion.hybrid.automaton`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, number
from ...kernel.system import integral_count, signals, validate
from ...motion.events.event import Event, Occurrence
from ...motion.hybrid.automaton import Change, Mode
from ...motion.hybrid.follow import follow
from ...motion.methods import Auto
from ...motion.problem import make_problem
from ...motion.result.checks import check_motion, conclude
from ...motion.result.motion import Motion
from ...motion.start import state_vector
from .equations import SIGNALS, watched
from .lander import BACKWARD, FORWARD, HELD, Lander

STOPS, BREAKS_AWAY = "wheel stops", "wheel breaks away"
TORQUE = list(SIGNALS).index("torque")
SPIN = 7


FLIGHT = "flight"  # what a file says that holds one


class Flight(Motion):
    """The motion of a lander through changes of its wheel; `modes` lists how the wheel moved, and since when."""

    @property
    def modes(self) -> list[tuple[str, float]]:
        """How the wheel moved, and since when."""
        return [(name, t) for name, t in self.provenance["methods"]]

    @property
    def data(self) -> Any:
        """The flight as an `xarray.Dataset`, with units; a file of it says that it is a flight, see `flight_of`."""
        data = super().data
        data.attrs["result"] = FLIGHT
        return data

    @classmethod
    def of(cls, motion: Motion) -> Flight:
        """A motion as a flight."""
        flight = cls.__new__(cls)
        flight.__dict__.update(motion.__dict__)
        return flight

    def repeated(self, at: np.ndarray) -> Flight:
        """The same flight, computed once more from its provenance with output at other times; its integrals begin at zero."""
        made = self.provenance
        start = np.array(list(made["start"].values()))
        motor, rtol = bool(made.get("motor", False)), made["options"]["rtol"]
        return fly(self.system, start, self.end_time, motor=motor, since=made["since"], at=at, rtol=rtol)

    def own_numbers(self) -> dict[str, Any]:
        """How the wheel moved, and since when."""
        return {**super().own_numbers(), "modes": [list(pair) for pair in self.modes]}


def flight_of(motion: Motion) -> Motion:
    """A motion from a file as the flight it was; as a motion, if it is none of a lander."""
    return Flight.of(motion) if isinstance(motion.system, Lander) else motion


def holding_torque(lander: Lander, y: np.ndarray) -> float:
    """The torque that would keep the wheel's speed as it is."""
    out = np.empty(len(SIGNALS))
    signals(lander._replace(sense=HELD), 0.0, y, out)
    return float(out[TORQUE])


def sense_at(lander: Lander, y: np.ndarray) -> float:
    """How a free wheel moves on from a state: with its speed, or, if that is zero, as (6.9) says."""
    if y[SPIN] != 0.0:
        return FORWARD if y[SPIN] > 0.0 else BACKWARD
    needed = holding_torque(lander, y)
    if abs(needed) <= lander.mu_0:
        return HELD
    return BACKWARD if needed > 0.0 else FORWARD  # the wheel lags behind the lander


WORDS = {FORWARD: "spinning forward", BACKWARD: "spinning backward", HELD: "stuck"}


def _endings(lander: Lander, driven: bool, backward: bool) -> list[Event]:
    if driven or backward:
        return []
    if lander.sense != HELD:
        return [Event("omega_rot", "falling" if lander.sense == FORWARD else "rising", name=STOPS)]
    return [Event("torque", way, level=s * lander.mu_0, name=BREAKS_AWAY) for s, way in ((1, "rising"), (-1, "falling"))]


@dataclass(frozen=True)
class Bearing:
    """The wheel in its bearing as an automaton: it spins forward or backward, or is held."""

    lander: Lander
    motor: bool
    backward: bool

    def mode(self, y: np.ndarray) -> Mode:
        """How the wheel moves on from a state."""
        system = self.lander._replace(sense=HELD if self.motor else sense_at(self.lander, y))
        return Mode("driven" if self.motor else WORDS[system.sense], system, _endings(system, self.motor, self.backward))

    def begin(self, t: float, y: np.ndarray) -> Change:
        """The mode at the start."""
        return Change(self.mode(y), y)

    def after(self, mode: Mode, event: Occurrence, t: float, y: np.ndarray) -> Change:
        """The wheel has come to a stop, or breaks away: it then takes the sense in which it lags behind; its speed is still zero."""
        y = y.copy()
        if event.name == STOPS:
            y[SPIN] = 0.0
        else:
            y[SPIN] = (BACKWARD if holding_torque(self.lander, y) > 0.0 else FORWARD) * 1e-300
        return Change(self.mode(y), y, [Occurrence(event.t, event.name, event.kind, event.state, False)])


def fly(
    lander: Lander,
    start: Any,
    until: float | str,
    *,
    motor: bool = False,
    since: float = 0.0,
    at: Any = None,
    rtol: float = 1e-11,
    events: Any = None,
    dense: bool = False,
    max_changes: int = 1000,
    max_steps: float = 1e7,
    wall_limit: float | None = None,
    progress: bool | None = None,
) -> Flight:
    """The free flight of a lander, with the wheel in its bearing (6.8)-(6.9), or, with `motor`, kept at its speed.

    `start` is a dict of states (`sx, sy, sz` give the attitude by the direction of the Sun), all states, or a flight to go on from. `until` may
    lie before `since`: a wheel that spins can be followed back, faster and faster; one that stands still cannot, for nobody knows when it stopped.
    """
    validate(lander)
    if at is not None:
        backward = number(until, "until", "s") < number(since, "since", "s")
        at = np.sort(np.asarray(at, float).ravel())[:: -1 if backward else 1]
    if not isinstance(start, Motion):
        start = np.array(state_vector(lander, start), float)
        start[:4] /= np.linalg.norm(start[:4])
    token = watched.set(True)
    try:
        problem = make_problem(
            lander,
            start,
            until,
            since=None if isinstance(start, Motion) else since,
            at=at,
            dense=dense,
            events=events,
            variational=False,
            integrals=int(integral_count(lander)),
            max_steps=max_steps,
            wall_limit=wall_limit,
            progress=progress,
            began=time.perf_counter(),
        )
        backward = problem.t1 < problem.t0
        if backward and not motor and problem.start[SPIN] == 0.0:
            raise InputError(
                "a flight with a wheel at rest cannot be followed backward: start from a time when it spun, or use motor=True."
            )
        method = Auto(rtol=rtol)
        method.check(lander)
        motion = follow(problem, Bearing(lander, motor, backward), method, max_changes, own_signals=True)
    finally:
        watched.reset(token)
    motion.provenance["motor"] = bool(motor)
    motion.trust = check_motion(motion, method)
    conclude(motion)
    return Flight.of(motion)
