"""Every rest position of a body on a level plane: height, stability, and the frequencies of small rolling oscillations.

Tilted by a small rotation phi about horizontal axes (phi perpendicular to n), the body of mass m has the potential 1/2 phi.K phi with
K = m g J^T (R - h) J, J the quarter turn dn = n x phi, and rolling without slip the kinetic energy 1/2 phi'.M phi', M the inertia about the contact
point. A body that may pivot about the normal (marble) takes the pivoting that costs least: M is the Schur complement; rubber does not pivot.
Hence K x = omega^2 M x.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ..body import Body
from ..rolling import inertia_at
from ..shapes.hull import corners
from ..shapes.smoothness import FACES, LINE, smoothness
from .faces import balances
from .smooth import Point, family, local, stationary

KINDS = {(2, 0): "minimum", (1, 1): "saddle", (0, 2): "maximum"}


@dataclass(frozen=True)
class Resting:
    """A rest position: the direction that is down (outward normal at the contact, in the axes of the shape), the height of the mass centre,
    whether it is stable, the kind of stationary point, and the small-oscillation frequencies in rad/s (stable and smooth ones only)."""

    down: tuple[float, float, float]
    height: float
    stable: bool
    kind: str
    frequencies: tuple[float, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "down": list(self.down),
            "height": self.height,
            "stable": self.stable,
            "kind": self.kind,
            "frequencies": list(self.frequencies),
        }


def frequencies(body: Body, point: Point, g: float, pivots: bool) -> tuple[float, ...]:
    """omega of small rolling oscillations about a stable smooth rest position, ascending, in rad/s."""
    from scipy.linalg import eigh

    h, _, hessian, basis = local(body, point.normal)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])  # phi = a u + b v turns n by n x phi = a v - b u
    stiffness = body.mass * g * turn.T @ hessian @ turn
    rho = tuple(map(float, h * point.normal))
    full = np.array(inertia_at(body, rho), float)
    axes = np.vstack([basis, point.normal])
    j = axes @ full @ axes.T
    inertia = j[:2, :2] - np.outer(j[:2, 2], j[2, :2]) / j[2, 2] if pivots and j[2, 2] > 0.0 else j[:2, :2]
    return tuple(float(np.sqrt(max(w, 0.0))) for w in eigh(stiffness, inertia, eigvals_only=True))


def of_smooth(body: Body, point: Point, size: float, g: float, pivots: bool) -> Resting:
    """A stationary point in words and numbers."""
    down = tuple(float(0.0 if abs(x) < 1e-12 else x) for x in point.normal)
    kind = family(point, size)
    if point.flat:
        return Resting(down, point.height, True, "lying flat on a circle")  # type: ignore[arg-type]
    if kind == 2:
        return Resting(down, point.height, True, "indifferent: every attitude")  # type: ignore[arg-type]
    if kind == 1:
        other = point.curving[np.argmax(np.abs(point.curving))]
        name = "a circle of minima" if other > 0.0 else "a circle of maxima"
        return Resting(down, point.height, bool(other > 0.0), name)  # type: ignore[arg-type]
    signs = (int(np.sum(point.curving > 0.0)), int(np.sum(point.curving < 0.0)))
    stable = signs == (2, 0)
    omega = frequencies(body, point, g, pivots) if stable else ()
    return Resting(down, point.height, stable, KINDS[signs], omega)  # type: ignore[arg-type]


def check_stationary(body: Body) -> None:
    """Refuse a shape with flat faces whose corners are not known: its height has kinks there, where no derivative vanishes."""
    found = smoothness(body.shape)
    if found.flat in (LINE, FACES):
        raise InputError(
            f"rest positions are found for smooth shapes, disks, tori and polyhedra; this {called(body.shape)} lies flat on {found.flat} and is none of them. "
            f"Take the convex hull of its corners, convex_hull(points), or a smooth shape near it, smooth_fit(shape)."
        )


def rest_report(body: Body, g: float = 9.81, pivots: bool = True, feet: Any = None) -> tuple[list[Resting], bool]:
    """The rest positions on a level plane, the lowest first, and whether their count closes (minima - saddles + maxima = 2).

    feet: rows (x, y, z, radius) of a body that stands on feet; only positions on these are found then.
    """
    angular = corners(body.shape) if feet is None else (np.array(feet)[:, :3], float(np.array(feet)[:, 3].max()))
    if angular is not None:
        found, closed = balances(angular[0], np.array(body.centre), angular[1])
        names = {1: "maximum (on a corner)", 2: "saddle (on an edge)"}
        rests = [
            Resting(
                tuple(float(0.0 if abs(x) < 1e-12 else x) for x in b.normal),  # type: ignore[arg-type]
                b.height, b.stands_on > 2, names.get(b.stands_on, f"minimum (on a face of {b.stands_on} corners)"),
            )
            for b in found
        ]  # fmt: skip
    else:
        check_stationary(body)
        points, closed = stationary(body)
        size = max(p.height for p in points) if points else 1.0
        rests = [of_smooth(body, p, size, g, pivots) for p in points]
    return sorted(rests, key=lambda r: (round(r.height, 9), not r.stable)), closed


def rest_positions(body: Body, g: float = 9.81, pivots: bool = True) -> list[Resting]:
    """The rest positions of a body on a level plane, the lowest first."""
    if not isinstance(body, Body):
        raise InputError(f"rest_positions needs a Body, e.g. Body.from_inertia(mass, inertia, shape); got {body!r}.")
    return rest_report(body, g, pivots)[0]
