"""Clocks of cameras brought together, as Sailer did (section 7.2): the shifts that make cameras agree best.

Camera c tells the time t where it is t - s_c. First cameras join one after the other: the shift is taken, from a grid, at which a camera's attitudes agree best with
the curve through those that joined already. Then all shifts are improved together. A frame is compared with what the local polynomial through
frames of *other* cameras predicts at its time, v = log(R_predicted^T R); a change of the shifts changes it by

    dv_i = w_i (ds_c(i) - sum_j a_ij ds_c(j)),

w being the spin and a_ij the weights of the prediction: linear least squares (with Huber's weights), repeated until nothing moves. One camera keeps its clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, choose, number
from .attitudes import exponential, logarithm
from .smooth import ORDER, Frames, Locals
from .track import Track

FRAMES = 13
ROUNDS = 20
HUBER = 2.0
MEDIAN = 1.538172  # of the length of a vector of three normal numbers of variance 1
LEAST = 10  # frames that must meet
GRID = 41
MOST = 400  # frames of each camera that are compared


@dataclass(frozen=True)
class Clocks:
    """Shifts of cameras against one of them [s], their standard errors, and how well cameras agree before and after (rotation about an axis [rad])."""

    cameras: list[str]
    shifts: np.ndarray
    errors: np.ndarray
    before: float
    after: float


class Curve:
    """Attitudes between the frames of a track: turned on from the nearest frame, made smooth, by its spin."""

    def __init__(self, track: Track, reach: float):
        frames = Frames(track)
        self.t, self.reach = frames.t, reach
        local = Locals(frames, frames.t, frames.near(frames.t, FRAMES), ORDER)
        self.R, self.w = local.attitude, local.spin

    def at(self, t: np.ndarray) -> np.ndarray:
        """Attitudes; nan farther than `reach` from any frame."""
        k = np.clip(np.searchsorted(self.t, t), 1, self.t.size - 1)
        k = np.where(t - self.t[k - 1] < self.t[k] - t, k - 1, k)
        R = self.R[k] @ exponential(self.w[k] * (t - self.t[k])[:, None])
        R[np.abs(t - self.t[k]) > self.reach] = np.nan
        return R


def _of(track: Track, names: list[str]) -> Track:
    assert track.camera is not None
    return track.part(np.isin(track.camera, names) & track.seen)


def _first_guess(track: Track, cameras: list[str], first: int, most: float) -> np.ndarray:
    """Shifts from grids, camera after camera."""
    shifts, joined = np.zeros(len(cameras)), [first]
    reach = 1.5 / track.rate
    while len(joined) < len(cameras):
        curve = Curve(_of(shifted(track, dict(zip(cameras, shifts))), [cameras[k] for k in joined]), reach)
        best: tuple[float, int, float] | None = None
        for k in set(range(len(cameras))) - set(joined):
            own = _of(track, [cameras[k]])
            for s in np.linspace(-most, most, GRID):
                v = np.linalg.norm(logarithm(np.swapaxes(curve.at(own.t - s), 1, 2) @ own.attitude), axis=1)
                v = v[np.isfinite(v)]
                if v.size >= LEAST and (best is None or np.median(v) < best[0]):
                    best = float(np.median(v)), k, float(s)
        if best is None:
            alone = ", ".join(cameras[k] for k in range(len(cameras)) if k not in joined)
            raise InputError(
                f"camera {alone} sees the body at no time at which {', '.join(cameras[k] for k in joined)} do: its clock cannot be compared. Leave it out."
            )
        joined.append(best[1])
        shifts[best[1]] = best[2]
    return shifts


class Equations:
    """v of frames (n, 3); its derivatives with respect to all shifts (n, 3, cameras); and v of the noise: v_i = n_i - sum_j a_ij n_j."""

    def __init__(self, track: Track, cameras: list[str]):
        frames = Frames(track)
        assert track.camera is not None
        number_of = np.array([cameras.index(str(c)) for c in track.camera[frames.rows]])
        span = 0.5 * FRAMES / track.rate
        self.total = frames.t.size
        rows: list[Any] = []
        for k in range(len(cameras)):
            own = np.flatnonzero(number_of == k)
            own = own[:: max(1, own.size // MOST)]
            local = Locals(frames, frames.t[own], frames.near(frames.t[own], FRAMES, np.flatnonzero(number_of != k)), ORDER, span)
            row = np.zeros((own.size, len(cameras)))
            row[:, k] = 1.0
            for j in range(FRAMES):
                np.subtract.at(row, (np.arange(own.size), number_of[local.near[:, j]]), local.value_weights[:, j])
            v = logarithm(np.swapaxes(local.attitude, 1, 2) @ frames.R[own])
            good = local.good & (local.count >= ORDER + 3)
            rows.append([part[good] for part in (v, local.spin[:, :, None] * row[:, None], own, local.near, local.value_weights)])
        self.v, self.slopes, self.own, self.near, self.weights = (np.concatenate(parts) for parts in zip(*rows))

    def spread(self) -> float:
        """The standard deviation of v, by the median."""
        return float(np.median(np.linalg.norm(self.v, axis=1)) / MEDIAN) if len(self.v) else float("nan")

    def noise(self) -> float:
        """That of the attitudes themselves."""
        growth = np.sqrt(1.0 + np.einsum("nk,nk->n", self.weights, self.weights))
        return float(np.median(np.linalg.norm(self.v, axis=1) / growth) / MEDIAN)

    def errors_of(self, G: np.ndarray) -> np.ndarray:
        """Standard errors of shifts = G v, G (shifts, n, 3): each frame's noise enters many v."""
        found = np.zeros(len(G))
        for k, g in enumerate(G):
            into = np.zeros((self.total, 3))
            np.add.at(into, self.own, g)
            for j in range(self.near.shape[1]):
                np.subtract.at(into, self.near[:, j], self.weights[:, j, None] * g)
            found[k] = self.noise() * np.sqrt(np.sum(into**2))
        return found


