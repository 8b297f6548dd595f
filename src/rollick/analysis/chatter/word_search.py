"""All words of steps that velocities allow, searched for one whose self-similar motion attracts.

Words are grown letter by letter. With each goes the cone of velocities that can follow it (as in `escape.py`): where nothing is left of it, no
motion has this word, and the branch is cut. Of all rotations of a word, and of its mirror image, one is looked at: the words are Lyndon words,
made in lexicographic order (Fredricksen, Kessler and Maiorana), with no letter above n - a_1. Each is then closed to a periodic word and tried
(`attracting.py`); what passes is judged again, in full, by `words.witness`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.compiling import compiling
from ...mechanics.plate import regular
from ...motion.impacts.pattern import SelfSimilar
from .attracting import attracts, image, step_tables
from .cone import tables
from .escape import RAYS, ROUNDING, cut, volume
from .spectrum import check
from .succession import generators
from .words import points_of, witness

LONGEST = 64  # letters of a word, at most
FOUND, ALL, TOO_MANY = 0, 1, 2


@compiled
def follow(M, spaces, size, rays, count, out, work):
    """The part of the image of a cone under M that lies in all half-spaces; the number of its rays (RAYS: too many)."""
    for i in range(count):
        x, y, z = image(M, rays[i, 0], rays[i, 1], rays[i, 2])
        length = math.sqrt(x * x + y * y + z * z)
        scale = 1.0 / length if length > 0.0 else 0.0
        out[i, 0], out[i, 1], out[i, 2] = x * scale, y * scale, z * scale
    for s in range(size):
        count = cut(out, count, spaces[s, 0], spaces[s, 1], spaces[s, 2], work)
        if count >= RAYS:
            return RAYS
        for i in range(count):
            for d in range(3):
                out[i, d] = work[i, d]
    return count


@compiled
def search_words(maps, turns, spaces, sizes, f, starts, length, skip, most, thin, gamma, word):
    """All Lyndon words of `length` steps that velocities allow: (code, words tried, pieces looked at).

    The word that attracts is in `word`; the first `skip` of such words are passed over.
    """
    letters = maps.shape[0]
    cones, counts = np.zeros((length + 1, RAYS, 3)), np.zeros(length + 1, np.int64)
    period, letter = np.zeros(length + 1, np.int64), np.zeros(length + 1, np.int64)
    other, speeds, work = np.empty((RAYS, 3)), np.empty((length, 3)), np.empty((3, 3, 3))
    tried, seen = 0, 0
    for first in range(1, (letters + 1) // 2 + 1):
        top = letters + 1 - first  # no letter above it: of a word and its mirror image one is enough
        word[0], period[0], counts[0], depth = first, 1, 4, 0
        letter[1] = first
        for i in range(4):
            size = math.sqrt(starts[first - 1, i, 0] ** 2 + starts[first - 1, i, 1] ** 2 + starts[first - 1, i, 2] ** 2)
            for d in range(3):
                cones[0, i, d] = starts[first - 1, i, d] / size if size > 0.0 else 0.0
        while depth >= 0:
            if depth + 1 == length:
                if period[depth] == length:
                    tried += 1
                    if attracts(maps, turns, f, word, length, speeds, work):
                        if skip == 0:
                            return FOUND, tried, seen
                        skip -= 1
                depth -= 1
                continue
            new = letter[depth + 1]
            if new > top:
                depth -= 1
                continue
            letter[depth + 1] = new + 1
            seen += 1
            if seen >= most:
                return TOO_MANY, tried, seen
            now = follow(
                maps[word[depth] - 1], spaces[new - 1], sizes[new - 1], cones[depth], counts[depth], cones[depth + 1], other
            )
            if now >= RAYS:
                return TOO_MANY, tried, seen
            least = thin * gamma ** (depth + 1)
            if now >= 3 and (least < ROUNDING or volume(cones[depth + 1], now) > least):
                period[depth + 1] = period[depth] if new == word[depth + 1 - period[depth]] else depth + 2
                depth += 1
                word[depth], counts[depth] = new, now
                if depth + 1 < length:
                    letter[depth + 1] = word[depth + 1 - period[depth]]
    return ALL, tried, seen


@dataclass(frozen=True)
class WordSearch:
    """What a search found: the word and its motion, or None; and its bounds: all words up to `length`, of which velocities allow `words`."""

    word: tuple[int, ...] | None
    motion: SelfSimilar | None
    length: int
    words: int
    pieces: int

    def text(self) -> str:
        """In a few words."""
        if self.word is not None:
            return f"steps {' '.join(map(str, self.word))} attract"
        return f"none attracts up to length {self.length} (all {self.words} that velocities allow were tried)"


def search_for_words(
    n: int, rho: float, gamma: float, *, longest: int = 16, max_pieces: int = 1_000_000, thin: float = 1e-9
) -> WordSearch:
    """The shortest word of steps that carries complete chatter of a regular n-gon and attracts, among all up to `longest` letters.

    `max_pieces`: cones that are looked at, after which the search ends with the length it has completed. `thin`: cones of less volume (times
    gamma for each impact) are left out, as in `escape.py`.
    """
    check(n, rho, gamma)
    plate = regular(n, rho)
    maps, turns, f = step_tables(n, rho, gamma)
    _, spaces, sizes = tables(n, rho, gamma)
    starts = np.array([generators(n, j) for j in range(1, n)])
    word = np.zeros(LONGEST, np.int64)
    words, pieces, length, skip = 0, 0, 1, 0
    with compiling("words of polygons"):
        while length <= min(longest, LONGEST):
            code, tried, seen = search_words(
                maps, turns, spaces, sizes, f, starts, length, skip, max_pieces - pieces, thin, gamma, word
            )
            if code == FOUND:
                steps = tuple(int(x) for x in word[:length])
                motion = witness(plate, gamma, points_of(steps, n))
                if motion is not None:
                    return WordSearch(steps, motion, length, words + tried, pieces + seen)
                skip += 1
                continue
            if code == TOO_MANY:
                return WordSearch(None, None, length - 1, words, pieces + seen)
            words, pieces, length, skip = words + tried, pieces + seen, length + 1, 0
    return WordSearch(None, None, length - 1, words, pieces)


def best_word(n: int, rho: float, gamma: float, longest: int = 4) -> tuple[tuple[int, ...], SelfSimilar] | None:
    """The shortest word of steps, up to `longest`, that carries complete chatter of a regular n-gon and attracts; None if there is none."""
    found = search_for_words(n, rho, gamma, longest=longest)
    return (found.word, found.motion) if found.word is not None and found.motion is not None else None
