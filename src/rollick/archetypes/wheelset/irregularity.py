"""Lateral track irregularities (alignment): the centre line of the rails lies at y_t(s), s = v t the place along the track.

    alignment(track, s)     y_t and dy_t/ds

Only the rolling-radius difference sees the rails, so y - y_t takes the place of y in psi' = b10 y (and nothing else changes, to the order of the
thesis, conicity to zero in positions and normals): psi' = b10 (y - y_t) - (u1+ - u1-)/(2b).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.dispatch import generic
from ...kernel.names import InputError, file_of
from ...kernel.scalar import cos, real, sin
from ...kernel.system import validate


class Sinusoidal(NamedTuple):
    """y_t = amplitude sin(2 pi s/wavelength + phase); amplitude 0: a straight track."""

    amplitude: float = 0.0
    wavelength: float = 20.0
    phase: float = 0.0


class Measured(NamedTuple):
    """y_t through measured points: cubics on equal intervals, made by `measured` or `read_track`; straight on beyond its ends."""

    first: float
    width: float
    coefficients: Any


@generic
def alignment(track, s):
    """(y_t, dy_t/ds) at the place s."""


@alignment.register(Sinusoidal)
def _(track, s):
    k = 6.283185307179586 / track.wavelength
    return track.amplitude * sin(k * s + track.phase), track.amplitude * k * cos(k * s + track.phase)


@alignment.register(Measured)
def _(track, s):
    count = track.coefficients.shape[0]
    k = min(count - 1, max(0, int((real(s) - track.first) / track.width)))
    d = s - track.first - k * track.width
    c = track.coefficients
    if real(s) < track.first:
        return c[0, 0] + c[0, 1] * d, c[0, 1] + 0.0 * d
    if real(d) > track.width:
        w = track.width
        end = c[k, 0] + w * (c[k, 1] + w * (c[k, 2] + w * c[k, 3]))
        slope = c[k, 1] + w * (2.0 * c[k, 2] + 3.0 * w * c[k, 3])
        return end + slope * (d - w), slope + 0.0 * d
    return c[k, 0] + d * (c[k, 1] + d * (c[k, 2] + d * c[k, 3])), c[k, 1] + d * (2.0 * c[k, 2] + 3.0 * d * c[k, 3])


@validate.register(Sinusoidal)
def _(track):
    if not (math.isfinite(track.amplitude) and math.isfinite(track.phase)):
        raise InputError(f"amplitude = {track.amplitude!r} and phase = {track.phase!r} of the track must be finite numbers.")
    if not 0.0 < track.wavelength < math.inf:
        raise InputError(f"wavelength = {track.wavelength!r} of the track must be above zero (m).")


@validate.register(Measured)
def _(track):
    if not 0.0 < track.width < math.inf or not np.all(np.isfinite(track.coefficients)):
        raise InputError("a measured track is made by `measured(s, y)` or `read_track(file)`.")


def measured(s: Any, y: Any) -> Measured:
    """A track through points: places s (m) that grow, at least four, and lateral displacements y (m); a natural cubic spline.

    Places in unequal steps are laid onto equal ones, as fine as their smallest step, by a spline through the points as given.
    """
    from scipy.interpolate import CubicSpline

    try:
        place, side = np.asarray(s, float), np.asarray(y, float)
    except (TypeError, ValueError):
        raise InputError(
            "a track needs two lists of numbers: places s along it, and lateral displacements y there (m)."
        ) from None
    if place.ndim != 1 or place.shape != side.shape or place.size < 4 or not np.all(np.isfinite(place) & np.isfinite(side)):
        raise InputError(
            "a track needs two equally long lists of at least four finite numbers: places s, and displacements y there."
        )
    steps = np.diff(place)
    if steps.min() <= 0.0:
        k = int(np.argmin(steps))
        raise InputError(f"the places of a track must grow: s = {place[k + 1]:g} follows s = {place[k]:g} (point {k + 2}).")
    if np.ptp(steps) > 1e-9 * steps.mean():
        count = int(np.ceil((place[-1] - place[0]) / steps.min()))
        if count > 1_000_000:
            raise InputError(
                f"the places of the track are too uneven: equal steps as fine as the smallest, {steps.min():g} m, would be {count}; thin the points out."
            )
        even = np.linspace(place[0], place[-1], count + 1)
        side, place = CubicSpline(place, side, bc_type="natural")(even), even
    pieces = CubicSpline(place, side, bc_type="natural").c[::-1].T
    return Measured(float(place[0]), float(place[1] - place[0]), np.ascontiguousarray(pieces))


def read_track(path: Any) -> Measured:
    """A track from a CSV file of two columns, place and lateral displacement, in metres; a first line of names is skipped."""
    try:
        lines = file_of(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read the track {path}: {getattr(error, 'strerror', None) or 'it is no text in UTF-8'}."
        ) from None
    rows = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        parts = [p.strip() for p in text.replace(";", ",").split(",")]
        try:
            rows.append([float(p) for p in parts])
        except ValueError:
            if rows or (number > 1 and any(p.replace(".", "").replace("-", "").isdigit() for p in parts)):
                raise InputError(
                    f"{path}, line {number}: two numbers are expected, place and displacement in metres, not {text!r}."
                ) from None
            continue
        if len(rows[-1]) != 2:
            raise InputError(f"{path}, line {number}: two numbers are expected, place and displacement in metres, not {text!r}.")
    if len(rows) < 4:
        raise InputError(f"the track {path} has {len(rows)} points; it needs at least four.")
    values = np.array(rows)
    if np.abs(values[:, 1]).max() > 0.5:
        raise InputError(
            f"the track {path} is displaced by up to {np.abs(values[:, 1]).max():g} m, more than half a metre; displacements are in metres, not millimetres."
        )
    return measured(values[:, 0], values[:, 1])
