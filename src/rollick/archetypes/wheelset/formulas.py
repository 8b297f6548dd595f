"""Frequencies of the kinematic oscillation in formulas: Klingel, Heumann, Lorant, Meijaard (1.7)-(1.10), the nonlinearity factor
beta (1.38), harmonic balance (1.43), the formula for small conicity (1.61) with the term that the thesis lacks, and where it
holds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .geometry import Geometry
from .series import Coefficients


class Linear(NamedTuple):
    """Angular frequencies [rad/s] of small oscillations by four formulas; Meijaard's is exact."""

    klingel: float
    heumann: float
    lorant: float
    meijaard: float


def linear_frequencies(h: float, b: float, r: float, R_w: float, R_r: float, v: float = 1.0) -> Linear:
    """(1.7)-(1.10). R_w = inf: conical wheels. Lorant's formula is meant for those, and is the same whatever R_w."""
    base = h / (b * r)
    hollow = 1.0 if math.isinf(R_w) else R_w / (R_w - R_r)
    lever = 1.0 + R_r * h / (b * math.sqrt(1.0 + h * h))
    return Linear(*(v * math.sqrt(base * f) for f in (1.0, hollow, lever, hollow * lever)))


def first_coefficients(h: float, b: float, r: float, R_w: float, R_r: float) -> tuple[float, float]:
    """a01, b10 for a speed of 1 m/s (1.56)."""
    hollow = 1.0 if math.isinf(R_w) else R_w / (R_w - R_r)
    return (b - h * r) / b, -h * hollow * (b + R_r * h / math.sqrt(1.0 + h * h)) / (b * r * (b - h * r))


def second_order(c: Coefficients) -> tuple[float, float, float]:
    """omega_L^2, c30, c12 of y'' + omega_L^2 y + c30 y^3 + c12 y y'^2 = 0 (1.34); the thesis calls them c03, c21 (erratum 4). For
    a speed of 1 m/s: c12 does not change with it.
    """
    c12 = -(c.a01 * c.b12 + 2.0 * c.a01 * c.a21 + 3.0 * c.a03 * c.b10) / c.a01**2
    return -c.a01 * c.b10, -c.a01 * c.b30 - c.a21 * c.b10, c12


def beta_of(c: Coefficients) -> float:
    """The nonlinearity factor [1/m^2] (1.38): omega_N = omega_L (1 + beta y^2 + ...)."""
    return (3.0 * c.b30 / c.b10 + c.a21 / c.a01 - c.b12 / c.a01 - 3.0 * c.a03 * c.b10 / c.a01**2) / 8.0


def harmonic_balance(c: Coefficients, amplitude: np.ndarray) -> np.ndarray:
    """omega_N for a speed of 1 m/s (1.43); NaN where its root is not real."""
    w2, c30, c12 = second_order(c)
    square = np.asarray(amplitude) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = (4.0 * w2 + 3.0 * c30 * square) / (4.0 - c12 * square)
        return np.sqrt(np.where(ratio > 0.0, ratio, np.nan))


class SmallConicity(NamedTuple):
    """beta for small conicity [1/m^2]: the three terms of (1.61), and two of the order of the first that the thesis lacks.

    The fourth, in R'^2, is erratum 7. The fifth, in R'/b, is what (1.59) lets go: it is h R/b or h r/b times the second. Together
    they are all of beta but O(h): found from exact values for h to 0, as fractions (see the tests).
    """

    curvature: float
    gradient: float
    second: float
    gradient_squared: float
    gradient_over_b: float

    @property
    def printed(self) -> float:
        """(1.61) as it is printed."""
        return self.curvature + self.gradient + self.second

    @property
    def corrected(self) -> float:
        """With the fourth term."""
        return self.printed + self.gradient_squared

    @property
    def complete(self) -> float:
        """All five terms: beta but O(h)."""
        return self.corrected + self.gradient_over_b


def small_conicity(
    h: float,
    r: float,
    R_w: float,
    R_r: float,
    R1_w: float = 0.0,
    R1_r: float = 0.0,
    R2_w: float = 0.0,
    R2_r: float = 0.0,
    b: float = math.inf,
) -> SmallConicity:
    """The terms of (1.61); the first is (1.62), the second (1.64). Conical wheels: their limit for R_w to infinity, zero. Without
    b the fifth term is zero.
    """
    if math.isinf(R_w):
        return SmallConicity(0.0, 0.0, 0.0, 0.0, 0.0)
    d = R_w - R_r
    return SmallConicity(
        (3.0 * r - 4.0 * R_w) / (16.0 * r * d**2),
        (R1_w * d + 3.0 * R_r * (R1_w - R1_r)) / (16.0 * h * d**3),
        -R_r * (R2_w * R_w - R2_r * R_r) / (16.0 * d**3),
        R_r * (R1_w - R1_r) * ((2.0 * R_w + R_r) * R1_w - (R_w + 2.0 * R_r) * R1_r) / (16.0 * d**4),
        (
            2.0 * r * ((R_w + 2.0 * R_r) * R1_w - 3.0 * R_r * R1_r)
            + R_r * ((6.0 * R_w + 4.0 * R_r) * R1_w - (9.0 * R_w + R_r) * R1_r)
        )
        / (16.0 * b * d**3),
    )


TOO_LARGE = 0.1  # of a ratio that (1.59) or (1.63) wants small


def validity(g: Geometry) -> list[str]:
    """What speaks against (1.61) for these profiles, as sentences: conditions (1.59), and those on R' and h R/(R_w - R_r) that
    the thesis does not ask for (erratum 12).
    """
    k, h = g.curvatures, g.h
    R_w, R_r = k["R_w"], k["R_r"]
    ratios = {"h r/b": h * g.r / g.b, "h b/r": h * g.b / g.r, "h^2": h * h, "h R_r/b": h * abs(R_r) / g.b}
    if math.isinf(R_w):
        return [
            "(1.61) is about curved wheels; for conical ones its terms vanish, and what is left of beta is of higher order in h."
        ]
    ratios |= {"h R_w/b": h * abs(R_w) / g.b, "h R_w/(R_w - R_r)": h * abs(R_w / (R_w - R_r))}
    said = [f"{name} = {value:.3g} is not small" for name, value in ratios.items() if value > TOO_LARGE]
    for name, R1 in (("w", k["R1_w"]), ("r", k["R1_r"])):
        if abs(R1) * h > TOO_LARGE * abs(R_w - R_r) / max(abs(R_w), abs(R_r)):
            said.append(f"R_{name}' = {R1:.4g} is large (h R' = {h * R1:.3g}): the terms with R'^2 count, and those beyond")
    return said
