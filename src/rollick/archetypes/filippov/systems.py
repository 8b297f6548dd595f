"""The small Filippov systems as systems that simulate: their forms, affine in the force of friction (`motion.filippov.form`)."""

from __future__ import annotations

from typing import NamedTuple

from ...kernel.system import describe, validate
from ...motion.filippov.form import contact_form, contact_total, grip_and_load, slip_size
from ...motion.filippov.points import positive


class PoolBall(NamedTuple):
    """A ball on the bottom of a pool: u' = -(7/2) mu g u/|u| - (K/m)(v - flow), v' = -mu g u/|u| - (K/m)(v - flow) (2.39)."""

    m: float = 1.0
    K: float = 0.5
    mu: float = 0.1
    g: float = 9.81
    flow_y: float = 0.0
    flow_z: float = 0.0


describe(
    PoolBall,
    {
        "u_y": ("m/s", "slip"),
        "u_z": ("m/s", "slip"),
        "v_y": ("m/s", "velocity of the centre"),
        "v_z": ("m/s", "velocity of the centre"),
    },
)


@contact_total.register(PoolBall)
def _(ball):
    return 1


@contact_form.register(PoolBall)
def _(ball, modes, t, y, free, push, c, A, slip):
    for i in range(2):
        drag = -(ball.K / ball.m) * (y[2 + i] - (ball.flow_y if i == 0 else ball.flow_z))
        free[i] = drag
        free[2 + i] = drag
        c[1 + i] = drag
        slip[i] = y[i]
        for j in range(2):
            one = (1.0 if i == j else 0.0) / ball.m + 0.0 * y[0]
            push[1 + i, j] = 3.5 * one
            push[1 + i, 2 + j] = one
            A[1 + i, 1 + j] = 3.5 * one


@grip_and_load.register(PoolBall)
def _(ball, t, y, k):
    return ball.mu + 0.0 * y[0], ball.m * ball.g + 0.0 * y[0]


@validate.register(PoolBall)
def _(ball):
    for name in ("m", "K", "mu", "g"):
        positive(getattr(ball, name), name)


class SpringDisk(NamedTuple):
    """A disk that slips or rolls along a line, held by a spring (Example 2.7): one component of slip."""

    m: float = 1.0
    k: float = 1.0
    mu: float = 0.1
    g: float = 9.81


describe(SpringDisk, {"w": ("m", "position of the centre"), "v": ("m/s", "its velocity"), "u": ("m/s", "slip")})


@contact_total.register(SpringDisk)
def _(disk):
    return 1


@slip_size.register(SpringDisk)
def _(disk):
    return 1


@contact_form.register(SpringDisk)
def _(disk, modes, t, y, free, push, c, A, slip):
    pull = -disk.k * y[0] / disk.m
    one = 1.0 / disk.m + 0.0 * y[0]
    free[0], free[1], free[2] = y[1], pull, pull
    push[1, 0], push[1, 1], push[1, 2] = 0.0 * y[0], one, 3.0 * one
    c[1] = pull
    A[1, 1] = 3.0 * one
    slip[0] = y[2]
    slip[1] = 0.0 * y[2]


@grip_and_load.register(SpringDisk)
def _(disk, t, y, k):
    return disk.mu + 0.0 * y[0], disk.m * disk.g + 0.0 * y[0]


@validate.register(SpringDisk)
def _(disk):
    for name in ("m", "k", "mu", "g"):
        positive(getattr(disk, name), name)
