"""Growth of neighbours along a motion whose state jumps: from reset to reset, and across each of them by its saltation matrix S (`motion.hybrid.saltation`).

Volumes grow by the mean divergence of the rate and by ln |det S| at each reset.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..kernel.evaluate import rate_at
from ..kernel.names import InputError, called
from ..motion.hybrid.saltation import across
from ..motion.methods import DOP853
from ..motion.ode.columns import with_transition
from ..motion.problem import make_problem
from .frame import Frame, truncated
from .jacobian_along import JacobianAlong
from .orbits.impacts import impact_gap
from .sensitivity.impact_reset import impact_reset
from .sensitivity.resets import Gate, Legs, Piece, Reset

MOST = 10_000  # resets in one interval; more accumulate
NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)
SINGULAR = 1e-13  # relative: a singular value of a saltation matrix that is none


def resets_of(system: Any, resets: Any) -> list[Reset]:
    """The resets that are asked for; of a system with an impact law (`impact_gap`, `impact_map`) its impacts, if none are."""
    chosen = [resets] if isinstance(resets, Reset) else list(resets) if isinstance(resets, Sequence) else [resets]
    for one in chosen:
        if not isinstance(one, Reset):
            raise InputError(f"resets = {one!r} is no Reset; write Reset(Event(...), after=f).")
    return [impact_reset(system)] if not chosen and impact_gap.knows(type(system)) else chosen


class ThroughResets:
    """A motion with its frame of neighbours, on its way through resets."""

    def __init__(self, system: Any, start: Any, resets: Sequence[Reset], end: float, rtol: float):
        self.system = system
        asked: dict[str, Any] = {"until": end, "since": None, "at": None, "dense": True, "events": None, "variational": False}
        asked |= {"integrals": 0, "max_steps": math.inf, "wall_limit": None, "progress": False, "began": time.perf_counter()}
        problem = make_problem(system, start, **asked)
        self.n, self.t, self.y = problem.n, problem.t0, problem.start.copy()
        self.frame = Frame(system, self.n)
        asked_of = f"of {called(system)} that exponents are asked of"
        self.legs = Legs(problem, DOP853(rtol=rtol), with_transition(system), resets, asked_of)
        self.jacobian = JacobianAlong(system)
        self.count = 0

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt."""
        out = np.empty(self.n)
        rate_at(self.jacobian.erased, float(t), np.ascontiguousarray(y, float), out)
        return out

    def until(self, t1: float) -> float:
        """Go on to an instant; the logarithm by which volumes have grown on the way: of the divergence of the rate and of the resets."""
        volume, before = 0.0, self.count
        while self.t < t1:
            columns = np.zeros((self.n, self.n))  # those that were lost stay zero
            left = self.frame.columns.shape[1]
            columns[:left] = self.frame.columns.T
            motion, piece = self.legs.leg(self.t, t1, self.y, columns.ravel(), self.count)
            volume += self._divergence(piece)
            full = piece.ys[-1]
            self.t, self.y = float(piece.ts[-1]), full[: self.n].copy()
            self.frame.columns = full[self.n :].reshape(self.n, self.n)[:left].T
            event, gate = self.legs.ended(motion)
            if gate is not None:
                S = truncated(self._reset(gate, event), SINGULAR)
                self.frame.columns = S @ self.frame.columns
                sign, size = np.linalg.slogdet(S)
                volume += float(size) if sign else -np.inf
                self.frame.straighten(merged=not np.isfinite(size) or not sign)
            if self.count - before > MOST:
                raise InputError(
                    f"{called(self.system)} was reset {MOST} times from t = {t1:.6g} back to {self.t:.6g}, and goes on so: resets that accumulate, at which neighbours "
                    f"have no growth. Let until end before."
                )
        return volume

    def _divergence(self, piece: Piece) -> float:
        """Its integral, by Gauss's rule on each step."""
        h = np.diff(piece.ts)
        times = (piece.ts[:-1, None] + 0.5 * h[:, None] * (1.0 + NODES)).ravel()
        weights = (0.5 * h[:, None] * WEIGHTS).ravel()
        states = piece.states(times)
        return float(sum(w * np.trace(self.jacobian(t, y)) for t, y, w in zip(times, states, weights)))

    def _reset(self, gate: Gate, event: Any) -> np.ndarray:
        """Jump; the saltation matrix."""
        g, t, y, f, ways = gate.quantity, self.t, self.y, self.rate(self.t, self.y), np.eye(self.n)
        dt = g.time_shift(t, y, ways, f, {})
        if event.kind == "touch" or np.isnan(dt).any():
            raise InputError(
                f"{g.name} touches its level at t = {t:.9g}, after {self.count} resets, without passing it, or resets accumulate there: neighbours are reset or not, and have no "
                f"growth. Let until end before, or ask for another start."
            )
        self.y, self.count = gate.map.after(t, y), self.count + 1
        return across(ways, dt, f, self.rate(t, self.y), lambda dt, dy: gate.map.slope(t, y, dt, dy, {}))


def growth_through_resets(
    system: Any, start: Any, resets: Sequence[Reset], end: float, intervals: int, rtol: float, bar: Any
) -> tuple[np.ndarray, np.ndarray, bool]:
    """The logarithms of growth in each interval (-inf for directions that resets take away), that of volumes, and whether somebody stopped it."""
    along = ThroughResets(system, start, resets, end, rtol)
    logs: list[np.ndarray] = []
    volumes: list[float] = []
    try:
        for k in range(intervals):
            volumes.append(along.until(end * (k + 1) / intervals))
            along.frame.straighten()
            logs.append(along.frame.taken())
            bar.update(along.t)
    except KeyboardInterrupt:
        return np.array(logs).reshape(-1, along.n), np.array(volumes[: len(logs)]), True
    return np.array(logs), np.array(volumes), False
