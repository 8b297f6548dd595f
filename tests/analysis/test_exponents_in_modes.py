"""Lyapunov exponents through dry friction: directions lost where slip ends, and those that are left."""

from typing import NamedTuple

import numpy as np
import pytest
from cycles import Belt

from rollick import InputError, describe, simulate
from rollick.analysis.exponents import spectrum
from rollick.kernel import cos
from rollick.motion.filippov.systems.form import contact_form, contact_total, grip_and_load, slip_size


class Shaken(NamedTuple):
    """A block on a spring, shaken: x'' = -k x - c x' + a cos(omega t) + friction mu g; states x and u = x'."""

    k: float = 1.0
    c: float = 0.1
    a: float = 1.5
    omega: float = 0.7
    mu: float = 0.02
    g: float = 9.81


describe(Shaken, states={"x": "m", "u": "m/s"})


@contact_total.register(Shaken)
def _(s):
    return 1


@slip_size.register(Shaken)
def _(s):
    return 1


@contact_form.register(Shaken)
def _(s, modes, t, y, free, push, c, A, slip):
    pull = -s.k * y[0] - s.c * y[1] + s.a * cos(s.omega * t) + 0.0 * y[0]
    one = 1.0 + 0.0 * y[0]
    free[0], free[1] = y[1], pull
    push[1, 0], push[1, 1] = 0.0 * y[0], one
    c[1] = pull
    A[1, 1] = one
    slip[0] = y[1]
    slip[1] = 0.0 * y[1]


@grip_and_load.register(Shaken)
def _(s, t, y, k):
    return s.mu + 0.0 * y[0], s.g + 0.0 * y[0]


def speed(system, y):
    """|dy/dt| of the belt: it sticks (x' = w, u' = 0) or slips."""
    if y[1] == 0.0:
        return system.w
    pull = -system.k * y[0] + system.d * (y[1] + system.w) - np.sign(y[1]) * system.mu * system.g
    return np.hypot(y[1] + system.w, pull)


@pytest.mark.slow
def test_the_belt_loses_one_direction_and_keeps_the_other():
    """On the stick-slip cycle neighbours lie on it, ahead or behind: what is left grows as the speed does, and on the whole not at all."""
    system, until = Belt(), 200.0
    found = spectrum(system, {"x": 0.5, "u": 0.0}, until, intervals=400, discard=0.25)
    assert np.isneginf(found.values[1])
    assert found.lost == 1
    assert found.own_numbers()["lost_directions"] == 1
    assert abs(found.values[0]) < 0.02
    assert "-inf" in found.summary()
    assert "become one" in found.summary()
    # exactly: the logarithm of the ratio of the speeds at both ends
    ends = found.since, found.since + found.t[-1]
    motion = simulate(system, {"x": 0.5, "u": 0.0}, until, method="event-driven", at=list(ends), rtol=1e-10)
    first, last = (speed(system, y) for y in motion.y)
    assert found.values[0] * found.t[-1] == pytest.approx(np.log(last / first), abs=2e-6)


@pytest.mark.slow
def test_a_shaken_block_that_never_sticks_has_the_multipliers_of_its_response():
    """Strong shaking: slip turns without sticking. The exponents against the eigenvalues of the map over one period, by differences of whole motions."""
    system = Shaken()
    period = 2.0 * np.pi / system.omega
    settled = simulate(system, {"x": 0.0, "u": 0.3}, 40 * period, method="event-driven", rtol=1e-11)
    assert settled.complete
    base = settled.end_state
    map_of = lambda y: simulate(system, y, period, method="event-driven", rtol=1e-12).end_state
    assert map_of(base) == pytest.approx(base, abs=1e-6)
    columns = []
    for j in range(2):
        h = np.zeros(2)
        h[j] = 1e-4
        columns.append((8.0 * (map_of(base + h) - map_of(base - h)) - (map_of(base + 2 * h) - map_of(base - 2 * h))) / 12e-4)
    expected = np.sort(np.log(np.abs(np.linalg.eigvals(np.stack(columns, axis=1)))) / period)[::-1]
    found = spectrum(system, base, 60 * period, intervals=120, discard=0.0)
    assert found.lost == 0
    assert found.sum == pytest.approx(expected.sum(), abs=1e-6)
    assert found.sum < -system.c  # each turn takes more than damping does
    assert found.values.mean() == pytest.approx(expected.mean(), abs=1e-6)


def test_what_is_refused():
    with pytest.raises(InputError, match="intervals"):
        spectrum(Belt(), {"x": 0.5, "u": 0.0}, 10.0, intervals=3)
