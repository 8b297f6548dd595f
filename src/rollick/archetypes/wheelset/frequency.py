"""All that is known of a wheelset's kinematic oscillation at some amplitudes: formulas, coefficients, and the exact frequency
where the contact does not jump.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .formulas import Linear, SmallConicity, beta_of, harmonic_balance, linear_frequencies, small_conicity, validity
from .geometry import Geometry
from .locus import smooth_range
from .period import linear_omega, periods
from .period_jumps import crossings, period_with_jumps
from .series import Coefficients, coefficients

APART = 0.1  # how far the formula for small conicity may be from the exact beta before a warning, relative


class Frequencies(NamedTuple):
    """Angular frequencies [rad/s] at amplitudes [m], by beta (1.41), by harmonic balance (1.43) and exactly (NaN beyond `reach`,
    for the reason `limit`).
    """

    v: float
    linear: Linear
    omega_L: float
    coefficients: Coefficients
    beta: float
    small: SmallConicity
    warnings: list[str]
    amplitude: np.ndarray
    by_beta: np.ndarray
    balanced: np.ndarray
    exact: np.ndarray
    reach: float
    limit: str

    def wavelength(self, omega: np.ndarray) -> np.ndarray:
        """Of angular frequencies [m]."""
        return 2.0 * math.pi * abs(self.v) / omega


def exact_frequencies(
    g: Geometry, amplitude: np.ndarray, rtol: float = 1e-11, through: bool = False
) -> tuple[np.ndarray, float, str]:
    """omega per metre of way, NaN where the contact jumps below the amplitude; the largest amplitude without a jump; why not
    further.
    """
    reach, limit = smooth_range(g, 1.0001 * float(np.max(amplitude)))
    found = np.full(len(amplitude), np.nan)
    good = amplitude < reach
    if good.any():
        try:
            found[good] = periods(g, amplitude[good], rtol).omega
        except InputError as error:  # a yawed wheelset reaches farther out on its profiles than one that is not
            limit = limit or str(error)
    if through and not good.all():
        found, limit = through_jumps(g, amplitude, found, max(rtol, 1e-9), limit)
    return found, reach, limit


def through_jumps(g: Geometry, amplitude: np.ndarray, found: np.ndarray, rtol: float, limit: str) -> tuple[np.ndarray, str]:
    """What is missing among exact frequencies, followed through the jumps of the contact, one after the other (about a second each)."""
    try:
        on_way = crossings(g, float(np.max(amplitude)))
    except InputError as error:
        return found, str(error)
    found = found.copy()
    for k in np.flatnonzero(np.isnan(found)):
        try:
            found[k] = 2.0 * math.pi / period_with_jumps(g, float(amplitude[k]), on_way, rtol)
        except InputError as error:
            limit = str(error)
    return found, limit


def frequencies(g: Geometry, amplitudes: Any, v: float = 1.0, exact: bool = True, through: bool = False) -> Frequencies:
    """Frequencies at these amplitudes [m] and this speed [m/s]; `through`: also through jumps of the contact."""
    a = np.atleast_1d(np.asarray(amplitudes, float))
    if not (np.isfinite(a).all() and (a > 0.0).all()):
        raise InputError(f"amplitudes are lateral displacements above zero, in metres, not {amplitudes!r}.")
    if not (math.isfinite(v) and v > 0.0):
        raise InputError(f"v = {v!r} must be a speed above zero.")
    k = g.curvatures
    c = coefficients(g)
    beta, omega = beta_of(c), v * linear_omega(g)
    small = small_conicity(g.h, g.r, k["R_w"], k["R_r"], k["R1_w"], k["R1_r"], k["R2_w"], k["R2_r"], g.b)
    told = warned(g, beta, small)
    seen, reach, limit = (
        exact_frequencies(g, a, through=through) if exact else (np.full(len(a), np.nan), math.nan, "not asked for")
    )
    by_beta = omega * (1.0 + beta * a * a)
    if exact and reach < float(np.max(a)):
        told.append(
            f"beta is about the contact in the middle: of amplitudes beyond {1e3 * reach:.4g} mm it says nothing ({limit})"
        )
    far = np.abs(beta) * a * a > 0.2
    if far.any():
        told.append(
            f"beta y^2 = {beta * float(a[far][0]) ** 2:.3g} at {1e3 * a[far][0]:.4g} mm: (1.41) is a first "
            "approximation, and terms in y^4 count there"
        )
    return Frequencies(
        v,
        linear_frequencies(g.h, g.b, g.r, k["R_w"], k["R_r"], v),
        omega,
        c,
        beta,
        small,
        told,
        a,
        by_beta,
        v * harmonic_balance(c, a),
        v * seen,
        reach,
        limit,
    )


def warned(g: Geometry, beta: float, small: SmallConicity) -> list[str]:
    """Where the formula for small conicity fails, in sentences."""
    told = []
    for name, value in (
        ("as printed", small.printed),
        ("with its fourth term", small.corrected),
        ("with both terms that it lacks", small.complete),
    ):
        if abs(value - beta) > APART * abs(beta):
            times = f", a factor of {beta / value:.3g}" if value != 0.0 and beta / value > 0.0 else ""
            told.append(f"(1.61) {name} gives beta = {1e-6 * value:.5g} instead of {1e-6 * beta:.5g} 1/mm^2{times}")
    return [*told, *validity(g)] if told else []
