"""Sailer's tippedisk, second part: stability, reduction, cycles, connections and the chart of chapters 4 to 6 (targets T3-T23). Their errata: `reduced_errata`.

*printed* is what the thesis prints; *reference* was computed independently by other code (exact inertia unless stated). Printed speeds mix rounded and exact inertia: rows
say with which they are met (`rounding` of `specimen`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...analysis.continuation import PseudoArclength
from ...analysis.orbits import find_orbit
from ...archetypes.tippedisk import specimen, tippedisk
from ...archetypes.tippedisk.reduced import TippediskReduced, balance, cycle_integral, linear
from ...archetypes.tippedisk.reduced.branches import normalised_cycles, slow_cycles
from ...archetypes.tippedisk.reduced.heteroclinic import (
    connection_slow,
    connection_spinning,
    melnikov_speeds,
)
from ...kernel.derivative import system_jacobian
from ...mechanics.laws.sliding import Linearised
from ..ledger import Row, bound, claim, value

HALF = 0.5 * math.pi
V1, V2, MIXED = specimen("V1"), specimen("V2"), specimen("V1", "mixed")
TYPES = {"v1": 1.2, "v2": 0.9, "v3": 1.5}  # zeta, at kappa = 0.05
KAPPA = 0.05


def t3() -> Iterator[Row]:
    """The critical speed in closed form."""
    closed = linear.critical_speed(V1)
    yield value("T3", "V1: Omega_c in closed form [rad/s]", closed, printed="30.92", reference="30.91676")
    by_matrix = linear.critical_speed_by_eigenvalues(V1)
    jacobian = lambda O: system_jacobian(TippediskReduced(V1, O, kink=0.0), [HALF, HALF, 0.0])
    by_rates = linear.critical_speed_by_eigenvalues(V1, jacobian)
    yield bound("T3", "closed form against eigenvalues of (4.47) [rad/s]", abs(by_matrix - closed), 1e-10)
    yield bound("T3", "closed form against the Jacobian of the equations of motion [rad/s]", abs(by_rates - closed), 1e-10)


def t4() -> Iterator[Row]:
    """The same, read off eigenvalues."""
    yield value(
        "T4", "V1: Omega_c by eigenvalues [rad/s]", linear.critical_speed_by_eigenvalues(V1), printed="31", reference="30.917"
    )


def t5() -> Iterator[Row]:
    """The fast eigenvalue."""
    yield value("T5", "sigma_3 for small eps [1/s]", linear.fast_rate(V1), printed="-129.04", reference="-129.0392")


def t6() -> Iterator[Row]:
    """The frequency at the Hopf point."""
    yield value(
        "T6",
        "imaginary part at Omega_c [rad/s]",
        linear.hopf_frequency(V1),
        printed="6.9",
        reference="7.093",
        erratum="E11: the period 0.886 s of the same chapter (T7) is that of 7.09",
    )


def t7() -> Iterator[Row]:
    """The period at the Hopf point."""
    yield value("T7", "period at Omega_c [s]", balance.hopf_period(V1), printed="0.886", reference="0.885855")


def t8() -> Iterator[Row]:
    """chi of harmonic balance: a small difference of large terms."""
    rounded = balance.chi(specimen("V1", "thesis"), printed=True)
    yield value("T8", "chi of (4.73), printed inertia [kg m^3]", rounded, printed="1.31e-7", reference="1.305e-7")
    yield value("T8", "chi of (4.73), exact inertia [kg m^3]", balance.chi(V1, printed=True), reference="1.100e-7")


def t9() -> Iterator[Row]:
    """Where two real eigenvalues meet."""
    yield value(
        "T9",
        "Omega_1, where sigma_1 and sigma_2 meet [rad/s]",
        linear.merging_speed(V1),
        printed="13.61",
        reference="12.513",
        erratum="E21: verified twice; other parameters must have been used for the plot",
    )


def full_difference() -> float:
    """The largest difference of the corrected matrices from the Jacobian of Model 1.1c, relative to the largest entry."""
    worst = 0.0
    for inverted in (True, False):
        system = tippedisk(V1, Linearised(0.3, 0.1, V1.m * 9.81), "corotating")
        y = np.zeros(12)
        y[2], y[4], y[5], y[9] = V1.r, HALF, HALF if inverted else -HALF, 31.7
        keep = [0, 1, 4, 5, 6, 7, 10, 11]
        expected = linear.full_jacobian(V1, 31.7, inverted=inverted)
        worst = max(
            worst, float(np.abs(system_jacobian(system, y)[np.ix_(keep, keep)] - expected).max() / np.abs(expected).max())
        )
    return worst


def t10() -> Iterator[Row]:
    """Eight eigenvalues."""
    yield bound("T10", "corrected (4.17) against the Jacobian of Model 1.1, relative", full_difference(), 1e-10)
    drift, inversion = linear.full_critical_speeds(V1)
    why = "E21: presumably other parameters were used for Fig. 4.1"
    yield value("T10", "Omega_c1, the drift pair [rad/s]", drift, printed="27.1", reference="26.874", erratum=why)
    yield value("T10", "Omega_c2, the inversion pair [rad/s]", inversion, printed="30.2", reference="30.105", erratum=why)


def t11() -> Iterator[Row]:
    """The fast eigenvalue stays fast."""
    speeds = np.linspace(1.0, 50.0, 99)
    fast = linear.reduced_eigenvalues(V1, speeds)[:, 2]
    told = f"real, {fast.real.min():.1f} .. {fast.real.max():.1f} 1/s"
    yield claim(
        "T11",
        "Fig. 4.5: sigma_3 up to 50 rad/s",
        told,
        bool((fast.real < -100.0).all() and (fast.imag == 0.0).all()),
        printed="< -100",
    )
    yield value("T11", "sigma_3 at 13.6 rad/s [1/s]", linear.reduced_eigenvalues(V1, 13.6)[2].real, reference="-134.5")


def t12() -> Iterator[Row]:
    """The heteroclinic connection in three dimensions."""
    yield value(
        "T12",
        "Omega_h, linear friction, mixed inertia [rad/s]",
        connection_spinning(MIXED, linear=True).value,
        printed="30.07",
        reference="30.072",
    )
    yield value(
        "T12", "Omega_h, linear friction, exact inertia [rad/s]", connection_spinning(V1, linear=True).value, reference="30.0851"
    )
    yield value(
        "T12",
        "Omega_h, regularised Coulomb friction (4.39) [rad/s]",
        connection_spinning(V1, boundary_value=False).value,
        printed="30.07",
        reference="30.1210",
        erratum="E18: 30.07 belongs to linear friction",
    )


def t13() -> Iterator[Row]:
    """Melnikov's value, in three degrees of approximation."""
    printed = {"M2": ("30.04", "30.040", "30.053"), "M1": ("30.07", "30.069", "30.082"), "M": ("30.11", "30.113", "30.126")}
    mixed, exact = melnikov_speeds(MIXED), melnikov_speeds(V1)
    for name, (told, rounded, own) in printed.items():
        yield value("T13", f"Omega_h^{name}, mixed inertia [rad/s]", mixed[name], printed=told, reference=rounded)
        yield value("T13", f"Omega_h^{name}, exact inertia [rad/s]", exact[name], reference=own)


