"""A wheelset that rolls on both rails, as a system: three equations for the contact, kept along the motion, and the rolling
equations (1.48)-(1.50).

States are y, psi, phi and what the contact needs: the roll angle theta and the axial coordinates U+ and U- of both contacts on
the wheels. The first equation (1.46) gives U_r = s (y + Y) - b on the rails, the second one the height z twice, and what is left
are three equations,

    G+ - G- = 0,  G = Z - c_r(U_r),        E+ = 0,  E- = 0,   E = c_w' (c_r' tan theta + s) + cos zeta cos psi (tan theta - s c_r'),

whose derivative along the motion gives theta', U+' and U-'. After each step, Newton's method pulls these three back onto the
equations. So no contact has to be searched for, and the motion stays on its branch; `guard` watches whether the wheels would cut
into the rails elsewhere. Written apart from `contact.py`: its judge.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.hooks import guard, settle, start_state
from ...kernel.names import InputError, choose, number
from ...kernel.scalar import cos, sin, sqrt, tan
from ...kernel.system import describe, project, rate, signals, validate
from .contact import iterate
from .geometry import Geometry
from .locus import deepest, rest
from .profiles_analytic import Curved
from .profiles_compiled import profile_at, profile_of

INSIDE = 2e-8  # m, how far a wheel may be inside its rail before a motion ends: another point should carry


class WheelsetRolling(NamedTuple):
    """A wheelset that rolls with the speed v on both rails: nominal radius r, half distance b of the contact points, profiles of
    wheels and rails.
    """

    v: float = 50.0
    b: float = 0.7
    r: float = 0.4
    wheel: Any = Curved(0.05, 0.5, 0.0, 0.0)
    rail: Any = Curved(0.05, 0.25, 0.0, 0.0)


describe(
    WheelsetRolling,
    {
        "y": ("m", "lateral displacement, to the left"),
        "psi": ("rad", "yaw angle"),
        "phi": ("rad", "rotation about the axle"),
        "theta": ("rad", "roll angle"),
        "U_left": ("m", "contact on the left wheel, outward from the nominal one"),
        "U_right": ("m", "contact on the right wheel, outward from the nominal one"),
    },
    {
        "w": ("m", "way along the track"),
        "z": ("m", "height of the centre"),
        "radius_difference": ("m", "rolling radius of the left wheel less that of the right one"),
        "rail_left": ("m", "contact on the left rail, outward from the nominal one"),
        "rail_right": ("m", "contact on the right rail, outward from the nominal one"),
        "misfit": ("m", "how far the two heights of the centre are apart: zero but for rounding"),
    },
    parameters={
        "v": ("m/s", "speed along the track"),
        "b": ("m", "half the distance of the nominal contact points"),
        "r": ("m", "nominal rolling radius"),
    },
    plot=("y", "psi", "radius_difference"),
)


@compiled
def wheel_at(system, s, y, psi, theta, U):
    """One wheel: (W, Y, Z), U_r, G, E; derivatives of G and E by theta, U, y, psi."""
    c, w1, w2 = profile_at(system.wheel, U)
    A, t, tan_psi, cos_psi, sin_psi = c - system.r, tan(theta), tan(psi), cos(psi), sin(psi)
    cos_t, sin_t = cos(theta), sin(theta)
    S, S_U, S_psi = -s * w1 * tan_psi, -s * w2 * tan_psi, -s * w1 * (1.0 + tan_psi * tan_psi)
    C = sqrt(1.0 - S * S)
    C_U, C_psi = -S * S_U / C, -S * S_psi / C
    arm = s * (U + system.b)
    L = A * sin_psi * S + arm * cos_psi
    L_U = w1 * sin_psi * S + A * sin_psi * S_U + s * cos_psi
    L_psi = A * (cos_psi * S + sin_psi * S_psi) - arm * sin_psi
    W = A * cos_psi * S - arm * sin_psi
    Y, Z = L * cos_t - A * C * sin_t, L * sin_t + A * C * cos_t
    Y_U, Z_U = L_U * cos_t - (w1 * C + A * C_U) * sin_t, L_U * sin_t + (w1 * C + A * C_U) * cos_t
    Y_psi, Z_psi = L_psi * cos_t - A * C_psi * sin_t, L_psi * sin_t + A * C_psi * cos_t
    U_r = s * (y + Y) - system.b
    c_r, r1, r2 = profile_at(system.rail, U_r)
    E = w1 * (r1 * t + s) + C * cos_psi * (t - s * r1)
    E_r = (w1 * t - s * C * cos_psi) * r2 * s  # by U_r, and s for what U_r owes to y + Y
    E_t = (w1 * r1 + C * cos_psi) * (1.0 + t * t) - E_r * Z  # Y_theta = -Z, Z_theta = Y
    E_U = w2 * (r1 * t + s) + C_U * cos_psi * (t - s * r1) + E_r * Y_U
    E_psi = (C_psi * cos_psi - C * sin_psi) * (t - s * r1) + E_r * Y_psi
    k = r1 * s
    return (W, Y, Z), U_r, Z - c_r, E, (Y + k * Z, Z_U - k * Y_U, -k, Z_psi - k * Y_psi), (E_t, E_U, E_r, E_psi)


@compiled
def solve_three(G, H, E, F, g, e, f):
    """theta, U+, U- from (G_t - H_t) theta + G_U U+ - H_U U- = g, E_t theta + E_U U+ = e, F_t theta + F_U U- = f."""
    theta = (g - G[1] * e / E[1] + H[1] * f / F[1]) / (G[0] - H[0] - G[1] * E[0] / E[1] + H[1] * F[0] / F[1])
    return theta, (e - E[0] * theta) / E[1], (f - F[0] * theta) / F[1]


@rate.register(WheelsetRolling)
def _(system, t, y, out):
    p, _, _, _, G, E = wheel_at(system, 1.0, y[0], y[1], y[3], y[4])
    m, _, _, _, H, F = wheel_at(system, -1.0, y[0], y[1], y[3], y[5])
    D = p[1] * m[2] - m[1] * p[2]
    dY, dZ = p[1] - m[1], p[2] - m[2]
    cos_t, sin_t = cos(y[3]), sin(y[3])
    out[0] = system.v * (p[2] * m[0] - m[2] * p[0]) / D  # (1.50), with the factor v that the print lacks (erratum 5)
    out[1] = system.v * (dY * sin_t - dZ * cos_t) / D
    out[2] = -system.v * (dZ * sin_t + dY * cos_t) / (D * cos(y[1]))
    out[3], out[4], out[5] = solve_three(
        G,
        H,
        E,
        F,
        -(G[2] - H[2]) * out[0] - (G[3] - H[3]) * out[1],
        -E[2] * out[0] - E[3] * out[1],
        -F[2] * out[0] - F[3] * out[1],
    )


@project.register(WheelsetRolling)
def _(system, y):
    for _i in range(2):
        _p, _u, g, e, G, E = wheel_at(system, 1.0, y[0], y[1], y[3], y[4])
        _m, _n, h, f, H, F = wheel_at(system, -1.0, y[0], y[1], y[3], y[5])
        a, b, c = solve_three(G, H, E, F, h - g, -e, -f)
        y[3] += a
        y[4] += b
        y[5] += c
    return True


@signals.register(WheelsetRolling)
def _(system, t, y, out):
    _p, left, g, _e, _G, _E = wheel_at(system, 1.0, y[0], y[1], y[3], y[4])
    _m, right, h, _f, _H, _F = wheel_at(system, -1.0, y[0], y[1], y[3], y[5])
    out[0] = system.v * t + 0.0 * y[0]
    out[1] = -0.5 * (g + h) - system.r
    out[2] = profile_at(system.wheel, y[5])[0] - profile_at(system.wheel, y[4])[0]
    out[3] = left
    out[4] = right
    out[5] = g - h


@functools.lru_cache(maxsize=32)
def geometry_of(system: WheelsetRolling) -> Geometry:
    """The same wheelset for arrays."""
    return Geometry(profile_of(system.wheel), profile_of(system.rail), system.b, system.r)


def wheelset_rolling(g: Geometry, v: float = 50.0) -> WheelsetRolling:
    """The system of a geometry whose profiles are analytic or published."""
    for name, profile in (("wheel", g.wheel), ("rail", g.rail)):
        if profile.data is None:
            raise InputError(
                f"the profile {profile.name} of the {name} is measured; compiled motions need an analytic or published "
                "one. `periods` and `conicity` take measured ones."
            )
    return WheelsetRolling(v, g.b, g.r, g.wheel.data, g.rail.data)


@validate.register(WheelsetRolling)
def _(system):
    if not (math.isfinite(system.v) and system.v != 0.0):
        raise InputError(f"v = {system.v!r} must be a speed, not zero.")
    geometry_of(system)


@start_state.register(WheelsetRolling)
def _(system, given):
    """y, psi, phi; theta and both contacts follow from the smallest gap between wheels and rails."""
    names = {"y": "m", "psi": "rad", "phi": "rad"}
    values = {n: 0.0 for n in names}
    for name, value in given.items():
        name = choose(name, names, "start of WheelsetRolling (theta and the contacts follow)")
        values[name] = number(value, name, names[name])
    c = rest(geometry_of(system), np.array([values["y"]]), np.array([values["psi"]]))
    return np.array([values["y"], values["psi"], values["phi"], c.theta[0], c.left.U_w[0], c.right.U_w[0]])


@settle.register(WheelsetRolling)
def _(system, y):
    """A start given as an array: its contact is solved for from what it says."""
    g = geometry_of(system)
    z = 0.0
    guess = np.array([[y[3]], [z], [y[4]], [y[5]], [y[4]], [y[5]]])
    x, good = iterate(g, y[:1], y[1:2], guess)
    if not good[0]:
        raise InputError(
            f"no contact of both wheels was found near the start y = {y[0]!r} m, psi = {y[1]!r} rad; start from names, "
            f"{{'y': ..., 'psi': ...}}."
        )
    settled = np.array([*y[:3], x[0, 0], x[4, 0], x[5, 0]])
    moved = float(np.abs(settled - y).max())
    said = (
        f"theta, U_left and U_right were set to the contact at y and psi (changed by up to {moved:.2g})" if moved > 1e-9 else ""
    )
    return settled, said


@guard.register(WheelsetRolling)
def _(system):
    g = geometry_of(system)

    def cut(t: np.ndarray, y: np.ndarray) -> tuple[int, str] | None:
        guess = np.stack([y[:, 3], 0.0 * y[:, 3], y[:, 4], y[:, 5], y[:, 4], y[:, 5]])
        x, good = iterate(g, y[:, 0], y[:, 1], guess)
        inside, where = deepest(g, y[:, 0], y[:, 1], np.where(good, x, guess))
        ends = ~(g.wheel.inside(y[:, 4]) & g.wheel.inside(y[:, 5]))
        bad = np.flatnonzero(~good | (inside > INSIDE) | ends)
        if not bad.size:
            return None
        k = int(bad[0])
        if inside[k] > INSIDE:
            why = (
                f"a wheel would be {1e6 * inside[k]:.3g} um inside its rail at U_w = {1e3 * where[k]:.4g} mm: the "
                "contact jumps there, and rolling on both rails is not defined by one smooth branch"
            )
        else:
            why = "a contact left the profile"
        return max(k - 1, 0), f"near y = {1e3 * y[k, 0]:.5g} mm {why}."

    return cut
