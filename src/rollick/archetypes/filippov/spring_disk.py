"""A disk that slips or rolls along a line, held by a spring (Example 2.7): a Filippov system of codimension one.

`spring_disk(...)` answers what happens at states without slip, `SpringDisk(...)` is the same disk as a system that simulates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...analysis.filippov.theory.points import positive
from ...analysis.filippov.theory.switching import Switching
from ...kernel.system import describe, signals, validate
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load, slip_size


def spring_disk(m: float = 1.0, k: float = 1.0, mu: float = 0.1, g: float = 9.81) -> Switching:
    """x = (w, v, u): position and velocity of the centre, slip. F = (v, -kw/m - mu g sgn u, -kw/m - 3 mu g sgn u) (2.11).

    It rolls, u = 0, while |w| < 3 mu g m/k, with F_s = (v, -2kw/(3m), 0) (2.13).
    """
    for name, value in {"m": m, "k": k, "mu": mu, "g": g}.items():
        positive(value, name)

    def slipping(sign: float):
        def rate(x: np.ndarray) -> np.ndarray:
            pull = -k * x[0] / m
            return np.array([x[1], pull - sign * mu * g, pull - 3.0 * sign * mu * g])

        return rate

    return Switching(slipping(1.0), slipping(-1.0), lambda x: x[2], lambda x: np.array([0.0, 0.0, 1.0]), names=("w", "v", "u"))


class SpringDisk(NamedTuple):
    """A homogeneous disk that slips or rolls along a line, held by a spring (Example 2.7): one component of slip. r: its radius, for the spin (v - u)/r."""

    m: float = 1.0
    k: float = 1.0
    mu: float = 0.1
    g: float = 9.81
    r: float = 0.5


describe(
    SpringDisk,
    {"w": ("m", "position of the centre"), "v": ("m/s", "its velocity"), "u": ("m/s", "slip")},
    {"energy": ("J", "kinetic energy and that of the spring")},
    parameters={
        "m": ("kg", "mass"),
        "k": ("N/m", "stiffness of the spring"),
        "mu": ("", "coefficient of friction"),
        "g": ("m/s^2", "gravity"),
        "r": ("m", "radius, for the spin"),
    },
    plot=("w", "u", "energy"),
)


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


@signals.register(SpringDisk)
def _(disk, t, y, out):
    turn = y[1] - y[2]
    out[0] = 0.5 * disk.m * (y[1] * y[1] + 0.5 * turn * turn) + 0.5 * disk.k * y[0] * y[0]


@validate.register(SpringDisk)
def _(disk):
    for name in ("m", "k", "mu", "g", "r"):
        positive(getattr(disk, name), f"{name} of SpringDisk")
