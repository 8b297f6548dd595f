"""Chatter without gravity: targets A1-A4 of the rod, B1-B10 of the polygons.

*printed* is the thesis, *reference* a recomputation by other code. The word 0 2 0 1 ("hub"), which the thesis does not know, is new.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from ...analysis.chatter import best_word, hub_limit, partial_limit, regular_limit, rho_max, simulated_limit
from ...analysis.chatter.cone import construct, effective_cone
from ...analysis.chatter.escape import all_escape
from ...analysis.chatter.pair import pair_limit
from ...analysis.chatter.simulated import PARTIAL, STILL, outcomes
from ...analysis.chatter.spectrum import cubic, dominance, step_map
from ...analysis.chatter.square import image_margin, square_cone
from ...archetypes.polygon import BODIES
from ...archetypes.rod import RodTheory, rod, rod_start
from ...mechanics.plate import regular
from ...motion.impacts.collide import collide
from ..ledger import NEW, REFUTED, Row, bound, claim, value

E6 = "E6: the thesis computed with rho = 0.5; the homogeneous plate has rho = 1/sqrt 8"
SIMULATED = 1e-6  # the bar for simulated against theoretical limits


def turns_complex(gamma: float) -> float:
    """The rho at which the dominant eigenvalues of U_0 P stop being real, found from the matrix alone.

    The discriminant (tr M)^2 - 4 det M of a 2 x 2 matrix changes its sign there.
    """

    def discriminant(rho: float) -> float:
        M = RodTheory(rho, gamma).U0P
        return float(np.trace(M) ** 2 - 4.0 * np.linalg.det(M))

    return float(brentq(discriminant, 1e-6, 1.0, xtol=1e-15))


def a1() -> Iterator[Row]:
    """(3.11): the boundary of complete chatter of the rod."""
    rng = np.random.default_rng(1)
    worst = 0.0
    for _ in range(2000):
        theory = RodTheory(float(rng.uniform(0.01, 3.0)), float(rng.uniform(0.0, 1.0)))
        found = np.linalg.eigvals(theory.U0P)
        mine = np.array(theory.eigenvalues)
        if abs(theory.sigma) > 1e-2:  # at a double eigenvalue the numerical ones lose half of their digits
            worst = max(worst, min(np.abs(mine - found).max(), np.abs(mine - found[::-1]).max()))
    yield bound("A1", "(3.13): closed form against numerical eigenvalues, 2000 rods", worst, 1e-14)
    worst = max(abs(RodTheory(0.3, float(g)).limit - turns_complex(float(g))) for g in np.linspace(0.05, 0.95, 19))
    what = "(3.11) against the rho at which the eigenvalues of the impact map turn complex, by bisection, 19 restitutions"
    yield bound("A1", what, worst, 1e-12)
    wrong = 0
    for gamma in (0.05, 0.2, 0.5, 0.8):
        limit = RodTheory(0.3, gamma).limit
        for factor, status in ((0.999, "CC"), (1.001, "ICC")):
            c = collide(rod(limit * factor), gamma, rod_start(phi=1e-3), max_impacts=4000)
            wrong += c.status != status
    yield claim(
        "A1", "drops at 0.999 and 1.001 of the limit, four restitutions", f"{wrong} of 8 differ", wrong == 0, printed="CC, ICC"
    )


def a2() -> Iterator[Row]:
    """Theorem 3: the cone of the rotating rod."""
    wrong = 0
    for rho, gamma in ((0.25, 0.2), (0.1, 0.5), (0.05, 0.7), (0.3, 0.1), (0.5, 0.05)):
        width = RodTheory(rho, gamma).a_min
        for factor, status in ((0.999, "CC"), (1.001, "ICC")):
            c = collide(rod(rho), gamma, rod_start(omega=factor * width, h=1.0 + factor * width), max_impacts=400)
            wrong += c.status != status
    yield claim(
        "A2", "Theorem 3: omega = 0.999 and 1.001 a_min |v|, five rods", f"{wrong} of 10 differ", wrong == 0, printed="CC, ICC"
    )


def a3() -> Iterator[Row]:
    """(B.10) on (B.8)."""
    for gamma in (0.05, 0.2, 0.5):
        third = gamma ** (1.0 / 3.0)
        mu = (third + third**2) / (1.0 + gamma)
        c = RodTheory(math.sqrt((1.0 - mu) / (1.0 + mu)), gamma).exponent
        yield value("A3", f"(B.10): c_rod on (B.8), gamma = {gamma}", c, printed="2", tolerance=1e-12)


def a4() -> Iterator[Row]:
    """The rod rho = 0.25, gamma = 0.2."""
    theory = RodTheory(0.25, 0.2)
    high, low = (x.real for x in theory.eigenvalues)
    yield value("A4", "rho = .25, gamma = .2: lambda_max", high, reference="0.8127434", verdict=NEW)
    yield value("A4", "lambda_min", low, reference="0.2460801", verdict=NEW)
    yield value("A4", "a_min", theory.a_min, reference="9.680532", verdict=NEW)
    yield value("A4", "c_rod", theory.exponent, reference="0.3470825", verdict=NEW)
    start, t_f = theory.self_similar()
    yield value("A4", "t_f / tau_0", t_f, reference="1.434262", verdict=NEW)
    a = collide(rod(0.25), 0.2, start, max_impacts=2000).accumulation()
    yield bound("A4", "accumulation time of the simulation, from its tail, relative", abs(a.from_tail / t_f - 1.0), 1e-13)
    yield bound("A4", "and from the eigenvalues of its pattern, relative", abs(a.from_pattern / t_f - 1.0), 1e-13)


def body_limits(
    id: str, name: str, complete: tuple[str, str], partial: tuple[str, str], hub: str, unexplained: str = ""
) -> Iterator[Row]:
    """CC and PCC limits of a triangular face: each as (printed, recomputed by others); and the hub word's."""
    rho = BODIES[name].rho
    what = f"{name}: CC limit of gamma, word 0, 1, 2 (U0 R)"
    yield value(id, what, regular_limit(3, rho), printed=complete[0], reference=complete[1], unexplained=unexplained)
    what = f"{name}: PCC limit of gamma"
    yield value(id, what, partial_limit(3, rho), printed=partial[0], reference=partial[1], unexplained=unexplained)
    yield value(id, f"{name}: hub word", hub_limit(rho), reference=hub, verdict=NEW)
    off = abs(simulated_limit(3, rho) - hub_limit(rho))
    yield bound(id, f"{name}: simulated limit against the hub word's", off, SIMULATED, verdict=NEW)


