"""Does every motion fly away? All possible sequences of impacts at once.

After an impact at point 0 the velocity lies in one of the cones C_j of the next impact. Each is mapped by U_0 R^-j, cut at v <= 0 (what rises has
escaped, Lemma 1), and divided among the C_k of the impact after it. If nothing is left after some number of impacts, every motion is
incomplete chatter, whatever its start, and the number of impacts is bounded. Pieces without interior (thinner than a tolerance) are left
out: they hold exceptional motions of no measure, such as a square that falls exactly on a diagonal and chatters like a rod.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.compiling import compiling
from ...kernel.renamed import renamed
from .cone import tables
from .spectrum import check
from .succession import generators

RAYS = 24  # of a piece, at most
STACK = 4096
ROUNDING = 1e-15
LEAST = 1e-6  # with less rebound every image is flat, up to rounding, and nothing can be told from volumes
ESCAPES, REMAINS, TOO_MANY = 0, 1, 2


@compiled
def cut(rays, count, c0, c1, c2, out):
    """The part of a cone with c.p >= 0; its rays in order, normalised."""
    made = 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        a = c0 * rays[i, 0] + c1 * rays[i, 1] + c2 * rays[i, 2]
        b = c0 * rays[j, 0] + c1 * rays[j, 1] + c2 * rays[j, 2]
        if made >= RAYS - 1:
            return RAYS
        if a >= 0.0:
            out[made, 0], out[made, 1], out[made, 2] = rays[i, 0], rays[i, 1], rays[i, 2]
            made += 1
        if (a > 0.0 and b < 0.0) or (a < 0.0 and b > 0.0):
            s, r = abs(b), abs(a)
            x, y, z = s * rays[i, 0] + r * rays[j, 0], s * rays[i, 1] + r * rays[j, 1], s * rays[i, 2] + r * rays[j, 2]
            size = (x * x + y * y + z * z) ** 0.5
            if size > 0.0:
                out[made, 0], out[made, 1], out[made, 2] = x / size, y / size, z / size
                made += 1
    return made


@compiled
def volume(rays, count):
    """A measure of a cone of unit rays: the sum of the triple products of a fan."""
    total = 0.0
    for i in range(1, count - 1):
        a, b, c = rays[0], rays[i], rays[i + 1]
        total += abs(a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]))
    return total


@compiled
def exhaust(maps, spaces, sizes, starts, deepest, most, thin, gamma):
    """Follow all pieces, depth first. Returns (code, greatest depth, pieces looked at).

    An impact flattens by det U_0 = -gamma, so that what counts as thin shrinks by gamma at each; once that is below rounding nothing is left out.
    """
    stack = np.empty((STACK, RAYS, 3))
    lengths, steps, depths = np.empty(STACK, np.int64), np.empty(STACK, np.int64), np.empty(STACK, np.int64)
    image, left, right = np.empty((RAYS, 3)), np.empty((RAYS, 3)), np.empty((RAYS, 3))
    top, seen, reached = 0, 0, 0
    for j in range(starts.shape[0]):
        for i in range(4):
            size = (starts[j, i, 0] ** 2 + starts[j, i, 1] ** 2 + starts[j, i, 2] ** 2) ** 0.5
            for d in range(3):
                stack[top, i, d] = starts[j, i, d] / size if size > 0.0 else 0.0
        lengths[top], steps[top], depths[top] = 4, j, 1
        top += 1
    while top > 0:
        top -= 1
        j, depth, count = steps[top], depths[top], lengths[top]
        seen += 1
        reached = max(reached, depth)
        if depth >= deepest:
            return REMAINS, reached, seen
        if seen >= most:
            return TOO_MANY, reached, seen
        for i in range(count):
            size = 0.0
            for d in range(3):
                image[i, d] = (
                    maps[j, d, 0] * stack[top, i, 0] + maps[j, d, 1] * stack[top, i, 1] + maps[j, d, 2] * stack[top, i, 2]
                )
                size += image[i, d] ** 2
            size = size**0.5
            for d in range(3):
                image[i, d] = image[i, d] / size if size > 0.0 else 0.0
        for k in range(maps.shape[0]):
            now = count
            for i in range(now):
                for d in range(3):
                    left[i, d] = image[i, d]
            for s in range(sizes[k]):
                now = cut(left, now, spaces[k, s, 0], spaces[k, s, 1], spaces[k, s, 2], right)
                if now >= RAYS:
                    return TOO_MANY, reached, seen
                for i in range(now):
                    for d in range(3):
                        left[i, d] = right[i, d]
            least = thin * gamma**depth
            if now >= 3 and (volume(left, now) > least or least < ROUNDING):
                if top >= STACK:
                    return TOO_MANY, reached, seen
                for i in range(now):
                    for d in range(3):
                        stack[top, i, d] = left[i, d]
                # the piece being divided is not needed any more: its images are in `image`
                lengths[top], steps[top], depths[top] = now, k, depth + 1
                top += 1
    return ESCAPES, reached, seen


@dataclass(frozen=True)
class Escape:
    """Whether the mass centre of every motion rises ("always") after at most `impacts` impacts; "remains" or "undecided" otherwise."""

    verdict: str
    impacts: int
    pieces: int


@renamed(most="max_pieces")
def all_escape(
    n: int, rho: float, gamma: float, *, deepest: int = 400, max_pieces: int = 2_000_000, thin: float = 1e-9
) -> Escape:
    """Whether every motion of a regular n-gon, up to exceptional ones, is incomplete chatter. The search is exhaustive, but in floating point."""
    check(n, rho, gamma)
    if gamma < LEAST:
        return Escape("undecided", 0, 0)
    maps, spaces, sizes = tables(n, rho, gamma)
    starts = np.array([generators(n, j) for j in range(1, n)])
    with compiling("escapes of polygons"):
        code, reached, seen = exhaust(maps, spaces, sizes, starts, deepest, max_pieces, thin, gamma)
    return Escape({ESCAPES: "always", REMAINS: "remains", TOO_MANY: "undecided"}[code], int(reached) + 1, int(seen))
