"""Errata of chapters 4 to 6 of Sailer's thesis, shown (TE), and checks that go beyond it (TN): cycle integrals as the limit of shooting, connections of the slow flow."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from ...analysis.continuation import PseudoArclength
from ...analysis.orbits import find_orbit
from ...archetypes.tippedisk.reduced import TippediskReduced, balance, constrained, cycle_integral, linear
from ...archetypes.tippedisk.reduced.branches import amplitudes, spinning_cycles
from ...archetypes.tippedisk.reduced.heteroclinic import connection_normalised, speed_unit
from ...kernel.evaluate import rate_at
from ..ledger import NEW, REFUTED, Row, bound, claim, value
from .reduced_targets import HALF, KAPPA, TYPES, V1


def small_cycle() -> tuple[float, float]:
    """Amplitude of beta' of the cycle at 0.9998 Omega_c, and by how much it is slower than small deviations, V1, linear friction, by shooting."""
    top = linear.critical_speed(V1)
    O = 0.9998 * top
    C, w = float(balance.amplitude(V1, O)), float(balance.frequency(V1, O))
    system = TippediskReduced(V1, O, kink=0.0)
    orbit = find_orbit(system, {"beta": HALF, "gamma": HALF + C * O / w, "beta_rate": -C * w}, 2.0 * math.pi / w)
    states = orbit.points(4001)[1]
    return float(0.5 * np.ptp(states[:, 0])), orbit.period * math.sqrt(V1.e / (V1.r + V1.e)) * O / (2.0 * math.pi) - 1.0


def convergence(sizes: tuple[float, ...] = (0.1, 0.05, 0.025, 0.0125), reach: float = 3.1) -> list[float]:
    """The largest difference of Omega, at the same amplitude of gamma up to `reach`, between shooting of Model 1.4 (linear friction) and the cycle integral, for each eps."""
    unit, found = speed_unit(V1), []
    for eps in sizes:
        branch = spinning_cycles(V1, eps=eps, linear=True, steps=PseudoArclength(ds=0.02, ds_max=0.05, max_points=300, tol=1e-9))
        Gamma = amplitudes(branch)
        if not Gamma.max() > reach:
            raise ArithmeticError(f"the branch at eps = {eps:g} ends at the amplitude {Gamma.max():.3f}")
        keep = (Gamma > 1e-3) & (Gamma < reach)
        off = branch["Omega"][keep] - unit * cycle_integral.omega_of_amplitude(V1.kappa, V1.zeta, Gamma[keep])
        found.append(float(np.abs(off).max()))
    return found


def errata() -> Iterator[Row]:
    """What is wrong in print, shown."""
    growth = float(linear.full_eigenvalues(V1, 31.7, printed=True).real.max())
    yield claim(
        "TE",
        "(4.17) with its printed signs: the largest growth rate",
        f"{growth:.0f} 1/s: friction pushes",
        growth > 100.0,
        printed="D_C and B_C with leading minus signs (E8)",
        verdict=REFUTED,
    )
    y, out = np.zeros(12), np.zeros(12)
    y[2], y[4], y[5], y[9] = V1.r, HALF, -HALF + 0.1, 40.0
    rate_at(constrained(V1, "1.4"), 0.0, y, out)
    yield claim(
        "TE",
        "Model 1.4 (DAE) from Table 3.1, xb = 0",
        f"xb + e cos gamma = {1e3 * V1.e * math.cos(y[5]):.2f} mm; beta'' = {abs(out[10]):.0e}: it never moves",
        bool(abs(out[10]) < 1e-6),
        printed="does not violate any constraint (E10)",
        verdict=REFUTED,
    )
    C, shift = small_cycle()
    top = linear.critical_speed(V1)
    good, bad = (float(balance.amplitude(V1, 0.9998 * top, p)) for p in (False, True))
    yield value("TE", "E16: amplitude of beta' at 0.9998 Omega_c by shooting [rad]", C, reference="0.03602")
    yield value("TE", "E16: corrected harmonic balance [rad]", good, reference="0.03599", verdict=NEW)
    yield claim(
        "TE",
        "E16: as printed",
        f"{bad:.5f}: off by {100.0 * abs(bad / C - 1.0):.1f} %, corrected by {100.0 * abs(good / C - 1.0):.1f} %",
        abs(bad - C) > 5.0 * abs(good - C),
        printed="the cubic term of gamma' is dropped",
        verdict=REFUTED,
    )
    yield value("TE", "E16: the period is longer than that of small deviations by, relative", shift, reference="1.465e-3")
    star, equal = (
        balance.criticality_boundary(KAPPA),
        float(brentq(lambda z: float(cycle_integral.omega_heteroclinic(KAPPA, z)) - 1.05, 0.9, 1.1)),
    )
    yield claim(
        "TE",
        "E22: where the Hopf point changes its type, and where omega_h = omega_c",
        f"zeta* = {star:.4f} and {equal:.4f}, at kappa = 0.05",
        star - equal > 0.02 and bool(np.isfinite(cycle_integral.folds(KAPPA, 0.5 * (star + equal)).omega)),
        printed="both at zeta = 1",
        note="between them the Hopf point is subcritical although omega_h < omega_c, so that there is a fold",
        verdict=REFUTED,
    )


def beyond() -> Iterator[Row]:
    """Checks of our own: the branch for eps -> 0, and the chart."""
    errors = convergence()
    order = math.log2(errors[-2] / errors[-1])
    told = ", ".join(f"{e:.1e}" for e in errors)
    yield bound(
        "TN",
        "V1: cycle integral against shooting, eps = 0.0125 m/s [rad/s]",
        errors[-1],
        1e-3,
        note=f"eps = 0.1, 0.05, 0.025, 0.0125: {told}",
        verdict=NEW,
    )
    yield bound("TN", "V1: its order of convergence in eps differs from 2 by", abs(order - 2.0), 0.1, verdict=NEW)
    for name, zeta in TYPES.items():
        found = connection_normalised(KAPPA, zeta, 0.02).value
        off = abs(found - float(cycle_integral.omega_heteroclinic(KAPPA, zeta)))
        yield bound("TN", f"{name}: omega_h of the slow flow, delta = 0.02, from Melnikov's", off, 1e-4, verdict=NEW)


TARGETS = {"TE": errata, "TN": beyond}
