"""What chapter 5 leaves out, as a system of its own: load transfer by the lateral forces, and the gyroscopic moments of the spinning wheelset.

Roll and yaw with the spin v/r, the axle along (-psi, 1, theta), theta = roll * y the roll of a wheelset that lies y off the centre (roll = h/(b - hr), (1.53)):

    b (N+ - N-) + r (T2+ + T2-) = -J_phi (v/r) psi',          N+ + N- = F_load,
    J_psi psi'' + k_psi psi + b (T1+ - T1-) = -J_phi (v/r) theta'

(5.22) has b (N+ - N-) = 0 (erratum 45). `transfer` and `gyro` scale both effects: 0 is the thesis. Normal forces are unknown here (`presses`): they are those that
keep both wheels on the rails, rows a_n = z'' +- b theta'' = 0 in units of the mass, with a roll inertia m b^2 that does not matter since theta'' = 0 is kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...analysis.filippov.theory.points import positive
from ...kernel.names import InputError
from ...kernel.system import describe, signals, validate
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load, hold, presses
from .dry import STATES, DryWheelset, hold_rolling


class LoadedWheelset(NamedTuple):
    """A `DryWheelset` with load transfer and gyroscopic moments; mu: friction (C = mu F_load/(2m) stays), roll: d theta/dy (rad/m)."""

    wheels: Any = DryWheelset()
    mu: float = 0.3
    transfer: float = 1.0
    gyro: float = 1.0
    roll: float = 0.0


describe(
    LoadedWheelset,
    STATES,
    {
        "slip_plus": ("m/s", "size of the slip at P+"),
        "slip_minus": ("m/s", "size of the slip at P-"),
        "amplitude": ("m", "of the kinematic oscillation through (y, Psi)"),
        "demand": ("", "friction that rolling needs over what there is, without transfer (5.58)"),
        "energy": ("J/kg", "kinetic and elastic energy per mass"),
    },
    parameters={
        "mu": ("", "coefficient of friction"),
        "transfer": ("", "load transfer: 0 none, 1 all of it"),
        "gyro": ("", "gyroscopic moments: 0 none, 1 all of them"),
        "roll": ("rad/m", "roll per lateral displacement, h/(b - hr)"),
    },
    plot=("y", "Psi", "slip_plus", "slip_minus"),
)


@contact_total.register(LoadedWheelset)
def _(system):
    return 2


@presses.register(LoadedWheelset)
def _(system):
    return True


@contact_form.register(LoadedWheelset)
def _(system, modes, t, y, free, push, c, A, slip):
    wheels = system.wheels
    contact_form(wheels, modes, t, y, free, push, c, A, slip)
    zero = 0.0 * y[0]
    lever = system.transfer * wheels.r / wheels.b
    spin = system.gyro * wheels.r * wheels.v / (wheels.M_phi * wheels.b)  # J_phi v/(r m b)
    tilt = (spin / wheels.b) * free[1]  # psi' = Psi'/b
    turn = wheels.M_psi * spin * system.roll * free[0]
    free[2] += turn
    free[3] -= turn
    c[1] += turn
    c[4] -= turn
    weight = 2.0 * wheels.C / system.mu
    c[0], c[3] = tilt - weight, -tilt - weight
    c[2] += lever * tilt
    c[5] += lever * tilt
    for k in range(2):
        side = 1.0 if k == 0 else -1.0
        for j in range(5):
            push[3 * k, j] = zero
        for n in range(2):
            A[3 * k, 3 * n] = (2.0 if n == k else 0.0) + zero
            A[3 * k, 3 * n + 1] = zero
            A[3 * n + 1, 3 * k] = zero
            A[3 * k, 3 * n + 2] = side * lever + zero
            A[3 * n + 2, 3 * k] = side * lever + zero
            A[3 * k + 2, 3 * n + 2] += lever * lever


@grip_and_load.register(LoadedWheelset)
def _(system, t, y, k):
    return system.mu + 0.0 * y[0], 0.0 * y[0]


@hold.register(LoadedWheelset)
def _(system, modes, y):
    return hold_rolling(modes, y)


@signals.register(LoadedWheelset)
def _(system, t, y, out):
    signals(system.wheels, t, y, out)


@validate.register(LoadedWheelset)
def _(system):
    validate(system.wheels)
    positive(system.mu, "mu of LoadedWheelset")
    for name in ("transfer", "gyro", "roll"):
        if not 0.0 <= getattr(system, name) < 1e6:
            raise InputError(f"{name} = {getattr(system, name)!r} of LoadedWheelset must be a finite number, zero or above.")
