"""The stationary states of the flowmeter (section 4.4): X_RR, X_SR, X_RS, X_SS, where each exists, how many there are, and whether they are stable.

X_SS is told by the direction phi of the slip at the floor, 0 < phi < pi/2 (4.68)-(4.70, corrected: errata 34 and 35); at the wall slip is across the motion, u1- = 0.
Stability: eigenvalues of the mode's smooth field in the velocities it leaves free; what leaves the mode is asked of the cones.
"""

from __future__ import annotations

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ...analysis.filippov.theory.margin import static_margin
from ...kernel.names import InputError
from .drag import overtaking, slope
from .fields import jacobian, normals, static_split
from .system import FlowMeter
from .thresholds import thresholds, wall_demand

POINTS = 401  # of the branch X_SS, to look for its folds
EDGE = 1e-9  # of a threshold: nearer, a state counts as being on it


class Stationary(NamedTuple):
    """A stationary state: its mode, x = (u1+, u1-, u2, v), the swirl, eigenvalues, the normal forces per mass (RR: with the largest margin), phi of X_SS."""

    mode: str
    x: np.ndarray
    v_f: float
    eigenvalues: np.ndarray
    normals: tuple[float, float]
    phi: float | None = None

    @property
    def v(self) -> float:
        """The speed of the ball."""
        return float(self.x[3])

    @property
    def r_Omega_w(self) -> float:
        """r Omega_w = v - u1+, the ordinate of Figures 4.5-4.7."""
        return float(self.x[3] - self.x[0])

    @property
    def growth(self) -> float:
        """The largest real part of the eigenvalues."""
        return float(self.eigenvalues.real.max())

    @property
    def stability(self) -> str:
        """stable, unstable or neutral."""
        size = float(np.abs(self.eigenvalues).max())
        if size == 0.0 or abs(self.growth) <= 1e-12 * size:
            return "neutral"
        return "stable" if self.growth < 0.0 else "unstable"


class Slipping(NamedTuple):
    """X_SS at an angle phi: the state, the swirl that belongs to it, and N+ per mass."""

    x: np.ndarray
    v_f: float
    N_plus: float


def slipping(meter: FlowMeter, phi: float) -> Slipping:
    """X_SS(phi) (4.68)-(4.70): D(v_f - v) = mu g (j - mu) sin cos/B, B = mu^2 (1 + j sin^2) + (j - mu) sin."""
    g, d, mu, j = meter.g, meter.d, meter.mu, meter.j
    if mu >= j:
        raise InputError(f"X_SS exists for mu < j only: mu = {mu:g}, j = {j:g} (N+ would be negative).")
    s, c = math.sin(phi), math.cos(phi)
    B = mu * mu * (1.0 + j * s * s) + (j - mu) * s
    v = math.sqrt(g * d * mu * (1.0 + mu * s * s) / B)
    rho = g * d * mu * (j - mu) * c / (j * v * B)
    w = overtaking(meter.drag, mu * g * (j - mu) * s * c / B)
    return Slipping(np.array([rho * c, 0.0, rho * s, v]), v + w, g * (j - mu) * s / B)


def swirl_slope(meter: FlowMeter, phi: float) -> float:
    """dv_f/dphi along X_SS: dv/dphi + (dD/dphi)/D'(w), in closed form but for w."""
    g, d, mu, j = meter.g, meter.d, meter.mu, meter.j
    s, c = math.sin(phi), math.cos(phi)
    B, dB = mu * mu * (1.0 + j * s * s) + (j - mu) * s, 2.0 * mu * mu * j * s * c + (j - mu) * c
    top, dtop = 1.0 + mu * s * s, 2.0 * mu * s * c
    v = math.sqrt(g * d * mu * top / B)
    dv = 0.5 * v * (dtop / top - dB / B)
    needed = mu * g * (j - mu) * s * c / B
    dneeded = mu * g * (j - mu) * ((c * c - s * s) / B - s * c * dB / (B * B))
    return dv + dneeded / slope(meter.drag, overtaking(meter.drag, needed))


@functools.lru_cache(maxsize=512)
def folds(meter: FlowMeter) -> tuple[float, ...]:
    """The angles at which dv_f/dphi = 0 (4.72), in increasing order; for linear drag there is one if mu > mu_fold, else none."""
    if meter.mu >= meter.j:
        return ()
    # close to both ends: there the speed of overtaking goes to zero, for some drag laws with an infinite slope
    inner = np.linspace(0.0, 0.5 * math.pi, POINTS)[1:-1]
    ends = inner[0] * 10.0 ** np.arange(-9.0, 0.0)
    grid = np.concatenate([ends, inner, 0.5 * math.pi - ends[::-1]])
    values = [swirl_slope(meter, phi) for phi in grid]
    found = []
    for low, high, a, b in zip(grid[:-1], grid[1:], values[:-1], values[1:]):
        if a * b < 0.0:
            found.append(float(brentq(lambda phi: swirl_slope(meter, phi), low, high, xtol=1e-15, rtol=1e-14)))
    return tuple(found)


