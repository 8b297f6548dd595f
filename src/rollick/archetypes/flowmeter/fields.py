"""The four fields of the flowmeter in closed form (4.26)-(4.34): an independent check of the solver's form, and what the analysis stands on.

Forces are per mass, D = D(v_f - v) is the drag; x = (u1+, u1-, u2, v). Complex numbers may be put in: Jacobians are taken by complex step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...analysis.filippov.theory.double import DoubleSwitching
from ...analysis.filippov.theory.margin import StaticForces
from ...kernel.names import choose
from .drag import drag_acceleration
from .flow import swirl_speed
from .system import FlowMeter

MODES = ("SS", "SR", "RS", "RR")


def swirl_now(meter: FlowMeter, v_f: float | None, t: float) -> Any:
    """The swirl that is given, or that of the meter's flow at a time."""
    return swirl_speed(meter.flow, float(t)) if v_f is None else v_f


def carried(meter: FlowMeter, v: Any, v_f: float | None = None, t: float = 0.0) -> Any:
    """The acceleration that the drag gives to the ball (kappa of the digest)."""
    w = swirl_now(meter, v_f, t) - v
    return drag_acceleration(meter.drag, complex(w) if np.iscomplexobj(w) else float(w))


def normals_of_slip(meter: FlowMeter, v: Any, sine_plus: Any, sine_minus: Any) -> tuple[Any, Any]:
    """N+, N- while both slip, sigma = sin(phi) at each contact (4.25)."""
    w, mu = v * v / meter.d, meter.mu
    below = 1.0 + mu * mu * sine_plus * sine_minus
    return (meter.g - mu * sine_minus * w) / below, (w + meter.g * mu * sine_plus) / below


def both_slip(meter: FlowMeter, x: Any, D: Any, plus: tuple[Any, Any], minus: tuple[Any, Any]) -> np.ndarray:
    """F_SS with slip directions (cos, sin) given at both contacts (4.26)-(4.27); arrays of directions give a column each."""
    j, d, v = meter.j, meter.d, x[3]
    N_plus, N_minus = normals_of_slip(meter, v, plus[1], minus[1])
    T1p, T2p = -meter.mu * N_plus * plus[0], -meter.mu * N_plus * plus[1]
    T1m, T2m = -meter.mu * N_minus * minus[0], -meter.mu * N_minus * minus[1]
    return np.array(
        [
            D + v * x[2] / d + (1.0 + j) / j * T1p + T1m,
            D + (1.0 + j) / j * T1m + T1p,
            v * (v - x[0]) / d + (T2p + T2m) / j,
            D + T1p + T1m,
        ]
    )


def one_slips(meter: FlowMeter, mode: str, x: Any, D: Any, sign: float) -> np.ndarray:
    """F_SR (4.30) or F_RS (4.33), with this sign of the slip that there is."""
    j, N = meter.j, normals(meter, mode, x)
    T = -meter.mu * (N[0] if mode == "SR" else N[1]) * sign
    grows, zero = D / (1.0 + j) + (1.0 + 2.0 * j) / (j * (1.0 + j)) * T, 0.0 * D
    along = (D + T) / (1.0 + j)
    return np.array([grows, zero, zero, along] if mode == "SR" else [zero, grows, zero, along])


def both_roll(meter: FlowMeter, D: Any) -> np.ndarray:
    """F_RR: v' = D/(1 + 2j) (4.34)."""
    zero = 0.0 * D
    return np.array([zero, zero, zero, D / (1.0 + 2.0 * meter.j)])


def normals(meter: FlowMeter, mode: str, x: Any) -> tuple[Any, Any]:
    """N+, N- per mass in a mode in which they are unique: SS, SR or RS."""
    j, d, v = meter.j, meter.d, x[3]
    if choose(mode, MODES[:3], "mode") == "SR":
        return meter.g - j * v * (v - x[0]) / d, v * v / d
    if mode == "RS":
        return meter.g + 0.0 * v, (1.0 + j) * v * v / d
    plus, minus = directions(x)
    return normals_of_slip(meter, v, plus[1], minus[1])


def directions(x: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """(cos, sin) of the slips (u1+, u2) and (u1-, u2)."""
    made = []
    for u1 in (x[0], x[1]):
        size = np.sqrt(u1 * u1 + x[2] * x[2])
        made.append((u1 / size, x[2] / size))
    return made[0], made[1]


def field(meter: FlowMeter, mode: str, x: Any, v_f: float | None = None, t: float = 0.0) -> np.ndarray:
    """x' in a mode; v_f: another swirl than the meter's."""
    mode = choose(mode, MODES, "mode")
    D = carried(meter, x[3], v_f, t)
    if mode == "SS":
        return both_slip(meter, x, D, *directions(x))
    if mode == "RR":
        return both_roll(meter, D)
    return one_slips(meter, mode, x, D, float(np.sign(np.real(x[0 if mode == "SR" else 1]))))


def jacobian(meter: FlowMeter, mode: str, x: Any, v_f: float | None = None, t: float = 0.0) -> np.ndarray:
    """dF/dx of a mode in the velocities it leaves free: all four (SS), (u1+, v), (u1-, v), v; by complex step."""
    free = {"SS": [0, 1, 2, 3], "SR": [0, 3], "RS": [1, 3], "RR": [3]}[choose(mode, MODES, "mode")]
    columns = []
    for k in free:
        z = np.array(x, complex)
        z[k] += 1e-200j
        columns.append(field(meter, mode, z, v_f, t).imag[free] / 1e-200)
    return np.array(columns).T


def static_split(meter: FlowMeter, x: Any, v_f: float | None = None, t: float = 0.0) -> StaticForces:
    """The forces of rolling at both contacts up to the undetermined one, per mass: N+ = g + T2-, N- = v^2/d - T2+, T2+ + T2- = -j v^2/d."""
    w = float(x[3]) ** 2 / meter.d
    T1 = -meter.j * float(carried(meter, x[3], v_f, t)) / (1.0 + 2.0 * meter.j)
    forces = np.array([[meter.g, T1, -meter.j * w], [w * (1.0 + meter.j), T1, 0.0]])
    return StaticForces(forces, np.array([[1.0, 0.0, -1.0], [1.0, 0.0, 1.0]]), (meter.mu, meter.mu))


def flowmeter_fields(meter: FlowMeter, v_f: float | None = None, t: float = 0.0) -> DoubleSwitching:
    """The four fields as a double discontinuity, for Proposition 3.3 (`what_next`) and all that asks about it."""
    D = lambda x: carried(meter, x[3], v_f, t)
    angle = lambda phi: (np.cos(phi), np.sin(phi))
    here = lambda mode: lambda x: field(meter, mode, x, v_f, t)
    return DoubleSwitching(
        here("SS"),
        here("SR"),
        here("RS"),
        here("RR"),
        index=(0, 1, 2),
        directed=lambda x, plus, minus: both_slip(meter, x, D(x), angle(plus), angle(minus)),
        one_sided=lambda mode, x, sign: one_slips(meter, mode, x, D(x), sign),
        normal=lambda mode, x: normals(meter, mode, x),
        directed_normal=lambda x, plus, minus: normals_of_slip(meter, x[3], np.sin(plus), np.sin(minus)),
        static=lambda x: static_split(meter, x, v_f, t),
        names=("u1+", "u1-", "u2", "v"),
        scale=0.1 * float(np.sqrt(meter.g * meter.d)),
    )
