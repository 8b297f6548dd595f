"""A design report: over which range this ball, fluid and vessel meter linearly, what ends the range, and what to change."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scipy.optimize import brentq

from ...kernel.names import InputError
from .bifurcations import Bifurcation, bifurcations, chart_case, hysteresis
from .drag import CRISIS, drag_acceleration, schiller_naumann, slope_at_rest
from .response import largest_pulsation, settling_time, time_constant
from .stationary import stationary_states
from .system import FlowMeter
from .thresholds import StartUp, Thresholds, start_up, thresholds

CASES = {
    "A": "low friction (mu < mu_fold): one stable state at every swirl",
    "B": "usual friction (mu < j): beyond rolling the ball lags behind, and there is a range with two stable states",
    "C": "high friction (mu > j): v = v_f at every swirl, but beyond rolling nothing presses the ball onto the floor",
}


@dataclass(frozen=True)
class DesignReport:
    """What limits a meter; speeds in m/s of the swirl at the ball's circle."""

    meter: FlowMeter
    case: str
    limits: Thresholds
    changes: tuple[Bifurcation, ...]
    limited_by: str
    beyond: list[tuple[float, float | None]]
    hysteresis: tuple[float, float] | None
    operating: float
    start: StartUp
    lag: float
    settling: float
    pulsation: tuple[float, float] | None
    friction_needed: float | None
    wanted: float | None
    reynolds: float | None
    drag_factor: float | None
    swirl_per_flow: float | None

    @property
    def range(self) -> float:
        """The largest swirl at which the ball rolls, and meters linearly: v = v_f."""
        return self.limits.rolling

    def summary(self) -> str:
        """The report in words."""
        m = self.meter
        per = 2.0 * math.pi * m.d
        lines = [
            f"ball r = {m.r:g} m on a circle of d = {m.d:g} m, reduced gravity {m.g:.4g} m/s^2, mu = {m.mu:g}, j = {m.j:g}",
            f"case {self.case}: {CASES[self.case]}",
            f"meters linearly (v = v_f, both contacts roll) up to v_f = {self.range:.6g} m/s, {self.range / per:.4g} rounds per second",
        ]
        if self.swirl_per_flow is not None:
            lines.append(f"that is a flow rate of {self.range / self.swirl_per_flow:.6g} m^3/s")
        lines.append(f"limited by: {self.limited_by}")
        for factor, ratio in self.beyond:
            lines.append(f"at {factor:g} times the limit: " + ("no stable state" if ratio is None else f"v/v_f = {ratio:.4f}"))
        if self.hysteresis is not None:
            low, high = self.hysteresis
            lines.append(f"two stable states from v_f = {low:.6g} to {high:.6g} m/s: the reading depends on the history")
        lines += [f"{b.name:<5} at v_f = {b.v_f:.6g} m/s: {b.meaning}" for b in self.changes]
        lines.append(
            f"from v_f = {self.limits.SR_SS:.6g} m/s on the wall alone may carry the ball (X_SR), with N+ = 0: it gets there as the flow falls; a flow that grows lifts it off the floor"
        )
        lines.append(
            f"start-up at v_f = {self.operating:g} m/s: begins as {self.start.first}, both contacts roll from v = {self.start.rolls_from:.4g} m/s on; a ball without slip may "
            f"already roll from {self.start.wedged_from:.4g} m/s on ({self.start.band:.1%} earlier)"
        )
        steady = "drag has no slope there" if math.isinf(self.lag) else f"time constant {self.lag:.4g} s"
        lines.append(
            f"follows small changes: {steady}; a change of 10 % of v_f is down to 1 % of itself after {self.settling:.4g} s"
        )
        if self.pulsation is not None:
            frequency, most = self.pulsation
            lines.append(
                f"pulsating with {frequency:g} Hz about {self.operating:g} m/s it rolls up to an amplitude of {most:.4g} m/s"
            )
        if self.wanted is not None:
            lines.append(
                f"for a range up to {self.wanted:g} m/s: "
                + (
                    f"mu >= {self.friction_needed:.4g}"
                    if self.friction_needed is not None
                    else f"no friction suffices, the ball leaves the floor at {math.sqrt(m.g * m.d / m.j):.4g} m/s; make it heavier, or the vessel wider"
                )
            )
        if self.reynolds is not None:
            lines.append(
                f"at start-up Re = {self.reynolds:.3g}"
                + (" (beyond the drag crisis of a sphere, 2e5: these laws do not hold)" if self.reynolds > CRISIS else "")
            )
            if self.drag_factor is not None and not 0.8 < self.drag_factor < 1.25:
                lines.append(
                    f"the drag law gives {self.drag_factor:.3g} times the drag of Schiller and Naumann there: times and the fold are as far off; the limit of rolling does not depend on it"
                )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "case": self.case, "about": CASES[self.case], "range": self.range, "rounds_per_second": self.range / (2.0 * math.pi * self.meter.d),
            "flow_rate": None if self.swirl_per_flow is None else self.range / self.swirl_per_flow,
            "limited_by": self.limited_by, "limits": self.limits._asdict(), "beyond": [{"factor": f, "v_over_v_f": r} for f, r in self.beyond],
            "hysteresis": None if self.hysteresis is None else list(self.hysteresis),
            "bifurcations": [{"name": b.name, "v_f": b.v_f, "meaning": b.meaning, "below": list(b.below), "above": list(b.above)} for b in self.changes],
            "start_up": {"v_f": self.operating, **self.start._asdict(), "band": self.start.band},
            "time_constant": self.lag, "settling_time": self.settling,
            "pulsation": None if self.pulsation is None else {"frequency": self.pulsation[0], "largest_amplitude": self.pulsation[1]},
            "wanted": self.wanted, "friction_needed": self.friction_needed, "reynolds": self.reynolds, "drag_factor": self.drag_factor,
        }  # fmt: skip


