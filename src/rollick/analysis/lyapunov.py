"""The largest Lyapunov exponent: how fast neighbouring motions part.

A tangent vector v rides along the motion (v' = J v) and is rescaled at equal intervals; the exponent is the mean of the logarithms of its
growth. On an integrable motion neighbours part linearly in time: the estimate falls like ln(T)/T and tends to zero, which serves as control.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernel.compiling import compiling
from ..kernel.hooks import settle
from ..kernel.names import InputError, called, number, whole
from ..kernel.system import dim
from ..kernel.trial import try_once
from ..motion.marching import Marching
from ..motion.methods import DOP853, has_dry_friction, refuse
from ..motion.ode.columns import with_tangent
from ..motion.progress import Progress
from ..motion.result.digits import with_error
from ..motion.start import check_system, state_vector
from .orbits.impacts import impact_gap


@dataclass(frozen=True)
class Exponent:
    """The estimate over a motion of length T: its value, a standard error from blocks, and how it converged."""

    value: float
    error: float
    t: np.ndarray
    running: np.ndarray  # the estimate as it would be if the motion ended at t

    @property
    def regular_level(self) -> float:
        """What linear separation, as on an integrable motion, would show: ln(T/T0)/T, T0 one rescaling interval."""
        level: float = math.log(self.t[-1] / self.t[0]) / self.t[-1]
        return level

    @property
    def chaotic(self) -> bool:
        """Whether the estimate stands clear of what a regular motion would show."""
        return self.value > 2.0 * self.regular_level and self.value > 3.0 * self.error

    def __str__(self) -> str:
        verdict = "chaotic" if self.chaotic else "regular, as far as this motion shows"
        return f"largest Lyapunov exponent {with_error(self.value, self.error)} 1/s over {self.t[-1]:g} s: {verdict}"


def largest_exponent(
    system: Any,
    start: Any,
    until: float,
    intervals: int = 400,
    discard: float = 0.1,
    rtol: float = 1e-9,
    seed: int = 0,
    progress: bool | None = None,
) -> Exponent:
    """The largest Lyapunov exponent of the motion from a start.

    `intervals`: how often the tangent vector is rescaled; `discard`: the part of the motion at its beginning that is not counted, while
    the vector turns into the direction of fastest growth.
    """
    system = check_system(system)
    method = DOP853(rtol=rtol)
    refuse(method, {"dry friction": has_dry_friction(system)}, system)
    if impact_gap.knows(type(system)):
        raise InputError(
            f"{called(system)} has impacts, which a single tangent vector is not carried through here; take `spectrum`."
        )
    end = number(until, "until", "s")
    intervals, discard = whole(intervals, "intervals", 1), number(discard, "discard")
    if end <= 0.0 or intervals < 20 or not 0.0 <= discard < 0.9:
        raise InputError(
            f"until = {until!r} must be above zero, intervals = {intervals} at least 20, and 0 <= discard = {discard} < 0.9."
        )
    n = dim(system)
    y = np.empty(2 * n)
    y[:n], _ = settle(system, state_vector(system, start))
    v = np.random.default_rng(whole(seed, "seed")).normal(size=n)
    y[n:] = v / np.linalg.norm(v)
    growth = np.empty(intervals)
    with compiling("the tangent motion", system), Progress(progress, 0.0, end) as bar:
        try_once(system, 0.0, y[:n])
        steps = Marching(with_tangent(system), y, end, method)
        for k in range(intervals):
            if not steps.until(end * (k + 1) / intervals):
                raise InputError(
                    f"the motion of {called(system)} breaks off at t = {steps.t:.6g}; choose another start, or a shorter time."
                )
            size = float(np.linalg.norm(y[n:]))
            growth[k] = math.log(size)
            y[n:] /= size
            steps.rate[n:] /= size  # the rate of v is linear in v
            bar.update(steps.t)
    kept = growth[int(discard * intervals) :]
    span = end / intervals
    t = span * np.arange(1, kept.size + 1)
    running = np.cumsum(kept) / t
    blocks = np.array([b.mean() for b in np.array_split(kept, 10)]) / span
    return Exponent(float(running[-1]), float(blocks.std(ddof=1) / math.sqrt(blocks.size)), t, running)
