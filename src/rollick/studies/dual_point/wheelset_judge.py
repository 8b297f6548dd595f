"""Slip episodes of the wheelset by two routes that share nothing with the solver: symmetric slip from a trace of it, and friction that is smoothed.

1. Slip that begins on the ellipse: after a time d the rolling oscillation is outside, the slip is g d^2/2 along its direction. From there the four equations of
   symmetric slip are integrated by SciPy until the slip is as good as zero; the rest is a straight line.
2. The regularised twin: friction -C u/sqrt(|u|^2 + eps^2) at both contacts in all five equations, a stiff ODE without modes; rolling is slow slip there.

Chapter 5 as printed: its fields, for the errata.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from ...archetypes.wheelset.dry import DryWheelset
from ...archetypes.wheelset.episodes import easiest_start, onset_time
from ...archetypes.wheelset.fields import offsets, slipping
from ...archetypes.wheelset.symmetric import slip_rate


class JudgedEpisode(NamedTuple):
    """Onset (s), duration (s), ratio of amplitudes."""

    onset: float
    duration: float
    ratio: float


def rolling_state(w: DryWheelset, start: np.ndarray, t: float) -> np.ndarray:
    """(y, Psi) of the kinematic oscillation from a start, in closed form."""
    c, s = np.cos(w.omega_L * t), np.sin(w.omega_L * t)
    return np.array([c * start[0] + w.eta * s * start[1], c * start[1] - s * start[0] / w.eta])


def symmetric_episode(w: DryWheelset, amplitude: float, early: float = 1e-5, level: float = 1e-9) -> JudgedEpisode:
    """Route 1; early: d times omega_L; level: slip that counts as none, in units of C/omega_L."""
    start, onset = easiest_start(w, amplitude), onset_time(w, amplitude)
    d = early / w.omega_L
    y, Psi = rolling_state(w, start, onset + d)
    A, B = offsets(w)
    pull = np.array([A * Psi / w.M_psi, -B * y])  # what friction 2C has to hold, per direction
    growth = (float(np.hypot(*pull)) - 2.0 * w.C) / d
    n = pull / np.hypot(*pull)
    mobility = np.array([w.M_psi, 1.0])
    slip = 0.5 * growth * d * d * mobility * n
    small = level * w.C / w.omega_L

    def stops(t: float, z: np.ndarray) -> float:
        return float(np.hypot(z[2], z[3])) - small

    stops.terminal, stops.direction = True, -1  # type: ignore[attr-defined]
    until = 20.0 * 2.0 * np.pi / w.omega_L
    made = solve_ivp(
        lambda t, z: slip_rate(w, z), (0.0, until), [y, Psi, *slip], method="LSODA", rtol=1e-12, atol=1e-16, events=stops
    )
    z = made.y[:, -1]
    rate = slip_rate(w, z)
    left = -float(z[2:] @ z[2:]) / float(z[2:] @ rate[2:])
    end = z + left * rate
    return JudgedEpisode(onset, d + float(made.t[-1]) + left, float(np.hypot(end[0], w.eta * end[1])) / amplitude)


def twin_state(w: DryWheelset, start: np.ndarray, t: float, eps: float) -> np.ndarray:
    """Route 2: the state of the regularised twin at a time."""

    def rate(_: float, x: np.ndarray) -> np.ndarray:
        p, q = np.sqrt(x[2] ** 2 + x[4] ** 2 + eps**2), np.sqrt(x[3] ** 2 + x[4] ** 2 + eps**2)
        return slipping(w, x, -w.C * x[2] / p, -w.C * x[3] / q, -w.C * x[4] * (1.0 / p + 1.0 / q))

    made = solve_ivp(rate, (0.0, t), start, method="Radau", rtol=1e-9, atol=1e-12)
    return made.y[:, -1]


def printed_SS(w: DryWheelset, x: Any) -> np.ndarray:
    """(5.37) as printed: the sign of omega_L eta (u1+ - u1-)/2 in ua' is reversed (erratum 50)."""
    _, _, up, um, ua = np.asarray(x, float)
    p, q = np.hypot(up, ua), np.hypot(um, ua)
    made = slipping(w, x, -w.C * up / p, -w.C * um / q, -w.C * ua * (1.0 / p + 1.0 / q))
    made[4] -= w.omega_L * w.eta * (up - um)
    return made


def printed_SR(w: DryWheelset, x: Any) -> np.ndarray:
    """(5.39) as printed: 2 M_psi/(M_phi + M_psi) for 2 M_phi/(M_phi + M_psi) (erratum 51)."""
    y, Psi, up = np.asarray(x, float)[:3]
    A, _ = offsets(w)
    total = w.M_phi + w.M_psi
    du = 2.0 * w.M_psi / total * A * Psi - 4.0 * w.M_phi * w.M_psi / total * w.C * np.sign(up)
    return np.array([w.omega_L * w.eta * Psi, -w.omega_L / w.eta * y - 0.5 * up, du, 0.0, 0.0])
