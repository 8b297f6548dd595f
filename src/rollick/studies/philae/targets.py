"""The landing of Philae (chapter 6 of the thesis on collision sequences): targets P1-P12 recomputed, and its errata E16-E21 shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from ...analysis.chatter import hub_limit, partial_limit, regular_limit
from ...analysis.chatter.simulated import LEAVES, outcomes
from ...archetypes.lander.equations import state
from ...archetypes.lander.flight import fly
from ...archetypes.lander.impact import sticking_impact
from ...archetypes.lander.lander import WHEEL_SPEED, Lander
from ...archetypes.lander.sun import angle_between, find_sun
from ...archetypes.lander.telemetry import FIRST_UNFOLDED, event_times, legs, powers, published, times
from ...archetypes.lander.tracks import states_along, suns
from ...archetypes.lander.tumbling import judge
from ...archetypes.lander.two_body import TwoBodies
from ...archetypes.polygon import BODIES
from ...mechanics.plate import regular
from ..ledger import NEW, REFUTED, Row, bound, claim, value
from .candidates import PRINTED_LINES, PRINTED_SUN, along, printed_line, speeds_at_touchdown
from .crater import SPEED
from .patterns import violations
from .rotation import p10, p11, p12

PRINTED_FRICTION = (1.0e-3, 2.68e-6)  # mu_0, mu_1 as printed, rounded
OMEGA = (0.3, -0.2, 0.1)


def radii() -> np.ndarray:
    """The distances of the legs' ends from the z axis."""
    return np.hypot(legs()[:, 0], legs()[:, 1])


def p1() -> Iterator[Row]:
    """The radius of gyration, and over the radius of the legs."""
    l = Lander()
    rho = math.sqrt((l.xx + l.yy) / (2.0 * l.m))
    yield value("P1", "radius of gyration about horizontal axes [m]", rho, printed="0.3685", reference="0.368453")
    note = "printed with the unit m; it has none (E17)"
    what = "the same over the mean radius of the legs"
    yield value("P1", what, rho / radii().mean(), printed="0.2392", reference="0.239153", note=note)
    yield value("P1", "mean radius of the legs [m]", radii().mean(), reference="1.5407")


def p2() -> Iterator[Row]:
    """Philae: the restitution needed."""
    rho = 0.2392  # as printed; the published masses and legs give 0.23915 (P1)
    yield bound("P2", "Philae: printed rho against masses and legs", abs(rho - BODIES["Philae"].rho), 5e-5)
    yield value(
        "P2",
        "gamma below which complete chatter is possible, U0 R",
        regular_limit(3, rho),
        printed="0.5",
        reference="0.2935",
        erratum="E17: gamma < 0.5 is too large; drops at gamma = .4 all fly away",
    )
    yield value("P2", "hub word", hub_limit(rho), reference="0.3014", verdict=NEW)
    yield value("P2", "PCC limit", partial_limit(3, rho), reference="0.0482", verdict=NEW)
    ends, _ = outcomes(regular(3, rho), 0.4, count=200, max_impacts=2000)
    text = f"{np.mean(ends == LEAVES):.0%} of 200 fly away"
    yield claim(
        "P2", "E17: drops at gamma = .4", text, bool(np.all(ends == LEAVES)), printed="chatter below 0.5", verdict=REFUTED
    )


def p3() -> Iterator[Row]:
    """The errors of the reconstruction."""
    _, column = published()
    _, delta = find_sun(powers())
    good = np.isfinite(delta)
    moving = good & (np.arange(1, delta.size + 1) >= FIRST_UNFOLDED) & (times() < event_times()["rest"])
    yield value("P3", "mean Delta, legs unfolded, before rest", delta[moving].mean(), printed="0.015")
    yield value("P3", "largest Delta there", delta[moving].max(), printed="0.07")
    apart = np.abs(delta - column)[good]
    what = "Delta against the printed column, {} deviation"
    yield bound("P3", what.format("median"), float(np.median(apart)), 2e-4, "the column has three digits")
    yield bound(
        "P3",
        what.format("largest"),
        float(apart.max()),
        1e-3,
        "a unit of the last digit: the powers are printed to three digits, too",
    )
    _, literal = find_sun(powers(), printed=True)
    slope = float((column[good] @ literal[good]) / (literal[good] @ literal[good]))
    ours = float((column[good] @ delta[good]) / (delta[good] @ delta[good]))
    yield claim(
        "P3",
        "E16: which Delta does the printed column hold?",
        f"column = {ours:.4f} x half the 2-norm of sum-normalised powers, {slope:.3f} x (6.3)-(6.4)",
        abs(slope - 1.0) > 0.3 and abs(ours - 1.0) < 0.01,
        printed="Delta of (6.3), (6.4)",
        verdict=REFUTED,
    )


