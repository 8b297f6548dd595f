"""Mass properties of primitive bodies, centred at the origin, their axis along e3.

Solid bodies, shells ("hollow": all mass on the surface) and bodies with a cavity (a smaller copy cut out).
"""

from __future__ import annotations

import numpy as np

from ...kernel.names import InputError, number, numbers
from .properties import MassProperties


def _positive(**lengths: float | str) -> list[float]:
    found = []
    for name, value in lengths.items():
        x = number(value, name, "m")
        if x <= 0.0:
            raise InputError(f"{name} = {value!r} must be above zero.")
        found.append(x)
    return found


def _centred(mass: float | str, i1: float, i2: float, i3: float) -> MassProperties:
    """Moments per unit mass to mass properties."""
    m = number(mass, "mass", "kg")
    return MassProperties(m, np.zeros(3), m * np.diag([i1, i2, i3]))


def point(mass: float, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> MassProperties:
    """A point mass."""
    return MassProperties(number(mass, "mass", "kg"), numbers(at, "at", "m"), np.zeros((3, 3)))


def solid_ellipsoid(mass: float, a: float, b: float, c: float) -> MassProperties:
    """A solid ellipsoid with semi-axes a, b, c: I1 = m (b^2 + c^2)/5, ..."""
    a, b, c = _positive(a=a, b=b, c=c)
    return _centred(mass, (b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)


def solid_sphere(mass: float, radius: float) -> MassProperties:
    """A solid ball: I = 2 m R^2 / 5."""
    return solid_ellipsoid(mass, radius, radius, radius)


def hollow_sphere(mass: float, radius: float, inner: float | None = None) -> MassProperties:
    """A spherical shell: I = 2 m R^2 / 3; with `inner`, a ball with a concentric cavity."""
    (r,) = _positive(radius=radius)
    if inner is None:
        moment = 2 * r * r / 3
        return _centred(mass, moment, moment, moment)
    (q,) = _positive(inner=inner)
    if q >= r:
        raise InputError(f"inner = {inner!r} must be less than radius = {radius!r}.")
    moment = 0.4 * (r**5 - q**5) / (r**3 - q**3)
    return _centred(mass, moment, moment, moment)


def half_ellipsoid(mass: float, a: float, b: float, c: float) -> MassProperties:
    """The lower half (z <= 0) of a solid ellipsoid, the ellipsoid's centre at the origin; its mass centre lies at z = -3c/8."""
    a, b, c = _positive(a=a, b=b, c=c)
    m = number(mass, "mass", "kg")
    about_centre = m * np.diag([(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5])
    d = np.array([0.0, 0.0, -0.375 * c])
    return MassProperties(m, d, about_centre - m * (d @ d * np.eye(3) - np.outer(d, d)))


def solid_cylinder(mass: float, radius: float, height: float) -> MassProperties:
    """A solid cylinder: I3 = m R^2 / 2, I1 = m (R^2/4 + H^2/12)."""
    r, h = _positive(radius=radius, height=height)
    across = r * r / 4 + h * h / 12
    return _centred(mass, across, across, r * r / 2)


def hollow_cylinder(mass: float, radius: float, height: float, inner: float | None = None) -> MassProperties:
    """A tube without ends: thin (inner omitted), or with an inner radius."""
    r, h = _positive(radius=radius, height=height)
    q = r if inner is None else _positive(inner=inner)[0]
    if q > r:
        raise InputError(f"inner = {inner!r} must not exceed radius = {radius!r}.")
    s = (r * r + q * q) / 2
    return _centred(mass, s / 2 + h * h / 12, s / 2 + h * h / 12, s)


def disk(mass: float, radius: float) -> MassProperties:
    """A thin uniform disk: I3 = m R^2 / 2, I1 = m R^2 / 4."""
    (r,) = _positive(radius=radius)
    return _centred(mass, r * r / 4, r * r / 4, r * r / 2)


def hoop(mass: float, radius: float) -> MassProperties:
    """A thin ring: I3 = m R^2, I1 = m R^2 / 2."""
    (r,) = _positive(radius=radius)
    return _centred(mass, r * r / 2, r * r / 2, r * r)


def solid_torus(mass: float, R: float, r: float) -> MassProperties:
    """A solid torus: I3 = m (R^2 + 3 r^2/4), I1 = m (R^2/2 + 5 r^2/8)."""
    R, r = _positive(R=R, r=r)
    across = R * R / 2 + 5 * r * r / 8
    return _centred(mass, across, across, R * R + 3 * r * r / 4)


def hollow_torus(mass: float, R: float, r: float) -> MassProperties:
    """A torus shell: I3 = m (R^2 + 3 r^2/2), I1 = m (R^2/2 + 5 r^2/4)."""
    R, r = _positive(R=R, r=r)
    across = R * R / 2 + 5 * r * r / 4
    return _centred(mass, across, across, R * R + 3 * r * r / 2)


def box(mass: float, x: float, y: float, z: float) -> MassProperties:
    """A solid box with edges x, y, z."""
    x, y, z = _positive(x=x, y=y, z=z)
    return _centred(mass, (y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)


def hollow_box(mass: float, x: float, y: float, z: float) -> MassProperties:
    """A closed box of thin walls of equal thickness: its six faces."""
    x, y, z = _positive(x=x, y=y, z=z)
    m = number(mass, "mass", "kg")
    per_area = m / (2 * (x * y + y * z + z * x))
    total: MassProperties | None = None
    for edges, axis, distance in (((x, y), 2, z / 2), ((y, z), 0, x / 2), ((z, x), 1, y / 2)):
        u, v = edges
        i, j = (axis + 1) % 3, (axis + 2) % 3
        face_mass = per_area * u * v
        moments = np.zeros(3)
        moments[i], moments[j], moments[axis] = v * v / 12, u * u / 12, (u * u + v * v) / 12
        for sign in (-1.0, 1.0):
            centre = np.zeros(3)
            centre[axis] = sign * distance
            face = MassProperties(face_mass, centre, face_mass * np.diag(moments))
            total = face if total is None else total + face
    assert total is not None
    return total


def rod(mass: float, length: float) -> MassProperties:
    """A thin rod along e3: I1 = m L^2 / 12."""
    (length,) = _positive(length=length)
    return _centred(mass, length**2 / 12, length**2 / 12, 0.0)


def solid_cone(mass: float, radius: float, height: float) -> MassProperties:
    """A solid cone, its base at z = 0 and its tip at z = H; its mass centre lies at z = H/4."""
    r, h = _positive(radius=radius, height=height)
    m = number(mass, "mass", "kg")
    i1 = m * (3 * r * r / 20 + 3 * h * h / 80)
    return MassProperties(m, np.array([0.0, 0.0, h / 4]), np.diag([i1, i1, 0.3 * m * r * r]))
