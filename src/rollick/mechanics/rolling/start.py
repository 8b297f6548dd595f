"""How a rolling body starts: from angles or quaternion, pulled onto its constraints, and never flat on a circle."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...kernel.hooks import diagnose, guard, settle, start_integrals, start_state
from ...kernel.names import InputError, choose, number
from ...kernel.quaternion import quaternion_matrix
from ..euler import from_zxy, from_zxz, zxz_spin
from ..shapes.convex import flat_axis
from ..shapes.smoothness import LINE, smoothness
from .equations import Marble, Rubber

ZXZ = {"theta": "rad", "phi": "rad", "psi": "rad"}
RATES = {"theta_rate": "rad/s", "phi_rate": "rad/s", "psi_rate": "rad/s"}
ZXY = {"alpha": "rad", "beta": "rad", "gamma": "rad"}
QUATERNION = {"q0": "", "q1": "", "q2": "", "q3": ""}
OMEGA = {"omega1": "rad/s", "omega2": "rad/s", "omega3": "rad/s"}
SPIN = {"spin": "rad/s"}
TRACK = {"x": "m", "y": "m"}
FLAT = 1e-7  # the sine of the angle below which a torus or a disk counts as lying flat
FALLEN = "The body has fallen flat: there it touches along a circle, and rolling on a point ends."
UPRIGHT = "The body stands upright: there it touches along a line, goes over to its other edge, and rolling on a point ends."
WAYS = (
    "theta, phi, psi (nutation, yaw, rotation about e3) and their rates theta_rate, phi_rate, psi_rate; or alpha, beta, gamma "
    "(roll, pitch, yaw from e3 upright); or q0..q3; with omega1..3 in body axes, and spin about the normal; and x, y, where the contact point starts"
)


def rolling_start(system: Any, given: dict[str, Any], what: str = "rolling body", also: Iterable[str] = ()) -> np.ndarray:
    """The state of a rolling body from names and values; see `WAYS`. Rubber without `phi_rate` starts without twist.

    `what` it is called where a name is unknown, and which names it knows besides (`also`), which others have read.
    """
    known = {**ZXZ, **RATES, **ZXY, **QUATERNION, **OMEGA, **SPIN, **TRACK}
    v = {}
    for name, value in given.items():
        name = choose(name, dict.fromkeys([*known, *also]), f"start of a {what}")
        v[name] = number(value, name, known[name])
    used = [group for group in (ZXZ, ZXY, QUATERNION) if any(name in v for name in group)]
    if len(used) > 1 or (any(n in v for n in RATES) and used not in ([ZXZ], [])):
        raise InputError(f"the start {', '.join(v)} mixes two ways of stating an attitude; give either {WAYS}.")
    if any(n in v for n in RATES) and any(n in v for n in OMEGA):
        raise InputError(f"the start {', '.join(v)} states the angular velocity twice; give rates of the angles or omega1..3.")
    get = lambda name: v.get(name, 0.0)
    if used == [QUATERNION]:
        q = tuple(get(n) for n in QUATERNION)
    elif used == [ZXY]:
        q = from_zxy(get("gamma"), get("alpha"), get("beta"))
    else:
        q = from_zxz(get("phi"), get("theta"), get("psi"))
    omega = np.array([get(n) for n in OMEGA])
    if any(n in v for n in RATES):
        theta, psi_rate = get("theta"), get("psi_rate")
        free = -math.cos(theta) * psi_rate if isinstance(system, Rubber) else 0.0
        omega = np.array(zxz_spin(theta, get("psi"), v.get("phi_rate", free), get("theta_rate"), psi_rate))
    if "spin" in v:
        omega = omega + v["spin"] * np.array(quaternion_matrix(q)[2])
    return np.array([*q, *omega])


@start_state.register(Marble)
@start_state.register(Rubber)
def _(system, given):
    return rolling_start(system, given)


@start_integrals.register(Marble)
@start_integrals.register(Rubber)
def _(system, given):
    return {name: number(given[name], name, unit) for name, unit in TRACK.items() if name in given}


def lean(system: Any, y: np.ndarray) -> np.ndarray | None:
    """For bodies that can lie flat on a circle: the part of the normal across that circle's axis, one row per state; None for others.

    Its length is the sine of the angle between body and plane: zero when the body lies flat.
    """
    return None if flat_axis(system.body.shape) is None else lean_and_rise(system, y)[0]


def lean_and_rise(system: Any, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The parts of the normal across and along the axis about which a body lies flat on a circle, one row per state."""
    w, x, v, z = np.atleast_2d(y)[:, :4].T
    gamma = np.stack([2.0 * (x * z - w * v), 2.0 * (v * z + w * x), w * w - x * x - v * v + z * z], axis=1)
    axis = np.array(flat_axis(system.body.shape)[0])
    along = gamma @ axis
    return gamma - along[:, None] * axis, along


