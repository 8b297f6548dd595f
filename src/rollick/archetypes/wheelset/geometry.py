"""A wheelset on its track: two equal wheels and rails, where they touch in the central position, and what is wrong with profiles
that cannot touch there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError
from .profiles import Profile
from .profiles_analytic import arc

CROSSING = 2e-7  # m, by how much profiles may overlap in the central position (fits and published tables are not exact)
FLANGE = 0.006  # m, by how much the radius at the contact may differ from that of the tape circle
STRAIGHT = 1e-9  # 1/m: a profile with less curvature, a radius of 1000 km and more, is straight
GAUGE_DEPTH = 0.014  # m, how far below the rail's top its gauge is measured


@dataclass(frozen=True, eq=False)
class Geometry:
    """r nominal rolling radius, b half the distance of the nominal contact points [m], both profiles from there; h = tan(delta)
    the common slope.

    R_w, R_r: radii of curvature there, R' and R'' their derivatives along the axis.
    """

    wheel: Profile
    rail: Profile
    b: float
    r: float

    def __post_init__(self) -> None:
        for name, value in (("r", self.r), ("b", self.b)):
            if not (math.isfinite(value) and value > 0.0):
                raise InputError(f"{name} = {value!r} of a wheelset must be a length above zero, in metres.")
        if self.r > 3.0 or self.b > 5.0:
            raise InputError(f"r = {self.r:g} m and b = {self.b:g} m are no wheelset's; are they given in millimetres?")
        self.check()

    @property
    def h(self) -> float:
        """The conicity: the common slope at the nominal contact point."""
        return float(self.wheel.at(0.0, 1)[1])

    @property
    def curvatures(self) -> dict[str, float]:
        """R_w, R_w', R_w'' and R_r, R_r', R_r'' at the nominal contact point."""
        found: dict[str, float] = {}
        for letter, profile in (("w", self.wheel), ("r", self.rail)):
            found |= dict(zip((f"R_{letter}", f"R1_{letter}", f"R2_{letter}"), radius_and_derivatives(profile)))
        return found

    def check(self) -> None:
        """Refuse profiles that do not touch at the origin, or cross elsewhere."""
        (c_w, h_w, k_w), (c_r, h_r, k_r) = self.wheel.at(0.0, 2), self.rail.at(0.0, 2)
        for name, profile in (("wheel", self.wheel), ("rail", self.rail)):
            if not profile.low < 0.0 < profile.high:
                raise InputError(
                    f"the {name} profile {profile.name} does not reach to the contact point; it goes from "
                    f"{1e3 * profile.low:.3g} to {1e3 * profile.high:.3g} mm."
                )
        if abs(c_w) > 1e-9 or abs(c_r) > 1e-9:
            raise InputError(
                "both profiles must begin with c(0) = 0 at the nominal contact point; place them with `geometry` or "
                "`Profile.placed`."
            )
        if abs(h_w - h_r) > 1e-6:
            raise InputError(
                f"the profiles cross at the nominal contact point: the wheel's slope is {h_w:.6g}, the rail's {h_r:.6g}; "
                "(1.54) wants one conicity h."
            )
        if not k_w > k_r:
            raise InputError(
                f"the profiles cross: at the contact point c'' = {k_w:.6g} of the wheel must exceed {k_r:.6g} 1/m of the "
                "rail (a hollow wheel needs R_w > R_r > 0)."
            )
        if not self.b - h_w * self.r > 0.0:
            raise InputError(
                f"b = {self.b:g} must exceed h r = {h_w * self.r:g}: with larger conicity the wheelset does not roll on "
                "both wheels."
            )
        u = np.linspace(max(self.wheel.low, self.rail.low), min(self.wheel.high, self.rail.high), 4001)
        gap = self.wheel.height(u) - self.rail.height(u)
        deepest = int(np.nanargmin(gap))
        if gap[deepest] < -CROSSING:
            raise InputError(
                f"the profiles cross: in the central position the wheel is {-1e3 * gap[deepest]:.4g} mm inside the rail "
                f"at U = {1e3 * u[deepest]:.4g} mm; "
                "check units, signs and the distance of the rails."
            )


def radius_and_derivatives(profile: Profile) -> tuple[float, float, float]:
    """R, R', R'' at the origin from the derivatives of c: with R = -q^3/c'', q^2 = 1 + c'^2, differentiated twice. R = inf where
    it is straight.
    """
    _, c1, c2, c3, c4 = (float(x) for x in profile.at(0.0, 4))
    if abs(c2) < STRAIGHT:
        return math.inf, 0.0, 0.0
    q = math.sqrt(1.0 + c1 * c1)
    q1 = c1 * c2 / q
    q2 = (c2 * c2 + c1 * c3 - q1 * q1) / q
    n, n1, n2 = q**3, 3.0 * q * q * q1, 6.0 * q * q1 * q1 + 3.0 * q * q * q2  # q^3 and its derivatives
    return -n / c2, -(n1 * c2 - n * c3) / c2**2, -(n2 / c2 - 2.0 * n1 * c3 / c2**2 - n * c4 / c2**2 + 2.0 * n * c3**2 / c2**3)


def simple(
    h: float,
    R_w: float,
    R_r: float,
    b: float,
    r: float,
    R1_w: float = 0.0,
    R1_r: float = 0.0,
    R2_w: float = 0.0,
    R2_r: float = 0.0,
) -> Geometry:
    """A wheelset from the numbers of chapter 1: conicity, radii of curvature and their derivatives. R_w = inf: conical wheels."""
    if h <= 0.0:
        raise InputError(
            f"h = {h!r} must be above zero: wheels whose radius grows outward do not steer themselves back (check the sign)."
        )
    return Geometry(arc(h, R_w, R1_w, R2_w), arc(h, R_r, R1_r, R2_r), b, r)


def geometry(wheel: Profile, rail: Profile, tape: float, radius: float, rail_at: float) -> Geometry:
    """A wheelset from profiles in their own coordinates: find where they touch in the central position, and place both there.

    tape: half the distance of the tape circles, which are the origin of the wheel's profile, with the rolling radius `radius`.
    rail_at: where the origin of the rail's profile is, from the middle of the track.
    """
    low, high = max(wheel.low + tape, rail.low + rail_at), min(wheel.high + tape, rail.high + rail_at)
    if not low < high:
        raise InputError(
            f"the wheel's profile reaches from {1e3 * (wheel.low + tape):.4g} to {1e3 * (wheel.high + tape):.4g} mm from "
            "the middle of the track, the rail's from "
            f"{1e3 * (rail.low + rail_at):.4g} to {1e3 * (rail.high + rail_at):.4g}: they do not meet; check units, "
            "gauge and sides."
        )
    gap = lambda x: wheel.height(x - tape) - rail.height(x - rail_at)
    x = np.linspace(low, high, 8001)
    values = gap(x)
    k = int(np.nanargmin(values))
    if k in (0, len(x) - 1) or not np.isfinite(values[k - 1] + values[k + 1]):
        raise InputError(
            f"in the central position the profiles come closest at the end of what is known of them, {1e3 * x[k]:.5g} mm "
            "from the middle of the track; "
            "check the gauge, or measure more of the profiles."
        )
    at = touching_at(wheel, rail, tape, rail_at, float(x[k - 1]), float(x[k + 1]))
    r = radius - float(wheel.height(at - tape))
    if abs(r - radius) > FLANGE:
        raise InputError(
            f"in the central position the wheelset would rest {1e3 * (at - tape):.4g} mm from its tape circles, where "
            f"its radius is {1e3 * r:.5g} instead of {1e3 * radius:.5g} mm, on its "
            "flanges or beside the tread: the rails are too far apart, or too near; check gauge, sides and units."
        )
    return Geometry(wheel.placed(at - tape), rail.placed(at - rail_at), at, r)


def touching_at(wheel: Profile, rail: Profile, tape: float, rail_at: float, low: float, high: float) -> float:
    """Where both slopes are equal, between low and high, by bisection down to neighbouring numbers."""
    slope: Any = lambda x: float(wheel.at(x - tape, 1)[1] - rail.at(x - rail_at, 1)[1])
    if not slope(low) < 0.0 < slope(high):
        raise InputError(
            f"the profiles do not touch in one smooth point near {1e3 * low:.5g} mm from the middle of the track; smooth them more."
        )
    while low < (middle := 0.5 * (low + high)) < high:
        low, high = (middle, high) if slope(middle) < 0.0 else (low, middle)
    return 0.5 * (low + high)
