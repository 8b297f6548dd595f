"""The rotating-ball flowmeter (M. Antali, thesis, chapter 4): a ball in a cylindrical vessel touches floor and wall, and swirling fluid carries it round.

Frame, turning with the ball: e1 toward the axis, e2 up, e3 = e1 x e2 along the motion. P+ on the floor, P- at the wall;

    n+ = e2, n- = e1,   t1 = e3 at both,   t2+ = e1, t2- = -e2,   v+ = (u2, 0, u1+), v- = (0, -u2, u1-), v_C = (0, 0, v)        (4.2)-(4.8)
    Omega = ((v - u1+)/r, -(v - u1-)/r, u2/r)        (4.9)

and with J = j m r^2 the equations of motion are (4.22), corrected as in its errata:

    m v^2/d = T2+ + N-,    0 = N+ - T2- - m g,    m v' = T1+ + T1- + m D(v_f - v)
    j m (v' - u1+' + v u2/d) = -T1+,    j m (u1-' - v') = T1-,    j m (u2' - v^2/d + v u1+/d) = T2+ + T2-
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...kernel.names import InputError
from ...kernel.scalar import pi, sqrt
from ...kernel.system import describe, signals, validate
from ...motion.filippov.algebra.forces import ROLL
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load, hold, moving_form, presses, steady
from .drag import Drag, drag_acceleration
from .flow import Flow, swirl_speed


class FlowMeter(NamedTuple):
    """r: radius of the ball; d: of the circle of its centre (the vessel's inner radius is d + r); m: mass; j = J/(m r^2), 2/5 of a solid ball.

    g: gravity less buoyancy, (1 - rho_f/rho_b) g0; mu: friction at both contacts; drag: D(w) per mass; flow: the swirl v_f(t).
    """

    r: float = 0.01
    d: float = 0.1
    m: float = 0.00485899
    j: float = 0.4
    g: float = 1.353103448275862
    mu: float = 0.1
    drag: Any = Drag()
    flow: Any = Flow()


describe(
    FlowMeter,
    {
        "u1p": ("m/s", "slip along the motion at the floor, u1+"),
        "u1m": ("m/s", "slip along the motion at the wall, u1-"),
        "u2": ("m/s", "slip across the motion, common to both contacts"),
        "v": ("m/s", "speed of the ball along its circle"),
    },
    {
        "v_f": ("m/s", "swirl of the fluid at the ball's circle"),
        "turns": ("Hz", "rounds of the ball per second, v/(2 pi d)"),
        "Omega_w": ("rad/s", "spin about the normal of the wall, (v - u1+)/r"),
        "slip_floor": ("m/s", "size of the slip at the floor"),
        "slip_wall": ("m/s", "size of the slip at the wall"),
        "energy": ("J", "kinetic energy"),
    },
    parameters={
        "r": ("m", "radius of the ball"),
        "d": ("m", "radius of the circle of its centre"),
        "m": ("kg", "mass"),
        "j": ("", "moment of inertia over m r^2: 2/5 of a solid ball"),
        "g": ("m/s^2", "gravity less buoyancy"),
        "mu": ("", "coefficient of friction at both contacts"),
        "drag": ("", "drag per mass"),
        "flow": ("", "swirl of the fluid"),
    },
    plot=("v", "v_f", "slip_floor", "slip_wall"),
)


@contact_total.register(FlowMeter)
def _(meter):
    return 2


@presses.register(FlowMeter)
def _(meter):
    return True


@steady.register(FlowMeter)
def _(meter):
    return True


@moving_form.register(FlowMeter)
def _(meter, modes, t, y, free, push, c, A, slip):
    u1p, u1m, u2, v = y[0], y[1], y[2], y[3]
    carried = drag_acceleration(meter.drag, swirl_speed(meter.flow, t) - v) + 0.0 * v
    per_d = v / meter.d
    centripetal, gyration, across = v * per_d, (v - u1p) * per_d, u2 * per_d
    free[0], free[1], free[2], free[3] = carried + across, carried, gyration, carried
    slip[0], slip[1], slip[2], slip[3] = u1p, u2, u1m, u2
    # accelerations at the contacts: floor n = e2, t1 = e3, t2 = e1; wall n = e1, t1 = e3, t2 = -e2. The centre accelerates by -v^2/d e1 less than its circle
    # demands, and by -g e2, if no force acts.
    c[1], c[2] = carried + across, gyration - centripetal
    c[3], c[4], c[5] = -centripetal, carried, gyration + meter.g


@contact_form.register(FlowMeter)
def _(meter, modes, t, y, free, push, c, A, slip):
    zero = 0.0 * y[0]
    one, turn = 1.0 / meter.m, 1.0 / (meter.j * meter.m)
    c[0] = -meter.g + zero
    moving_form(meter, modes, t, y, free, push, c, A, slip)
    for a in range(6):
        for i in range(4):
            push[a, i] = zero
        for b in range(6):
            A[a, b] = zero
    push[1, 0], push[1, 1], push[1, 3] = one + turn + zero, one + zero, one + zero
    push[4, 0], push[4, 1], push[4, 3] = one + zero, one + turn + zero, one + zero
    push[2, 2], push[5, 2] = turn + zero, turn + zero
    A[0, 0], A[0, 5], A[5, 0] = one + zero, -one + zero, -one + zero
    A[3, 3], A[3, 2], A[2, 3] = one + zero, one + zero, one + zero
    A[1, 1], A[4, 4], A[1, 4], A[4, 1] = one + turn + zero, one + turn + zero, one + zero, one + zero
    A[2, 2], A[5, 5], A[2, 5], A[5, 2] = one + turn + zero, one + turn + zero, turn + zero, turn + zero


@grip_and_load.register(FlowMeter)
def _(meter, t, y, k):
    return meter.mu + 0.0 * y[0], 0.0 * y[0]


@hold.register(FlowMeter)
def _(meter, modes, y):
    if modes[0] == ROLL:
        y[0] = 0.0
        y[2] = 0.0
    if modes[1] == ROLL:
        y[1] = 0.0
        y[2] = 0.0
    return True


@signals.register(FlowMeter)
def _(meter, t, y, out):
    u1p, u1m, u2, v = y[0], y[1], y[2], y[3]
    out[0] = swirl_speed(meter.flow, t)
    out[1] = v / (2.0 * pi * meter.d)
    out[2] = (v - u1p) / meter.r
    out[3] = sqrt(u1p * u1p + u2 * u2)
    out[4] = sqrt(u1m * u1m + u2 * u2)
    out[5] = 0.5 * meter.m * (v * v + meter.j * ((v - u1p) * (v - u1p) + (v - u1m) * (v - u1m) + u2 * u2))


@validate.register(FlowMeter)
def _(meter):
    for name in ("r", "d", "m", "j", "g", "mu"):
        given = getattr(meter, name)
        if not (isinstance(given, (int, float)) and 0.0 < given < math.inf):
            raise InputError(f"{name} = {given!r} of FlowMeter must be a number above zero.")
    if meter.j > 2.0 / 3.0:
        raise InputError(f"j = {meter.j!r} of FlowMeter must not exceed 2/3, that of a thin shell; a solid ball has 2/5.")
    validate(meter.drag)
    validate(meter.flow)
