"""Marble rolling of a thin disk or hoop: Legendre functions (Appell, Chaplygin, Korteweg).

With h = R, r = 0, f* = 0 the marble system of `marble` becomes

    w2' = -cot w2 + (I3/I1) w3,    w3' = k w2,    k = m R^2 / (I3 + m R^2),

hence w3'' + cot w3' - kappa w3 = 0, kappa = k I3/I1: Legendre's equation in x = cos(theta) with nu (nu + 1) = -kappa, solved by
P_nu(x) and P_nu(-x). The degree is nu = -1/2 + sqrt(1/4 - kappa), complex (a conical function) for kappa > 1/4, so for every
uniform disk (kappa = 4/3) and hoop (kappa = 1). SciPy's hyp2f1 and lpmv take real degrees only; but the hypergeometric series

    P_nu(x) = 2F1(-nu, nu + 1; 1; y) = sum_n c_n y^n,    c_(n+1)/c_n = (n (n + 1) + kappa)/(n + 1)^2,    y = sin^2(theta/2)

has real, positive terms for every kappa > 0. It is summed for y <= 1/2; beyond, the connection formula in 1 - y with its
logarithm is (DLMF 15.8.10).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import digamma

from ...kernel.names import InputError
from ...mechanics.shapes.convex import Rim
from .body import RubberBody

TERMS = 80  # 2^-80 < 1e-24


def disk_numbers(body: RubberBody) -> tuple[float, float]:
    """k = m R^2/(I3 + m R^2) and kappa = k I3/I1 of a thin disk with its mass centre at its centre."""
    if not isinstance(body.shape, Rim) or body.s != 0.0:
        raise InputError(
            f"Legendre functions solve the thin disk, Rim(R) with s = 0; this is {body.shape!r} with s = {body.s:g}. "
            f"Use `marble.fundamental`, which serves any profile."
        )
    square = body.m * body.shape.R**2
    k = square / (body.I3 + square)
    return k, k * body.I3 / body.I1


def _coefficients(kappa: float) -> np.ndarray:
    """c_n = (-nu)_n (nu + 1)_n / n!^2."""
    n = np.arange(TERMS - 1)
    return np.concatenate([[1.0], np.cumprod((n * (n + 1.0) + kappa) / (n + 1.0) ** 2)])


def legendre_of(kappa: float, theta: Any) -> tuple[np.ndarray, np.ndarray]:
    """P_nu(cos theta) and its derivative in theta, for nu (nu + 1) = -kappa."""
    theta = np.asarray(theta, float)
    c, n = _coefficients(kappa), np.arange(TERMS)
    near = theta <= 0.5 * math.pi
    y = np.where(near, np.sin(0.5 * theta) ** 2, np.cos(0.5 * theta) ** 2)[..., None]  # y, or 1 - y beyond pi/2
    powers = y**n
    slopes = n[1:] * y ** (n[1:] - 1)
    value = powers @ c
    slope = slopes @ c[1:]
    # DLMF 15.8.10 with a = -nu, b = nu + 1, a + b = 1:
    # 2F1(y) = sin(pi a)/pi sum c_n [2 psi(n+1) - psi(a+n) - psi(b+n) - log(1-y)] (1-y)^n
    a = 0.5 - np.sqrt(complex(0.25 - kappa))
    factor = float((np.sin(np.pi * a) / np.pi).real)
    d = c * (2.0 * digamma(n + 1.0) - (digamma(a + n) + digamma(1.0 - a + n)).real)
    log = np.log(y[..., 0])
    far_value = factor * (powers @ d - log * value)
    far_slope = factor * (slopes @ d[1:] - log * slope - value / y[..., 0])  # in 1 - y
    turn = 0.5 * np.sin(theta)  # dy/dtheta
    return np.where(near, value, far_value), np.where(near, slope * turn, -far_slope * turn)


def disk_solutions(body: RubberBody, theta: Any) -> np.ndarray:
    """A fundamental matrix of the disk: columns (w2, w3) of w3 = P_nu(cos theta) and w3 = P_nu(-cos theta), w2 = w3'/k."""
    angles = np.asarray(theta, float)
    if not np.all((angles > 0.0) & (angles < math.pi)):
        raise InputError(f"theta = {theta!r} must lie strictly between 0 and pi, where the disk lies flat.")
    k, kappa = disk_numbers(body)
    one, d_one = legendre_of(kappa, angles)
    two, d_two = legendre_of(kappa, math.pi - angles)
    return np.stack([np.stack([d_one / k, -d_two / k], -1), np.stack([one, two], -1)], -2)


def disk_fundamental(body: RubberBody, theta: Any, reference: float) -> np.ndarray:
    """F(theta, reference) of the disk in Legendre functions; as `marble.fundamental`, by another way."""
    return disk_solutions(body, theta) @ np.linalg.inv(disk_solutions(body, float(reference)))
