"""The systems of these tests, few and shared: compiling them is what the tests cost.

Whatever is registered for them is registered here, so that all processes find the same machine code on disk.
"""

from typing import Any, NamedTuple

import numpy as np

from rollick.kernel import sin, sqrt
from rollick.kernel.hooks import diagnose, second_formulation
from rollick.kernel.system import describe, integrals, rate, signals
from rollick.mechanics import contact
from rollick.mechanics.laws import coulomb, friction


class Clock(NamedTuple):
    """x' = speed + 2 push t: a straight line or a parabola, over which the steps grow to anything."""

    speed: float = 1.0
    push: float = 0.0


@rate.register(Clock)
def _(clock, t, y, out):
    out[0] = clock.speed + 2.0 * clock.push * t


describe(Clock, {"x": "m"})


class Growth(NamedTuple):
    """y' = k y."""

    k: float = 1.0


@rate.register(Growth)
def _(s, t, y, out):
    out[0] = s.k * y[0]


describe(Growth, {"y": ""})


class Oscillator(NamedTuple):
    """x'' = -w^2 x - g: a spring, or (w = 0) a ball in the air. Closed forms for everything."""

    w: float = 1.0
    g: float = 0.0


@rate.register(Oscillator)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -s.w * s.w * y[0] - s.g


@signals.register(Oscillator)
def _(s, t, y, out):
    out[0] = 0.5 * (y[1] * y[1] + s.w * s.w * y[0] * y[0]) + s.g * y[0]
    out[1] = s.w * s.w * y[0] * y[0] - y[1] * y[1]


@integrals.register(Oscillator)
def _(s, t, y, out):
    out[0] = y[0]


describe(
    Oscillator,
    {"x": ("m", "displacement"), "v": "m/s"},
    signals={"energy": ("J", "energy per mass"), "doubled": "m^2/s^2"},
    integrals={"area": "m s"},
    plot=("x",),
)


@second_formulation.register(Oscillator)
def _(s):
    """For the tests of trust: the mirror image (g = 1), or one with a wrong frequency (g = 2)."""
    if s.g == 1.0:
        return Oscillator(s.w, -s.g), np.negative, lambda y, like: -y
    return (Oscillator(s.w * (1.0 + 1e-5), s.g), np.copy, lambda y, like: y) if s.g == 2.0 else None


class Kepler(NamedTuple):
    """A planet in the plane around a sun of strength mu."""

    mu: float = 1.0


@rate.register(Kepler)
def _(s, t, y, out):
    r2 = y[0] * y[0] + y[1] * y[1]
    k = -s.mu / (r2 * sqrt(r2))
    out[0] = y[2]
    out[1] = y[3]
    out[2] = k * y[0]
    out[3] = k * y[1]


describe(Kepler, {"x": "m", "y": "m", "vx": "m/s", "vy": "m/s"})


class Pendulum(NamedTuple):
    """phi'' = -sin phi, in units of its small oscillations."""


@rate.register(Pendulum)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -sin(y[0])


describe(Pendulum, {"phi": "rad", "omega": "rad/s"})


class VanDerPol(NamedTuple):
    """x'' = mu (1 - x^2) x' - x: stiff for large mu, except where it jumps."""

    mu: float = 1000.0


@rate.register(VanDerPol)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = s.mu * (1.0 - y[0] * y[0]) * y[1] - y[0]


describe(VanDerPol, {"x": "", "v": "1/s"})


BLOW_UP, DRAIN, SINGULAR, JUMP, BROKEN = 0, 1, 2, 3, 4


class Trouble(NamedTuple):
    """One state that comes to grief, in one of several ways."""

    kind: int


@rate.register(Trouble)
def _(s, t, y, out):
    if s.kind == BLOW_UP:  # x = 1/(1/x0 - t)
        out[0] = y[0] * y[0]
    elif s.kind == DRAIN:  # sqrt(x) = sqrt(x0) - t/2
        out[0] = -sqrt(y[0])
    elif s.kind == SINGULAR:  # the mass x vanishes: x^2 = x0^2 - 2 t
        out[0] = -1.0 / y[0]
    elif s.kind == JUMP:  # slides into a sign function and chatters about zero
        out[0] = -1.0 if y[0].real > 0.0 else 1.0
    else:  # never works
        out[0] = y[0] / (y[0] - y[0])


describe(Trouble, {"x": "m"})


@diagnose.register(Trouble)
def _(s, t, y):
    return "There is a hole in it, dear Liza." if s.kind == BROKEN and y[0] == 7.0 else ""


def straight(ts):
    """Steps of the motion x = t through the times ts, as an integrator would hand them to the search for events."""
    ts = np.asarray(ts, float)
    fs = np.zeros((ts.size - 1, 7, 1))
    fs[:, 0, 0] = np.diff(ts)
    return ts, ts[:, None].copy(), fs


class Slab(NamedTuple):
    """A point mass above a floor, by its own M, h, W and gap; it tells no signals."""

    mass: float = 1.0
    law: Any = friction(coulomb(0.3))
    e_N: float = 0.5
    floor: float = 0.0


@contact.positions.register(Slab)
def _(system):
    return 3


@contact.velocities.register(Slab)
def _(system):
    return 3


@contact.contact_count.register(Slab)
def _(system):
    return 1


@contact.position_rate.register(Slab)
def _(system, q, u, out):
    for i in range(3):
        out[i] = u[i]


@contact.mass_matrix.register(Slab)
def _(system, q, out):
    for i in range(3):
        for j in range(3):
            out[i, j] = system.mass if i == j else 0.0


@contact.smooth_forces.register(Slab)
def _(system, t, q, u, out):
    out[0], out[1], out[2] = 0.0, 0.0, -9.81 * system.mass


@contact.gap.register(Slab)
def _(system, t, q, k):
    return q[2] - system.floor


@contact.contact_rows.register(Slab)
def _(system, t, q, k, out):
    for i in range(3):
        for j in range(3):
            out[i, j] = 1.0 if (i, j) in ((0, 2), (1, 0), (2, 1)) else 0.0


describe(Slab, {"x": "m", "y": "m", "z": "m", "vx": "m/s", "vy": "m/s", "vz": "m/s"})
