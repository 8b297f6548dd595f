"""Periodic impact words: which of them carry a self-similar motion that ends in rest, and up to which restitution?

For regular polygons words are written as steps round the polygon, for other plates as points. A word is a witness of complete chatter when
its self-similar motion (`motion/impacts/pattern.py`) is feasible, shrinks, and attracts: its factors are the dominant eigenvalues. Conjecture 1 of the
thesis says that the regular word alone decides. It does not: for n = 3 the hub word 0, 2, 0, 1 chatters further, for n >= 7 star words such as
0, 2, 4, 6, and here and there long words do (`word_search.py` finds them).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from ...kernel.names import InputError
from ...mechanics.plate import Plate
from ...motion.impacts.pattern import SelfSimilar, self_similar
from .attracting import carries
from .spectrum import check, limit_in_gamma


def necklaces(letters: int, length: int, mirror: bool = True) -> Iterator[tuple[int, ...]]:
    """Primitive words over 1 .. letters, one of each class of rotations (and, for steps round a polygon, of mirror images)."""
    for word in itertools.product(range(1, letters + 1), repeat=length):
        turns = [word[i:] + word[:i] for i in range(length)]
        if min(turns) != word or any(t == word for t in turns[1:]):
            continue
        if mirror:
            image = tuple(letters + 1 - s for s in word)
            if min(image[i:] + image[:i] for i in range(length)) < word:
                continue
        yield word


def points_of(steps: tuple[int, ...], n: int) -> tuple[int, ...]:
    """A word of points that repeats with the steps: as many rounds as it takes to come back to the first point."""
    total = sum(steps) % n
    rounds = 1 if total == 0 else n // math.gcd(total, n)
    points, here = [], 0
    for s in steps * rounds:
        points.append(here)
        here = (here + s) % n
    return tuple(points)


def witness(plate: Plate, gamma: float, points: tuple[int, ...], attracting: bool = True) -> SelfSimilar | None:
    """A self-similar motion of a word of points that is feasible and shrinks, in velocity and in time; None if there is none.

    `attracting`: its factors must be the dominant eigenvalues, so that an open set of starts tends to it. Otherwise exceptional motions count
    too, such as a square that falls exactly on a diagonal and chatters like a rod.
    """
    for found in self_similar(plate, gamma, points):
        if found.feasible and found.beta_p < 1.0 and found.beta_t <= 1.0 + 1e-12 and (found.dominant or not attracting):
            return found
    return None


def word_limit(n: int, rho: float, steps: tuple[int, ...]) -> float:
    """The largest gamma up to which a word of steps carries complete chatter, and attracts; nan if it never does."""
    check(n, rho)
    word = tuple(int(s) for s in steps)
    if not word or not all(1 <= s <= n - 1 for s in word):
        raise InputError(f"a word of steps {steps!r} must be whole numbers from 1 to n - 1 = {n - 1}.")
    return limit_in_gamma(lambda gamma: carries(n, rho, gamma, word))


def star_limits(n: int, rho: float) -> dict[int, float]:
    """For each step k = 2 .. n/2 the largest gamma up to which the star word 0, k, 2k, .. chatters; steps that never do are left out.

    Where k divides n it is the regular word of the n/k-gon of every k-th point, which chatters further than that of all n.
    """
    limits = {k: word_limit(n, rho, (k,)) for k in range(2, n // 2 + 1)}
    return {k: limit for k, limit in limits.items() if not math.isnan(limit)}


def plate_word(plate: Plate, gamma: float, longest: int = 6) -> tuple[tuple[int, ...], SelfSimilar] | None:
    """The first word of points, shortest first, that carries complete chatter of any plate; at least three points take part."""
    n = plate.count
    for length in range(2 if n == 2 else 3, longest + 1):
        for word in necklaces(n, length, mirror=False):
            points = tuple(i - 1 for i in word)
            if any(a == b for a, b in zip(points, points[1:] + points[:1])) or len(set(points)) < min(3, n):
                continue
            found = witness(plate, gamma, points, attracting=n > 2)  # a rod's turn about its own axis is no matter
            if found is not None:
                return points, found
    return None
