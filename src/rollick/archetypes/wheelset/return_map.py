"""The amplitude return map: from the amplitude of one rolling oscillation to that of the next, through a slip episode; and where oscillations end.

a -> f(a) for a above the critical amplitude; f(a)/a < 1: slip damps, > 1: it pumps. For a small overshoot a = (1 + e) a_crit

    f(a)/a = 1 - (9/2) (X/omega_L^2) e^2/(1 - rho^2) + ...,      slip lasts (3/omega_L) sqrt(2e/(1 - rho^2)),

X = alpha_psi^2 - omega_L^2 where yaw limits rolling and alpha_y^2 - omega_L^2 where lateral motion does, rho < 1 the ratio of the critical amplitudes: beside
the point of tangency the excess of demand is e - (1 - rho^2) (omega_L t)^2/2, slip grows with it and takes twice as long to fade. So slip damps where the
limiting motion is slower than its resonance and pumps where it is faster. With alpha_y < alpha_psi that changes where the critical curves cross.

Fixed points of f are limit cycles of rolling and slipping in turn. Where slip never ends there may be a cycle of slip alone (`symmetric`).
"""

from __future__ import annotations

import itertools
import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from ...kernel.names import InputError, whole
from ...motion.result.outcome import MotionWarning
from ...motion.simulate import simulate
from .dry import DryWheelset
from .episodes import Episode, easiest_start, slip_episode
from .fields import offsets
from .slip_limit import Critical, critical_amplitudes
from .symmetric import SlipCycle, slip_cycle


class FixedPoint(NamedTuple):
    """A limit cycle of rolling and slipping: its amplitude (m), over the critical one, the slope f' there, the share of time in which it slips."""

    amplitude: float
    over: float
    slope: float
    slipping: float

    @property
    def stable(self) -> bool:
        """|f'| < 1."""
        return abs(self.slope) < 1.0


class Jump(NamedTuple):
    """Between two amplitudes (m) f jumps: an episode just ends, or just goes on; ratios on both sides (NaN: slip goes on for ever)."""

    low: float
    high: float
    ratio_low: float
    ratio_high: float


class ReturnMap(NamedTuple):
    """The map at one speed."""

    wheelset: DryWheelset
    critical: Critical
    episodes: tuple[Episode, ...]
    fixed: tuple[FixedPoint, ...]
    jumps: tuple[Jump, ...]

    @property
    def amplitudes(self) -> np.ndarray:
        """Amplitudes before (m)."""
        return np.array([e.amplitude for e in self.episodes])

    @property
    def ratios(self) -> np.ndarray:
        """After over before; NaN where slip did not end."""
        return np.array([e.ratio for e in self.episodes])


class LongRun(NamedTuple):
    """Where an oscillation ends: `rolling`, `rolling and slipping` or `slipping`; its least and largest amplitude at the end (m), and the cycle of slip alone."""

    kind: str
    low: float
    high: float
    cycle: SlipCycle | None


def small_overshoot(w: DryWheelset) -> tuple[float, float]:
    """(g, d): f(a)/a = 1 + g e^2 and omega_L times the duration of slip = d sqrt(e), for a = (1 + e) times the critical amplitude."""
    limits = critical_amplitudes(w)
    A, B = offsets(w)
    rho = limits.amplitude / limits.largest
    if rho >= 1.0 or w.omega_L <= 0.0:
        raise InputError(
            "at the crossing of both critical curves (or without kinematic oscillation) there is no law of small overshoot."
        )
    rest = 1.0 - rho**2
    return -4.5 * (A if limits.governs == "yaw" else B) / (w.omega_L**2 * rest), 3.0 * float(np.sqrt(2.0 / rest))


