"""The wheelset with creep instead of dry friction: forces that grow with the slip and saturate; a smooth system for any integrator.

Linear forces per mass (Carter, Kalker): f1 = kappa_1 u1/v, f2 = (kappa_2 ua + kappa_3 spin)/v (5.25), with rho = |f|/C; then the law says how they saturate,

    linear               T = -f
    tanh                 T = -C (u/|u|) tanh(kappa |u|/(C v)), each component with its kappa (5.26)
    vermeulen_johnson    |T| = C (1 - (1 - rho/3)^3) for rho < 3, else C, along f (Vermeulen and Johnson, J. Appl. Mech. 31 (1964) 338)
    fastsim              |T| = C S(rho) along f: Kalker's simplified theory (Vehicle System Dynamics 11 (1982) 1) summed over the ellipse in closed form

The simplified theory without spin: the stress grows as k (l - x) from the leading edge x = l(s) = sqrt(1 - s^2) of the strip s, up to the bound m0 (l^2 - x^2). It
slips for l + x < d = k/m0, and a strip carries m0 (2 l^2 d - l d^2 + d^3/6), or 4 m0 l^3/3 where d > 2l; rho = 16 d/(3 pi). All of it slips from rho = 32/(3 pi) on.
spin = psi' -+ (angle/r) v is the turning about the normal at P+ and P-; kappa_3 = 0 leaves it out.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from ...analysis.filippov.theory.points import positive
from ...kernel.compiled import compiled
from ...kernel.names import InputError, choose
from ...kernel.scalar import atan2, real, sqrt, tanh
from ...kernel.system import describe, rate, signals, validate
from .dry import STATES, DryWheelset, free_rates
from .fields import offsets, straight
from .slip_limit import at_speed

LAWS = ("linear", "tanh", "vermeulen_johnson", "fastsim")
LINEAR, TANH, VERMEULEN_JOHNSON, FASTSIM = range(4)
FULL = 32.0 / (3.0 * math.pi)  # rho at which the whole ellipse slips


class CreepWheelset(NamedTuple):
    """A `DryWheelset` with creep: law (0 linear, 1 tanh, 2 Vermeulen-Johnson, 3 FASTSIM; `creep_wheelset` takes names), kappa_1, kappa_2: creep coefficients per mass (m/s^2).

    kappa_3: of spin, per mass (m^2/s^2), angle: of the contacts, for spin.
    """

    wheels: Any = DryWheelset()
    law: float = 3.0
    kappa_1: float = 2000.0
    kappa_2: float = 1800.0
    kappa_3: float = 0.0
    angle: float = 0.0


describe(
    CreepWheelset,
    STATES,
    {
        "slip_plus": ("m/s", "size of the slip at P+"),
        "slip_minus": ("m/s", "size of the slip at P-"),
        "amplitude": ("m", "of the kinematic oscillation through (y, Psi)"),
        "demand": ("", "friction that rolling needs over what there is (5.58)"),
        "energy": ("J/kg", "kinetic and elastic energy per mass"),
    },
    parameters={
        "law": ("", "0 linear, 1 tanh, 2 Vermeulen-Johnson, 3 FASTSIM"),
        "kappa_1": ("m/s^2", "creep coefficient along the rails, per mass"),
        "kappa_2": ("m/s^2", "creep coefficient across, per mass"),
        "kappa_3": ("m^2/s^2", "creep coefficient of spin, per mass"),
        "angle": ("rad", "of the contacts, for spin"),
    },
    plot=("y", "Psi", "slip_plus", "demand"),
)


@compiled
def simplified_theory(rho):
    """S(rho), the force over its bound by Kalker's simplified theory without spin."""
    if real(rho) >= FULL:
        return 1.0 + 0.0 * rho
    d = 3.0 * math.pi / 16.0 * rho
    l = 0.5 * d  # half length of the first strip that slips as a whole
    Y = sqrt(1.0 - l * l)
    theta = atan2(Y, l)
    total = 2.0 * d * (Y - Y * Y * Y / 3.0) - 0.5 * d * d * (Y * l + theta) + d * d * d * Y / 6.0
    if real(d) > 1e-3:  # else of the order d^5
        cube = 0.25 * Y * l * l * l + 0.375 * (Y * l + theta)
        total += 4.0 / 3.0 * (3.0 * math.pi / 16.0 - cube)
    return 4.0 / math.pi * total


@compiled
def over_one(law, rho):
    """|T|/|f|: how far the law stays behind the linear one at rho = |f|/C > 0."""
    if law == LINEAR:
        return 1.0 + 0.0 * rho
    if law == VERMEULEN_JOHNSON:
        return 1.0 - rho / 3.0 + rho * rho / 27.0 if real(rho) < 3.0 else 1.0 / rho
    return simplified_theory(rho) / rho


@compiled
def hyperbolic(x):
    """tanh(x)/x for x >= 0."""
    return 1.0 - x * x / 3.0 if real(x) < 1e-4 else tanh(x) / x


@compiled
def creep_forces(system, u1, ua, spin):
    """(T1, T2) per mass at a contact."""
    wheels = system.wheels
    f1, f2 = system.kappa_1 * u1 / wheels.v, (system.kappa_2 * ua + system.kappa_3 * spin) / wheels.v
    if system.law == TANH:
        size = sqrt(u1 * u1 + ua * ua + 1e-60) / (wheels.C * wheels.v)
        return -f1 * hyperbolic(system.kappa_1 * size), -f2 * hyperbolic(system.kappa_2 * size)
    part = over_one(system.law, sqrt(f1 * f1 + f2 * f2 + 1e-40) / wheels.C)
    return -f1 * part, -f2 * part


