"""The compiled iteration behind `effective_cone`: polygons in the plane S (v = -1), clipped, mapped, and joined by their hull."""

from __future__ import annotations

import numpy as np

from ...kernel.compiled import compiled

FOUND, NONE, UNDECIDED = 0, 1, 2
ROOM = 20_000  # vertices of a polygon, at most


@compiled
def clip(x, y, count, c0, c1, c2, out_x, out_y):
    """The part of a convex polygon with c0 x + c1 y - c2 >= 0 (Sutherland and Hodgman); the number of its vertices."""
    made = 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        a = c0 * x[i] + c1 * y[i] - c2
        b = c0 * x[j] + c1 * y[j] - c2
        if a >= 0.0:
            out_x[made], out_y[made] = x[i], y[i]
            made += 1
        if (a > 0.0 and b < 0.0) or (a < 0.0 and b > 0.0):
            s = a / (a - b)
            out_x[made], out_y[made] = x[i] + s * (x[j] - x[i]), y[i] + s * (y[j] - y[i])
            made += 1
    return made


@compiled
def hull(x, y, count, thin, out_x, out_y):
    """The convex hull of points (Andrew's monotone chain), counter-clockwise; vertices that stand out by less than `thin` are left out."""
    order = np.argsort(x[:count] + 1e-13 * y[:count])
    made = 0
    for side in range(2):
        base = made
        for m in range(count):
            i = order[m] if side == 0 else order[count - 1 - m]
            while made - base >= 2:
                ax, ay = out_x[made - 1] - out_x[made - 2], out_y[made - 1] - out_y[made - 2]
                bx, by = x[i] - out_x[made - 2], y[i] - out_y[made - 2]
                if ax * by - ay * bx > thin * (abs(bx) + abs(by)):
                    break
                made -= 1
            out_x[made], out_y[made] = x[i], y[i]
            made += 1
        made -= 1  # the last of this side is the first of the next
    return max(made, 1)


@compiled
def area_of(x, y, count):
    """The area of a polygon."""
    total = 0.0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        total += x[i] * y[j] - x[j] * y[i]
    return 0.5 * total


@compiled
def grow_cone(maps, spaces, sizes, x, y, count, swell, most, tolerance, thin):
    """Join a polygon with its images U_0 R^-j (K n C_j), again and again (3.4.5). Returns (code, vertices, rounds, area); x, y in place.

    `swell`: images are stretched by 1 + swell from the first vertex' neighbourhood (the centre of the polygon), so that a polygon that holds
    them holds the true images strictly inside. `tolerance`: growth of the area, relative, below which it is done; zero: none at all.
    """
    work_x, work_y = np.empty(ROOM), np.empty(ROOM)
    here_x, here_y = np.empty(ROOM), np.empty(ROOM)
    all_x, all_y = np.empty(ROOM), np.empty(ROOM)
    area = area_of(x, y, count)
    for turn in range(most):
        total = count
        centre_x, centre_y = 0.0, 0.0
        for i in range(count):
            all_x[i], all_y[i] = x[i], y[i]
            centre_x += x[i] / count
            centre_y += y[i] / count
        outside = False
        for j in range(maps.shape[0]):
            now = count
            for i in range(count):
                here_x[i], here_y[i] = x[i], y[i]
            for s in range(sizes[j]):
                now = clip(here_x, here_y, now, spaces[j, s, 0], spaces[j, s, 1], spaces[j, s, 2], work_x, work_y)
                for i in range(now):
                    here_x[i], here_y[i] = work_x[i], work_y[i]
            for i in range(now):
                a = maps[j, 0, 0] * here_x[i] + maps[j, 0, 1] * here_y[i] - maps[j, 0, 2]
                b = maps[j, 1, 0] * here_x[i] + maps[j, 1, 1] * here_y[i] - maps[j, 1, 2]
                v = maps[j, 2, 0] * here_x[i] + maps[j, 2, 1] * here_y[i] - maps[j, 2, 2]
                if v >= 0.0:
                    return NONE, count, turn, area
                if total + 1 >= ROOM:
                    return UNDECIDED, count, turn, area
                all_x[total] = centre_x + (1.0 + swell) * (a / -v - centre_x)
                all_y[total] = centre_y + (1.0 + swell) * (b / -v - centre_y)
                total += 1
        count = hull(all_x, all_y, total, thin, x, y)
        new = area_of(x, y, count)
        if tolerance == 0.0:
            outside = new > area * (1.0 + 1e-13) or turn < 3
        else:
            outside = new - area > tolerance or turn < 3
        area = max(area, new)
        if not outside:
            return FOUND, count, turn + 1, area
        if 4 * count > ROOM:
            return UNDECIDED, count, turn, area
    return UNDECIDED, count, most, area
