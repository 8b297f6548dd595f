"""Misprints of chapter 4 of Antali's thesis (the flowmeter), each shown by what it would give: target FE."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...analysis.filippov.theory.what_next import what_next
from ...archetypes.flowmeter import FlowMeter
from ...archetypes.flowmeter.fields import carried, field, flowmeter_fields, normals
from ...archetypes.flowmeter.stationary import folds, slipping, stationary_states
from ...archetypes.flowmeter.thresholds import thresholds
from ..ledger import REFUTED, Row, bound, claim
from .flowmeter import METER, x_sr_state


def errata() -> Iterator[Row]:
    """Errata 26, 30, 33-38 of chapter 4."""
    m, rng = METER, np.random.default_rng(26)
    x = rng.uniform(0.1, 0.4, 4)
    yield bound(
        "FE",
        "26, section 4.2.2: J = j m r^2: power balance of F_SS, relative",
        power_gap(m, x, m.r),
        1e-12,
        as_printed=power_gap(m, x, m.d),
        verdict=REFUTED,
    )
    side = np.array([0.3, 0.0, 0.0, 0.2])
    right = field(m, "SR", side)[0]
    N = normals(m, "SR", side)[0]
    wrong = right + 2.0 * m.mu * N * (1.0 + 2.0 * m.j) / (m.j * (1.0 + m.j))
    held = held_acceleration(m, side)
    yield bound(
        "FE",
        "30, (4.54): -(g - ...) mu sgn u1+: u1+' of F_SR against the sliding vector of F_SS",
        abs(right - held),
        1e-11,
        as_printed=abs(wrong - held),
        verdict=REFUTED,
    )
    mu, j = m.mu, m.j
    printed = math.sqrt(m.g * m.d / mu) * math.sqrt(-(mu**2) * (mu - 1.0) / (mu * mu * (j + 1.0) + j + mu))
    modes = [what_next(flowmeter_fields(m, v), [0, 0, 0, v]).mode for v in np.linspace(0.01, 0.2, 12)]
    yield claim(
        "FE",
        "33, (4.64): what Proposition 3.3 says at v_f from 0.01 to 0.2 m/s",
        ", ".join(sorted(set(modes))),
        set(modes) == {"RR"},
        printed=f"no rolling below {printed:.3f} m/s",
        verdict=REFUTED,
    )
    yield from slipping_errata()


def slipping_errata() -> Iterator[Row]:
    """Errata 34-38: the stationary state X_SS."""
    m, mu = METER, METER.mu
    phi = 0.7
    made = slipping(m, phi)
    rest = lambda y, v_f: float(np.abs(field(m, "SS", y, v_f)).max())
    small = made.x.copy()
    small[[0, 2]] *= mu
    yield bound(
        "FE",
        "34, (4.69) has mu^2: |F_SS| at X_SS(0.7) [m/s^2]",
        rest(made.x, made.v_f),
        1e-12,
        as_printed=rest(small, made.v_f),
        verdict=REFUTED,
    )
    yield bound(
        "FE",
        "35, (4.70) has -(j - mu): |F_SS| at X_SS(0.7) [m/s^2]",
        rest(made.x, made.v_f),
        1e-12,
        as_printed=rest(made.x, 2.0 * made.x[3] - made.v_f),
        verdict=REFUTED,
    )
    last, first = slipping(m, 0.5 * math.pi - 1e-10), slipping(m, 1e-10)
    limits = thresholds(m)
    off = max(abs(last.v_f - limits.rolling), float(np.abs(first.x - x_sr_state(m, limits.SR_SS * (1 + 1e-12))).max()))
    yield bound(
        "FE",
        "36, (4.71): X_SS(pi/2) = X_RR/SS, X_SS(0) = X_SR/SS, off by [m/s]",
        off,
        1e-7,
        as_printed="X_SS(-pi/2), X_SR(0)",
        verdict=REFUTED,
    )
    turn = folds(m)[0]
    yield claim(
        "FE",
        "37, before (4.72): v_f(phi) at 0.5, 1 and 1.5 phi_fold",
        ", ".join(f"{slipping(m, k * turn).v_f:.4f}" for k in (0.5, 1.0, 1.5)),
        slipping(m, 0.5 * turn).v_f < slipping(m, turn).v_f > slipping(m, 1.5 * turn).v_f,
        printed="necessarily monotonous",
        verdict=REFUTED,
    )
    two = [len(x) for x in ([s for s in stationary_states(m, v) if s.mode == "SS"] for v in (3.3716, 3.3717))]
    yield claim(
        "FE",
        "38, (4.73): numbers of X_SS at v_f = 3.3716 and 3.3717",
        ", ".join(map(str, two)),
        two == [2, 0],
        printed=f"v_f,fold = v(phi_fold) = {slipping(m, turn).x[3]:.4f}",
        verdict=REFUTED,
    )


def power_gap(meter: FlowMeter, x: np.ndarray, arm: float) -> float:
    """dE/dt against the power of drag and friction in F_SS, with the moment of inertia j m arm^2 in the kinetic energy; relative."""
    j = meter.j * (arm / meter.r) ** 2
    f = field(meter, "SS", x)
    spin, turning = np.array([x[3] - x[0], x[3] - x[1], x[2]]), np.array([f[3] - f[0], f[3] - f[1], f[2]])
    grows = x[3] * f[3] + j * float(spin @ turning)
    N = normals(meter, "SS", x)
    power = x[3] * float(carried(meter, x[3])) - meter.mu * sum(n * math.hypot(u, x[2]) for n, u in zip(N, x[:2]))
    return abs(grows - power) / abs(power)


def held_acceleration(meter: FlowMeter, x: np.ndarray) -> float:
    """u1+' of the sliding vector of F_SS on Sigma_SR."""
    found = flowmeter_fields(meter).extended("SR").sliding_vector(x)
    assert found.value is not None
    return float(found.value[0])
