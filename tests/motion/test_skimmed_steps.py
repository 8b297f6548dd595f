"""Steps whose dense output is never made: no event is lost by that, or moved, and states inside them are of order 6."""

import math

import numpy as np
import pytest
from random_events import Tangle, tried
from scipy.integrate import solve_ivp

from rollick import Event, simulate
from rollick.motion.ode.dop853 import NEW, ROWS
from rollick.motion.ode.dop853_tableau import A, B, C
from rollick.motion.ode.later import ROWS as KEPT
from rollick.motion.ode.later import put_off, state_inside


def campaign(seeds) -> tuple[int, int]:
    """How many events random motions have, all of which are found without the dense output of all steps; and how many in one step at most."""
    count = most = 0
    for seed in seeds:
        (whole, skimmed), crowded = tried(seed)
        assert [e[1:] for e in whole] == [e[1:] for e in skimmed], (seed, whole, skimmed)
        assert all(abs(a[0] - b[0]) <= 1e-12 * abs(a[0]) for a, b in zip(whole, skimmed)), seed
        count, most = count + len(whole), max(most, crowded)
    return count, most


@pytest.mark.parametrize("motions", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_no_event_is_lost(motions):
    count, most = campaign(range(motions))
    assert count > 1000 * motions / 60
    assert most > 3


@pytest.mark.slow
def test_no_event_of_thousands_of_random_motions_is_lost():
    count, most = campaign(range(1000, 5000))
    assert count > 50_000
    assert most > 10


SYSTEM = Tangle(1.0, 1.7, 0.3, 0.2, 1.3, 0.4, -0.7, 0.2, 3.0, 0.5)


def stages(f, y, h):
    """The stages 1 to 13 of a step of DOP853 from t = 0, from its tableau, in rows 0 to 12; and the state at its end in row 16."""
    k = np.zeros((ROWS, y.size))
    for i in range(1, 14):
        weights = A.get(i, {}) if i < 13 else B
        z = y + h * sum(w * k[j - 1] for j, w in weights.items()) if weights else y
        k[i - 1] = f(C.get(i, 0.0) * h, z)
    k[NEW] = z
    return k


def test_states_inside_a_step_are_of_order_six():
    """Against SciPy at 3e-14: half the step, an error 2^7 times smaller."""

    def f(t, y):
        return np.array([y[1], -1.3 * math.sin(y[0]) + 0.2 * math.cos(t), y[0] * y[2] / 3.0])

    y, inside = np.array([1.0, 0.5, 0.8]), np.zeros(3)
    for j in range(1, 8):
        errors = []
        for h in (0.8, 0.4, 0.2):
            k, kept = stages(f, y, h), np.zeros((KEPT, 3))
            put_off(k, h, kept)
            state_inside(kept, y, j, inside)
            x = 0.5 - 0.5 * math.cos(math.pi * j / 8)
            exact = solve_ivp(f, (0.0, x * h), y, method="DOP853", rtol=3e-14, atol=1e-16, first_step=0.05 * x * h).y[:, -1]
            errors.append(np.abs(inside - exact).max())
        assert errors[1] < errors[0] / 60.0, (j, errors)
        assert errors[2] < max(errors[1] / 60.0, 3e-15), (j, errors)


def test_few_dense_outputs_are_made():
    """A level that is passed a few times in hundreds of steps: three more evaluations in a few of them; all the same with dense=True."""
    options = {"method": "dop853", "rtol": 1e-10, "progress": False}
    start, events = [0.3, 0.2, -0.4, 0.6], [Event("x1", level=0.35)]
    plain = simulate(SYSTEM, start, 100.0, **options)
    lazy = simulate(SYSTEM, start, 100.0, events=events, **options)
    whole = simulate(SYSTEM, start, 100.0, events=events, dense=True, **options)
    made = (lazy.provenance["evaluations"] - plain.provenance["evaluations"]) / 3
    assert whole.provenance["evaluations"] - plain.provenance["evaluations"] == 3 * whole.provenance["steps"]
    assert 1 <= len(lazy.events) <= made <= 0.4 * lazy.provenance["steps"]
    assert [e.t for e in lazy.events] == [e.t for e in whole.events]
