"""Which contact is the real one: the smallest gap over the whole profiles, several contact points, and where the contact jumps.

Newton's method finds *a* point where the surfaces touch. The wheel rests on the one that it meets first. Over its axial
coordinate U_w, the points of a yawed wheel whose normals lie in the cross-section of the track form a curve, sin zeta = -s
c_w'(U_w) tan psi, which is the lower outline of the wheel seen along the rails. Rolled by theta it has the height

    gap(U_w) = L sin theta + A cos theta cos zeta + r - c_r(U_r),   U_r = s (y + L cos theta - A sin theta cos zeta) - b

above the rail, and the wheelset rests at z = -min gap, where theta makes both minima equal. Minima that are equal within a
tolerance are contact points as well: a wheel touches in several points where its contact jumps from one to the other as y grows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ...kernel.names import InputError
from .contact import Contact, iterate, told
from .geometry import Geometry

POINTS = 401  # over a profile
SLOPES = 4.0  # steepest slope of a wheel that is looked at (76 degrees): flanges, not their backs
STEEP, LEAST = (
    10.0,
    2e-4,
)  # a contact that moves faster than so many mm per mm, and by more than 0.2 mm, is looked at: does it jump?
CLUSTER = 1e-6  # m
ROLL = 0.3  # rad: more does not happen
ZOOMS = 6  # by a factor of ten each, where Newton's method fails
SAME = 1e-7  # m, by how much heights of the centre may differ that belong to the same contact, by Newton's method and on the grid
NEAR = 1e-3  # m: minima that differ by less are the same point


class Outline(NamedTuple):
    """One wheel over its profile: U_w (p,), gap and U_r (n, p), and d gap/d theta."""

    U_w: np.ndarray
    gap: np.ndarray
    U_r: np.ndarray
    by_theta: np.ndarray


class Doubled(NamedTuple):
    """Where a wheel touches in two points, between which its contact jumps: y [m], which wheel, and both U_w and U_r [m], before
    and after as |y| grows.
    """

    y: float
    wheel: str
    U_w: tuple[float, float]
    U_r: tuple[float, float]


def wheel_grid(g: Geometry, points: int = POINTS) -> np.ndarray:
    """The part of a wheel's profile that can touch."""
    u = np.linspace(g.wheel.low, g.wheel.high, points)
    slope = g.wheel.at(u, 1)[1]
    steep = u[(u < 0.0) & ~(np.abs(slope) < SLOPES)]
    return np.linspace(steep.max() if len(steep) else g.wheel.low, g.wheel.high, points)


def outline(g: Geometry, s: float, y: np.ndarray, psi: np.ndarray, theta: np.ndarray, u: np.ndarray) -> Outline:
    """The gap below a wheel at positions (n,) with roll angles theta, over u (p,); infinite where there is no rail below."""
    c, w1 = g.wheel.at(u, 1)
    A, psi, theta, y = c - g.r, psi[:, None], theta[:, None], y[:, None]
    S = -s * w1 * np.tan(psi)
    with np.errstate(invalid="ignore"):
        C = np.sqrt(1.0 - S * S)
        L = A * np.sin(psi) * S + s * (u + g.b) * np.cos(psi)
        Y, Z = L * np.cos(theta) - A * np.sin(theta) * C, L * np.sin(theta) + A * np.cos(theta) * C
        U_r = s * (y + Y) - g.b
        c_r, r1 = g.rail.at(U_r, 1)
        gap = np.where(g.rail.inside(U_r) & np.isfinite(c_r) & np.isfinite(Z), Z + g.r - c_r, np.inf)
    return Outline(u, gap, U_r, Y + s * Z * r1)


