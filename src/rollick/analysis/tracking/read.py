"""`read_track`: tracked motion from a file, whatever its columns, units and frames are.

What is looked for, in this order: markers (if their places on the body are given), a quaternion (q0..q3, or qw, qx, qy, qz), three Euler angles
(alpha, beta, gamma). The point's place x, y, z may be missing; times are t (or time), or frame numbers with a frame rate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError, choose, number
from .attitudes import cross_matrix
from .conventions import from_euler, from_quaternions, rotation, to_body
from .markers import fit_markers
from .table import KINDS, Table, read_table, scaled
from .track import SYNTHETIC, Track, track_of

TIMES = ("t", "time", "Time", "timestamp")
FRAMES = ("frame", "Frame", "frames")
PLACES = ("x", "y", "z")
QUATERNIONS = (("q0", "q1", "q2", "q3"), ("qw", "qx", "qy", "qz"), ("p0", "p1", "p2", "p3"))
ANGLES = ("alpha", "beta", "gamma")
OPTIONS = ("t", "frame", "camera", *PLACES, "q0", "q1", "q2", "q3", *ANGLES)


def read_track(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    fps: float | str | None = None,
    markers: Mapping[str, Sequence[float]] | None = None,
    euler: str = "zxz",
    order: str = "scalar first",
    inverse: bool = False,
    axes: Any = None,
    target: Any = None,
    offset: Any = None,
    sigma_position: float | str | None = None,
    sigma_angle: float | str | None = None,
    sigma_marker: float | str | None = None,
) -> Track:
    """Tracked motion.

    Parameters
    ----------
    source: a CSV file (.csv, .txt, .csv.gz) or netCDF file (.nc); or a dict of columns, a pandas table, an `xarray.Dataset`.
    columns: {our name: the file's}, where they differ: t, frame, camera, x, y, z, q0..q3, alpha, beta, gamma; of a marker m: m_x, m_y, m_z.
    units: of "t", "position", "angle", where neither the column's name ("x [mm]") nor the file tells them; else SI.
    fps: frames per second, for files that number frames and tell no times.
    markers: {name: (x, y, z)} on the body [m]; their columns are name_x, name_y, name_z.
    euler, order, inverse, axes, target, offset: see `conventions`.
    sigma_position, sigma_angle: standard deviations of a coordinate and of a rotation about an axis; sigma_marker: of a marker's coordinate.
    """
    table = _renamed(read_table(source), columns or {}, markers or {})
    units = _checked_units(units or {})
    from_euler(np.zeros((0, 3)), euler)  # a sequence that is none is refused even where it is not used
    t = _times(table, units, fps)
    sigma = None if sigma_marker is None else number(sigma_marker, "sigma_marker", "m")
    if markers:
        if inverse:
            raise InputError(
                "inverse is about attitudes that the file tells; those of markers are fitted from body to space. Leave it out."
            )
        position, attitude, covariance, told = _by_markers(table, units, markers, sigma)
    else:
        position, covariance, told = _places(table, units, t.size), None, []
        attitude = _attitudes(table, units, euler, order)
    position, attitude = to_body(position, attitude, inverse=inverse, axes=axes, target=target, offset=offset)
    camera = table.columns.get("camera")
    track = track_of(t, position, attitude, camera=camera, name=table.name, told=tuple(told))
    track = track.saying(synthetic=next((c for c in table.comments if c.startswith(SYNTHETIC)), ""))
    if not track.seen.all():
        track = track.saying(f"{int((~track.seen).sum())} of {len(track)} frames have no attitude (gaps).")
    if covariance is not None:
        at = np.argsort(t, kind="stable")
        covariance = _carried(covariance, attitude, axes, target, offset)
        noise = {
            n: float(np.sqrt(np.nanmedian(np.diagonal(covariance[:, a : a + 3, a : a + 3], axis1=1, axis2=2))))
            for n, a in (("position", 0), ("angle", 3))
        }
        return track.saying(covariance=covariance[at], noise=noise)
    return _with_sigmas(track, table, sigma_position, sigma_angle)


def _by_markers(
    table: Table, units: Mapping[str, str], markers: Mapping[str, Sequence[float]], sigma: float | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, list[str]]:
    """Places and attitudes from markers, their covariance where the markers' is known, and what is to be said."""
    placed = fit_markers(markers, _marker_columns(table, markers, units), sigma)
    told = [f"{len(markers)} markers, which fit the body to {1e3 * placed.sigma:.3g} mm."]
    if placed.left_out:
        told.append(f"{len(placed.left_out)} sightings of markers that disagree with the others of their frame were left out.")
    known = placed.sigma > 0.0 or sigma
    covariance = placed.shape * (placed.sigma if sigma is None else sigma) ** 2 if known else None
    return placed.position, placed.attitude, covariance, told


def _places(table: Table, units: Mapping[str, str], count: int) -> np.ndarray:
    """The places of a table that tells them itself; not known where it does not."""
    given = [c for c in PLACES if c in table.columns]
    if 0 < len(given) < 3:
        raise InputError(
            f"{table.name} has {', '.join(given)} but not {', '.join(c for c in PLACES if c not in given)}; a place needs all three, or none."
        )
    return np.stack([scaled(table, c, "position", units) for c in PLACES], axis=1) if given else np.full((count, 3), np.nan)


def _with_sigmas(track: Track, table: Table, sigma_position: Any, sigma_angle: Any) -> Track:
    """The track with the standard deviations that were given, or that its file tells."""
    place = sigma_position if sigma_position is not None else table.said.get("sigma_position")
    angle = sigma_angle if sigma_angle is not None else table.said.get("sigma_angle")
    if place is not None and angle is not None:
        return track.with_noise(number(place, "sigma_position", "m"), number(angle, "sigma_angle", "rad"))
    if place is not None or angle is not None:
        missing = "sigma_angle" if angle is None else "sigma_position"
        raise InputError(
            f"{missing} is missing: give the standard deviations of places and of angles, or neither (they are estimated then)."
        )
    return track


def _carried(covariance: np.ndarray, attitude: np.ndarray, axes: Any, target: Any, offset: Any) -> np.ndarray:
    """The covariance (e, d) of what was tracked as that of the body's own point and axes: d' = target^T d, e' = axes e + R [offset] d' (`to_body`)."""
    turn = rotation(target, "target").T
    T = np.zeros((len(covariance), 6, 6))
    T[:, :3, :3], T[:, 3:, 3:] = rotation(axes, "axes"), turn
    if offset is not None:
        T[:, :3, 3:] = attitude @ cross_matrix(np.array(offset, float)) @ turn
    return T @ covariance @ np.swapaxes(T, 1, 2)


def _renamed(table: Table, columns: Mapping[str, str], markers: Mapping[str, Any]) -> Table:
    """The columns under our names."""
    known = [*OPTIONS, *(f"{m}_{c}" for m in markers for c in PLACES)]
    named, units = dict(table.columns), dict(table.units)
    for ours, theirs in columns.items():
        choose(ours, known, "column of a track")
        choose(theirs, table.columns, f"column of {table.name}")
        named[ours] = table.columns[theirs]
        units.pop(ours, None)
        if theirs in table.units:
            units[ours] = table.units[theirs]
    return Table(named, units, table.comments, table.name, table.said)


def _checked_units(units: Mapping[str, str]) -> Mapping[str, str]:
    for kind, unit in units.items():
        choose(kind, tuple(KINDS), "kind in units")
        number(f"1 {unit}", f"the unit of {kind}", KINDS[kind])
    return units


def _times(table: Table, units: Mapping[str, str], fps: Any) -> np.ndarray:
    name = next((n for n in TIMES if n in table.columns), None)
    if name is not None:
        if fps is not None:
            raise InputError(f"{table.name} tells times ({name!r}); leave out fps, or the column.")
        t = scaled(table, name, "t", units)
    else:
        frame = next((n for n in FRAMES if n in table.columns), None)
        if frame is None:
            raise InputError(
                f"{table.name} has no times; its columns are {', '.join(table.columns)}. Name one, columns={{'t': ...}}, or frame numbers with fps=..."
            )
        if fps is None:
            raise InputError(f"{table.name} numbers its frames ({frame!r}) but tells no times; give fps, frames per second.")
        rate = number(fps, "fps", "Hz") if isinstance(fps, str) else float(fps)
        if not rate > 0.0:
            raise InputError(f"fps = {fps!r} must be above zero.")
        t = np.asarray(table.columns[frame], float) / rate
    if not np.isfinite(t).all():
        raise InputError(f"{int((~np.isfinite(t)).sum())} of {t.size} times in {table.name} are missing.")
    return t


def _attitudes(table: Table, units: Mapping[str, str], euler: str, order: str) -> np.ndarray:
    for names in QUATERNIONS:
        have = [n for n in names if n in table.columns]
        if len(have) == 4:
            q = np.stack([np.asarray(table.columns[n], float) for n in names], axis=1)
            return from_quaternions(q, "scalar first" if names[0] == "qw" else order)
        if have:
            raise InputError(
                f"{table.name} has {', '.join(have)} but not {', '.join(n for n in names if n not in have)}; a quaternion needs all four."
            )
    have = [n for n in ANGLES if n in table.columns]
    if len(have) == 3:
        angles = np.stack([scaled(table, n, "angle", units) for n in ANGLES], axis=1)
        known = angles[np.isfinite(angles).all(axis=1)]
        told = any(n in table.units for n in ANGLES) or "angle" in units
        widest = np.abs(known[:, 1]).max(initial=0.0)
        if not told and widest > 2.0 * np.pi:  # the angle in the middle lies within one turn, whatever the sequence
            raise InputError(
                f"the angles in {table.name} look like degrees (beta up to {widest:.3g}); say units={{'angle': 'deg'}} or name them 'beta [deg]'; if they are radians, say units={{'angle': 'rad'}}."
            )
        return from_euler(angles, euler)
    if have:
        raise InputError(
            f"{table.name} has {', '.join(have)} but not {', '.join(n for n in ANGLES if n not in have)}; an attitude needs three angles."
        )
    raise InputError(
        f"{table.name} tells no attitude; its columns are {', '.join(table.columns)}. It needs q0, q1, q2, q3, or alpha, beta, gamma, or markers whose "
        f"places on the body are given (markers={{...}}); name them with columns={{'q0': ...}}."
    )


def _marker_columns(table: Table, markers: Mapping[str, Any], units: Mapping[str, str]) -> dict[str, np.ndarray]:
    found = {}
    for m in markers:
        names = [f"{m}_{c}" for c in PLACES]
        missing = [n for n in names if n not in table.columns]
        if missing:
            raise InputError(
                f"{table.name} has no column {', '.join(missing)} for the marker {m}; its columns are {', '.join(table.columns)}."
            )
        found[str(m)] = np.stack([scaled(table, n, "position", units) for n in names], axis=1)
    return found
