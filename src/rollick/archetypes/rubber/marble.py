"""Marble rolling (no slip, twist allowed) of the same bodies of revolution: two integrals linear in the velocities.

Axes e_N (nodal line), u = e3 x e_N, e3; angular velocity (theta', w2, w3) with w2 = phi' sin(theta), w3 = Omega3 = psi' + phi'
cos(theta); contact point from the mass centre rho = -h u - f* e3. Along every motion, with Delta = I1 I3 + m (I1 h^2 + I3 f*^2),

    dw2/dtheta = -cot w2 + [I3 m f* (r sin - h) w2 + I3 (I3 + m h^2 + m f* r cos) w3] / Delta
    dw3/dtheta = [I1 m h (h - r sin) w2 + m h (I3 f* - I1 r cos) w3] / Delta

a linear system in theta alone. If F(theta, theta0) is its fundamental matrix, F(theta0, theta) (w2, w3) is constant: what the
velocities were, or would be, at theta0. For a sphere the two integrals are elementary, those of Jellett and Routh; for a thin
disk they are Legendre functions (see `marble_disk`). With them the energy has one degree of freedom: E = B theta'^2 / 2 +
U(theta). (Rubber: one of the two gives way to the constraint, the other is Koiller's l, elementary for every profile.) All this
is without damping; a body's sigma is not looked at.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.polynomial import legendre
from scipy.optimize import brentq

from ...kernel.names import InputError
from ...mechanics.shapes.convex import Sphere
from .body import RubberBody, heights, mass_B

STAGES = 10
TOLERANCE = 3e-14
MOST_HALVINGS = 40


def _gauss(stages: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes c, matrix a_ij = int_0^c_i l_j and weights b_j = int_0^1 l_j of Gauss collocation on (0, 1), of order 2 * stages."""
    x, w = legendre.leggauss(stages)
    from_left = np.stack([legendre.legval(x, legendre.legint(row, lbnd=-1.0)) for row in np.eye(stages)], axis=1)
    return 0.5 * (x + 1.0), 0.5 * from_left @ np.linalg.inv(legendre.legvander(x, stages - 1)), 0.5 * w


NODES, MATRIX, WEIGHTS = _gauss(STAGES)


def profile_at(body: RubberBody, theta: float) -> tuple[float, float, float]:
    """h, f* and r of the contact at theta, from z_C alone (digest of sec. 2.4-2.5)."""
    z, dz, ddz = heights(body, float(theta))
    n, c = math.sin(theta), math.cos(theta)
    return z * n + dz * c, z * c - dz * n, z + ddz


def marble_matrix(body: RubberBody, theta: float) -> np.ndarray:
    """The matrix of d(w2, w3)/dtheta."""
    n, c = math.sin(theta), math.cos(theta)
    out = _softened(body, theta)
    out[0, 1] /= n
    out[1, 0] *= n
    out[0, 0] -= c / n
    return out


def _softened(body: RubberBody, theta: float) -> np.ndarray:
    """The matrix for (w2 sin, w3): without the cotangent, and regular even on the axis where the body is smooth there."""
    h, f, r = profile_at(body, theta)
    n, c = math.sin(theta), math.cos(theta)
    m, I1, I3 = body.m, body.I1, body.I3
    delta = I1 * I3 + m * (I1 * h * h + I3 * f * f)
    return np.array(
        [
            [I3 * m * f * (r * n - h), n * I3 * (I3 + m * h * h + m * f * r * c)],
            [I1 * m * h * (h - r * n) / n, m * h * (I3 * f - I1 * r * c)],
        ]
    ) / delta  # fmt: skip


def _one_step(body: RubberBody, a: float, b: float) -> np.ndarray:
    """Gauss collocation over [a, b]; the system being linear, the stages are one linear solve."""
    M = np.array([_softened(body, a + (b - a) * c) for c in NODES])
    big = np.eye(2 * STAGES) - (b - a) * np.einsum("ij,ikl->ikjl", MATRIX, M).reshape(2 * STAGES, 2 * STAGES)
    stages = np.linalg.solve(big, M.reshape(2 * STAGES, 2)).reshape(STAGES, 2, 2)
    return np.eye(2) + (b - a) * np.einsum("i,ikl->kl", WEIGHTS, stages)


def _propagate(body: RubberBody, a: float, b: float, whole: np.ndarray | None = None, depth: int = 0) -> np.ndarray:
    """The propagator of (w2 sin, w3) from a to b: one step against two halves, which are halved again until they agree."""
    whole = _one_step(body, a, b) if whole is None else whole
    middle = 0.5 * (a + b)
    first, second = _one_step(body, a, middle), _one_step(body, middle, b)
    halves = second @ first
    if np.abs(halves - whole).max() <= TOLERANCE * np.abs(halves).max():
        return halves
    if depth == MOST_HALVINGS:
        raise InputError(
            f"the marble system cannot be followed from theta = {a:.6g} to {b:.6g}: the profile is not smooth enough there, "
            f"or the body touches along a whole circle; keep away from that angle."
        )
    return _propagate(body, middle, b, second, depth + 1) @ _propagate(body, a, middle, first, depth + 1)


def _inside(theta: Any, what: str) -> np.ndarray:
    """Angles strictly between 0 and pi, as an array."""
    angles = np.asarray(theta, float)
    if not np.all((angles > 0.0) & (angles < math.pi)):
        raise InputError(f"{what} = {theta!r} must lie strictly between 0 and pi; on the axis w2 and w3 are not defined.")
    return angles


