"""A track made smooth: place, attitude, velocity and spin at any instant, with their errors, by local polynomials.

About an instant T, frames within a window are taken. A mean spin w (body axes, the median of what turns one frame into the next) is taken out,

    S_i = R_i exp(-w (t_i - T)),

so that the S_i hardly turn, however slow the camera, as long as the body makes less than half a turn between frames. Their entries, and the places
r_i, are fitted by polynomials in t - T; the attitude at T is the rotation nearest to S(T), the spin w + axial(S^T S'). Weights fall to zero towards the ends of the
window (tricube).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, number, whole
from .attitudes import axial, exponential, logarithm, nearest_attitude

ORDER = 3
WIDTHS = (7, 9, 13, 19, 27, 39)  # frames: the windows that are tried


@dataclass(frozen=True)
class Smooth:
    """At times t: place, velocity (space axes), attitude, spin (body axes); standard errors of place, velocity, attitude (rotation), spin."""

    t: np.ndarray
    position: np.ndarray
    velocity: np.ndarray
    attitude: np.ndarray
    spin: np.ndarray
    errors: np.ndarray  # (n, 4): of one coordinate each
    frames: int


class Frames:
    """The frames of a `Track` that have an attitude, with the spins that turn each into the next (half a frame later or more)."""

    def __init__(self, track: Any):
        self.rows = np.flatnonzero(track.seen)
        self.t, self.R, self.r = track.t[self.rows], track.attitude[self.rows], track.position[self.rows]
        self.places = bool(np.isfinite(self.r).all())
        later = np.searchsorted(self.t, self.t + 0.5 / track.rate)  # half a frame later, or more
        found = later < self.t.size
        later = np.minimum(later, self.t.size - 1)
        turn = logarithm(np.swapaxes(self.R, 1, 2) @ self.R[later])
        self.spins = np.where(found[:, None], turn / np.where(found, self.t[later] - self.t, 1.0)[:, None], np.nan)

    def near(self, at: np.ndarray, count: int, among: np.ndarray | None = None) -> np.ndarray:
        """For each instant the `count` frames (of those named) nearest to it, a row of numbers in the order of time."""
        listed = np.arange(self.t.size) if among is None else among
        t = self.t[listed]
        count = min(count, t.size)
        begins = np.clip(np.searchsorted(t, at)[:, None] + np.arange(-count, 1), 0, t.size - count)
        farthest = np.maximum(at[:, None] - t[begins], t[begins + count - 1] - at[:, None])
        begin = begins[np.arange(at.size), farthest.argmin(axis=1)]
        return listed[begin[:, None] + np.arange(count)]

    def beside(self, which: np.ndarray, count: int) -> np.ndarray:
        """For frames, the `count` others nearest to each."""
        near = self.near(self.t[which], count + 1)
        keep = near != which[:, None]
        keep[keep.all(axis=1), -1] = False  # a frame that is not among them: one too many
        return near[keep].reshape(which.size, -1)


class Locals:
    """The polynomials about some instants: attitudes, spins, places and velocities there, and the weights of the frames in them."""

    def __init__(self, frames: Frames, at: np.ndarray, near: np.ndarray, order: int, span: float = np.inf):
        t = frames.t[near] - at[:, None]
        used = np.abs(t) <= span
        t = np.where(used, t, 0.0)
        reach = np.abs(t).max(axis=1) + 1e-300
        kernel = np.where(used, (1.0 - np.minimum(np.abs(t) / (1.2 * reach[:, None]), 1.0) ** 3) ** 3, 0.0)
        self.near, self.count = near, used.sum(axis=1)
        self.good = self.count >= order + 2
        spins = frames.spins[near]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a window without any
            mean = np.nan_to_num(np.nanmedian(spins, axis=1))
        S = frames.R[near] @ exponential(-t[..., None] * mean[:, None])
        X = (t / reach[:, None])[..., None] ** np.arange(order + 1)
        weighted = np.swapaxes(X * kernel[..., None], 1, 2)
        normal = weighted @ X
        normal[~self.good] = np.eye(order + 1)
        H = np.linalg.solve(normal, weighted)  # coefficients = H values
        c = H[:, :2] @ S.reshape(*near.shape, 9)
        self.value_weights, self.slope_weights = H[:, 0], H[:, 1] / reach[:, None]
        self.attitude = nearest_attitude(c[:, 0].reshape(-1, 3, 3))
        slope = c[:, 1].reshape(-1, 3, 3) / reach[:, None, None]
        self.spin = mean + axial(np.swapaxes(self.attitude, 1, 2) @ slope)
        self.position = np.einsum("nk,nki->ni", self.value_weights, frames.r[near])
        self.velocity = np.einsum("nk,nki->ni", self.slope_weights, frames.r[near])
        for values in (self.attitude, self.spin, self.position, self.velocity):
            values[~self.good] = np.nan


def smooth(track: Any, t: Any = None, *, frames: int | None = None, order: int = ORDER) -> Smooth:
    """Place, attitude, velocity and spin at times t (default: those of the frames), by polynomials of an order over windows of so many frames.

    frames: chosen so that frames are best predicted without themselves, if it is not given. Errors follow from the noise of the track
    (`with_noise`, or estimated), not from what a polynomial cannot follow.
    """
    order = whole(order, "order", 1)
    frames_of = Frames(track)
    width = best_width(track, order) if frames is None else whole(frames, "frames", order + 2)
    if frames_of.t.size < width:
        raise InputError(f"{track.name} has {frames_of.t.size} frames with an attitude; a window needs {width}.")
    times = track.t if t is None else np.atleast_1d(np.asarray([number(x, "t", "s") for x in np.atleast_1d(t)], float))
    sigma = track.noise or estimate_noise(track, order=order, frames=width)
    local = Locals(frames_of, times, frames_of.near(times, width), order)
    value, slope = np.linalg.norm(local.value_weights, axis=1), np.linalg.norm(local.slope_weights, axis=1)
    errors = np.stack(
        [value * sigma["position"], slope * sigma["position"], value * sigma["angle"], slope * sigma["angle"]], axis=1
    )
    return Smooth(times, local.position, local.velocity, local.attitude, local.spin, errors, width)


def left_out_residuals(frames: Frames, order: int, width: int, which: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of frames: attitude and place against what the frames around them (without them) predict, and the growth of noise in it."""
    local = Locals(frames, frames.t[which], frames.beside(which, width), order)
    angle = logarithm(np.swapaxes(local.attitude, 1, 2) @ frames.R[which])
    return angle, frames.r[which] - local.position, np.sqrt(1.0 + np.einsum("nk,nk->n", local.value_weights, local.value_weights))


