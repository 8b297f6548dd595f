"""A tracked motion: at each frame where a body was seen, and how well that is known.

    r_i = r(t_i) + e_i,      R_i = R(t_i) exp(d_i),      cov (e_i, d_i) = C_i

r: the tracked point in space axes; R: the attitude, body to space; e in space axes, d in body axes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...kernel.names import InputError
from .attitudes import nearest_attitude, quaternions, unwrapped

FORMAT = "rollick track 1"
SYNTHETIC = "SYNTHETIC"  # how the label of made-up data begins


@dataclass(frozen=True)
class Track:
    """Frames in the order of their times; what was not seen in a frame is nan.

    t: times (n,) [s]; position (n, 3) [m]; attitude (n, 3, 3); covariance: (n, 6, 6) of position [m] and rotation [rad], None if the noise is not
    known; camera: a name for each frame; told: what was done to it, in sentences.
    """

    t: np.ndarray
    position: np.ndarray
    attitude: np.ndarray
    covariance: np.ndarray | None = None
    camera: np.ndarray | None = None
    name: str = "track"
    told: tuple[str, ...] = ()
    noise: dict[str, float] = field(default_factory=dict)
    synthetic: str = ""

    def __len__(self) -> int:
        return int(self.t.size)

    @property
    def seen(self) -> np.ndarray:
        """Whether a frame has an attitude."""
        return np.isfinite(self.attitude).all(axis=(1, 2))

    @property
    def placed(self) -> np.ndarray:
        """Whether a frame has a position."""
        return np.isfinite(self.position).all(axis=1)

    @property
    def rate(self) -> float:
        """Frames per second: one over the median time between frames of one camera."""
        steps = [np.diff(self.t[self.camera == c]) for c in self.cameras] if self.camera is not None else [np.diff(self.t)]
        joined = np.concatenate([s[s > 0.0] for s in steps])
        return float(1.0 / np.median(joined)) if joined.size else float("nan")

    @property
    def cameras(self) -> list[str]:
        """The names of the cameras."""
        return [] if self.camera is None else sorted({str(c) for c in self.camera})

    def saying(self, *sentences: str, **changes: Any) -> Track:
        """The track with changes, and sentences about them."""
        return replace(self, told=(*self.told, *sentences), **changes)

    def part(self, rows: Any, *sentences: str) -> Track:
        """Some frames."""
        return self.saying(
            *sentences,
            t=self.t[rows],
            position=self.position[rows],
            attitude=self.attitude[rows],
            covariance=None if self.covariance is None else self.covariance[rows],
            camera=None if self.camera is None else self.camera[rows],
        )

    def between(self, since: float | None = None, until: float | None = None) -> Track:
        """The frames of an interval of time; e.g. from the instant at which the hand has let go."""
        low, high = -np.inf if since is None else since, np.inf if until is None else until
        rows = (self.t >= low) & (self.t <= high)
        if not rows.any():
            raise InputError(
                f"no frame of {self.name} lies between {low:g} and {high:g} s; its times are {self.t[0]:g} to {self.t[-1]:g} s."
            )
        return self.part(rows)

    def with_noise(self, sigma_position: float, sigma_angle: float, sentence: str = "") -> Track:
        """The track with the standard deviations of each coordinate of its point [m], and of a rotation about each axis [rad]."""
        for name, value in (("sigma_position", sigma_position), ("sigma_angle", sigma_angle)):
            if not (np.isfinite(value) and value > 0.0):
                raise InputError(f"{name} = {value!r} must be a number above zero.")
        one = np.diag([sigma_position**2] * 3 + [sigma_angle**2] * 3)
        noise = {"position": float(sigma_position), "angle": float(sigma_angle)}
        said = (sentence,) if sentence else ()
        return self.saying(*said, covariance=np.broadcast_to(one, (len(self), 6, 6)).copy(), noise=noise)

    @property
    def angles(self) -> np.ndarray:
        """z-x-z Euler angles (n, 3), unwrapped: R = Z(alpha) X(beta) Z(gamma), 0 <= beta <= pi."""
        R = self.attitude
        beta = np.arctan2(np.hypot(R[:, 2, 0], R[:, 2, 1]), R[:, 2, 2])
        alpha = unwrapped(np.arctan2(R[:, 0, 2], -R[:, 1, 2]))
        gamma = unwrapped(np.arctan2(R[:, 2, 0], R[:, 2, 1]))
        return np.stack([alpha, beta, gamma], axis=1)

    @property
    def data(self) -> Any:
        """The track as an `xarray.Dataset`: t, x, y, z, q0..q3 and, if known, the standard deviations."""
        import xarray as xr

        q = quaternions(self.attitude)
        names = {f"q{k}": ("frame", q[:, k], {"units": ""}) for k in range(4)}
        places = {n: ("frame", self.position[:, k], {"units": "m"}) for k, n in enumerate("xyz")}
        more: dict[str, Any] = {} if self.camera is None else {"camera": ("frame", np.array([str(c) for c in self.camera]))}
        if self.covariance is not None:
            more["covariance"] = (("frame", "error", "other"), self.covariance)
        attrs: dict[str, Any] = {"format": FORMAT, "title": self.name, "told": " ".join(self.told)}
        attrs |= {"synthetic": self.synthetic} if self.synthetic else {}
        attrs |= {f"sigma_{name}": value for name, value in self.noise.items()}
        return xr.Dataset({"t": ("frame", self.t, {"units": "s"}), **places, **names, **more}, attrs=attrs)

    def to_netcdf(self, path: Any) -> None:
        """Write it to a netCDF file."""
        from ...motion.result.whole_file import save_data

        save_data(self.data, path)

    def to_csv(self, path: Any) -> None:
        """Write it to a CSV file (position in mm): t, camera, x, y, z, q0..q3, with comments at its head."""
        import gzip

        from ...motion.result.whole_file import write_whole

        q = quaternions(self.attitude)
        lines = [f"# {line}" for line in (self.name, *((self.synthetic,) if self.synthetic else ()), *self.told)]
        if self.noise:
            lines.append("# " + ", ".join(f"sigma_{name} = {value:.6g}" for name, value in self.noise.items()))
        lines.append("t [s]," + ("" if self.camera is None else "camera,") + "x [mm],y [mm],z [mm],q0,q1,q2,q3")
        for i in range(len(self)):
            camera = "" if self.camera is None else f"{self.camera[i]},"
            numbers = [*(f"{1e3 * v:.3f}" for v in self.position[i]), *(f"{v:.6f}" for v in q[i])]
            lines.append(f"{self.t[i]:.6f},{camera}" + ",".join("" if n == "nan" else n for n in numbers))
        text = ("\n".join(lines) + "\n").encode()
        write_whole(path, gzip.compress(text, mtime=0) if str(path).endswith(".gz") else text)

    def plot(self, path: Any = None) -> Any:
        """Angles, height and place over time."""
        from .pictures import plot_track

        return plot_track(self, path)

    def summary(self) -> str:
        """What it holds, in a few lines."""
        gone = int((~self.seen).sum())
        lines = [
            f"{self.name}: {len(self)} frames from {self.t[0]:.6g} to {self.t[-1]:.6g} s, {self.rate:.6g} per second"
            + (f", {len(self.cameras)} cameras" if self.camera is not None else "")
        ]
        if self.synthetic:
            lines.append(self.synthetic)
        if gone:
            lines.append(f"{gone} frames without an attitude")
        if self.noise:
            lines.append(f"noise {1e3 * self.noise['position']:.3g} mm, {np.degrees(self.noise['angle']):.3g} deg")
        return "\n".join([*lines, *self.told])

    __repr__ = summary


def track_of(
    t: Any, position: Any = None, attitude: Any = None, *, camera: Any = None, name: str = "track", told: tuple[str, ...] = ()
) -> Track:
    """A track from arrays: times (n,), positions (n, 3) in m (None: not known), attitudes (n, 3, 3), body to space; nan where nothing was seen."""
    times = np.asarray(t, float)
    if times.ndim != 1 or times.size < 2 or not np.isfinite(times).all():
        raise InputError(f"a track needs two or more finite times in one row; got {times.size} of shape {times.shape}.")
    n = times.size
    place = np.full((n, 3), np.nan) if position is None else np.array(position, float)
    R = np.array(attitude, float)
    if place.shape != (n, 3) or R.shape != (n, 3, 3):
        raise InputError(
            f"a track of {n} times needs positions of shape ({n}, 3) and attitudes of shape ({n}, 3, 3); got {place.shape} and {R.shape}."
        )
    place[~np.isfinite(place).all(axis=1)] = np.nan
    good = np.isfinite(R).all(axis=(1, 2))
    R[~good] = np.nan
    if good.any():
        near = nearest_attitude(R[good])
        off = np.abs(near - R[good]).max(axis=(1, 2))
        if off.max() > 0.1:
            k = np.flatnonzero(good)[int(off.argmax())]
            raise InputError(
                f"the attitude at t = {times[k]:g} s is no rotation (an entry is off by {off.max():.2g}); check the columns, and that its frame is right-handed."
            )
        R[good] = near
    if not good.any():
        raise InputError("the track has no frame with an attitude.")
    if camera is not None:
        camera = np.array([str(c) for c in camera])
        if camera.shape != (n,):
            raise InputError(f"a track of {n} times needs as many names of cameras; got {camera.size}.")
    order = np.argsort(times, kind="stable")
    made = Track(times[order], place[order], R[order], None, None if camera is None else camera[order], name, told)
    again = np.diff(made.t) == 0.0
    for name in made.cameras:
        own = made.t[made.camera == name]
        if (np.diff(own) == 0.0).any():
            raise InputError(
                f"camera {name} tells the time {own[1:][np.diff(own) == 0.0][0]:g} s twice; leave one of the frames out, or name the cameras apart."
            )
    if camera is None and again.any():
        raise InputError(
            f"the time {made.t[1:][again][0]:g} s occurs twice; frames of several cameras need a column 'camera', else leave one of them out."
        )
    return made
