"""The swirl of the fluid at the ball's path: v_f as a function of time, constant, after a step, pulsating.

A flow of one's own is a NamedTuple and its `swirl_speed`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.dispatch import generic
from ...kernel.names import InputError
from ...kernel.scalar import pi, real, sin
from ...kernel.system import validate


@generic
def swirl_speed(flow, t):
    """v_f(t)."""


class Flow(NamedTuple):
    """v_f(t) = v_f + step s((t - at)/rise) + amplitude sin(2 pi frequency t), s(x) = x^3 (10 - 15 x + 6 x^2) from 0 to 1."""

    v_f: float = 0.15
    step: float = 0.0
    at: float = 0.0
    rise: float = 0.1
    amplitude: float = 0.0
    frequency: float = 1.0


@swirl_speed.register(Flow)
def _(flow, t):
    x = (t - flow.at) / flow.rise
    if real(x) <= 0.0:
        risen = 0.0 * x
    elif real(x) >= 1.0:
        risen = 1.0 + 0.0 * x
    else:
        risen = x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)
    return flow.v_f + flow.step * risen + flow.amplitude * sin(2.0 * pi * flow.frequency * t)


@validate.register(Flow)
def _(flow):
    for name in Flow._fields:
        if not math.isfinite(getattr(flow, name)):
            raise InputError(f"{name} = {getattr(flow, name)!r} of Flow must be a finite number.")
    if flow.rise <= 0.0:
        raise InputError(f"rise = {flow.rise!r} of Flow must be a time above zero: no flow jumps.")
    if flow.frequency < 0.0:
        raise InputError(f"frequency = {flow.frequency!r} of Flow must be zero or above.")


def steady(flow: Flow) -> bool:
    """Whether a flow does not change."""
    return flow.step == 0.0 and (flow.amplitude == 0.0 or flow.frequency == 0.0)
