"""The rolling connection of a body of revolution on the plane: lifts, curvature, holonomy (Koiller, section 3 and Appendix A).

Coordinates (theta, psi, x, y, phi). A motion of the contact on the body, (theta', psi'), lifts to one of the whole body (38):

    h_theta = d_theta - r e_N_perp,      h_psi = d_psi - h e_N - cos(theta) d_phi,      [h_theta, h_psi] = sin(theta) d_phi   (39)

In orthonormal frames, X1 = h_theta/r and X2 = h_psi/h over e1 = d_theta/r, e2 = d_psi/h with [e1, e2] = a1 e1 + a2 e2, this says
[X1, X2] = a1 X1 + a2 X2 + (kappa_body - kappa_plane) d_phi (A.3), kappa_body = sin(theta)/(r h). So a closed curve of contact on
the body turns it by the area that the curve of normals encloses on the unit sphere, whatever the body; how far it is carried does
depend on the body.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...mechanics.shapes.convex import support
from .body import RubberBody, heights, reduced_only
from .loops import DIFFERENTIATE, INTEGRATE, WEIGHTS, Panels, normals, settled

STEP = 1e-40  # of the complex step

Field = Callable[[np.ndarray], np.ndarray]


def _h_and_r(body: RubberBody, theta: Any) -> tuple[Any, Any]:
    """Radius of the parallel and of the meridian's curvature, at a real or complex angle."""
    t = complex(theta) if np.iscomplexobj(theta) else float(theta)
    z, dz, ddz = heights(body, t)
    return z * np.sin(t) + dz * np.cos(t), z + ddz


def lift_theta(body: RubberBody, q: np.ndarray) -> np.ndarray:
    """h_theta (38) at q = (theta, psi, x, y, phi)."""
    _, r = _h_and_r(body, q[0])
    return np.array([1.0, 0.0, r * np.sin(q[4]), -r * np.cos(q[4]), 0.0])


def lift_psi(body: RubberBody, q: np.ndarray) -> np.ndarray:
    """h_psi (38) at q = (theta, psi, x, y, phi)."""
    h, _ = _h_and_r(body, q[0])
    return np.array([0.0, 1.0, -h * np.cos(q[4]), -h * np.sin(q[4]), -np.cos(q[0])])


def bracket(X: Field, Y: Field, q: np.ndarray) -> np.ndarray:
    """[X, Y] = DY X - DX Y at q, by complex step: nothing is known of the fields but their values."""
    x, y = X(q), Y(q)
    return (Y(q + 1j * STEP * x) - X(q + 1j * STEP * y)).imag / STEP


def lift_bracket(body: RubberBody, theta: float, psi: float = 0.0, phi: float = 0.0) -> np.ndarray:
    """[h_theta, h_psi] in the coordinates (theta, psi, x, y, phi): (0, 0, 0, 0, sin(theta)) by (39)."""
    q = np.array([theta, psi, 0.0, 0.0, phi])
    return bracket(lambda v: lift_theta(body, v), lambda v: lift_psi(body, v), q)


def gauss_curvature(body: RubberBody, theta: float) -> float:
    """kappa = 1 / (r h / sin(theta)), the product of the curvatures of meridian and parallel section; infinite on an edge."""
    h, r = _h_and_r(body, theta)
    return math.sin(theta) / (r * h) if r * h > 0.0 else math.inf


def frame_curvature(body: RubberBody, theta: float, phi: float = 0.0) -> np.ndarray:
    """[X1, X2] - a1 X1 - a2 X2 of (A.3), all derivatives by complex step: (0, 0, 0, 0, kappa_body - kappa_plane)."""
    q = np.array([theta, 0.0, 0.0, 0.0, phi])
    if not _h_and_r(body, theta)[1] > 0.0:
        raise InputError(
            f"at theta = {theta:g} the body has an edge, r = 0, where there is no orthonormal frame; use `lift_bracket`."
        )

    def frame(k: int, v: np.ndarray) -> np.ndarray:  # e_k on the body, in the coordinates (theta, psi)
        h, r = _h_and_r(body, v[0])
        return np.array([1.0 / r, 0.0]) if k == 1 else np.array([0.0, 1.0 / h])

    def lifted(k: int, v: np.ndarray) -> np.ndarray:
        a, b = frame(k, v[:2])
        return a * lift_theta(body, v) + b * lift_psi(body, v)

    structure = bracket(lambda v: frame(1, v), lambda v: frame(2, v), q[:2])
    a1, a2 = np.linalg.solve(np.stack([frame(1, q[:2]), frame(2, q[:2])], axis=1), structure)
    return bracket(lambda v: lifted(1, v), lambda v: lifted(2, v), q) - a1 * lifted(1, q) - a2 * lifted(2, q)


