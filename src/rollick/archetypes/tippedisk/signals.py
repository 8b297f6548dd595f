"""What a tippedisk tells at each instant, in every parametrisation: angles, height of S, energy, gap, contact velocities; and how it starts."""

from __future__ import annotations

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.hooks import highlights, kept, settle, start_state
from ...kernel.names import InputError, choose, number
from ...kernel.quaternion import quaternion_matrix
from ...kernel.scalar import atan2, cos, sin, sqrt
from ...kernel.system import describe, signals
from ...kernel.vector import cross, dot, matvec
from ...mechanics.sliding.summary import contact_energy, friction_highlights
from ...motion.contact.lasting import lasts
from .corotating import TippediskCorotating
from .euler import TippediskEuler
from .quaternion import TippediskQuaternion
from .starts import start

EULER = {
    "alpha": ("rad", "spinning angle"),
    "beta": ("rad", "inclination angle"),
    "gamma": ("rad", "rolling angle"),
}
SIGNALS = {
    "z_S": ("m", "height of the mass centre S"),
    "energy": ("J", "kinetic and potential energy"),
    "gap": ("m", "distance of the lowest point C1 from the plane"),
    "slip_x": ("m/s", "velocity of C1 along the rim, e_x of the G frame: rolling slip"),
    "slip_y": ("m/s", "velocity of C1 across: lateral slip"),
    "twist": ("rad/s", "angular velocity about the vertical"),
    "contour_speed": ("m/s", "gamma_R = -r gamma'"),
    "alpha_rate": ("rad/s", "spin speed"),
}
INTEGRALS = {
    "impulse": ("N s", "accumulated normal force"),
    "lost_sliding": ("J", "energy lost to sliding friction"),
    "lost_pivoting": ("J", "energy lost to pivoting friction"),
    "lost_contour": ("J", "energy lost to contour friction"),
    "lost_impacts": ("J", "energy lost in impacts, along the normal"),
    "lost_drag": ("J", "energy taken by a damping couple (none here)"),
}


@compiled
def write_common(disk, g, r, place, velocity, omega, out, first):
    """The signals from attitude r (rows), position and velocity of G in space axes, and omega in body axes; returns alpha'."""
    n = r[2]
    s = sqrt(n[0] * n[0] + n[1] * n[1])
    down = (-disk.r * n[0] / s, -disk.r * n[1] / s, 0.0 * s)  # r_GC1 in body axes
    offset = (disk.e + 0.0 * s, 0.0 * s, 0.0 * s)
    vs = matvec(r, cross(omega, offset))
    vS = (velocity[0] + vs[0], velocity[1] + vs[1], velocity[2] + vs[2])
    me2 = disk.m * disk.e * disk.e
    turning = disk.A * omega[0] * omega[0] + (disk.B - me2) * omega[1] * omega[1] + (disk.C - me2) * omega[2] * omega[2]
    height = place[2] + disk.e * n[0]
    slip = matvec(r, cross(omega, down))
    v1, v2 = velocity[0] + slip[0], velocity[1] + slip[1]
    # e_x^G, horizontal, in space axes: (cos alpha, sin alpha, 0) with e_z^B = (sin alpha sin beta, -cos alpha sin beta, cos beta)
    ca, sa = -r[1][2] / s, r[0][2] / s
    out[first] = height
    out[first + 1] = 0.5 * disk.m * dot(vS, vS) + 0.5 * turning + disk.m * g * height
    out[first + 2] = place[2] - disk.r * s
    out[first + 3] = ca * v1 + sa * v2
    out[first + 4] = -sa * v1 + ca * v2
    spin = (n[0] * omega[0] + n[1] * omega[1]) / (s * s)  # alpha' sin^2 beta = n1 w1 + n2 w2
    out[first + 5] = dot(n, omega)
    out[first + 6] = -disk.r * (omega[2] - n[2] * spin)
    return spin


@compiled
def euler_attitude(alpha, beta, gamma):
    """Rows of Z(alpha) X(beta) Z(gamma)."""
    ca, sa, cb, sb, cg, sg = cos(alpha), sin(alpha), cos(beta), sin(beta), cos(gamma), sin(gamma)
    return (
        (ca * cg - sa * cb * sg, -ca * sg - sa * cb * cg, sa * sb),
        (sa * cg + ca * cb * sg, -sa * sg + ca * cb * cg, -ca * sb),
        (sb * sg, sb * cg, cb),
    )


@compiled
def euler_spin(beta, gamma, ad, bd, gd):
    """omega in body axes, Sailer (3.66)."""
    cb, sb, cg, sg = cos(beta), sin(beta), cos(gamma), sin(gamma)
    return ad * sb * sg + bd * cg, ad * sb * cg - bd * sg, ad * cb + gd


@signals.register(TippediskQuaternion)
def _(s, t, y, out):
    r = quaternion_matrix((y[3], y[4], y[5], y[6]))
    out[0] = atan2(r[0][2], -r[1][2])
    out[1] = atan2(sqrt(r[2][0] * r[2][0] + r[2][1] * r[2][1]), r[2][2])
    out[2] = atan2(r[2][0], r[2][1])
    out[10] = write_common(s.disk, s.g, r, (y[0], y[1], y[2]), (y[7], y[8], y[9]), (y[10], y[11], y[12]), out, 3)


