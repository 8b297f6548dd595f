"""Where the small Filippov systems' bodies are, to draw them: their states are velocities, and the places follow by quadrature.

The balls' attitudes begin with the axes of the plane; each step turns them by the mean of the spins at its ends.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import cumulative_trapezoid

from ...mechanics.body import Body
from ...mechanics.mass.primitives import disk, solid_sphere
from ...mechanics.poses import poses, touching
from ...mechanics.shapes.convex import Rim, Sphere
from .corner import BallInCorner
from .pool_ball import PoolBall
from .spring_disk import SpringDisk


def turned(t: np.ndarray, spin: np.ndarray) -> np.ndarray:
    """Quaternions (scalar first) at the instants t of a body with this spin (n, 3) in space axes; the unit one first."""
    q = np.zeros((len(t), 4))
    q[0, 0] = 1.0
    steps = 0.5 * (spin[1:] + spin[:-1]) * np.diff(t)[:, None]
    angles = np.linalg.norm(steps, axis=1)
    halves = 0.5 * np.sinc(0.5 * angles / np.pi)[:, None] * steps  # sin(angle/2) along the axis
    for k, (angle, d) in enumerate(zip(angles, halves)):
        c, w, e = np.cos(0.5 * angle), q[k, 0], q[k, 1:]
        q[k + 1, 0] = c * w - d @ e
        q[k + 1, 1:] = c * e + w * d + np.cross(d, e)
    return q


def run_of(t: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """The way from the first instant."""
    return cumulative_trapezoid(speed, t, axis=0, initial=0.0)


@poses.register(PoolBall)
def _(ball, t, y, q):
    """y and z of the pool are x and y of the picture; the slip is u = v + Omega x (0, 0, -r), and the ball does not spin about the vertical."""
    turning = (y[:, 2:4] - y[:, 0:2]) / ball.r
    spin = np.stack([-turning[:, 1], turning[:, 0], np.zeros(len(t))], axis=1)
    body = Body.from_parts(solid_sphere(ball.m, ball.r), Sphere(ball.r))
    return touching(body, turned(t, spin), run_of(t, y[:, 2:4]))


@poses.register(SpringDisk)
def _(disk_, t, y, q):
    """Upright, along x, and turned about y by the integral of (v - u)/r."""
    half = 0.5 * run_of(t, (y[:, 1] - y[:, 2]) / disk_.r)
    c, s = np.cos(half) / np.sqrt(2.0), np.sin(half) / np.sqrt(2.0)
    attitude = np.stack([c, c, s, -s], axis=1)  # Y(angle) X(pi/2): its axis is horizontal
    body = Body.from_parts(disk(disk_.m, disk_.r), Rim(disk_.r))
    return touching(body, attitude, np.stack([y[:, 0], np.zeros(len(t))], axis=1))


@poses.register(BallInCorner)
def _(ball, t, y, q):
    """The plane of P+ is the floor of the picture: x along the edge, z along its normal."""
    half, c, s = 0.5 * ball.opening, np.cos(ball.slope), np.sin(ball.slope)
    n = np.array([np.cos(half), np.sin(half), 0.0])
    edge = np.array([0.0, 0.0, 1.0])
    axes = np.stack([edge, np.cross(n, edge), n])
    up = -np.array([c * np.sin(ball.tilt), -c * np.cos(ball.tilt), s])
    body = Body.from_inertia(ball.m, [ball.j * ball.m * ball.r**2] * 3, Sphere(ball.r))
    track = np.stack([y[:, 0], np.zeros(len(t))], axis=1)
    other = axes @ [-np.cos(half), np.sin(half), 0.0]
    second = np.stack([y[:, 0], np.zeros(len(t)), np.full(len(t), ball.r)], axis=1) - ball.r * other
    return touching(body, turned(t, y[:, 2:5] @ axes.T), track, up=axes @ up)._replace(second=second)
