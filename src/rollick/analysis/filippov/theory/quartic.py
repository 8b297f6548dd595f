"""Limit directions of harmonic fields without sampling: a quartic in the radial speed R.

G = c + M u with u = (cos phi, sin phi) is radial, G = R u, iff (R 1 - M) u = c. So |adj(R 1 - M) c|^2 = det(R 1 - M)^2, a quartic in R, and
u = (R 1 - M)^-1 c. Where R is an eigenvalue of M, R 1 - M is singular, but may be consistent: then u = u_p + s e with the eigenvector e, |u| = 1,
two directions. At most four in all.

Near a double zero of V the roots of a quartic carry half of the digits, and rounding decides whether they are real. So every root, real or
not, only says where to look: the angle is polished on V itself (Newton), and where V' is nearly zero the extremum of V is found and decides,
by its value, between two zeros, a double one (within `DOUBLE` of the scale) and none: the same rule as in sampling.
"""

from __future__ import annotations

import math

import numpy as np

from .zeros import DOUBLE, TURN, wrapped

SAME = 1e-7  # zeros nearer than this are one: two that an extremum above DOUBLE separates are further apart


Coefficients = tuple[float, float, float, float, float]


def v_coefficients(c: np.ndarray, M: np.ndarray) -> Coefficients:
    """(k0, k1, l1, k2, l2) of V = k0 + k1 cos phi + l1 sin phi + k2 cos 2 phi + l2 sin 2 phi."""
    (m11, m12), (m21, m22) = M.tolist()
    return (m21 - m12) / 2, float(c[1]), -float(c[0]), (m21 + m12) / 2, (m22 - m11) / 2


def v_derivatives(k: Coefficients, phi: float) -> tuple[float, float, float, float]:
    """V, V', V'', V'''."""
    k0, k1, l1, k2, l2 = k
    cos, sin, cos2, sin2 = math.cos(phi), math.sin(phi), math.cos(2.0 * phi), math.sin(2.0 * phi)
    a, b, da, db = k1 * cos + l1 * sin, k2 * cos2 + l2 * sin2, l1 * cos - k1 * sin, l2 * cos2 - k2 * sin2
    return k0 + a + b, da + 2.0 * db, -a - 4.0 * b, -da - 8.0 * db


def radial_speeds(c: np.ndarray, M: np.ndarray) -> np.ndarray:
    """The four roots R, complex in general, of |adj(R - M) c|^2 = det(R - M)^2."""
    t, d = M[0, 0] + M[1, 1], M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0]
    e = M @ c - t * c  # adj(R - M) c = R c + e
    square = np.array([1.0, -2 * t, t * t + 2 * d, -2 * t * d, d * d])
    return np.roots(square - np.array([0.0, 0.0, c @ c, 2 * (c @ e), e @ e]))


def _starts(c: np.ndarray, M: np.ndarray, scale: float) -> list[float]:
    """Angles near every limit direction."""
    angles = []
    t = M[0, 0] + M[1, 1]
    for root in radial_speeds(c, M):
        u = root.real * c + M @ c - t * c
        if np.any(u):
            angles += [np.arctan2(u[1], u[0]), np.arctan2(-u[1], -u[0])]
    for value in np.linalg.eigvals(M):  # the singular case, and its neighbourhood
        if abs(value.imag) > 1e-4 * scale:
            continue
        left, sizes, right = np.linalg.svd(value.real * np.eye(2) - M)
        part = (left[:, 0] @ c) / sizes[0] * right[0] if sizes[0] > 1e-12 * scale else np.zeros(2)
        rest = np.sqrt(max(1.0 - part @ part, 0.0))
        for u in (part + rest * right[1], part - rest * right[1]):
            angles.append(np.arctan2(u[1], u[0]))
    return angles


def _newton(k: Coefficients, phi: float, order: int) -> float | None:
    """A zero of V (order 0) or of V' (order 1) near phi; None if Newton finds none there."""
    size = sum(abs(value) for value in k)
    for _ in range(40):
        derivatives = v_derivatives(k, phi)
        value, slope = derivatives[order], derivatives[order + 1]
        if abs(value) <= 1e-16 * size:
            return phi
        if slope == 0.0:
            return None
        step = value / slope
        if abs(step) <= 1e-15:
            return phi - step
        phi -= min(max(step, -0.3), 0.3)
    return phi if abs(v_derivatives(k, phi)[order]) <= 1e-15 * size else None


def quartic_zeros(c: np.ndarray, M: np.ndarray, tolerance: float = DOUBLE) -> list[tuple[float, int]] | None:
    """The limit directions (angle, multiplicity) of G = c + M u; None if every direction is one (V = 0)."""
    c, M = np.asarray(c, float), np.asarray(M, float)
    k = v_coefficients(c, M)
    scale = float(np.linalg.norm(c) + np.linalg.norm(M))
    if sum(abs(value) for value in k) <= tolerance * scale:
        return None
    zeros: list[tuple[float, int]] = []
    for start in _starts(c, M, scale):
        candidates = [start]
        at = _newton(k, start, 1)
        if at is not None:
            value, _, bend, _ = v_derivatives(k, at)
            if abs(value) <= tolerance * scale:
                _keep(zeros, at, 2)
            elif value * bend < 0.0:
                apart = np.sqrt(-2.0 * value / bend)
                candidates += [at - apart, at + apart]
        for candidate in candidates:
            zero = _newton(k, float(candidate), 0)
            if zero is not None:
                _keep(zeros, zero, 1)
    return sorted(zeros)


def _keep(zeros: list[tuple[float, int]], angle: float, multiplicity: int) -> None:
    """Add a zero unless it is there; a double one takes the place of what polishing found within its basin."""
    angle = wrapped(angle)
    near = SAME if multiplicity == 1 else 1e-5
    for i, (other, m) in enumerate(zeros):
        apart = abs((angle - other + np.pi) % TURN - np.pi)
        if apart <= max(near, 1e-5 if m == 2 else 0.0):
            if multiplicity > m:
                zeros[i] = (angle, multiplicity)
            return
    zeros.append((angle, multiplicity))
