"""Euler's disk: a coin or a heavy steel disk that rolls on its edge, faster and faster, while it falls flat.

A cylinder of radius R and thickness 2h, mass centre in its middle. u points from there to the lowest point's side of the edge, w = e3 x u is
horizontal, theta is the inclination. In steady rolling the frame (u, w, e3) turns about the vertical with Omega, omega = -Omega sin(theta) u +
omega3 e3, and the mass centre runs along w with V = Omega h sin(theta) - R omega3; angular momentum about it gives

    Omega sin(theta) (I3 omega3 - I1 Omega cos(theta)) = m h (g sin(theta) + Omega V cos(theta)) - m R (g cos(theta) - Omega V sin(theta)).

For each theta and Omega there is one omega3. Disks end with the mass centre at rest, V = 0:

    Omega^2 = m g (R cos(theta) - h sin(theta)) / (sin(theta) (I1 cos(theta) - I3 (h/R) sin(theta)))  ->  Omega^2 theta = k = m g R/I1,

4 g/R for a thin disk. For small theta the precession rate is then Omega = sqrt(k/theta), and the energy above the flat disk
E = m g R theta (3/2 + I3 h^2/(2 I1 R^2)): 3/2 m g R theta if the disk is thin.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, number
from ...mechanics.body import Body
from ...mechanics.mass.primitives import disk, solid_cylinder
from ...mechanics.rolling import Marble, rolling
from ...mechanics.shapes.convex import Cylinder, Rim
from ...mechanics.sliding import Sliding, Tripod, sliding
from ..models import Parameter, read_parameters


class EulerDisk(NamedTuple):
    """A homogeneous disk: mass, radius, thickness (0: a thin one), gravity. The default is the toy: steel, 75 mm wide, 12.8 mm thick."""

    m: float = 0.44
    R: float = 0.0375
    thickness: float = 0.0128
    g: float = 9.81


PARAMETERS = {
    "m": Parameter(EulerDisk().m, "kg", "mass"),
    "R": Parameter(EulerDisk().R, "m", "radius"),
    "thickness": Parameter(EulerDisk().thickness, "m", "thickness; 0: a thin disk"),
    "g": Parameter(EulerDisk().g, "m/s^2", "gravity"),
}


def euler_disk(**given: Any) -> EulerDisk:
    """An Euler's disk from checked parameters."""
    made = EulerDisk(**read_parameters(PARAMETERS, given, "Euler's disk"))
    for name in ("m", "R", "g"):
        if getattr(made, name) <= 0.0:
            raise InputError(f"{name} = {getattr(made, name):g} of Euler's disk must be above zero.")
    if made.thickness < 0.0:
        raise InputError(f"thickness = {made.thickness:g} m must not be negative; 0 is a thin disk.")
    return made


def moments(d: EulerDisk) -> tuple[float, float]:
    """I1 = m (R^2/4 + thickness^2/12) and I3 = m R^2/2."""
    parts = solid_cylinder(d.m, d.R, d.thickness) if d.thickness > 0.0 else disk(d.m, d.R)
    return float(parts.inertia[0, 0]), float(parts.inertia[2, 2])


def body_of(d: EulerDisk) -> Body:
    """The rigid body: a cylinder that touches with its edge, or a thin rim."""
    i1, i3 = moments(d)
    return Body.from_inertia(d.m, (i1, i1, i3), Cylinder(d.R, d.thickness) if d.thickness > 0.0 else Rim(d.R))


def on_plane(d: EulerDisk, law: Any, **options: Any) -> Sliding:
    """The disk with friction, for time stepping: three contacts on the edge, so that it can come to lie flat."""
    return sliding(body_of(d), law=law, feet=Tripod(), g=d.g, **options)


def without_slip(d: EulerDisk, sigma: Any = 0.0) -> Marble:
    """The disk that rolls without slip, with a damping couple -sigma omega: an ODE."""
    made = rolling(body_of(d), how="marble", sigma=sigma, g=d.g)
    assert isinstance(made, Marble)
    return made


class Steady(NamedTuple):
    """A steady rolling: inclination, precession rate, angular velocity about the axis, speed of the mass centre, energy above the flat disk."""

    theta: float
    precession: float
    omega3: float
    speed: float
    energy: float

    def start(self) -> dict[str, float]:
        """It as a start for `simulate`."""
        return {
            "theta": self.theta,
            "phi_rate": self.precession,
            "psi_rate": self.omega3 - self.precession * math.cos(self.theta),
        }


