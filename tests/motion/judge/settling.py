"""What follows at closed contacts: the consistent modes or, where there are none or several, what the user chose.

Where no motion is consistent, or contacts may open or stay closed (Painleve), `painleve` says what to do:

    "stop"       the motion ends there
    "impact"     an impact without collision (`without_collision`), where one contact is closed; otherwise the motion ends
    "slip", "lift"     where several are consistent, that one; where none is, the motion ends

Where all contacts stay closed, and stick or slip, `ambiguous` does: "stop", "roll" (what sticks with most contacts) or "slip" (what slips with most, the fastest of them).
In both cases `choices` come first: the number of the future to take at the first such state, at the second, ...
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rollick.kernel.names import called
from rollick.mechanics.contact import positions
from rollick.motion.contact.without_collision import percussion_without_collision
from rollick.motion.event_driven.thresholds import MOST_CLOSED, MOVING, NEAR
from rollick.motion.events.event import Occurrence
from rollick.motion.filippov.words import WAYS_OUT, numbered
from rollick.motion.hybrid.automaton import Change, Mode
from rollick.motion.result import outcome as o
from rollick.motion.result.outcome import Outcome

from .choice import Choice, Verdict
from .combinations import own_part
from .consistent import verdict
from .jumps import at_rest, losses
from .modes import IDLE, OPEN, SLIP, STICK
from .seen import View
from .transitions import Transitions

POLICIES = ("stop", "impact", "slip", "lift")
PREFERRED = {"roll": STICK, "slip": SLIP}  # by `ambiguous`


def is_fork(found: Verdict) -> bool:
    """Whether several motions are consistent that all keep the contacts closed."""
    return len(found.choices) > 1 and all(OPEN not in c.modes.values() for c in found.choices)


@dataclass
class Settling(Transitions):
    """A body with contacts, and what follows where some are closed."""

    def settled(
        self,
        t: float,
        y: np.ndarray,
        closed: tuple[int, ...],
        later: tuple[float, np.ndarray] | None = None,
        before: Mode | None = None,
    ) -> Change:
        """Go on with contacts that are closed: pull the state onto them, find the consistent modes, and take them."""
        if not closed:
            return self.change((OPEN,) * self.count, t, y, before)
        if len(closed) > MOST_CLOSED:
            told = (
                f"{called(self.system)} has {len(closed)} closed contacts at t = {t:.10g}; the event-driven method tries all combinations of modes, of at "
                f"most {MOST_CLOSED} contacts. The motion until then is kept; take method='moreau', or fewer feet."
            )
            return Change(None, y, [], Outcome(o.UNSOLVED, told))
        slipping = self.view(t, y)
        still = tuple(k for k in closed if not slipping.slips(k))
        y = at_rest(self.system, self.body, t, y, closed, still)
        seen = self.view(t, y)
        closed = self.also_closed(seen, closed, still, NEAR * self.size(y))
        asked = seen
        if later is not None:
            ahead = at_rest(self.system, self.body, later[0], later[1], (), still)
            asked = self.view(later[0], ahead)
        found = verdict(asked, closed)
        chosen_before, self.in_band = self.in_band, False
        if is_fork(found) and chosen_before and before is not None:  # told where the band began
            going_on = [
                c for c in found.choices if tuple(c.modes.get(k, OPEN) for k in range(self.count)) == self.modes_in(before)
            ]
            if going_on:
                self.in_band = True
                return self.take(t, y, going_on[0], before)
        if is_fork(found):
            return self.fork(t, y, found.choices, before)
        if found.case:
            return self.paradox(t, y, seen, closed, found.case, found.choices, before)
        return self.take(t, y, found.choices[0], before)

    def fork(self, t: float, y: np.ndarray, choices: tuple[Choice, ...], before: Mode | None) -> Change:
        """Several motions are consistent that keep all contacts closed: report it, and take the one that `choices` say, or that `ambiguous` prefers."""
        words = [self.spelled(c) for c in choices]
        taken = self.next_choice(len(choices), self.preferred(choices))
        self.forks.append({"t": float(t), "futures": words, "taken": taken})
        if taken is None:
            self.futures = words
            told = Occurrence(t, "ambiguous", f"{len(choices)} futures", y.copy(), True)
            return Change(None, y, [told], Outcome(o.AMBIGUOUS, self.fork_in_words(t, words)))
        self.in_band = STICK in choices[taken].modes.values()
        told = Occurrence(t, "ambiguous", f"{len(choices)} futures, took {words[taken]}", y.copy(), False)
        return self.take(t, y, choices[taken], before, told)

    def preferred(self, choices: tuple[Choice, ...]) -> int | None:
        """The future that `ambiguous` prefers."""
        wanted = PREFERRED.get(self.ambiguous)
        totals = [sum(mode == wanted for mode in c.modes.values()) for c in choices]
        return None if wanted is None or not max(totals) else totals.index(max(totals))

    def next_choice(self, total: int, preferred: int | None) -> int | None:
        """Which of so many futures is taken: the one that the next of `choices` says, or, after the last of them, the one preferred; None for none."""
        if self.chosen == len(self.choices):
            return preferred
        self.chosen += 1
        wanted = self.choices[self.chosen - 1]
        return wanted if wanted < total else None

    def fork_in_words(self, t: float, words: list[str]) -> str:
        """Why the motion ends where its future is not unique."""
        return f"the future of {called(self.system)} is not unique at t = {t:.10g}: {numbered(words)}. {WAYS_OUT}; the motion until then is kept."

    def also_closed(self, seen: View, closed: tuple[int, ...], still: tuple[int, ...], near: float) -> tuple[int, ...]:
        """With the contacts that touch (a gap below `near`) because others do: the fourth foot of a table."""
        rows = [3 * k + i for k in closed for i in range(3 if k in still else 1)]
        touching = (k for k in range(self.count) if k not in closed and abs(seen.gaps[k]) < near and len(closed) > 1)
        return tuple(sorted([*closed, *(k for k in touching if own_part(seen, rows, [3 * k]) is None)]))

    def paradox(
        self,
        t: float,
        y: np.ndarray,
        seen: View,
        closed: tuple[int, ...],
        case: str,
        choices: tuple[Choice, ...],
        before: Mode | None,
    ) -> Change:
        """No mode is consistent, or several are: report it, and take the future that `choices` say, or `painleve`. An impact without collision is the last of the futures."""
        named = self.told(t, f"painleve_{case}", y, closed)
        struck = self.struck_without_collision(t, y, seen, closed[0]) if len(closed) == 1 else None
        words = [self.spelled(c) for c in choices] + (["impact without collision"] if struck is not None else [])
        by_policy = {policy: self.fitting(choices, policy, struck is not None, closed) for policy in POLICIES}
        taken = self.next_choice(len(words), by_policy[self.painleve])
        entry = {"t": float(t), "case": case, "done": "stop"}
        self.paradoxes.append(entry)
        if taken is None:
            self.futures = words
            ways = [policy for policy in POLICIES if by_policy[policy] is not None]
            return Change(None, y, [named], Outcome(o.PAINLEVE, self.sentence(t, closed, case, words[: len(choices)], ways)))
        if taken < len(choices):
            as_asked = self.painleve != "impact" and taken == by_policy[self.painleve]
            entry["done"] = self.painleve if as_asked else words[taken]
            return self.take(t, y, choices[taken], before, named)
        entry["done"] = "impact"
        assert struck is not None
        made = self.settled(t, struck, closed)
        hit = self.told(t, "impact_without_collision", struck, closed)
        lost = losses(self.system, t, y, struck, closed)
        return Change(made.mode, made.state, [named, hit, *made.reports], made.outcome, lost)

    def fitting(self, choices: tuple[Choice, ...], policy: str, can_strike: bool, closed: tuple[int, ...]) -> int | None:
        """The future that a policy goes on with, None for none: "impact" sticks if it can, and so does "slip" if it cannot slip."""
        wanted = {"slip": (SLIP, STICK), "lift": (OPEN,), "impact": (STICK,) if len(closed) == 1 else ()}.get(policy, ())
        for mode in wanted:
            for i, one in enumerate(choices):
                if mode in one.modes.values():
                    return i
        return len(choices) if policy == "impact" and can_strike else None

    def sentence(self, t: float, closed: tuple[int, ...], case: str, words: list[str], policies: list[str]) -> str:
        """Why the motion ends, and what can be done."""
        why = f"several motions ({', '.join(words)}) are" if words else "no contact force is"
        several = (
            f" An impact without collision is for one closed contact; here {len(closed)} are closed."
            if self.painleve == "impact" and len(closed) > 1
            else ""
        )
        advice = (
            f"Choose what is to happen with method=EventDriven(painleve=...): {', '.join(policies)}; or take"
            if policies
            else "Take"
        )
        return (
            f"{called(self.system)} stopped at t = {t:.10g}: with this much friction {why} consistent (Painleve's paradox, {case}). The motion until "
            f"then is kept.{several} {advice} method='moreau'."
        )

    def spelled(self, choice: Choice) -> str:
        """A choice in words."""
        return " ".join({OPEN: "lift-off", SLIP: "slip", STICK: "stick", IDLE: "idle"}[m] for m in choice.modes.values())

    def struck_without_collision(self, t: float, y: np.ndarray, seen: View, k: int) -> np.ndarray | None:
        """The state after an impact without collision at contact k; None if there is none."""
        if seen.mu[k] <= 0.0 or math.hypot(seen.gamma[k, 1], seen.gamma[k, 2]) <= MOVING * seen.still[k]:
            return None
        P = percussion_without_collision(seen.gamma[k], seen.of(k)[1], float(seen.mu[k]))
        if P is None:
            return None
        struck = y.copy()
        struck[int(positions(self.system)) :] += P @ seen.lift[3 * k : 3 * k + 3]
        return struck
