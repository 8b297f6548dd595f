"""Digits that numbers deserve."""

import math

import numpy as np
import pytest

from rollick.motion.result.digits import MOST, between, to_error, to_unit, with_error


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (1.1920965, 0.001, "1.1921 +- 0.0010"),
        (-2.39e-5, 0.0021, "0.0000 +- 0.0021"),
        (1234567.0, 4000.0, "1.2346e+06 +- 4.0e+03"),
        (120.3, 10.0, "120 +- 10"),
        (0.0096, 0.096, "0.010 +- 0.096"),
        (99.97, 0.1, "99.97 +- 0.10"),
        (math.nan, 0.1, "nan +- 0.10"),
    ],
)
def test_measured_numbers(value, error, text):
    assert with_error(value, error) == text


def test_nothing_is_lost_that_the_error_leaves():
    """What is printed is within half a unit of the second digit of the error, or has ten digits."""
    rng = np.random.default_rng(0)
    for _ in range(2000):
        value, error = rng.normal() * 10.0 ** rng.uniform(-9, 9), 10.0 ** rng.uniform(-12, 6)
        unit = max(10.0 ** math.floor(math.log10(0.1 * error)), 10.0 ** (math.floor(math.log10(abs(value))) - MOST + 1))
        assert abs(float(to_error(value, error)) - value) <= 0.5000001 * unit


def test_units_that_are_none():
    assert [to_unit(math.pi, u) for u in (0.0, math.inf, math.nan)] == ["3.141592654", "3.14159", "3.14159"]


@pytest.mark.parametrize("power", [-323, -320, -308, -300, 300, 307, 308])
def test_at_the_ends_of_the_numbers(power):
    """Nothing is divided by zero or overflows: motions that die out or blow up are told, too."""
    tiny = float(f"1e{power}")
    assert float(with_error(tiny, tiny).split()[0]) == pytest.approx(tiny if power > -290 else 0.0)
    assert float(between(0.0, tiny).split()[-1]) == pytest.approx(tiny if power > -290 else 0.0, rel=1e-4)
    low, high = map(float, between(-tiny, tiny).split(" .. "))
    assert low == -high
    assert float(to_error(0.0, tiny)) == 0.0
    assert float(to_error(1.0, tiny)) == (1.0 if power < 0 else 0.0)


@pytest.mark.parametrize(
    ("least", "largest", "text"),
    [
        (0.00579273, 3.05286, "0.0058 .. 3.0529"),
        (-6.39936, 6.40502, "-6.399 .. 6.405"),
        (1.57, 1.5702, "1.57 .. 1.5702"),
        (5.0, 5.0, "5 .. 5"),
        (0.0, 0.0, "0 .. 0"),
        (math.nan, 1.0, "nan .. 1"),
    ],
)
def test_ranges(least, largest, text):
    """What sampling decides is not printed, narrow ranges are still told apart."""
    assert between(least, largest) == text
