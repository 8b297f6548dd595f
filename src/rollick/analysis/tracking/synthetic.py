"""Tracks made from simulated motions: what cameras would have told of them, with noise, gaps, outliers and clocks that are off. Always labelled so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError, number
from .attitudes import exponential
from .pose import pose_along
from .track import SYNTHETIC, Track, track_of


def synthetic_track(
    motion: Any,
    *,
    fps: float = 500.0,
    sigma_position: float | str = 1e-3,
    sigma_angle: float | str = "1deg",
    seed: int = 0,
    cameras: Mapping[str, float] | None = None,
    hidden: float = 0.0,
    outliers: float = 0.0,
    name: str = "synthetic track",
) -> Track:
    """What a camera tells of a motion: position and attitude at so many frames per second, with normal noise (defaults: those of Sailer's cameras).

    cameras: {name: shift of its clock [s]}; they stand around the body, and each sees it while the body's axis e3, either face, is within 60 deg of
    the line of sight. hidden: the part of frames in which nothing is seen; outliers: the part that is wrong by up to half a turn.
    """
    rng = np.random.default_rng(seed)
    e, d = number(sigma_position, "sigma_position", "m"), number(sigma_angle, "sigma_angle", "rad")
    rate = float(fps)
    if not rate > 0.0 or not 0.0 <= hidden < 0.9 or not 0.0 <= outliers < 0.3:
        raise InputError(
            f"fps = {fps!r} must be above zero, hidden = {hidden!r} between 0 and 0.9, outliers = {outliers!r} between 0 and 0.3."
        )
    t0, t1 = float(motion.t[0]), float(motion.t[-1])
    t = t0 + np.arange(int(np.floor((t1 - t0) * rate + 1e-9)) + 1) / rate
    shift, camera = np.zeros(t.size), None
    r, R = pose_along(motion.system, motion.at(np.clip(t, t0, t1)))
    if cameras:
        around = np.pi * np.arange(len(cameras)) / len(cameras)  # either face is seen: half a circle serves
        sight = np.stack([np.cos(around), np.sin(around), np.full(around.size, 0.3)], axis=1) / np.sqrt(1.09)
        frame, which = np.nonzero(np.abs(R[:, :, 2] @ sight.T) > 0.5)
        camera = np.array(list(cameras))[which]
        shift = np.array(list(cameras.values()))[which]
        t, r, R = t[frame], r[frame], R[frame]
    r = r + e * rng.normal(size=(t.size, 3))
    R = R @ exponential(d * rng.normal(size=(t.size, 3)))
    if outliers:
        wrong = rng.random(t.size) < outliers
        R[wrong] = R[wrong] @ exponential(rng.uniform(0.5, 3.0, size=(int(wrong.sum()), 1)) * _directions(rng, int(wrong.sum())))
        r[wrong] += 0.05 * rng.normal(size=(int(wrong.sum()), 3))
    if hidden:
        gone = rng.random(t.size) < hidden
        R[gone], r[gone] = np.nan, np.nan
    track = track_of(t + shift, r, R, camera=camera, name=name)
    label = f"{SYNTHETIC}: a simulated motion of {type(motion.system).__name__} with normal noise of {1e3 * e:g} mm and {np.degrees(d):g} deg (seed {seed}), not a measurement."
    return track.with_noise(e, d).saying(synthetic=label)


def _directions(rng: Any, n: int) -> np.ndarray:
    v = rng.normal(size=(n, 3))
    return v / np.linalg.norm(v, axis=1, keepdims=True)
