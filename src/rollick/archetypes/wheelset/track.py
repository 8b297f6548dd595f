"""Wheels and rails by name or file, put on a track: gauge, inclination and the distance of the tape circles make a geometry."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ...kernel.names import InputError
from .geometry import GAUGE_DEPTH, Geometry, geometry, simple
from .profiles import Profile
from .profiles_measured import SMOOTHING, measured, read_points
from .profiles_published import gauge_offset, s1002, uic60

GAUGE, TAPE, RADIUS, INCLINATION = 1.435, 0.75, 0.46, 1.0 / 40.0


def wheel_named(name: str, unit: str = "mm", smoothing: float = SMOOTHING) -> Profile:
    """A wheel's profile: s1002, or the name of a CSV file."""
    return s1002() if name.lower() == "s1002" else measured(known_file(name, "wheel", "s1002"), "wheel", unit, smoothing)


def known_file(name: str, kind: str, published: str) -> Path:
    """A file that is there, or what else could have been meant."""
    path = Path(name)
    if not path.is_file():
        raise InputError(
            f"the {kind} {name!r} is neither {published} nor a file; give a CSV file of lateral coordinates and heights."
        )
    return path


def rail_named(
    name: str, inclination: float = INCLINATION, unit: str = "mm", smoothing: float = SMOOTHING
) -> tuple[Profile, float | None]:
    """A rail's profile (uic60, or the name of a CSV file, which holds the rail as inclined), and how far its origin is outside of
    its gauge face; None if unknown.
    """
    if name.lower() in ("uic60", "60e1"):
        return uic60(inclination), gauge_offset(inclination)
    path = known_file(name, "rail", "uic60")
    return measured(path, "rail", unit, smoothing), measured_gauge(path, unit)


def measured_gauge(path: Path, unit: str) -> float | None:
    """How far a measured rail's origin is outside of its gauge face, 14 mm below its top; None where it was not measured that far
    down.
    """
    points = read_points(path, unit)
    top = points[:, 1].max()
    inner = points[points[:, 0] < points[points[:, 1].argmax(), 0]]
    below = inner[inner[:, 1] < top - GAUGE_DEPTH]
    above = inner[inner[:, 1] >= top - GAUGE_DEPTH]
    if not len(below) or not len(above):
        return None
    a, b = below[below[:, 1].argmax()], above[above[:, 1].argmin()]
    share = (top - GAUGE_DEPTH - a[1]) / (b[1] - a[1])
    return -float(a[0] + share * (b[0] - a[0]))


def on_track(
    wheel: str = "s1002",
    rail: str = "uic60",
    gauge: float = GAUGE,
    tape: float = TAPE,
    radius: float = RADIUS,
    inclination: float = INCLINATION,
    rail_at: float | None = None,
    unit: str = "mm",
    smoothing: float = SMOOTHING,
) -> Geometry:
    """A wheelset on its track, from names or files. tape: half the distance of the tape circles; rail_at: the origin of the
    rail's profile, from the middle of the track (default: from the gauge).
    """
    for name, value in (("gauge", gauge), ("tape", tape), ("radius", radius)):
        if not (math.isfinite(value) and 0.1 < value < 5.0):
            raise InputError(f"{name} = {value!r} must be a length in metres between 0.1 and 5 (millimetres?).")
    on = rail_named(rail, inclination, unit, smoothing)
    if rail_at is None:
        if on[1] is None:
            raise InputError(
                f"the rail {rail} was not measured down to 14 mm below its top, where the gauge is; say how far from the middle of the track the origin "
                "of its profile is, in metres: rail_at=..."
            )
        rail_at = 0.5 * gauge + on[1]
    return geometry(wheel_named(wheel, unit, smoothing), on[0], tape, radius, rail_at)


def of_numbers(**given: Any) -> Geometry:
    """A wheelset from h, R_w, R_r, b, r and derivatives of the radii; see `simple`."""
    return simple(**given)
