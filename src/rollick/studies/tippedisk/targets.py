"""Sailer's tippedisk, first part: the full models of chapter 3 (targets T1, T2, T24-T31 and the trajectory samples TS).

*printed* is what the thesis prints; *reference* was computed independently by other code, also where the thesis has a figure only.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...archetypes.tippedisk import specimen, table_start, tippedisk
from ...archetypes.tippedisk.models import thesis_motion
from ...mechanics.laws.sliding import ConstantLoad, Regularised
from ...motion.result.motion import Motion
from ...motion.simulate import simulate
from ..ledger import NEW, Row, bound, claim, value

G = 9.81
INVERTED = 5e-5  # m below r + e at which the mass centre counts as having reached its inverted height
# T-Tab 2.1 and 5.2, as printed, in SI units
PRINTED = {
    "V1": {"e": "2.5e-3", "m": "0.435", "A": "0.249e-3", "B": "0.227e-3", "C": "0.468e-3", "Bb": "0.224e-3"},
    "V2": {"e": "2.0e-3", "m": "0.544", "A": "0.258e-3", "B": "0.280e-3", "C": "0.524e-3", "Bb": "0.278e-3"},
}
# The reference: Model 1.1, V1 exact, Table 3.1
SAMPLES = {0.3: ("1.81496884", "-0.70513001"), 0.5: ("1.76297292", "1.28868787"), 1.0: ("1.50736516", "1.80790522")}


@functools.cache
def motion(name: str, until: float, **options: Any) -> Motion:
    """A model of Table 3.3, each computed once."""
    return thesis_motion(name, until, progress=False, **options)


def specimen_rows(id: str, name: str) -> Iterator[Row]:
    """The inertia table of a specimen."""
    disk = specimen(name)
    for quantity, printed in PRINTED[name].items():
        yield value(id, f"{name}: {quantity} [SI]", float(getattr(disk, quantity)), printed=printed)


def t1() -> Iterator[Row]:
    """Specimen V1."""
    yield from specimen_rows("T1", "V1")


def t2() -> Iterator[Row]:
    """Specimen V2."""
    yield from specimen_rows("T2", "V2")


def lasting_run(law: Any, form: str, until: float, at: Any) -> Motion:
    """Lasting contact from the start of Table 3.1."""
    system = tippedisk("V1", law, form)
    return simulate(system, np.concatenate(table_start(system)), until, rtol=1e-11, at=at, progress=False)


def samples() -> Iterator[Row]:
    """Model 1.1 in three parametrisations against the reference trajectory."""
    times = list(SAMPLES)
    for form in ("quaternion", "euler", "corotating"):
        m = lasting_run(Regularised(0.3, 0.1), form, 1.0, times)
        for k, t in enumerate(times):
            for j, angle in enumerate(("beta", "gamma")):
                yield value("TS", f"{form}: {angle} at t = {t:g} s [rad]", float(m[angle][k]), reference=SAMPLES[t][j])


def t24() -> Iterator[Row]:
    """The energy that inversion costs."""
    m = lasting_run(Regularised(0.3, 0.1), "quaternion", 0.5, [0.0, 0.5])
    yield value("T24", "Fig. 3.9: energy at the start [J]", m["energy"][0], printed="0.38", reference="0.38026")
    yield value("T24", "energy at 0.5 s [J]", m["energy"][1], printed="0.36", reference="0.36183")


def t25() -> Iterator[Row]:
    """The spin that inversion costs."""
    m = lasting_run(Regularised(0.3, 0.1), "quaternion", 2.0, [1.0, 2.0])
    yield value("T25", "Fig. 4.4: spin at 1 s [rad/s]", m["alpha_rate"][0], reference="35.61")
    yield value("T25", "spin at 2 s, about [rad/s]", m["alpha_rate"][1], printed="35", reference="35.23")


def t26() -> Iterator[Row]:
    """Friction with the normal force or with the weight."""
    at = np.linspace(0.0, 2.0, 401)
    load = specimen("V1").m * G
    one, other = (lasting_run(law, "corotating", 2.0, at) for law in (Regularised(0.3, 0.1), ConstantLoad(0.3, 0.1, load)))
    for angle in ("beta", "gamma"):
        size = float(np.abs(one[angle] - other[angle]).max())
        yield claim(
            "T26",
            f"Model 1.1 against 1.1c: largest difference of {angle} in 2 s",
            f"{size:.2e} rad",
            1e-3 < size < 5e-2,
            printed="about 1e-2 rad",
            reference="2e-2 rad at samples",
            why="read off a figure: 1e-3 .. 5e-2 rad counts",
        )


def t27() -> Iterator[Row]:
    """Set-valued Coulomb friction: no inversion."""
    m = motion("2", 5.0)
    late = m.t >= 1.0
    gamma = np.unwrap(m["gamma"])
    mean = float(m["z_S"][late].mean())
    yield value("T27", "Model 2, Fig. 3.6: mean z_S on [1, 5] s [m]", mean, printed="0.044", reference="0.04390")
    yield value("T27", "gamma swings from [rad]", float(gamma[late].min()), reference="-0.42")
    yield value("T27", "gamma swings to [rad]", float(gamma[late].max()), reference="3.56")
    yield claim("T27", "the disk inverts", f"z_S at most {m['z_S'].max():.5f} m", bool(m["z_S"].max() < 0.046), printed="no")


def t28() -> Iterator[Row]:
    """The drift of the gap in the thesis' scheme; and its absence in ours."""
    m = motion("6", 1.0)
    yield value("T28", "Model 6, Fig. 3.8f: gap at 1 s [m]", float(m["gap"][-1]), reference="-7.0e-6")
    ours = motion("6", 1.0, scheme="moreau")
    yield bound("T28", "the default scheme closes gaps: largest |gap| [m]", float(np.abs(ours["gap"]).max()), 1e-9, verdict=NEW)


