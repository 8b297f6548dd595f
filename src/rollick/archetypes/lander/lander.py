"""The lander: mass, inertia and flywheel, and the checks that it can exist.

A rigid lander carries a flywheel whose axis is the lander's z axis. theta00 is the inertia of both about their mass centre in the lander
frame; theta22 the axial moment of inertia of the wheel; omega_rot its speed relative to the lander. The bearing's friction torque on the
wheel is, from a run-down fitted by c1 exp(c2 t) + c3 (6.7),

    M_f = -sign(omega_rot) (mu_0 + mu_1 |omega_rot|),   mu_0 = c2 c3 theta22,   mu_1 = -c2 theta22.                              (6.8)

The printed mu_0 = 1.0e-3 N m and mu_1 = 2.68e-6 N m s are these, rounded.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, choose, number
from ...kernel.system import validate
from .telemetry import numbers

_MASS, _WHEEL = numbers("mass"), numbers("flywheel")
WHEEL_SPEED = _WHEEL["omega_rot"]
FORWARD, HELD, BACKWARD = 1.0, 0.0, -1.0


class Lander(NamedTuple):
    """Philae: a rigid body with a flywheel along its z axis; free flight. The defaults are those of the thesis.

    `sense` says how the wheel moves: 1 it spins with omega_rot > 0, -1 with omega_rot < 0, against friction in both cases; 0 it keeps its
    speed, stuck in its bearing (omega_rot = 0) or driven by its motor.
    """

    m: float = _MASS["m"]
    xx: float = _MASS["xx"]
    xy: float = _MASS["xy"]
    xz: float = _MASS["xz"]
    yy: float = _MASS["yy"]
    yz: float = _MASS["yz"]
    zz: float = _MASS["zz"]
    wheel: float = _MASS["wheel"]
    mu_0: float = _WHEEL["c2"] * _WHEEL["c3"] * _MASS["wheel"]
    mu_1: float = -_WHEEL["c2"] * _MASS["wheel"]
    sense: float = FORWARD


PARAMETERS = {
    "m": ("kg", "mass"),
    "xx": ("kg m^2", "inertia theta00 of lander and flywheel"),
    "xy": ("kg m^2", "inertia, matrix entry"),
    "xz": ("kg m^2", "inertia, matrix entry"),
    "yy": ("kg m^2", "inertia"),
    "yz": ("kg m^2", "inertia, matrix entry"),
    "zz": ("kg m^2", "inertia about the axis of the flywheel"),
    "wheel": ("kg m^2", "axial inertia theta22 of the flywheel"),
    "mu_0": ("N m", "dry friction of the bearing"),
    "mu_1": ("N m s", "viscous friction of the bearing"),
    "sense": ("", "how the wheel moves: 1 forward, -1 backward, 0 it keeps its speed"),
}


def inertia(lander: Lander) -> np.ndarray:
    """theta00 as a matrix."""
    l = lander
    return np.array([[l.xx, l.xy, l.xz], [l.xy, l.yy, l.yz], [l.xz, l.yz, l.zz]])


def impossible(lander: Lander) -> str:
    """Why a lander cannot exist; "" if it can."""
    for name, value in zip(lander._fields, lander):
        if not math.isfinite(value):
            return f"{name} = {value!r} is not a finite number."
    for name in ("m", "xx", "yy", "zz", "wheel"):
        if getattr(lander, name) <= 0.0:
            return f"{name} = {getattr(lander, name):g} must be above zero."
    for name in ("mu_0", "mu_1"):
        if getattr(lander, name) < 0.0:
            return f"{name} = {getattr(lander, name):g} must not be negative."
    if lander.sense not in (FORWARD, HELD, BACKWARD):
        return f"sense = {lander.sense:g} must be 1, 0 or -1."
    moments = np.linalg.eigvalsh(inertia(lander))
    if moments[0] <= 0.0:
        return "the inertia matrix is not positive definite; lower the entries xy, xz, yz."
    if moments[0] + moments[1] < moments[2] * (1.0 - 1e-12):
        return (
            f"no mass distribution has the principal moments {moments[0]:g}, {moments[1]:g}, {moments[2]:g}: "
            "the largest exceeds the sum of the others (triangle inequality)."
        )
    body = inertia(lander)
    body[2, 2] -= lander.wheel
    if np.linalg.eigvalsh(body)[0] <= 0.0:
        return f"the flywheel's inertia wheel = {lander.wheel:g} leaves nothing for the lander; it must be well below zz = {lander.zz:g}."
    return ""


@validate.register(Lander)
def _(lander):
    problem = impossible(lander)
    if problem:
        raise InputError(f"this lander cannot exist: {problem}")


def lander(**given: Any) -> Lander:
    """A checked lander: Philae, with the given parameters changed."""
    values = {}
    for name, value in given.items():
        name = choose(name, Lander._fields, "parameter of the lander")
        values[name] = number(value, name, PARAMETERS[name][0])
    made = Lander(**values)
    validate(made)
    return made
