"""Models 1.2, 1.3 and 1.4 as constrained systems of twelve states (Sailer, section 4.2, Table 4.1): index-1 form with multipliers.

    model    constraints                                                    friction, with the weight as its load
    1.2      z = r sb,  xb + e cg = 0,  yb + e cb sg = 0 (S at rest)        both components
    1.3      and gamma_x = 0 (no slip along the rim)                        across the rim
    1.4      and alpha' = Omega                                             across the rim

In coordinates q = (xb, yb, z, alpha, beta, gamma), u = q' of `corotating`, with the rows W of the constraints,

    M u' = h + f_g + W_T lambda_T + W^T lambda_c,    W u' = -chi,    chi = W' u

After every step states are pulled back onto the constraints. A start is, too, and the motion says so: Table 3.1 has xb = 0, which "does not violate any
constraint" only in print (E10); with it Models 1.3 and 1.4 never move.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ....kernel.compiled import compiled, interpreted
from ....kernel.hooks import settle, start_state
from ....kernel.linear import lu_factor, lu_solve
from ....kernel.local_array import local_array
from ....kernel.names import InputError, choose, number
from ....kernel.scalar import real, sincos, sqrt
from ....kernel.system import describe, project, rate, signals, validate
from ....mechanics.contact import mass_matrix, smooth_forces
from ....mechanics.laws.limits import check_not_negative, check_positive
from ..corotating import TippediskCorotating
from ..signals import EULER, euler_attitude, euler_spin, write_common

ROWS = {"1.2": 3, "1.3": 4, "1.4": 5}


class TippediskConstrained(NamedTuple):
    """A tippedisk held by the constraints of Model 1.2, 1.3 or 1.4: `rows` of them, 3, 4 or 5."""

    disk: Any
    rows: int
    Omega: float = 40.0  # the spin speed at the start, unless that says another
    mu: float = 0.3
    eps: float = 0.1
    g: float = 9.81


def constrained(
    disk: Any, model: str = "1.4", Omega: float = 40.0, mu: float = 0.3, eps: float = 0.1, g: float = 9.81
) -> TippediskConstrained:
    """Model "1.2", "1.3" or "1.4" of a disk, as a constrained system. Omega: its spin speed at the start, unless that says another."""
    return TippediskConstrained(disk, ROWS[choose(model, ROWS, "constrained model")], Omega, mu, eps, g)


@compiled
def constraint_rows(disk, y, W, chi):
    """W (5 x 6) and chi of all constraints: contact, S at rest (two), no slip along the rim, constant spin."""
    r, e = disk.r, disk.e
    sb, cb = sincos(y[4])
    sg, cg = sincos(y[5])
    ybd, ad, bd, gd = y[7], y[9], y[10], y[11]
    for i in range(5):
        for j in range(6):
            W[i, j] = 0.0 * sb
    W[0, 2] = 1.0 + 0.0 * sb  # z - r sin beta
    W[0, 4] = -r * cb
    chi[0] = r * sb * bd * bd
    W[1, 0] = 1.0 + 0.0 * sb  # xb + e cos gamma
    W[1, 5] = -e * sg
    chi[1] = -e * cg * gd * gd
    W[2, 1] = 1.0 + 0.0 * sb  # yb + e cos beta sin gamma
    W[2, 4] = -e * sb * sg
    W[2, 5] = e * cb * cg
    chi[2] = -e * cb * sg * (bd * bd + gd * gd) - 2.0 * e * sb * cg * bd * gd
    W[3, 0] = 1.0 + 0.0 * sb  # gamma_x
    W[3, 3] = r * cb - y[1]
    W[3, 5] = r + 0.0 * sb
    chi[3] = (-r * sb * bd - ybd) * ad
    W[4, 3] = 1.0 + 0.0 * sb  # alpha'
    chi[4] = 0.0 * sb


@rate.register(TippediskConstrained)
def _(s, t, y, out):
    r = s.disk.r
    n = 6 + 5
    K = local_array((11, 11), y.dtype)
    W = local_array((5, 6), y.dtype)
    M = local_array((6, 6), y.dtype)
    f = local_array(11, y.dtype)
    chi = local_array(5, y.dtype)
    pivots = local_array(11, np.int64)
    body = TippediskCorotating(s.disk, 0.0, 0.0, s.g)
    mass_matrix(body, y[:6], M)
    smooth_forces(body, t, y[:6], y[6:], f)
    constraint_rows(s.disk, y, W, chi)
    sb, cb = sincos(y[4])
    # slip of C1 along and across the rim, and friction with the load m g
    vx = y[6] + (r * cb - y[1]) * y[9] + r * y[11]
    vy = y[7] + y[0] * y[9] + r * sb * y[10]
    if s.rows > 3:
        vx = 0.0 * vx
    size = sqrt(vx * vx + vy * vy) if real(vx) != 0.0 or real(vy) != 0.0 else 0.0 * vy
    push = -s.mu * s.disk.m * s.g / (s.eps + size)
    f[0] += push * vx
    f[1] += push * vy
    f[3] += push * ((r * cb - y[1]) * vx + y[0] * vy)
    f[4] += push * r * sb * vy
    f[5] += push * r * vx
    for i in range(n):
        for j in range(n):
            K[i, j] = 0.0 * sb
    for i in range(6):
        for j in range(6):
            K[i, j] = M[i, j]
    for k in range(5):
        if k < s.rows:
            for j in range(6):
                K[6 + k, j] = W[k, j]
                K[j, 6 + k] = -W[k, j]
            f[6 + k] = -chi[k]
        else:
            K[6 + k, 6 + k] = 1.0 + 0.0 * sb
            f[6 + k] = 0.0 * sb
    lu_factor(K, pivots)
    lu_solve(K, pivots, f)
    for j in range(6):
        out[j] = y[6 + j]
        out[6 + j] = f[j]


@compiled
def onto_constraints(disk, rows, y):
    """Angles, alpha' and beta' stay (and gamma' in Model 1.2); position and velocity of G, and otherwise gamma', follow from the constraints."""
    e = disk.e
    sb, cb = sincos(y[4])
    sg, cg = sincos(y[5])
    if rows > 3:
        y[11] = -y[9] * cb
    _ad, bd, gd = y[9], y[10], y[11]
    y[0] = -e * cg
    y[1] = -e * cb * sg
    y[2] = disk.r * sb
    y[6] = e * sg * gd
    y[7] = e * sb * sg * bd - e * cb * cg * gd
    y[8] = disk.r * cb * bd


@project.register(TippediskConstrained)
def _(s, y):
    onto_constraints(s.disk, s.rows, y)
    return True


@signals.register(TippediskConstrained)
def _(s, t, y, out):
    r = euler_attitude(y[3], y[4], y[5])
    omega = euler_spin(y[4], y[5], y[9], y[10], y[11])
    sa, ca = sincos(y[3])
    vx, vy = y[6] - y[9] * y[1], y[7] + y[9] * y[0]
    place = (ca * y[0] - sa * y[1], sa * y[0] + ca * y[1], y[2])
    write_common(s.disk, s.g, r, place, (ca * vx - sa * vy, sa * vx + ca * vy, y[8]), omega, out, 0)


NAMES = ("xb", "yb", "z", "alpha", "beta", "gamma")
MOVED = 1e-12


@settle.register(TippediskConstrained)
def _(system, y):
    if abs(math.sin(y[4])) < 1e-6:
        raise InputError(f"beta = {y[4]:.6g}: the disk lies flat, where spin and rolling are one angle; tilt it.")
    new = np.array(y, float)
    interpreted(onto_constraints)(system.disk, system.rows, new)
    names = (*NAMES, *(f"{n}_rate" for n in NAMES))
    moved = [f"{n} from {a:.6g} to {b:.6g}" for n, a, b in zip(names, y, new) if abs(a - b) > MOVED]
    told = f"the start was adjusted to the constraints of the model (S at rest): {', '.join(moved)}." if moved else ""
    return new, told


@start_state.register(TippediskConstrained)
def _(system, given):
    names = (*NAMES, *(f"{n}_rate" for n in NAMES))
    y = np.zeros(12)
    y[4], y[9] = 0.5 * math.pi, system.Omega
    told = set()
    for name, value in given.items():
        name = choose(name, names, "start of a constrained tippedisk")
        k = names.index(name)
        y[k] = number(value, name, ("m" if k % 6 < 3 else "rad") + ("/s" if k > 5 else ""))
        told.add(name)
    settled = settle(system, y)[0]
    for k, name in enumerate(names):  # what was not given follows silently; what was given and does not fit is told by `settle`
        if name not in told:
            y[k] = settled[k]
    return y


@validate.register(TippediskConstrained)
def _(s):
    check_positive(s, "eps", "g")
    check_not_negative(s, "mu")
    if s.rows not in ROWS.values():
        raise InputError(f"rows = {s.rows!r} must be 3, 4 or 5 (Model 1.2, 1.3 or 1.4); constrained(disk, '1.3') writes it.")


describe(
    TippediskConstrained,
    {
        "xb": ("m", "geometric centre G, in the frame turned by alpha"),
        "yb": "m",
        "z": "m",
        **EULER,
        **{f"{n}_rate": "m/s" if k < 3 else "rad/s" for k, n in enumerate(NAMES)},
    },
    {
        "z_S": ("m", "height of the mass centre S"),
        "energy": ("J", "kinetic and potential energy"),
        "gap": ("m", "distance of the lowest point from the plane"),
        "slip_x": ("m/s", "slip along the rim"),
        "slip_y": ("m/s", "slip across it"),
        "twist": ("rad/s", "angular velocity about the vertical"),
        "contour_speed": ("m/s", "-r gamma'"),
    },
    parameters={
        "Omega": ("rad/s", "spin speed at the start"),
        "mu": ("", "coefficient of friction"),
        "eps": ("m/s", "smoothing velocity"),
        "g": "m/s^2",
    },
    plot=("beta", "gamma", "z_S", "energy"),
)
