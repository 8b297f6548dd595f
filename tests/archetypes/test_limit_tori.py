"""Limit tori of a rattleback: against another formulation of its equations, and where their branch folds."""

import numpy as np
import pytest

from rollick import InputError, Rattleback
from rollick.archetypes.rattleback import critical_spin, limit_tori
from rollick.studies.rattleback import judge

CELT = Rattleback(a=0.050, b=0.032, c=0.030, M=0.31, h=0.010, A=9.0e-5, B=1.90e-4, C=2.42e-4, D=-2.4e-5)
ROLLS = [0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05, 1.2, 1.29, 1.32, 1.35]
NAMES = ("alpha", "beta", "omega1", "omega2", "omega3")


@pytest.fixture(scope="module")
def tori():
    return limit_tori(CELT, ROLLS)


@pytest.mark.parametrize("which", [slice(2, 3), pytest.param(slice(1, 4), marks=pytest.mark.slow)])
def test_they_close_in_the_equations_with_multipliers(tori, which):
    for torus in tori[which]:
        start = dict(zip(("alpha", "beta", "gamma", "omega1", "omega2", "omega3"), torus.orbit.start.tolist()))
        other = judge.simulate(CELT, start, np.array([0.0, torus.period]), rtol=1e-12)
        for name in NAMES:
            assert other[name][-1] == pytest.approx(start[name], abs=1e-8 * max(1.0, abs(start["omega3"]))), name
        assert other["gamma"][-1] == pytest.approx(torus.turn, abs=1e-8)


def test_they_begin_at_the_critical_spin():
    """The mean spin is Omega_c but for the square of the roll; what is left is of the fourth order, 1750 rad/s times the product of both squares."""
    small, larger = limit_tori(CELT, [0.01, 0.02])
    slope = (larger.spin - small.spin) / (larger.roll**2 - small.roll**2)
    assert small.spin - slope * small.roll**2 == pytest.approx(critical_spin(CELT), abs=1.2 * 1750 * 1e-4 * 4e-4)
    assert small.stability == "stable"


def test_stability_changes_where_the_energy_is_least(tori):
    """A fold of the family in the energy: two tori of one energy meet, and a multiplier passes 1."""
    roll, energy = (np.array([getattr(t, name) for t in tori[-3:]]) for name in ("roll", "energy"))
    largest = np.array([t.multipliers[np.argmax(np.abs(t.multipliers))].real for t in tori[-3:]])
    fit = np.polyfit(roll - 1.32, energy, 2)
    lowest = 1.32 - fit[1] / (2.0 * fit[0])
    passes = 1.32 + np.roots(np.polyfit(roll - 1.32, largest - 1.0, 2))
    assert np.min(np.abs(passes - lowest)) < 2e-3
    assert [t.stability for t in tori] == ["stable"] * 12 + ["unstable"]


def test_what_has_none_is_refused():
    with pytest.raises(InputError, match="no critical spin"):
        limit_tori(Rattleback(), [0.1])
    with pytest.raises(InputError, match="is damped"):
        limit_tori(CELT._replace(sigma=1e-4), [0.1])
    with pytest.raises(InputError, match="must be above zero and rise"):
        limit_tori(CELT, [0.2, 0.1])
