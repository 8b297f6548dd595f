"""Phi-simplicity of a rubber body of any convex shape (Koiller, Appendix B by L. Garcia-Naranjo).

On the sphere of Poisson vectors gamma(theta, psi), the constraints leave Omega = gamma' x gamma. With I_P the inertia about the
contact point,

    G_uv = Omega_u.(I_P Omega_v)                 compressed kinetic energy, u, v in {theta, psi}
    P_u  = gamma.(I_P Omega_u)                   vertical angular momentum about the contact point, (47) in general
    T(d_theta, d_psi) = a d_theta + b d_psi,     (a, b) = sin(theta) G^-1 (P_theta, P_psi)    gyroscopic tensor: J.K of (41)

The system is Phi-simple if T(Y, Z) = Z[Phi] Y - Y[Phi] Z: a = d_psi Phi, b = -d_theta Phi. On a sphere such a Phi exists iff the
one-form beta = -b d_theta + a d_psi is closed, d_theta a + d_psi b = 0. Then N = e^-Phi makes it Hamiltonian in the time tau, dt
= N dtau, and 1/N is the density of an invariant measure.

Without coordinates beta = X.dgamma, X = gamma - I_P^-1 gamma/(gamma.I_P^-1 gamma) (`covector`). Extend N as a homogeneous
function of degree one, as the height z of the mass centre is one with rho = -grad z: then the body is simple iff I_P grad N is
parallel to gamma for some N. So are

    bodies of revolution,                              N^2 = I1 cos^2 + I3 sin^2 + m z^2 (53);
    balls with centred mass centre (Chaplygin's),      N^2 = gamma.(I + m R^2)^-1 gamma, whatever the moments;
    all shapes and mass centres with I = k 1,          N^2 = k + m z^2;
    centred ellipsoids with I_i = (q + m a_i^2)/(1 + p a_i^2),   N^2 = 1 + p z^2 (`simple_moments`),

the last two (not in the paper) found with this module and then proved by inserting N. A solid ellipsoid with three axes, and a
ball with its mass centre off a symmetry axis, fail.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import legendre

from ...kernel.names import InputError
from ...mechanics.body import Body
from ...mechanics.shapes.convex import support
from .body import RubberBody, nose_squared

STEP = 1e-40  # of the complex step
PASS = 1e-10  # curl of beta, relative to its size
SMALLEST = 1e-3  # beta is a pure number of order one; below this its size is no yardstick
GAUSS = 12  # nodes between neighbours of the grid, when Phi is integrated


def poisson(theta: Any, psi: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """gamma and its derivatives by theta and psi; the last axis is the vector."""
    theta, psi = np.broadcast_arrays(theta, psi)
    n, c, sp, cp = np.sin(theta), np.cos(theta), np.sin(psi), np.cos(psi)
    return np.stack([n * sp, n * cp, c], -1), np.stack([c * sp, c * cp, -n], -1), np.stack([n * cp, -n * sp, 0.0 * n], -1)


def lever(body: Body, gamma: np.ndarray) -> np.ndarray:
    """rho: the contact point from the mass centre, in body axes; gamma may carry a complex step."""
    kind = complex if np.iscomplexobj(gamma) else float
    points = [support(body.shape, (kind(-x), kind(-y), kind(-z))) for x, y, z in gamma.reshape(-1, 3)]
    return np.array(points).reshape(gamma.shape) - np.array(body.centre)


def _moment(body: Body, rho: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """I_P Omega = I Omega + m (rho.rho Omega - rho rho.Omega)."""
    along = np.sum(rho * omega, -1, keepdims=True)
    return omega @ np.array(body.inertia).T + body.mass * (np.sum(rho * rho, -1, keepdims=True) * omega - along * rho)


@dataclass(frozen=True)
class Compressed:
    """Metric (.., 2, 2), momentum (P_theta, P_psi) and gyroscopic tensor (a, b) at points (theta, psi) of the sphere."""

    metric: np.ndarray
    momentum: np.ndarray
    tensor: np.ndarray


def compress(body: Body, theta: Any, psi: Any) -> Compressed:
    """The compressed kinetic energy and the gyroscopic tensor of a rubber body of any convex shape."""
    gamma, by_theta, by_psi = poisson(theta, psi)
    rho = lever(body, gamma)
    omega = [np.cross(d, gamma) for d in (by_theta, by_psi)]
    spin = [_moment(body, rho, w) for w in omega]
    metric = np.stack([np.stack([np.sum(w * L, -1) for L in spin], -1) for w in omega], -2)
    momentum = np.stack([np.sum(gamma * L, -1) for L in spin], -1)
    det = metric[..., 0, 0] * metric[..., 1, 1] - metric[..., 0, 1] * metric[..., 1, 0]
    scale = np.sin(np.broadcast_arrays(theta, psi)[0]) / det
    a = scale * (metric[..., 1, 1] * momentum[..., 0] - metric[..., 0, 1] * momentum[..., 1])
    b = scale * (metric[..., 0, 0] * momentum[..., 1] - metric[..., 1, 0] * momentum[..., 0])
    return Compressed(metric, momentum, np.stack([a, b], -1))


def curl(body: Body, theta: Any, psi: Any) -> np.ndarray:
    """(d_theta a + d_psi b)/sin(theta): d(beta) per unit area of the sphere, by complex step; zero everywhere iff Phi exists."""
    theta, psi = np.broadcast_arrays(np.asarray(theta, float), np.asarray(psi, float))
    one = compress(body, theta + 1j * STEP, psi).tensor[..., 0].imag / STEP
    two = compress(body, theta, psi + 1j * STEP).tensor[..., 1].imag / STEP
    return (one + two) / np.sin(theta)


def covector(body: Body, gamma: Any) -> np.ndarray:
    """X with beta = X.dgamma, without coordinates: gamma - I_P^-1 gamma/(gamma.I_P^-1 gamma), tangent to the sphere."""
    gamma = np.asarray(gamma, float)
    rho = lever(body, gamma)
    outer = np.sum(rho * rho, -1)[..., None, None] * np.eye(3) - rho[..., :, None] * rho[..., None, :]
    solved = np.linalg.solve(np.array(body.inertia) + body.mass * outer, gamma[..., None])[..., 0]
    return gamma - solved / np.sum(gamma * solved, -1, keepdims=True)


def simple_moments(mass: float, axes: Any, p: float, q: float) -> np.ndarray:
    """Moments I_i = (q + m a_i^2)/(1 + p a_i^2) with which a centred ellipsoid of semi-axes a_i is simple, N^2 = 1 + p z^2.

    Insert grad N ~ gamma + p Q gamma, rho = -Q gamma/z, Q = diag(a_i^2), into I_P grad N || gamma: component i over gamma_i is
    I_i (1 + p a_i^2) - m a_i^2 up to what is common to all i.
    """
    squares = np.asarray(axes, float) ** 2
    moments = (q + mass * squares) / (1.0 + p * squares)
    if moments.min() <= 0.0 or 2.0 * moments.max() > moments.sum():
        raise InputError(
            f"p = {p:g}, q = {q:g} give the moments {np.round(moments, 9).tolist()}, which no body has: each must be positive "
            f"and at most the sum of the others; near p = {mass:g}/q they are all close to q."
        )
    return moments


@dataclass(frozen=True)
class Simplicity:
    """The verdict on a body. `phi` is Phi = -log N on the grid (theta, psi), zero at its first point; None if there is none."""

    simple: bool
    residual: float  # largest |d beta| per unit area over the grid
    size: float  # largest |beta| over the grid
    relative: float  # residual / max(size, SMALLEST), what the verdict rests on
    theta: np.ndarray
    psi: np.ndarray
    phi: np.ndarray | None


def simplicity(body: Body, thetas: int = 16, psis: int = 24) -> Simplicity:
    """Whether a rubber body is Phi-simple, judged on a grid of the sphere of normals; any convex body, balanced or not."""
    if thetas < 2 or psis < 2:
        raise InputError(f"the grid needs at least 2 x 2 points, not {thetas} x {psis}.")
    theta = math.pi * (np.arange(thetas) + 0.5) / thetas
    psi = 2.0 * math.pi * np.arange(psis) / psis + 0.1  # off the planes of symmetry, where a failure may hide
    T, P = np.meshgrid(theta, psi, indexing="ij")
    found = compress(body, T, P).tensor
    size = float(np.hypot(found[..., 1], found[..., 0] / np.sin(T)).max())
    residual = float(np.abs(curl(body, T, P)).max())
    relative = residual / max(size, SMALLEST)
    simple = relative < PASS
    return Simplicity(simple, residual, size, relative, theta, psi, _integrated(body, theta, psi) if simple else None)


def _integrated(body: Body, theta: np.ndarray, psi: np.ndarray) -> np.ndarray:
    """Phi on a grid: down the first meridian, d_theta Phi = -b, then along each parallel, d_psi Phi = a."""
    x, w = legendre.leggauss(GAUSS)

    def steps(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        half = 0.5 * np.diff(nodes)
        return nodes[:-1, None] + half[:, None] * (1.0 + x), half

    at, half = steps(theta)
    down = -(compress(body, at, psi[0]).tensor[..., 1] @ w) * half
    at, half_psi = steps(psi)
    along = (compress(body, theta[:, None, None], at[None]).tensor[..., 0] @ w) * half_psi
    first = np.concatenate([[0.0], np.cumsum(down)])
    return first[:, None] + np.concatenate([np.zeros((theta.size, 1)), np.cumsum(along, axis=1)], axis=1)


def nose_mismatch(body: RubberBody, found: Simplicity) -> float:
    """How far Phi is from -log N with N of (53), up to a constant: the largest deviation over the grid."""
    if found.phi is None:
        raise InputError("this body is not Phi-simple: there is no Phi to compare with -log N.")
    nose = np.array([-0.5 * math.log(nose_squared(body, float(t))) for t in found.theta])
    gap = found.phi - nose[:, None]
    return float(np.abs(gap - gap[0, 0]).max())
