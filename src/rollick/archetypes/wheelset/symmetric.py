"""Symmetric slip, u1- = -u1+ = -u1: four states z = (y, Psi, u1, ua) in plain NumPy and SciPy; M_phi drops out (section 5.4.1).

    y' = omega_L eta Psi + ua,   Psi' = -(omega_L/eta) y - u1,
    u1' = A Psi - (omega_L/eta) ua - 2 M_psi C u1/|u|,   ua' = -B y + omega_L eta u1 - 2 C ua/|u|,   |u|^2 = u1^2 + ua^2

Slip above the crossing speed may last for ever: a limit cycle, found here by shooting over half a period (x -> -x is a symmetry), with its multipliers. A slip
that is not symmetric, u1+ + u1- = s, fades beside it: s' = -2 M_phi C (ua^2/|u|^3) s to first order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from .dry import DryWheelset
from .fields import offsets


class SlipCycle(NamedTuple):
    """A limit cycle on which both contacts slip all the time: its period (s), a state (y, Psi, u1, ua), the least and largest amplitude sqrt(y^2 + eta^2 Psi^2).

    multipliers: those of half a period with x -> -x, the trivial one left out; fading: of slip that is not symmetric, over half a period. residual: of closing.
    """

    period: float
    state: np.ndarray
    low: float
    high: float
    multipliers: np.ndarray
    fading: float
    residual: float

    @property
    def stable(self) -> bool:
        """Whether all perturbations fade."""
        return bool(np.abs(self.multipliers).max() < 1.0 and self.fading < 1.0)


def slip_rate(w: DryWheelset, z: np.ndarray) -> np.ndarray:
    """z'."""
    A, B = offsets(w)
    size = np.hypot(z[2], z[3])
    return np.array(
        [
            w.omega_L * w.eta * z[1] + z[3],
            -w.omega_L / w.eta * z[0] - z[2],
            A * z[1] - w.omega_L / w.eta * z[3] - 2.0 * w.M_psi * w.C * z[2] / size,
            -B * z[0] + w.omega_L * w.eta * z[2] - 2.0 * w.C * z[3] / size,
        ]
    )


def slip_for(w: DryWheelset, z: np.ndarray, t: float, count: int = 0) -> Any:
    """Symmetric slip for a time; with `count` output instants, the whole solution, else the last state. None where the slip ends."""

    def stops(_: float, x: np.ndarray) -> float:
        return float(np.hypot(x[2], x[3])) - 1e-9 * w.C / max(w.omega_L, 1e-9)

    stops.terminal = True  # type: ignore[attr-defined]
    at = np.linspace(0.0, t, count) if count else None
    made = solve_ivp(lambda _, x: slip_rate(w, x), (0.0, t), z, method="DOP853", rtol=1e-11, atol=1e-14, events=stops, t_eval=at)
    if made.status == 1:
        return None
    return made if count else made.y[:, -1]


def closes(w: DryWheelset, unknown: np.ndarray) -> np.ndarray | None:
    """z(T/2) + z(0) for z(0) = (0, Psi, u1, ua) and T/2 as unknown = (Psi, u1, ua, T/2), in units of length and of slip; None where slip ends."""
    z = np.array([0.0, *unknown[:3]])
    end = slip_for(w, z, float(unknown[3]))
    return None if end is None else (end + z) * np.array([1.0, 1.0, 1.0 / w.omega_L, 1.0 / w.omega_L])


def slip_cycle(w: DryWheelset, guess: Any) -> SlipCycle | None:
    """The cycle near a state (y, Psi, u1, ua) of slip, by Newton's method from where y next rises through zero; None where there is none."""
    found = slip_for(w, np.asarray(guess, float), 4.0 * np.pi / w.omega_L, 4001)
    if found is None:
        return None
    y = found.y[0]
    rises = np.flatnonzero((y[:-1] < 0.0) & (y[1:] >= 0.0))
    falls = np.flatnonzero((y[:-1] > 0.0) & (y[1:] <= 0.0))
    later = falls[falls > rises[0]] if rises.size else falls
    if not rises.size or not later.size:
        return None
    x = np.array([*found.y[1:, rises[0]], found.t[later[0]] - found.t[rises[0]]])
    scale = np.array([abs(x[0]), np.hypot(x[1], x[2]), np.hypot(x[1], x[2]), x[3]])
    for _ in range(30):
        off = closes(w, x)
        if off is None:
            return None
        J = np.empty((4, 4))
        for k in range(4):
            e = np.zeros(4)
            e[k] = 1e-6 * scale[k]
            up, down = closes(w, x + e), closes(w, x - e)
            if up is None or down is None:
                return None
            J[:, k] = (up - down) / (2e-6 * scale[k])
        step = np.linalg.lstsq(J, off, rcond=None)[0]
        x = x - step / max(1.0, float(np.abs(step / scale).max()) / 0.2)
        if np.abs(step / scale).max() < 1e-10:
            break
    else:
        return None
    return _measured(w, np.array([0.0, *x[:3]]), float(x[3]))


def _measured(w: DryWheelset, z: np.ndarray, half: float) -> SlipCycle | None:
    """The multipliers and the extent of a cycle."""
    unit = np.array([1.0, 1.0, w.omega_L, w.omega_L]) * max(abs(z[1]), 1e-12)
    whole = slip_for(w, z, half, 2001)
    if whole is None:
        return None
    M = np.empty((4, 4))
    for k in range(4):
        e = np.zeros(4)
        e[k] = 1e-6 * unit[k]
        up, down = slip_for(w, z + e, half), slip_for(w, z - e, half)
        if up is None or down is None:
            return None
        M[:, k] = -(up - down) / (2e-6 * unit)
    values = np.linalg.eigvals(M)
    others = np.delete(values, int(np.argmin(np.abs(values - 1.0))))
    size = np.hypot(whole.y[2], whole.y[3])
    fading = float(np.exp(-2.0 * w.M_phi * w.C * np.trapezoid(whole.y[3] ** 2 / size**3, whole.t)))
    extent = np.hypot(whole.y[0], w.eta * whole.y[1])
    residual = float(np.abs((whole.y[:, -1] + z) / unit).max())
    return SlipCycle(2.0 * half, z, float(extent.min()), float(extent.max()), others, fading, residual)
