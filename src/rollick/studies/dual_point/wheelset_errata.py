"""The errata of chapter 5 (target WE): what is printed beside what holds, by numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...analysis.filippov import compatibility
from ...analysis.filippov.theory.double import direction
from ...archetypes.wheelset.creep import TANH, CreepWheelset, creep_forces
from ...archetypes.wheelset.fields import F_SR, F_SS, from_second_order, offsets, wheelset_fields
from ...archetypes.wheelset.load_transfer import LoadedWheelset
from ...archetypes.wheelset.physical import EXAMPLE, example_5_2
from ...archetypes.wheelset.slip_limit import critical_amplitudes
from ...kernel.names import InputError
from ..ledger import NEW, REFUTED, Row, bound, claim, value
from .wheelset_judge import printed_SR, printed_SS
from .wheelset_targets import EPISODE, KMH, random_wheels, rolls_up_to


def fields_off(field: Any, rng: np.random.Generator) -> float:
    """How far a field of slip at both contacts is from the equations of motion of second order, relative, at 50 random states."""
    worst = 0.0
    for _ in range(50):
        w, x = random_wheels(rng), rng.normal(size=5) * [0.01, 0.01, 0.3, 0.3, 0.3]
        p, q = np.hypot(x[2], x[4]), np.hypot(x[3], x[4])
        T = -w.C * np.array([x[2] / p, x[4] / p, x[3] / q, x[4] / q])
        exact = from_second_order(w, x, T)
        worst = max(worst, float(np.abs(field(w, x) - exact).max() / np.abs(exact).max()))
    return worst


def errata() -> Iterator[Row]:
    """Errata 44-51, 55-57; 43 and 52-54 are slips of the pen in indices and letters."""
    yield from of_the_model()
    yield from of_the_fields()
    yield from of_the_limit()


def of_the_model() -> Iterator[Row]:
    """Section 5.2: errata 44-48."""
    length = float(np.linalg.norm(np.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.1])))
    yield claim(
        "WE",
        "44, (5.5): length of the normal at a slope of 0.1",
        f"{length:.6f}",
        length > 1.004,
        printed="unit",
        verdict=REFUTED,
    )
    shares = load_shares(LoadedWheelset(EPISODE._replace(r=0.45, b=0.75), 0.3, 1.0, 0.0))
    yield value(
        "WE", "45, (5.22): (N+ - N-)/(N+ + N-) of slip straight across, mu = .3, r/b = .6", shares, reference=0.18, tolerance=1e-12,
        as_printed=0.0, note="a choice of the model: (5.22) leaves load transfer out", verdict=NEW,
    )  # fmt: skip
    r = 0.46
    moment = np.cross([0.0, 0.75, -r], [1.0, 0.0, 0.0])[1]
    yield value(
        "WE",
        "46, (5.23): moment about the axle per force T1",
        moment,
        reference=-r,
        tolerance=1e-15,
        as_printed=r,
        verdict=REFUTED,
    )
    law = CreepWheelset(EPISODE, float(TANH), 5800.0, 5800.0)
    unit = EPISODE.C * EPISODE.v / 5800.0
    linear = creep_forces(law, 0.01 * unit, 0.0, 0.0)[0] / (-5800.0 * 0.01 * unit / EPISODE.v)
    yield value(
        "WE", "47, (5.27): (5.26) over the linear law at |u| = .01 C m v/kappa", linear, reference=1.0, tolerance=1e-4,
        as_printed=creep_forces(law, 0.01 / unit, 0.0, 0.0)[0] / (-5800.0 * 0.01 / unit / EPISODE.v),
        note="as printed: at .01 kappa/(C m v), which is no speed", verdict=REFUTED,
    )  # fmt: skip
    w = EPISODE
    y, dpsi, b10 = 0.004, 0.3, -w.omega_L / (w.eta * w.b)
    right = -w.b * (dpsi - b10 * y)
    back = b10 * y - 2.0 * right / (2.0 * w.b)  # (5.17) with u1- = -u1+
    yield value("WE", "48, after (5.30): psi' from (5.17) with u1+ = -b (psi' - b10 y)", back, reference=dpsi, tolerance=1e-12, as_printed=b10 * y + (dpsi + b10 * y) / w.b, verdict=REFUTED)  # fmt: skip


def of_the_fields() -> Iterator[Row]:
    """Section 5.3: errata 49-51."""
    w, h = EPISODE, 1e-3
    slope = (F_SS(w, [0.0, 0.0, 0.2, -0.2, h])[0] - F_SS(w, [0.0, 0.0, 0.2, -0.2, 0.0])[0]) / h * (-w.omega_L / w.eta)
    yield value("WE", "49, (5.33): what ua adds to Psi'' by (5.32) [1/s]", slope, reference=-w.omega_L / w.eta, tolerance=1e-9, as_printed=w.omega_L / w.eta, verdict=REFUTED)  # fmt: skip
    right, wrong = fields_off(F_SS, np.random.default_rng(50)), fields_off(printed_SS, np.random.default_rng(50))
    yield bound("WE", "50, (5.34), (5.37): F_SS against the equations of second order, 50 random states, relative", right, 1e-12, as_printed=wrong, verdict=REFUTED)  # fmt: skip
    x = np.array([0.002, 0.001, 0.3, 0.0, 0.0])
    sliding = wheelset_fields(w).extended("SR").sliding_vector(x).value
    assert sliding is not None
    yield value("WE", "51, (5.39): u1+' of the sliding vector of F_SS on u1- = ua = 0 [m/s^2]", sliding[2], reference=float(F_SR(w, x)[2]), tolerance=1e-9, as_printed=float(printed_SR(w, x)[2]), verdict=REFUTED)  # fmt: skip
    states = np.random.default_rng(32).normal(size=(20, 5)) * [0.01, 0.01, 0.3, 0.3, 0.3]
    off = max(compatibility(wheelset_fields(w), states).differences.values())
    yield bound("WE", "the four corrected fields belong together (Definition 3.2), 20 states", off, 1e-10)


def of_the_limit() -> Iterator[Row]:
    """Section 5.4 and Statement 5: errata 55-57."""
    try:
        direction(0.7, -0.7)
        told = "a direction"
    except InputError:
        told = "none: ua would have two signs"
    n = direction(0.7, math.pi - 0.7)
    good = told.startswith("none") and abs(n[0] + n[1]) < 1e-15
    yield claim(
        "WE", "55, (5.60): n(phi, -phi)", told, good, printed="u1- = -u1+", note="n(phi, pi - phi) it is", verdict=REFUTED
    )
    slow = example_5_2(100.0 * KMH)
    A, B = offsets(slow)
    governs = critical_amplitudes(slow).governs
    yield claim(
        "WE", "56, (5.64): what limits rolling at 100 km/h, where M_psi eta < |A/B|", governs, slow.M_psi * slow.eta < abs(A / B) and governs == "yaw",
        printed="yaw where M_psi eta > |A/B|", verdict=REFUTED,
    )  # fmt: skip
    k_m, omega, load = (
        EXAMPLE["k_y"] / EXAMPLE["m"],
        EXAMPLE["wavenumber"] * 100.0 * KMH,
        EXAMPLE["mu"] * EXAMPLE["F_load"] / EXAMPLE["m"],
    )
    right = load / abs(k_m - omega**2)
    yield value(
        "WE", "57, Statement 5: y_1 at 100 km/h from the solver's futures [m]; printed with k_y^2/m^2", rolls_up_to(slow, right, True), reference=right,
        tolerance=1e-8, as_printed=load / abs(k_m**2 - omega**2), verdict=REFUTED,
    )  # fmt: skip


def load_shares(system: LoadedWheelset) -> float:
    """|N+ - N-|/(N+ + N-) of slip straight across, from the solver's forces."""
    from ...motion.filippov.algebra.forces import SLIP
    from ...motion.filippov.instant import Contacts

    contacts, modes = Contacts(system, 5), (SLIP, SLIP)
    x, _, _ = contacts.forces(contacts.at(0.0, [0.0, 0.0, 0.0, 0.0, 1.0], modes), modes)
    return float(abs(x[0] - x[3]) / (x[0] + x[3]))
