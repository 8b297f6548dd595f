"""Tippedisks: a thin rigid disk of radius r whose mass centre S lies at +e e_x from its geometric centre G (Sailer, section 2.2).

The specimens are made of cylinders of one density rho. V1 is a disk (r, h) with a hole of radius a at x = -b; in V2 the hole is
at x = +b and filled by a longer plug, a cylinder of height c about the mid-plane. A, B, C are the principal moments *about G*, in
body axes;

    Bb = B - m e^2 (about S),    kappa = e/r,    zeta = A/Bb,    psi = m r^2/Bb        (E2: Bb, not B, in (5.43) and Table 6.1).

The thesis prints three digits and computes with a mixture of rounded and unrounded numbers, which shifts speeds by 0.03 rad/s:
see `specimen`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, choose, number
from ...mechanics.mass.primitives import solid_cylinder
from ...mechanics.mass.properties import MassProperties, impossible_inertia


class Disk(NamedTuple):
    """A tippedisk: radius, eccentricity GS, mass, principal moments about G."""

    r: float
    e: float
    m: float
    A: float
    B: float
    C: float

    @property
    def Bb(self) -> float:
        """The moment about the body's y axis through S: bar B of the thesis."""
        return self.B - self.m * self.e**2

    @property
    def kappa(self) -> float:
        """Eccentricity e/r."""
        return self.e / self.r

    @property
    def zeta(self) -> float:
        """Inertia ratio A/Bb."""
        return self.A / self.Bb

    @property
    def psi(self) -> float:
        """Sphericity m r^2/Bb."""
        return self.m * self.r**2 / self.Bb


# Sailer, Tables 2.1 and 5.2: r, a, b, c (height of the plug; 0: an open hole), h, rho; then the rounded e, m, A, Bb, C.
DIMENSIONS = {
    "V1": {"r": 0.045, "a": 0.015, "b": 0.02, "c": 0.0, "h": 0.01, "rho": 7700.0},
    "V2": {"r": 0.045, "a": 0.015, "b": 0.02, "c": 0.02, "h": 0.01, "rho": 7700.0},
}
PRINTED = {
    "V1": {"e": 2.5e-3, "m": 0.435, "A": 0.249e-3, "Bb": 0.224e-3, "C": 0.468e-3},
    "V2": {"e": 2.0e-3, "m": 0.544, "A": 0.258e-3, "Bb": 0.278e-3, "C": 0.524e-3},
}
ROUNDINGS = ("exact", "thesis", "mixed")


def tippedisk_body(r: Any, e: Any, m: Any, A: Any, B: Any, C: Any) -> Disk:
    """A disk from its numbers (moments about G), checked: it must be a body that can exist, with S inside the rim."""
    moments = (number(value, name, "kg m^2") for name, value in (("A", A), ("B", B), ("C", C)))
    disk = Disk(number(r, "r", "m"), number(e, "e", "m"), number(m, "m", "kg"), *moments)
    if disk.r <= 0.0:
        raise InputError(f"r = {r!r} must be above zero.")
    if not 0.0 <= disk.e < disk.r:
        raise InputError(f"e = {e!r} must lie between 0 and r = {disk.r:g}: the mass centre is inside the rim.")
    shift = disk.m * disk.e**2
    problem = impossible_inertia(disk.m, np.diag([disk.A, disk.B - shift, disk.C - shift]))
    if problem:
        raise InputError(f"m = {m!r}, A = {A!r}, B = {B!r}, C = {C!r} (about G) belong to no disk: {problem}")
    return disk


def from_mass(properties: MassProperties, r: float) -> Disk:
    """The disk with these mass properties, G at their origin; the mass centre must lie on the body's +x axis."""
    x, y, z = (0.0 if abs(v) < 1e-15 * r else float(v) for v in properties.centre)
    about = properties.about((0.0, 0.0, 0.0))
    size = float(about.diagonal().max())
    if x < 0.0 or max(abs(y), abs(z)) > 1e-12 * r or abs(about[0, 1]) + abs(about[0, 2]) + abs(about[1, 2]) > 1e-12 * size:
        raise InputError(
            f"the mass centre ({x:.6g}, {y:.6g}, {z:.6g}) must lie on the +x axis, "
            "and x, y, z be principal axes; turn the parts so."
        )
    return tippedisk_body(r, x, properties.mass, about[0, 0], about[1, 1], about[2, 2])


def drilled_disk(r: Any, a: Any, b: Any, h: Any, rho: Any, c: Any = 0.0) -> Disk:
    """A disk (r, h) with a hole of radius a at the distance b from its centre, the hole filled by a plug of height c (0: open).

    With an open hole or a short plug the mass centre moves away from it, so that the hole is at x = -b; with a long plug it is at
    x = +b.
    """
    names = {"r": r, "a": a, "b": b, "h": h, "rho": rho, "c": c}
    v = {name: number(given, name, "kg/m^3" if name == "rho" else "m") for name, given in names.items()}
    for name in ("r", "a", "h", "rho"):
        if v[name] <= 0.0:
            raise InputError(f"{name} = {names[name]!r} must be above zero.")
    if v["b"] < 0.0 or v["c"] < 0.0:
        raise InputError(f"b = {b!r} and c = {c!r} must not be negative.")
    if v["a"] + v["b"] > v["r"]:
        raise InputError(f"a + b = {v['a'] + v['b']:g} must not exceed r = {v['r']:g}: the hole would cut the rim.")
    at = (-v["b"] if v["c"] < v["h"] else v["b"], 0.0, 0.0)

    def cylinder(radius: float, height: float) -> MassProperties:
        return solid_cylinder(v["rho"] * math.pi * radius**2 * height, radius, height)

    whole = cylinder(v["r"], v["h"]) - cylinder(v["a"], v["h"]).shifted(at)
    if v["c"] > 0.0:
        whole = whole + cylinder(v["a"], v["c"]).shifted(at)
    return from_mass(whole, v["r"])


def specimen(name: str, rounding: str = "exact") -> Disk:
    """A specimen of the thesis, "V1" or "V2".

    rounding = "exact": from its dimensions; "thesis": the printed e, m, A, Bb and C, with B = Bb + m e^2 (which rounds to the
    printed B); "mixed": m, C and e exact, A and Bb as printed, which explains the digits of Table 5.1.
    """
    choose(name, DIMENSIONS, "specimen")
    choose(rounding, ROUNDINGS, "rounding")
    exact = drilled_disk(**DIMENSIONS[name])
    if rounding == "exact":
        return exact
    p = PRINTED[name]
    if rounding == "thesis":
        return Disk(exact.r, p["e"], p["m"], p["A"], p["Bb"] + p["m"] * p["e"] ** 2, p["C"])
    return exact._replace(A=p["A"], B=p["Bb"] + exact.m * exact.e**2)
