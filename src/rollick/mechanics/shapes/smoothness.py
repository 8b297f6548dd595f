"""How smooth a shape is: the bounds of its radii of curvature, and where its contact point jumps. Everything that assumes a smooth surface asks here.

    smoothness(shape)  ->  Smoothness(least, greatest, flat)

A radius of curvature of zero is an edge or a corner: a rim. There the contact point stays while the normal turns, and rolling goes on. An infinite one is a
flat place: the contact point jumps while the normal stays, and a body does not roll across it. In Python only; a shape of one's own that says nothing is sampled
once. It can say so itself:

    @smoothness.register(Spindle)
    def _(shape): return Smoothness(shape.R - 2 * shape.e, shape.R + 2 * shape.e)
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from ...kernel.dispatch import generic
from ...kernel.names import InputError
from .convex import Cylinder, Ellipsoid, Rim, Sphere, Sum, Superellipsoid, Torus, Turned, flat_axis, support, types_in
from .curvature import directions, radii_at, tangents
from .fitted import Fitted
from .hull import ConvexHull
from .revolution import Revolution, profile
from .skin import Skinned

NOWHERE, CIRCLE, LINE, FACES = "", "a circle", "a circle or a line", "faces"
ORDER = (NOWHERE, CIRCLE, LINE, FACES)
CIRCLES, AROUND = 12, 96  # great circles on which a shape of one's own is sampled, and normals on each
STEEPEST, HALVINGS = 3, 30  # intervals of each that are halved, and how often: down to 6e-11 rad
JUMP = 1e-6  # of the size: a contact point that moves by more within the last interval jumps
NEAR = 1e-5  # rad: a jump so near to the axis of `flat_axis` is the one that is watched
POLE = 1e-2  # of the size: the radius from which a disk at the pole of a surface of revolution is one


class Smoothness(NamedTuple):
    """What the surface of a shape is like.

    least, greatest: bounds of the radii of curvature, in m: 0 on an edge or a corner, infinite where it is flat.
    flat: where the contact point jumps: "" nowhere; "a circle" (a disk or torus that lies flat, `flat_axis`), "a circle or a line" (a cylinder), "faces".
    normal: a normal at which it jumps, where this was found by sampling.
    """

    least: float
    greatest: float
    flat: str = NOWHERE
    normal: tuple[float, float, float] | None = None

    @property
    def smooth(self) -> bool:
        """Whether curvatures are bounded everywhere, and above zero: neither edges nor flat places."""
        return self.least > 0.0 and self.greatest < np.inf

    @property
    def edges(self) -> bool:
        """Whether a radius of curvature is zero somewhere."""
        return not self.least > 0.0

    @property
    def rolls(self) -> bool:
        """Whether a body of this shape rolls on one point, at least until it lies flat on a circle or a line, where rolling ends."""
        return self.flat != FACES

    def words(self) -> str:
        """In words."""
        if self.smooth:
            return f"smooth, radii of curvature within {self.least:.4g} .. {self.greatest:.4g} m"
        if self.flat == NOWHERE:
            return f"with edges, radii of curvature up to {self.greatest:.4g} m"
        kind = "with edges" if self.edges else "without edges"
        return f"{kind}, flat on {self.flat}"


@generic
def smoothness(shape: Any) -> Any:
    """The `Smoothness` of a shape. Runs in Python."""


@smoothness.otherwise
def _(shape: Any) -> Smoothness:
    if not (isinstance(shape, tuple) and support.knows(type(shape))):
        raise InputError(support.complaint(type(shape)))
    try:
        return _remembered(shape, types_in(shape))
    except TypeError:  # a shape with arrays cannot be remembered
        return sampled(shape)


@smoothness.register(Sphere)
def _(shape: Sphere) -> Smoothness:
    return Smoothness(shape.radius, shape.radius)


@smoothness.register(Ellipsoid)
def _(shape: Ellipsoid) -> Smoothness:
    low, high = min(shape), max(shape)
    return Smoothness(low * low / high, high * high / low)


@smoothness.register(Superellipsoid)
def _(shape: Superellipsoid) -> Smoothness:
    # H = (|a n1|^q + ...)^(1/q) with 1/p + 1/q = 1, and H'' <= (q - 1) max(a, b, c)^2 / H for q >= 2; H >= 3^(1/q - 1/2) min(a, b, c).
    low, high = min(shape[:3]), max(shape[:3])
    q = shape.p / (shape.p - 1.0)
    if shape.p > 2.0:
        return Smoothness(0.0, np.inf, FACES)
    return Smoothness(low * low / high if shape.p == 2.0 else 0.0, (q - 1.0) * high * high / (3.0 ** (1.0 / q - 0.5) * low))


@smoothness.register(Torus)
def _(shape: Torus) -> Smoothness:
    return Smoothness(shape.r, np.inf, CIRCLE)


@smoothness.register(Rim)
def _(shape: Rim) -> Smoothness:
    return Smoothness(0.0, np.inf, CIRCLE)


@smoothness.register(Cylinder)
def _(shape: Cylinder) -> Smoothness:
    return Smoothness(0.0, np.inf, LINE)


@smoothness.register(ConvexHull)
def _(shape: ConvexHull) -> Smoothness:
    return Smoothness(0.0, np.inf, FACES)


@smoothness.register(Fitted)
def _(shape: Fitted) -> Smoothness:
    return Smoothness(shape.least, shape.greatest)


@smoothness.register(Skinned)
@smoothness.register(Turned)
def _(shape: Skinned | Turned) -> Any:
    return smoothness(shape.shape)


@smoothness.register(Sum)
def _(shape: Sum) -> Smoothness:
    # The matrices of the radii add; so do their bounds. Two circles about different axes are no circle that is watched.
    a, b = smoothness(shape.first), smoothness(shape.second)
    flat = max(a.flat, b.flat, key=ORDER.index)
    axes = [found[0] for found in (flat_axis(shape.first), flat_axis(shape.second)) if found is not None]
    if len(axes) == 2 and np.linalg.norm(np.cross(*axes)) > 1e-12:
        flat = FACES
    return Smoothness(a.least + b.least, a.greatest + b.greatest, flat, a.normal or b.normal)


@smoothness.register(Revolution)
def _(shape: Revolution) -> Smoothness:
    theta = np.linspace(0.0, np.pi, 2 * len(shape.coefficients) + 1)
    z, dz, ddz = np.array([profile(shape.coefficients, float(t)) for t in theta]).T
    flat_poles = [abs(float(dz[k])) > POLE * float(z.max()) for k in (0, -1)]  # z' is the radius of the disk there
    if any(flat_poles):
        return Smoothness(max(float((z + ddz).min()), 0.0), np.inf, CIRCLE if all(flat_poles) else FACES)
    along, across = z + ddz, z[1:-1] + dz[1:-1] * np.cos(theta[1:-1]) / np.sin(theta[1:-1])
    return Smoothness(max(float(min(along.min(), across.min())), 0.0), float(max(along.max(), across.max())))


@flat_axis.register(Revolution)
def _(shape: Revolution) -> tuple[Any, float] | None:
    radii = [abs(float(profile(shape.coefficients, t)[1])) for t in (0.0, np.pi)]
    return ((0.0, 0.0, 1.0), max(radii)) if smoothness(shape).flat == CIRCLE else None


@functools.lru_cache(maxsize=256)
def _remembered(shape: Any, types: Any) -> Smoothness:
    return sampled(shape)


def sampled(shape: Any) -> Smoothness:
    """From the radii of curvature in some directions, and from the steepest places of the support map on some great circles."""
    normals = directions(200)
    found = [radii_at(shape, n) for n in normals]
    points = np.array([_point(shape, n) for n in normals])
    size = float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())
    least, greatest = min(r.r1 for r in found), max(r.r2 for r in found)
    axis = flat_axis(shape)
    flat, where = NOWHERE if axis is None else CIRCLE, None
    for n in _jumps(shape, JUMP * size):
        if axis is None or np.linalg.norm(np.cross(n, axis[0])) > NEAR:
            flat, where = FACES, tuple(round(float(x), 6) + 0.0 for x in n)
            break
    return Smoothness(least if least > 1e-9 * size else 0.0, np.inf if flat else greatest, flat, where)  # type: ignore[arg-type]


def _point(shape: Any, n: np.ndarray) -> np.ndarray:
    """The point with the normal n, NaN where it is not defined."""
    try:
        return np.array(support(shape, tuple(n.tolist())), float)
    except ZeroDivisionError:
        return np.full(3, np.nan)


def _jumps(shape: Any, far: float) -> Any:
    """Normals at which the support point jumps by more than `far`: the three planes of the axes first, then other great circles."""
    for axis in [*np.eye(3), *directions(CIRCLES - 3)]:
        u, v = tangents(axis)

        def normal(turn: Any, u: Any = u, v: Any = v) -> Any:
            return np.cos(turn) * u + np.sin(turn) * v

        turns = 2.0 * np.pi * (np.arange(AROUND + 1) + 0.37) / AROUND  # not through the axes themselves
        points = np.array([_point(shape, normal(t)) for t in turns])
        moved = np.linalg.norm(np.diff(points, axis=0), axis=1)
        for k in np.argsort(moved)[::-1][:STEEPEST]:
            low, high, a, b = turns[k], turns[k + 1], points[k], points[k + 1]
            for _ in range(HALVINGS):
                middle = 0.5 * (low + high)
                here = _point(shape, normal(middle))
                if not np.all(np.isfinite(here)):
                    middle += 0.1 * (high - low)
                    here = _point(shape, normal(middle))
                if np.linalg.norm(here - a) > np.linalg.norm(b - here):
                    high, b = middle, here
                else:
                    low, a = middle, here
            if not np.linalg.norm(b - a) <= far:
                yield normal(0.5 * (low + high))


def flat_words(shape: Any) -> str:
    """Why a shape with flat places has no single contact point to roll on; "" for a shape that rolls."""
    found = smoothness(shape)
    if found.rolls:
        return ""
    if found.normal is None:
        return "a body with flat faces and corners does not roll"
    return f"a body with flat faces does not roll: the contact point of this one jumps where the outward normal is {found.normal}"