def make_attitude_unit(y: np.ndarray, first: int) -> list[str]:
    """Make the quaternion that begins at y[first] a unit one, in place; what was changed, in words."""
    attitude = y[first : first + 4]
    length = float(np.linalg.norm(attitude))
    if not length > 0.0:
        raise InputError("the attitude quaternion q0..q3 is zero; q0 = 1 is the attitude with e3 upright.")
    attitude /= length
    if abs(length - 1.0) > 1e-9:
        return [f"the attitude quaternion, of length {length:.9g}, was made a unit one"]
    return []


def refuse_flat(system: Any, attitude: np.ndarray) -> None:
    """Refuse an attitude (a unit quaternion) in which a body lies flat on a circle: it has no one contact point."""
    across = lean(system, attitude)
    if across is not None and np.linalg.norm(across) < FLAT:
        raise InputError(
            f"the body cannot start like this: it lies flat and touches along a circle of radius {flat_axis(system.body.shape)[1]:g} m; "
            f"tilt it, e.g. theta = 5deg, so that it touches at one point."
        )


def _normalised(system: Any, y: np.ndarray) -> tuple[np.ndarray, list[str]]:
    y = np.array(y, float)
    said = make_attitude_unit(y, 0)
    refuse_flat(system, y[:4])
    return y, said


def _sentence(said: list[str]) -> str:
    return "the start was adjusted: " + "; ".join(said) + "." if said else ""


@settle.register(Marble)
def _(system, y):
    y, said = _normalised(system, y)
    return y, _sentence(said)


@settle.register(Rubber)
def _(system, y):
    y, said = _normalised(system, y)
    gamma = np.array(quaternion_matrix(tuple(y[:4]))[2])
    twist = float(gamma @ y[4:])
    before = tuple(y[4:])
    y[4:] -= twist * gamma
    y[4:] -= float(gamma @ y[4:]) * gamma
    if abs(twist) > 1e-9 * (1.0 + float(np.linalg.norm(before))):
        text = [", ".join(f"{x:.6g}" for x in w) for w in (before, y[4:])]
        said.append(
            f"rubber does not twist, so the angular velocity about the normal, {twist:.6g} rad/s, was taken out "
            f"(omega1..3 from {text[0]} to {text[1]} rad/s)"
        )
    return y, _sentence(said)


@diagnose.register(Marble)
@diagnose.register(Rubber)
def _(system, t, y):
    across = lean(system, y)
    return FALLEN if across is not None and np.linalg.norm(across) < 0.02 else ""


@guard.register(Marble)
@guard.register(Rubber)
def _(system):
    if flat_axis(system.body.shape) is None:
        return None
    on_line = smoothness(system.body.shape).flat == LINE

    def fallen(t: np.ndarray, y: np.ndarray) -> tuple[int, str] | None:
        # A step in which the normal passed to the other side of the axis has stepped over the circle; of a cylinder, one in which it passed the equator, over the line.
        across, along = lean_and_rise(system, y)
        turned = np.flatnonzero(np.einsum("ij,ij->i", across[:-1], across[1:]) < 0.0)
        passed = np.flatnonzero(along[:-1] * along[1:] < 0.0) if on_line else turned[:0]
        found = [(int(steps[0]), words) for steps, words in ((turned, FALLEN), (passed, UPRIGHT)) if steps.size]
        return min(found, default=None)

    return fallen
