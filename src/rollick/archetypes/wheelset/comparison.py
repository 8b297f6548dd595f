"""The same oscillation with dry friction and with creep, and with the terms that chapter 5 leaves out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, whole
from ...motion.result.outcome import MotionWarning
from ...motion.simulate import simulate
from .creep import LAWS, creep_wheelset
from .dry import DryWheelset
from .episodes import easiest_start, slip_episode
from .load_transfer import LoadedWheelset
from .slip_limit import critical_amplitudes


class LawRow(NamedTuple):
    """A law of friction, the amplitude (largest over the last period) over that at the start, its extent in the last period (m), the largest slip (m/s), the motion."""

    law: str
    ratio: float
    low: float
    high: float
    slip: float
    motion: Any


class TermRow(NamedTuple):
    """One slip episode with some terms: duration of slip (s), ratio of amplitudes, and the modes that it goes through."""

    terms: str
    duration: float
    ratio: float
    modes: tuple[str, ...]


def compare_laws(
    w: DryWheelset,
    over: float = 1.2,
    periods: int = 10,
    kappa: tuple[float, float] = (5800.0, 5300.0),
    laws: Sequence[str] = LAWS,
    rtol: float = 1e-8,
    spin: tuple[float, float] = (0.0, 0.0),
) -> list[LawRow]:
    """Dry friction and laws of creep from the same start, `over` times the critical amplitude; kappa: creep coefficients per mass along and across (m/s^2).

    spin: the coefficient of spin per mass (m^2/s^2) and the angle of the contacts (rad), for laws that know it.
    """
    count = whole(periods, "periods", 2)
    if not 0.0 < over < np.inf:
        raise InputError(f"over = {over!r} must be above zero: a multiple of the critical amplitude.")
    period = 2.0 * np.pi / w.omega_L
    amplitude = over * critical_amplitudes(w).amplitude
    start, at = easiest_start(w, amplitude), np.linspace(0.0, count * period, 200 * count + 1)
    rows = []
    for name, system in [("dry", w), *((law, creep_wheelset(w, law, *kappa, *spin)) for law in laws)]:
        method = "event-driven" if name == "dry" else "auto"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            motion = simulate(system, start, at[-1], method=method, rtol=rtol, at=at, progress=False)
        extent = motion["amplitude"][motion.t >= at[-1] - period]
        slip = float(np.maximum(motion["slip_plus"], motion["slip_minus"]).max())
        low, high = float(extent.min()), float(extent.max())
        rows.append(LawRow(name, high / amplitude, low, high, slip, motion))
    return rows


def dropped_terms(w: DryWheelset, over: float = 1.2, mu: float = 0.3, roll: float = 0.1, rtol: float = 1e-9) -> list[TermRow]:
    """What load transfer and gyroscopic moments change in a slip episode; roll: of the wheelset per lateral displacement (rad/m)."""
    amplitude = over * critical_amplitudes(w).amplitude
    cases = {
        "thesis": w,
        "none of them, normal forces unknown": LoadedWheelset(w, mu, 0.0, 0.0, 0.0),
        "load transfer": LoadedWheelset(w, mu, 1.0, 0.0, 0.0),
        "gyroscopic": LoadedWheelset(w, mu, 0.0, 1.0, roll),
        "both": LoadedWheelset(w, mu, 1.0, 1.0, roll),
    }
    rows = []
    for name, system in cases.items():
        made = slip_episode(w, amplitude, rtol, system=None if system is w else system)
        rows.append(TermRow(name, made.duration, made.ratio, made.modes))
    return rows
