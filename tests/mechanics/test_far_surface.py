"""The Hertz surface far out, tops that fell, and models of the table with other numbers: what was wrong once."""

import numpy as np
import pytest

from rollick import InputError
from rollick.archetypes.tippedisk.model import make
from rollick.archetypes.tops.tippe_top import longest_run
from rollick.mechanics.laws import hertz
from rollick.mechanics.laws.limit_surface import FAR, far_hertz


def test_the_hertz_surface_far_out():
    """Pure sliding in the limit: xi = 1 - 0.1/u^2, eta = 0.2/u; and the series meets the closed form."""
    u = np.array([1e3, 1e6, 1e9])
    xi, eta = hertz(u)
    np.testing.assert_allclose(xi, 1.0 - 0.1 / u**2, atol=1e-13)
    np.testing.assert_allclose(eta, 0.2 / u, rtol=1e-5)
    near = np.array([FAR])
    np.testing.assert_allclose(hertz(near), far_hertz(near), rtol=1e-12)


def test_a_top_that_fell_stood_before():
    assert longest_run(np.array([False, True, False, True, True, True, False, False]), 1) == (3, 6)
    assert longest_run(np.array([False, False]), 1) == (1, 1)


def test_models_of_the_table_honour_or_refuse():
    system = make(model="2", mu=0.9, g=1.6)
    assert (system.law.sliding.mu, system.g) == (0.9, 1.6)
    assert make(model="8", mu_tau=0.02).law.pivoting.mu == 0.02
    with pytest.raises(InputError, match="mu_tau would do nothing"):
        make(model="2", mu_tau=0.02)
    with pytest.raises(InputError, match="decides law"):
        make(model="2", law="contensou")
