"""Where a multiplier that must be 1 is not, the others are noise: no period doubling and no torus is told of them."""

from types import SimpleNamespace

import numpy as np
import pytest

from rollick.analysis.orbits.problem import OrbitProblem


class Given(OrbitProblem):
    """An orbit problem whose multipliers are given."""

    def __init__(self, values):
        self.equations = SimpleNamespace(
            unpack=lambda z, at: (None, 10.0),
            at=lambda parameter: None,
            period=SimpleNamespace(unknown=True),
            closure=SimpleNamespace(extra=0, order=1),
        )
        self.values = np.array(values, complex)

    def multipliers(self, z):
        return SimpleNamespace(values=self.values)

    def null_vector(self, z, value):
        return np.array([value])


TURN = np.exp(0.7j)


@pytest.mark.parametrize(
    ("name", "values", "found"),
    [
        ("PD", [1.0, -1.0], "PD"),
        ("PD", [1.0 + 1e-6, -1.0, 0.2], "PD"),
        ("PD", [-1.0, 0.4], None),  # of a system with two states: the one along the orbit, which must be 1, is not there
        ("PD", [3.7, -1.0], None),
        ("TR", [1.0, TURN, TURN.conjugate()], "TR"),
        ("TR", [1.2, TURN, TURN.conjugate()], None),
        ("LP", [3.7, -1.0], "LPC"),  # a fold is told by the tangent, not by multipliers
    ],
)
def test_what_is_told_of_multipliers(name, values, found):
    told = Given(values).classify(name, np.zeros(3), None, np.zeros(3))
    assert (told.kind if told is not None else None) == found
