"""method="auto": explicit where it serves, stiff where it must, and back."""

import numpy as np
import pytest
from systems import Oscillator, VanDerPol

from rollick import simulate

# x at t = 2000 for mu = 1000 from (2, 0), by an independent stiff solver at tolerance 1e-11.
X_2000 = 1.7061677321


def test_switches_to_the_stiff_method_where_it_must():
    m = simulate(VanDerPol(1000.0), [2.0, 0.0], 2000.0, rtol=1e-8)
    used = [name for name, _ in m.provenance["methods"]]
    assert used[0] == "dop853"
    assert "radau" in used
    assert m.provenance["evaluations"] < 200_000  # the explicit method alone takes millions
    assert m["x"][-1] == pytest.approx(X_2000, rel=1e-5)


def test_and_back_where_the_stiffness_is_over():
    # mu = 1000 relaxes at first; with the sign of time reversed nothing is stiff. A soft oscillator never switches.
    m = simulate(Oscillator(), [1.0, 0.0], 100.0)
    assert [name for name, _ in m.provenance["methods"]] == ["dop853"]
    m = simulate(VanDerPol(50.0), [2.0, 0.0], 200.0, rtol=1e-6)
    used = [name for name, _ in m.provenance["methods"]]
    assert used.count("dop853") >= 2  # the jumps are left to the explicit method again
    fine = simulate(VanDerPol(50.0), [2.0, 0.0], 200.0, rtol=1e-11, method="radau", at=[200.0])
    np.testing.assert_allclose(m["x"][-1], fine["x"][-1], atol=1e-3)


def test_events_and_outputs_do_not_care_who_integrates():
    found = {}
    for method in ("auto", "radau", "dop853"):
        m = simulate(VanDerPol(20.0), [2.0, 0.0], 60.0, rtol=1e-9, method=method, events=["x"], at=[10.0, 30.0, 60.0])
        found[method] = ([e.t for e in m.events], m["x"])
    for method in ("auto", "radau"):
        np.testing.assert_allclose(found[method][0], found["dop853"][0], atol=1e-5)
        np.testing.assert_allclose(found[method][1], found["dop853"][1], atol=1e-4)
