"""The equations of the free flight (thesis 6.2.2 and C.1) as a system of Rollick.

States: the attitude quaternion q0..q3 (lander frame to solar frame, whose z axis points to the Sun), the lander's angular velocity
omega_x, omega_y, omega_z in the lander frame, and omega_rot, the speed of the wheel relative to the lander. The direction of the Sun in
the lander frame is the third row of the rotation matrix; it obeys (6.10), s' = -omega x s, and keeps its length exactly.

    spinning  (theta00 - u_z u_z' theta22) omega' = -(omega x L + u_z M_f),   L = theta00 omega + theta22 u_z omega_rot          (6.5)
              omega_rot' = M_f / theta22 - u_z.omega'                                                                           (6.6)
    held      theta00 omega' = -omega x L,   omega_rot' = 0,   with the torque M = theta22 u_z.omega' on the wheel                (6.9)

In the solar frame the total angular momentum is constant. The energy changes by the work of the torque on the wheel, M omega_rot.
The derivation in C.1 contains two wrong identities that cancel (E21); (6.5) and (6.6) are right.
"""

from __future__ import annotations

from contextvars import ContextVar

import numpy as np

from ...kernel.compiled import inlined
from ...kernel.hooks import guard, highlights, kept, start_state
from ...kernel.names import InputError, choose, number
from ...kernel.quaternion import make_unit, quaternion_matrix, quaternion_rate
from ...kernel.scalar import acos, maximum, minimum
from ...kernel.system import describe, integrals, project, rate, signals
from ...kernel.vector import cross, dot, matvec, norm, solve
from .lander import PARAMETERS, WHEEL_SPEED, Lander

STATES = {
    "q0": ("", "scalar part of the attitude quaternion, lander to solar frame"),
    "q1": "",
    "q2": "",
    "q3": "",
    "omega_x": ("rad/s", "angular velocity along the lander's x axis"),
    "omega_y": ("rad/s", "angular velocity along the lander's y axis"),
    "omega_z": ("rad/s", "angular velocity along the lander's z axis"),
    "omega_rot": ("rad/s", "speed of the flywheel relative to the lander"),
}
SIGNALS = {
    "sx": ("", "direction of the Sun along the lander's x axis"),
    "sy": ("", "direction of the Sun along the lander's y axis"),
    "sz": ("", "direction of the Sun along the lander's z axis"),
    "speed": ("rad/s", "angular speed of the lander"),
    "angle": ("rad", "angle between angular velocity and lander z axis"),
    "momentum": ("N m s", "angular momentum of lander and flywheel"),
    "LX": ("N m s", "angular momentum along X of the solar frame"),
    "LY": ("N m s", "angular momentum along Y of the solar frame"),
    "LZ": ("N m s", "angular momentum towards the Sun"),
    "energy": ("J", "kinetic energy of the rotation"),
    "torque": ("N m", "torque on the flywheel about its axis"),
}
INTEGRALS = {"work": ("J", "work done on the flywheel by friction or motor")}


@inlined
def total_momentum(l, w, spin):
    """L in the lander frame."""
    return (
        l.xx * w[0] + l.xy * w[1] + l.xz * w[2],
        l.xy * w[0] + l.yy * w[1] + l.yz * w[2],
        l.xz * w[0] + l.yz * w[1] + l.zz * w[2] + l.wheel * spin,
    )


@inlined
def accelerations(l, w, spin):
    """omega', omega_rot' and the torque on the wheel."""
    held = l.sense == 0.0
    L = total_momentum(l, w, spin)
    friction = -l.sense * (l.mu_0 + l.mu_1 * l.sense * spin)  # (6.8), smooth as long as the wheel keeps its sense
    c = cross(w, L)
    zz = l.zz if held else l.zz - l.wheel
    dw = solve(((l.xx, l.xy, l.xz), (l.xy, l.yy, l.yz), (l.xz, l.yz, zz)), (-c[0], -c[1], -c[2] - friction))  # (6.5)
    torque = l.wheel * dw[2] if held else friction  # (C.21)
    dspin = 0.0 * spin if held else friction / l.wheel - dw[2]  # (6.6)
    return dw, dspin, torque


@rate.register(Lander)
def _(l, t, y, out):
    w = (y[4], y[5], y[6])
    dw, dspin, _ = accelerations(l, w, y[7])
    dq = quaternion_rate((y[0], y[1], y[2], y[3]), w)
    out[0] = dq[0]
    out[1] = dq[1]
    out[2] = dq[2]
    out[3] = dq[3]
    out[4] = dw[0]
    out[5] = dw[1]
    out[6] = dw[2]
    out[7] = dspin