def p4() -> Iterator[Row]:
    """The 154 directions."""
    known, _ = published()
    sun, delta = find_sun(powers())
    good = np.isfinite(delta)
    same = bool(np.array_equal(good, np.isfinite(known[:, 0])))
    yield claim(
        "P4",
        "rows with a direction, by the rules for lit panels",
        f"{int(good.sum())}, the same rows: {same}",
        same and good.sum() == 154,
        printed="154",
    )
    away = angle_between(sun[good], known[good])
    literal, _ = find_sun(powers(), printed=True)
    wrong = angle_between(literal[good], known[good])
    yield bound(
        "P4",
        "deviation from the printed directions, median [deg]",
        float(np.median(away)),
        0.03,
        "(6.3)-(6.4) as printed: E16",
        float(np.median(wrong)),
    )
    yield bound(
        "P4",
        "deviation from the printed directions, largest [deg]",
        float(away.max()),
        0.05,
        "three printed digits leave 0.05 deg",
        float(wrong.max()),
    )
    bad = violations()
    before = [v.row for v in bad if v.phase != "rest"]
    after = {v.lit for v in bad if v.phase == "rest"}
    yield claim(
        "P4",
        "patterns of lit panels that no Sun can make, after TD2",
        f"{sorted(after)}, {sum(v.phase == 'rest' for v in bad)} rows; mended by 1: {all(1 in v.cured_by for v in bad if v.phase == 'rest')}",
        after == {(2,), (2, 3), (2, 3, 6)} and all(1 in v.cured_by for v in bad if v.phase == "rest"),
        printed="(2 3 6), (2 3), (2); panel 1 would mend all",
    )
    yield claim(
        "P4",
        "such patterns before TD2",
        f"row {', '.join(map(str, before))}, before the legs unfolded",
        before == [7],
        printed="none",
        note="row 7 lights panels 2 4 5 6 without 3",
        verdict=REFUTED,
    )


def p5() -> Iterator[Row]:
    """The run-down of the wheel, and the checks of the gyrostat."""
    l = Lander()
    alone = fly(l, state(PRINTED_SUN, (0.0, 0.0, 0.0)), 3000.0, progress=False)
    stop = alone.events[0].t
    yield value("P5", "the wheel stops after [min]", stop / 60.0, printed="42", reference="42.0")
    # at rest the lander turns about z alone (nearly): the wheel's axial equation in closed form, with the reduced inertia
    c = l.wheel * (1.0 - l.wheel / l.zz)
    closed = c / l.mu_1 * math.log(1.0 + l.mu_1 * WHEEL_SPEED / l.mu_0)
    yield bound("P5", "stop against the closed form of rotation about z, relative", abs(stop / closed - 1.0), 1e-6)
    m = fly(l, state(PRINTED_SUN, OMEGA), 2700.0, rtol=1e-13, progress=False)
    L = np.stack([m[name] for name in ("LX", "LY", "LZ")], axis=1)
    yield bound(
        "P5",
        "angular momentum in the solar frame over 45 min, relative drift",
        float(np.abs(L - L[0]).max() / np.linalg.norm(L[0])),
        1e-11,
    )
    balance = m["energy"] - m["work"]
    yield bound("P5", "energy minus work on the wheel over 45 min, relative drift", float(np.ptp(balance) / balance[0]), 1e-12)
    t = np.linspace(0.0, 120.0, 61)
    s, w, _ = TwoBodies(l).fly(np.array(PRINTED_SUN) / np.linalg.norm(PRINTED_SUN), np.array(OMEGA), WHEEL_SPEED, t)
    same = states_along(l, state(PRINTED_SUN, OMEGA), 2.0, 60, substeps=20)
    yield bound("P5", "Sun against two Newton-Euler bodies with a bearing, 2 min", float(np.abs(s - suns(same)).max()), 1e-9)
    yield bound("P5", "angular velocity against the same [rad/s]", float(np.abs(w - same[:, 4:7]).max()), 1e-10)


def p6() -> Iterator[Row]:
    """The torque of the bearing."""
    mu_0, mu_1 = PRINTED_FRICTION
    l = Lander()
    yield value(
        "P6",
        "bearing torque at 865 rad/s [N m]",
        l.mu_0 + l.mu_1 * WHEEL_SPEED,
        printed="3.31e-3",
        reference="3.38e-3",
        erratum="the thesis rounds mu_0 and mu_1 first, and cuts the last digit",
        as_printed=mu_0 + mu_1 * WHEEL_SPEED,
    )
    yield value("P6", "mu_0 from the run-down [N m]", l.mu_0, printed="1.0e-3", reference="1.047e-3")
    why = "c2 theta22 is 2.693e-6; 2.68e-6 is printed"
    yield value("P6", "mu_1 from the run-down [N m s]", l.mu_1, printed="2.68e-6", reference="2.693e-6", erratum=why)