def best_width(track: Any, order: int = ORDER, tried: int = 120) -> int:
    """The number of frames in a window with which frames are best predicted without themselves."""
    frames = Frames(track)
    which = np.arange(0, frames.t.size, max(1, frames.t.size // tried))
    scores = {}
    for width in WIDTHS:
        if width <= order + 1 or width > frames.t.size - 1:
            continue
        angle, _, _ = left_out_residuals(frames, order, width, which)
        scores[width] = float(np.nanmedian(np.linalg.norm(angle, axis=1)))
    if not scores:
        raise InputError(
            f"{track.name} has {frames.t.size} frames with an attitude, too few for local polynomials of order {order}."
        )
    return min(scores, key=lambda w: scores[w])


def estimate_noise(track: Any, *, order: int = ORDER, frames: int | None = None, tried: int = 400) -> dict[str, float]:
    """Standard deviations of a coordinate [m] and of a rotation about an axis [rad], from how well frames predict the frames between them.

    Medians, so that outliers hardly count; a motion that a polynomial cannot follow makes them too large.
    """
    width = best_width(track, order) if frames is None else frames
    known_frames = Frames(track)
    which = np.arange(0, known_frames.t.size, max(1, known_frames.t.size // tried))
    angle, place, growth = left_out_residuals(known_frames, order, width, which)
    MEDIAN = 0.6744897501960817  # of |x| for a normal x of variance 1
    sizes = {}
    for name, left in (("position", place), ("angle", angle)):
        known = np.isfinite(left).all(axis=1) & np.isfinite(growth)
        sizes[name] = float(np.median(np.abs(left[known] / growth[known, None])) / MEDIAN) if known.any() else float("nan")
    if not np.isfinite(sizes["angle"]):
        raise InputError(f"the noise of {track.name} cannot be estimated: too few frames are near to each other.")
    return sizes
