"""A free flight from event to event: the wheel spins, comes to a stop in its bearing, and may break away again.

    spinning -> stuck        omega_rot = 0, and the torque that holds the wheel is within the dry friction, |M| <= mu_0             (6.9)
    spinning -> reversed     omega_rot = 0, and it is not
    stuck    -> spinning     the holding torque reaches mu_0; the wheel then lags behind: its sense is against that torque

Each piece is an ODE without corners, integrated by `simulate`; the moments of change are its events, found to rounding.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ...kernel.names import InputError, number
from ...kernel.system import description, signals, validate
from ...motion.events.event import Event, Occurrence
from ...motion.result import outcome as o
from ...motion.result.motion import Motion
from ...motion.result.outcome import Outcome
from ...motion.simulate import simulate
from ...motion.start import state_vector
from .equations import SIGNALS, watched
from .lander import BACKWARD, FORWARD, HELD, Lander

TORQUE = list(SIGNALS).index("torque")
SPIN = 7


class Flight(Motion):
    """The motion of a lander through changes of its wheel; `modes` lists how the wheel moved, and since when."""

    @property
    def modes(self) -> list[tuple[str, float]]:
        """How the wheel moved, and since when."""
        return [(name, t) for name, t in self.provenance["methods"]]

    def as_dict(self) -> dict[str, Any]:
        """The flight as plain numbers and words, for JSON."""
        return {
            "system": self.provenance["system"],
            "parameters": self.provenance["parameters"],
            "status": self.status,
            "message": self.message,
            "t": self.t.tolist(),
            "states": {q.name: self[q.name].tolist() for q in self.about.states},
            "derived": {q.name: self[q.name].tolist() for q in (*self.about.signals, *self.about.integrals)},
            "events": [{"t": e.t, "name": e.name, "kind": e.kind, "state": e.state.tolist()} for e in self.events],
            "modes": [list(pair) for pair in self.modes],
        }


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


def _events(lander: Lander, driven: bool, backward: bool) -> list[Event]:
    if driven or backward:
        return []
    if lander.sense != HELD:
        return [Event("omega_rot", "falling" if lander.sense == FORWARD else "rising", terminal=True, name="wheel stops")]
    above, below = (
        Event("torque", way, terminal=True, level=s * lander.mu_0, name="wheel breaks away")
        for s, way in ((1, "rising"), (-1, "falling"))
    )
    return [above, below]


def fly(
    lander: Lander,
    start: Any,
    until: float | str,
    *,
    motor: bool = False,
    since: float = 0.0,
    at: Any = None,
    rtol: float = 1e-11,
    max_changes: int = 1000,
    progress: bool | None = None,
) -> Flight:
    """The free flight of a lander, with the wheel in its bearing (6.8)-(6.9), or, with `motor`, kept at its speed.

    `start` is a dict of states (`sx, sy, sz` give the attitude by the direction of the Sun) or all states. `until` may lie before `since`:
    a wheel that spins can be followed back, faster and faster; one that stands still cannot, for nobody knows when it stopped.
    """
    validate(lander)
    end = number(until, "until", "s")
    backward = end < since
    y = np.array(state_vector(lander, start), float)
    y[:4] /= np.linalg.norm(y[:4])
    first = y.copy()
    if backward and not motor and y[SPIN] == 0.0:
        raise InputError(
            "a flight with a wheel at rest cannot be followed backward: start from a time when it spun, or use motor=True."
        )
    times = None if at is None else np.sort(np.asarray(at, float).ravel())[:: -1 if backward else 1]
    began, t, work = time.perf_counter(), float(since), 0.0
    pieces: list[Motion] = []
    works: list[np.ndarray] = []
    events: list[Occurrence] = []
    modes: list[list[Any]] = []
    outcome = None
    for _ in range(max_changes):
        system = lander._replace(sense=HELD if motor else sense_at(lander, y))
        modes.append(["driven" if motor else WORDS[system.sense], t])
        asked = None
        if times is not None:
            asked = times[(times <= t) & (times >= end)] if backward else times[(times >= t) & (times <= end)]
            if pieces and asked.size and asked[0] == t:
                asked = asked[1:]
        token = watched.set(True)
        try:
            piece = simulate(
                system, y, end, since=t, rtol=rtol, at=asked, events=_events(system, motor, backward), progress=progress
            )
        finally:
            watched.reset(token)
        assert piece.q is not None
        assert piece.end_integrals is not None
        pieces.append(piece)
        works.append(piece.q + work)
        work += float(piece.end_integrals[0])
        y, t = piece.end_state.copy(), piece.end_time
        if piece.status != o.EVENT:
            outcome = piece.outcome
            break
        event = piece.events[-1]
        if event.name == "wheel stops":
            y[SPIN] = 0.0
        else:  # breaks away: give it the sense it takes; its speed is still zero
            lagging = BACKWARD if holding_torque(lander, y) > 0.0 else FORWARD
            y[SPIN] = lagging * 1e-300
        events.append(Occurrence(event.t, event.name, event.kind, event.state, False))
    if outcome is None:
        outcome = Outcome(
            o.MOST_STEPS,
            f"stopped at t = {t:.6g} after max_changes = {max_changes} stops of the wheel; what was computed until then is here.",
        )
    return _joined(
        lander,
        pieces,
        works,
        events,
        outcome,
        modes,
        first,
        (t, y, np.array([work])),
        end,
        time.perf_counter() - began,
        times is None,
    )


def _joined(
    lander: Lander,
    pieces: list[Motion],
    works: list[np.ndarray],
    events: list[Occurrence],
    outcome: Outcome,
    modes: list[list[Any]],
    first: np.ndarray,
    last: tuple[float, np.ndarray, np.ndarray],
    until: float,
    seconds: float,
    every_step: bool,
) -> Flight:
    """One flight of its pieces; with output at every step each piece begins where the one before it ended."""
    made = dict(pieces[0].provenance)
    for name in ("steps", "rejected", "evaluations", "seconds"):
        made[name] = sum(p.provenance[name] for p in pieces)
    made |= {
        "methods": modes,
        "until": until,
        "seconds": seconds,
        "start": dict(zip([q.name for q in description(lander).states], map(float, first))),
    }
    join = lambda parts: np.concatenate([parts[0], *(p[1:] if every_step else p for p in parts[1:])])
    return Flight(
        pieces[0].system,
        description(lander),
        join([p.t for p in pieces]),
        join([p.y for p in pieces]),
        join(works),
        events,
        outcome,
        made,
        last,
        derived=join([p.derived for p in pieces]),
    )