def t14() -> Iterator[Row]:
    """The connection of the slow flow, by two routes."""
    found = connection_slow(V1)
    yield value("T14", "Omega_h^2D, mixed inertia [rad/s]", connection_slow(MIXED).value, printed="30.12", reference="30.117")
    yield value("T14", "Omega_h^2D, exact inertia [rad/s]", found.value, reference="30.1301")
    yield bound("T14", "shooting against the boundary-value problem [rad/s]", found.agreement, 1e-8)
    met = connection_slow(V1, section=True, boundary_value=False).value
    yield bound("T14", "against manifolds that meet at gamma = pi/2 [rad/s]", abs(met - found.value), 1e-8)


def t15() -> Iterator[Row]:
    """V2: the critical speed."""
    rounded = linear.critical_speed(specimen("V2", "thesis"))
    yield value("T15", "V2: Omega_c, printed inertia [rad/s]", rounded, printed="30.70", reference="30.698")
    yield value("T15", "V2: Omega_c, exact inertia [rad/s]", linear.critical_speed(V2), reference="30.711")


def t16() -> Iterator[Row]:
    """V2: the connection."""
    found = melnikov_speeds(V2)
    for name, told, own in (("M2", "31.31", "31.305"), ("M1", "31.33", "31.327"), ("M", "31.36", "31.356")):
        yield value("T16", f"V2: Omega_h^{name} [rad/s]", found[name], printed=told, reference=own)
    yield value(
        "T16",
        "V2: Omega_h^2D [rad/s]",
        connection_slow(V2).value,
        printed="31.37",
        reference="31.3577",
        tolerance=0.03,
        why="printed speeds mix rounded and exact inertia, which shifts them by up to 0.03",
    )


@functools.cache
def v2_branch() -> Any:
    """Cycles of the slow flow of V2."""
    return slow_cycles(V2, steps=PseudoArclength(ds=0.01, ds_max=0.05, max_points=150, tol=1e-10))


def fold_of(branch: Any) -> tuple[float, float, float]:
    """Parameter, amplitude of gamma and period at the first fold of a branch."""
    orbit = branch.orbit("LPC1")
    return float(branch.special("LPC1").parameter), float(orbit.points(2001)[1][:, 1].max() - HALF), float(orbit.period)


def t17() -> Iterator[Row]:
    """V2: the fold."""
    speed, amplitude, period = fold_of(v2_branch())
    yield value("T17", "V2: Omega_f [rad/s]", speed, printed="31.48", reference="31.4770")
    yield value("T17", "V2: amplitude of gamma at the fold [rad]", amplitude, reference="2.327")
    yield value("T17", "V2: period at the fold [s]", period, reference="1.438")


