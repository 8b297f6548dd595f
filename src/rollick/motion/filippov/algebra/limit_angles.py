"""Angles of limit directions: where the slip acceleration of a contact, p + P w up to a factor, is along w or against it.

They are the zeros of w x (p + P w), a trigonometric polynomial of degree two: at most four. They are bracketed on a grid and refined to rounding; a minimum between two points
of the grid is looked at for a pair of zeros. Where the polynomial vanishes, every direction is one.
"""

from __future__ import annotations

import math

import numpy as np

from ....kernel.compiled import compiled
from ....kernel.local_array import local_array

GRID = 48
POINTS = GRID + 2
STEP = 2.0 * math.pi / GRID
ANGLES = STEP * (np.arange(POINTS) - 0.37)
CIRCLE = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
EVERYWHERE = 1e-13  # relative: what counts as a polynomial that vanishes
ONE_LINE = 1e-10  # relative: what counts as an acceleration across the only direction there is
ROUNDING = 1e-17  # rad
MOST = 8  # directions that are kept


@compiled
def across(p, P, a, b):
    """w x (p + P w) at w = (a, b): the circumferential part."""
    return a * (p[1] + P[1, 0] * a + P[1, 1] * b) - b * (p[0] + P[0, 0] * a + P[0, 1] * b)


@compiled
def against(p, P, i, least):
    """Whether w . (p + P w), the radial part, is below `least` at a point of the grid."""
    a, b = CIRCLE[i, 0], CIRCLE[i, 1]
    return a * (p[0] + P[0, 0] * a + P[0, 1] * b) + b * (p[1] + P[1, 0] * a + P[1, 1] * b) < least


@compiled
def turning(p, P, angle):
    """The circumferential part at an angle."""
    return across(p, P, math.cos(angle), math.sin(angle))


@compiled
def zero_within(p, P, low, at_low, high, at_high, bend):
    """The zero of the circumferential part between two angles, at which it has values of different signs: Newton's method, halving where it would leave them. `bend`: a bound of
    its second derivative."""
    sign = at_low > 0.0
    angle, before = low + (high - low) * at_low / (at_low - at_high), high - low
    if not low < angle < high:
        angle = 0.5 * (low + high)
    for _ in range(100):
        a, b = math.cos(angle), math.sin(angle)
        r0, r1 = p[0] + P[0, 0] * a + P[0, 1] * b, p[1] + P[1, 0] * a + P[1, 1] * b
        here = a * r1 - b * r0
        if (here > 0.0) == sign:
            low = angle
        else:
            high = angle
        slope = -(a * r0 + b * r1) + a * (P[1, 1] * a - P[1, 0] * b) - b * (P[0, 1] * a - P[0, 0] * b)
        by = here / slope if slope != 0.0 else math.inf
        if low < angle - by < high and abs(by) < 0.5 * before:
            before = abs(by)
            if angle - by == angle or abs(by) < 1e-16:
                return angle
            angle -= by
            if bend * by * by < ROUNDING * abs(slope):  # what the next step would change
                return angle
        else:
            before = 0.5 * (high - low)
            middle = 0.5 * (low + high)
            if middle <= low or middle >= high:
                return middle
            angle = middle
    return angle


@compiled
def pair_within(p, P, low, middle, high, bend):
    """Where |circumferential part| is least between two angles, on the side of zero that it has at both; zeros may hide there, unless it is larger than
    the least part of what `bend`, a bound of its second derivative, can make it fall by."""
    sign = 1.0 if turning(p, P, middle) > 0.0 else -1.0
    for _ in range(80):
        left, right = 0.5 * (low + middle), 0.5 * (middle + high)
        here, a, b = sign * turning(p, P, middle), sign * turning(p, P, left), sign * turning(p, P, right)
        if a < here:
            middle, high, here = left, middle, a
        elif b < here:
            low, middle, here = middle, right, b
        else:
            low, high = left, right
        if here < 0.0 or high - low < 1e-13 or here > 0.5 * bend * (high - low) * (high - low):
            break
    return middle


@compiled
def only_line(p, P):
    """Whether p + P w has one and the same direction h (or its opposite) for all w, and the angle of h: so it is where the other contact rolls and
    holds the common slip. Then slip begins along h only, and zeros of p + P w itself, which may come close to it, are no directions."""
    h0, h1 = p[0], p[1]
    for j in range(2):
        if P[0, j] * P[0, j] + P[1, j] * P[1, j] > h0 * h0 + h1 * h1:
            h0, h1 = P[0, j], P[1, j]
    size = h0 * h0 + h1 * h1
    off = abs(p[0] * h1 - p[1] * h0)
    for j in range(2):
        off = max(off, abs(P[0, j] * h1 - P[1, j] * h0))
    straight = size > 0.0 and off <= ONE_LINE * size
    return straight, math.atan2(h1, h0) if straight else 0.0


@compiled
def limit_angles(p, P, growing, angles):
    """The angles of all limit directions; how many, -1 if every direction is one. growing: those against which p + P w points, beyond doubt, may be left out."""
    straight, along = only_line(p, P)
    if straight:
        angles[0], angles[1] = along, along + math.pi
        return 2
    values = local_array(POINTS, p.dtype)
    scale = abs(p[0]) + abs(p[1])
    for i in range(2):
        scale += abs(P[i, 0]) + abs(P[i, 1])
    most = 0.0
    for i in range(POINTS):
        values[i] = across(p, P, CIRCLE[i, 0], CIRCLE[i, 1])
        most = max(most, abs(values[i]))
    if most <= EVERYWHERE * scale:
        return -1
    count, bend = 0, 4.0 * scale
    least = (
        -1.01 * scale * STEP if growing else -math.inf
    )  # the radial part changes by at most 2 scale per radian, and half a cell away is a point of the grid
    for i in range(GRID):
        low, middle, high = (i - 0.37) * STEP, (i + 0.63) * STEP, (i + 1.63) * STEP
        changes = (values[i] > 0.0) != (values[i + 1] > 0.0)
        same = not changes and (values[i + 1] > 0.0) == (values[i + 2] > 0.0)
        dips = same and abs(values[i + 1]) < abs(values[i]) and abs(values[i + 1]) < abs(values[i + 2])
        if not (changes or dips) or (
            against(p, P, i, least) and against(p, P, i + 1, least) and (changes or against(p, P, i + 2, least))
        ):
            continue
        if changes and count < MOST:
            angles[count] = zero_within(p, P, low, values[i], middle, values[i + 1], bend)
            count += 1
        if dips:
            hidden = pair_within(p, P, low, middle, high, bend)
            value = turning(p, P, hidden)
            if (value > 0.0) != (values[i + 1] > 0.0) and count + 1 < MOST:
                angles[count] = zero_within(p, P, low, values[i], hidden, value, bend)
                angles[count + 1] = zero_within(p, P, hidden, value, high, values[i + 2], bend)
                count += 2
    return count
