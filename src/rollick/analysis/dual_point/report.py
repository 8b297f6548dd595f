"""What a body with two contacts does next, and why: static margin, wedging, ambiguity, inconsistency, contact loss, compatibility.

From rolling at both contacts Proposition 3.3 decides (`what_next`); from rolling at one, whether the set on which it rolls attracts; from slip at both, the normal
forces. In every state the ways in which a contact opens are looked for as well (`openings`): where more than one way to go on exists the verdict is
`ambiguous`, where none does, `inconsistent`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernel.names import InputError
from ..filippov import Compatibility, compatibility
from ..filippov.theory.margin import Margin, static_margin
from ..filippov.theory.what_next import WhatNext, what_next
from .cases import Case, case, mode_of, must_roll
from .fields import double_switching, least_drive, static_forces
from .openings import Opening, openings
from .point import DualPoint

SETS = {"SR": ("u1- = ua = 0", "P+", "P-", 1), "RS": ("u1+ = ua = 0", "P-", "P+", 0)}
WORDS = {"SS": "both contacts slip", "SR": "P+ slips, P- rolls", "RS": "P+ rolls, P- slips", "RR": "both contacts roll"}


@dataclass(frozen=True)
class TwoContacts:
    """The verdict on a body with two contacts.

    mode: what it does now. verdict: SS, SR, RS, RR, `contact loss`, `ambiguous` or `inconsistent`; ways: all that could follow. case: accelerations and
    forces of what it does now. margin: of rolling at both contacts (None where the surfaces do not let both roll); `wedged`: it is infinite. least_drive: not above zero where friction can jam the
    body. next: Proposition 3.3,
    where both roll. opening: the ways in which a contact opens. compatibility: Definition 3.2 at this configuration. reasons: sentences.
    """

    point: DualPoint
    mode: str
    verdict: str
    ways: tuple[str, ...]
    case: Case
    margin: Margin | None
    least_drive: float
    next: WhatNext | None
    opening: tuple[Opening, ...]
    compatibility: Compatibility | None
    reasons: tuple[str, ...]

    @property
    def wedged(self) -> bool:
        """Whether the force along the line of contacts may be as large as it likes."""
        return self.margin is not None and self.margin.value == np.inf

    def __str__(self) -> str:
        lines = [f"now {self.mode} ({WORDS[self.mode]}); next {self.verdict}", *self.reasons]
        for letter, name, force, slack in zip(self.mode, ("P+", "P-"), self.case.forces, self.case.slack):
            if self.mode != "RR":
                more = "as slip demands" if letter == "S" else f"mu N - |T| = {slack:.6g} N"
                lines.append(f"{name}: N = {force[0]:.6g} N, |T| = {np.hypot(*force[1:]):.6g} N, {more}")
        count, plural = self.case.counts, "y" if self.case.counts.free == 1 else "ies"
        lines.append(
            f"{count.equations} equations of rank {self.case.rank} for 10 unknowns, {count.free} free velocit{plural}, condition {self.case.condition:.3g}"
        )
        if self.compatibility is not None:
            worst = max(self.compatibility.differences.values())
            lines.append(
                f"the four fields {'belong together' if self.compatibility.holds() else 'DO NOT belong together'} (Definition 3.2, to {worst:.1e})"
            )
        return "\n  ".join(lines)


def two_contacts(point: DualPoint, still: float | None = None, check: int = 2) -> TwoContacts:
    """The verdict on a body at an instant. still: a slip (m/s) that counts as none; check: at how many states compatibility is tried (0: none)."""
    if not isinstance(point, DualPoint):
        raise InputError(f"two_contacts takes a DualPoint, e.g. dual_point(system, state); got {point!r}.")
    mode = mode_of(point, still)
    point = _set_still(point, mode)
    open_ways = tuple(openings(point, mode))
    if mode == "RR":
        ways, now, after, reasons = _from_rolling(point)
    else:
        after = None
        ways, now, reasons = _from_slip(point, mode)
    together, margin, least = None, None, least_drive(point)
    try:
        must_roll(point)
        margin = static_margin(static_forces(point.at([0.0, 0.0, 0.0, point.s[3]])))
        if least <= 0.0:
            reasons.append(
                "friction is strong enough to jam: in some directions of slip no normal forces fit (Painleve's paradox)"
            )
        elif check:
            together = compatibility(double_switching(point), _states(point, check))
    except InputError as error:
        why = "a contact is not pressed in one of them" if "continuous" in str(error) else str(error)
        reasons.append(f"not asked whether the four fields belong together: {why}")
    ways += [f"{' and '.join(o.opens)} open{'s' if len(o.opens) == 1 else ''}" for o in open_ways]
    reasons += [str(o) for o in open_ways]
    verdict, closing = _verdict(ways, open_ways)
    if margin is not None:
        reasons.append(_said(margin, float(np.linalg.norm(point.loads[:3]))))
    return TwoContacts(
        point, mode, verdict, tuple(ways), now, margin, least, after, open_ways, together, tuple([*reasons, *closing])
    )


def _set_still(point: DualPoint, mode: str) -> DualPoint:
    """The point with slips that count as none set to zero."""
    s = point.s.copy()
    if mode[0] == "R":
        s[0] = s[2] = 0.0
    if mode[1] == "R":
        s[1] = 0.0
        s[2] = point.parting if mode[0] == "S" else s[2]
    return point.at(s)


def _states(point: DualPoint, check: int) -> np.ndarray:
    """States beside this one, all slips different from zero."""
    size, rows = point.size, []
    for i in range(check):
        step = size * np.array([0.7 + 0.2 * i, -0.4 - 0.1 * i, 0.0, 0.0])
        rows.append(point.s + np.where(np.abs(point.s) > 1e-3 * size, 0.0, 1.0) * step)
    return np.array(rows)


def _said(margin: Margin, size: float) -> str:
    if margin.value == np.inf:
        return "the body wedges itself: the force along the line of contacts may grow without bound inside both friction cones"
    if abs(margin.value) <= 1e-12 * size:
        return "forces of rolling at both contacts just exist: the static margin is zero, a contact touches without force or is about to slip"
    if margin.value < 0.0:
        return f"no forces of rolling at both contacts exist: the static margin is {margin.value:.6g} N"
    return f"forces of rolling at both contacts exist: the static margin is {margin.value:.6g} N"


def _from_rolling(point: DualPoint) -> tuple[list[str], Case, WhatNext | None, list[str]]:
    now = case(point, "RR")
    if min(point.plus.mu, point.minus.mu) <= 0.0:
        raise InputError(
            "both contacts are at rest, and one has no friction: what begins to slip there has no direction; give it a little friction or slip."
        )
    after = what_next(double_switching(point), point.s)
    return list(after.modes), now, after, list(after.reasons[: len(after.candidates)])


def _from_slip(point: DualPoint, mode: str) -> tuple[list[str], Case, list[str]]:
    now = case(point, mode)
    pulls = [f"N{sign} = {n:.6g} N" for sign, n, pull in zip("+-", now.forces[:, 0], now.pulls) if pull]
    said = [f"{WORDS[mode]}: this cannot last, {' and '.join(pulls)} would pull"] if pulls else []
    if mode == "SS":
        return ([], now, said) if pulls else (["SS"], now, ["both contacts go on slipping, pressed on"])
    ways, now, more = _from_one(point, mode, now)
    return ways, now, said + more


def _from_one(point: DualPoint, mode: str, now: Case) -> tuple[list[str], Case, list[str]]:
    """One contact rolls: does it go on?"""
    held, slips, rolls, k = SETS[mode]
    cone = bool(now.slack[k] >= 0.0) and not any(now.pulls)
    fits = f"the force at {rolls} is {'inside' if cone else 'outside'} its cone"
    try:
        system = double_switching(point)
    except InputError as error:  # surfaces that part, or a contact without friction: the cone alone decides
        ways = [mode] if cone else ["SS"]
        return ways, now, [f"{rolls} {'goes on rolling' if cone else 'begins to slip'}: {fits} ({error})"]
    around = system.extended(mode).at(point.s)
    ways, said = ([mode] if cone else []), [fits]
    for d in around.directions or ():
        if d.does != "repels":
            continue
        plus, minus = (0.0 if point.s[0] > 0 else np.pi, d.angle) if mode == "SR" else (d.angle, 0.0 if point.s[1] > 0 else np.pi)
        pair = system.near_normal(point.s, plus, minus)
        text = f"slip of {rolls} may begin along phi = {d.angle:.6g} of (u1, ua)"
        if pair is not None and pair.min() < 0.0:
            said.append(f"{text}, rejected: N+ = {pair[0]:.6g}, N- = {pair[1]:.6g} N would pull")
        else:
            ways.append("SS")
            said.append(text)
    if not cone and around.directions is None and "repelling" in around.kind:
        ways.append("SS")
    said.append(
        f"{held} is {around.kind}: {rolls} {'goes on rolling while ' + slips + ' slips' if ways == [mode] else 'begins to slip' if 'SS' in ways else 'cannot go on'}"
    )
    return list(dict.fromkeys(ways)), now, said


def _verdict(ways: list[str], open_ways: tuple[Opening, ...]) -> tuple[str, list[str]]:
    if not ways:
        return "inconsistent", [
            "nothing fits the laws of contact and friction with finite forces (Painleve's paradox): an impact without collision follows"
        ]
    if len(ways) == 1:
        return ("contact loss" if open_ways else ways[0]), []
    return "ambiguous", [f"{len(ways)} ways to go on fit: {', '.join(ways)}"]
