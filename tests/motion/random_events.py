"""Random motions and random event functions of them, made to defeat whoever skips steps: polynomials of degree up to 6 in the states, levels at which they
graze, several zeros in a step, functions of time that oscillate within a step, narrow peaks, corners."""

from typing import NamedTuple

import numpy as np

from rollick import Event, simulate
from rollick.kernel import absolute, cos, exp
from rollick.kernel.system import describe, rate, signals
from rollick.motion.events.functions import Ready, switch_values


class Tangle(NamedTuple):
    """Two coupled oscillators, one of them pushed; the rest are coefficients of its signals."""

    w1: float
    w2: float
    coupling: float
    push: float
    beat: float
    p: float
    q: float
    r: float
    fast: float
    narrow: float


@rate.register(Tangle)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -s.w1 * s.w1 * y[0] + s.coupling * y[0] * y[2] + s.push * cos(s.beat * t) - 0.02 * y[1]
    out[2] = y[3]
    out[3] = -s.w2 * s.w2 * y[2] + 0.5 * s.coupling * y[0] * y[0] - y[2] * y[2] * y[2] - 0.02 * y[3]


@signals.register(Tangle)
def _(s, t, y, out):
    out[0] = s.p * y[0] * y[2] + s.q * y[1] * y[1] + s.r * y[3]
    out[1] = y[0] * (y[1] + s.p * y[2] * y[2]) + s.q * y[3] * y[3] * y[2]
    out[2] = (y[0] * y[0] - s.p * y[2]) * (y[1] + s.q * y[3]) * (y[2] * y[1] * y[0] + s.r)
    out[3] = cos(s.fast * t) + s.p * y[0]
    out[4] = exp(-(((y[0] - 0.3 * s.q) / s.narrow) ** 2))
    out[5] = absolute(y[0] - s.r * y[2]) + s.q * y[1]


SIGNALS = ("quadratic", "cubic", "sextic", "timed", "peak", "corner")
describe(Tangle, {"x1": "m", "v1": "m/s", "x2": "m", "v2": "m/s"}, signals=dict.fromkeys(SIGNALS, ""), smooth=SIGNALS[:4])
STATES = ("x1", "v1", "x2", "v2")


class Wave(NamedTuple):
    """An event function of two components, no signal: a polynomial that oscillates in time as well, and a peak."""

    a: float
    b: float
    fast: float
    level: float


@switch_values.register(Wave)
def _(e, system, t, y, out):
    out[0] = e.a * y[0] * y[3] * y[3] + e.b * cos(e.fast * t) * y[2] - e.level
    out[1] = exp(-40.0 * (y[0] - e.a * y[1]) ** 2) - e.level


def tried(seed: int) -> tuple[list[list], int]:
    """The events of a random motion, found with the dense output of all steps and without; and how many there are in one step at most."""
    rng = np.random.default_rng(seed)
    w1, w2 = 10.0 ** rng.uniform(-0.7, 0.7, 2)
    system = Tangle(
        w1, w2, rng.uniform(-0.5, 0.5) * min(w1, w2) ** 2, rng.uniform(0.0, 0.5) * w1**2 * rng.integers(0, 2), rng.uniform(0.2, 5.0) * w1,
        *rng.normal(size=3), 10.0 ** rng.uniform(0.0, 2.0), 10.0 ** rng.uniform(-2.0, 0.0),
    )  # fmt: skip
    start = rng.normal(size=4) * np.array([1.0, w1, 1.0, w2]) * rng.choice([0.1, 0.5])
    until = float(rng.choice([-1.0, 1.0]) * rng.uniform(5.0, 60.0) / max(w1, w2))
    options = {"method": "dop853", "rtol": float(10.0 ** rng.uniform(-12.0, -2.5)), "progress": False, "max_steps": 20_000}
    path = simulate(system, start, until, dense=True, **options)
    t = np.linspace(path.t[0], path.t[-1], 1500)
    events = []
    for what in rng.choice([*STATES, *SIGNALS], 3, replace=False):
        g = path.at(t, what)
        level = float(rng.uniform(g.min(), g.max()))
        turns = np.flatnonzero((g[1:-1] - g[:-2]) * (g[2:] - g[1:-1]) < 0.0) + 1
        if turns.size and rng.random() < 0.7:  # a level that is grazed
            level = float(g[rng.choice(turns)] + rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-10.0, -1.0) * np.ptp(g))
        events.append(Event(str(what), level=level))
    wave = Wave(*rng.normal(size=2), float(10.0 ** rng.uniform(0.0, 2.0)), float(rng.normal() * 0.1))
    events.insert(rng.integers(0, 4), Event(Ready(wave, 2, True), name="wave"))
    if rng.random() < 0.5:
        events = events[:1]
    whole, skimmed = (simulate(system, start, until, events=events, **options, **more) for more in ({"dense": True}, {}))
    assert np.array_equal(whole.end_state, skimmed.end_state, equal_nan=True)
    places = np.searchsorted(whole.t if until > 0.0 else -whole.t, [e.t if until > 0.0 else -e.t for e in whole.events])
    most = int(np.bincount(places).max()) if places.size else 0
    return [[(e.t, e.name, e.kind) for e in m.events] for m in (whole, skimmed)], most