def t29() -> Iterator[Row]:
    """Time stepping and ODE agree."""
    stepped, ode = motion("6", 1.0), motion("ODE2", 1.0)
    yield value("T29", "Model 6: gamma at 1 s [rad]", float(np.unwrap(stepped["gamma"])[-1]), reference="1.80806")
    yield value("T29", "ODE Model 2: gamma at 1 s [rad]", float(np.unwrap(ode["gamma"])[-1]), reference="1.80791")


def t30() -> Iterator[Row]:
    """Pivoting and contour friction on top."""
    eight, ten = motion("8", 5.0), motion("10", 5.0)
    late = eight.t >= 1.0
    slope = float(np.polyfit(eight.t[late], eight["z_S"][late], 1)[0])
    yield claim(
        "T30",
        "Model 8: inverts",
        f"z_S changes by {slope:.1e} m/s",
        slope < 0.0 and eight["z_S"].max() < 0.046,
        printed="no, z_S creeps down",
    )
    yield claim(
        "T30",
        "Model 10: inverts",
        f"z_S = {ten['z_S'][-1]:.5f} m at 5 s",
        bool(ten["z_S"][-1] > specimen("V1").r + specimen("V1").e - INVERTED),
        printed="yes",
        note="contact radius 2.9 mm (E24)",
    )


def fall_time(radius: float, until: float = 25.0) -> float:
    """When Model 4 has fallen (z_S below 3 cm) with a contact radius; infinite if it has not."""
    m = motion("4", until, radius=radius, every=500)
    low = np.flatnonzero((m["z_S"] < 0.03) & (m.t > 1.0))
    return float(m.t[low[0]]) if low.size else math.inf


def t31() -> Iterator[Row]:
    """Coulomb-Contensou friction: which contact radius, which the thesis does not print, gives its figures? None gives both.

    The couple of pivoting, (3 pi/16) mu N R at no slip, brakes the spin; so that a radius large enough to invert the disk within seconds makes it fall
    long before 17 s, and one that lets it spin for 17 s leaves it half inverted.
    """
    small, large = 5e-4, 1e-3
    times = {R: fall_time(R) for R in (small, large)}
    between = times[small] > 17.0 > times[large]
    told = ", ".join(f"{t:.1f} s with {1e3 * R:g} mm" for R, t in times.items())
    yield claim(
        "T31",
        "Model 4 falls at about 17 s (Fig. 3.11), for some contact radius",
        told,
        between,
        printed="17 s",
        note="between 0.5 and 1 mm (E24)",
    )
    height = {R: float(motion("4", 25.0, radius=R, every=500)["z_S"].max()) for R in times}
    height[2.9e-3] = float(motion("4", 5.0, radius=2.9e-3, every=500)["z_S"].max())
    disk, best = specimen("V1"), max(height.values())
    yield claim(
        "T31",
        "Model 4 inverts (Fig. 3.7), for some contact radius",
        f"z_S at most {best:.5f} m, r + e = {disk.r + disk.e:.5f} m",
        best > disk.r + disk.e - INVERTED,
        printed="z_S converges to the inverted height r + e",
        why=f"within {1e3 * INVERTED:g} mm of it counts",
        note=", ".join(f"{h:.4f} m with {1e3 * R:g} mm" for R, h in height.items()),
        unexplained="open: no contact radius tried inverts the disk fully, and the thesis prints none; the couple of pivoting brakes the spin too soon",
    )
    drift = {R: float(motion("4", 5.0, radius=R, every=500)["gap"][-1]) for R in (small, 2.9e-3)}
    yield value(
        "T31",
        "gap of Model 4 at 5 s, of these radii the nearest to the printed one [m]",
        min(drift.values(), key=lambda gap: abs(gap + 1.36e-5)),
        printed="-1.36e-5",
        note=", ".join(f"{d:.2e} m with {1e3 * R:g} mm" for R, d in drift.items()),
        unexplained="open: no radius between 0.05 and 2.9 mm gives the printed drift",
    )


TARGETS = {
    "T1": t1,
    "T2": t2,
    "T24": t24,
    "T25": t25,
    "T26": t26,
    "T27": t27,
    "T28": t28,
    "T29": t29,
    "T30": t30,
    "T31": t31,
    "TS": samples,
}