@rate.register(CreepWheelset)
def _(system, t, y, out):
    from_forces(system, t, y, out)


@compiled
def from_forces(system, t, y, out):
    """x' with creep forces: the motion of the wheelset without friction, and what they add."""
    wheels = system.wheels
    along, across, turn = free_rates(wheels, t, y)
    psi = turn / wheels.b
    T1p, T2p = creep_forces(system, y[2], y[4], psi - system.angle * wheels.v / wheels.r)
    T1m, T2m = creep_forces(system, y[3], y[4], psi + system.angle * wheels.v / wheels.r)
    own, other = wheels.M_phi + wheels.M_psi, wheels.M_phi - wheels.M_psi
    out[0] = wheels.omega_L * wheels.eta * y[1] + y[4]
    out[1] = turn
    out[2] = along + own * T1p + other * T1m
    out[3] = -along + other * T1p + own * T1m
    out[4] = across + T2p + T2m


@signals.register(CreepWheelset)
def _(system, t, y, out):
    signals(system.wheels, t, y, out)


@validate.register(CreepWheelset)
def _(system):
    validate(system.wheels)
    if system.law not in (LINEAR, TANH, VERMEULEN_JOHNSON, FASTSIM):
        raise InputError(
            f"law = {system.law!r} of CreepWheelset must be 0 (linear), 1 (tanh), 2 (Vermeulen-Johnson) or 3 (FASTSIM)."
        )
    for name in ("kappa_1", "kappa_2"):
        positive(getattr(system, name), f"{name} of CreepWheelset")
    positive(system.wheels.v, "v of a wheelset with creep")
    for name in ("kappa_3", "angle"):
        if not math.isfinite(getattr(system, name)):
            raise InputError(f"{name} = {getattr(system, name)!r} of CreepWheelset must be a finite number.")
    if system.law == TANH and system.kappa_3 != 0.0:
        raise InputError("the law tanh (5.26) knows no spin: set kappa_3 to zero, or take vermeulen_johnson or fastsim.")


def creep_wheelset(
    wheels: DryWheelset,
    law: str = "fastsim",
    kappa_1: float = 2000.0,
    kappa_2: float = 1800.0,
    kappa_3: float = 0.0,
    angle: float = 0.0,
) -> CreepWheelset:
    """A wheelset with creep, the law by name; creep coefficients per mass (`kalker` gives them)."""
    made = CreepWheelset(
        wheels, float(LAWS.index(choose(law, LAWS, "law"))), float(kappa_1), float(kappa_2), float(kappa_3), float(angle)
    )
    validate(made)
    return made


def linear_matrix(system: CreepWheelset) -> np.ndarray:
    """The matrix of x' = M x about the middle of a straight track, written out from (5.25) and (5.34): what linear creep makes of the wheelset, whatever the law.

    Spin is left out if its coefficient is zero; its constant part saturates the laws, which is not linear, and is left out here.
    """
    w = system.wheels
    A, B = offsets(straight(w))
    k1, k2, k3 = system.kappa_1 / w.v, system.kappa_2 / w.v, system.kappa_3 / w.v
    turn = np.array([-w.omega_L / w.eta, 0.0, -0.5, 0.5, 0.0])  # Psi'
    along = np.array([0.0, A, 0.0, 0.0, -w.omega_L / w.eta])
    e = np.eye(5)
    T1p, T1m, T2 = -k1 * e[2], -k1 * e[3], -2.0 * k2 * e[4] - 2.0 * k3 / w.b * turn
    return np.array(
        [
            [0.0, w.omega_L * w.eta, 0.0, 0.0, 1.0],
            turn,
            along + (w.M_phi + w.M_psi) * T1p + (w.M_phi - w.M_psi) * T1m,
            -along + (w.M_phi - w.M_psi) * T1p + (w.M_phi + w.M_psi) * T1m,
            -B * e[0] + 0.5 * w.omega_L * w.eta * (e[2] - e[3]) + T2,
        ]
    )


def growth(system: CreepWheelset) -> float:
    """The largest real part of the eigenvalues of linear creep (1/s): above zero the middle of the track is unstable."""
    return float(np.linalg.eigvals(linear_matrix(system)).real.max())


def critical_speed(system: CreepWheelset, most: float = 300.0) -> float | None:
    """The speed (m/s) at which linear creep loses stability; None if it does not below `most`."""
    at = lambda v: growth(system._replace(wheels=at_speed(system.wheels, v)))
    speeds = np.linspace(0.01 * most, most, 400)
    values = [at(float(v)) for v in speeds]
    for a, b, x, z in zip(speeds[:-1], speeds[1:], values[:-1], values[1:]):
        if x <= 0.0 < z:
            return float(brentq(at, a, b, xtol=1e-12 * most))
    return None


def stiff_critical_speed(system: CreepWheelset) -> float:
    """The speed (m/s) to which `critical_speed` comes as creep gets stiff: A + M_psi (kappa_1/kappa_2) B = 0.

    Slip then follows the demand, u1 = A Psi v/(2 M_psi kappa_1), ua = -B y v/(2 kappa_2), and y ua - eta^2 Psi u1 has no mean over an oscillation. With M_psi eta instead
    of M_psi kappa_1/kappa_2 this is the crossing omega_L1 (5.66), where small slip of dry friction begins to pump.
    """
    w = straight(system.wheels)
    if w.omega_L <= 0.0 or w.v <= 0.0:
        raise InputError("a wheelset without kinematic oscillation (omega_L = 0 or v = 0) has no critical speed.")
    p = w.M_psi * system.kappa_1 / system.kappa_2
    return float(np.sqrt((w.alpha_psi**2 + p * w.alpha_y**2) / (1.0 + p))) * w.v / w.omega_L
