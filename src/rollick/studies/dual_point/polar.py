"""The second route to motions that end a slip: polar coordinates of the slip and a time of its own, by SciPy; nothing is shared with the solver.

With u = r (cos phi, sin phi) and dt = r d(sigma) the fields of Coulomb friction are smooth up to r = 0, which ln r reaches as sigma goes to infinity:

    (ln r)' = R(phi, x),   phi' = V(phi, x),   x' = r f(phi, x),   t' = r           ( ' = d/d sigma )
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from ...archetypes.filippov import PoolBall

SMALL = -34.0  # ln of the slip, relative to that at the start, at which it counts as zero: 2e-15


class Stop(NamedTuple):
    """The instant at which a slip ends, the other states there, and the direction from which it comes."""

    t: float
    x: np.ndarray
    angle: float


def until_stop(
    field: Callable[[float, np.ndarray], tuple[float, float, np.ndarray]], u: np.ndarray, x: np.ndarray, small: float = SMALL
) -> Stop:
    """From slip u and the other states x until the slip ends. field(phi, x) -> (R, V, x')."""
    size = float(np.hypot(*u))

    def rate(sigma: float, z: np.ndarray) -> np.ndarray:
        r = size * np.exp(z[0])
        R, V, others = field(z[1], z[3:])
        return np.concatenate([[R, V, r], r * others])

    def stops(sigma: float, z: np.ndarray) -> float:
        return z[0] - small

    stops.terminal = True  # type: ignore[attr-defined]
    start = np.concatenate([[0.0, np.arctan2(u[1], u[0]), 0.0], x])
    made = solve_ivp(rate, (0.0, 1e6), start, method="DOP853", rtol=1e-13, atol=1e-15, events=stops)
    last = made.y[:, -1]
    return Stop(float(last[2]), last[3:], float(last[1]))


def pool_ball_stops(ball: PoolBall, u: np.ndarray, v: np.ndarray, small: float = SMALL) -> Stop:
    """R = -(7/2) mu g - (K/m) v.n, V = -(K/m)(v_z cos phi - v_y sin phi), v' = -mu g n - (K/m) v; still water."""
    grip, k = ball.mu * ball.g, ball.K / ball.m

    def field(phi: float, w: np.ndarray) -> tuple[float, float, np.ndarray]:
        n = np.array([np.cos(phi), np.sin(phi)])
        return -3.5 * grip - k * float(w @ n), -k * float(w[1] * n[0] - w[0] * n[1]), -grip * n - k * w

    return until_stop(field, u, v, small)


def toy_stops(u: np.ndarray, x3: float) -> Stop:
    """R = -1 + x3 cos phi, V = -x3 sin phi, x3' = -cos phi - x3 (2.25)."""

    def field(phi: float, x: np.ndarray) -> tuple[float, float, np.ndarray]:
        return -1.0 + x[0] * np.cos(phi), -x[0] * np.sin(phi), np.array([-np.cos(phi) - x[0]])

    return until_stop(field, u, np.array([x3]))


def straight_slip_ends(ball: PoolBall, u: float, v: float) -> tuple[float, float]:
    """Slip and velocity along one line: the time of the end of slip and the velocity there, in closed form and by quadrature of v'(t).

    While u > 0: v' = -mu g - (K/m) v, so that v = (v0 + c) exp(-kt) - c with c = mu g/k, and u - v falls by (5/2) mu g per second:
    0 = u0 + v(t) - v0 - (5/2) mu g t.
    """
    k, grip = ball.K / ball.m, ball.mu * ball.g
    c = grip / k
    at = lambda t: (v + c) * np.exp(-k * t) - c
    end = float(brentq(lambda t: u + at(t) - v - 2.5 * grip * t, 0.0, 10.0 * (u + abs(v)) / grip, xtol=1e-15, rtol=1e-15))
    way, _ = quad(lambda t: -k * (v + c) * np.exp(-k * t), 0.0, end, epsabs=1e-14)
    return end, v + way


def surge_leaves(ball: PoolBall, since: float, v: np.ndarray) -> float:
    """When a ball that rolls since a time with velocity v leaves rolling: |v - w(t)| = 7 mu g m/(2K), w = (flow_y + surge sin(omega t), flow_z).

    Rolling, v' = -k (v - w), k = 5K/(7m) (2.45): in closed form v_y = flow_y + S (k sin wt - w cos wt) k/(k^2 + w^2) + C exp(-kt).
    """
    k, w = 5.0 * ball.K / (7.0 * ball.m), ball.omega
    swing = lambda t: ball.surge * k * (k * np.sin(w * t) - w * np.cos(w * t)) / (k * k + w * w)
    left = np.array([v[0] - ball.flow_y - swing(since), v[1] - ball.flow_z])

    def excess(t: float) -> float:
        fading = left * np.exp(-k * (t - since))
        past = np.array([fading[0] + swing(t) - ball.surge * np.sin(w * t), fading[1]])
        return float(np.hypot(*past)) - 3.5 * ball.mu * ball.g * ball.m / ball.K

    times = since + np.linspace(0.0, 2.0 * np.pi / w, 2001)
    values = [excess(t) for t in times]
    first = next(i for i, value in enumerate(values) if value > 0.0)
    return float(brentq(excess, times[first - 1], times[first], xtol=1e-15, rtol=1e-15))