def steady(d: EulerDisk, theta: Any, precession: Any = None) -> Steady:
    """Steady rolling without slip at an inclination; without a given precession rate the one with the mass centre at rest."""
    angle = number(theta, "theta", "rad")
    if not 0.0 < angle < 0.5 * math.pi:
        raise InputError(f"theta = {theta!r} must lie between 0 (flat) and 90 degrees (on edge).")
    (i1, i3), m, R, h, g = moments(d), d.m, d.R, 0.5 * d.thickness, d.g
    s, c = math.sin(angle), math.cos(angle)
    if precession is None:
        fall, inertia = m * g * (R * c - h * s), s * (i1 * c - i3 * h / R * s)
        if not (fall > 0.0 and inertia > 0.0):
            raise InputError(
                f"at theta = {math.degrees(angle):.3g} deg this disk does not roll with its mass centre at rest; give a precession."
            )
        rate = math.sqrt(fall / inertia)
        omega3 = rate * h * s / R
    else:
        rate = number(precession, "precession", "rad/s")
        if rate == 0.0:
            raise InputError("precession = 0: an inclined disk that does not turn falls; give a rate in rad/s.")
        lever = R * s + h * c
        push = i1 * rate**2 * s * c - m * g * (R * c - h * s) + m * rate**2 * h * s * lever
        omega3 = push / (rate * (i3 * s + m * R * lever))
    speed = rate * h * s - R * omega3
    kinetic = 0.5 * (m * speed**2 + i1 * (rate * s) ** 2 + i3 * omega3**2)
    return Steady(angle, rate, omega3, speed, kinetic + m * g * (R * s + h * c - h))


def nutation(d: EulerDisk, motion: Steady) -> float:
    """kappa^2 of small deviations from steady rolling of a thin disk, in rad^2/s^2: it nutates with kappa if positive, and falls with a rate sqrt(-kappa^2) if not.

    With w = Omega sin(theta), rolling without slip obeys

        (I1 + m R^2) theta'' = G = I1 w^2 cot(theta) - (I3 + m R^2) omega3 w - m g R cos(theta)
        I1 w' = (I3 omega3 - I1 w cot(theta)) theta',     (I3 + m R^2) omega3' = m R^2 w theta'

    (these keep the energy). So w and omega3 are functions of theta, and (I1 + m R^2) kappa^2 = -dG/dtheta along them. Straight rolling on edge (theta = 90 degrees,
    w = 0) is stable for omega3^2 > m g R I1/(I3 (I3 + m R^2)): g/(3 R) for a homogeneous disk.
    """
    if d.thickness != 0.0:
        raise InputError(
            f"thickness = {d.thickness:g} m: the closed form of the nutation is for thin disks; take thickness=0, or steady_motion."
        )
    (i1, i3), m, R, g = moments(d), d.m, d.R, d.g
    s, c = math.sin(motion.theta), math.cos(motion.theta)
    w, spin, about_edge = motion.precession * s, motion.omega3, i3 + m * R**2
    by_theta = -i1 * w**2 / s**2 + m * g * R * s
    by_w, by_spin = 2.0 * i1 * w * c / s - about_edge * spin, -about_edge * w
    slope = by_theta + by_w * (i3 * spin / i1 - w * c / s) + by_spin * m * R**2 * w / about_edge
    return -slope / (i1 + m * R**2)


def stiffness(d: EulerDisk) -> float:
    """k = m g R/I1, the limit of Omega^2 theta."""
    return d.m * d.g * d.R / moments(d)[0]


def precession(motion: Any) -> np.ndarray:
    """Omega = phi' along a motion: (omega.n - cos(theta) omega3)/sin^2(theta) from the states; infinite where the disk lies flat."""
    first = 3 if isinstance(motion.system, Sliding) else 0
    w, x, v, z = motion.y[:, first : first + 4].T
    n1, n2 = 2.0 * (x * z - w * v), 2.0 * (v * z + w * x)
    across = n1 * n1 + n2 * n2
    turn = motion["omega1"] * n1 + motion["omega2"] * n2
    return np.divide(turn, across, out=np.full_like(turn, np.inf), where=across > 0.0)


def energy_above_flat(d: EulerDisk, motion: Any) -> np.ndarray:
    """Kinetic and potential energy, counted from the disk at rest, flat on the plane."""
    return motion["energy"] - d.m * d.g * 0.5 * d.thickness
