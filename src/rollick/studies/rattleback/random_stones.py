"""Random stones that can exist, and random states, for checks that must hold anywhere."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...archetypes.rattleback import Rattleback
from ...archetypes.rattleback.stone import impossible


def random_stones(rng: np.random.Generator, count: int) -> Iterator[Rattleback]:
    """Stones of all proportions: inertia of a random set of point masses, so that it is physical."""
    made = 0
    while made < count:
        c, b, a = np.sort(rng.uniform(0.01, 0.3, 3))
        mass = rng.uniform(0.1, 5.0)
        points = rng.normal(size=(6, 3)) * [a / 2, b / 2, c / 2]
        points -= points.mean(axis=0)
        x, y, z = points.T
        m = mass / 6.0
        A, B, C = m * (y * y + z * z).sum(), m * (x * x + z * z).sum(), m * (x * x + y * y).sum()
        D = -m * (x * y).sum()
        stone = Rattleback(a, b, c, mass, rng.uniform(-c, 0.9 * c), A, B, C, D, rng.uniform(0.0, 1e-2) * A, 9.81)
        stone = Rattleback(*(float(v) for v in stone))
        if not impossible(stone):
            made += 1
            yield stone


def random_states(rng: np.random.Generator, count: int) -> Iterator[np.ndarray]:
    """States with tilts up to 70 degrees and brisk rotation."""
    for _ in range(count):
        yield np.concatenate([rng.uniform(-1.2, 1.2, 2), rng.uniform(-6.0, 6.0, 1), rng.uniform(-20.0, 20.0, 3)])