def _slipping_state(meter: FlowMeter, phi: float) -> Stationary:
    made = slipping(meter, phi)
    return Stationary(
        "SS", made.x, made.v_f, np.linalg.eigvals(jacobian(meter, "SS", made.x, made.v_f)), _pair(meter, "SS", made.x), phi
    )


def _pair(meter: FlowMeter, mode: str, x: np.ndarray) -> tuple[float, float]:
    plus, minus = normals(meter, mode, x)
    return float(plus), float(minus)


def x_rr(meter: FlowMeter, v_f: float) -> Stationary | None:
    """X_RR = (0, 0, 0, v_f), if forces of rolling exist there; its eigenvalue is -D'(0)/(1 + 2j)."""
    x = np.array([0.0, 0.0, 0.0, v_f])
    split = static_split(meter, x, v_f)
    best = static_margin(split)
    if best.value < -1e-12 * meter.g:
        return None
    forces = np.asarray(split.forces) + best.tau * np.asarray(split.free)
    rate = -slope(meter.drag, 0.0) / (1.0 + 2.0 * meter.j)
    return Stationary("RR", x, v_f, np.array([rate + 0.0j]), (float(forces[0, 0]), float(forces[1, 0])))


def x_sr(meter: FlowMeter, v_f: float) -> Stationary | None:
    """X_SR = (v_f - g d/(j v_f), 0, 0, v_f) (4.65), with N+ = 0, if the wall holds."""
    if v_f <= 0.0 or wall_demand(meter, v_f) > 1.0 + EDGE:
        return None
    x = np.array([v_f - meter.g * meter.d / (meter.j * v_f), 0.0, 0.0, v_f])
    if x[0] == 0.0:
        return None
    return Stationary("SR", x, v_f, np.linalg.eigvals(jacobian(meter, "SR", x, v_f)), _pair(meter, "SR", x))


def x_rs(meter: FlowMeter, u1m: float) -> Stationary:
    """X_RS = (0, u1-, 0, 0), any u1-, without swirl: the ball spins on one spot, and nothing presses it onto the wall."""
    x = np.array([0.0, u1m, 0.0, 0.0])
    return Stationary("RS", x, 0.0, np.linalg.eigvals(jacobian(meter, "RS", x, 0.0)), _pair(meter, "RS", x))


def x_ss(meter: FlowMeter, v_f: float) -> list[Stationary]:
    """All X_SS in a swirl v_f, by falling phi (stable ones first): v_f(phi) is monotonous between its folds."""
    if meter.mu >= meter.j:
        return []
    ends = [1e-13, *folds(meter), 0.5 * math.pi - 1e-13]
    found = []
    for low, high in itertools.pairwise(ends):
        at = [slipping(meter, phi).v_f - v_f for phi in (low, high)]
        if at[0] * at[1] < 0.0:
            phi = float(brentq(lambda p: slipping(meter, p).v_f - v_f, low, high, xtol=1e-15, rtol=1e-14))
            found.append(_slipping_state(meter, phi))
    return found[::-1]


def stationary_states(meter: FlowMeter, v_f: float) -> list[Stationary]:
    """All stationary states in a constant swirl v_f > 0, each admitted by its forces."""
    if not 0.0 < v_f < math.inf:
        raise InputError(
            f"v_f = {v_f!r}: stationary states are listed for swirls above zero; without swirl every X_RS = (0, u1-, 0, 0) is one (`x_rs`)."
        )
    one = [x_rr(meter, v_f), x_sr(meter, v_f)]
    return [state for state in [one[0], *x_ss(meter, v_f), one[1]] if state is not None]


def branch(meter: FlowMeter, mode: str, low: float, high: float, count: int = 200) -> list[Stationary]:
    """A branch of stationary states with swirls between two values: RR, SR, or SS (by phi, in pieces where v_f leaves the range)."""
    if mode == "SS":
        if meter.mu >= meter.j:
            return []
        angles = 0.5 * math.pi * (0.5 - 0.5 * np.cos(np.pi * (np.arange(1, 4 * count) / (4 * count))))
        angles = np.sort(np.concatenate([angles, np.array(folds(meter))]))
        return [state for state in (_slipping_state(meter, float(phi)) for phi in angles) if low <= state.v_f <= high]
    limits = thresholds(meter)
    if mode == "RR":
        return [
            s for v in np.linspace(max(low, 1e-9), min(high, limits.rolling), count) if (s := x_rr(meter, float(v))) is not None
        ]
    return (
        [s for v in np.linspace(max(low, limits.SR_SS), high, count) if (s := x_sr(meter, float(v))) is not None]
        if high > limits.SR_SS
        else []
    )