def return_map(w: DryWheelset, overs: Any = None, rtol: float = 1e-9, refine: bool = True, progress: Any = None) -> ReturnMap:
    """The map at amplitudes given as multiples of the critical one (default: 40 from 1.002 to 3), its fixed points and jumps."""
    limits = critical_amplitudes(w)
    grid = (
        np.concatenate([1.0 + np.geomspace(0.002, 0.2, 20), np.linspace(1.25, 3.0, 20)])
        if overs is None
        else np.asarray(overs, float)
    )
    if grid.ndim != 1 or grid.size < 1 or not np.all(np.isfinite(grid)) or grid.min() <= 1.0:
        raise InputError("the amplitudes of a return map are multiples of the critical one, all above 1.")
    grid = np.unique(grid)
    episodes = []
    for k, x in enumerate(grid):
        episodes.append(slip_episode(w, float(x) * limits.amplitude, rtol))
        if progress is not None:
            progress(k + 1, len(grid))
    fixed, jumps = [], []
    for a, b in itertools.pairwise(episodes):
        apart = not (a.stuck and b.stuck) or abs(a.duration - b.duration) * w.omega_L > 1.0
        if refine and a.stuck and b.stuck and (a.ratio - 1.0) * (b.ratio - 1.0) < 0.0:
            point = _root(w, a, b, limits, rtol)
            if point is not None:
                fixed.append(point)
                continue
        if apart and (a.stuck or b.stuck):
            jump = _narrowed(w, a, b, rtol) if refine else Jump(a.amplitude, b.amplitude, a.ratio, b.ratio)
            if jump is not None:
                jumps.append(jump)
    return ReturnMap(w, limits, tuple(episodes), tuple(fixed), tuple(jumps))


def _narrowed(w: DryWheelset, a: Episode, b: Episode, rtol: float) -> Jump | None:
    """A jump between two episodes, located to 1e-5 of the amplitude by the length of the episodes; None where they only differ much."""
    while b.amplitude - a.amplitude > 1e-5 * a.amplitude:
        middle = slip_episode(w, 0.5 * (a.amplitude + b.amplitude), rtol)
        if middle.stuck == a.stuck and (
            not a.stuck or abs(middle.duration - a.duration) <= abs(middle.duration - b.duration) or not b.stuck
        ):
            a = middle
        else:
            b = middle
        if a.stuck and b.stuck and abs(a.duration - b.duration) * w.omega_L < 0.3:
            return None
    return Jump(a.amplitude, b.amplitude, a.ratio, b.ratio)


def _root(w: DryWheelset, a: Episode, b: Episode, limits: Critical, rtol: float) -> FixedPoint | None:
    """The fixed point between two episodes; None where the map jumps there instead."""
    excess = lambda x: slip_episode(w, x, rtol).ratio - 1.0
    with np.errstate(invalid="ignore"):
        try:
            root = float(brentq(excess, a.amplitude, b.amplitude, xtol=1e-10 * a.amplitude, rtol=1e-12))
        except ValueError:  # slip that never ends lies between: the ratio is NaN there
            return None
    here = slip_episode(w, root, rtol)
    if not here.stuck or abs(here.ratio - 1.0) > 1e-6:
        return None
    h = 1e-4 * root
    slope = (slip_episode(w, root + h, rtol).after - slip_episode(w, root - h, rtol).after) / (2.0 * h)
    angle = lambda z: float(np.arctan2(w.eta * z[1], z[0]))
    turned = (angle(here.begins) - angle(here.ends)) % np.pi  # half a turn takes the slip and the rolling that follows it
    rolling = (np.pi - turned) / w.omega_L if turned > 0.0 else 0.0
    return FixedPoint(root, root / limits.amplitude, float(slope), here.duration / (here.duration + rolling))


def long_run(w: DryWheelset, over: float = 1.1, periods: int = 80, rtol: float = 1e-8) -> LongRun:
    """Where an oscillation that begins at `over` times the critical amplitude ends, after some periods of the kinematic oscillation."""
    limits, count = critical_amplitudes(w), whole(periods, "periods", 4)
    if not 0.0 < over < np.inf:
        raise InputError(f"over = {over!r} must be above zero: a multiple of the critical amplitude.")
    end = count * 2.0 * np.pi / w.omega_L
    at = np.linspace(0.0, end, 40 * count + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionWarning)
        motion = simulate(
            w, easiest_start(w, over * limits.amplitude), end, method="event-driven", rtol=rtol, at=at, progress=False
        )
    if not motion.complete:
        raise InputError(f"the motion did not finish: {motion.message}")
    late = motion.t > 0.75 * end
    extent = motion["amplitude"][late]
    names = {
        name
        for (name, _), until in zip(motion.provenance["methods"], [t for _, t in motion.provenance["methods"][1:]] + [end])
        if until > 0.75 * end
    }
    kind = "rolling" if names == {"RR"} else "slipping" if names == {"SS"} else "rolling and slipping"
    cycle = slip_cycle(w, motion.end_state[[0, 1, 2, 4]]) if kind == "slipping" else None
    return LongRun(kind, float(extent.min()), float(extent.max()), cycle)
