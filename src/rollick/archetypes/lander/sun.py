"""The direction of the Sun from the powers of six solar panels (thesis 6.2.1).

A panel that sees the Sun gives P_k = sigma C_k max(0, n_k.s) (6.2). The unknown sigma drops out of the distribution of the powers, and the
direction s is the one whose distribution comes closest to the measured one. The published errors are

    Delta(s) = 1/2 | P(s)/sum P(s) - P/sum P |_2                                                       (6.3), (6.4) corrected, E16

and not, as printed, the distance of the powers normalised by their 2-norm; `printed=True` gives that one.

A direction can be found only if at least three panels are lit, panel 6 among them (the normals of the others are all in the x-y plane),
and not both panels 3 and 5 are dark (with the Sun behind the lander, parts of it throw a shadow on panel 6).

The minimum on the sphere is found from a grid of starts and from a linear guess (where Delta is flat, beyond a panel's edge, no search
would come back), by damped Gauss-Newton steps and, because Delta has kinks where a panel goes
dark, by a search along eight directions with ever smaller steps.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from .telemetry import panels

STARTS = 600
KEPT = 6


@compiled
def distribution(sx, sy, sz, cells, normals, printed, out):
    """The normalised powers of the panels under a Sun in the direction s; False if all are dark."""
    total = 0.0
    for k in range(6):
        c = normals[k, 0] * sx + normals[k, 1] * sy + normals[k, 2] * sz
        out[k] = cells[k] * c if c > 0.0 else 0.0  # (6.2)
        total += out[k] * out[k] if printed else out[k]
    if total <= 0.0:
        return False
    scale = 1.0 / math.sqrt(total) if printed else 1.0 / total  # (6.3); E16: the sum
    for k in range(6):
        out[k] *= scale
    return True


@compiled
def distance(sx, sy, sz, measured, cells, normals, printed, work):
    """Delta(s) (6.4); `measured` is normalised in the same way."""
    if not distribution(sx, sy, sz, cells, normals, printed, work):
        return 10.0
    total = 0.0
    for k in range(6):
        total += (work[k] - measured[k]) ** 2
    return math.sqrt(total) if printed else 0.5 * math.sqrt(total)


@compiled
def tangent_pair(s, e, f):
    """Two unit vectors e and f at right angles to s and to each other, written in place."""
    i = 0
    if abs(s[1]) < abs(s[i]):
        i = 1
    if abs(s[2]) < abs(s[i]):
        i = 2
    along = s[i]
    size = math.sqrt(1.0 - along * along)
    for j in range(3):
        e[j] = ((1.0 if i == j else 0.0) - along * s[j]) / size
    f[0] = s[1] * e[2] - s[2] * e[1]
    f[1] = s[2] * e[0] - s[0] * e[2]
    f[2] = s[0] * e[1] - s[1] * e[0]


@compiled
def gauss_newton(s, e, f, measured, cells, normals, printed, damping, work):
    """A damped Gauss-Newton step (along e, along f) for the sum of squares of P(s) - P, at most 0.3 rad long."""
    distribution(s[0], s[1], s[2], cells, normals, printed, work)
    size, size_e, size_f = 0.0, 0.0, 0.0  # what the powers are divided by, and its derivatives
    for k in range(6):
        c = normals[k, 0] * s[0] + normals[k, 1] * s[1] + normals[k, 2] * s[2]
        if c > 0.0:
            a = cells[k] * c
            ae = cells[k] * (normals[k, 0] * e[0] + normals[k, 1] * e[1] + normals[k, 2] * e[2])
            af = cells[k] * (normals[k, 0] * f[0] + normals[k, 1] * f[1] + normals[k, 2] * f[2])
            size += a * a if printed else a
            size_e += a * ae if printed else ae
            size_f += a * af if printed else af
    if printed:
        size = math.sqrt(size)
        size_e /= size
        size_f /= size
    ee, ef, ff, ge, gf = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(6):
        je = -work[k] * size_e / size
        jf = -work[k] * size_f / size
        if normals[k, 0] * s[0] + normals[k, 1] * s[1] + normals[k, 2] * s[2] > 0.0:
            je += cells[k] * (normals[k, 0] * e[0] + normals[k, 1] * e[1] + normals[k, 2] * e[2]) / size
            jf += cells[k] * (normals[k, 0] * f[0] + normals[k, 1] * f[1] + normals[k, 2] * f[2]) / size
        r = work[k] - measured[k]
        ee += je * je
        ef += je * jf
        ff += jf * jf
        ge += je * r
        gf += jf * r
    ee *= 1.0 + damping
    ff *= 1.0 + damping
    d = ee * ff - ef * ef
    if not d > 0.0:
        return 0.0, 0.0
    a1, a2 = -(ff * ge - ef * gf) / d, -(ee * gf - ef * ge) / d
    short = min(1.0, 0.3 / max(math.sqrt(a1 * a1 + a2 * a2), 1e-300))
    return short * a1, short * a2


@compiled
def improve(s, e, f, a1, a2, best, measured, cells, normals, printed, work):
    """Move s, in place, by a1 along e and a2 along f if Delta becomes smaller than `best`; the smaller of both."""
    x = s[0] + a1 * e[0] + a2 * f[0]
    y = s[1] + a1 * e[1] + a2 * f[1]
    z = s[2] + a1 * e[2] + a2 * f[2]
    r = 1.0 / math.sqrt(x * x + y * y + z * z)
    found = distance(x * r, y * r, z * r, measured, cells, normals, printed, work)
    if found >= best:
        return best
    s[0], s[1], s[2] = x * r, y * r, z * r
    return found


@compiled
def polish(s, measured, cells, normals, printed, work, e, f):
    """Bring s, in place, to the minimum of Delta nearby; its value there. e and f are work space for the tangent directions."""
    best = distance(s[0], s[1], s[2], measured, cells, normals, printed, work)
    damping = 1e-6
    step = 0.05
    for turn in range(200):
        tangent_pair(s, e, f)
        before = best
        if turn < 40:
            a1, a2 = gauss_newton(s, e, f, measured, cells, normals, printed, damping, work)
            best = improve(s, e, f, a1, a2, best, measured, cells, normals, printed, work)
            damping = max(0.1 * damping, 1e-12) if best < before else 10.0 * damping
            continue
        for way in range(8):
            angle = 0.25 * math.pi * way
            best = improve(s, e, f, step * math.cos(angle), step * math.sin(angle), best, measured, cells, normals, printed, work)
            if best < before:
                break
        if best == before:
            step *= 0.5
            if step < 1e-10:
                break
    return best


@compiled
def directions(measured, cells, normals, starts, guesses, printed, kept, sun, delta):
    """The best direction for each row of normalised powers: its own guess and the `kept` best of the starts are polished, the best wins."""
    n = starts.shape[0]
    work = measured[0] * 0.0
    e = starts[0] * 0.0
    f = starts[0] * 0.0
    s = starts[0] * 0.0
    values = starts[:, 0] * 0.0
    for row in range(measured.shape[0]):
        for j in range(n):
            values[j] = distance(starts[j, 0], starts[j, 1], starts[j, 2], measured[row], cells, normals, printed, work)
        delta[row] = 100.0
        for attempt in range(kept + 1):
            low = 0
            for j in range(1, n):
                if values[j] < values[low]:
                    low = j
            for i in range(3):
                s[i] = starts[low, i] if attempt > 0 else guesses[row, i]
            if attempt > 0:
                values[low] = 1000.0
            found = polish(s, measured[row], cells, normals, printed, work, e, f)
            if found < delta[row]:
                delta[row] = found
                for i in range(3):
                    sun[row, i] = s[i]


@functools.cache
def sphere(count: int) -> np.ndarray:
    """Evenly spread directions (a Fibonacci lattice) on the upper hemisphere, where panel 6 is lit."""
    k = np.arange(count) + 0.5
    z = 1.0 - k / count
    angle = math.pi * (1.0 + math.sqrt(5.0)) * k
    r = np.sqrt(1.0 - z * z)
    return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=1)


def reconstructible(measured: Any) -> np.ndarray:
    """Whether the direction of the Sun can be found from the panels that are lit: three, panel 6 among them, not both 3 and 5 dark."""
    lit = np.atleast_2d(measured) > 0.0
    return (lit.sum(axis=1) >= 3) & lit[:, 5] & (lit[:, 2] | lit[:, 4])


def normalised(measured: Any, printed: bool = False) -> np.ndarray:
    """The distribution of powers, each row normalised by its sum (`printed`: by its 2-norm)."""
    P = np.ascontiguousarray(np.atleast_2d(np.asarray(measured, float)))
    return P / (np.linalg.norm(P, axis=1) if printed else P.sum(axis=1))[:, None]


def linear_guess(measured: np.ndarray, cells: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """The direction that solves C_k n_k.x = P_k over the lit panels in the least-squares sense, one row each; no panel's edge enters."""
    found = np.empty((len(measured), 3))
    for row, P in zip(found, measured):
        lit = P > 0.0
        x = np.linalg.lstsq(cells[lit, None] * normals[lit], P[lit], rcond=None)[0]
        size = np.linalg.norm(x)
        row[:] = x / size if size > 0.0 else (0.0, 0.0, 1.0)
    return found


def find_sun(measured: Any, printed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Directions (n, 3) and errors Delta (n,) for n rows of powers; nan where a direction cannot be found."""
    P = np.atleast_2d(np.asarray(measured, float))
    good = reconstructible(P)
    sun, delta = np.full((len(P), 3), np.nan), np.full(len(P), np.nan)
    if good.any():
        cells, normals = panels()
        found, errors = np.zeros((good.sum(), 3)), np.zeros(good.sum())
        guesses = linear_guess(P[good], cells, normals)
        directions(normalised(P[good], printed), cells, normals, sphere(STARTS), guesses, printed, KEPT, found, errors)
        sun[good], delta[good] = found, errors
    return sun, delta


def distribution_of(s: Any) -> np.ndarray:
    """The sum-normalised powers under a Sun in the direction s; zeros if all panels are dark."""
    cells, normals = panels()
    raw = cells * np.maximum(0.0, np.asarray(s, float) @ normals.T)
    total = raw.sum(axis=-1, keepdims=True)
    return np.divide(raw, total, out=np.zeros_like(raw), where=total > 0.0)


def angle_between(a: Any, b: Any) -> np.ndarray:
    """The angles between directions, row by row, in degrees; accurate for small ones."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1)))
