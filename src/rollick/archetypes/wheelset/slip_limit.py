"""Where the rolling wheelset begins to slip (section 5.4): the ellipse, the critical amplitudes against speed, crossings and resonances.

Rolling at both contacts holds where B^2 y^2 + (A/M_psi)^2 Psi^2 < 4 C^2 (5.59); outside both slip, symmetrically. An oscillation y^2 + eta^2 Psi^2 = a^2 (5.61)
stays inside for a < min(2C/|B|, 2C M_psi eta/|A|) (5.63), (5.65). omega_L grows with the speed, eta does not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .dry import DryWheelset
from .fields import offsets, static_forces, straight


class Critical(NamedTuple):
    """Amplitudes (m) above which slip begins: `lateral` = 2C/|B| at the largest y (5.63), `yaw` = 2C M_psi eta/|A| at the largest Psi (5.65).

    amplitude: the smaller one, governs: its name. Between both, part of an oscillation rolls; above both nothing does.
    """

    lateral: float
    yaw: float

    @property
    def amplitude(self) -> float:
        """The least of both."""
        return min(self.lateral, self.yaw)

    @property
    def largest(self) -> float:
        """The larger one: a larger oscillation rolls nowhere."""
        return max(self.lateral, self.yaw)

    @property
    def governs(self) -> str:
        """Which one limits rolling."""
        return "lateral" if self.lateral <= self.yaw else "yaw"


class Ellipse(NamedTuple):
    """B^2 y^2 + (A/M_psi)^2 Psi^2 = 4 C^2 (5.58): its half axes along y and Psi (m), infinite at a resonance."""

    y: float
    Psi: float

    def inside(self, y: Any, Psi: Any) -> Any:
        """Whether a state without slip goes on rolling."""
        return (np.asarray(y) / self.y) ** 2 + (np.asarray(Psi) / self.Psi) ** 2 < 1.0


def over(a: float, b: float) -> float:
    """a/|b|, infinite where b is zero."""
    return a / abs(b) if b != 0.0 else np.inf


def slip_ellipse(w: DryWheelset) -> Ellipse:
    """The ellipse of the onset of slip; its half axis along Psi is the place of the lines (5.52) at which one contact alone would slip."""
    A, B = offsets(straight(w))
    return Ellipse(over(2.0 * w.C, B), over(2.0 * w.C * w.M_psi, A))


def slip_demand(w: DryWheelset, y: Any, Psi: Any) -> Any:
    """The friction that rolling needs over what there is: one on the ellipse."""
    at = slip_ellipse(w)
    return np.hypot(np.asarray(y) / at.y, np.asarray(Psi) / at.Psi)


def onset_direction(w: DryWheelset, y: float, Psi: float) -> tuple[float, float]:
    """The angles (phi+, phi-) of (u1, ua) along which slip begins on the ellipse (5.57)."""
    A, B = offsets(straight(w))
    plus = float(np.arctan2(-B * y, A * Psi / w.M_psi))
    return plus, float(np.pi - plus)


def critical_amplitudes(w: DryWheelset) -> Critical:
    """Both critical amplitudes at the present speed."""
    at = slip_ellipse(w)
    return Critical(at.y, w.eta * at.Psi)


def scanned_amplitude(w: DryWheelset, count: int = 4001) -> float:
    """The critical amplitude by another route: the largest force of rolling at a contact along an orbit of amplitude one, polished by a parabola."""
    phase = np.linspace(-0.5 * np.pi, np.pi, count)
    forces = [static_forces(w, [np.cos(p), np.sin(p) / w.eta]).forces[0] for p in phase]
    need = np.array([np.hypot(f[1], f[2]) for f in forces])
    k = int(np.argmax(need[1:-1])) + 1
    low, top, high = need[k - 1 : k + 2]
    bend = low - 2.0 * top + high
    return w.C / float(top - (high - low) ** 2 / (8.0 * bend) if bend < 0.0 else top)


class Special(NamedTuple):
    """Special angular frequencies omega_L (rad/s): resonances alpha_y and alpha_psi, where an amplitude is unlimited, and crossings of both curves (5.66).

    omega_L2 is None where it does not exist.
    """

    alpha_y: float
    alpha_psi: float
    omega_L1: float
    omega_L2: float | None


def special_frequencies(w: DryWheelset) -> Special:
    """Resonances and crossings (5.66)."""
    p = w.M_psi * w.eta
    first = np.sqrt((w.alpha_psi**2 + p * w.alpha_y**2) / (1.0 + p))
    square = (w.alpha_psi**2 - p * w.alpha_y**2) / (1.0 - p) if p != 1.0 else -1.0
    return Special(w.alpha_y, w.alpha_psi, float(first), float(np.sqrt(square)) if square > 0.0 else None)


def at_speed(w: DryWheelset, v: float) -> DryWheelset:
    """The same wheelset at another speed: omega_L grows in proportion."""
    if not 0.0 <= v < np.inf:
        raise InputError(f"the speed {v!r} must be a finite number, zero or above (m/s).")
    if w.v <= 0.0:
        raise InputError("a wheelset at rest does not tell how its oscillation depends on the speed; make it with v above zero.")
    return w._replace(v=float(v), omega_L=w.omega_L * float(v) / w.v)


def special_speeds(w: DryWheelset) -> dict[str, float | None]:
    """The speeds (m/s) of resonances and crossings."""
    if w.omega_L <= 0.0 or w.v <= 0.0:
        raise InputError("a wheelset without kinematic oscillation (omega_L = 0 or v = 0) has no special speeds.")
    return {name: None if x is None else x * w.v / w.omega_L for name, x in special_frequencies(w)._asdict().items()}


def critical_curve(w: DryWheelset, speeds: Any) -> np.ndarray:
    """Rows (lateral, yaw) of critical amplitudes at many speeds (m/s)."""
    return np.array([critical_amplitudes(at_speed(w, float(v))) for v in np.atleast_1d(np.asarray(speeds, float))])
