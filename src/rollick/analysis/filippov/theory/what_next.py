"""What happens next where both contacts roll (Proposition 3.3), with the reasons in words.

(a) Both slip (SS) if F_SS has a repelling direction there. (b) P+ slips (SR) if F_SR leaves on a side of u1+ = 0 *and* on that side Sigma_SR attracts F_SS.
(c) P- slips (RS) likewise with F_RS. (d) Both go on rolling (RR) otherwise. Added here: a candidate in which a contact would have to pull (N < 0) is rejected;
the static margin tells whether forces of rolling exist at all. Where they do *and* (a), (b) or (c) holds, the body may be wedged, and the
answer is `ambiguous`. Where nothing is left it is `contact loss`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....kernel.names import InputError, called
from .double import DoubleSwitching
from .double_directions import DoubleDirection, double_directions
from .extended import classified
from .margin import Margin, static_margin

LETTERS = {"SR": ("u1+", "P+", "u1- = ua = 0"), "RS": ("u1-", "P-", "u1+ = ua = 0")}


class Candidate(NamedTuple):
    """A way to leave rolling-rolling: the mode, the rate at which slip grows, the direction (SS) or side (SR, RS), (N+, N-), the verdict."""

    mode: str
    rate: float
    direction: DoubleDirection | None
    side: int
    normals: tuple[float, float] | None
    admissible: bool
    pulls: bool
    reason: str


@dataclass(frozen=True)
class WhatNext:
    """The verdict: `mode` is SS, SR, RS, RR, `ambiguous`, `contact loss` or `undecided`; `modes` are those that could follow."""

    x: np.ndarray
    mode: str
    modes: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    margin: Margin | None
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.mode}: " + "; ".join(self.reasons)

    @property
    def departure(self) -> Candidate | None:
        """The one admissible way to leave, if the verdict is SS, SR or RS."""
        return next((c for c in self.candidates if c.admissible and c.mode == self.mode), None)


def what_next(system: DoubleSwitching, x: Any) -> WhatNext:
    """What a body does from a state in which both contacts roll."""
    if not isinstance(system, DoubleSwitching):
        raise InputError(
            f"what_next takes the four fields of a body with two contacts, DoubleSwitching(SS, SR, RS, RR, index=...); got {called(system)}. "
            "Which modes of a system with dry contacts can follow, what_follows(system, state) says."
        )
    x = system.rolling_state(x)
    candidates = tuple([*_both(system, x), *_one(system, x, "SR"), *_one(system, x, "RS")])
    margin = static_margin(system.static(x)) if system.static is not None else None
    mode, modes, closing = _verdict(system, x, candidates, margin)
    return WhatNext(x, mode, modes, candidates, margin, (*(c.reason for c in candidates), *closing))


def _pull(normals: np.ndarray | None, tolerance: float) -> tuple[tuple[float, float] | None, str]:
    """The normal forces, and a clause if one of them pulls."""
    if normals is None:
        return None, ""
    pair = (float(normals[0]), float(normals[1]))
    low = -tolerance * (abs(pair[0]) + abs(pair[1]))
    bad = [f"N{sign} = {n:.6g}" for sign, n in zip("+-", pair) if n < low]
    return pair, f", rejected: {' and '.join(bad)} would pull" if bad else ""


def _both(system: DoubleSwitching, x: np.ndarray) -> list[Candidate]:
    candidates = []
    for d in double_directions(system, x):
        if d.does != "repels":
            continue
        pair, clause = _pull(system.near_normal(x, d.phi_plus, d.phi_minus), system.tolerance)
        text = f"F_SS leaves along phi+ = {d.phi_plus:.6g}, phi- = {d.phi_minus:.6g} at R = {d.radial:.6g}{clause}"
        candidates.append(Candidate("SS", d.radial, d, 0, pair, not clause, bool(clause), text))
    return candidates


def _one(system: DoubleSwitching, x: np.ndarray, mode: str) -> list[Candidate]:
    slip, point, kept = LETTERS[mode]
    place = system.index[0 if mode == "SR" else 1]
    candidates = []
    for side in (1, -1):
        field = system.side(mode, x, float(side))
        rate = side * float(field[place])
        if rate <= system.tolerance * float(np.linalg.norm(field)):
            continue
        around = classified(system.frozen(mode, x, float(side)), tolerance=system.tolerance)
        holds = around.kind in ("attracting sliding", "attracting spiral")
        pair, clause = _pull(system.side_normal(mode, x, float(side)), system.tolerance)
        text = f"F_{mode} leaves to {slip} {'>' if side > 0 else '<'} 0 at the rate {rate:.6g}"
        if holds:
            text += f", and {kept} holds there ({around.kind}): {point} slips alone{clause}"
        else:
            text += f", but {kept} does not hold there ({around.kind}){clause}"
        candidates.append(Candidate(mode, rate, None, side, pair, holds and not clause, holds and bool(clause), text))
    return candidates


def _verdict(
    system: DoubleSwitching, x: np.ndarray, candidates: tuple[Candidate, ...], margin: Margin | None
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    ways = [c for c in candidates if c.admissible]
    modes = tuple(dict.fromkeys(c.mode for c in ways))
    static = None
    if margin is not None and system.static is not None:
        size = float(np.abs(system.static(x).forces).max())
        static = margin.value >= -1e-12 * size
    known = "" if margin is None else f"the static margin is {margin.value:.6g}"
    if ways and static:
        return "ambiguous", ("RR", *modes), (f"{known}: forces of rolling exist as well, the body may be wedged",)
    if len(ways) > 1:
        return "ambiguous", modes, (f"{len(ways)} ways to leave are admissible",)
    if ways:
        return ways[0].mode, modes, (f"{known}: no forces of rolling exist",) if margin is not None else ()
    pulls = [c for c in candidates if c.pulls]
    if static is False:
        why = "every way to leave would need a pull" if pulls else "nothing leaves"
        return "contact loss", (), (f"{known}: no forces of rolling exist, and {why}",)
    if static is None and pulls:
        return (
            "undecided",
            (),
            ("every way to leave would need a pull; give `static` to decide between rolling and contact loss",),
        )
    closing = "no field leaves" if not pulls else "no admissible field leaves"
    return "RR", ("RR",), (f"{closing}: both contacts go on rolling" + (f" ({known})" if known else ""),)
