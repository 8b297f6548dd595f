"""How well a simulated tumbling fits the measured Sun after the first touchdown (thesis 6.2.3).

A flight starts at row 214 with the Sun where it was seen and the wheel at 865 rad/s, and lasts 45 minutes. Two measures compare it with
the directions of the Sun that were found until the crater rim C1:

    E_DF = 1/2 mean(1 - s(t_i).s_i)                                                  direct fit                                (6.15)
    EMD  = 1/2 integral |C_r(z) - C_s(z)| dz over [-1, 1]                            earth mover's distance of the s_z          (6.16)

C_r and C_s are the cumulative distributions of the measured and the simulated s_z; of the simulated ones only those count that could have
been found from the powers. The distribution is sampled twice a second and kept in bins with the sum of their entries, so that the integral
is exact wherever C_r - C_s keeps its sign within a bin; in the worst case it is off by an eighth of the width of a bin, 1.2e-4.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.compiling import compiling
from .equations import facing
from .lander import WHEEL_SPEED, Lander
from .sun import find_sun
from .telemetry import FIRST_AFTER_TD1, event_times, panels, powers, seconds, times
from .tracks import advance_wheel, mode_of, modes_of, workspace

DURATION = 2700  # s, from row 214 to C1
BINS = 2048
NAMES = ("emd", "edf", "seen", "amplitude")
PER_SECOND = 2  # steps of integration, and samples, per second


class Seen(NamedTuple):
    """The measured directions after TD1: times in s after row 214, directions, and the sorted s_z."""

    t: np.ndarray
    s: np.ndarray
    z: np.ndarray


@functools.cache
def seen_after_td1() -> Seen:
    """The directions of the Sun found from row 214 until C1."""
    sun, _ = find_sun(powers())
    wanted = np.isfinite(sun[:, 0]) & (times() > event_times()["TD1"]) & (times() < event_times()["C1"])
    s = np.ascontiguousarray(sun[wanted])
    return Seen(seconds(FIRST_AFTER_TD1)[wanted], s, np.sort(s[:, 2]))


def first_sun() -> np.ndarray:
    """The direction of the Sun at row 214."""
    return seen_after_td1().s[0]


@compiled
def findable(sx, sy, sz, cells, normals, dark):
    """Whether the powers would show this direction: three panels lit, panel 6 among them, not both 3 and 5 dark.

    A panel counts as lit if it gives more than `dark` (in cells at normal incidence).
    """
    lit = 0
    for k in range(6):
        if cells[k] * (normals[k, 0] * sx + normals[k, 1] * sy + normals[k, 2] * sz) > dark:
            lit += 1
    if lit < 3 or cells[5] * sz <= dark:
        return False
    third = cells[2] * (normals[2, 0] * sx + normals[2, 1] * sy + normals[2, 2] * sz) > dark
    fifth = cells[4] * (normals[4, 0] * sx + normals[4, 1] * sy + normals[4, 2] * sz) > dark
    return third or fifth


@compiled
def earth_mover(counts, sums, reference):
    """Half the area between the cumulative distributions of binned and of sorted reference values on [-1, 1]; 1 without any entry."""
    bins = counts.size
    total = 0.0
    for b in range(bins):
        total += counts[b]
    if total == 0.0:
        return 1.0
    width = 2.0 / bins
    area = 0.0
    below = 0.0
    j = 0
    n = reference.size
    for b in range(bins):
        high = -1.0 + (b + 1) * width
        simulated = (below * width + counts[b] * high - sums[b]) / total
        measured = j * width / n
        while j < n and (reference[j] < high or b == bins - 1):
            measured += (high - reference[j]) / n
            j += 1
        area += abs(simulated - measured)
        below += counts[b]
    return 0.5 * area


@compiled
def judge_tumbling(
    modes, driven, points, q, spin, count, when, where, reference, cells, normals, dark, per_second, counts, sums, k, unit, y, out
):
    """For each angular velocity (a row of `points`) the four numbers `NAMES` of a flight of `count` seconds, into the rows of `out`."""
    bins = counts.size
    for p in range(points.shape[0]):
        for i in range(4):
            y[i] = q[i]
        for i in range(3):
            y[4 + i] = points[p, i]
        y[7] = spin
        mode = 1 if driven else mode_of(modes, y)
        for b in range(bins):
            counts[b] = 0.0
            sums[b] = 0.0
        ax0 = 2.0 * (y[1] * y[3] + y[0] * y[2])
        ay0 = 2.0 * (y[2] * y[3] - y[0] * y[1])
        az0 = 1.0 - 2.0 * (y[1] * y[1] + y[2] * y[2])
        lowest = 1.0
        misfit = 0.0
        total = 0.0
        nxt = 0
        for step in range(count * per_second + 1):
            if step > 0:
                mode = advance_wheel(modes, mode, driven, y, 1.0 / per_second, k, unit)
            sx = 2.0 * (y[1] * y[3] - y[0] * y[2])
            sy = 2.0 * (y[2] * y[3] + y[0] * y[1])
            sz = 1.0 - 2.0 * (y[1] * y[1] + y[2] * y[2])
            if findable(sx, sy, sz, cells, normals, dark):
                b = min(max(int((sz + 1.0) * 0.5 * bins), 0), bins - 1)
                counts[b] += 1.0
                sums[b] += sz
                total += 1.0
            while nxt < when.size and when[nxt] * per_second <= step:  # the measurements are at full seconds
                misfit += 1.0 - (sx * where[nxt, 0] + sy * where[nxt, 1] + sz * where[nxt, 2])
                nxt += 1
            ax = 2.0 * (y[1] * y[3] + y[0] * y[2])
            ay = 2.0 * (y[2] * y[3] - y[0] * y[1])
            lowest = min(lowest, ax * ax0 + ay * ay0 + sz * az0)
        out[p, 0] = earth_mover(counts, sums, reference)  # (6.16)
        out[p, 1] = 0.5 * misfit / max(nxt, 1)  # (6.15)
        out[p, 2] = total / (count * per_second + 1)
        out[p, 3] = lowest  # cos(pi theta), (6.22)


def judge(
    lander: Lander,
    points: Any,
    *,
    s0: Any = None,
    spin: float = WHEEL_SPEED,
    motor: bool = False,
    duration: int = DURATION,
    dark: float = 0.0,
    seen: Seen | None = None,
) -> np.ndarray:
    """EMD, E_DF, share of findable directions and precession amplitude (6.22) for angular velocities at row 214, one row each."""
    data = seen_after_td1() if seen is None else seen
    cells, normals = panels()
    omegas = np.ascontiguousarray(np.atleast_2d(np.asarray(points, float)))
    out = np.empty((len(omegas), len(NAMES)))
    k, unit = workspace()
    start = facing(first_sun() if s0 is None else s0)
    with compiling("the tumbling of the lander"):
        judge_tumbling(
            modes_of(lander), motor, omegas, start, float(spin), int(duration), data.t, data.s, data.z, cells, normals, float(dark), PER_SECOND,
            np.zeros(BINS), np.zeros(BINS), k, unit, np.zeros(8), out,
        )  # fmt: skip
    out[:, 3] = np.arccos(np.clip(out[:, 3], -1.0, 1.0)) / np.pi
    return out
