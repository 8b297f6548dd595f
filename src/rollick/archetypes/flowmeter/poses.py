"""Where the ball of the flowmeter is, to draw it: round the vessel by its speed, turned by its spin (4.9), which is told in a frame that goes round with it."""

from __future__ import annotations

import numpy as np

from ...mechanics.body import Body
from ...mechanics.poses import poses, touching
from ...mechanics.shapes.convex import Sphere
from ..filippov.poses import run_of, turned
from .system import FlowMeter

RIM = 3.0  # height of the vessel as it is drawn, over the radius of the ball


def axes_of(angle: np.ndarray) -> np.ndarray:
    """e1 (toward the axis), e2 (up), e3 (along the motion) at places on the circle, as rows; the axis is z. Seen from above the ball goes round counter-clockwise."""
    c, s, o = np.cos(angle), np.sin(angle), np.zeros_like(angle)
    e1 = np.stack([-c, -s, o], axis=1)
    e2 = np.stack([o, o, o + 1.0], axis=1)
    return np.stack([e1, e2, np.cross(e1, e2)], axis=1)


@poses.register(FlowMeter)
def _(meter, t, y, q):
    u1p, u1m, u2, v = y.T
    angle = run_of(t, v / meter.d)
    spin = np.einsum("nij,ni->nj", axes_of(angle), np.stack([(v - u1p), -(v - u1m), u2], axis=1) / meter.r)
    body = Body.from_inertia(meter.m, [meter.j * meter.m * meter.r**2] * 3, Sphere(meter.r))
    track = meter.d * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    outward = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=1)
    wall = (meter.d + meter.r) * outward + [0.0, 0.0, meter.r]
    return touching(body, turned(t, spin), track)._replace(second=wall, outline=vessel(meter))


def vessel(meter: FlowMeter) -> tuple[np.ndarray, ...]:
    """The wall: circles on the floor, where the ball touches, and above the ball, and lines up the wall."""
    round_ = np.linspace(0.0, 2.0 * np.pi, 181)
    circle = (meter.d + meter.r) * np.stack([np.cos(round_), np.sin(round_), np.zeros_like(round_)], axis=1)
    upright = [np.stack([foot, np.add(foot, [0.0, 0.0, RIM * meter.r])]) for foot in circle[:-1:15]]
    return (*(np.add(circle, [0.0, 0.0, height * meter.r]) for height in (0.0, 1.0, RIM)), *upright)
