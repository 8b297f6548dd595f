"""Which future a motion takes where it has none or several: what the user chose.

Where no motion is consistent, or contacts may open or stay closed (Painleve), `painleve` says what to do:

    "stop"       the motion ends there
    "impact"     an impact without collision (`contact.without_collision`), where one contact is closed; otherwise the motion ends
    "slip", "lift"     where several are consistent, that one; where none is, the motion ends

Where all contacts stay closed, and stick or slip, `ambiguous` does: "stop", "roll" (what sticks with most contacts) or "slip" (what slips with most, the fastest of them).
In both cases `choices` come first: the number of the future to take at the first such state, at the second, ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...kernel.names import called
from ..contact.held import IDLE, OPEN, SLIP, STICK

POLICIES = ("stop", "impact", "slip", "lift")
PREFERRED = {"roll": STICK, "slip": SLIP}  # by `ambiguous`
PREFERENCES = ("stop", *PREFERRED)
WAYS_OUT = "Choose ambiguous='roll' (prefer rolling) or 'slip', choices=(i, ...), or follow all of them with motion_tree"
WORDS = {OPEN: "lift-off", SLIP: "slip", STICK: "stick", IDLE: "idle"}
STRIKE = "impact without collision"
Modes = tuple[int, ...]  # of the closed contacts


def numbered(futures: Sequence[Any]) -> str:
    """Futures with the numbers by which they are chosen."""
    return "; ".join(f"{i}: {future}" for i, future in enumerate(futures))


def spelled(modes: Modes) -> str:
    """A future in words."""
    return " ".join(WORDS[m] for m in modes)


def is_fork(futures: Sequence[Modes]) -> bool:
    """Whether there are several futures that all keep the contacts closed."""
    return len(futures) > 1 and all(OPEN not in modes for modes in futures)


@dataclass
class Policy:
    """The user's choices, and the states at which they were asked for."""

    system: Any
    painleve: str = "stop"
    ambiguous: str = "stop"
    choices: Sequence[int] = ()
    chosen: int = 0  # how many of `choices` were made
    forks: list[dict[str, Any]] = field(default_factory=list)  # t, futures, which of them was taken
    paradoxes: list[dict[str, Any]] = field(default_factory=list)  # t, case, done
    futures: Sequence[str] = ()  # what can follow where the motion ended, since none of them was chosen
    why: str = ""  # it ended there, as a sentence

    def at_fork(self, t: float, futures: Sequence[Modes]) -> int | None:
        """Which future is taken where contacts may as well stick as slip; None: the motion ends."""
        words = [spelled(modes) for modes in futures]
        taken = self.next_choice(len(futures), self.preferred(futures))
        self.forks.append({"t": float(t), "futures": words, "taken": taken})
        if taken is None:
            self.futures = words
            self.why = f"the future of {called(self.system)} is not unique at t = {t:.10g}: {numbered(words)}. {WAYS_OUT}; the motion until then is kept."
        return taken

    def preferred(self, futures: Sequence[Modes]) -> int | None:
        """The future that `ambiguous` prefers."""
        wanted = PREFERRED.get(self.ambiguous)
        totals = [sum(mode == wanted for mode in modes) for modes in futures]
        return None if wanted is None or not max(totals) else totals.index(max(totals))

    def next_choice(self, total: int, preferred: int | None) -> int | None:
        """Which of so many futures is taken: the one that the next of `choices` says, or, after the last of them, the one preferred; None for none."""
        if self.chosen == len(self.choices):
            return preferred
        self.chosen += 1
        wanted = self.choices[self.chosen - 1]
        return wanted if wanted < total else None

    def at_paradox(self, t: float, case: str, futures: Sequence[Modes], closed: int, can_strike: bool) -> int | None:
        """Which future is taken in a paradox of `closed` contacts; an impact without collision is the last of them. None: the motion ends."""
        words = [spelled(modes) for modes in futures]
        by_policy = {policy: self.fitting(futures, policy, can_strike, closed) for policy in POLICIES}
        taken = self.next_choice(len(futures) + can_strike, by_policy[self.painleve])
        entry = {"t": float(t), "case": case, "done": "stop"}
        self.paradoxes.append(entry)
        if taken is None:
            self.futures = words + [STRIKE] * can_strike
            self.why = self.sentence(t, closed, case, words, [policy for policy in POLICIES if by_policy[policy] is not None])
        elif taken == len(futures):
            entry["done"] = "impact"
        else:
            as_asked = self.painleve != "impact" and taken == by_policy[self.painleve]
            entry["done"] = self.painleve if as_asked else words[taken]
        return taken

    def fitting(self, futures: Sequence[Modes], policy: str, can_strike: bool, closed: int) -> int | None:
        """The future that a policy goes on with, None for none: "impact" sticks if it can, and so does "slip" if it cannot slip."""
        wanted = {"slip": (SLIP, STICK), "lift": (OPEN,), "impact": (STICK,) if closed == 1 else ()}.get(policy, ())
        for mode in wanted:
            for i, modes in enumerate(futures):
                if mode in modes:
                    return i
        return len(futures) if policy == "impact" and can_strike else None

    def sentence(self, t: float, closed: int, case: str, words: list[str], policies: list[str]) -> str:
        """Why the motion ends at a paradox, and what can be done."""
        why = f"several motions ({', '.join(words)}) are" if words else "no contact force is"
        several = (
            f" An impact without collision is for one closed contact; here {closed} are closed."
            if self.painleve == "impact" and closed > 1
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
