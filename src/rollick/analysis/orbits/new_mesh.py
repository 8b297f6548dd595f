"""An orbit and the tangent of its branch on another mesh of collocation."""

from __future__ import annotations

from typing import Any

import numpy as np


def on_new_mesh(e: Any, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """z and the tangent on a mesh that suits the orbit, for the equations e; the tangent by a spline, since it only predicts."""
    from scipy.interpolate import CubicSpline

    links = e.links
    system, U, T, _, _ = e.linked(z[:-1], z[-1])
    links(system, U, T)  # stages of this very orbit
    old = links.mesh.copy()
    mesh = links.moved_mesh(T)
    n = U.shape[1]
    count = e.pieces * n
    ways = tangent[:count].reshape(e.pieces, n)
    spline = CubicSpline(old, np.vstack([ways, e.closure.matrix @ ways[0]]))
    new, t = z.copy(), tangent.copy()
    new[:count] = links.move(U, T, mesh).ravel() / np.sqrt(e.pieces)
    t[:count] = spline(mesh[:-1]).ravel()
    e.forget()
    return new, t
