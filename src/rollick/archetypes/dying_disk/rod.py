"""The exponent of the falling rod over arrays of (rho, gamma), for the map of Fig. B.1 (appendix B.1); `archetypes/rod.py` has the theory.

The impacts alternate. With P the reflection, beta_p > beta_q are the eigenvalues of P U_0; rho is over the half-length.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError


def factors(rho: Any, gamma: Any) -> tuple[Any, Any]:
    """beta_p and beta_q (3.13) with sigma of (3.15) corrected (E4); nan where they are complex. Numbers or arrays."""
    rho, gamma = np.asarray(rho, float), np.asarray(gamma, float)
    if np.any(rho <= 0.0) or np.any((gamma < 0.0) | (gamma > 1.0)):
        raise InputError("a rod needs rho above 0 and gamma between 0 and 1.")
    stiff, trace = 1.0 + rho**2, (1.0 - rho**2) * (1.0 + gamma)
    sigma = trace**2 - 4.0 * gamma * stiff**2
    with np.errstate(invalid="ignore"):
        root = np.sqrt(np.where((sigma >= 0.0) & (trace > 0.0), sigma, np.nan))
    larger = (trace + root) / (2.0 * stiff)
    return larger, gamma / larger  # their product is gamma: no cancellation


def c_rod(rho: Any, gamma: Any) -> Any:
    """c = 2 ln beta_p/ln(beta_q/beta_p) (B.10); nan where the rod does not chatter to rest, (3.11)."""
    beta_p, beta_q = factors(rho, gamma)
    with np.errstate(divide="ignore", invalid="ignore"):
        return 2.0 * np.log(beta_p) / np.log(beta_q / beta_p)


def chatters(gamma: Any) -> Any:
    """The largest rho with complete chatter: (1 - sqrt(gamma))/(1 + sqrt(gamma)) (3.11)."""
    root = np.sqrt(gamma)
    return (1.0 - root) / (1.0 + root)


def gravity_vanishes(gamma: Any) -> Any:
    """The largest rho at which gravity becomes negligible, c_rod = 2: (1 - rho^2)/(1 + rho^2) = (gamma^(1/3) + gamma^(2/3))/(1 + gamma) (B.8)."""
    x = (np.cbrt(gamma) + np.cbrt(gamma) ** 2) / (1.0 + np.asarray(gamma, float))
    return np.sqrt((1.0 - x) / (1.0 + x))