def p7() -> Iterator[Row]:
    """The force per leg that holds the lander when the wheel is switched off on the ground."""
    l = Lander()
    torque = l.mu_0 + l.mu_1 * WHEEL_SPEED
    lengths = np.linalg.norm(legs(), axis=1)
    flat, full, longest = radii().sum(), lengths.sum(), lengths.max()
    yield value(
        "P7",
        "force per leg, torque over the sum of the legs' radii [N]",
        torque / flat,
        printed="6.63e-4",
        reference="7.3e-4",
        note=f"with the legs' lengths {torque / full:.3g} N",
        erratum="E18: 6.63e-4 N would need radii that add up to 5.0 m; they add up to 4.62 m",
    )
    needed = 3.0 * torque / flat / 0.1
    yield value("P7", "coefficient of friction needed, three legs, weight 0.1 N", needed, printed="0.02", reference="0.022")
    yield value(
        "P7",
        "speed of a leg's end before C1, v + |l| |omega| [m/s]",
        SPEED + longest * 0.33,
        printed="0.56",
        erratum="E18: the thesis takes 0.02 m/s here instead of its own v = 0.2355 m/s",
        as_printed=0.02 + longest * 0.33,
    )


def p8() -> Iterator[Row]:
    """The speed over ground."""
    yield value("P8", "650 m in 46 min [m/s]", SPEED, printed="0.2355", reference="0.23551")
    hit = sticking_impact(Lander(), OMEGA, 0.0, (0.1, 0.0, -0.2), 2)
    yield bound(
        "P8",
        "(6.13): speed of the leg's end after a sticking impact [m/s]",
        float(np.abs(hit.v + np.cross(hit.omega, legs()[1])).max()),
        1e-15,
    )


def p9() -> Iterator[Row]:
    """The angular speed right after TD1."""
    l = Lander()
    least = {name: float(speeds_at_touchdown(l, along(printed_line(name), 241), PRINTED_SUN).min()) for name in PRINTED_LINES}
    lines = ", ".join(f"{n} {v:.4f}" for n, v in least.items())
    what = "least angular speed at TD1 on the four printed lines [rad/s]"
    yield value("P9", what, min(least.values()), printed="0.18", note=lines)
    theta = {name: judge(l, along(printed_line(name), 21)[4:], s0=PRINTED_SUN)[:, 3] for name in PRINTED_LINES}
    low, high = max(theta["L3"].max(), theta["L4"].max()), min(theta["L1"].min(), theta["L2"].min())
    yield claim(
        "P9",
        "amplitude of the z axis (6.22) along the lines",
        f"L3, L4 up to {low:.2f}; L1, L2 from {high:.2f} to {max(theta['L1'].max(), theta['L2'].max()):.2f}",
        low < 0.45 and high > 0.5,
        printed="well below 1/2, or slightly above",
        why="well below: less than 0.45",
    )


def errata() -> Iterator[Row]:
    """E21: two identities of C.1 are wrong, and their errors cancel."""
    rng = np.random.default_rng(0)
    A, C = 0.0033, 0.0058
    theta, z = np.diag([A, A, C]), np.array([0.0, 0.0, 1.0])
    w = rng.normal(size=3)
    first = np.cross(w, theta @ z) + np.cross(z, theta @ w)  # claimed to vanish, (C.10)-(C.11)
    second = theta @ np.cross(w, z) - np.cross(w, theta @ z)  # claimed to vanish, (C.12)-(C.13)
    a, b, c = (float(np.linalg.norm(v)) for v in (first, second, first + second))
    yield claim(
        "PE",
        "E21: the identities behind (C.11) and (C.13) for a wheel with A != C",
        f"{a:.2e} and {b:.2e}, their sum {c:.1e}",
        c < 1e-15 < min(a, b),
        printed="both zero",
        note="so (C.15) and (6.5) are right; E21b: M_f = -u_z.M",
        verdict=REFUTED,
    )


TARGETS: dict[str, Callable[[], Iterator[Row]]] = {
    "P1": p1,
    "P2": p2,
    "P3": p3,
    "P4": p4,
    "P5": p5,
    "P6": p6,
    "P7": p7,
    "P8": p8,
    "P9": p9,
    "P10": p10,
    "P11": p11,
    "P12": p12,
    "PE": errata,
}
