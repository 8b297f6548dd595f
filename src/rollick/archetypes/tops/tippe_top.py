"""The tippe top: a spinning sphere with its mass centre off its middle, which turns over and ends up on its stem.

A sphere of radius R about the origin of the body axes; the axis e3 points along the stem. The mass centre lies at -a e3, below the middle when
the top rests with its stem up (theta = 0). Inertia about it diag(I1, I1, I3). The stem ends in a small sphere of radius `tip`, its middle at
+stem e3. Seen from the mass centre, with the upward normal n,

    body sphere    rho = a e3 - R n              lowest at every theta up to theta_s, cos theta_s = -(R - tip)/stem
    stem           rho = (a + stem) e3 - tip n   lowest beyond theta_s.

Both are spheres whose middle lies off the mass centre on the axis: a top on its stem is a tippe top with the radius `tip` and the
eccentricity a + stem, and one theory (`jellett`) holds for both.

It needs slip. With a smooth law and one contact (`on_sphere`) the motion is an ODE; with both contacts (`on_both`) it is stepped through
time, and the stem takes over by itself.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, choose, number
from ...mechanics.body import Body
from ...mechanics.laws.checked import coulomb, regularised
from ...mechanics.laws.contensou import contensou
from ...mechanics.shapes.convex import Sphere
from ...mechanics.sliding import Feet, Lowest, Sliding, sliding
from ..models import Parameter, read_parameters


class TippeTop(NamedTuple):
    """A tippe top. I3 = 2/5 m R^2 and I1 = 131/350 m R^2 as in N. Rutstam (2012), a = 0.15 R (half of his: it stays on the ground)."""

    m: float = 0.02
    R: float = 0.02
    a: float = 0.003
    I1: float = 131.0 / 350.0 * 0.02 * 0.02**2
    I3: float = 0.4 * 0.02 * 0.02**2
    stem: float = 0.017
    tip: float = 0.005
    g: float = 9.81


PARAMETERS = {
    "m": Parameter(TippeTop().m, "kg", "mass"),
    "R": Parameter(TippeTop().R, "m", "radius of the body sphere"),
    "a": Parameter(TippeTop().a, "m", "distance of the mass centre from the middle of the sphere, away from the stem"),
    "I1": Parameter(TippeTop().I1, "kg m^2", "moment of inertia about axes across the stem, at the mass centre"),
    "I3": Parameter(TippeTop().I3, "kg m^2", "moment of inertia about the stem"),
    "stem": Parameter(TippeTop().stem, "m", "from the middle of the sphere to the middle of the small sphere at the stem's end"),
    "tip": Parameter(TippeTop().tip, "m", "radius of the small sphere at the stem's end"),
    "g": Parameter(TippeTop().g, "m/s^2", "gravity"),
}


def tippe_top(**given: Any) -> TippeTop:
    """A tippe top from checked parameters; texts with units are understood ("20g", "2cm")."""
    top = TippeTop(**read_parameters(PARAMETERS, given, "the tippe top"))
    for name in ("m", "R", "I1", "I3", "tip", "g"):
        if getattr(top, name) <= 0.0:
            raise InputError(f"{name} = {getattr(top, name):g} of a tippe top must be above zero.")
    if not 0.0 < top.a < top.R:
        raise InputError(
            f"a = {top.a:g} m must lie between 0 and R = {top.R:g} m: the mass centre is inside the sphere, off its middle."
        )
    if not top.R - top.tip < top.stem or top.tip >= top.R:
        raise InputError(
            f"a stem of {top.stem:g} m with a tip of radius {top.tip:g} m does not stick out of a sphere of radius {top.R:g} m; "
            f"it needs stem > R - tip and tip < R."
        )
    body_of(top)
    return top


def body_of(top: TippeTop) -> Body:
    """The rigid body: an eccentric sphere."""
    return Body.from_inertia(top.m, (top.I1, top.I1, top.I3), Sphere(top.R), (0.0, 0.0, -top.a))


def on_sphere(top: TippeTop, law: Any, **options: Any) -> Sliding:
    """The top that touches with its body sphere only: with a smooth law an ODE, with Coulomb friction also from event to event."""
    return sliding(body_of(top), law=law, feet=Lowest(), g=top.g, **options)


def on_both(top: TippeTop, law: Any, **options: Any) -> Sliding:
    """The top that touches with its body sphere, with its stem, or with both: for time stepping."""
    places = ((0.0, 0.0, 0.0, top.R), (0.0, 0.0, top.stem, top.tip))
    return sliding(body_of(top), law=law, feet=Feet(places), g=top.g, **options)


def on_stem(top: TippeTop) -> TippeTop:
    """The eccentric sphere that a top on its stem is: radius `tip`, eccentricity a + stem. For the theory; the stem's own is its body."""
    return top._replace(R=top.tip, a=top.a + top.stem)