def find_shifts(track: Track, most: float | str = 0.02, keep: str | None = None) -> Clocks:
    """The shifts of the cameras' clocks. most: the largest shift that is looked for [s]; keep: the camera whose clock is right (default: the first)."""
    cameras = track.cameras
    if len(cameras) < 2:
        raise InputError(
            f"{track.name} tells {'of one camera' if cameras else 'of no cameras'}; clocks are compared between two or more (a column 'camera')."
        )
    first = cameras.index(cameras[0] if keep is None else choose(keep, cameras, "camera"))
    largest = number(most, "most", "s")
    if not largest > 0.0:
        raise InputError(f"most = {most!r} must be above zero, the largest shift that is looked for.")
    free = [k for k in range(len(cameras)) if k != first]
    before = Equations(track, cameras).spread()
    shifts = _first_guess(track, cameras, first, largest)
    for _ in range(ROUNDS):
        found = Equations(shifted(track, dict(zip(cameras, shifts))), cameras)
        scale, size = found.spread(), np.linalg.norm(found.v, axis=1)
        weight = np.sqrt(np.repeat(np.minimum(1.0, HUBER * scale / np.maximum(size, 1e-300)), 3))
        B = found.slopes.reshape(-1, len(cameras))[:, free] * weight[:, None]
        if len(B) < 3 * LEAST or np.linalg.matrix_rank(B, rtol=1e-9) < len(free):
            raise InputError(
                f"the shifts of {', '.join(cameras[k] for k in free)} cannot be told apart: the body hardly turns, or groups of cameras never see it at about the same time."
            )
        G = -np.linalg.pinv(B) * weight
        step = G @ found.v.ravel()
        shifts[free] += step
        if np.abs(step).max() < 1e-7:
            break
    errors = np.zeros(len(cameras))
    errors[free] = found.errors_of(G.reshape(len(free), -1, 3))
    return Clocks(cameras, shifts, errors, before, scale)


def shifted(track: Track, shifts: dict[str, float]) -> Track:
    """The track with shifts (camera: seconds) taken from its times."""
    assert track.camera is not None
    times = track.t - np.array([shifts.get(str(c), 0.0) for c in track.camera])
    order = np.argsort(times, kind="stable")
    return track.part(order).saying(t=times[order])


def align_clocks(track: Track, most: float | str = 0.02, keep: str | None = None) -> Track:
    """The track with the clocks of its cameras brought together; the shifts are told."""
    found = find_shifts(track, most, keep)
    moves = ", ".join(
        f"{c} by {1e3 * s:+.3f} +- {1e3 * e:.3f} ms" for c, s, e in zip(found.cameras, found.shifts, found.errors) if e > 0.0
    )
    said = f"clocks were shifted: {moves}; cameras agree to {np.degrees(found.after):.2g} deg (before: {np.degrees(found.before):.2g})."
    return shifted(track, dict(zip(found.cameras, found.shifts))).saying(said)
