"""How the meter answers: start-up from rest, stopping, a step and a pulsation of the flow, simulated through every change of mode."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from ...kernel.names import InputError
from ...motion.simulate import simulate
from .drag import drag_acceleration, slope
from .flow import Flow, swirl_speed
from .system import FlowMeter
from .thresholds import bisected, margin_of_rolling


class Answer(NamedTuple):
    """A simulated motion; the modes it went through with their beginnings; the speed at its end, and when it was first within 1 % of it for good."""

    motion: Any
    modes: list[tuple[str, float]]
    final: float
    settled: float


def answered(meter: FlowMeter, start: Any, until: float, **options: Any) -> Answer:
    """A motion of the meter, and what it says. Where rolling and slipping are both consistent (wedging) a ball goes on rolling, unless `ambiguous` says otherwise."""
    options.setdefault("ambiguous", "roll")
    at = np.linspace(0.0, until, 2001)
    flow = meter.flow
    if isinstance(flow, Flow) and "max_step" not in options:
        shortest = [flow.rise] if flow.step != 0.0 else []
        shortest += [0.1 / flow.frequency] if flow.amplitude != 0.0 and flow.frequency > 0.0 else []
        options |= {"max_step": min(shortest)} if shortest else {}
    motion = simulate(meter, start, until, at=at, progress=False, **options)
    v, t = np.asarray(motion["v"]), np.asarray(motion.t)
    final = float(v[-1])
    out = np.flatnonzero(np.abs(v - final) > 0.01 * max(abs(final), 1e-3 * float(np.abs(v).max(initial=0.0))))
    settled = float(t[0] if out.size == 0 else t[min(out[-1] + 1, t.size - 1)])
    return Answer(motion, [(str(mode), float(when)) for mode, when in motion.provenance["methods"]], final, settled)


def start_from_rest(meter: FlowMeter, until: float, **options: Any) -> Answer:
    """The ball at rest, and the fluid swirls."""
    return answered(meter, [0.0, 0.0, 0.0, 0.0], until, **options)


def stopping(meter: FlowMeter, v: float, until: float, **options: Any) -> Answer:
    """The ball rolls with the speed v, and the fluid has come to rest. It ends spinning on one spot (X_RS): nothing presses it onto the wall."""
    return answered(meter._replace(flow=Flow(0.0)), [0.0, 0.0, 0.0, v], until, **options)


def step_response(
    meter: FlowMeter, low: float, high: float, until: float, at: float = 0.0, rise: float = 0.1, **options: Any
) -> Answer:
    """The ball rolls with a swirl `low`, which goes to `high` at a time, within `rise`."""
    return answered(meter._replace(flow=Flow(low, high - low, at, rise)), [0.0, 0.0, 0.0, low], until, **options)


class Pulsation(NamedTuple):
    """In a pulsating flow: amplitude and lag of the ball's speed over those of the swirl, its mean, the least margin of rolling per g, over the last round."""

    gain: float
    lag: float
    mean: float
    margin: float


def time_constant(meter: FlowMeter, w: float = 0.0) -> float:
    """(1 + 2j)/D'(w): with it a small change decays while both contacts roll and the fluid overtakes the ball with a speed w; infinite where drag has no slope."""
    rate = slope(meter.drag, w)
    return (1.0 + 2.0 * meter.j) / rate if rate > 0.0 else math.inf


def settling_time(meter: FlowMeter, w: float, to: float = 0.01) -> float:
    """How long it takes a rolling ball until the fluid overtakes it with a speed to*w instead of w: integral of (1 + 2j)/D."""
    if w == 0.0:
        return 0.0
    # in x = ln w, since D may go to zero with a power of w
    f = lambda x: (1.0 + 2.0 * meter.j) * math.exp(x) / float(drag_acceleration(meter.drag, math.exp(x)))
    return float(quad(f, math.log(to * abs(w)), math.log(abs(w)), epsabs=0.0, epsrel=1e-10, limit=200)[0])


def rolling_in_pulsation(meter: FlowMeter, mean: float, amplitude: float, frequency: float) -> Pulsation:
    """The periodic motion while both contacts roll, v' = D(v_f(t) - v)/(1 + 2j), by quadrature of this equation alone, and whether the contacts hold in it."""
    if frequency <= 0.0 or amplitude < 0.0:
        raise InputError(
            f"a pulsation needs a frequency above zero and an amplitude of zero or more, not {frequency!r} and {amplitude!r}."
        )
    if amplitude == 0.0:
        return Pulsation(1.0, 0.0, mean, margin_of_rolling(meter, mean, mean) / meter.g)
    flow = Flow(mean, amplitude=amplitude, frequency=frequency)
    period, inertia = 1.0 / frequency, 1.0 + 2.0 * meter.j
    f = lambda t, v: [float(drag_acceleration(meter.drag, float(swirl_speed(flow, float(t)) - v[0]))) / inertia]
    t = np.linspace(0.0, period, 257)
    run = lambda v, at: solve_ivp(f, (0.0, period), [v], method="LSODA", t_eval=at, rtol=1e-9, atol=1e-10 * amplitude).y[0]
    # a round brings all speeds together, so that one repeats itself; the swirl cannot carry the ball beyond its own extremes
    v = float(brentq(lambda v: float(run(v, [period])[-1]) - v, mean - amplitude, mean + amplitude, xtol=1e-10 * amplitude))
    y = run(v, t)
    first = (
        2.0 / 256 * np.sum(y[:-1] * np.exp(-2j * np.pi * frequency * t[:-1]))
    )  # v ~ Re(first e^{i w t}); the swirl has -i amplitude
    gain, lag = abs(first) / amplitude, float(np.angle(-1j / first))
    margin = min(margin_of_rolling(meter, float(a), float(swirl_speed(flow, float(s)))) for a, s in zip(y[::4], t[::4]))
    return Pulsation(float(gain), lag, float(np.mean(y[:-1])), margin / meter.g)


def largest_pulsation(meter: FlowMeter, mean: float, frequency: float) -> float:
    """The amplitude of the swirl up to which both contacts hold while it pulsates about a mean; zero if they do not even without."""
    holds = lambda a: rolling_in_pulsation(meter, mean, a, frequency).margin >= 0.0
    if not holds(0.0):
        return 0.0
    high = mean
    while holds(high):
        high *= 2.0
        if high > 1e3 * mean:
            return math.inf
    return bisected(holds, 0.0, high, 1e-4)
