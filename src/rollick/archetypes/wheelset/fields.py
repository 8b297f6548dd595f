"""The four fields of the wheelset in closed form (section 5.3): F_SS, F_SR, F_RS, F_RR, as plain NumPy; nothing is shared with `dry`.

(5.37), (5.39), (5.41), (5.42) with errata 50 and 51. x = [y, Psi, u1+, u1-, ua], on a straight track:

    F_SR: u1+' = 2 M_phi/(M_phi + M_psi) A Psi - 4 M_phi M_psi/(M_phi + M_psi) C sgn u1+,   Psi' = -(omega_L/eta) y - u1+/2,   y' = omega_L eta Psi
    F_RS: the mirror image;   F_RR: the linear oscillator

Second route: the equations of motion (5.23, corrected) of y, psi and phi in physical units, from which the slips follow by (5.17).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...analysis.filippov.theory.double import DoubleSwitching
from ...analysis.filippov.theory.margin import StaticForces
from ...kernel.names import InputError
from .dry import DryWheelset
from .irregularity import Sinusoidal

NAMES = ("y", "Psi", "u1+", "u1-", "ua")


def offsets(w: DryWheelset) -> tuple[float, float]:
    """A = alpha_psi^2 - omega_L^2 and B = alpha_y^2 - omega_L^2."""
    return w.alpha_psi**2 - w.omega_L**2, w.alpha_y**2 - w.omega_L**2


def straight(w: DryWheelset) -> DryWheelset:
    """The wheelset, refused on a track that is not straight."""
    if not isinstance(w.track, Sinusoidal) or w.track.amplitude != 0.0:
        raise InputError("this is for a straight track: leave out `track`, or set its amplitude to zero.")
    return w


def slipping(w: DryWheelset, x: Any, T1p: Any, T1m: Any, T2: Any) -> np.ndarray:
    """(5.34) for forces per mass T1+, T1- and T2 = T2+ + T2- (numbers, or arrays: a row each)."""
    y, Psi, up, um, ua = np.asarray(x, float)
    A, B = offsets(w)
    along = A * Psi - w.omega_L / w.eta * ua
    rows = [
        w.omega_L * w.eta * Psi + ua + 0.0 * T2,
        -w.omega_L / w.eta * y - 0.5 * (up - um) + 0.0 * T2,
        along + (w.M_phi + w.M_psi) * T1p + (w.M_phi - w.M_psi) * T1m,
        -along + (w.M_phi - w.M_psi) * T1p + (w.M_phi + w.M_psi) * T1m,
        -B * y + 0.5 * w.omega_L * w.eta * (up - um) + T2,
    ]
    return np.stack(np.broadcast_arrays(*rows), axis=-1)


def directed_SS(w: DryWheelset, x: Any, phi_plus: Any, phi_minus: Any) -> np.ndarray:
    """F_SS with the directions of both slips given as angles of (u1, ua) (5.55)."""
    across = np.sin(phi_plus) + np.sin(phi_minus)
    return slipping(w, x, -w.C * np.cos(phi_plus), -w.C * np.cos(phi_minus), -w.C * across)


def F_SS(w: DryWheelset, x: Any) -> np.ndarray:
    """(5.37)."""
    _, _, up, um, ua = np.asarray(x, float)
    p, m = np.hypot(up, ua), np.hypot(um, ua)
    return slipping(w, x, -w.C * up / p, -w.C * um / m, -w.C * ua * (1.0 / p + 1.0 / m))


def F_SR(w: DryWheelset, x: Any, sign: float | None = None) -> np.ndarray:
    """(5.39): only P+ slips; sign: that of u1+, where u1+ = 0."""
    y, Psi, up = np.asarray(x, float)[:3]
    A, _ = offsets(w)
    s, total = (np.sign(up) if sign is None else np.sign(sign)), w.M_phi + w.M_psi
    du = 2.0 * w.M_phi / total * A * Psi - 4.0 * w.M_phi * w.M_psi / total * w.C * s
    return np.array([w.omega_L * w.eta * Psi, -w.omega_L / w.eta * y - 0.5 * up, du, 0.0, 0.0])


def F_RS(w: DryWheelset, x: Any, sign: float | None = None) -> np.ndarray:
    """(5.41): only P- slips."""
    y, Psi, _, um = np.asarray(x, float)[:4]
    A, _ = offsets(w)
    s, total = (np.sign(um) if sign is None else np.sign(sign)), w.M_phi + w.M_psi
    du = -2.0 * w.M_phi / total * A * Psi - 4.0 * w.M_phi * w.M_psi / total * w.C * s
    return np.array([w.omega_L * w.eta * Psi, -w.omega_L / w.eta * y + 0.5 * um, 0.0, du, 0.0])


def F_RR(w: DryWheelset, x: Any) -> np.ndarray:
    """(5.42): the kinematic oscillation."""
    y, Psi = np.asarray(x, float)[:2]
    return np.array([w.omega_L * w.eta * Psi, -w.omega_L / w.eta * y, 0.0, 0.0, 0.0])


def static_forces(w: DryWheelset, x: Any) -> StaticForces:
    """Forces (N, T1, T2) per mass at P+ and P- while both roll: T2+ + T2- = B y, T1+ = -T1- = -A Psi/(2 M_psi); what is free lies across the rails.

    mu and the load are known by their product C only: N = C, mu = 1.
    """
    y, Psi = np.asarray(x, float)[:2]
    A, B = offsets(w)
    along, across = -A * Psi / (2.0 * w.M_psi), 0.5 * B * y
    return StaticForces(
        np.array([[w.C, along, across], [w.C, -along, across]]), np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]), (1.0, 1.0)
    )


def wheelset_fields(w: DryWheelset) -> DoubleSwitching:
    """The four fields for `what_next`, `compatibility` and whatever asks about a double discontinuity."""
    straight(w)
    return DoubleSwitching(
        lambda x: F_SS(w, x),
        lambda x: F_SR(w, x),
        lambda x: F_RS(w, x),
        lambda x: F_RR(w, x),
        index=(2, 3, 4),
        directed=lambda x, plus, minus: directed_SS(w, x, plus, minus),
        one_sided=lambda mode, x, sign: (F_SR if mode == "SR" else F_RS)(w, x, sign),
        normal=lambda mode, x: np.array([w.C, w.C]),
        directed_normal=lambda x, plus, minus: np.array([w.C, w.C]),
        static=lambda x: static_forces(w, x),
        scale=w.C / max(w.alpha_y, w.alpha_psi, w.omega_L, 1e-9),
        names=NAMES,
    )


def from_second_order(w: DryWheelset, x: Any, T: Any) -> np.ndarray:
    """x' by the equations of motion (5.23, corrected) of y, psi and phi, in physical units of a wheelset of 1 kg; T = (T1+, T2+, T1-, T2-).

    m y'' + k_y y = T2+ + T2-, J_psi psi'' + k_psi psi = -b (T1+ - T1-), J_phi phi'' = -r (T1+ + T1-); then the slips from the derivatives of (5.17),
    ua = y' - a01 psi, u1+- = v - r phi' -+ b (psi' - b10 y).
    """
    y, Psi, up, um, ua = np.asarray(x, float)
    T1p, T2p, T1m, T2m = np.asarray(T, float)
    m, b, r = 1.0, w.b, w.r
    J_psi, J_phi = m * b * b / w.M_psi, m * r * r / w.M_phi
    k_y, k_psi = m * w.alpha_y**2, J_psi * w.alpha_psi**2
    a01, b10 = w.omega_L * w.eta * b, -w.omega_L / (w.eta * b)
    psi = Psi / b
    dy, dpsi = a01 * psi + ua, b10 * y - (up - um) / (2.0 * b)
    ddy, ddpsi, ddphi = (T2p + T2m - k_y * y) / m, (-b * (T1p - T1m) - k_psi * psi) / J_psi, -r * (T1p + T1m) / J_phi
    common, turn = -r * ddphi, -b * (ddpsi - b10 * dy)
    return np.array([dy, b * dpsi, common + turn, common - turn, ddy - a01 * dpsi])
