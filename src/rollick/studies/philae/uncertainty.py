"""How well a direction of the Sun is known: the noise of the powers, from what the fits leave over, carried to the direction.

With a = C_k max(0, n_k.s) and p = a / sum a, a change of the powers dP moves the measured distribution by (I - p 1') dP / sum P, and the
direction by the least-squares solution of J d_theta = that, where J is the derivative of p along two tangent directions. A panel that is
dark tells nothing. The noise of one power is taken to be the same for all lit panels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...archetypes.lander.sun import distribution_of, find_sun
from ...archetypes.lander.telemetry import FIRST_UNFOLDED, LAST_BEFORE_TD1, panels, powers


def tangents(s: np.ndarray) -> np.ndarray:
    """Two unit vectors (2, 3) at right angles to s and to each other."""
    e = np.eye(3)[int(np.argmin(np.abs(s)))]
    e = e - (e @ s) * s
    e /= np.linalg.norm(e)
    return np.stack([e, np.cross(s, e)])


def sensitivity(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """J (6, 2), the derivative of the distribution along the tangents, and the distribution p (6,)."""
    cells, normals = panels()
    lit = normals @ s > 0.0
    total = float((cells * np.maximum(0.0, normals @ s)).sum())
    p = distribution_of(s)
    slope = np.where(lit, cells, 0.0)[:, None] * (normals @ tangents(s).T)
    return (slope - p[:, None] * slope.sum(axis=0)) / total, p


def power_noise(rows: Any = None) -> float:
    """The standard deviation of one power in W, from what the fits of the descent leave over (rows with more than three lit panels)."""
    numbers = range(FIRST_UNFOLDED, LAST_BEFORE_TD1 + 1) if rows is None else rows
    P = powers()[np.asarray(list(numbers)) - 1]
    sun, _ = find_sun(P)
    squares, freedom = 0.0, 0
    for measured, s in zip(P, sun):
        extra = int((measured > 0.0).sum()) - 3
        if np.isfinite(s[0]) and extra > 0:
            shape = distribution_of(s)
            scale = float(measured @ shape / (shape @ shape))
            squares += float(((measured - scale * shape) ** 2).sum())
            freedom += extra
    return float(np.sqrt(squares / freedom))


def covariance(s: np.ndarray, measured: np.ndarray, noise: float) -> np.ndarray:
    """The covariance (2, 2) of the direction along its tangents, in rad^2."""
    J, p = sensitivity(s)
    lit = measured > 0.0
    project = np.eye(6) - np.outer(p, np.ones(6))
    carry = np.linalg.pinv(J) @ project @ np.diag(lit.astype(float)) / measured.sum()
    return noise**2 * carry @ carry.T


def spreads(sun: np.ndarray, measured: np.ndarray, noise: float | None = None) -> np.ndarray:
    """The standard deviation of each direction along its worst axis, in degrees; nan where there is none."""
    sigma = power_noise() if noise is None else noise
    found = np.full(len(sun), np.nan)
    for i, (s, P) in enumerate(zip(sun, measured)):
        if np.isfinite(s[0]):
            found[i] = np.degrees(np.sqrt(np.linalg.eigvalsh(covariance(s, P, sigma))[-1]))
    return found
