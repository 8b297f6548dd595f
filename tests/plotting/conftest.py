"""Motions made by hand, so that pictures are tested without integrating or compiling anything."""

import numpy as np
import pytest

from rollick.kernel.system import Description, Quantity
from rollick.motion.events.event import Occurrence
from rollick.motion.result.motion import Motion
from rollick.motion.result.outcome import FINISHED, Outcome


def by_hand(
    t, columns, units=None, events=(), methods=None, method="auto", model=None, plot=(), parameters=None, steps=None, rtol=1e-9
):
    """A motion with these columns as states, which came from nowhere."""
    t = np.asarray(t, float)
    units = units or {}
    about = Description(tuple(Quantity(n, units.get(n, "")) for n in columns), plot=tuple(plot))
    y = np.stack([np.asarray(v, float) for v in columns.values()], axis=1)
    made = {
        "system": "Handmade", "type": "nowhere:Handmade", "model": model, "parameters": parameters or {}, "since": float(t[0]), "until": float(t[-1]),
        "start": dict(zip(columns, map(float, y[0]))), "settled": "", "method": method, "options": {}, "methods": methods or [["dop853", float(t[0])]],
        "rtol": rtol, "atol": [], "steps": t.size - 1 if steps is None else steps, "rejected": 0, "evaluations": 0, "events": [],
    }  # fmt: skip
    happened = [Occurrence(at, name, "rising", y[0]) for at, name in events]
    return Motion(None, about, t, y, None, happened, Outcome(FINISHED, "made by hand."), made, (float(t[-1]), y[-1], None))


@pytest.fixture
def handmade():
    return by_hand
