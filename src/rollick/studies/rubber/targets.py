"""Koiller's rubber rolling of surfaces of revolution: targets Q1-Q10 recomputed, and the errata of the paper proven (QE).

The paper prints formulas and two figures of the potential; the numbers are *reference*, computed independently by other code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...archetypes.rubber import (
    RubberBody,
    critical_spins,
    equilibria,
    full,
    full_start,
    nutation,
    nutation_from,
    routh_sphere,
    spheroid,
    start_rolling,
)
from ...archetypes.rubber.body import mass_B, nose_squared, potential
from ...motion.simulate import simulate
from ..ledger import FAILED, NEW, REFUTED, REPRODUCED, Row, bound, claim, value
from .atlas import TORUS

OBLATE = spheroid(0.3, 0.2, m=1.0, g=9.81)
OFFSET = spheroid(0.3, 0.2, s=0.04, m=1.2, g=9.81)


def q1() -> Iterator[Row]:
    """The formulas against Newton-Euler with multipliers, at random states of random bodies."""
    from .judge import deviations

    for name, deviation in deviations(200, 1).items():
        tolerance = 1e-12 if "l'" in name else 1e-14
        yield bound("Q1", f"{name}: against multipliers, 200 random bodies and states, relative", deviation, tolerance)


def q2() -> Iterator[Row]:
    """Fig. 6, left: V without m g r at l = 0.1."""
    low, upright, high = equilibria(TORUS, 0.1)
    base = TORUS.m * TORUS.g * TORUS.shape.r
    yield value("Q2", "Fig. 6 left, l = 0.1: theta of the well [rad]", low.theta, reference="0.2171459")
    yield value("Q2", "the other well, pi - theta [rad]", math.pi - high.theta, reference="0.2171459")
    yield value("Q2", "the well in degrees", math.degrees(low.theta), reference="12.44")
    yield value("Q2", "V in the wells", low.energy - base, reference="0.3231652")
    yield value("Q2", "V on the barrier at pi/2", upright.energy - base, reference="1.005", tolerance=1e-12)
    stable = (low.stable, upright.stable, high.stable)
    yield claim(
        "Q2",
        "stability of the three steady rollings",
        str(stable),
        stable == (True, False, True),
        printed="stable, unstable, stable",
    )


def q3() -> Iterator[Row]:
    """Fig. 6, right: l = 10."""
    rests = equilibria(TORUS, 10.0)
    yield claim(
        "Q3",
        "Fig. 6 right, l = 10: steady rollings",
        f"{len(rests)}",
        len(rests) == 1 and rests[0].stable,
        printed="one, upright",
    )
    V, _, bend = potential(TORUS, 10.0, 0.5 * math.pi)
    yield value("Q3", "V at pi/2", V - TORUS.m * TORUS.g * TORUS.shape.r, reference="51.0", tolerance=1e-12)
    yield value("Q3", "V'' at pi/2", bend, reference="99", tolerance=1e-12)


def q4() -> Iterator[Row]:
    """(67): inclined steady rolling of the torus."""
    for ell, theta in ((0.5, "0.681502"), (0.9, "1.200361")):
        low = equilibria(TORUS, ell)[0]
        yield value("Q4", f"(67), l = {ell}: theta [rad]", low.theta, reference=theta)
        closed = math.asin((ell**2 / (TORUS.m * TORUS.g * TORUS.shape.R)) ** (1 / 3))
        yield bound("Q4", f"(67), l = {ell}: against the closed form", abs(low.theta - closed), 1e-14)


def q5() -> Iterator[Row]:
    """Critical l."""
    (found,) = critical_spins(TORUS)
    yield value("Q5", "torus: critical l, sqrt(m g R)", found[0], printed="1", tolerance=1e-12)
    (oblate,) = critical_spins(OBLATE)
    b, c = OBLATE.shape.a, OBLATE.shape.c
    closed = math.sqrt(OBLATE.m * OBLATE.g * (b * b - c * c) / b)
    what = "oblate ellipsoid: critical l, sqrt(m g (b^2 - c^2)/b)"
    yield value("Q5", what, oblate[0], reference=closed, tolerance=1e-12)
    kind = critical_spins(OFFSET)[0][2]
    yield claim(
        "Q5", "the pitchfork unfolds when the mass centre is displaced", kind, kind == "saddle-node", reference="saddle-node"
    )
    none = len(critical_spins(spheroid(0.2, 0.3))) + len(critical_spins(routh_sphere()))
    yield claim("Q5", "prolate ellipsoid and Routh sphere: critical l", str(none), none == 0, reference="none")


def routes(body: RubberBody, start: tuple[float, float, float]) -> float:
    """The largest disagreement of quadrature, reduced flow and full body on T, psi and phi after one period.

    The period is judged by the return: theta and theta' at T must be those at 0, up to their rates; the advances by their values there.
    """
    n = nutation_from(body, start_rolling(body, *start))
    T = n.period
    options: dict[str, Any] = {"rtol": 1e-13, "at": np.array([0.0, T]), "progress": False}
    reduced = simulate(body, start_rolling(body, *start), T, **options)
    whole = simulate(full(body), full_start(*start), T, **options)
    wrap = lambda angle: abs(np.exp(1j * angle) - 1.0)
    worst = [abs(reduced["theta"][1] - start[0]), abs(whole["theta"][1] - start[0])]
    worst += [abs(reduced["theta_rate"][1] - start[1]), abs(whole["theta_rate"][1] - start[1])]
    worst += [abs(reduced["psi"][1] - n.psi), abs(reduced["phi"][1] - n.phi)]
    worst += [float(wrap(whole["psi"][1] - n.psi)), float(wrap(whole["phi"][1] - n.phi))]
    return float(max(worst))


def q6() -> Iterator[Row]:
    """The torus in its well."""
    start = (0.3, 0.0, 0.9)
    n = nutation_from(TORUS, start_rolling(TORUS, *start))
    yield value("Q6", "torus in the well: T [s]", n.period, reference="2.2397692426")
    yield value("Q6", "T in tau", n.period_tau, reference="1.7124221574")
    yield value("Q6", "advance of psi [rad]", n.psi, reference="5.4870860126")
    yield value("Q6", "advance of phi [rad]", n.phi, reference="-5.3925948920")
    low = nutation(TORUS, n.ell, n.energy, 0.5 * (n.low + n.high))
    yield value("Q6", "displacement per period from theta-, x [m]", low.displacement.real, reference="0.84915046", verdict=NEW)
    yield value("Q6", "displacement per period from theta-, y [m]", low.displacement.imag, reference="0.40527027", verdict=NEW)
    yield bound("Q6", "quadrature, reduced flow and full body: T, psi, phi", routes(TORUS, start), 1e-9)
    step = 1e-4
    up, down = (nutation(TORUS, n.ell, n.energy + d, 0.2).action for d in (step, -step))
    yield bound("Q6", "2 pi dJ/dE = T, relative", abs(2 * math.pi * (up - down) / (2 * step) / n.period - 1.0), 1e-6)


def q7() -> Iterator[Row]:
    """The torus over the barrier."""
    start = (1.0, 1.0, 0.25)
    n = nutation_from(TORUS, start_rolling(TORUS, *start))
    yield value("Q7", "torus over the barrier: T [s]", n.period, reference="5.7167777439")
    yield value("Q7", "advance of psi [rad]", n.psi, reference="9.4616739631")
    yield value("Q7", "advance of phi [rad]", n.phi, reference="0", tolerance=1e-9, verdict=NEW)
    yield value("Q7", "drift per period [m]", n.drift, reference="4.2464885854", verdict=NEW)
    yield bound("Q7", "quadrature, reduced flow and full body: T, psi, phi", routes(TORUS, start), 1e-9)


def q8() -> Iterator[Row]:
    """The fast torus."""
    start = (1.4, 0.3, 6.0)
    n = nutation_from(TORUS, start_rolling(TORUS, *start))
    yield value("Q8", "fast torus: T [s]", n.period, reference="0.9665649189")
    yield value("Q8", "advance of psi [rad]", n.psi, reference="5.6951761782")
    yield bound("Q8", "quadrature, reduced flow and full body: T, psi, phi", routes(TORUS, start), 1e-9)


def q9() -> Iterator[Row]:
    """Appendix B: invariant density and conformal symplecticity; and the test that must fail without symmetry."""
    from ...archetypes.rubber.measure import flow, momenta
    from ...archetypes.rubber.simplicity import simplicity
    from ...mechanics.body import Body
    from ...mechanics.mass.primitives import solid_ellipsoid
    from ...mechanics.shapes.convex import Ellipsoid

    for name, body, start in (("torus", TORUS, (0.8, 0.3, 1.1)), ("offset ellipsoid", OFFSET, (1.0, 0.4, 4.0))):
        state = momenta(body, *start)
        yield bound("Q9", f"{name}: det of the flow = N(t)/N(0), 3 s, relative", flow(body, state, 3.0).measure_defect, 1e-9)
        hamiltonian = flow(body, state, 2.0, in_tau=True).symplectic_defect
        yield bound("Q9", f"{name}: the flow in tau preserves Omega_NH/N", hamiltonian, 1e-9)
        round_body = full(body).body
        yield bound("Q9", f"{name}: Phi-simplicity, largest residual", simplicity(round_body).residual, 1e-9)
    triaxial = simplicity(Body.from_inertia(1.0, solid_ellipsoid(1.0, 0.3, 0.25, 0.2).inertia, Ellipsoid(0.3, 0.25, 0.2)))
    yield claim("Q9", "triaxial ellipsoid: Phi-simple", f"residual {triaxial.residual:.3g}", not triaxial.simple, reference="no")


def q10() -> Iterator[Row]:
    """Marble: Jellett's and Routh's integrals along a motion of the full body."""
    from ...archetypes.rubber.marble import jellett, routh

    body = routh_sphere(0.1, 0.02, g=9.81)
    m = simulate(full(body, rubber=False), full_start(1.2, 0.5, 8.0, phi_rate=3.0), 10.0, rtol=1e-13, progress=False)
    theta, omega = m["theta"], m.y[:, 4:]
    w2 = (omega[:, 0] * m["gamma1"] + omega[:, 1] * m["gamma2"]) / np.sin(theta)  # along e3 x e_N
    for name, kept in (("Jellett", jellett(body, theta, w2, omega[:, 2])), ("Routh", routh(body, theta, omega[:, 2]))):
        yield bound(
            "Q10",
            f"{name}'s integral along 10 s of a marble Routh sphere, relative",
            float(np.abs(kept / kept[0] - 1.0).max()),
            1e-10,
        )


def errata() -> Iterator[Row]:
    """What the printed formulas would give."""
    # 1: (2) lacks the factor 1/2 of the centrifugal term: its steady rolling is none.
    ell = 0.3
    for label, square, right in (
        ("V = l^2/(2 sin^2) + m g z_C", 1.0, True),
        ("erratum 1, (2) as printed, l^2/sin^2", 2.0, False),
    ):
        theta = math.asin((square * ell**2) ** (1 / 3))
        rate = ell / (math.sqrt(nose_squared(TORUS, theta)) * math.sin(theta) ** 2)
        m = simulate(full(TORUS), full_start(theta, 0.0, rate), 3.0, rtol=1e-11, progress=False)
        swing = float(np.ptp(m["theta"]))
        what, text = f"{label}: theta of its steady rolling, full body, 3 s", f"moves by {swing:.2g} rad"
        verdict = REPRODUCED if right else REFUTED
        yield claim("QE", what, text, (swing < 1e-8) == right, printed="constant", verdict=verdict)
    # 3: the sign of J.K: p_psi/N is conserved, not p_psi N.
    m = simulate(full(TORUS), full_start(1.0, 1.0, 0.25), 5.0, rtol=1e-12, progress=False)
    N = np.sqrt([nose_squared(TORUS, float(t)) for t in m["theta"]])
    ell_kept, wrong = N * m["omega3"], N**3 * m["omega3"]  # p_psi = N^2 sin^2 psi' = N^2 Omega3
    moved = float(np.ptp(wrong) / abs(wrong[0]))
    yield bound(
        "QE",
        "l = p_psi/N along a full-body motion, relative variation",
        float(np.ptp(ell_kept) / abs(ell_kept[0])),
        1e-9,
        "erratum 3: with the sign of (35) p_psi N would be conserved",
        moved,
        printed="p_psi N is constant, by (35)",
        verdict=REFUTED if moved > 1e-3 else FAILED,
    )
    # 5: (62): t = int sqrt(B) dtau.
    n = nutation_from(TORUS, start_rolling(TORUS, 0.3, 0.0, 0.9))
    B = mass_B(TORUS, 0.2)[0]
    yield claim(
        "QE",
        "erratum 5, (62): T/T_tau lies near sqrt(B), not 1/sqrt(B)",
        f"{n.period / n.period_tau:.3f}",
        abs(n.period / n.period_tau / math.sqrt(B) - 1.0) < 0.05,
        printed=f"near 1/sqrt(B) = {1.0 / math.sqrt(B):.3f}",
        reference=f"near sqrt(B) = {math.sqrt(B):.3f}",
        why="near: within 5 %, since B varies along the orbit",
        verdict=REFUTED,
    )
    # 6: the speed of nearly flat rolling.
    e = equilibria(TORUS, 0.001)[0]
    yield value(
        "QE",
        "erratum 6: nearly flat torus, l = 0.001: contact speed [m/s]",
        e.speed,
        reference="12.870",
        note="the paper's text gives R l/sqrt(I1 + m r^2)",
        as_printed=0.001 / math.sqrt(TORUS.I1 + TORUS.m * TORUS.shape.r**2),
        verdict=REFUTED,
    )


TARGETS = {"Q1": q1, "Q2": q2, "Q3": q3, "Q4": q4, "Q5": q5, "Q6": q6, "Q7": q7, "Q8": q8, "Q9": q9, "Q10": q10, "QE": errata}
