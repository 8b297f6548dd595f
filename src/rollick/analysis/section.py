"""Poincare sections: where motions cross a surface, again and again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.names import InputError, choose, listed, whole
from ..kernel.system import description
from ..motion.events.event import Event
from ..motion.problem import positive
from ..motion.simulate import simulate


def poincare(
    system: Any,
    start: Any,
    on: str,
    shown: tuple[str, ...],
    returns: int = 200,
    direction: str = "rising",
    chunk: float = 20.0,
    most: float = 1e5,
    rtol: float = 1e-9,
) -> np.ndarray:
    """The values of `shown` (states or signals) at the first `returns` zeros of a state or signal `on`; one row per crossing.

    The motion is followed in pieces of `chunk` seconds until there are enough crossings, or `most` seconds have passed.
    """
    about = description(system)
    known = [q.name for q in (*about.states, *about.signals)]
    shown = tuple(listed(shown, "shown", "['alpha', 'beta']"))
    for name in (on, *shown):
        choose(name, known, "state or signal")
    returns, chunk, most = whole(returns, "returns", 1), positive(chunk, "chunk"), positive(most, "most")
    rows: list[np.ndarray] = []
    state: Any = start
    since = 0.0
    while len(rows) < returns and since < most:
        motion = simulate(
            system,
            state,
            since + chunk,
            since=since,
            events=[Event(on, direction)],
            at=[since + chunk],
            rtol=rtol,
            integrals=False,
        )
        found = motion.events
        if found:
            y = np.array([e.state for e in found])
            t = np.array([e.t for e in found])
            values = np.hstack([y, motion.signals_at(t, y)])
            rows.extend(values[:, [known.index(name) for name in shown]])
        if not motion.complete:
            break
        state, since = motion.end_state, motion.end_time
    return np.array(rows[:returns]).reshape(-1, len(shown))


def return_map(
    system: Any, start: Any, on: str, shown: str, returns: int = 200, direction: str = "rising", discard: int = 0, **options: Any
) -> np.ndarray:
    """The return map of one quantity: rows (value at a crossing, value at the next one), after `discard` crossings; options as for `poincare`."""
    if discard < 0:
        raise InputError(f"discard = {discard} must not be negative.")
    values = poincare(system, start, on, (shown,), returns + discard + 1, direction, **options)[discard:, 0]
    return np.stack([values[:-1], values[1:]], axis=1)
