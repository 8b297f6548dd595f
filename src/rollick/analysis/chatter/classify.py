"""`classify`: can a body be brought to rest by impacts alone? A verdict, the criterion that gave it, a witness, and the margin.

Verdicts
    "complete"    complete chatter (CC) is possible, on an open set of starts;
    "partial"     infinitely many impacts, and two points may come to rest first (PCC or CC);
    "incomplete"  motions fly away after finitely many impacts (ICC), all of them up to exceptional ones;
    "undecided"   no criterion speaks; what simulated drops did is told beside it.

Criteria, the strongest first: closed form (rod); a cone whose invariance is proven; a periodic word with an attracting, feasible self-similar
motion, found by a search through all words up to a length (`word_search.py`), or as the pattern that a simulated drop ends in; all sequences
escape (an exhaustive search in floating point, up to exceptional motions); two points that come to rest in a drop, by the eigenvalues of the
pair. Simulation alone decides nothing: where all drops fly away, others, from starts that are rare, may chatter; where most go on for tens of
thousands of impacts without any pattern, they may leave later. What the drops suggest is told apart, as `evidence`. The thesis' Conjecture 1,
that the dominant eigenvalue of U_0 R decides, is reported beside them; it is wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from ...kernel.names import InputError, number
from ...kernel.renamed import renamed
from ...mechanics.plate import Plate, regular
from .attracting import carries
from .cone import Cone, effective_cone
from .escape import all_escape
from .pair import pair_limit, pair_limits, partial_limit
from .patterns import Dropped, drops_of, in_words
from .spectrum import check, cubic, dominance, hub_limit, regular_limit, upper_end
from .word_search import search_for_words
from .words import plate_word, star_limits

SAFE = 1e-9  # clearance of a self-similar motion that no rounding can take away


@dataclass(frozen=True)
class Verdict:
    """The answer of `classify`."""

    verdict: str
    criterion: str  # closed form, cone, word, pair, escape; simulation where none of them speaks
    witness: Any  # a Cone, a (word, SelfSimilar), an Escape, or the Collisions of an orbit that escapes
    margin: float  # distance in gamma to the boundary of chatter: positive where it chatters; nan if the boundary is not known
    proven: bool
    n: int
    gamma: float
    rho: float = math.nan
    criteria: dict[str, Any] = field(default_factory=dict)  # what each criterion says
    evidence: str = ""  # what simulated drops suggest where no criterion speaks; no verdict

    def summary(self) -> str:
        """In a few lines."""
        body = f"n = {self.n}, rho = {self.rho:g}, gamma = {self.gamma:g}"
        if self.verdict == "undecided":
            lines = [f"{body}: undecided; no criterion speaks, and what drops do is no proof"]
            lines += [f"evidence   {self.evidence}"] if self.evidence else []
        else:
            proof = " (proven)" if self.proven else " (evidence, no proof)"
            lines = [f"{body}: {self.verdict} chatter, by {self.criterion}{proof}"]
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
            return f"word {in_words(letters)}, beta_p = {motion.beta_p:.6g}, beta_q = {motion.beta_q:.6g} per round of {len(motion.word)}"
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
            "evidence": self.evidence,
            "n": self.n,
            "rho": self.rho if math.isfinite(self.rho) else None,
            "gamma": self.gamma,
            "criteria": {k: str(v) for k, v in self.criteria.items()},
        }

    def __repr__(self) -> str:
        return self.summary()


def known_limits(n: int, rho: float) -> dict[str, float]:
    """The limits in gamma of the words that are known to attract widely: regular, hub (n = 3) and star words; nan for those that never do."""
    limits = {"regular word": regular_limit(n, rho)}
    if n == 3:
        limits["hub word"] = hub_limit(rho)
    return limits | {star_name(n, k): limit for k, limit in star_limits(n, rho).items()}


def star_name(n: int, k: int) -> str:
    """The star word of step k by its points."""
    points = [str(i * k % n) for i in range(n // math.gcd(n, k))]
    return "star word " + " ".join(points if len(points) <= 12 else [*points[:4], "..."])


def margin_of(verdict: str, n: int, rho: float, gamma: float, limits: dict[str, float], word: tuple[int, ...] | None) -> float:
    """Distance in gamma to the boundary of chatter; nan where it is not known.

    Where it chatters: up to the end of the range in which the same is known, by the word that was found, or by the regular or the hub
    word. Where it does not: down to the last limit of a known word, if all of them are below.
    """
    finite = {name: x for name, x in limits.items() if not math.isnan(x)}
    if verdict in ("complete", "partial"):
        ends = [x for name, x in finite.items() if name in ("regular word", "hub word") and x >= gamma]
        if word is not None:
            ends.append(upper_end(lambda g: carries(n, rho, g, word), gamma))
        return max(ends) - gamma if ends else math.nan
    least = max(finite.values(), default=0.0)
    return least - gamma if verdict == "incomplete" and least <= gamma else math.nan


@renamed(most="max_impacts")
def classify(
    rho: float,
    gamma: float,
    n: int,
    *,
    longest: int = 16,
    max_pieces: int = 1_000_000,
    drops: int = 20_000,
    max_impacts: int = 4000,
    seed: int = 1,
) -> Verdict:
    """Whether a rod (n = 2) or a regular n-gon can be brought to rest by impacts without gravity.

    `longest`, `max_pieces`: bounds of the search for words, see `search_for_words`. `drops`, `max_impacts`, `seed`: of the drops, from starts of all
    kinds, whose patterns are looked at where nothing else decides.
    """
    rho, gamma = number(rho, "rho"), number(gamma, "gamma")
    if not math.isfinite(n) or float(n) != int(n) or n < 2:
        raise InputError(f"n = {n!r} must be a whole number, 2 (the rod) or more.")
    n = int(n)
    if n == 2:
        return _rod(rho, gamma)
    check(n, rho, gamma)
    limits, partly = known_limits(n, rho), partial_limit(n, rho)
    criteria = _words_of_limits(n, rho, gamma, limits, partly)
    name = "partial" if not math.isnan(partly) and gamma <= partly else "complete"

    def verdict(
        name: str, criterion: str, witness: Any, proven: bool, word: tuple[int, ...] | None = None, evidence: str = ""
    ) -> Verdict:
        margin = margin_of(name, n, rho, gamma, limits, word)
        return Verdict(name, criterion, witness, margin, proven, n, gamma, rho, criteria, evidence)

    cone = effective_cone(n, rho, gamma)
    criteria["cone"] = cone.verdict + (f", proven with margin {cone.margin:g}" if cone.proven else "")
    if cone.proven:
        return verdict(name, "cone", cone, True)
    found = search_for_words(n, rho, gamma, longest=longest, max_pieces=max_pieces)
    criteria["word"] = found.text()
    if found.word is not None and found.motion is not None:
        return verdict(name, "word", (found.word, found.motion), bool(found.motion.clearance > SAFE), found.word)
    dropped = drops_of(regular(n, rho), gamma, drops, max_impacts, seed, True)
    criteria["drops"] = dropped.text
    if dropped.pattern is not None:
        return verdict(name, "word", dropped.pattern, bool(dropped.pattern[1].clearance > SAFE), dropped.pattern[0])
    if dropped.settled is not None:
        return verdict("partial", "pair", dropped.settled, False)
    if dropped.going == 0.0:
        escape = all_escape(n, rho, gamma)
        criteria["escape"] = f"{escape.verdict}, {escape.impacts} impacts, {escape.pieces} pieces"
        if escape.verdict == "always":
            return verdict("incomplete", "escape", escape, False)
    return verdict("undecided", "simulation", dropped.orbit, False, evidence=suggestion(dropped, name))


def suggestion(dropped: Dropped, chatter: str) -> str:
    """What drops suggest, in words, where nothing decides; `chatter`: the kind that would be possible."""
    if dropped.irregular:
        return f"most drops go on without a pattern, which suggests {chatter} chatter"
    if dropped.going == 0.0:
        return "all drops fly away, which suggests incomplete chatter; others may chatter, from starts that are rare"
    return "some drops go on, in no pattern that attracts, and some fly away"


def _words_of_limits(n: int, rho: float, gamma: float, limits: dict[str, float], partly: float) -> dict[str, Any]:
    """What the closed forms say, in words."""

    def reach(limit: float) -> str:
        return "never chatters" if math.isnan(limit) else f"chatters up to gamma = {limit:.6g}"

    positive, _ = dominance(cubic(n, rho, gamma))
    said: dict[str, Any] = {
        "U0R": f"dominant eigenvalue {'' if positive else 'not '}real positive; by Conjecture 1 it {reach(limits['regular word'])}"
    }
    if n == 3:
        said["hub"] = f"word 0 2 0 1 {reach(limits['hub word'])}"
    stars = {name: limit for name, limit in limits.items() if name.startswith("star")}
    if stars:
        best = max(stars, key=lambda k: stars[k])
        said["star"] = f"{best.removeprefix('star ')} {reach(stars[best])}"
    said["pair"] = "two neighbours never come to rest alone" if math.isnan(partly) else f"PCC up to gamma = {partly:.6g}"
    return said


@renamed(most="max_impacts")
def classify_plate(
    plate: Plate, gamma: float, *, longest: int = 6, drops: int = 20_000, max_impacts: int = 4000, seed: int = 1
) -> Verdict:
    """As `classify` for any plate: two points in closed form, otherwise words of points and the patterns of drops. The margin is known for two points."""
    gamma = number(gamma, "gamma")
    if not 0.0 <= gamma <= 1.0:
        raise InputError(f"gamma = {gamma!r} must lie between 0 and 1.")
    limits = pair_limits(plate)
    if plate.count == 2:
        return _pair(float(limits[0, 1]), gamma)
    neighbours = [limits[i, (i + 1) % plate.count] for i in range(plate.count)]
    finite = [x for x in neighbours if not math.isnan(x)]
    partial = bool(finite) and gamma <= max(finite)
    criteria: dict[str, Any] = {
        "pair": f"PCC up to gamma = {max(finite):.6g}" if finite else "neighbours never come to rest alone"
    }
    common: dict[str, Any] = {"margin": math.nan, "n": plate.count, "gamma": float(gamma), "criteria": criteria}
    name = "partial" if partial else "complete"
    word = plate_word(plate, gamma, longest)
    criteria["word"] = f"points {word[0]} attract" if word else f"none attracts among all words of points up to length {longest}"
    if word:
        return Verdict(name, "word", word, proven=bool(word[1].clearance > SAFE), **common)
    dropped = drops_of(plate, gamma, drops, max_impacts, seed, False)
    criteria["drops"] = dropped.text
    if dropped.pattern is not None:
        return Verdict(name, "word", dropped.pattern, proven=bool(dropped.pattern[1].clearance > SAFE), **common)
    if dropped.settled is not None:
        return Verdict("partial", "pair", dropped.settled, proven=False, **common)
    return Verdict("undecided", "simulation", dropped.orbit, proven=False, evidence=suggestion(dropped, name), **common)


def _pair(limit: float, gamma: float, rho: float = math.nan) -> Verdict:
    """Two points in turn, in closed form."""
    good = not math.isnan(limit) and gamma <= limit
    said = f"the limit (1 - rho)^2/(1 + rho)^2 = {limit:.6g} of gamma, (3.11)"
    if rho > 1.0:
        said = "above rho = 1 the ends never come to rest in turn, at any gamma, (3.11)"
    if math.isnan(rho):
        said = (
            "the ends never come to rest in turn"
            if math.isnan(limit)
            else f"the limit {limit:.6g} of gamma for two points in turn"
        )
    margin = (0.0 if math.isnan(limit) else limit) - gamma
    return Verdict("complete" if good else "incomplete", "closed form", said, margin, True, 2, gamma, rho, {})


def _rod(rho: float, gamma: float) -> Verdict:
    if not (math.isfinite(rho) and rho > 0.0) or not 0.0 <= gamma <= 1.0:
        raise InputError(f"rho = {rho!r} must be above zero, and gamma = {gamma!r} between 0 and 1.")
    return _pair(pair_limit((1.0 - rho * rho) / (1.0 + rho * rho)), gamma, rho)