def friction_for(meter: FlowMeter, v_f: float) -> float | None:
    """The least friction with which the ball rolls up to a swirl: (4.63) solved for mu; None beyond sqrt(g d/j), where the ball leaves the floor."""
    if v_f > math.sqrt(meter.g * meter.d / meter.j):
        return None
    short = lambda mu: thresholds(meter._replace(mu=mu)).rolling - v_f
    low = 1e-9
    return low if short(low) >= 0.0 else float(brentq(short, low, min(meter.j * (1.0 - 1e-12), 0.999), xtol=1e-14))


def design_report(
    meter: FlowMeter,
    operating: float | None = None,
    frequency: float | None = None,
    wanted: float | None = None,
    nu: float | None = None,
    density_ratio: float | None = None,
    swirl_per_flow: float | None = None,
) -> DesignReport:
    """The report of a meter. operating: a swirl of interest (default: that of its flow); frequency: of a pulsation (Hz); wanted: a range it should have;
    nu (and rho_f/rho_b): to judge the drag law by its Reynolds number."""
    limits, changes, case = thresholds(meter), bifurcations(meter), chart_case(meter)
    at = float(operating if operating is not None else getattr(meter.flow, "v_f", 0.5 * limits.rolling))
    if not 0.0 < at < math.inf:
        raise InputError(f"operating = {at!r} (by default the swirl of the meter's flow) must be a speed above zero, in m/s.")
    if wanted is not None and not 0.0 < wanted < math.inf:
        raise InputError(f"wanted = {wanted!r} must be a swirl above zero, in m/s.")
    if case == "C":
        why = "the floor: N+ goes to zero, the ball separates and bounces"
    else:
        why = "friction: both contacts begin to slip together, and the reading falls behind the flow"
    beyond: list[tuple[float, float | None]] = []
    for times in (1.05, 1.5, 3.0):
        stable = [s for s in stationary_states(meter, times * limits.rolling) if s.stability != "unstable"]
        beyond.append((times, stable[0].v / stable[0].v_f if stable else None))
    reynolds = None if nu is None else 2.0 * meter.r * at / nu
    factor = None
    if nu is not None and density_ratio is not None:
        truth = schiller_naumann(meter.r, density_ratio, nu)
        factor = float(drag_acceleration(meter.drag, at)) / float(drag_acceleration(truth, at))
    return DesignReport(
        meter,
        case,
        limits,
        changes,
        why,
        beyond,
        hysteresis(meter),
        at,
        start_up(meter, at),
        time_constant(meter) if slope_at_rest(meter.drag) > 0.0 else math.inf,
        settling_time(meter, 0.1 * at),
        None if frequency is None else (frequency, largest_pulsation(meter, at, frequency)),
        None if wanted is None else friction_for(meter, wanted),
        wanted,
        reynolds,
        factor,
        swirl_per_flow,
    )
