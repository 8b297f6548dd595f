"""What many drops tell: whether they fly away, and in which patterns those that do not go on.

A pattern that attracts is a witness of complete chatter. Drops that fly away are none of the contrary: others, from starts that are rare, may chatter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...mechanics.plate import Plate
from ...motion.impacts.collide import collide
from ...motion.impacts.pattern import SelfSimilar, repeated_word
from .simulated import LEAVES, PARTIAL, outcomes, starts_for
from .words import points_of, witness

FEW = 600  # drops that are tried first
LONGER = 10  # times as many impacts for drops whose pattern is looked for
LOOKED_AT = 8  # of those that go on, how many are followed further
LONGEST_PATTERN, REPEATS = 1000, 20  # letters of a pattern at most, and its rounds at least


class Dropped(NamedTuple):
    """What many drops tell: the share that goes on, an orbit, the pattern of one that attracts, an orbit in which two points come to rest by a real
    positive pair of eigenvalues, whether they go on without any pattern; in words."""

    going: float
    orbit: Any
    pattern: tuple[tuple[int, ...], SelfSimilar] | None
    settled: Any
    irregular: bool
    text: str


def drops_of(plate: Plate, gamma: float, drops: int, max_impacts: int, seed: int, polygon: bool) -> Dropped:
    """Drops of the thesis and of all kinds; some of those that go on are followed further, for a pattern.

    A pattern that attracts decides. Drops that leave decide nothing, nor do drops whose pattern does not attract (they leave slowly). If most go on,
    and those that are followed further do so without any pattern, that is evidence of irregular chatter.
    """
    rng = np.random.default_rng(seed)
    starts = np.concatenate([starts_for(plate, 100, rng), starts_for(plate, drops, rng, wide=True)])
    starts = starts[(starts[:, :3] @ plate.f.T).min(axis=1) >= 0.0]
    ends, counts = outcomes(plate, gamma, max_impacts=max_impacts, starts=starts[:FEW])
    if np.all(ends == LEAVES) and len(starts) > FEW:  # what few show is enough where many chatter
        ends, counts = outcomes(plate, gamma, max_impacts=max_impacts, starts=starts)
    going = np.flatnonzero(ends != LEAVES)
    share = going.size / len(ends)
    said = f"{len(ends) - going.size} of {len(ends)} fly away within {max_impacts} impacts"
    letters = "steps" if polygon else "points"
    orbits, words = [], []
    for i in going[:LOOKED_AT]:
        orbits.append(collide(plate, gamma, starts[i], max_impacts=LONGER * max_impacts, beyond=False))
        words.append(pattern_of(orbits[-1], polygon))
        motion = motion_of(orbits[-1], words[-1], polygon)
        if motion is not None:
            said += f"; one goes on in the {letters} {in_words(words[-1])}, which attract"
            return Dropped(share, orbits[-1], (words[-1], motion), None, False, said)
    if not orbits:
        orbit = collide(plate, gamma, starts[int(np.argmax(counts))], max_impacts=max_impacts, beyond=False)
        return Dropped(share, orbit, None, None, False, said)
    settled = next((o for o in orbits if o.status == "PCC"), None)
    if settled is not None:
        said += f"; {int(np.sum(ends == PARTIAL))} end with two points at rest"
        return Dropped(share, settled, None, settled, False, said)
    irregular = share > 0.5 and all(not w and o.status in ("CC", "max_impacts") for w, o in zip(words, orbits))
    said += f"; {len(orbits)} of the others, followed for {LONGER * max_impacts}, go on " + (
        "without a pattern" if irregular else "in no pattern that attracts"
    )
    return Dropped(share, orbits[-1], None, None, irregular, said)


def pattern_of(orbit: Any, polygon: bool = True) -> tuple[int, ...]:
    """The word in which an orbit ends (steps round a regular polygon, otherwise points), its least rotation; empty if there is none."""
    if len(orbit) < 2:
        return ()
    letters = repeated_word(orbit.steps if polygon else orbit.point, LONGEST_PATTERN, REPEATS)
    if not letters or (polygon and 0 in letters) or -1 in letters:
        return ()
    return min(letters[i:] + letters[:i] for i in range(len(letters)))


def motion_of(orbit: Any, word: tuple[int, ...], polygon: bool) -> SelfSimilar | None:
    """The self-similar motion of a word, if it attracts."""
    return witness(orbit.plate, orbit.gamma, points_of(word, orbit.plate.count) if polygon else word) if word else None


def in_words(letters: tuple[int, ...], most: int = 40) -> str:
    """A word, cut short if it is long."""
    return " ".join(map(str, letters[:most])) + (f" ... ({len(letters)} letters)" if len(letters) > most else "")