def starting_orbit() -> tuple[float, float, float]:
    """gamma - pi/2 and beta' where beta = pi/2, and the period, at Omega_c - 0.5 with linear friction."""
    system = TippediskReduced(V1, linear.critical_speed(V1) - 0.5, kink=0.0)
    orbit = find_orbit(system, {"beta": HALF, "gamma": HALF + 1.73, "beta_rate": -1.71}, 1.096)
    times, states = orbit.points(401)
    k = next(i for i in range(400) if states[i, 0] >= HALF > states[i + 1, 0])
    t = brentq(lambda s: float(orbit.at(s)[0]) - HALF, times[k], times[k + 1], xtol=1e-13)
    state = orbit.at(t)
    return float(state[1] - HALF), float(state[2]), float(orbit.period)


def t18() -> Iterator[Row]:
    """The orbit that the continuation begins with. Table 4.2 prints the guess from which shooting starts, not the orbit, so that nothing is judged by it."""
    gamma, rate, period = starting_orbit()
    guess = "Table 4.2 has the initial guess {}; the thesis does not print the orbit"
    yield value("T18", "gamma - pi/2 at Omega_c - 0.5 [rad]", gamma, reference="1.7306", note=guess.format("1.69"))
    yield value("T18", "beta' there [rad/s]", rate, reference="-1.7094", note=guess.format("-1.72"))
    yield value("T18", "period [s]", period, reference="1.0957", note=guess.format("1.10"))


def t19() -> Iterator[Row]:
    """The types v1, v2, v3: omega_h."""
    own = {"v1": ("0.99812", "1.00004"), "v2": ("1.07917", "1.08141"), "v3": ("0.93295", "0.93464")}
    for name, zeta in TYPES.items():
        closed = (1.0 + KAPPA) * math.sqrt(float(cycle_integral.nu_zeroth(zeta)))
        yield value("T19", f"{name}: omega_h in closed form", closed, reference=own[name][0])
        whole = float(cycle_integral.omega_heteroclinic(KAPPA, zeta))
        yield value("T19", f"{name}: omega_h by the whole integral", whole, reference=own[name][1])


def t20() -> Iterator[Row]:
    """The period at the Hopf point without dimensions."""
    period = 2.0 * math.pi / math.sqrt(KAPPA / (1.0 + KAPPA))
    yield value("T20", "T_c, in units of 1/Omega", period, printed="28.79", reference="28.7932")
    yield bound("T20", "against the quadrature of a small orbit", abs(float(cycle_integral.period(KAPPA, 1e-4)) - period), 1e-6)


@functools.cache
def type_branch(name: str, delta: float = 0.2) -> Any:
    """Cycles of the slow flow of a type."""
    return normalised_cycles(KAPPA, TYPES[name], delta, PseudoArclength(ds=0.01, ds_max=0.05, max_points=200, tol=1e-10))


def t21() -> Iterator[Row]:
    """v3: the period at the fold."""
    _, _, period = fold_of(type_branch("v3"))
    yield value(
        "T21",
        "v3: period at the fold, delta = 0.2",
        period,
        printed="64.53",
        reference="64.51",
        tolerance=0.05,
        why="the thesis does not say its delta; at a fold the period changes fast along the branch",
    )
    fold = cycle_integral.folds(KAPPA, TYPES["v3"])
    yield value("T21", "v3: period at the fold, delta -> 0", float(cycle_integral.period(KAPPA, fold.Gamma)), reference="63.18")


def t22() -> Iterator[Row]:
    """v3: where the fold is."""
    speed, _, _ = fold_of(type_branch("v3"))
    yield value(
        "T22",
        "v3: omega_f, delta = 0.2",
        speed,
        printed="1.14",
        reference="0.9349",
        erratum="E19: the fold lies next to omega_h = 0.935, below omega_c = 1.05",
    )
    yield value("T22", "v3: omega_f, delta -> 0", float(cycle_integral.folds(KAPPA, TYPES["v3"]).omega), reference="0.93455")


def t23() -> Iterator[Row]:
    """v2: the fold."""
    speed, _, period = fold_of(type_branch("v2"))
    yield value("T23", "v2: omega_f, delta = 0.2 (Fig. 6.4c)", speed, reference="1.0861")
    yield value("T23", "v2: period at the fold", period, reference="43.5")


TARGETS = {
    "T3": t3, "T4": t4, "T5": t5, "T6": t6, "T7": t7, "T8": t8, "T9": t9, "T10": t10, "T11": t11, "T12": t12, "T13": t13, "T14": t14, "T15": t15,
    "T16": t16, "T17": t17, "T18": t18, "T19": t19, "T20": t20, "T21": t21, "T22": t22, "T23": t23,
}  # fmt: skip
