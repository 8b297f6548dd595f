"""Measured profiles: coordinates from a CSV file, checked, and smoothed by a spline of degree five whose fit is told.

Two columns, lateral coordinate and height, separated by commas, semicolons, tabs or blanks; lines that begin with # and one
heading are passed over. Lateral coordinates are measured outward, away from the middle of the track, heights upward. The origin
of a wheel's profile is its tape circle, that of a rail its highest point after the inclination (a shift of heights does not
matter). Units are millimetres, unless said otherwise.

The spline is of degree five, so that curvatures and their changes, on which the frequency depends (1.61), are continuous; FITPACK
chooses as few knots as keep the root mean square of the residuals below `smoothing`.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import PPoly, UnivariateSpline

from ...kernel.names import InputError, choose, file_of
from .profiles import POLYNOMIAL, Profile, Section

UNITS = {"mm": 1e-3, "m": 1.0, "um": 1e-6, "in": 0.0254}
FEWEST = 20  # points
NARROWEST, WIDEST = 0.015, 0.25  # m: the span of a profile
STEEPEST = 5.0  # slope, beyond which a spline over the lateral coordinate ends
SMOOTHING = 2e-6  # m, the root mean square of the residuals that is aimed at


class Fit(NamedTuple):
    """How a measured profile was smoothed: points used and given, knots, residuals (root mean square, largest) [m], and what was
    aimed at.
    """

    points: int
    given: int
    knots: int
    rms: float
    largest: float
    smoothing: float

    def words(self) -> str:
        """The fit in a line."""
        left = f" ({self.given - self.points} steep ones left out)" if self.given > self.points else ""
        return (
            f"{self.points} points{left}, spline of degree 5 with {self.knots} knots, residuals {1e3 * self.rms:.2g} mm "
            f"(root mean square; {1e3 * self.smoothing:.2g} aimed at), "
            f"{1e3 * self.largest:.2g} mm at most"
        )


def read_points(path: Path | str, unit: str = "mm") -> np.ndarray:
    """The coordinates (n, 2) of a file, in metres."""
    path = file_of(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(f"the profile {path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise InputError(
            f"the profile {path} is not a text file; two columns of numbers (lateral coordinate, height) are expected."
        ) from None
    rows: list[tuple[float, float]] = []
    headed = False
    for count, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        fields = [f for f in re.split(r"[;\t]+|,\s*|\s+", text) if f]
        try:
            rows.append((float(fields[0]), float(fields[1])))
        except (ValueError, IndexError):
            if rows or headed:
                raise InputError(
                    f"line {count} of {path}, {line.strip()!r}, is not a lateral coordinate and a height; write e.g. -12.5, 0.031"
                ) from None
            headed = True
    factor = UNITS[choose(unit, UNITS, "unit of a profile")]
    return factor * np.array(rows, float).reshape(-1, 2)


def checked(points: np.ndarray, name: str, kind: str) -> np.ndarray:
    """The points in order, or what is wrong with them in a sentence."""
    if points.ndim != 2 or points.shape[1] != 2:
        raise InputError(f"a profile is an array (n, 2) of lateral coordinates and heights, not of shape {points.shape}.")
    if len(points) < FEWEST:
        raise InputError(
            f"the profile {name} has {len(points)} points; {FEWEST} are the least that a spline and its curvature can be "
            "taken from."
        )
    if not np.isfinite(points).all():
        k = int(np.argmin(np.isfinite(points).all(axis=1)))
        raise InputError(f"point {k + 1} of the profile {name}, {points[k].tolist()}, is not finite.")
    span = float(np.ptp(points[:, 0]))
    if span < NARROWEST:
        hint = "metres read as millimetres? then say unit m" if 1e3 * span < WIDEST else "more of it is needed"
        raise InputError(
            f"the profile {name} is {1e3 * span:.3g} mm wide; wheels and rails have {1e3 * NARROWEST:g} to "
            f"{1e3 * WIDEST:g} mm ({hint})."
        )
    if span > WIDEST:
        hint = "millimetres read as metres? then say unit mm" if 1e-3 * span < WIDEST else "what is its unit?"
        raise InputError(f"the profile {name} is {span:.4g} m wide; wheels and rails have at most {1e3 * WIDEST:g} mm ({hint}).")
    order = np.argsort(points[:, 0], kind="stable")
    if np.array_equal(order[::-1], np.arange(len(points))) or np.array_equal(order, np.arange(len(points))):
        points = points[order]
    steps = np.diff(points[:, 0])
    sense = 1.0 if points[-1, 0] > points[0, 0] else -1.0
    if (np.diff(points, axis=0) == 0.0).all(axis=1).any() or (np.abs(steps) < 1e-9 * span).any():
        k = int(np.argmin(np.abs(steps)))
        raise InputError(
            f"points {k + 1} and {k + 2} of the profile {name} have the same lateral coordinate, "
            f"{1e3 * points[k, 0]:.6g} mm; a profile has one height for each: leave one out."
        )
    if (sense * steps < 0.0).any():
        k = int(np.argmax(sense * steps < 0.0))
        raise InputError(
            f"the profile {name} turns back at point {k + 1} ({1e3 * points[k, 0]:.6g} mm): its lateral coordinates must "
            "grow; leave out the back of the flange, or what lies under the head."
        )
    points = points if sense > 0.0 else points[::-1]
    oriented(points, name, kind)
    return points


def oriented(points: np.ndarray, name: str, kind: str) -> None:
    """Refuse profiles that are upside down or seen from the other side."""
    x, z = points.T
    if kind == "rail":
        bend = np.polyfit(x - x.mean(), z, 2)[0]
        if bend > 0.0:
            raise InputError(
                f"the rail {name} is hollow (its ends are higher than its middle): its heights seem to be measured "
                "downward; change their sign."
            )
        return
    inner, outer = float(np.mean(z[: max(3, len(z) // 20)])), float(np.mean(z[-max(3, len(z) // 20) :]))
    if np.ptp(z) > 0.008:  # with a flange: the lowest part, at the inner side
        low, high = x[np.argmin(z)], x[np.argmax(z)]
        middle = 0.5 * (x[0] + x[-1])
        flange_low = np.median(z) - z.min() > z.max() - np.median(z)
        if flange_low and low > middle:
            raise InputError(
                f"the flange of the wheel {name} is at its outer side: lateral coordinates must be measured outward, "
                "away from the middle of the track; change their sign."
            )
        if not flange_low:
            side = "" if high < middle else " and lateral coordinates inward"
            raise InputError(
                f"the flange of the wheel {name} points up: its heights seem to be measured downward{side}; change their sign."
            )
    elif inner > outer:
        raise InputError(
            f"the wheel {name} is higher at its inner side than at its outer side: its radius would grow outward; change "
            "the sign of heights or lateral coordinates."
        )


def steep_ends(points: np.ndarray) -> np.ndarray:
    """The part about the middle of the tread whose chords are not steeper than a spline over the lateral coordinate can follow."""
    slope = np.abs(np.diff(points[:, 1]) / np.diff(points[:, 0]))
    k = int(np.argmin(np.abs(points[:-1, 0] - np.median(points[:, 0]))))
    bad = np.flatnonzero(slope > STEEPEST)
    low = bad[bad < k].max() + 1 if (bad < k).any() else 0
    high = bad[bad >= k].min() if (bad >= k).any() else len(points) - 1
    return points[low : high + 1]


def measured(source: Path | str | Any, kind: str, unit: str = "mm", smoothing: float = SMOOTHING, name: str = "") -> Profile:
    """The profile of a wheel or a rail (`kind`) from a file, or from an array (n, 2) in the given unit; smoothing [m] is the
    residual that is aimed at.
    """
    choose(kind, ("wheel", "rail"), "kind of profile")
    if not (np.isfinite(smoothing) and 0.0 < smoothing < 1e-3):
        raise InputError(f"smoothing = {smoothing!r} is the root mean square of the residuals in metres: above zero, below 1 mm.")
    if isinstance(source, (str, Path)):
        given, name = read_points(source, unit), name or str(source)
    else:
        given, name = UNITS[choose(unit, UNITS, "unit of a profile")] * np.asarray(source, float), name or "given by an array"
    points = checked(given, name, kind)
    used = steep_ends(points)
    if len(used) < FEWEST:
        raise InputError(
            f"the profile {name} has {len(used)} points that are not steeper than {STEEPEST:g}:1 about its middle; "
            f"{FEWEST} are needed."
        )
    x, z = used.T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of knots that cannot reach what is aimed at: the fit tells the residuals
        spline = UnivariateSpline(x, z, w=np.full(len(x), 1.0 / smoothing), k=5, s=float(len(x)))
    off = spline(x) - z
    pieces = PPoly.from_spline(spline._eval_args)
    fit = Fit(len(x), len(given), len(spline.get_knots()), float(np.sqrt(np.mean(off**2))), float(np.abs(off).max()), smoothing)
    if fit.rms > 20.0 * smoothing and fit.rms > 2e-5:
        raise InputError(
            f"the profile {name} cannot be smoothed: residuals of {1e3 * fit.rms:.3g} mm remain; are its points in order "
            "and of one surface?"
        )
    sections = tuple(
        Section(float(a), float(b), POLYNOMIAL, float(a), tuple(float(c) for c in pieces.c[::-1, k]))
        for k, (a, b) in enumerate(zip(pieces.x, pieces.x[1:]))
        if b > a
    )
    return Profile(Path(name).name, f"measured: {name}", sections, None, fit)
