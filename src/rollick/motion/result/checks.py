"""The cheap checks of a motion, which always run: what it must keep, the energy account of its contacts, its gaps, and the forks it passed.

What the tolerances explain. An invariant is not amplified by the motion, so that the local errors of its steps add up: a quantity K may drift by the number of
steps times sum_j |dK/dy_j| (atol + rtol |y_j|). Its scale is sum_j |dK/dy_j| |y_j|, so that a share of it compares with a relative error of the states.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...kernel.hooks import assumptions, kept
from ...kernel.names import InputError, called
from ...kernel.warn import warn_user
from ...mechanics.contact import contact_count, gap
from .outcome import DOUBTFUL, MotionWarning, Outcome
from .trust import Check, Trust

DEEP = 1e-7  # m below a surface that no motion may reach
INSTANTS = 1000  # of a motion that are looked at
PROBES = 25  # instants at which a quantity is asked how it depends on the states
FEW = 10  # instants: from fewer nobody sees how a quantity depends on states that vary in between
NUDGE = 1e-6  # of a state's largest value: by so much it is changed then
GROWTH = 1.0  # by so much the error of a step may exceed its estimate
ROUNDING = 1e-14  # of the largest term of a sum, for each step
# Of the energy in play, and of all energy: what a method that controls no error may miss.
SHARE, OF_ALL = 0.1, 0.01
COARSE = 0.5  # of the largest position: a motion that is farther off has not one digit


class Along:
    """Instants of a motion, its start and its end among them: times t, states y, integrals q (or None), the largest magnitude of each state, and signals by name.

    The gap of a contact that lasts is one of them, whether or not the system tells it.
    """

    def __init__(self, motion: Any, lasting: bool):
        made = motion.provenance
        few = np.unique(np.linspace(0, motion.t.size - 1, min(INSTANTS, motion.t.size)).round().astype(int))
        self.motion = motion
        self.t = np.concatenate([[made["since"]], motion.t[few], [motion.end_time]])
        self.y = np.vstack([list(made["start"].values()), motion.y[few], motion.end_state])
        self.q: np.ndarray | None = None
        if motion.q is not None and motion.end_integrals is not None:
            m = motion.end_integrals.size
            self.q = np.vstack([np.asarray(made.get("start_integrals", np.zeros(m)))[:m], motion.q[few], motion.end_integrals])
        self.largest = np.abs(self.y).max(axis=0)
        self.names = [quantity.name for quantity in motion.about.signals]
        self.keeps_gap = lasting and contact_count.knows(type(motion.system))
        self.adds_gap = self.keeps_gap and "gap" not in self.names
        if self.adds_gap:
            self.names.append("gap")

    def _signals_at(self, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        values = self.motion.signals_at(t, y)
        if not self.adds_gap:
            return values
        return np.column_stack([values, [gap(self.motion.system, *instant, 0) for instant in zip(t, y, strict=True)]])

    @cached_property
    def _signals(self) -> np.ndarray:
        return self._signals_at(self.t, self.y)

    @cached_property
    def _slopes(self) -> np.ndarray:
        """|d signal / d state| at a few instants, the largest of each: one row per state, one column per signal."""
        n = self.y.shape[1]
        steps = np.where(self.largest > 0.0, NUDGE * self.largest, NUDGE)
        places = np.unique(np.linspace(0, len(self.t) - 1, PROBES).round().astype(int)).tolist()
        found = np.zeros((n, len(self.names)))
        for values in self._nudged(places, steps):
            with np.errstate(invalid="ignore"):
                found = np.fmax(found, np.abs(values[1:] - values[0]) / steps[:, None])
        return found

    def _nudged(self, places: list[int], steps: np.ndarray) -> list[np.ndarray]:
        """The signals at some instants, then with each state changed by its step; without instants beside which a signal does not exist."""
        n = self.y.shape[1]
        states = np.vstack([np.vstack([self.y[i], self.y[i] + np.diag(steps)]) for i in places])
        try:
            return np.split(self._signals_at(np.repeat(self.t[places], n + 1), states), len(places))
        except Exception:
            return [values for i in places for values in self._nudged([i], steps)] if len(places) > 1 else []

    def signal(self, name: str) -> np.ndarray:
        """The values of a signal at the instants."""
        return self._signals[:, self.names.index(name)]

    def slope(self, name: str) -> np.ndarray:
        """|d signal / d state| for each state."""
        return self._slopes[:, self.names.index(name)]


def check_motion(motion: Any, method: Any) -> Trust:
    """The trust in a motion by its cheap checks: kept quantities, energy account, gaps, forks."""
    if motion.system is None or motion.provenance["steps"] == 0:
        return Trust()
    seen = Along(motion, method.lasting)
    if not np.isfinite(seen.y).all():
        return Trust()
    account = account_check(motion, method, seen)
    found = [
        *account,
        *kept_checks(motion, method, seen, bool(account)),
        *gap_check(motion, method, seen),
        *step_check(motion, method),
    ]
    found += fork_check(motion)
    return Trust(tuple(found))


def kept_checks(motion: Any, method: Any, seen: Along, accounted: bool) -> list[Check]:
    """One check for each sum that an exact motion keeps (`hooks.kept`); that of the energy is left out if it was accounted for already."""
    integrals = [quantity.name for quantity in motion.about.integrals] if seen.q is not None else []
    stated = dict(kept(motion.system))
    refuse_unknown(motion, stated)
    if seen.keeps_gap:
        stated["gap"] = ("gap",)
    sums = {
        name: [(-1.0 if term.startswith("-") else 1.0, term.removeprefix("-")) for term in terms]
        for name, terms in stated.items()
        if not (accounted and name == "energy")
    }
    sums = {name: terms for name, terms in sums.items() if all(term in (*seen.names, *integrals) for _, term in terms)}
    local = method.local_error(motion.system)
    found = []
    for name, terms in sums.items():
        columns = [s * seen.signal(n) for s, n in terms if n in seen.names]
        summed = [s * seen.q[:, integrals.index(n)] for s, n in terms if n in integrals] if seen.q is not None else []
        whole = np.sum([*columns, *summed], axis=0)
        slope = np.sum([seen.slope(n) for _, n in terms if n in seen.names], axis=0)
        most = [float(np.abs(column).max()) for column in summed]
        scale = float(slope @ seen.largest) + sum(most)
        missed = float(np.abs(whole - whole[0]).max())
        if np.isnan(missed):
            first = seen.t[int(np.isnan(whole).argmax())]
            found.append(
                Check(
                    name,
                    f"{name} is not a number at t = {first:.6g}",
                    np.inf,
                    0.0,
                    0.0,
                    "Look at the signals that it is made of.",
                )
            )
        elif scale > 0.0:
            explained = allowed(motion, local, slope, seen, most, max(float(np.abs(c).max()) for c in [*columns, *summed]), whole)
            if len(seen.t) < FEW < motion.provenance["steps"]:
                explained = np.inf
            unit = next((quantity.unit for quantity in motion.about.signals if quantity.name == terms[0][1]), "")
            found.append(kept_check(motion, method, name, missed, explained, scale, unit))
    return found


def refuse_unknown(motion: Any, sums: Mapping[str, Sequence[str]]) -> None:
    """Refuse sums of what the system neither tells nor integrates."""
    known = [quantity.name for quantity in (*motion.about.signals, *motion.about.integrals)]
    for name, terms in sums.items():
        for term in (term.removeprefix("-") for term in terms):
            if term not in known:
                raise InputError(
                    f"kept({called(motion.system)}): {name!r} is a sum of {term!r}, which is neither a signal nor an integral of the system; there are "
                    f"{', '.join(known) or 'none'}. Write e.g. {{'energy': ('energy',)}}."
                )


def allowed(
    motion: Any, local: Any, slope: np.ndarray, seen: Along, sums: list[float], largest: float, whole: np.ndarray
) -> float:
    """By how much the tolerances let a sum drift: the errors of its steps, added up; for a method that controls none a share of what is in play."""
    steps = motion.provenance["steps"]
    rounding = ROUNDING * steps * largest
    if local is None:  # a gap is hardly more than what rounding leaves of the positions it is a difference of
        return max(SHARE * float(np.ptp(whole)), OF_ALL * largest, rounding, ROUNDING * float(slope @ seen.largest))
    per_step = float(slope @ (local.absolute + local.relative * seen.largest))
    per_step += sum(float(np.min(local.absolute)) + local.relative * most for most in sums)
    return GROWTH * steps * per_step + rounding


def kept_check(motion: Any, method: Any, name: str, missed: float, explained: float, scale: float, unit: str) -> Check:
    """The check of one kept quantity, in words."""
    share = missed / scale
    amount = f"{missed:.1e} {unit}".rstrip()
    expected = f"explained: {explained / scale:.0e}" if explained < scale else "tolerances explain any value: this shows nothing"
    if math.isinf(explained):
        expected = "what tolerances explain is not known from so few instants"
    text = f"{name} kept to {amount}, {share:.1e} of its scale ({expected})"
    return Check(name, text, share, explained / scale, digits_left(share), cause(motion, method))


def cause(motion: Any, method: Any) -> str:
    """What to look at where a check fails: what the equations assume, and what the method can do about it."""
    return " ".join(filter(None, [assumptions(motion.system), method.remedy]))


def digits_left(share: float) -> float:
    """The digits of the states that are left where a kept quantity misses a share of its scale."""
    return 16.0 if share <= 1e-16 else max(0.0, -math.log10(share))


def account_check(motion: Any, method: Any, seen: Along) -> list[Check]:
    """The energy account of a motion with contacts: what is left of it at the end, with the false work of time steps; and no contact that gives energy."""
    made = motion.provenance
    account = made.get("energy_check")
    if account is None:
        return []
    local = method.local_error(motion.system)
    false = abs(made.get("false_work", 0.0) - made.get("closing_gaps", 0.0)) if local is None else 0.0
    missed, in_play, size = abs(account["left"]) + false, account["in_play"], account["size"]
    gives = [given_by(contact, len(made["contacts"]) == 1) for contact in made["contacts"]]
    missed = max(missed, *gives) if gives else missed
    if not max(in_play, size) > 0.0:
        return []
    slope = seen.slope("energy")
    scale = max(float(slope @ seen.largest), in_play)
    if local is None:
        explained = max(SHARE * in_play, OF_ALL * size)
    else:
        explained = allowed(motion, local, slope, seen, [abs(account["lost"])], max(size, in_play), np.zeros(1))
    share = missed / scale
    moved = f", {missed / in_play:.1e} of the energy in play" if in_play > 1e-9 * size else ""
    more = f", {false:.1e} J of it false work of contacts that last" if false > 1e-3 * in_play else ""
    giver = f"; contact {int(np.argmax(gives))} gives {max(gives):.1e} J" if gives and max(gives) > explained else ""
    text = f"the energy account closes to {missed:.1e} J{moved}{more}{giver} (explained: {explained:.0e} J)"
    digits = digits_left(share) if local is not None else 16.0
    return [Check("energy", text, share, explained / scale, digits, cause(motion, method))]


def given_by(contact: dict[str, float], is_only: bool) -> float:
    """The energy (J) that a contact gives, which it may not.

    In an impact the percussions along the surface may do work on the body while the normal one takes more: only their sum takes. Contacts that are hit together may
    pass energy to each other.
    """
    parts = [contact[name] for name in ("sliding", "pivoting", "contour", "impacts")]
    if contact["impacts"] == 0.0 or not is_only:
        return sum(max(0.0, -part) for part in (parts if is_only else parts[1:3]))
    return max(0.0, -sum(parts))


def gap_check(motion: Any, method: Any, seen: Along) -> list[Check]:
    """How far the body got below its surfaces at the instants that are looked at."""
    least = motion.provenance.get("least_gap")
    if least is None:
        if "gap" not in seen.names or method.lasting:  # a contact that lasts keeps its gap: `kept_checks`
            return []
        least = float(seen.signal("gap").min())
    depth, allowed_depth = max(0.0, -least), method.depth(motion)
    expected = (
        f"explained: {-allowed_depth:.0e} m"
        if math.isfinite(allowed_depth)
        else "what tolerances explain is not known from so few instants"
    )
    text = f"no gap below {min(0.0, least):.1e} m ({expected})"
    return [Check("gap", text, depth, allowed_depth, 16.0, cause(motion, method))]


def step_check(motion: Any, method: Any) -> list[Check]:
    """How far the positions of a stepped motion are off at its end, as steps twice as long tell."""
    error = motion.provenance.get("step_error")
    if error is None:
        return []
    wanted = method.options.get("rtol")
    explained = COARSE if wanted is None else float(wanted)
    text = f"positions at the end off by {error:.1e} of the largest, as steps twice as long tell (explained: {explained:.0e})"
    if math.isinf(error):
        text = f"how far positions are off is not known: no motion with steps twice as long came to its end (explained: {explained:.0e})"
    return [Check("steps", text, error, explained, 16.0, cause(motion, method))]


def fork_check(motion: Any) -> list[Check]:
    """The instants at which several futures were consistent: the motion is one of several from there on, by choice."""
    made = motion.provenance
    times = [float(fork["t"]) for fork in made.get("ambiguous", [])]
    if made.get("rolling_not_unique_since") is not None:
        times.append(float(made["rolling_not_unique_since"]))
    if not times:
        return []
    text = f"several futures were consistent {len(times)} times, first at t = {min(times):.6g}: this is the one that was chosen"
    return [Check("forks", text, float(len(times)), math.inf)]


def deepest(rtol: float, extent: Any = 1.0) -> Any:
    """How far below a surface no motion may get (m), where its position is as large as `extent` (m)."""
    return np.maximum(DEEP, 100.0 * rtol * np.maximum(1.0, extent))


def conclude(motion: Any) -> None:
    """Turn the outcome of a motion that a check contradicts into a doubtful one, and warn of it."""
    if not motion.trust.doubts or not motion.outcome.complete:
        return
    sentence = motion.trust.after(motion.message)
    motion.outcome = Outcome(DOUBTFUL, sentence)
    warn_user(sentence, MotionWarning)
