"""Frames that disagree with those around them are left out, and told.

A frame is compared with what the local polynomial through its neighbours (without it) predicts. The scale is the median of all such differences, which outliers hardly
move. Beyond `limit` scales a frame is suspect; of suspects that are neighbours the worst is left out first, and the rest is judged again without it, since an
outlier spoils the predictions around it.
"""

from __future__ import annotations

import numpy as np

from ...kernel.names import InputError, number
from .smooth import ORDER, Frames, best_width, left_out_residuals
from .track import Track

LIMIT = 5.0
ROUNDS = 60
MEDIAN = 1.538172  # of the length of a vector of three normal numbers of variance 1


def find_outliers(track: Track, limit: float = LIMIT, order: int = ORDER) -> np.ndarray:
    """The rows of frames that are outliers."""
    limit = number(limit, "limit")
    if limit < 2.0:
        raise InputError(f"limit = {limit:g} standard deviations would leave out good frames; 5 is usual, 2 the least.")
    width = best_width(track, order)
    all_rows = np.flatnonzero(track.seen)
    score, gone = np.full(len(track), np.nan), np.zeros(len(track), bool)
    todo, scale, present = all_rows, np.ones(2), track
    for turn in range(ROUNDS):
        frames = Frames(present)
        angle, place, growth = left_out_residuals(frames, order, width, np.searchsorted(frames.rows, todo))
        sizes = np.stack([np.linalg.norm(angle, axis=1), np.linalg.norm(place, axis=1)], axis=1) / growth[:, None]
        if turn == 0:
            known = [sizes[np.isfinite(sizes[:, k]), k] for k in (0, 1)]
            scale = np.array([np.median(k) / MEDIAN if k.size else np.inf for k in known])
            scale[scale <= 0.0] = np.inf
        score[todo] = np.max(np.where(np.isfinite(sizes), sizes, 0.0) / scale, axis=1)
        suspects = np.flatnonzero((score > limit) & ~gone)
        if not suspects.size:
            break
        worst = [i for i in suspects if score[i] >= score[suspects[np.abs(suspects - i) <= width // 2]].max()]
        gone[worst] = True
        attitude = track.attitude.copy()
        attitude[gone] = np.nan
        present = track.saying(attitude=attitude)
        beside = np.zeros(len(track), bool)
        for i in worst:
            beside[max(0, i - width) : i + width + 1] = True
        todo = np.flatnonzero(beside & ~gone & track.seen)
        if not todo.size:
            break
    return np.flatnonzero(gone)


def without_outliers(track: Track, limit: float = LIMIT) -> Track:
    """The track without its outliers; which they were is told."""
    rows = find_outliers(track, limit)
    if not rows.size:
        return track
    if rows.size > 0.3 * track.seen.sum():
        raise InputError(
            f"{rows.size} of {int(track.seen.sum())} frames of {track.name} disagree with their neighbours: these are no outliers. Its frame rate may be too low for "
            f"the spin (half a turn per frame), its clocks shifted (align_clocks), or its columns exchanged."
        )
    times = ", ".join(f"{track.t[i]:.4f}" for i in rows[:8]) + (", ..." if rows.size > 8 else "")
    keep = np.setdiff1d(np.arange(len(track)), rows)
    return track.part(
        keep, f"{rows.size} of {len(track)} frames were left out as outliers (beyond {limit:g} sigma), at t = {times} s."
    )
