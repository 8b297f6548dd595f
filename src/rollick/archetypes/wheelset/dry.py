"""The wheelset with Coulomb friction at both contacts (chapter 5): a system for `method="event-driven"`.

States x = [y, Psi, u1+, u1-, ua] (5.31): lateral displacement, Psi = b psi, slips along the rails at P+ (left) and P- (right), and across (common to both).
With A = alpha_psi^2 - omega_L^2, B = alpha_y^2 - omega_L^2 and forces T per mass (5.32)-(5.34, corrected: errata 46, 49, 50):

    y'   = omega_L eta Psi + ua
    Psi' = -(omega_L/eta) (y - y_t) - (u1+ - u1-)/2
    u1+' = +A Psi - (omega_L/eta) (ua - y_t') + (M_phi + M_psi) T1+ + (M_phi - M_psi) T1-
    u1-' = -A Psi + (omega_L/eta) (ua - y_t') + (M_phi - M_psi) T1+ + (M_phi + M_psi) T1-
    ua'  = -B y - omega_L^2 y_t + omega_L eta (u1+ - u1-)/2 + T2+ + T2-

y_t is a lateral irregularity of the track (zero in the thesis). |T| = C = mu F_load/(2m) while a contact slips, |T| <= C while it rolls. Energy, per mass,

    E = y'^2/2 + alpha_y^2 y^2/2 + (Psi'^2 + alpha_psi^2 Psi^2)/(2 M_psi) + (u1+ + u1-)^2/(8 M_phi),
    E' = T+.u+ + T-.u- + omega_L eta Psi (T2+ + T2-) + (omega_L/eta) (y - y_t) (T1+ - T1-):

slip takes energy, and the treads carry energy to and fro between running along the track and the oscillation, also where nothing slips.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...analysis.filippov.theory.points import positive
from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import sqrt
from ...kernel.system import describe, signals, validate
from ...motion.filippov.algebra.forces import ROLL
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load, hold, moving_form, steady
from .irregularity import Sinusoidal, alignment


class DryWheelset(NamedTuple):
    """A wheelset in the composed parameters of chapter 5; `wheelset(...)` makes it from masses, stiffnesses and the speed.

    b, r and v (half distance of the contacts, radius, speed) do not matter for the motion on a straight track; they are for its picture, and v for irregularities.
    """

    omega_L: float = 40.0
    eta: float = 1.2
    C: float = 8.0
    alpha_y: float = 55.0
    alpha_psi: float = 80.0
    M_psi: float = 1.4
    M_phi: float = 2.0
    b: float = 0.75
    r: float = 0.46
    v: float = 40.0
    track: Any = Sinusoidal()


STATES = {
    "y": ("m", "lateral displacement"),
    "Psi": ("m", "yaw, b psi"),
    "u1p": ("m/s", "slip along the rail at P+, u1+"),
    "u1m": ("m/s", "slip along the rail at P-, u1-"),
    "ua": ("m/s", "slip across the rails, common to both"),
}
PARAMETERS = {
    "omega_L": ("rad/s", "angular frequency of the kinematic oscillation, sqrt(-a01 b10)"),
    "eta": ("", "geometric factor, sqrt(-a01/b10)/b"),
    "C": ("m/s^2", "friction of a contact per mass, mu F_load/(2m)"),
    "alpha_y": ("rad/s", "natural lateral angular frequency, sqrt(k_y/m)"),
    "alpha_psi": ("rad/s", "natural angular frequency of yaw, sqrt(k_psi/J_psi)"),
    "M_psi": ("", "m b^2/J_psi"),
    "M_phi": ("", "m r^2/J_phi"),
    "b": ("m", "half distance of the contacts"),
    "r": ("m", "rolling radius"),
    "v": ("m/s", "speed along the track"),
}
describe(
    DryWheelset,
    STATES,
    {
        "slip_plus": ("m/s", "size of the slip at P+"),
        "slip_minus": ("m/s", "size of the slip at P-"),
        "amplitude": ("m", "of the kinematic oscillation through (y, Psi): sqrt(y^2 + eta^2 Psi^2)"),
        "demand": ("", "friction that rolling needs over what there is (5.58): both contacts slip above one"),
        "energy": ("J/kg", "kinetic and elastic energy per mass"),
    },
    parameters=PARAMETERS,
    plot=("y", "Psi", "slip_plus", "demand"),
)


@contact_total.register(DryWheelset)
def _(wheels):
    return 2


@compiled
def free_rates(wheels, t, y):
    """u1+' = -u1-' and ua' without contact forces, and Psi'."""
    w, eta = wheels.omega_L, wheels.eta
    at, rise = alignment(wheels.track, wheels.v * t)
    half = 0.5 * (y[2] - y[3])
    along = (wheels.alpha_psi * wheels.alpha_psi - w * w) * y[1] - (w / eta) * (y[4] - wheels.v * rise)
    across = -(wheels.alpha_y * wheels.alpha_y - w * w) * y[0] - w * w * at + w * eta * half
    return along, across, -(w / eta) * (y[0] - at) - half


@steady.register(DryWheelset)
def _(wheels):
    return True


@moving_form.register(DryWheelset)
def _(wheels, modes, t, y, free, push, c, A, slip):
    along, across, turn = free_rates(wheels, t, y)
    free[0], free[1] = wheels.omega_L * wheels.eta * y[1] + y[4], turn
    free[2], free[3], free[4] = along, -along, across
    c[1], c[2], c[4], c[5] = along, across, -along, across
    slip[0], slip[1], slip[2], slip[3] = y[2], y[4], y[3], y[4]


@contact_form.register(DryWheelset)
def _(wheels, modes, t, y, free, push, c, A, slip):
    zero = 0.0 * y[0]
    moving_form(wheels, modes, t, y, free, push, c, A, slip)
    own, other = wheels.M_phi + wheels.M_psi + zero, wheels.M_phi - wheels.M_psi + zero
    for k in range(2):
        i = 3 * k
        for j in range(5):
            push[i + 1, j] = zero
            push[i + 2, j] = zero
        push[i + 1, 2] = own if k == 0 else other
        push[i + 1, 3] = other if k == 0 else own
        push[i + 2, 4] = 1.0 + zero
        for n in range(2):
            j = 3 * n
            A[i + 1, j + 1] = own if n == k else other
            A[i + 1, j + 2] = zero
            A[i + 2, j + 1] = zero
            A[i + 2, j + 2] = 1.0 + zero


@grip_and_load.register(DryWheelset)
def _(wheels, t, y, k):
    return 1.0 + 0.0 * y[0], wheels.C + 0.0 * y[0]


@compiled
def hold_rolling(modes, y):
    """Slips of contacts that roll are zero, to the last digit."""
    if modes[0] == ROLL:
        y[2] = 0.0
    if modes[1] == ROLL:
        y[3] = 0.0
    if modes[0] == ROLL or modes[1] == ROLL:
        y[4] = 0.0
        return True
    return False


@hold.register(DryWheelset)
def _(wheels, modes, y):
    return hold_rolling(modes, y)


@signals.register(DryWheelset)
def _(wheels, t, y, out):
    w, eta = wheels.omega_L, wheels.eta
    at, rise = alignment(wheels.track, wheels.v * t)
    out[0] = sqrt(y[2] * y[2] + y[4] * y[4])
    out[1] = sqrt(y[3] * y[3] + y[4] * y[4])
    out[2] = sqrt(y[0] * y[0] + eta * eta * y[1] * y[1])
    lateral = (wheels.alpha_y * wheels.alpha_y - w * w) * y[0] + w * w * at
    yaw = ((wheels.alpha_psi * wheels.alpha_psi - w * w) * y[1] + (w / eta) * wheels.v * rise) / wheels.M_psi
    out[3] = sqrt(lateral * lateral + yaw * yaw) / (2.0 * wheels.C)
    dy = w * eta * y[1] + y[4]
    turn = -(w / eta) * (y[0] - at) - 0.5 * (y[2] - y[3])
    swing = turn * turn + wheels.alpha_psi * wheels.alpha_psi * y[1] * y[1]
    spin = y[2] + y[3]
    out[4] = 0.5 * (dy * dy + wheels.alpha_y * wheels.alpha_y * y[0] * y[0] + swing / wheels.M_psi) + spin * spin / (
        8.0 * wheels.M_phi
    )


@validate.register(DryWheelset)
def _(wheels):
    for name in ("eta", "C", "M_psi", "M_phi", "b", "r"):
        positive(getattr(wheels, name), f"{name} of DryWheelset")
    for name in ("omega_L", "alpha_y", "alpha_psi", "v"):
        if not 0.0 <= getattr(wheels, name) < math.inf:
            raise InputError(f"{name} = {getattr(wheels, name)!r} of DryWheelset must be a finite number, zero or above.")
    validate(wheels.track)
