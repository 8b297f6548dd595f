"""All Lyapunov exponents of a motion: how fast its neighbours part, direction by direction.

The transition matrix Phi of the motion is taken over equal intervals; Q R = Phi Q keeps an orthonormal frame, and the exponents are the means of
ln |R_ii| per time (Benettin). Their sum is the mean divergence of the rate, which is computed by itself and serves as a check. Where the state jumps (`exponents_through_resets`) the frame is
carried across by saltation matrices, and the logarithms of their determinants belong to the sum. Systems with dry contacts are followed from mode to mode and from impact to impact
(`exponents_in_modes`): directions that are lost where slip ends have the exponent -inf.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..kernel.compiling import compiling
from ..kernel.hooks import settle
from ..kernel.names import InputError, called, number, whole
from ..kernel.system import dim
from ..kernel.trial import try_once
from ..motion.marching import Marching
from ..motion.methods import DOP853, has_dry_friction
from ..motion.ode.columns import with_transition
from ..motion.progress import Progress
from ..motion.result.digits import with_error
from ..motion.result.outcome import FINISHED, INTERRUPTED
from ..motion.result.protocol import Result
from ..motion.result.provenance import environment
from ..motion.result.provenance import parameters as numbers_of
from ..motion.start import check_system, state_vector, with_rate
from .exponents_in_modes import growth_in_modes, has_modes
from .exponents_through_resets import growth_through_resets, resets_of
from .jacobian_along import JacobianAlong

BLOCKS = 20  # for standard errors
LOST = 1e-12  # a diagonal entry of R this small is a direction that is lost
NOTHING = 1e-300


class Spectrum(Result):
    """`values` in descending order, their standard errors `errors` (from blocks), `running` estimates at times `t`, and the mean divergence."""

    has_page = False

    def __init__(
        self, system: Any, logs: np.ndarray, span: float, divergence: np.ndarray | None, interrupted: bool, since: float
    ):
        self.system = system
        with np.errstate(invalid="ignore"):
            self.t = span * np.arange(1, len(logs) + 1)
            self.running = np.cumsum(logs, axis=0) / self.t[:, None]
            order = np.argsort(-self.running[-1], kind="stable")
            self.values = self.running[-1][order]
            self.running = self.running[:, order]
            blocks = np.array([b.mean(axis=0) for b in np.array_split(logs, min(BLOCKS, len(logs)))]) / span
            self.errors = (blocks.std(axis=0, ddof=1) / math.sqrt(len(blocks)))[order]
            total = logs.sum(axis=1) / span
            sums = np.array([b.mean() for b in np.array_split(total, min(BLOCKS, len(total)))])
            self.sum, self.sum_error = float(total.mean()), float(sums.std(ddof=1) / math.sqrt(len(sums)))
        self.divergence = None if divergence is None else float(np.mean(divergence))
        self.since, self._interrupted = since, interrupted

    @property
    def status(self) -> str:
        """finished or interrupted."""
        return INTERRUPTED if self._interrupted else FINISHED

    @property
    def message(self) -> str:
        """How it ended."""
        word = "interrupted" if self._interrupted else "followed"
        return f"{word} over {self.t[-1]:g} s after {self.since:g} s that are not counted."

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.system)

    @property
    def dimension(self) -> float:
        """Kaplan and Yorke's dimension: k + (l1 + ... + lk)/|l_k+1|, k the most exponents whose sum is not negative; nan if all sums are positive."""
        sums = np.cumsum(self.values)
        if sums[0] < 0.0:
            return 0.0
        k = int(np.flatnonzero(sums >= 0.0)[-1]) + 1
        return float(k + sums[k - 1] / abs(self.values[k])) if k < self.values.size else math.nan

    @property
    def lost(self) -> int:
        """How many directions are lost for good where slip ends or a state is reset: exponents of -inf."""
        return int(np.count_nonzero(np.isneginf(self.values)))

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return numbers_of(self.system)

    @property
    def data(self) -> Any:
        """Exponents, errors and their convergence as an `xarray.Dataset`."""
        import xarray as xr

        variables = {
            "exponent": ("order", self.values, {"units": "1/s"}),
            "standard_error": ("order", self.errors, {"units": "1/s"}),
            "running": (("t", "order"), self.running, {"units": "1/s"}),
        }
        attributes = {"title": f"Lyapunov exponents of {self.title}", "format": "rollick exponents 1"}
        return xr.Dataset(variables, coords={"t": ("t", self.t, {"units": "s"})}, attrs=attributes)

    @property
    def provenance(self) -> dict[str, Any]:
        """System and versions."""
        return {"system": self.system_name, "model": self.model, **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """The exponents."""
        return {
            "exponents": self.values.tolist(),
            "standard_errors": self.errors.tolist(),
            "sum": self.sum,
            "mean_divergence": self.divergence,
            "dimension": self.dimension,
            "length": float(self.t[-1]),
            "lost_directions": self.lost,
        }

    def summary(self) -> str:
        """The exponents with their errors."""
        lines = [f"Lyapunov exponents of {self.title}", f"status     {self.status}: {self.message}"]
        lines.append(
            "exponents  "
            + ", ".join(with_error(v, e) if np.isfinite(v) else "-inf" for v, e in zip(self.values, self.errors))
            + " 1/s"
        )
        if self.divergence is not None:
            lines.append(f"sum        {self.sum:.8g}; mean divergence {self.divergence:.8g} 1/s")
        if self.lost:
            lines.append(
                f"lost       {self.lost} of {self.values.size} directions: where slip ends, or a contact takes it away, motions that differ by it become one (exponent -inf)"
            )
        lines.append(f"dimension  {self.dimension:.4g} (Kaplan-Yorke)")
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """How the exponents converge; returns the figure."""
        from ..plotting import figure, finished

        fig, axes = figure(1, 1, width=7.0, height=3.6)
        ax = axes[0, 0]
        for k, value in enumerate(self.values):
            if np.isfinite(value):
                ax.plot(self.t, self.running[:, k], linewidth=1.1, label=with_error(value, self.errors[k]))
        ax.axhline(0.0, color="0.5", linewidth=0.8)
        ax.set_xlabel("t [s]")
        ax.set_ylabel("estimates [1/s]")
        ax.set_title(f"Lyapunov exponents of {self.title}", loc="left", fontsize=10)
        ax.legend(frameon=False, fontsize=8)
        return finished(fig, path)


def spectrum(
    system: Any,
    start: Any,
    until: Any,
    intervals: int = 1000,
    discard: float = 0.1,
    rtol: float = 1e-9,
    progress: bool | None = None,
    resets: Any = (),
) -> Spectrum:
    """All Lyapunov exponents of the motion from a start.

    `intervals`: how often the frame is made orthonormal again; over one of them its vectors must stay apart in double precision. `discard`: the part of the
    motion at its beginning that is not counted. Ctrl-C keeps what was found until then. Bodies whose contacts can hold, or are several, are followed as by method="event-driven",
    through their impacts; so are systems with a `contact_form`. `resets`: where the state jumps, `Reset(Event("x", "falling"), after)`; a system with an impact law (`impact_gap`, `impact_map`) needs none.
    """
    modes = has_modes(system)
    if modes and resets:
        raise InputError(f"{called(system)} is followed from mode to mode, its impacts are its own; leave resets out.")
    system = system if modes else check_system(with_rate(system))
    end = number(until, "until", "s")
    intervals, discard = whole(intervals, "intervals", 1), number(discard, "discard")
    if end <= 0.0 or intervals < 2 * BLOCKS or not 0.0 <= discard < 0.9:
        raise InputError(
            f"until = {until!r} must be above zero, intervals = {intervals} at least {2 * BLOCKS}, and 0 <= discard = {discard} < 0.9."
        )
    skipped = int(discard * intervals)
    if modes:
        logs, ends, stopped = growth_in_modes(system, start, end, intervals, rtol, progress)
        kept, since = _enough(logs[skipped:]), float(ends[skipped - 1]) if skipped else 0.0
        return Spectrum(system, kept, (float(ends[-1]) - since) / len(kept), None, stopped, since)
    y, _ = settle(system, state_vector(system, start))
    if has_dry_friction(system):
        raise InputError(
            f"{called(system)} has dry friction of a kind that is not followed from mode to mode; its exponents cannot be had. Take Coulomb friction, or a smooth law such as "
            f"Regularised(mu, eps)."
        )
    jumps = resets_of(system, resets)
    with Progress(progress, 0.0, end) as bar:
        if jumps:
            logs, divergence, stopped = growth_through_resets(system, y, jumps, end, intervals, rtol, bar)
            divergence = divergence * intervals / end
        else:
            logs, divergence, stopped = _smoothly(system, np.array(y, float), end, intervals, rtol, bar)
    return Spectrum(
        system,
        _enough(logs[skipped:]),
        end / intervals,
        None if divergence is None else divergence[skipped:],
        stopped,
        skipped * end / intervals,
    )


def _enough(kept: np.ndarray) -> np.ndarray:
    if len(kept) < 2 * BLOCKS:
        raise InputError(
            f"only {len(kept)} intervals were followed before it was interrupted, too few to tell exponents from; at least {2 * BLOCKS} are needed."
        )
    return kept


def _orthonormal(frame: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q and ln|R_ii|; the directions that were lost get -inf."""
    Q, R = np.linalg.qr(frame)
    sizes = np.abs(np.diag(R))
    with np.errstate(divide="ignore"):
        return Q, np.where(sizes > LOST * max(float(sizes.max()), NOTHING), np.log(sizes), -np.inf)


def _smoothly(
    system: Any, y: np.ndarray, end: float, intervals: int, rtol: float, bar: Any
) -> tuple[np.ndarray, np.ndarray, bool]:
    """The logarithms of growth in each interval, and the mean divergence over it; whether somebody stopped it."""
    n = int(dim(system))
    method = DOP853(rtol=rtol)
    full = np.concatenate([y, np.eye(n).ravel()])
    logs, divergence = [], []
    with compiling("the transition matrix", system):
        try_once(system, 0.0, y)
        steps = Marching(with_transition(system), full, end, method)
        jacobian = JacobianAlong(system)
    nodes, weights = np.polynomial.legendre.leggauss(4)
    try:
        for k in range(intervals):
            total, before = 0.0, end * k / intervals
            span = end / intervals
            for x, w in zip(nodes, weights):
                _until(steps, before + 0.5 * span * (1.0 + x), system)
                total += 0.5 * w * float(np.trace(jacobian(steps.t, full[:n])))
            _until(steps, before + span, system)
            Q, grown = _orthonormal(full[n:].reshape(n, n).T)  # stored column by column
            logs.append(grown)
            divergence.append(total)
            if not np.all(np.isfinite(grown)):
                raise InputError(
                    f"over {span:.3g} s the directions of {called(system)} shrink by more than double precision can tell apart; raise intervals = {intervals}."
                )
            full[n:] = Q.T.ravel()
            steps.rate[n:] = (jacobian(steps.t, full[:n]) @ Q).T.ravel()  # which the next step begins with
            bar.update(steps.t)
    except KeyboardInterrupt:
        return np.array(logs).reshape(-1, n), np.array(divergence), True
    return np.array(logs), np.array(divergence), False


def _until(steps: Marching, t: float, system: Any) -> None:
    if not steps.until(t):
        raise InputError(
            f"the motion of {called(system)} breaks off at t = {steps.t:.6g}; choose another start, or a shorter time."
        )
