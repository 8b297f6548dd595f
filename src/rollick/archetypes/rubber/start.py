"""How the reduced flow starts, where its coordinates end, and how its motions compare with the full body."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.hooks import diagnose, guard, highlights, kept, second_formulation, settle, start_state
from ...kernel.names import InputError, choose, number
from ...mechanics.euler import from_zxz, zxz_from, zxz_spin
from .body import RubberBody, full, heights, mass_B, nose_squared, potential

SMALLEST = 1e-7  # sin(theta) at a turning point below which the barrier at the axis cannot be resolved
ARRIVED = 1e-9  # theta from the vertical at which a planar fall has ended
VERTICAL = (
    "The axis has come to the vertical, where the coordinates of the reduced flow end (l = 0 has no barrier there): a torus or disk "
    "falls flat, a round body rolls on; simulate full(body)."
)
NAMES = {
    "theta": "rad",
    "theta_rate": "rad/s",
    "psi_rate": "rad/s",
    "phi": "rad",
    "psi": "rad",
    "p": "kg m^2/s",
    "ell": "(J)^(1/2)",
    "x": "m",
    "y": "m",
}


def start_rolling(
    body: RubberBody, theta: float | str, theta_rate: float | str = 0.0, psi_rate: float | str = 0.0, phi: float | str = 0.0
) -> np.ndarray:
    """The reduced state of a rolling start: nutation, its rate, the rate of psi, and the yaw."""
    return reduced_start(body, {"theta": theta, "theta_rate": theta_rate, "psi_rate": psi_rate, "phi": phi})


def reduced_start(body: RubberBody, given: dict[str, Any]) -> np.ndarray:
    """The reduced state from names and values: theta with theta_rate (or p) and psi_rate (or ell), and phi, psi, x, y."""
    v = {}
    for name, value in given.items():
        name = choose(name, NAMES, "start of a reduced rubber body")
        v[name] = number(value, name, NAMES[name])
    for rate, momentum in (("theta_rate", "p"), ("psi_rate", "ell")):
        if rate in v and momentum in v:
            raise InputError(f"the start gives both {rate} and {momentum}, which say the same; keep one.")
    if "theta" not in v:
        raise InputError("the start needs theta, the nutation, e.g. theta=60deg.")
    theta = checked_nutation(v["theta"])
    ell = v.get("ell", math.sqrt(nose_squared(body, theta)) * math.sin(theta) ** 2 * v.get("psi_rate", 0.0))
    p = v.get("p", mass_B(body, theta)[0] * v.get("theta_rate", 0.0))
    return np.array([theta, p, ell, v.get("psi", 0.0), v.get("phi", 0.0), v.get("x", 0.0), v.get("y", 0.0)])


def checked_nutation(theta: float) -> float:
    """theta strictly between 0 and pi."""
    if not SMALLEST < theta < math.pi - SMALLEST:
        raise InputError(
            f"theta = {theta:.6g} must lie strictly between 0 and pi: there the axis is vertical, a torus or a disk lies flat on a circle, "
            f"and the angles phi and psi are undefined. A round body can start there in its full form."
        )
    return theta


def full_start(
    theta: float, theta_rate: float, psi_rate: float, phi: float = 0.0, psi: float = 0.0, phi_rate: float | None = None
) -> np.ndarray:
    """The same start for the full body in quaternions: R = Z(phi) X(theta) Z(psi); without `phi_rate` there is no twist (8)."""
    if phi_rate is None:
        phi_rate = -math.cos(theta) * psi_rate
    return np.array([*from_zxz(phi, theta, psi), *zxz_spin(theta, psi, phi_rate, theta_rate, psi_rate)])


@start_state.register(RubberBody)
def _(body, given):
    return reduced_start(body, given)


def too_weak(body: RubberBody, theta: float, p: float, ell: float) -> str:
    """Why the barrier l^2/(2 sin^2) cannot be resolved on this motion; "" if it can.

    Where m g z_C alone would let the body fall to the axis, the barrier turns it back at sin(theta) = |l| / sqrt(2 (E - m g z_C)).
    """
    B, _ = mass_B(body, theta)
    energy = 0.5 * p * p / B + potential(body, ell, theta)[0]
    for pole in (0.0, math.pi):
        way = np.linspace(theta, pole, 200)[1:]
        room = [energy - body.m * body.g * heights(body, float(a))[0] for a in way]
        if min(room) > 0.0 and abs(ell) / math.sqrt(2.0 * room[-1]) < SMALLEST:
            least = SMALLEST * math.sqrt(2.0 * room[-1])
            return (
                f"l = {ell:.3g} is so small that the barrier l^2/(2 sin^2 theta) would turn the body back only at sin(theta) = "
                f"{abs(ell) / math.sqrt(2.0 * room[-1]):.2g}, which cannot be resolved; take |l| >= {least:.2g} "
                f"(psi_rate >= {least / (math.sqrt(nose_squared(body, theta)) * math.sin(theta) ** 2):.2g} rad/s here), or psi_rate = 0: planar rolling."
            )
    return ""


@settle.register(RubberBody)
def _(body, y):
    theta, p, ell = (float(v) for v in y[:3])
    checked_nutation(theta)
    if ell != 0.0:
        problem = too_weak(body, theta, p, ell)
        if problem:
            raise InputError(problem)
    return y, ""


@guard.register(RubberBody)
def _(body):
    def arrived(t: np.ndarray, y: np.ndarray) -> tuple[int, str] | None:
        # The rates are not numbers beyond the axis, so that the steps shrink towards it; here they have come as close as makes no difference.
        there = np.flatnonzero((y[:, 0] <= ARRIVED) | (y[:, 0] >= math.pi - ARRIVED))
        return (int(there[0]), VERTICAL) if there.size else None

    return arrived


@diagnose.register(RubberBody)
def _(body, t, y):
    return VERTICAL if not 1e-3 < y[0] < math.pi - 1e-3 else ""


@second_formulation.register(RubberBody)
def _(body):
    def forth(y: np.ndarray) -> np.ndarray:
        theta, p, ell, psi, phi = (float(v) for v in y[:5])
        spin = ell / (math.sqrt(nose_squared(body, theta)) * math.sin(theta) ** 2)
        return full_start(theta, p / mass_B(body, theta)[0], spin, phi, psi)

    def back(states: np.ndarray, like: np.ndarray) -> np.ndarray:
        # The track of the full body is an accumulated integral, not a state: x and y are judged by the tighter tolerance alone.
        phi, theta, psi = zxz_from(states[:, :4])
        omega = states[:, 4:]
        found = like.copy()
        found[:, 0] = theta
        turn = omega[:, 0] * np.cos(psi) - omega[:, 1] * np.sin(psi)
        found[:, 1] = [mass_B(body, float(a))[0] * w for a, w in zip(theta, turn)]
        found[:, 2] = [math.sqrt(nose_squared(body, float(a))) * w for a, w in zip(theta, omega[:, 2])]  # l = N Omega3
        for column, angle in ((3, psi), (4, phi)):
            found[:, column] = angle + 2.0 * np.pi * np.round((like[:, column] - angle) / (2.0 * np.pi))
        return found

    return full(body), forth, back


@kept.register(RubberBody)
def _(body):
    return {"energy": ("energy",)} if body.sigma == 0.0 else {}


@highlights.register(RubberBody)
def _(body, motion):
    from .quadrature import nutation_from

    if motion.t.size == 0:
        return []
    energy, ell = motion["energy"], motion["ell"]
    lines = [
        f"energy: {energy[0]:.9g} -> {energy[-1]:.9g} J (relative change {abs(energy[-1] / energy[0] - 1.0):.1e}); "
        f"ell: {ell[0]:.9g} -> {ell[-1]:.9g}"
    ]
    if body.sigma == 0.0 and ell[0] != 0.0:
        try:
            lines.append(nutation_from(body, motion.y[0]).sentence())
        except InputError as error:
            lines.append(str(error))
    return lines