@signals.register(TippediskEuler)
def _(s, t, y, out):
    r = euler_attitude(y[3], y[4], y[5])
    omega = euler_spin(y[4], y[5], y[9], y[10], y[11])
    write_common(s.disk, s.g, r, (y[0], y[1], y[2]), (y[6], y[7], y[8]), omega, out, 0)


@signals.register(TippediskCorotating)
def _(s, t, y, out):
    r = euler_attitude(y[3], y[4], y[5])
    omega = euler_spin(y[4], y[5], y[9], y[10], y[11])
    ca, sa = cos(y[3]), sin(y[3])
    vx, vy = y[6] - y[9] * y[1], y[7] + y[9] * y[0]
    place = (ca * y[0] - sa * y[1], sa * y[0] + ca * y[1], y[2])
    write_common(s.disk, s.g, r, place, (ca * vx - sa * vy, sa * vx + ca * vy, y[8]), omega, out, 0)


def _positions(prefix: str) -> dict[str, tuple[str, str]]:
    frame = "in the inertial frame" if not prefix else "in the frame turned by alpha"
    return {
        f"x{prefix}": ("m", f"geometric centre G, {frame}"),
        f"y{prefix}": ("m", "geometric centre G"),
        "z": ("m", "geometric centre G"),
    }


def _rates(prefix: str) -> dict[str, tuple[str, str]]:
    names = (f"x{prefix}", f"y{prefix}", "z", "alpha", "beta", "gamma")
    return {f"{n}_rate": ("m/s" if k < 3 else "rad/s", "") for k, n in enumerate(names)}


PLOT = ("beta", "gamma", "z_S", "energy")
describe(
    TippediskQuaternion,
    {**_positions(""), "p0": ("", "attitude quaternion, scalar part"), "p1": "", "p2": "", "p3": "", "vx": ("m/s", "velocity of G"), "vy": "m/s",
     "vz": "m/s", "w1": ("rad/s", "angular velocity in body axes"), "w2": "rad/s", "w3": "rad/s"},
    {**EULER, **SIGNALS},
    INTEGRALS,
    plot=PLOT,
)  # fmt: skip
# In Euler angles the rate of alpha is a state; the signal of that name is left out there.
_FEWER = {k: v for k, v in SIGNALS.items() if k != "alpha_rate"}
describe(TippediskEuler, {**_positions(""), **EULER, **_rates("")}, _FEWER, INTEGRALS, plot=PLOT)
describe(TippediskCorotating, {**_positions("b"), **EULER, **_rates("b")}, _FEWER, INTEGRALS, plot=PLOT)

for _form in (TippediskQuaternion, TippediskEuler, TippediskCorotating):
    lasts(_form)

STARTS = ("alpha", "beta", "gamma", "alpha_rate", "beta_rate", "gamma_rate", "x", "y", "gap", "gap_rate", "slip_x", "slip_y")


def tippedisk_start(system, given):
    """The state of a start by names: alpha, beta, gamma and their rates, x and y of G, gap and its rate, slip of C1."""
    units = {"gap": "m", "x": "m", "y": "m", "slip_x": "m/s", "slip_y": "m/s", "gap_rate": "m/s"}
    values = {}
    for name, value in given.items():
        name = choose(name, STARTS, "start of a tippedisk")
        values[name] = number(value, name, units.get(name, "rad/s" if name.endswith("_rate") else "rad"))
    slip = (values.pop("slip_x", 0.0), values.pop("slip_y", 0.0))
    q, u = start(system, **values, slip=slip)
    return np.concatenate([q, u])


@start_state.register(TippediskQuaternion)
@start_state.register(TippediskEuler)
@start_state.register(TippediskCorotating)
def _(system, given):
    return tippedisk_start(system, given)


@settle.register(TippediskQuaternion)
def _(system, y):
    length = float(np.linalg.norm(y[3:7]))
    if not length > 0.0:
        raise InputError("the attitude quaternion p0..p3 is zero; p0 = 1 is the disk lying flat.")
    y = np.array(y, float)
    y[3:7] /= length
    return y, "" if abs(
        length - 1.0
    ) < 1e-9 else f"the start was adjusted: the attitude quaternion, of length {length:.9g}, was made a unit one."


@kept.register(TippediskQuaternion)
@kept.register(TippediskEuler)
@kept.register(TippediskCorotating)
def _(system):
    return contact_energy(system)


@highlights.register(TippediskQuaternion)
@highlights.register(TippediskEuler)
@highlights.register(TippediskCorotating)
def _(system, motion):
    lines = friction_highlights(motion, system.disk.m * system.g)
    if lines:
        up, down = system.disk.r + system.disk.e, system.disk.r - system.disk.e
        height = motion["z_S"][-1]
        state = "inverted" if height > up - 0.1 * system.disk.e else ("fallen" if height < 0.8 * down else "not inverted")
        lines.append(f"the disk is {state} at the end: z_S = {height:.6g} m (inverted {up:.6g}, non-inverted {down:.6g})")
    return lines
