"""The systems of the tests of sensitivities, fits, exponents, basins and charts: few, since compiling them is what the tests cost."""

from typing import NamedTuple

from rollick.analysis.sensitivity import Reset
from rollick.kernel import cos, describe, integrals, rate, signals, sin
from rollick.motion.events.event import Event


class Drag(NamedTuple):
    """A part of a system."""

    c: float


class Swing(NamedTuple):
    """A pendulum with drag and a push A cos(w t)."""

    mass: float = 1.0
    length: float = 1.0
    drag: Drag = Drag(0.1)
    g: float = 9.81
    A: float = 0.0
    w: float = 2.0


@rate.register(Swing)
def _(p, t, y, out):
    out[0] = y[1]
    out[1] = -p.g / p.length * sin(y[0]) - p.drag.c / (p.mass * p.length * p.length) * y[1] + p.A * cos(p.w * t)


@signals.register(Swing)
def _(p, t, y, out):
    v = p.length * y[1]
    out[0] = 0.5 * p.mass * v * v + p.mass * p.g * p.length * (1.0 - cos(y[0]))
    out[1] = abs(p.length) * y[1]  # abs drops imaginary parts: sensitivities must notice


@integrals.register(Swing)
def _(p, t, y, out):
    out[0] = p.drag.c * y[1] * y[1]


describe(
    Swing,
    {"phi": "rad", "omega": "rad/s"},
    signals={"energy": "J", "speed": "m/s"},
    integrals={"lost": "J"},
    parameters={"mass": "kg", "length": "m", "g": "m/s^2", "A": "rad/s^2", "w": "rad/s"},
)


class Stubborn(NamedTuple):
    """x' = -k x, k compared in the equations: they take no complex k."""

    k: float = 0.7


@rate.register(Stubborn)
def _(p, t, y, out):
    out[0] = -p.k * y[0] if p.k > 0.0 else 0.0 * y[0]


describe(Stubborn, {"x": ""})


class Ball(NamedTuple):
    """A ball above a table x = A sin(W t), in air (k): flights and bounces."""

    g: float = 9.81
    e: float = 0.8
    k: float = 0.0
    A: float = 0.0
    W: float = 7.0


@rate.register(Ball)
def _(p, t, y, out):
    out[0] = y[1]
    out[1] = -p.g - p.k * y[1]


describe(Ball, {"x": "m", "v": "m/s"})


def gap(p, t, y):
    """The height above the table."""
    return y[0] - p.A * sin(p.W * t)


def bounced(p, t, y):
    """Newton's impact law against the table."""
    u = p.A * p.W * cos(p.W * t)
    return y[0], u - p.e * (y[1] - u)


HIT = Event(gap, "falling", name="hit")
BOUNCE = Reset(HIT, bounced, "bounce")


class Duffing(NamedTuple):
    """x'' = x - x^3 - c x': two wells."""

    c: float = 0.2


@rate.register(Duffing)
def _(p, t, y, out):
    out[0] = y[1]
    out[1] = y[0] - y[0] * y[0] * y[0] - p.c * y[1]


describe(Duffing, {"x": "", "v": ""})


class Lorenz63(NamedTuple):
    """Lorenz's equations."""

    s: float = 10.0
    r: float = 28.0
    b: float = 8.0 / 3.0


@rate.register(Lorenz63)
def _(p, t, y, out):
    out[0] = p.s * (y[1] - y[0])
    out[1] = y[0] * (p.r - y[2]) - y[1]
    out[2] = y[0] * y[1] - p.b * y[2]


describe(Lorenz63, {"x": "", "y": "", "z": ""})


class Rossler(NamedTuple):
    """Rossler's equations."""

    a: float = 0.2
    b: float = 0.2
    c: float = 5.7


@rate.register(Rossler)
def _(p, t, y, out):
    out[0] = -y[1] - y[2]
    out[1] = y[0] + p.a * y[1]
    out[2] = p.b + y[2] * (y[0] - p.c)


describe(Rossler, {"x": "", "y": "", "z": ""})
