"""Random flowmeters and starts over the physical range, for trials of the solver: seeded, so that each can be repeated."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...kernel.system import validate
from .drag import named_drag
from .flow import Flow
from .system import FlowMeter


class Trial(NamedTuple):
    """A meter, a start (u1+, u1-, u2, v), a duration in which the drag acts some times over."""

    meter: FlowMeter
    start: np.ndarray
    until: float


def random_meter(rng: np.random.Generator, laws: tuple[str, ...] = ("stokes", "quadratic", "schiller-naumann")) -> FlowMeter:
    """Balls of 2 to 20 mm radius in vessels some times as wide, 1.05 to 8 times as dense as the fluid, from water to light oil, mu from 0.01 to 0.8;
    swirls from a tenth to five times that at which the centripetal acceleration is g; a half of them pulsates or steps."""
    r = float(np.exp(rng.uniform(math.log(0.002), math.log(0.02))))
    d = r * float(np.exp(rng.uniform(math.log(1.5), math.log(20.0))))
    ratio = 1.0 / float(np.exp(rng.uniform(math.log(1.05), math.log(8.0))))
    nu = float(np.exp(rng.uniform(math.log(5e-7), math.log(1e-4))))
    g = (1.0 - ratio) * 9.81
    v_f = math.sqrt(g * d) * float(np.exp(rng.uniform(math.log(0.1), math.log(5.0))))
    kind = rng.integers(4)
    flow = Flow(v_f)
    if kind == 2:
        flow = Flow(v_f, v_f * float(rng.uniform(-0.9, 1.0)), float(rng.uniform(0.0, 2.0)), 0.1)
    elif kind == 3:
        flow = Flow(v_f, amplitude=v_f * float(rng.uniform(0.0, 0.9)), frequency=float(rng.uniform(0.1, 5.0)))
    j = 0.4 if rng.uniform() < 0.7 else float(rng.uniform(0.4, 2.0 / 3.0))
    mu = float(np.exp(rng.uniform(math.log(0.01), math.log(0.8))))
    mass = 4.0 / 3.0 * math.pi * r**3 * 1000.0 / ratio
    made = FlowMeter(r, d, mass, j, g, mu, named_drag(str(rng.choice(laws)), r, ratio, nu), flow)
    validate(made)
    return made


def random_trial(rng: np.random.Generator) -> Trial:
    """A random meter from rest (a half of the trials), rolling, or with any slips."""
    meter = random_meter(rng)
    scale = math.sqrt(meter.g * meter.d)
    kind = rng.integers(4)
    start = np.zeros(4)
    if kind == 2:
        start[3] = scale * float(rng.uniform(0.0, 1.0))
    elif kind == 3:
        start = scale * rng.uniform(-1.0, 1.0, 4)
    return Trial(meter, start, float(np.exp(rng.uniform(math.log(2.0), math.log(60.0)))))
