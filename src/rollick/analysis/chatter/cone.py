"""Effectively invariant cones of regular n-gons: constructed, and proven (3.4.5, Theorem 5).

K is effectively invariant if U_0 R^-j (K n C_j) lies in K for every step j. If in addition v <= 0 on K, every motion with a velocity in K after
an impact ends in complete or partially complete chatter. The thesis stops its iteration when the cone hardly grows; that is evidence. Here
images are stretched a little, and the iteration is run until nothing grows at all: then the true images lie strictly inside, and
`certify.py` proves it with outward rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.compiling import compiling
from ...kernel.renamed import renamed
from . import cone_loop as loop
from .certify import certified
from .spectrum import check, impact, step_map
from .succession import half_spaces

WORDS = {loop.FOUND: "found", loop.NONE: "none", loop.UNDECIDED: "undecided"}
SWELLS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)


@dataclass(frozen=True)
class Cone:
    """The outcome of the construction: "found", "none" or "undecided"; the polygon in S; whether it is proven, and with which stretch."""

    verdict: str
    n: int
    rho: float
    gamma: float
    polygon: np.ndarray  # vertices (x, y) of K in the plane v = -1
    rounds: int
    area: float
    proven: bool = False
    margin: float = 0.0  # the images may be stretched by this part and stay inside

    @property
    def rays(self) -> np.ndarray:
        """The generating velocities (x, y, -1)."""
        return np.column_stack([self.polygon, -np.ones(len(self.polygon))])


def tables(n: int, rho: float, gamma: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The maps U_0 R^-j and the half-spaces of C_j, j = 1 .. n-1, for the compiled loop."""
    maps = np.array([step_map(n, rho, gamma, j) for j in range(1, n)])
    rows = [half_spaces(n, j) for j in range(1, n)]
    sizes = np.array([len(r) for r in rows])
    spaces = np.zeros((n - 1, sizes.max(), 3))
    for j, r in enumerate(rows):
        spaces[j, : len(r)] = r
    return maps, spaces, sizes


def flat_drop(rho: float, gamma: float) -> np.ndarray:
    """-U_0 u_3 in the plane S: the velocity after the first impact of a flat drop."""
    p = -impact(rho, gamma)[:, 2]
    return p[:2] / -p[2]


@renamed(most="max_steps")
def construct(
    n: int, rho: float, gamma: float, *, swell: float = 0.0, max_steps: int = 1000, tolerance: float = 1e-5, thin: float = 1e-12
) -> Cone:
    """The thesis' iteration from the flat drop: done when the area grows by less than `tolerance` in a round."""
    check(n, rho, gamma)
    maps, spaces, sizes = tables(n, rho, gamma)
    x, y = np.empty(loop.ROOM), np.empty(loop.ROOM)
    first = -impact(rho, gamma)[:, 2]
    if first[2] >= 0.0:  # the mass centre rises after the first impact
        return Cone("none", n, rho, gamma, np.empty((0, 2)), 0, 0.0)
    x[0], y[0] = flat_drop(rho, gamma)
    with compiling("cones of polygons"):
        code, count, rounds, area = loop.grow_cone(maps, spaces, sizes, x, y, 1, swell, max_steps, tolerance, thin)
    return Cone(WORDS[code], n, rho, gamma, np.column_stack([x[:count], y[:count]]), rounds, float(area))


@renamed(most="max_steps")
def effective_cone(n: int, rho: float, gamma: float, *, prove: bool = True, max_steps: int = 20_000) -> Cone:
    """An effectively invariant cone that holds the flat drop: found and proven, found, none, or undecided.

    "none" means that the smallest candidate already holds a velocity that rises: no effectively invariant cone around the flat drop exists.
    """
    rough = construct(n, rho, gamma, max_steps=max_steps, tolerance=1e-9)
    if rough.verdict == "none" or not prove:
        return rough
    for swell in SWELLS:
        found = construct(n, rho, gamma, swell=swell, max_steps=max_steps, tolerance=0.0, thin=1e-3 * swell)
        if found.verdict == "found" and certified(n, rho, gamma, found.polygon, flat_drop(rho, gamma)):
            return Cone("found", n, rho, gamma, found.polygon, found.rounds, found.area, True, swell)
    return rough
