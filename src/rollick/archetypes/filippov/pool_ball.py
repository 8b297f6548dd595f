"""A ball on the bottom of a pool (section 2.4.1): spatial Coulomb friction and a viscous force; an extended Filippov system.

`pool_ball(...)` answers what happens at states without slip, `PoolBall(...)` is the same ball as a system that simulates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...analysis.filippov.theory.extended import ExtendedSwitching
from ...analysis.filippov.theory.points import positive
from ...kernel.names import InputError
from ...kernel.scalar import sin, sqrt
from ...kernel.system import describe, signals, validate
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load


def critical_speed(m: float = 1.0, K: float = 0.5, mu: float = 0.1, g: float = 9.81) -> float:
    """7 mu g m/(2K) (2.43): a faster ball cannot roll."""
    return 7.0 * mu * g * m / (2.0 * K)


def pool_ball(
    m: float = 1.0, K: float = 0.5, mu: float = 0.1, g: float = 9.81, flow: tuple[float, float] = (0.0, 0.0)
) -> ExtendedSwitching:
    """x = (u_y, u_z, v_y, v_z): slip at the bottom and velocity of the centre (2.39); the water flows with the velocity `flow`.

    u' = -(7/2) mu g u/|u| - (K/m)(v - flow), v' = -mu g u/|u| - (K/m)(v - flow). It rolls, u = 0, while |v - flow| < 7 mu g m/(2K) (2.43), with
    F_s = (0, 0, -5K(v - flow)/(7m)) (2.45).
    """
    for name, value in {"m": m, "K": K, "mu": mu, "g": g}.items():
        positive(value, name)
    water = np.array(flow, float)
    if water.shape != (2,) or not np.all(np.isfinite(water)):
        raise InputError(f"flow is the velocity of the water, two numbers, not {flow!r}.")

    def of_direction(x: np.ndarray, u: np.ndarray) -> np.ndarray:
        drag = -(K / m) * (x[2:4] - water)
        return np.concatenate([drag - 3.5 * mu * g * u, drag - mu * g * u])

    def field(x: np.ndarray) -> np.ndarray:
        return of_direction(x, x[:2] / np.sqrt(x[0] * x[0] + x[1] * x[1]))

    return ExtendedSwitching(
        field,
        lambda x: x[0],
        lambda x: x[1],
        gradients=lambda x: np.eye(2, len(x)),
        limit=lambda x, phi: of_direction(x, np.array([np.cos(phi), np.sin(phi)])),
        names=("u_y", "u_z", "v_y", "v_z"),
    )


class PoolBall(NamedTuple):
    """A ball on the bottom of a pool: u' = -(7/2) mu g u/|u| - (K/m)(v - w), v' = -mu g u/|u| - (K/m)(v - w) (2.39), w the velocity of the water.

    w_y = flow_y + surge sin(omega t), w_z = flow_z. r: its radius; slip and velocity do not depend on it, its spin (v - u)/r does.
    """

    m: float = 1.0
    K: float = 0.5
    mu: float = 0.1
    g: float = 9.81
    flow_y: float = 0.0
    flow_z: float = 0.0
    surge: float = 0.0
    omega: float = 1.0
    r: float = 0.1


describe(
    PoolBall,
    {
        "u_y": ("m/s", "slip"),
        "u_z": ("m/s", "slip"),
        "v_y": ("m/s", "velocity of the centre"),
        "v_z": ("m/s", "velocity of the centre"),
    },
    {
        "slip": ("m/s", "size of the slip"),
        "past_water": ("m/s", "speed of the centre against the water; it can roll below 7 mu g m/(2K) (2.43)"),
        "energy": ("J", "kinetic energy"),
    },
    parameters={
        "m": ("kg", "mass"),
        "K": ("kg/s", "viscous force per speed"),
        "mu": ("", "coefficient of friction"),
        "g": ("m/s^2", "gravity"),
        "flow_y": ("m/s", "velocity of the water"),
        "flow_z": ("m/s", "velocity of the water"),
        "surge": ("m/s", "amplitude with which flow_y swings"),
        "omega": ("rad/s", "angular frequency of the surge"),
        "r": ("m", "radius, for the spin"),
    },
    plot=("slip", "v_y", "v_z"),
)


@contact_total.register(PoolBall)
def _(ball):
    return 1


@contact_form.register(PoolBall)
def _(ball, modes, t, y, free, push, c, A, slip):
    for i in range(2):
        water = ball.flow_y + ball.surge * sin(ball.omega * t) if i == 0 else ball.flow_z
        drag = -(ball.K / ball.m) * (y[2 + i] - water)
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


@signals.register(PoolBall)
def _(ball, t, y, out):
    past_y, past_z = y[2] - ball.flow_y - ball.surge * sin(ball.omega * t), y[3] - ball.flow_z
    turn_y, turn_z = y[2] - y[0], y[3] - y[1]
    out[0] = sqrt(y[0] * y[0] + y[1] * y[1])
    out[1] = sqrt(past_y * past_y + past_z * past_z)
    out[2] = 0.5 * ball.m * (y[2] * y[2] + y[3] * y[3] + 0.4 * (turn_y * turn_y + turn_z * turn_z))


@validate.register(PoolBall)
def _(ball):
    for name in ("m", "K", "mu", "g", "r"):
        positive(getattr(ball, name), f"{name} of PoolBall")
    for name in ("flow_y", "flow_z", "surge", "omega"):
        if not math.isfinite(getattr(ball, name)):
            raise InputError(f"{name} = {getattr(ball, name)!r} of PoolBall must be a finite number.")
