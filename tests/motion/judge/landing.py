"""Impacts, and what follows them: contacts rebound, lift off, or last from the limit of the remaining rebounds on.

All contacts that touch take part in an impact, those that are held, too (`impact`: the law of time stepping): a block that comes down on one
edge may leave the other. Contacts that leave no faster than a negligible speed last, and the modes consistent with that follow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rollick.mechanics.contact import restitution, rows_per_contact
from rollick.motion.contact.impact import impact
from rollick.motion.event_driven.thresholds import CLOSED, LOW, NOTHING, SLOW
from rollick.motion.events.event import Occurrence
from rollick.motion.hybrid.automaton import Change
from rollick.motion.result import outcome as o
from rollick.motion.result.outcome import Outcome

from .jumps import losses, raised, unsolved, without_rebounds
from .modes import OPEN, SLIP, STICK
from .seen import View
from .settling import Settling


@dataclass
class Landing(Settling):
    """A body with contacts, and what follows its impacts."""

    def low(self, y: np.ndarray) -> float:
        """The height (m) below which rebounds are summed."""
        return min(LOW, self.rtol) * self.size(y) + 10.0 * self.rtol * self.extent(y)

    def landed(self, t: float, y: np.ndarray, held: tuple[int, ...] = (), closed: float | None = None) -> Change:
        """After an impact: contacts rebound, or last from the limit of the remaining rebounds on. closed: the largest gap (m) of contacts that take part."""
        seen = self.view(t, y)
        closed = CLOSED * self.size(y) if closed is None else closed
        touching = tuple(k for k in range(self.count) if k in held or seen.gaps[k] < closed)
        y, work = raised(self.system, self.body, t, y, seen)
        struck, blows, after = y, np.zeros((len(touching), int(rows_per_contact(self.system)))), seen
        while True:  # blows after blows: those that leave take no part until another blow drives them back
            part = tuple(k for k in touching if k in held or self.count == 1 or after.gamma[k, 0] <= SLOW)
            struck, given = impact(self.body, struck, part, t)
            blows[[touching.index(k) for k in part]] += given
            after = self.view(t, struck)
            told = unsolved(self.system, after, part, t, y, struck)
            if told:
                return Change(None, y, [], Outcome(o.UNSOLVED, told))
            if not any(after.gamma[k, 0] < -SLOW for k in touching if k not in part):
                break
        hit = self.told(t, "impact", struck, (k for k in touching if k not in held))
        taken = losses(self.system, t, y, struck, touching, blows, work)
        falls = self.falls(after, touching)
        low = self.low(y)
        slow = tuple(k for k in touching if after.gamma[k, 0] <= max(SLOW, math.sqrt(2.0 * low * max(falls[k], 0.0))))
        lasting = tuple(k for k in slow if falls[k] > 0.0 or k in held or self.count > 1)
        if not lasting:
            made = self.change((OPEN,) * self.count, t, struck, None, hit)
            return Change(made.mode, made.state, made.reports, made.outcome, taken)
        struck, back = without_rebounds(self.system, y, struck, after, lasting)
        blows[:, :3] += back.reshape(-1, 3)[list(touching)]
        made = self.settled(t, struck, lasting)
        if made.mode is not None:
            limit, modes = t, self.modes_in(made.mode)
            for k in lasting:
                rebound, e = after.gamma[k, 0], float(restitution(self.system, k))
                if k not in held and rebound > 0.0 and e < 1.0 and falls[k] > 0.0:
                    rest = float(2.0 * rebound / (falls[k] * (1.0 - e)))
                    limit = max(limit, t + rest) if rest > NOTHING * max(1.0, abs(t)) else limit
            new = tuple(k for k in lasting if k not in held and modes[k] != OPEN)
            begun = [self.told(limit, "contact", made.state, new)] if new else []
            whole = set(touching) <= set(lasting) and any(modes)
            if self.count == 1:
                word = self.told(t, made.mode.name, made.state, new)
                first = [*begun, word] if whole and made.mode.name != "contact" else begun if whole else [hit, *begun]
            else:  # a blow, unless all of it was slow; then each kind of contact that lasts
                blow = [hit] if not whole or min(float(seen.gamma[k, 0]) for k in touching) < -SLOW else []
                first = [*blow, *begun, *self.begun_modes(t, made.state, new, modes, after.mu)]
            made = Change(made.mode, made.state, [*first, *made.reports], made.outcome)
            taken = losses(self.system, t, y, made.state, touching, blows, work)  # with what the remaining rebounds take
        return Change(made.mode, made.state, made.reports, made.outcome, taken)

    def begun_modes(
        self, t: float, y: np.ndarray, new: tuple[int, ...], modes: tuple[int, ...], mu: np.ndarray
    ) -> list[Occurrence]:
        """One report for each mode that contacts begin in."""
        words = {k: self.name_of((modes[k],), mu[[k]]) for k in new}
        return [
            self.told(t, word, y, (k for k in new if words[k] == word)) for word in ("slip", "stick") if word in words.values()
        ]

    def falls(self, seen: View, touching: tuple[int, ...]) -> dict[int, float]:
        """With which accelerations contacts come back: with the others that do not leave held, if these press; otherwise free, or held, what is less."""
        made = {}
        for k in touching:
            made[k] = -float(seen.c[k, 0])
            stays = [j in touching and j != k and seen.gamma[j, 0] <= SLOW for j in range(self.count)]
            others = tuple((SLIP if seen.slips(j) else STICK) if stays[j] else OPEN for j in range(self.count))
            if any(others):
                forces = seen.forces(others)
                held = -float(seen.accelerations(forces)[k, 0])
                press = all(forces[3 * j] > 0.0 for j in range(self.count) if stays[j])
                made[k] = held if press else min(made[k], held) if held > 0.0 else made[k]
        return made
