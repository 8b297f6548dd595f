"""Impact without collision: the percussion that ends a slip for which no contact force is consistent (Painleve).

Along the normal percussion p the contact velocities change as d gamma / d p = A (1, -mu d), d the direction of the slip. With D < 0 the normal
velocity falls below zero while the slip slows down (P^T A P > 0 with P = (1, -mu d) says that it does); after the slip has stopped, or turned,
the contact is pressed out again. The percussion ends where the normal velocity is back at zero. There was no approach, so that Newton's law
asks for no rebound.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

STEP = 0.02  # of the percussion that would stop the slip
STOPPED = 1e-13  # of the first slip
MOST = 100_000


def percussion_without_collision(gamma: np.ndarray, A: np.ndarray, mu: float) -> np.ndarray | None:
    """The percussion (normal, two along the surface) from velocities gamma with gamma_N = 0; None if it does not end."""
    gamma, P = np.array([0.0, *gamma[1:]]), np.zeros(3)
    first = math.hypot(gamma[1], gamma[2])

    def force(g: np.ndarray) -> np.ndarray:
        size = math.hypot(g[1], g[2])
        return np.array([1.0, -mu * g[1] / size, -mu * g[2] / size])

    for _ in range(MOST):
        size = math.hypot(gamma[1], gamma[2])
        if size <= STOPPED * first:
            return _from_rest(gamma, P, A, mu)
        now = force(gamma)
        change = A @ now
        h = STEP * size / math.hypot(change[1], change[2])
        k2 = force(gamma + 0.5 * h * change)
        k3 = force(gamma + 0.5 * h * (A @ k2))
        k4 = force(gamma + h * (A @ k3))
        step = h * (now + 2.0 * k2 + 2.0 * k3 + k4) / 6.0
        new = gamma + A @ step
        if new[0] >= 0.0 and gamma[0] < 0.0:  # pressed out again while it still slips
            share = gamma[0] / (gamma[0] - new[0])
            return P + share * step
        gamma, P = new, P + step
    return None


def zeros_on_circle(vectors: Any) -> list[float]:
    """The angles at which d x a = 0, where (d, a) = vectors(angles) and the product is a trigonometric polynomial of second degree."""
    d, a = vectors(2.0 * math.pi * np.arange(8) / 8.0)
    F = np.fft.fft(d[0] * a[1] - d[1] * a[0]) / 8.0
    polynomial = np.array([F[2], F[1], F[0], F[-1], F[-2]])
    size = float(np.abs(polynomial).max())
    if size <= 1e-14 * np.abs(a).max():
        return []
    polynomial[np.abs(polynomial) < 1e-15 * size] = 0.0
    return [math.atan2(z.imag, z.real) for z in np.roots(polynomial) if abs(abs(z) - 1.0) < 1e-4]


def _from_rest(gamma: np.ndarray, P: np.ndarray, A: np.ndarray, mu: float) -> np.ndarray | None:
    """The rest of the percussion once the slip has stopped: it sticks, or slips off in the direction in which that drives it."""
    gripped = -np.linalg.solve(A[1:, 1:], A[1:, 0])
    way = np.array([1.0, *gripped])
    if math.hypot(*gripped) > mu:

        def driven(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            d = np.array([np.cos(angles), np.sin(angles)])
            return d, A[1:, :1] - mu * (A[1:, 1:] @ d)

        ways = [np.array([1.0, -mu * math.cos(a), -mu * math.sin(a)]) for a in zeros_on_circle(driven)]
        ways = [w for w in ways if (A @ w)[0] > 0.0 > float((A @ w)[1:] @ w[1:])]  # pressed out, and slipping off
        if not ways:
            return None
        way = ways[0]
    pressed = float((A @ way)[0])
    return P - gamma[0] / pressed * way if pressed > 0.0 else None