@dataclass(frozen=True)
class Holonomy:
    """What a closed curve of contact does: turn in yaw, displacement x + i y from a start with phi = 0, and the way there."""

    phi: float
    displacement: complex
    turns: int  # of the curve about the body's axis
    track: np.ndarray  # the contact point x + i y along the way
    yaw: np.ndarray  # phi along the way


def _rolled(body: RubberBody, cut: Panels) -> tuple[float, complex, np.ndarray, np.ndarray]:
    """phi and x + i y, at the end and at the nodes: phi' = -cos psi' (8), (x + i y)' = -(h psi' + i r theta') e^(i phi) (12)."""
    hr = np.array([_h_and_r(body, t) for t in cut.theta.ravel()]).reshape(*cut.theta.shape, 2)
    turn = -np.cos(cut.theta) * cut.dpsi * cut.width[:, None]
    gained = turn @ WEIGHTS
    begin = np.concatenate([[0.0], np.cumsum(gained)])
    phi = begin[:-1, None] + turn @ INTEGRATE.T
    go = -(hr[..., 0] * cut.dpsi + 1j * hr[..., 1] * cut.dtheta) * np.exp(1j * phi) * cut.width[:, None]
    moved = np.concatenate([[0.0], np.cumsum(go @ WEIGHTS)])
    track = moved[:-1, None] + go @ INTEGRATE.T
    return float(begin[-1]), complex(moved[-1]), phi.ravel(), track.ravel()


def _cut(body: RubberBody, loop: Any) -> Panels:
    """The curve in panels fine enough for turn and displacement."""

    def measure(cut: Panels) -> np.ndarray:
        phi, moved, _, _ = _rolled(body, cut)
        return np.array([phi, moved.real, moved.imag])

    return settled(measure, loop)[1]


@reduced_only
def holonomy(body: RubberBody, loop: Any) -> Holonomy:
    """Roll the body along a closed curve of contact: functions (theta(s), psi(s)) on [0, 1], or corners [[theta, psi], ...].

    The yaw changes by the signed area enclosed by the curve of outward normals, seen from outside, less 2 pi for each turn about
    the axis; `loops.enclosed_area` computes that without rolling.
    """

    cut = _cut(body, loop)
    phi, moved, yaw, track = _rolled(body, cut)
    return Holonomy(phi, moved, cut.turns, track, yaw)


def geodesic_curvatures(body: RubberBody, loop: Any) -> tuple[np.ndarray, np.ndarray]:
    """Geodesic curvature of a smooth closed contact curve on the body, and curvature of its trace on the plane, at the nodes.

    On the body: gamma.(p' x p'')/|p'|^3 of the space curve p(s) of contact points, from the shape's support map alone (gamma
    points into the body, and up from the plane); on the plane: of the rolled track. They are equal (section 2.2); on a parallel
    cos(theta)/h (11) with the sign of -psi'.
    """

    def rates(values: np.ndarray, width: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        first = np.einsum("ij,pj...->pi...", DIFFERENTIATE, values) / width.reshape(-1, *[1] * (values.ndim - 1))
        return first, np.einsum("ij,pj...->pi...", DIFFERENTIATE, first) / width.reshape(-1, *[1] * (values.ndim - 1))

    cut = _cut(body, loop)
    n = normals(cut.theta, cut.psi)
    points = np.array([support(body.shape, tuple(float(x) for x in v)) for v in n.reshape(-1, 3)]).reshape(n.shape)
    p1, p2 = rates(points, cut.width)
    on_body = np.sum(-n * np.cross(p1, p2), axis=-1) / np.sum(p1 * p1, axis=-1) ** 1.5
    w1, w2 = rates(_rolled(body, cut)[3].reshape(cut.theta.shape), cut.width)
    on_plane = (np.conj(w1) * w2).imag / np.abs(w1) ** 3
    return on_body.ravel(), on_plane.ravel()