def b1() -> Iterator[Row]:
    """The triangular plate."""
    yield value("B1", "rho = .5, the value used in 3.4.5: CC limit", regular_limit(3, 0.5), printed="0.04", reference="0.043561")
    yield value("B1", "rho = .5: PCC limit", partial_limit(3, 0.5), printed="0.01", reference="0.010205")
    yield value("B1", "rho = .5: hub word", hub_limit(0.5), reference="0.047283", verdict=NEW)
    rho = BODIES["triangular plate"].rho
    what = "homogeneous plate, rho = .353553: CC limit (U0 R)"
    yield value("B1", what, regular_limit(3, rho), printed="0.04", reference="0.145898", erratum=E6)
    yield value("B1", "homogeneous plate: PCC limit", partial_limit(3, rho), printed="0.01", reference="0.029437", erratum=E6)
    yield value("B1", "homogeneous plate: hub word", hub_limit(rho), reference="0.152583", verdict=NEW)


def b2() -> Iterator[Row]:
    """The tetrahedron."""
    why = "open: both printed limits are too large by more than their rounding; no rounding of rho = 0.387298 to three digits or fewer gives both"
    yield from body_limits("B2", "tetrahedron", ("0.116", "0.115198"), ("0.025", "0.024296"), "0.121299", why)


def b3() -> Iterator[Row]:
    """The octahedron."""
    yield from body_limits("B3", "octahedron", ("0.025", "0.024860"), ("0.006", "0.005988"), "0.027481")


def b4() -> Iterator[Row]:
    """The square plate."""
    rho = BODIES["square plate"].rho
    yield value("B4", "square plate, rho = 1/sqrt 6: CC limit", regular_limit(4, rho), printed="0.03", reference="0.029550")
    none = math.isnan(regular_limit(4, 0.5))
    what = "E5: CC limit with rho = .5, which the thesis states"
    yield claim("B4", what, "no chatter at all" if none else "chatter", none, printed="0.03", verdict=REFUTED)
    yield bound("B4", "simulated limit against U0 R", abs(simulated_limit(4, rho) - regular_limit(4, rho)), SIMULATED)
    least = min(
        image_margin(square_cone(r, g), r, g) for r, g in ((0.25, 0.2), (0.25, 0.1), (0.1, 0.4), (0.4, 0.03), (0.2, 0.001))
    )
    yield bound("B4", "(3.43): images of the explicit cone leave it by", max(-least, 0.0), 1e-14)


