"""Bodies of revolution by name: torus, disk, hoop, ellipsoid, Routh sphere, and any profile (Koiller, sections 1.3, 3, 4.5).

Each is a `RubberBody`: the reduced flow, quadratures, equilibria and diagrams apply to it, and `full(body)` is the same body in quaternions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, choose, file_of, number
from ...mechanics.mass.primitives import disk as disk_mass
from ...mechanics.mass.primitives import hollow_sphere, hollow_torus, solid_ellipsoid, solid_sphere, solid_torus
from ...mechanics.mass.primitives import hoop as hoop_mass
from ...mechanics.mass.properties import MassProperties
from ...mechanics.shapes.convex import Ellipsoid, Rim, Sphere, Torus
from ...mechanics.shapes.meridian import meridian
from ...mechanics.shapes.revolution import Revolution, from_points
from .body import RubberBody, rubber_body

FILLS = ("solid", "hollow")


def _made(shape: Any, parts: MassProperties, s: float, g: float, sigma: float) -> RubberBody:
    numbers = number(s, "s", "m"), number(g, "g", "m/s^2"), number(sigma, "sigma", "N m s")
    return rubber_body(shape, parts.mass, parts.inertia[0, 0], parts.inertia[2, 2], *numbers)


def torus(
    R: float = 1.0, r: float = 0.25, m: float = 1.0, fill: str = "solid", g: float = 9.81, sigma: float = 0.0
) -> RubberBody:
    """A torus: a circle of radius R thickened by r; solid or hollow (a shell). I3 = m(R^2 + 3/4 r^2) or m(R^2 + 3/2 r^2)."""
    R, r = number(R, "R", "m"), number(r, "r", "m")
    if not 0.0 < r <= R:
        raise InputError(f"a torus needs 0 < r <= R; got R = {R:g}, r = {r:g}.")
    mass = (solid_torus if choose(fill, FILLS, "fill") == "solid" else hollow_torus)(m, R, r)
    return _made(Torus(float(R), float(r)), mass, 0.0, g, sigma)


def disk(R: float = 1.0, m: float = 1.0, g: float = 9.81, sigma: float = 0.0) -> RubberBody:
    """A thin uniform disk on its edge: I1 = m R^2/4, I3 = m R^2/2."""
    return _made(Rim(number(R, "R", "m")), disk_mass(m, R), 0.0, g, sigma)


def hoop(R: float = 1.0, m: float = 1.0, g: float = 9.81, sigma: float = 0.0) -> RubberBody:
    """A thin hoop: I1 = m R^2/2, I3 = m R^2."""
    return _made(Rim(number(R, "R", "m")), hoop_mass(m, R), 0.0, g, sigma)


def spheroid(b: float = 0.3, c: float = 0.2, s: float = 0.0, m: float = 1.0, g: float = 9.81, sigma: float = 0.0) -> RubberBody:
    """An ellipsoid of revolution with semi-axes (b, b, c), the mass centre at +s e3 from its centre; inertia of the solid one about it."""
    b, c = number(b, "b", "m"), number(c, "c", "m")
    return _made(Ellipsoid(b, b, c), solid_ellipsoid(m, b, b, c), s, g, sigma)


def routh_sphere(
    R: float = 1.0, s: float = 0.1, m: float = 1.0, fill: str = "solid", g: float = 9.81, sigma: float = 0.0
) -> RubberBody:
    """A sphere of radius R whose mass centre lies at +s e3 from its centre; inertia of the ball (or shell) about the mass centre."""
    mass = (solid_sphere if choose(fill, FILLS, "fill") == "solid" else hollow_sphere)(m, R)
    return _made(Sphere(number(R, "R", "m")), mass, s, g, sigma)


def revolution_mass(shape: Any, m: float, samples: int = 4001) -> MassProperties:
    """Mass properties of a homogeneous solid of revolution, from its meridian.

    With h(theta) the radius and -f the height along e3, a slice has the mass rho pi h^2 |df|, f' = -r sin theta:
    I3 = int h^2/2 dm, I1 = int (h^2/4 + (f - f_C)^2) dm.
    """
    theta = np.linspace(0.0, np.pi, samples)
    z, dz, ddz = np.array([meridian(shape, float(t)) for t in theta]).T
    sin, cos = np.sin(theta), np.cos(theta)
    h, height, r = z * sin + dz * cos, -(z * cos - dz * sin), z + ddz

    def over(values: np.ndarray) -> float:
        from scipy.integrate import simpson

        return float(simpson(values * h * h * r * sin, x=theta))

    volume = over(np.ones_like(theta))
    centre = over(height) / volume
    axial, across = 0.5 * over(h * h) / volume, over(0.25 * h * h + (height - centre) ** 2) / volume
    return MassProperties(number(m, "m", "kg"), np.array([0.0, 0.0, centre]), m * np.diag([across, across, axial]))


def profile_body(shape: Any, m: float = 1.0, g: float = 9.81, sigma: float = 0.0) -> RubberBody:
    """A homogeneous solid of revolution of any meridian, e.g. `from_points(radii, heights)` or `from_support(z)`."""
    parts = revolution_mass(shape, m)
    return _made(shape, parts, float(parts.centre[2]), g, sigma)


def read_profile(path: Any) -> Revolution:
    """A meridian from a text file of two columns: distance from the axis and height, from the lowest point on the axis to the highest."""
    file = file_of(path)
    if not file.is_file():
        raise InputError(f"there is no file {path}; give a text file with two columns, radius and height along the axis.")
    try:
        rows = np.loadtxt(file, delimiter="," if "," in file.read_text() else None, comments="#", ndmin=2)
    except ValueError as error:
        raise InputError(f"{path} cannot be read as two columns of numbers (radius, height): {error}.") from None
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise InputError(f"{path} has {rows.shape[1]} columns; two are needed: distance from the axis and height along it.")
    return from_points(rows[:, 0], rows[:, 1])
