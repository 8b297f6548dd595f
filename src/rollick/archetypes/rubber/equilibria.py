"""Relative equilibria of a rubber body of revolution: theta constant (Koiller (63), section 4).

    m g z_C' = l^2 cos/sin^3,    stable iff V'' > 0,    omega^2 = V''/B.

Away from theta = pi/2 the family is explicit in theta: l^2 = m g z_C' sin^3/cos wherever that is not negative; so that following it in l
needs no predictor. theta = pi/2 is an equilibrium for every l if z_C'(pi/2) = 0. Folds in l are saddle-nodes; a family that meets
theta = pi/2 is a pitchfork.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from ...kernel.compiled import compiled
from .body import RubberBody, heights, mass_B, nose_squared, potential, reduced_only

GRID = 4001


@dataclass(frozen=True)
class Equilibrium:
    """Steady rolling at a constant nutation: stable or not, its energy, and its rates."""

    theta: float
    ell: float
    energy: float
    stable: bool
    frequency: float  # of small nutations, rad/s; the growth rate (1/s) if unstable
    psi_rate: float
    phi_rate: float
    radius: float  # of the circle the contact point describes; infinite for a straight line
    speed: float  # of the contact point


@reduced_only
def equilibrium(body: RubberBody, theta: float, ell: float) -> Equilibrium:
    """What there is to know about the equilibrium at theta."""
    z, dz, _ = heights(body, theta)
    V, _, ddV = potential(body, ell, theta)
    B, _ = mass_B(body, theta)
    n, c = math.sin(theta), math.cos(theta)
    psi = ell / (math.sqrt(nose_squared(body, theta)) * n * n)
    h = z * n + dz * c
    radius = math.inf if abs(c) < 1e-14 else h / abs(c)
    return Equilibrium(theta, ell, V, ddV > 0.0, math.sqrt(abs(ddV) / B), psi, -c * psi, radius, h * abs(psi))


def family(body: RubberBody, theta: np.ndarray) -> np.ndarray:
    """l^2 of the equilibrium at each theta; NaN where there is none, and at theta = pi/2."""
    theta = np.asarray(theta, float)
    slope = np.array([heights(body, float(t))[1] for t in theta])
    with np.errstate(divide="ignore", invalid="ignore"):
        square = body.m * body.g * slope * np.sin(theta) ** 3 / np.cos(theta)
    return np.where(np.abs(np.cos(theta)) < 1e-12, np.nan, np.where(square >= 0.0, square, np.nan))


def upright_exists(body: RubberBody) -> bool:
    """Whether theta = pi/2 is an equilibrium for every l."""
    z, dz, _ = heights(body, 0.5 * math.pi)
    return abs(dz) <= 1e-12 * abs(z)


@compiled
def slopes_on(body, theta, out):
    """z_C' on a grid."""
    for j in range(theta.size):
        out[j] = heights(body, theta[j])[1]


def slope_table(body: RubberBody) -> tuple[np.ndarray, np.ndarray]:
    """A grid of theta, dense near the axis, where equilibria of small l live, and z_C' on it: what serves every l."""
    middle = 0.5 * math.pi * (1.0 - np.cos(np.pi * np.arange(1, GRID) / GRID))
    ends = np.geomspace(1e-12, middle[0], 120)[:-1]
    grid = np.concatenate([ends, middle, math.pi - ends[::-1]])
    slope = np.empty(grid.size)
    slopes_on(body, grid, slope)
    return grid, slope


def equilibrium_angles(body: RubberBody, ell: float, table: tuple[np.ndarray, np.ndarray]) -> list[float]:
    """The nutations of all relative equilibria at a given l, in order."""

    def slope(theta: float) -> float:  # V' sin^3, free of poles
        n, c = math.sin(theta), math.cos(theta)
        return body.m * body.g * heights(body, theta)[1] * n**3 - ell * ell * c

    grid, dz = table
    values = body.m * body.g * dz * np.sin(grid) ** 3 - ell * ell * np.cos(grid)
    found = grid[values == 0.0].tolist()
    brackets = [(float(grid[k]), float(grid[k + 1])) for k in np.flatnonzero(values[:-1] * values[1:] < 0.0)]
    # A pair just born at a saddle-node may lie between two grid points: look where |V'| dips without changing its sign, and so low that it
    # may reach zero in between (a parabola through three points dips by at most an eighth of their differences; taken is all of it).
    size = np.abs(values)
    before, here, after = size[:-2], size[1:-1], size[2:]
    one_sign = (values[:-2] * values[2:] > 0.0) & (values[1:-1] * values[2:] > 0.0)
    dips = (here < before) & (here <= after) & one_sign & (here <= np.maximum(before, after) - here)
    for k in np.flatnonzero(dips) + 1:
        a, b, sign = float(grid[k - 1]), float(grid[k + 1]), math.copysign(1.0, float(values[k]))
        least = minimize_scalar(
            lambda theta, sign=sign: sign * slope(theta), bounds=(a, b), method="bounded", options={"xatol": 1e-12}
        )
        if least.fun < 0.0:
            brackets += [(a, float(least.x)), (float(least.x), b)]
    for a, b in brackets:
        found.append(float(brentq(slope, a, b, xtol=1e-300, rtol=8.9e-16)))
    if upright_exists(body):
        found = [t for t in found if abs(t - 0.5 * math.pi) > 1e-7] + [0.5 * math.pi]
    return sorted(found)


@reduced_only
def equilibria(body: RubberBody, ell: float) -> list[Equilibrium]:
    """All relative equilibria at a given l, in order of theta; l = 0 has only those in which the body does not turn."""
    return [equilibrium(body, t, ell) for t in equilibrium_angles(body, ell, slope_table(body))]


@reduced_only
def critical_spins(body: RubberBody) -> list[tuple[float, float, str]]:
    """Where the number of equilibria changes: (l, theta, "pitchfork" or "saddle-node").

    A pitchfork sits at theta = pi/2 where V'' = 0, l^2 = -m g z_C''; a saddle-node where l^2(theta) has an extremum.
    """
    found: list[tuple[float, float, str]] = []
    if upright_exists(body):
        bend = -body.m * body.g * heights(body, 0.5 * math.pi)[2]
        if bend > 0.0:
            found.append((math.sqrt(bend), 0.5 * math.pi, "pitchfork"))

    def rise(theta: float) -> float:  # d(l^2)/dtheta up to the factor m g
        _z, dz, ddz = heights(body, theta)
        n, c = math.sin(theta), math.cos(theta)
        return (ddz * n**3 + 3.0 * dz * n * n * c) * c + dz * n**4

    grid = np.linspace(1e-4, math.pi - 1e-4, GRID)
    values = [rise(float(t)) for t in grid]
    for a, b, va, vb in zip(grid, grid[1:], values, values[1:]):
        if va * vb < 0.0:
            theta = float(brentq(rise, a, b, xtol=1e-14))
            square = float(family(body, np.array([theta]))[0])
            if np.isfinite(square) and square > 0.0 and abs(theta - 0.5 * math.pi) > 1e-6:
                found.append((math.sqrt(square), theta, "saddle-node"))
    return sorted(found)