def b5() -> Iterator[Row]:
    """The cube and the dodecahedron."""
    for name, reach in (("cube", "0.45509"), ("dodecahedron", "0.34356")):
        body = BODIES[name]
        yield value("B5", f"{name}: rho_max({body.n})", rho_max(body.n), reference=reach)
        yield claim(
            "B5",
            f"{name}, rho = {body.rho:.5f}",
            f"rho_max = {rho_max(body.n):.5f}",
            body.rho > rho_max(body.n),
            printed="always ICC",
        )
    found = [all_escape(4, BODIES["cube"].rho, g).verdict for g in (0.1, 0.5, 0.9)]
    yield claim(
        "B5",
        "cube, gamma = .1, .5, .9: every sequence of impacts escapes",
        str(set(found)),
        set(found) == {"always"},
        printed="always",
    )
    found = [all_escape(5, BODIES["dodecahedron"].rho, g).verdict for g in (0.01, 0.1, 0.5, 0.9)]
    yield claim("B5", "dodecahedron, gamma = .01 .. .9: likewise", str(set(found)), set(found) == {"always"}, printed="always")


def b6() -> Iterator[Row]:
    """Cones bracket the limits; simulation agrees with eigenvalues."""
    for n, rho, low, high in (
        (4, 0.25, 0.2085, 0.2089),
        (5, 0.25, 0.1213, 0.1217),
        (3, 0.5, 0.043, 0.045),
        (3, 0.25, 0.275, 0.280),
    ):
        below, above = construct(n, rho, low, max_steps=4000).verdict, construct(n, rho, high, max_steps=4000).verdict
        yield claim(
            "B6",
            f"cone iteration, n = {n}, rho = {rho}: gamma = {low}, {high}",
            f"{below}, {above}",
            (below, above) == ("found", "none"),
            reference="found, none",
        )
    for n, rho, gamma in ((4, 0.25, 0.2085), (5, 0.25, 0.1213), (3, 0.5, 0.043), (3, 0.25, 0.275), (6, 0.2, 0.13)):
        cone = effective_cone(n, rho, gamma)
        yield claim(
            "B6",
            f"n = {n}, rho = {rho}, gamma = {gamma}: invariance proven with outward rounding",
            f"{'proven' if cone.proven else cone.verdict}, margin {cone.margin:g}",
            cone.proven,
            reference="proven",
            verdict=NEW,
        )
    for n, rho in ((4, 0.25), (5, 0.25), (6, 0.2)):
        yield bound(
            "B6",
            f"n = {n}, rho = {rho}: simulated limit against U0 R",
            abs(simulated_limit(n, rho) - regular_limit(n, rho)),
            SIMULATED,
        )
    rng, worst = np.random.default_rng(2), 0.0
    for _ in range(500):
        n, rho, gamma = int(rng.integers(3, 30)), float(rng.uniform(0.02, 2.0)), float(rng.uniform(0.0, 1.0))
        worst = max(worst, float(np.abs(np.poly(step_map(n, rho, gamma, -1)) - cubic(n, rho, gamma)).max()))
    yield bound("B6", "characteristic cubic against the matrix, 500 polygons", worst, 1e-14)


def pair_bisected(mu: float) -> float:
    """The gamma at which the map [[(1 + gamma) mu, 1], [-gamma, 0]] of an alternating pair stops having real eigenvalues, from the matrix alone."""

    def discriminant(gamma: float) -> float:
        M = np.array([[(1.0 + gamma) * mu, 1.0], [-gamma, 0.0]])
        return float(np.trace(M) ** 2 - 4.0 * np.linalg.det(M))

    return float(brentq(discriminant, 0.0, 1.0, xtol=1e-15))


