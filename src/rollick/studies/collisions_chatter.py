"""Chatter without gravity: targets A1, A2, A4 of the rod, B1-B10 of the polygons, and the lander's P2."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..analysis.chatter import best_word, hub_limit, partial_limit, regular_limit, rho_max, simulated_limit
from ..analysis.chatter.cone import construct, effective_cone
from ..analysis.chatter.escape import all_escape
from ..analysis.chatter.pair import pair_limit
from ..analysis.chatter.simulated import LEAVES, PARTIAL, STILL, outcomes
from ..analysis.chatter.spectrum import cubic, dominance, step_map
from ..analysis.chatter.square import image_margin, square_cone
from ..archetypes.polygon import BODIES
from ..archetypes.rod import RodTheory, rod, rod_start
from ..mechanics.plate import regular
from ..motion.impacts.collide import collide
from .ledger import Row, bound, claim, value

E6 = "E6: the thesis computed with rho = 0.5; the homogeneous plate has rho = 1/sqrt 8"
SIMULATED = 1e-6  # the bar for simulated against theoretical limits


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
    worst = max(abs(RodTheory(0.3, g).limit - (2.0 / (math.sqrt(g) + 1.0) - 1.0)) for g in np.linspace(0.0, 1.0, 101))
    yield bound("A1", "(3.11): (1 - sqrt g)/(1 + sqrt g) against 2/(sqrt g + 1) - 1", worst, 1e-14)
    wrong = 0
    for gamma in (0.05, 0.2, 0.5, 0.8):
        limit = RodTheory(0.3, gamma).limit
        for factor, status in ((0.999, "CC"), (1.001, "ICC")):
            c = collide(rod(limit * factor), gamma, rod_start(phi=1e-3), max_impacts=4000)
            wrong += c.status != status
    yield claim("A1", "drops at 0.999 and 1.001 of the limit, four restitutions", "CC, ICC", f"{wrong} of 8 differ", wrong == 0)


def a2() -> Iterator[Row]:
    """Theorem 3: the cone of the rotating rod."""
    wrong = 0
    for rho, gamma in ((0.25, 0.2), (0.1, 0.5), (0.05, 0.7), (0.3, 0.1), (0.5, 0.05)):
        width = RodTheory(rho, gamma).a_min
        for factor, status in ((0.999, "CC"), (1.001, "ICC")):
            c = collide(rod(rho), gamma, rod_start(omega=factor * width, h=1.0 + factor * width), max_impacts=400)
            wrong += c.status != status
    yield claim("A2", "Theorem 3: omega = 0.999 and 1.001 a_min |v|, five rods", "CC, ICC", f"{wrong} of 10 differ", wrong == 0)


def a3() -> Iterator[Row]:
    """(B.10) on (B.8)."""
    for gamma in (0.05, 0.2, 0.5):
        third = gamma ** (1.0 / 3.0)
        mu = (third + third**2) / (1.0 + gamma)
        c = RodTheory(math.sqrt((1.0 - mu) / (1.0 + mu)), gamma).exponent
        yield value("A3", f"(B.10): c_rod on (B.8), gamma = {gamma}", 2.0, c, 1e-12)


def a4() -> Iterator[Row]:
    """The rod rho = 0.25, gamma = 0.2."""
    theory = RodTheory(0.25, 0.2)
    high, low = (x.real for x in theory.eigenvalues)
    yield value("A4", "rho = .25, gamma = .2: lambda_max", 0.8127434, high, 5e-8)
    yield value("A4", "lambda_min", 0.2460801, low, 5e-8)
    yield value("A4", "a_min", 9.680532, theory.a_min, 5e-7)
    yield value("A4", "c_rod", 0.3470825, theory.exponent, 5e-8)
    start, t_f = theory.self_similar()
    yield value("A4", "t_f / tau_0", 1.434262, t_f, 5e-7)
    a = collide(rod(0.25), 0.2, start, max_impacts=2000).accumulation()
    yield bound("A4", "accumulation time of the simulation, from its tail, relative", abs(a.from_tail / t_f - 1.0), 1e-13)
    yield bound("A4", "and from the eigenvalues of its pattern, relative", abs(a.from_pattern / t_f - 1.0), 1e-13)


def body_limits(
    id: str, name: str, complete: float, partial: float, digits: float, published: tuple[float, float]
) -> Iterator[Row]:
    """CC and PCC limits of a triangular face."""
    rho = BODIES[name].rho
    yield value(id, f"{name}: CC limit of gamma, word 0, 1, 2 (U0 R)", complete, regular_limit(3, rho), 5e-7)
    yield value(id, f"{name}: PCC limit of gamma", partial, partial_limit(3, rho), 5e-7)
    yield value(id, f"{name}: CC limit, printed", published[0], regular_limit(3, rho), digits)
    yield value(id, f"{name}: PCC limit, printed", published[1], partial_limit(3, rho), digits)
    yield bound(id, f"{name}: simulated limit against the hub word's", abs(simulated_limit(3, rho) - hub_limit(rho)), SIMULATED)


def b1() -> Iterator[Row]:
    """The triangular plate."""
    yield value("B1", "rho = .5, the value used in 3.4.5: CC limit, printed", 0.04, regular_limit(3, 0.5), 5e-3)
    yield value("B1", "rho = .5: PCC limit, printed", 0.01, partial_limit(3, 0.5), 5e-3)
    yield value("B1", "rho = .5: hub word", 0.047283, hub_limit(0.5), 5e-7)
    rho = BODIES["triangular plate"].rho
    yield value("B1", "homogeneous plate, rho = .353553: CC limit", 0.04, regular_limit(3, rho), 5e-3, erratum=E6)
    yield value("B1", "homogeneous plate: U0 R", 0.145898, regular_limit(3, rho), 5e-7)
    yield value("B1", "homogeneous plate: hub word", 0.152583, hub_limit(rho), 5e-7)
    yield value("B1", "homogeneous plate: PCC", 0.029437, partial_limit(3, rho), 5e-7)


def b2() -> Iterator[Row]:
    """The tetrahedron."""
    yield from body_limits("B2", "tetrahedron", 0.115198, 0.024296, 1.5e-3, (0.116, 0.025))
    yield value("B2", "tetrahedron: hub word", 0.121299, hub_limit(BODIES["tetrahedron"].rho), 5e-7)


def b3() -> Iterator[Row]:
    """The octahedron."""
    yield from body_limits("B3", "octahedron", 0.024860, 0.005988, 5e-4, (0.025, 0.006))
    yield value("B3", "octahedron: hub word", 0.027481, hub_limit(BODIES["octahedron"].rho), 5e-7)


def b4() -> Iterator[Row]:
    """The square plate."""
    rho = BODIES["square plate"].rho
    yield value("B4", "square plate, rho = 1/sqrt 6: CC limit", 0.029550, regular_limit(4, rho), 5e-7)
    yield value("B4", "printed", 0.03, regular_limit(4, rho), 5e-3)
    none = math.isnan(regular_limit(4, 0.5))
    yield claim("B4", "with the printed rho = .5", "no chatter (E5)", "none" if none else "chatter", none)
    yield bound("B4", "simulated limit against U0 R", abs(simulated_limit(4, rho) - regular_limit(4, rho)), SIMULATED)
    least = min(
        image_margin(square_cone(r, g), r, g) for r, g in ((0.25, 0.2), (0.25, 0.1), (0.1, 0.4), (0.4, 0.03), (0.2, 0.001))
    )
    yield bound("B4", "(3.43): images of the explicit cone leave it by", max(-least, 0.0), 1e-14)


def b5() -> Iterator[Row]:
    """The cube and the dodecahedron."""
    for name, reach in (("cube", 0.45509), ("dodecahedron", 0.34356)):
        body = BODIES[name]
        yield value("B5", f"{name}: rho_max({body.n})", reach, rho_max(body.n), 5e-6)
        yield claim("B5", f"{name}, rho = {body.rho:.5f}", "always ICC", "rho > rho_max", body.rho > rho_max(body.n))
    found = [all_escape(4, BODIES["cube"].rho, g).verdict for g in (0.1, 0.5, 0.9)]
    yield claim(
        "B5", "cube, gamma = .1, .5, .9: every sequence of impacts escapes", "always", str(set(found)), set(found) == {"always"}
    )
    found = [all_escape(5, BODIES["dodecahedron"].rho, g).verdict for g in (0.01, 0.1, 0.5, 0.9)]
    yield claim("B5", "dodecahedron, gamma = .01 .. .9: likewise", "always", str(set(found)), set(found) == {"always"})


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
            "found, none",
            f"{below}, {above}",
            (below, above) == ("found", "none"),
        )
    for n, rho, gamma in ((4, 0.25, 0.2085), (5, 0.25, 0.1213), (3, 0.5, 0.043), (3, 0.25, 0.275), (6, 0.2, 0.13)):
        cone = effective_cone(n, rho, gamma)
        yield claim(
            "B6",
            f"n = {n}, rho = {rho}, gamma = {gamma}: invariance proven with outward rounding",
            "proven",
            f"{'proven' if cone.proven else cone.verdict}, margin {cone.margin:g}",
            cone.proven,
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
            "most, none",
            f"{inside:.2f}, {outside:.2f}",
            holds,
        )
    ends = [
        outcomes(regular(n, rho), g, count=50, max_impacts=2000)[0]
        for n in (4, 5, 6)
        for rho in (0.05, 0.2, 0.4)
        for g in (0.001, 0.01, 0.1)
    ]
    never = not any(np.any(e == PARTIAL) for e in ends)
    yield claim("B7", "n = 4, 5, 6: PCC in 1350 drops", "none", "none" if never else "some", never)
    mu = -(math.cos(2 * math.pi / 3) + 0.25) / 1.25
    yield bound(
        "B7",
        "4.2: limit of the pair against 2 sqrt g/(1 + g) = mu",
        abs(2 * math.sqrt(pair_limit(mu)) / (1 + pair_limit(mu)) - mu),
        1e-15,
    )


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
            "chatters (Conjecture 1 fails)",
            text,
            not positive and share > 0 and word is not None,
        )
    for rho, published in ((0.1, 0.616607), (0.25, 0.283936), (0.5, 0.047283), (0.65, 0.003506)):
        yield value("B8", f"rho = {rho}: limit of the hub word", published, hub_limit(rho), 5e-7)
        yield bound(
            "B8", f"rho = {rho}: simulated limit against the hub word's", abs(simulated_limit(3, rho) - hub_limit(rho)), SIMULATED
        )


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
            "B9", f"n = {n}: steps of the last 200 of 3000 impacts", "all 1 or all n-1", str(last), last in ({1}, {n - 1})
        )


def b10() -> Iterator[Row]:
    """The pattern of n = 3."""
    c = collide(regular(3, 0.5), 0.045, {"h": 1.0, "omega_x": 0.05, "omega_y": 0.02, "v": -1.0}, max_impacts=2000)
    word = c.accumulation().word
    yield claim(
        "B10",
        "n = 3, rho = .5, gamma = .045: pattern",
        "hub: a point every second impact",
        str(word),
        (len(word) == 4 and word[0] == word[2]) or (len(word) == 4 and word[1] == word[3]),
    )
    from ..motion.impacts.pattern import self_similar

    regular_word = [s for s in self_similar(regular(3, 0.5), 0.03, (0, 1, 2)) if s.feasible]
    attracts = any(s.dominant for s in regular_word)
    yield claim(
        "B10",
        "n = 3: the regular motion 0, 1, 2 exists and attracts no other (gamma = .03)",
        "irregular",
        f"{len(regular_word)} feasible, {'attracting' if attracts else 'none attracting'}",
        bool(regular_word) and not attracts,
    )


def p2() -> Iterator[Row]:
    """Philae: the restitution needed."""
    rho = 0.2392  # as printed; the published masses and legs give 0.23915 (P1)
    yield bound("P2", "Philae: printed rho against masses and legs", abs(rho - BODIES["Philae"].rho), 5e-5)
    yield value("P2", "Philae: CC limit of gamma, U0 R", 0.2935, regular_limit(3, rho), 5e-5)
    yield value("P2", "hub word", 0.3014, hub_limit(rho), 5e-5)
    yield value("P2", "PCC limit", 0.0482, partial_limit(3, rho), 5e-5)
    printed = "E17: gamma < 0.5 is too large; drops at gamma = .4 all fly away"
    yield value("P2", "printed: gamma needed for CC", 0.5, hub_limit(rho), 5e-3, erratum=printed)
    ends, _ = outcomes(regular(3, rho), 0.4, count=200, max_impacts=2000)
    yield claim(
        "P2", "200 drops at gamma = .4", "all ICC (E17)", f"{np.mean(ends == LEAVES):.0%} ICC", bool(np.all(ends == LEAVES))
    )


TARGETS = {"A1": a1, "A2": a2, "A3": a3, "A4": a4, "B1": b1, "B2": b2, "B3": b3, "B4": b4, "B5": b5}
TARGETS |= {"B6": b6, "B7": b7, "B8": b8, "B9": b9, "B10": b10, "P2": p2}
