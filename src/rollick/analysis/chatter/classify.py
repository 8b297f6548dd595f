"""`classify`: can a body be brought to rest by impacts alone? A verdict, the criterion that gave it, a witness, and the margin.

Verdicts
    "complete"    complete chatter (CC) is possible, on an open set of starts;
    "partial"     infinitely many impacts, and two points may come to rest first (PCC or CC);
    "incomplete"  motions fly away after finitely many impacts (ICC);
    "undecided"   no criterion speaks.

Criteria, the strongest first: closed form (rod); a cone whose invariance is proven; a periodic word with an attracting, feasible self-similar
motion; all sequences escape (an exhaustive search in floating point, up to exceptional motions); simulated drops. The thesis' Conjecture 1, that the dominant eigenvalue of
U_0 R decides, is reported beside them; for n = 3 it is wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernel.names import InputError, number
from ...mechanics.plate import Plate, regular
from .cone import Cone, effective_cone
from .escape import all_escape
from .pair import pair_limit, pair_limits, partial_limit
from .simulated import LEAVES, outcomes
from .spectrum import check, cubic, dominance, hub_limit, regular_limit
from .words import best_word, plate_word

SAFE = 1e-9  # clearance of a self-similar motion that no rounding can take away


@dataclass(frozen=True)
class Verdict:
    """The answer of `classify`."""

    verdict: str
    criterion: str  # closed form, cone, word, escape, simulation
    witness: Any  # a Cone, a (word, SelfSimilar), an Escape, or the Collisions of an orbit that escapes
    margin: float  # distance in gamma to the boundary of chatter: positive where it chatters; nan if the boundary is not known
    proven: bool
    n: int
    gamma: float
    rho: float = math.nan
    criteria: dict[str, Any] = field(default_factory=dict)  # what each criterion says

    def summary(self) -> str:
        """In a few lines."""
        body = f"n = {self.n}, rho = {self.rho:g}, gamma = {self.gamma:g}"
        lines = [
            f"{body}: {self.verdict} chatter, by {self.criterion}" + (" (proven)" if self.proven else " (evidence, no proof)")
        ]
        lines.append(f"margin     {self.margin:+.6g} in gamma" if math.isfinite(self.margin) else "margin     not known")
        lines.append(f"witness    {self.witness_text()}")
        lines += [f"{name:<10} {said}" for name, said in self.criteria.items()]
        return "\n".join(lines)

    def witness_text(self) -> str:
        """The witness in words."""
        w = self.witness
        if isinstance(w, Cone):
            return f"a cone with {len(w.polygon)} rays; images may be stretched by {w.margin:g}"
        if isinstance(w, tuple):
            letters, motion = w
            return f"word {' '.join(map(str, letters))}, beta_p = {motion.beta_p:.6g}, beta_q = {motion.beta_q:.6g} per round of {len(motion.word)}"
        if hasattr(w, "pieces"):
            return f"the mass centre of every motion rises after at most {w.impacts} impacts ({w.pieces} pieces)"
        if hasattr(w, "plate"):
            return f"an orbit that ends as {w.status} after {len(w)} impacts"
        return str(w)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        margin = self.margin if math.isfinite(self.margin) else None
        return {
            "verdict": self.verdict,
            "criterion": self.criterion,
            "witness": self.witness_text(),
            "margin": margin,
            "proven": self.proven,
            "n": self.n,
            "rho": self.rho if math.isfinite(self.rho) else None,
            "gamma": self.gamma,
            "criteria": {k: str(v) for k, v in self.criteria.items()},
        }

    def __repr__(self) -> str:
        return self.summary()


def classify(rho: float, gamma: float, n: int, *, longest: int = 4, drops: int = 30, most: int = 4000, seed: int = 1) -> Verdict:
    """Whether a rod (n = 2) or a regular n-gon can be brought to rest by impacts without gravity.

    `longest`: of the words that are tried; `drops`, `most`, `seed`: of the simulation that decides where nothing else does.
    """
    rho, gamma = number(rho, "rho"), number(gamma, "gamma")
    n = int(n) if math.isfinite(n) and float(n).is_integer() else 0
    if n == 2:
        return _rod(rho, gamma)
    check(n, rho, gamma)
    positive, _ = dominance(cubic(n, rho, gamma))
    ordinary, partly = regular_limit(n, rho), partial_limit(n, rho)
    true = hub_limit(rho) if n == 3 else ordinary
    reach = "never chatters" if math.isnan(ordinary) else f"chatters up to gamma = {ordinary:.6g}"
    criteria: dict[str, Any] = {
        "U0R": f"dominant eigenvalue {'' if positive else 'not '}real positive; by Conjecture 1 it {reach}"
    }
    if n == 3:
        criteria["hub"] = "word 0 2 0 1 never chatters" if math.isnan(true) else f"word 0 2 0 1 chatters up to gamma = {true:.6g}"
    criteria["pair"] = "two neighbours never come to rest alone" if math.isnan(partly) else f"PCC up to gamma = {partly:.6g}"
    cone = effective_cone(n, rho, gamma)
    criteria["cone"] = cone.verdict + (f", proven with margin {cone.margin:g}" if cone.proven else "")
    margin = (true if not math.isnan(true) else 0.0) - gamma
    name = "partial" if not math.isnan(partly) and gamma <= partly else "complete"
    common: dict[str, Any] = {"margin": margin, "n": n, "gamma": gamma, "rho": rho, "criteria": criteria}
    if cone.proven:
        return Verdict(name, "cone", cone, proven=True, **common)
    word = best_word(n, rho, gamma, longest if n <= 6 else min(longest, 2))
    criteria["word"] = f"steps {word[0]} attract" if word else f"none up to length {longest if n <= 6 else min(longest, 2)}"
    if word:
        return Verdict(name, "word", word, proven=bool(word[1].clearance > SAFE), **common)
    escape = all_escape(n, rho, gamma)
    criteria["escape"] = f"{escape.verdict}, {escape.impacts} impacts, {escape.pieces} pieces"
    if escape.verdict == "always":
        return Verdict("incomplete", "escape", escape, proven=False, **common)
    return _by_drops(regular(n, rho), name, drops, most, seed, common)


def classify_plate(plate: Plate, gamma: float, *, longest: int = 6, drops: int = 100, most: int = 4000, seed: int = 1) -> Verdict:
    """As `classify` for any plate: pairs, words of points, simulation. The margin is not known."""
    gamma = number(gamma, "gamma")
    if not 0.0 <= gamma <= 1.0:
        raise InputError(f"gamma = {gamma!r} must lie between 0 and 1.")
    limits = pair_limits(plate)
    neighbours = [limits[i, (i + 1) % plate.count] for i in range(plate.count)]
    finite = [x for x in neighbours if not math.isnan(x)]
    partial = bool(finite) and gamma <= max(finite) and plate.count > 2
    criteria: dict[str, Any] = {
        "pair": f"PCC up to gamma = {max(finite):.6g}" if finite else "neighbours never come to rest alone"
    }
    common: dict[str, Any] = {"margin": math.nan, "n": plate.count, "gamma": float(gamma), "criteria": criteria}
    word = plate_word(plate, gamma, longest)
    criteria["word"] = f"points {word[0]} attract" if word else f"none up to length {longest}"
    name = "partial" if partial else "complete"
    if word:
        return Verdict(name, "word", word, proven=bool(word[1].clearance > SAFE), **common)
    return _by_drops(plate, name, drops, most, seed, common)


def _rod(rho: float, gamma: float) -> Verdict:
    if not (math.isfinite(rho) and rho > 0.0) or not 0.0 <= gamma <= 1.0:
        raise InputError(f"rho = {rho!r} must be above zero, and gamma = {gamma!r} between 0 and 1.")
    limit = pair_limit((1.0 - rho * rho) / (1.0 + rho * rho))
    good = not math.isnan(limit) and gamma <= limit
    witness = f"the limit (1 - rho)^2/(1 + rho)^2 = {limit:.6g} of gamma, (3.11)"
    margin = (0.0 if math.isnan(limit) else limit) - gamma
    return Verdict("complete" if good else "incomplete", "closed form", witness, margin, True, 2, gamma, rho, {})


def _by_drops(plate: Plate, name: str, drops: int, most: int, seed: int, common: dict[str, Any]) -> Verdict:
    """Random drops decide, without proof."""
    from ...motion.impacts.collide import collide
    from .simulated import starts_for

    ends, counts = outcomes(plate, common["gamma"], count=drops, most=most, seed=seed)
    still = int(np.sum(ends != LEAVES))
    common["criteria"]["simulation"] = f"{drops - still} of {drops} drops fly away, after at most {int(counts.max())} impacts"
    which = int(np.argmax(ends != LEAVES)) if still else int(np.argmax(counts))
    start = starts_for(plate, drops, np.random.default_rng(seed))[which]
    orbit = collide(plate, common["gamma"], start, most=most, beyond=False)
    if still == 0:
        return Verdict("incomplete", "simulation", orbit, proven=False, **common)
    if common["margin"] < 0.0:  # beyond the known limit, yet still going after so many impacts
        name = "undecided"
    return Verdict(name, "simulation", orbit, proven=False, **common)
