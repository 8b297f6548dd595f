"""When does an infinite sequence of impacts end? From the recorded flights, and from the eigenvalues of the pattern they follow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError
from .pattern import SelfSimilar, repeated_word, self_similar


@dataclass(frozen=True)
class Accumulation:
    """The end of an infinite sequence: its time by two ways, and the pattern it ends in."""

    time: float  # the best of both
    from_tail: float  # flights summed, and the geometric rest by the last measured ratio
    from_pattern: float  # flights summed up to the last round, and the rest by the eigenvalues; nan if there is no pattern
    word: tuple[int, ...]
    pattern: SelfSimilar | None
    ratio: float  # of the time of one round of the pattern to that before (of one flight, without a pattern)

    @property
    def agree(self) -> float:
        """Relative difference of the two ways."""
        return abs(self.from_pattern - self.from_tail) / self.time


def geometric_rest(ratio: float) -> float:
    """sum of ratio^k, k = 1, 2, ..."""
    return ratio / (1.0 - ratio) if ratio < 1.0 else math.inf


def accumulation(c: Any) -> Accumulation:
    """The accumulation time of recorded collisions `c`."""
    if len(c) < 12:
        raise InputError(f"the accumulation of {len(c)} impacts cannot be judged; at least 12 are needed.")
    word = repeated_word(c.point)
    k = max(len(word), 1)
    logs = c.log_flight
    flights = np.exp(logs)
    total = math.fsum(flights)
    if c.g > 0.0 and len(word) == 1:  # one point that bounces: the flights shrink by gamma
        return _of_bounces(c, word, total)
    last = np.logaddexp.reduce(logs[-k:])
    ratio = math.exp(last - np.logaddexp.reduce(logs[-2 * k : -k])) if len(c) >= 2 * k and last > -math.inf else 0.0
    tail = total + math.exp(last) * geometric_rest(ratio)
    pattern, by_pattern = None, math.nan
    if word and c.g == 0.0:
        fitting = [
            s
            for s in self_similar(c.plate, c.gamma, word)
            if s.feasible and s.beta_t < 1.0 and (s.dominant or c.plate.count == 2)
        ]
        if fitting:
            pattern = fitting[0]
            by_pattern = total + math.exp(last) * geometric_rest(pattern.beta_t)
    return Accumulation(by_pattern if pattern else tail, tail, by_pattern, word, pattern, ratio)


def _of_bounces(c: Any, word: tuple[int, ...], total: float) -> Accumulation:
    flights = c.flight
    ratio = float(flights[-1] / flights[-2])
    v = float(c.plate.f[word[0]] @ c.p_after[-1])
    by_pattern = total + 2.0 * v / (c.g * (1.0 - c.gamma)) if c.gamma < 1.0 else math.inf
    tail = total + float(flights[-1]) * geometric_rest(ratio)
    return Accumulation(by_pattern, tail, by_pattern, word, None, ratio)
