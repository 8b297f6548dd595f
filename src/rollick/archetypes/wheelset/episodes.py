"""Slip episodes: from a rolling oscillation over the ellipse of onset (5.58) through slip to rolling again.

An oscillation of amplitude a between both critical amplitudes begins where rolling is easiest (y = a where yaw limits rolling, Psi = a/eta where lateral
motion does), rolls to the ellipse, slips, and rolls again with another amplitude: the ratio tells whether slip damps (below one) or pumps (above).
Above the larger critical amplitude no part of the oscillation rolls; the episode then begins with slip, at the place of least demand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from ...motion.simulate import simulate
from .dry import DryWheelset
from .slip_limit import critical_amplitudes, slip_ellipse

LONGEST = 24  # periods of the kinematic oscillation that slip may last


class Episode(NamedTuple):
    """One episode: amplitude before (m), onset of slip and its duration (s), states where it begins and ends, the ratio of amplitudes after and before.

    stuck: whether slip ended within `LONGEST` periods (otherwise duration and ratio are NaN). rolls: whether some of the oscillation rolls.
    """

    amplitude: float
    onset: float
    duration: float
    begins: np.ndarray
    ends: np.ndarray
    ratio: float
    stuck: bool
    rolls: bool
    modes: tuple[str, ...]

    @property
    def after(self) -> float:
        """The amplitude afterwards (m)."""
        return self.ratio * self.amplitude


def amplitude_of(w: DryWheelset, state: Any) -> float:
    """sqrt(y^2 + eta^2 Psi^2) of a state."""
    return float(np.hypot(state[0], w.eta * state[1]))


def easiest_start(w: DryWheelset, amplitude: float) -> np.ndarray:
    """The state of a rolling oscillation that needs the least friction: y = a, or Psi = a/eta."""
    limits = critical_amplitudes(w)
    return np.array([amplitude, 0, 0, 0, 0]) if limits.governs == "yaw" else np.array([0, amplitude / w.eta, 0, 0, 0])


def onset_time(w: DryWheelset, amplitude: float) -> float:
    """When the oscillation reaches the ellipse from `easiest_start`, in closed form: the demand is (a/l)^2 cos^2 + (a/s)^2 sin^2 of omega_L t = 1."""
    at = slip_ellipse(w)
    small, large = sorted((at.y, w.eta * at.Psi))
    if not small < amplitude < large:
        raise InputError(
            f"the amplitude {amplitude:.6g} m must lie between both critical amplitudes, {small:.6g} and {large:.6g} m: below, nothing slips; above, nothing rolls."
        )
    square = (1.0 - (amplitude / large) ** 2) / ((amplitude / small) ** 2 - (amplitude / large) ** 2)
    return float(np.arcsin(np.sqrt(square)) / w.omega_L)


def slip_episode(w: DryWheelset, amplitude: float, rtol: float = 1e-10, longest: int = LONGEST, system: Any = None) -> Episode:
    """One episode from an amplitude above the critical one, from mode to mode. system: what to simulate instead (the same wheelset with load transfer)."""
    if w.omega_L <= 0.0:
        raise InputError("a wheelset without kinematic oscillation (omega_L = 0) has no slip episodes.")
    limits = critical_amplitudes(w)
    if not limits.amplitude < amplitude < np.inf:
        raise InputError(
            f"the amplitude {amplitude:.6g} m must be above the critical one, {limits.amplitude:.6g} m ({limits.governs}): below it nothing slips."
        )
    rolls = amplitude < limits.largest
    start, first = easiest_start(w, amplitude), onset_time(w, amplitude) if rolls else 0.0
    period = 2.0 * np.pi / w.omega_L
    spans = sorted({0.75, min(4.0, float(longest)), float(longest)})  # most episodes are short
    for span in spans:
        motion = simulate(
            w if system is None else system, start, first + span * period, method="event-driven", rtol=rtol, progress=False
        )
        slips = [e for e in motion.events if e.name == "slip"]
        onset, begins = (slips[0].t, slips[0].state) if slips else (0.0, start)
        modes = tuple(name for name, _ in motion.provenance["methods"])
        again = next((t for name, t in motion.provenance["methods"] if name == "RR" and t > onset), np.inf)
        stick = next((e for e in motion.events if e.name == "stick" and e.t >= again - 1e-9 * period), None)
        if stick is not None:
            ratio = amplitude_of(w, stick.state) / amplitude
            return Episode(amplitude, onset, stick.t - onset, begins, stick.state, ratio, True, rolls, modes)
        if not motion.complete:
            break
    return Episode(amplitude, onset, np.nan, begins, motion.end_state, np.nan, False, rolls, modes)
