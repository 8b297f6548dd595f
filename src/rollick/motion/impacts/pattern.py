"""Periodic impact words: the linear maps they compose, and the self-similar motion they carry.

A word i_1 i_2 .. i_k of points maps the velocity by M = U_{i_k} .. U_{i_1}. If p is an eigenvector with a real positive eigenvalue beta_p,
the velocities repeat, scaled by beta_p. Then the flight times are linear in q, tau = -f.q/f.p, and q passes through a product A of the maps
I - p f'/(f.p); an eigenvector q of it with eigenvalue beta_q gives flights that shrink by beta_t = beta_q/beta_p per word (4.9).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...mechanics.plate import Plate

REAL = 1e-9  # an eigenvalue counts as real if its imaginary part is below this part of it


@dataclass(frozen=True)
class SelfSimilar:
    """A self-similar motion without gravity: the word, its factors per word, the state before its first impact, the flights of one round."""

    word: tuple[int, ...]
    beta_p: float
    beta_q: float
    p: np.ndarray
    q: np.ndarray
    flights: np.ndarray
    dominant: bool  # whether beta_p and beta_q are the dominant eigenvalues, so that motions with this word tend to it
    clearance: float  # least height of another point at an impact, and least approach and sinking velocities, all relative

    @property
    def beta_t(self) -> float:
        """Factor of the flight times per word."""
        return self.beta_q / self.beta_p

    @property
    def feasible(self) -> bool:
        """Whether the motion exists: no other point below the plane, every point hit approaches it, the mass centre sinks."""
        return self.clearance >= -1e-9

    @property
    def exponent(self) -> float:
        """c of E ~ (t_f - t)^c: 2 ln beta_p/ln beta_t (4.48); infinite where flights do not shrink."""
        return 2.0 * float(np.log(self.beta_p) / np.log(self.beta_t)) if self.beta_t < 1.0 else float("inf")


def word_map(plate: Plate, gamma: float, word: tuple[int, ...]) -> np.ndarray:
    """M = U_{i_k} .. U_{i_1}."""
    M = np.eye(3)
    for i in word:
        M = plate.impact_map(i, gamma) @ M
    return M


def real_pairs(M: np.ndarray) -> list[tuple[float, np.ndarray, bool]]:
    """The real positive eigenvalues of M with their eigenvectors, and whether they dominate; largest first."""
    values, vectors = np.linalg.eig(M)
    largest = np.abs(values).max()
    found = []
    for value, vector in zip(values, vectors.T):
        if value.real > 1e-14 * largest and abs(value.imag) <= REAL * abs(value):
            turned = vector * np.exp(-1j * np.angle(vector[np.abs(vector).argmax()]))
            found.append((float(value.real), turned.real, bool(abs(value) >= largest * (1.0 - 1e-12))))
    return sorted(found, key=lambda e: -e[0])


def self_similar(plate: Plate, gamma: float, word: tuple[int, ...]) -> list[SelfSimilar]:
    """All self-similar motions of a word, feasible or not; those with dominant factors first."""
    found = []
    for beta_p, p, leads in real_pairs(word_map(plate, gamma, word)):
        for sign in (1.0, -1.0):
            found += _with_velocity(plate, gamma, word, beta_p, sign * p / np.abs(p).sum(), leads)
    return sorted(found, key=lambda s: (not s.feasible, not s.dominant, -s.clearance))


def _with_velocity(plate, gamma, word, beta_p, p, leads) -> list[SelfSimilar]:
    f = plate.f
    speeds, current = [p], p
    for i in word:
        current = plate.impact_map(i, gamma) @ current
        speeds.append(current)
    # speeds[m] flies towards word[m]; each must bring its point down and the mass centre with it.
    approach = min(-float(f[i] @ v) / np.abs(v).sum() for i, v in zip(word, speeds))
    sinking = min(-float(v[2]) / np.abs(v).sum() for v in speeds[:-1])
    if approach <= 0.0 or sinking <= 0.0:
        return []
    A = np.eye(3)
    for i, v in zip(word, speeds):
        A = (np.eye(3) - np.outer(v, f[i]) / float(f[i] @ v)) @ A
    found = []
    for beta_q, q, first in real_pairs(A):
        for sign in (1.0, -1.0):
            place = sign * q / np.abs(q).sum()
            taus, least, here = [], np.inf, place
            for i, v in zip(word, speeds):
                taus.append(-float(f[i] @ here) / float(f[i] @ v))
                here = here + v * taus[-1]
                least = min(least, float(np.delete(f @ here, i).min()) / np.abs(place).sum())
            if sum(taus) <= 0.0:
                continue
            least = float(min(least, min(taus) / max(taus), approach, sinking))
            found.append(SelfSimilar(word, beta_p, beta_q, p, place, np.array(taus), leads and first, least))
    return found


LONGEST, REPEATS, LEAST = 128, 3, 12  # a word has at most so many impacts, and is repeated so often, and for so many impacts


def repeated_word(points: np.ndarray, longest: int = LONGEST, repeats: int = REPEATS) -> tuple[int, ...]:
    """The shortest word that the end of a sequence repeats at least `repeats` times (and for at least `LEAST` impacts); empty if none."""
    return repeated_words(np.asarray(points)[None], longest, repeats)[0]


def repeated_words(sequences: np.ndarray, longest: int = LONGEST, repeats: int = REPEATS) -> list[tuple[int, ...]]:
    """The same for many sequences of equally many impacts, a row each."""
    found: list[tuple[int, ...]] = [()] * len(sequences)
    left, size = np.arange(len(sequences)), sequences.shape[1]
    for k in range(1, min(longest, size // repeats) + 1):
        span = max(repeats, -(-LEAST // k)) * k
        if span > size or not left.size:
            continue
        tail = sequences[left, size - span :]
        periodic = (tail[:, k:] == tail[:, :-k]).all(axis=1)
        for i, word in zip(left[periodic].tolist(), tail[periodic, :k].tolist()):
            found[i] = tuple(word)
        left = left[~periodic]
    return found