def fundamental(body: RubberBody, theta: Any, reference: float) -> np.ndarray:
    """F(theta, reference): (w2, w3) at theta is F times (w2, w3) at the reference angle; for many angles, one matrix each."""
    angles, start = _inside(theta, "theta"), float(_inside(reference, "reference"))
    flat = angles.ravel()
    out = np.empty((flat.size, 2, 2))
    for side in (np.flatnonzero(flat >= start), np.flatnonzero(flat < start)):
        at, product = start, np.eye(2)
        for k in side[np.argsort(np.abs(flat[side] - start))]:
            if flat[k] != at:
                product = _propagate(body, at, float(flat[k])) @ product
                at = float(flat[k])
            out[k] = np.array([1.0 / math.sin(at), 1.0])[:, None] * product * np.array([math.sin(start), 1.0])
    return out.reshape(*angles.shape, 2, 2)


def linear_integrals(body: RubberBody, theta: Any, w2: Any, w3: Any, reference: float) -> np.ndarray:
    """The two integrals of a marble motion, F(reference, theta) (w2, w3), for any profile; the last axis counts them."""
    velocities = np.stack(np.broadcast_arrays(np.asarray(w2, float), np.asarray(w3, float)), axis=-1)
    return np.linalg.solve(fundamental(body, theta, reference), velocities[..., None])[..., 0]


def _sphere(body: RubberBody) -> None:
    if not isinstance(body.shape, Sphere):
        raise InputError(
            f"the integrals of Jellett and Routh are those of a sphere, and this is {body.shape!r}; "
            f"use `linear_integrals`, which serve any profile."
        )


def jellett(body: RubberBody, theta: Any, w2: Any, w3: Any) -> np.ndarray:
    """Jellett's integral of a sphere with its mass centre on the axis: L.rho = -(I1 h w2 + I3 f* w3), L about C."""
    _sphere(body)
    theta = np.asarray(theta, float)
    R, s = body.shape.radius, body.s
    return -(body.I1 * R * np.sin(theta) * w2 + body.I3 * (R * np.cos(theta) + s) * w3)


def routh(body: RubberBody, theta: Any, w3: Any) -> np.ndarray:
    """Routh's integral of the same sphere: Omega3 sqrt(I1 I3 + m (I1 h^2 + I3 f*^2))."""
    _sphere(body)
    theta = np.asarray(theta, float)
    h, f = body.shape.radius * np.sin(theta), body.shape.radius * np.cos(theta) + body.s
    return w3 * np.sqrt(body.I1 * body.I3 + body.m * (body.I1 * h**2 + body.I3 * f**2))


def spins(theta: Any, psi_rate: Any, phi_rate: Any) -> tuple[np.ndarray, np.ndarray]:
    """w2 = phi' sin(theta) and w3 = psi' + phi' cos(theta)."""
    return np.asarray(phi_rate * np.sin(theta)), np.asarray(psi_rate + phi_rate * np.cos(theta))


def effective_potential(body: RubberBody, theta: Any, reference: float, constants: Any) -> np.ndarray:
    """U of the reduced energy E = B theta'^2/2 + U: (I1 w2^2 + I3 w3^2 + m (f* w2 - h w3)^2)/2 + m g z_C, w = F constants."""
    angles = np.asarray(theta, float)
    w = np.atleast_2d((fundamental(body, angles, reference) @ np.asarray(constants, float)).reshape(-1, 2))
    out = np.empty(w.shape[0])
    for k, t in enumerate(angles.ravel()):
        h, f, _ = profile_at(body, float(t))
        w2, w3 = w[k]
        turning = body.I1 * w2 * w2 + body.I3 * w3 * w3 + body.m * (f * w2 - h * w3) ** 2
        out[k] = 0.5 * turning + body.m * body.g * heights(body, float(t))[0]
    return out.reshape(angles.shape)


def marble_energy(body: RubberBody, theta: float, theta_rate: float, w2: float, w3: float) -> float:
    """The energy of a marble motion, B theta'^2/2 + U."""
    B, _ = mass_B(body, float(theta))
    return 0.5 * B * theta_rate**2 + float(effective_potential(body, theta, theta, (w2, w3)))


def marble_turning_points(
    body: RubberBody,
    theta: float,
    theta_rate: float,
    w2: float,
    w3: float,
    limits: tuple[float, float] = (1e-3, math.pi - 1e-3),
    count: int = 400,
) -> tuple[float, float]:
    """The ends of the nutation of the marble motion through a state: the nearest angles on either side where U = E.

    A side on which U stays below E up to the limit (a body that falls flat, or a sphere that comes round) is answered with NaN.
    """
    energy = marble_energy(body, theta, theta_rate, w2, w3)

    def gap(angle: float) -> float:
        return energy - float(effective_potential(body, angle, theta, (w2, w3)))

    ends = []
    for limit in limits:
        grid = theta + (limit - theta) * np.linspace(0.0, 1.0, count + 1)[1:]
        open_ = energy - effective_potential(body, grid, theta, (w2, w3)) > 0.0
        if open_.all():
            ends.append(math.nan)
            continue
        k = int(np.argmin(open_))
        before = theta if k == 0 else float(grid[k - 1])
        # A start that is itself the turning point on this side has no gap to search in.
        ends.append(theta if gap(before) <= 0.0 else float(brentq(gap, before, float(grid[k]), xtol=1e-15, rtol=8.9e-16)))
    return ends[0], ends[1]
