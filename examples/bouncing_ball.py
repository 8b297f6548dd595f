"""A ball on a vibrating table, as a system: what happens between impacts, where one happens, and what it does. For `bouncing.py` and the command line."""

from typing import NamedTuple

from rollick import describe, rate
from rollick.analysis.orbits import impact_gap, impact_map
from rollick.kernel import cos, sin


class Ball(NamedTuple):
    """A ball at the height x with the velocity v, on a table at A sin(omega t), with the restitution e."""

    A: float = 0.0045
    omega: float = 31.41592653589793
    e: float = 0.8
    g: float = 9.81


@rate.register(Ball)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -s.g + 0.0 * y[0]


@impact_gap.register(Ball)
def _(s, t, y):
    return y[0] - s.A * sin(s.omega * t)


@impact_map.register(Ball)
def _(s, t, y, out):
    table = s.A * s.omega * cos(s.omega * t)
    out[0] = y[0]
    out[1] = table - s.e * (y[1] - table)


describe(Ball, states={"x": "m", "v": "m/s"}, parameters={"A": "m", "omega": "rad/s", "g": "m/s^2"})