@project.register(Lander)
def _(l, y):
    make_unit(y, 0)
    return True


@integrals.register(Lander)
def _(l, t, y, out):
    _, _, torque = accelerations(l, (y[4], y[5], y[6]), y[7])
    out[0] = torque * y[7]


@signals.register(Lander)
def _(l, t, y, out):
    w, spin = (y[4], y[5], y[6]), y[7]
    r = quaternion_matrix((y[0], y[1], y[2], y[3]))
    L = total_momentum(l, w, spin)
    world = matvec(r, L)
    size = norm(w)
    _, _, torque = accelerations(l, w, spin)
    out[0] = r[2][0]
    out[1] = r[2][1]
    out[2] = r[2][2]
    out[3] = size
    out[4] = acos(maximum(-1.0, minimum(1.0, w[2] / size))) if size > 0.0 else 0.0
    out[5] = norm(L)
    out[6] = world[0]
    out[7] = world[1]
    out[8] = world[2]
    out[9] = 0.5 * (dot(w, L) + l.wheel * spin * (w[2] + spin))
    out[10] = torque


def facing(s) -> np.ndarray:
    """The attitude in which the Sun stands in the direction s of the lander frame: the shortest turn that brings s to the solar z axis."""
    s = np.asarray(s, float)
    size = np.linalg.norm(s)
    if s.shape != (3,) or not np.isfinite(size) or size == 0.0:
        raise InputError(f"the direction of the Sun must be three numbers that are not all zero; got {s.tolist()}.")
    s = s / size
    q = np.array([1.0 + s[2], s[1], -s[0], 0.0]) if s[2] > -1.0 + 1e-12 else np.array([0.0, 1.0, 0.0, 0.0])
    return q / np.linalg.norm(q)


def state(s, omega, omega_rot: float = WHEEL_SPEED) -> np.ndarray:
    """The state with the Sun in a direction s of the lander frame."""
    return np.array([*facing(s), *map(float, omega), float(omega_rot)])


@start_state.register(Lander)
def _(system, given):
    sun = {"sx": 0.0, "sy": 0.0, "sz": 0.0}
    y = np.zeros(len(STATES))
    y[0] = 1.0
    names = list(STATES)
    for name, value in given.items():
        name = choose(name, [*names, *sun], "start of the lander")
        if name in sun:
            sun[name] = number(value, name)
        else:
            y[names.index(name)] = number(value, name, "rad/s" if name.startswith("omega") else "")
    if any(name in given for name in sun):
        if any(name in given for name in names[:4]):
            raise InputError("give the attitude either by sx, sy, sz or by q0..q3, not by both.")
        y[:4] = facing(list(sun.values()))
    elif "q0" not in given and any(name in given for name in names[1:4]):
        y[0] = 0.0
    return y


# Whether somebody looks for the moment at which the wheel stops (`flight.fly`), so that no guard is needed.
watched: ContextVar[bool] = ContextVar("watched", default=False)


@guard.register(Lander)
def _(system):
    if system.sense == 0.0 or watched.get():
        return None

    def across(t, y):
        wrong = np.flatnonzero(system.sense * y[1:, 7] < 0.0)
        if wrong.size == 0:
            return None
        return int(wrong[0]), (
            "The flywheel comes to a stop in the next step, and its friction changes; "
            "rollick.archetypes.lander.fly goes on from there, stuck or reversed."
        )

    return across


@kept.register(Lander)
def _(system):
    return {"energy": ("energy", "-work"), **{f"angular momentum {name}": (name,) for name in ("LX", "LY", "LZ")}}


@highlights.register(Lander)
def _(system, motion):
    lines: list[str] = []
    if motion.t.size == 0:
        return lines
    lines.append(f"angular momentum: {motion['momentum'][0]:.9g} N m s")
    energy = motion["energy"]
    if motion.q is not None:
        lines.append(f"energy: {energy[0]:.6g} -> {energy[-1]:.6g} J, work on the wheel {motion['work'][-1]:.6g} J")
    lines += [f"{e.name} at t = {e.t:.6g} s" for e in motion.events[:4]]
    sz = motion["sz"]
    lines.append(
        f"the Sun stands {np.degrees(np.arcsin(np.clip(sz.min(), -1, 1))):.1f} .. {np.degrees(np.arcsin(np.clip(sz.max(), -1, 1))):.1f} deg above the lander's x-y plane"
    )
    return lines


describe(
    Lander,
    STATES,
    SIGNALS,
    INTEGRALS,
    PARAMETERS,
    about="A lander with a flywheel along its z axis, in free flight.",
    plot=("sz", "omega_x", "omega_y", "omega_z", "omega_rot", "angle"),
)
