"""Rates and signals for callers in Python, whatever the arrays that they bring."""

import numpy as np
import pytest

from rollick import Rattleback
from rollick.kernel.evaluate import rate_at, signals_along
from rollick.kernel.system import description, rate
from rollick.motion.ode.erased import Engine

STONE = Rattleback()
ENGINE = Engine(STONE)  # keeps what its addresses point to
Y = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


@pytest.fixture(scope="module")
def expected():
    out = np.zeros(6)
    rate(STONE, 0.0, Y, out)  # as plain Python
    return out


@pytest.mark.parametrize("system", [STONE, ENGINE.erased], ids=["by type", "by address"])
@pytest.mark.parametrize("way", ["plain", "strided", "of floats32", "a column of output", "output of floats32"])
def test_rates_are_those_of_plain_python(system, way, expected):
    y, out = Y, np.zeros(6)
    if way == "strided":
        y = np.column_stack([Y, 7.0 * Y])[:, 0]
        assert not y.flags.c_contiguous
    if way == "of floats32":
        y = Y.astype(np.float32)
    if way == "a column of output":
        out = np.full((6, 2), 5.0)[:, 0]
    if way == "output of floats32":
        out = np.zeros(6, np.float32)
    rate_at(system, 0.0, y, out)
    np.testing.assert_allclose(out, expected, rtol=1e-6 if "floats32" in way else 1e-13)
    np.testing.assert_array_equal(Y, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


def test_complex_rates_carry_derivatives(expected):
    z, out = Y + 1e-30j * np.arange(6), np.zeros(6, complex)
    rate_at(STONE, 0.0, z, out)
    np.testing.assert_allclose(out.real, expected, rtol=1e-13)
    ahead, behind = np.zeros(6), np.zeros(6)
    rate_at(STONE, 0.0, Y + 1e-6 * np.arange(6), ahead)
    rate_at(STONE, 0.0, Y - 1e-6 * np.arange(6), behind)
    np.testing.assert_allclose(1e30 * out.imag, (ahead - behind) / 2e-6, rtol=1e-6)


def test_a_system_by_addresses_has_no_complex_rate():
    with pytest.raises(TypeError, match="real numbers only"):
        rate_at(ENGINE.erased, 0.0, Y, np.zeros(6, complex))


def test_signals_at_instants_that_do_not_lie_in_a_row():
    count = len(description(STONE).signals)
    t, y = np.arange(6.0), Y + 0.01 * np.arange(6.0)[:, None]
    plain, other = np.zeros((6, count)), np.zeros((count, 6)).T
    signals_along(STONE, t, y, plain)
    assert np.isfinite(plain).all()
    signals_along(STONE, np.repeat(t, 2)[::2], np.asfortranarray(y), other)
    np.testing.assert_array_equal(other, plain)