def b7() -> Iterator[Row]:
    """Partially complete chatter."""
    for rho in (0.25, 0.5):
        limit = partial_limit(3, rho)
        inside, outside = (
            np.mean(outcomes(regular(3, rho), g, count=200, max_impacts=2000)[0] == PARTIAL) for g in (0.5 * limit, 1.02 * limit)
        )
        holds = inside > 0.5 and outside == 0.0
        yield claim(
            "B7",
            f"n = 3, rho = {rho}: share of PCC at 0.5 and 1.02 of the limit {limit:.6f}",
            f"{inside:.2f}, {outside:.2f}",
            holds,
            reference="most, none",
            why="most: more than half",
        )
    ends = [
        outcomes(regular(n, rho), g, count=50, max_impacts=2000)[0]
        for n in (4, 5, 6)
        for rho in (0.05, 0.2, 0.4)
        for g in (0.001, 0.01, 0.1)
    ]
    some = sum(int(np.sum(e == PARTIAL)) for e in ends)
    yield claim("B7", "n = 4, 5, 6: PCC in 1350 drops", "none" if not some else f"{some}", not some, printed="none")
    worst = max(abs(pair_limit(mu) - pair_bisected(mu)) for mu in np.linspace(0.05, 0.95, 19))
    what = "4.2: limit of the pair against the gamma at which the eigenvalues of its matrix turn complex, by bisection, 19 mu"
    yield bound("B7", what, worst, 1e-12, verdict=NEW)


def b8() -> Iterator[Row]:
    """Counter-examples to Conjecture 1."""
    for rho, gamma in ((0.5, 0.045), (0.25, 0.28), (0.18, 0.409)):
        positive = dominance(cubic(3, rho, gamma))[0]
        ends, _ = outcomes(regular(3, rho), gamma, count=50, max_impacts=4000)
        share = float(np.mean(ends == STILL))
        word = best_word(3, rho, gamma)
        text = f"{share:.0%} of 50 drops go on after 4000 impacts, word {word[0] if word else None} attracts"
        yield claim(
            "B8",
            f"n = 3, ({rho}, {gamma}): U0 R says no",
            text,
            not positive and share > 0 and word is not None,
            printed="no chatter (Conjecture 1)",
            verdict=REFUTED,
        )
    for rho, told in ((0.1, "0.616607"), (0.25, "0.283936"), (0.5, "0.047283"), (0.65, "0.003506")):
        yield value("B8", f"rho = {rho}: limit of the hub word", hub_limit(rho), reference=told, verdict=NEW)
        off = abs(simulated_limit(3, rho) - hub_limit(rho))
        yield bound("B8", f"rho = {rho}: simulated limit against the hub word's", off, SIMULATED, verdict=NEW)


def b9() -> Iterator[Row]:
    """The pattern of n >= 4."""
    for n, rho, gamma in ((4, 0.25, 0.2), (5, 0.25, 0.11), (6, 0.2, 0.13)):
        c = collide(
            regular(n, rho),
            gamma,
            {"phi_x": 0.02, "phi_y": 0.03, "h": 1.0, "omega_x": 0.05, "omega_y": 0.02, "v": -1.0},
            max_impacts=3000,
        )
        last = set(c.steps[-200:].tolist())
        yield claim(
            "B9",
            f"n = {n}: steps of the last 200 of 3000 impacts",
            str(last),
            last in ({1}, {n - 1}),
            printed="regular: all 1 or all n-1",
        )


def b10() -> Iterator[Row]:
    """The pattern of n = 3."""
    c = collide(regular(3, 0.5), 0.045, {"h": 1.0, "omega_x": 0.05, "omega_y": 0.02, "v": -1.0}, max_impacts=2000)
    word = c.accumulation().word
    yield claim(
        "B10",
        "n = 3, rho = .5, gamma = .045: pattern",
        f"{word}: a point every second impact",
        len(word) == 4 and (word[0] == word[2] or word[1] == word[3]),
        printed="regular",
        verdict=REFUTED,
    )
    from ...motion.impacts.pattern import self_similar

    regular_word = [s for s in self_similar(regular(3, 0.5), 0.03, (0, 1, 2)) if s.feasible]
    attracts = any(s.dominant for s in regular_word)
    yield claim(
        "B10",
        "n = 3: the regular motion 0, 1, 2 exists and attracts no other (gamma = .03)",
        f"{len(regular_word)} feasible, {'attracting' if attracts else 'none attracting'}",
        bool(regular_word) and not attracts,
        printed="regular",
        verdict=REFUTED,
    )


TARGETS = {"A1": a1, "A2": a2, "A3": a3, "A4": a4, "B1": b1, "B2": b2, "B3": b3, "B4": b4, "B5": b5}
TARGETS |= {"B6": b6, "B7": b7, "B8": b8, "B9": b9, "B10": b10}
