"""The bifurcation diagram in (l, E) and the regimes of motion between its curves.

At given l the potential rises to infinity at both ends of (0, pi) and has an odd number of critical points: wells and barriers. The energy says
which wells the motion lives in: below all of them there is none, in a well it rocks about a steady rolling, above a barrier it swings over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError
from .body import RubberBody, heights, potential, reduced_only
from .equilibria import critical_spins, equilibrium_angles, family, slope_table, upright_exists

FORBIDDEN = 0  # no motion has this energy; otherwise a code: wells that are open + 10 * barriers passed


@compiled
def potential_on(body, ell, theta, out):
    """V on a grid, for one l."""
    for j in range(theta.size):
        out[j] = potential(body, ell, theta[j])[0]


@compiled
def count_regions(values, energies, out):
    """For each energy: how many separate intervals of theta are open (V <= E), plus ten times the barriers that lie below it."""
    n = values.size
    for k in range(energies.size):
        e = energies[k]
        regions = 0
        passed = 0
        inside = False
        for j in range(n):
            if values[j] <= e:
                if not inside:
                    regions += 1
                inside = True
                if 0 < j < n - 1 and values[j] > values[j - 1] and values[j] >= values[j + 1]:
                    passed += 1
            else:
                inside = False
        out[k] = regions + 10 * passed if regions > 0 else 0


@reduced_only
def regime_map(body: RubberBody, ells: np.ndarray, energies: np.ndarray, samples: int = 400) -> np.ndarray:
    """The regime at each (l, E): rows are l, columns E. 0: no motion; else open intervals + 10 * barriers passed.

    1: one well; 2: one of two wells, unconnected; 11: over the barrier between two wells; and so on.
    """
    ells, energies = np.asarray(ells, float), np.asarray(energies, float)
    if np.any(ells == 0.0):
        raise InputError("l = 0 is planar rolling, without a barrier at the axis; leave it out of the map.")
    out = np.zeros((ells.size, energies.size), np.int64)
    base = 0.5 * np.pi * (1.0 - np.cos(np.pi * np.arange(1, samples) / samples))
    table = slope_table(body)
    for i, ell in enumerate(ells):
        critical = equilibrium_angles(body, float(ell), table)
        theta = np.sort(np.concatenate([base, critical]))
        values = np.empty(theta.size)
        potential_on(body, float(ell), theta, values)
        count_regions(values, energies, out[i])
    return out


def regime_name(code: int) -> str:
    """A regime of `regime_map` in words."""
    regions, passed = code % 10, code // 10
    if regions == 0:
        return "no motion"
    if passed == 0:
        return "nutation in the only well" if regions == 1 else f"nutation in one of {regions} wells"
    over = "the barrier" if passed == 1 else f"{passed} barriers"
    return f"swinging over {over}" + (f", or in one of {regions - 1} other wells" if regions > 1 else "")


@dataclass(frozen=True)
class Diagram:
    """The curves of the (l, E) diagram: families of steady rolling, each with its stability, and the critical points."""

    ell: list[np.ndarray]
    energy: list[np.ndarray]
    theta: list[np.ndarray]
    stable: list[np.ndarray]
    critical: list[tuple[float, float, str]]


@reduced_only
def near_rest(body: RubberBody) -> np.ndarray:
    """Angles close to those where z_C' = 0, at which families begin with l = 0: there l rises like a square root."""
    from scipy.optimize import brentq

    grid, slope = slope_table(body)
    found = [np.empty(0)]
    for k in np.flatnonzero(slope[:-1] * slope[1:] < 0.0):
        root = brentq(lambda t: heights(body, t)[1], grid[k], grid[k + 1], xtol=1e-15)
        if abs(root - 0.5 * np.pi) > 1e-9:
            steps = np.geomspace(1e-9, 1e-2, 60)
            found += [root - steps, root + steps]
    return np.concatenate(found)


@reduced_only
def diagram(body: RubberBody, most_ell: float, count: int = 1000) -> Diagram:
    """All steady rollings with 0 < l <= most_ell, as curves in (l, E)."""
    theta = np.unique(np.concatenate([0.5 * np.pi * (1.0 - np.cos(np.pi * (np.arange(count) + 0.5) / count)), near_rest(body)]))
    ell = np.sqrt(family(body, theta))
    ok = np.isfinite(ell) & (ell <= most_ell)
    curves: list[tuple[np.ndarray, np.ndarray]] = []
    for piece in np.split(np.arange(theta.size), np.flatnonzero(np.diff(ok.astype(int))) + 1):
        if piece.size > 1 and ok[piece[0]]:
            curves.append((theta[piece], ell[piece]))
    if upright_exists(body):
        straight = np.linspace(most_ell / count, most_ell, count)
        curves.append((np.full(count, 0.5 * np.pi), straight))
    energies, stable = [], []
    for angles, spins in curves:
        both = np.array([potential(body, float(s), float(a)) for a, s in zip(angles, spins)])
        energies.append(both[:, 0])
        stable.append(both[:, 2] > 0.0)
    return Diagram([s for _, s in curves], energies, [a for a, _ in curves], stable, critical_spins(body))