def lowest(gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The place in the grid of the smallest minimum of each row, and its value; minima between grid points are those of
    parabolas.
    """
    a, middle, c = gap[:, :-2], gap[:, 1:-1], gap[:, 2:]
    with np.errstate(invalid="ignore", divide="ignore"):
        bend = a + c - 2.0 * middle
        lower = middle - (a - c) ** 2 / (8.0 * bend)
    value = gap.copy()
    inner = (middle <= a) & (middle <= c) & np.isfinite(lower) & (bend > 0.0)
    value[:, 1:-1] = np.where(inner, lower, middle)
    k = np.argmin(value, axis=1)
    return k, value[np.arange(len(k)), k]


def resting(
    g: Geometry, y: np.ndarray, psi: np.ndarray, points: int = POINTS
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """theta, the places in the grid of both smallest gaps, and their size, for n positions."""
    u = wheel_grid(g, points)
    theta = g.h * y / (g.b - g.h * g.r)
    i, j = np.zeros((2, len(y)), int)
    size = np.zeros(len(y))
    low, high = np.full(len(y), -ROLL), np.full(len(y), ROLL)  # the difference of both gaps grows with theta
    left_over = np.arange(len(y))
    for _ in range(60):
        k = left_over
        left, right = (outline(g, s, y[k], psi[k], theta[k], u) for s in (1.0, -1.0))
        (i[k], first), (j[k], second) = lowest(left.gap), lowest(right.gap)
        if not np.isfinite(first + second).all():
            bad = k[int(np.argmin(np.isfinite(first + second)))]
            raise InputError(f"at y = {1e3 * y[bad]:.5g} mm a wheel is not above its rail any more; take smaller displacements.")
        rows = np.arange(len(k))
        size[k] = 0.5 * (first + second)
        low[k], high[k] = np.where(first < second, theta[k], low[k]), np.where(first > second, theta[k], high[k])
        step = -(first - second) / (left.by_theta[rows, i[k]] - right.by_theta[rows, j[k]])
        inside = (theta[k] + step > low[k]) & (theta[k] + step < high[k])
        following = np.where(inside, theta[k] + step, 0.5 * (low[k] + high[k]))
        done = np.abs(following - theta[k]) < 1e-8
        theta[k] = following
        left_over = k[~done]
        if not left_over.size:
            break
    return theta, i, j, size


def rest(g: Geometry, y: np.ndarray, psi: np.ndarray | float = 0.0, points: int = POINTS) -> Contact:
    """The contact with the smallest gap, refined by Newton's method, for n positions; by finer and finer grids where that strays."""
    y = np.atleast_1d(np.asarray(y, float))
    psi = np.broadcast_to(np.asarray(psi, float), y.shape)
    theta, i, j, size = resting(g, y, psi, points)
    u = wheel_grid(g, points)
    left, right = outline(g, 1.0, y, psi, theta, u), outline(g, -1.0, y, psi, theta, u)
    rows = np.arange(len(y))
    for k, name in ((i, "left"), (j, "right")):
        end = (k == 0) | (k == len(u) - 1)
        if end.any():
            at = int(np.argmax(end))
            raise InputError(
                f"at y = {1e3 * y[at]:.5g} mm the {name} wheel would touch at the end of its profile {g.wheel.name}, U_w "
                f"= {1e3 * u[k[at]]:.5g} mm; take smaller displacements."
            )
    x, good = iterate(g, y, psi, np.stack([theta, -size, left.U_r[rows, i], right.U_r[rows, j], u[i], u[j]]))
    bad = ~good | (np.abs(x[4] - u[i]) > NEAR) | (np.abs(x[5] - u[j]) > NEAR) | (np.abs(x[1] + size) > SAME)
    for n in np.flatnonzero(bad):  # a minimum that is no smooth point, as where sections meet with different curvature
        x[:, n] = zoomed(g, float(y[n]), float(psi[n]), float(theta[n]), (float(u[i[n]]), float(u[j[n]])), float(u[1] - u[0]))
    if points < 4 * POINTS:  # a narrow hollow between the points of the grid?
        cut = deepest(g, y, psi, x, points + points // 2)[0] > SAME
        if cut.any():
            x[:, cut] = rest(g, y[cut], psi[cut], 4 * points).unknowns
    return told(g, y, psi, x)


def zoomed(g: Geometry, y: float, psi: float, theta: float, at: tuple[float, float], width: float) -> np.ndarray:
    """The unknowns of the smallest gaps near these points of the left and the right wheel, by finer and finer grids: without
    derivatives of profiles.
    """
    place, angles, zooms = np.array([y]), np.array([psi]), 0
    for _ in range(200):
        sides = [
            outline(
                g, s, place, angles, np.array([theta]), np.clip(u + np.linspace(-width, width, 41), g.wheel.low, g.wheel.high)
            )
            for s, u in zip((1.0, -1.0), at)
        ]
        best = [int(np.argmin(side.gap[0])) for side in sides]
        gaps = [float(side.gap[0, k]) for side, k in zip(sides, best)]
        slopes = [float(side.by_theta[0, k]) for side, k in zip(sides, best)]
        step = -(gaps[0] - gaps[1]) / (slopes[0] - slopes[1])
        at = (float(sides[0].U_w[best[0]]), float(sides[1].U_w[best[1]]))
        if abs(step) > 0.1 * width or not all(0 < k < 40 for k in best):  # not balanced yet, or lower still beyond the grid
            theta += 0.5 * step
            continue
        theta += step
        width *= 0.1
        zooms += 1
        if zooms == ZOOMS:
            break
    rails = [float(side.U_r[0, k]) for side, k in zip(sides, best)]
    return np.array([theta, -0.5 * (gaps[0] + gaps[1]), *rails, *at])


def points_of(g: Geometry, c: Contact, tolerance: float = 1e-6, points: int = 2001) -> list[tuple[list[float], list[float]]]:
    """For each position, U_w of all points of the left and of the right wheel whose gap is within a tolerance [m] of zero, the
    contact first.
    """
    u = wheel_grid(g, points)
    found = []
    sides = [outline(g, s, c.y, c.psi, c.theta, u).gap + c.z[:, None] for s in (1.0, -1.0)]
    for k in range(len(c.y)):
        both = []
        for gap, at in zip(sides, (c.left.U_w[k], c.right.U_w[k])):
            row = gap[k]
            inner = np.flatnonzero((row[1:-1] <= row[:-2]) & (row[1:-1] <= row[2:]) & (row[1:-1] < tolerance)) + 1
            both.append([float(at), *(float(x) for x in u[inner] if abs(x - at) > NEAR)])
        found.append((both[0], both[1]))
    return found


def deepest(g: Geometry, y: np.ndarray, psi: np.ndarray, x: np.ndarray, points: int = POINTS) -> tuple[np.ndarray, np.ndarray]:
    """How far [m] a wheel placed by the unknowns x is inside its rail somewhere, and at which U_w; positive where that contact
    cannot be.
    """
    u = wheel_grid(g, points)
    worst, where = np.full(len(y), -np.inf), np.zeros(len(y))
    for s in (1.0, -1.0):
        gap = outline(g, s, y, psi, x[0], u).gap + x[1][:, None]
        k = np.argmin(gap, axis=1)
        inside = -gap[np.arange(len(y)), k]
        where = np.where(inside > worst, u[k], where)
        worst = np.maximum(worst, inside)
    return worst, where


def branch(g: Geometry, y: float, x: np.ndarray) -> np.ndarray | None:
    """The contact at y (psi = 0) that continues the unknowns x, or None."""
    found, good = iterate(g, np.array([y]), np.zeros(1), x[:, None])
    return found[:, 0] if good[0] and np.abs(found[4:6, 0] - x[4:6]).max() < 2.0 * NEAR else None


def jump_between(
    g: Geometry, low: float, high: float, first: np.ndarray, second: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray] | None:
    """Where the contact `first` (at low) gives way to `second` (at high): there both hold the wheelset in the same position; its
    heights z are equal. None where a branch does not reach from low to high.
    """
    last = [first, second]

    def higher(y: float) -> float:
        pair = [branch(g, y, x) for x in last]
        if pair[0] is None or pair[1] is None:
            raise ValueError
        return float(pair[0][1] - pair[1][1])

    try:
        at = float(brentq(higher, low, high, xtol=1e-13))
        return at, *(np.asarray(branch(g, at, x)) for x in last)  # type: ignore[return-value]
    except ValueError:  # a branch ends in between
        return None


def jumps_in(
    g: Geometry, low: float, high: float, first: np.ndarray, second: np.ndarray
) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """All jumps between two displacements with these contacts: by the heights of both branches, or else by bisection on what the
    smallest gap says.
    """

    def apart(a: np.ndarray, b: np.ndarray, width: float) -> bool:
        return float(np.abs(a[4:6] - b[4:6]).max()) > STEEP * width + LEAST

    if not apart(first, second, high - low):
        return []
    if high - low < 1e-8:
        middle = 0.5 * (low + high)
        polished = jump_between(g, middle - 2e-7, middle + 2e-7, first, second)
        return [polished if polished is not None and apart(polished[1], polished[2], 0.0) else (middle, first, second)]
    found = jump_between(g, low, high, first, second)
    if found is not None and apart(found[1], found[2], 0.0):  # two branches, and not one that moves fast
        if not apart(first, found[1], high - low) and not apart(found[2], second, high - low):
            return [found]
    middle = 0.5 * (low + high)
    there = rest(g, np.array([middle]), 0.0, 2 * POINTS).unknowns[:, 0]
    return [*jumps_in(g, low, middle, first, there), *jumps_in(g, middle, high, there, second)]


def doubled(g: Geometry, y: np.ndarray, c: Contact) -> list[Doubled]:
    """Where contacts jump between neighbouring displacements y (in order, psi = 0)."""
    found = []
    for at, first, second in all_jumps(g, y, c):
        side = int(np.argmax(np.abs(first[4:6] - second[4:6])))
        pair = (first, second) if at >= 0.0 else (second, first)
        U_w, U_r = ((float(pair[0][row]), float(pair[1][row])) for row in (4 + side, 2 + side))
        found.append(Doubled(at, ("left", "right")[side], U_w, U_r))
    return found


def all_jumps(g: Geometry, y: np.ndarray, c: Contact) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """Displacements, and the unknowns before and after, of all jumps; several within a micrometre, on surfaces that nearly fit
    each other, count as one.
    """
    found: list[tuple[float, np.ndarray, np.ndarray]] = []
    x = c.unknowns
    for k in np.flatnonzero(np.abs(np.diff(x[4:6], axis=1)).max(axis=0) > STEEP * np.diff(y) + LEAST):
        for at, first, second in jumps_in(g, float(y[k]), float(y[k + 1]), x[:, k], x[:, k + 1]):
            if found and at - found[-1][0] < CLUSTER:
                found[-1] = (found[-1][0], found[-1][1], second)
            else:
                found.append((at, first, second))
    return found


def smooth_range(g: Geometry, reach: float, points: int = 120) -> tuple[float, str]:
    """Up to which y (psi = 0) the contact moves on without a jump from the central position, at most `reach`; and why not
    further, in words.
    """
    y = np.linspace(0.0, reach, points + 1)
    try:
        c = rest(g, y)
    except InputError as error:
        if points < 8:
            raise
        while True:  # the profiles end before: as far as they reach
            reach *= 0.9
            try:
                y = np.linspace(0.0, reach, points + 1)
                c = rest(g, y)
                break
            except InputError:
                if reach < 1e-5:
                    raise
        jumps = doubled(g, y, c)
        return (jumps[0].y, jump_words(jumps[0])) if jumps else (reach, str(error))
    jumps = doubled(g, y, c)
    return (jumps[0].y, jump_words(jumps[0])) if jumps else (reach, "")


def jump_words(d: Doubled) -> str:
    """A jump as a sentence."""
    return (
        f"at y = {1e3 * d.y:.6g} mm the {d.wheel} wheel touches in two points, U_w = {1e3 * d.U_w[0]:.5g} and "
        f"{1e3 * d.U_w[1]:.5g} mm: its contact jumps"
    )