LAWS = ("smooth", "dry", "contensou")


def law_named(name: str, mu: Any = 0.3, eps: Any = 0.01, patch: Any = 2e-4) -> Any:
    """Friction by name: "smooth" (mu, eps in m/s), "dry" (Coulomb's), "contensou" (a disk of contact of radius `patch`, with pivoting)."""
    chosen = choose(name, LAWS, "friction of a tippe top")
    if chosen == "smooth":
        return regularised(mu, eps)
    if chosen == "dry":
        return coulomb(mu)
    return contensou(number(mu, "mu"), number(patch, "patch", "m"))


def spun(spin: Any, theta: Any = "5deg") -> dict[str, float]:
    """A start with the stem up and the mass centre at rest: the angular velocity `spin` about the axis, which leans by theta."""
    return {"theta": number(theta, "theta", "rad"), "omega3": number(spin, "spin", "rad/s"), "vx": 0.0, "vy": 0.0}


def stem_angle(top: TippeTop) -> float:
    """theta_s at which both spheres touch: cos theta_s = -(R - tip)/stem."""
    return math.acos(-(top.R - top.tip) / top.stem)


def clearances(top: TippeTop, motion: Any) -> tuple[np.ndarray, np.ndarray]:
    """Heights of the lowest points of the body sphere and of the stem's tip over the plane, along a motion."""
    z, c = motion["z"], np.cos(motion["theta"])
    return z + top.a * c - top.R, z + (top.a + top.stem) * c - top.tip


class Inversion(NamedTuple):
    """What became of a top: when the stem touched first, when it stood up on it, its last state, and when it fell again (inf: it did not).

    It stands up when the sphere leaves the ground for the longest time that it does so after the stem has touched.
    """

    touched: float
    stood_up: float
    theta: float
    height: float
    spin: float
    fell: float = math.inf


def inversion(top: TippeTop, motion: Any, near: float = 1e-6) -> Inversion:
    """When a motion of `on_both` came onto its stem; contacts closer than `near` (m) count as closed."""
    sphere, tip = clearances(top, motion)
    first = np.flatnonzero(tip < near)
    touched = float(motion.t[first[0]]) if first.size else math.inf
    begin, end = longest_run(sphere >= near, int(first[0]) if first.size else motion.t.size)
    stood = float(motion.t[begin]) if end > begin else math.inf
    fell = float(motion.t[end]) if begin < end < motion.t.size else math.inf
    return Inversion(touched, stood, float(motion["theta"][-1]), float(motion["z"][-1]), float(motion["twist"][-1]), fell)


def longest_run(true: np.ndarray, first: int) -> tuple[int, int]:
    """Where the longest run of true entries from `first` on begins and ends (the end not included); equal if there is none."""
    best = (first, first)
    begin = first
    for i in range(first, true.size + 1):
        if i == true.size or not true[i]:
            if i - begin > best[1] - best[0]:
                best = (begin, i)
            begin = i + 1
    return best
