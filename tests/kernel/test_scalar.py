"""Scalar functions: values on floats and complex numbers, in Python and in machine code, and derivatives by complex step."""

import cmath
import functools
import math

import numpy as np
import pytest
from numba.core import config

from rollick.kernel import scalar
from rollick.kernel.compiled import compiled, compiled_uncached
from rollick.kernel.derivative import EPS

EXTENDED = np.longdouble
UNIT = np.finfo(float).eps

# name: (reference in extended precision, reference in complex numbers, derivative, domain of floats)
UNARY = {
    "sqrt": (np.sqrt, cmath.sqrt, lambda x: 0.5 / np.sqrt(x), (1e-6, 50.0)),
    "sin": (np.sin, cmath.sin, np.cos, (-20.0, 20.0)),
    "cos": (np.cos, cmath.cos, lambda x: -np.sin(x), (-20.0, 20.0)),
    "tan": (np.tan, cmath.tan, lambda x: 1.0 / np.cos(x) ** 2, (-1.57, 1.57)),
    "asin": (np.arcsin, cmath.asin, lambda x: 1.0 / np.sqrt((1 - x) * (1 + x)), (-0.9999, 0.9999)),
    "acos": (np.arccos, cmath.acos, lambda x: -1.0 / np.sqrt((1 - x) * (1 + x)), (-0.9999, 0.9999)),
    "atan": (np.arctan, cmath.atan, lambda x: 1.0 / (1.0 + x * x), (-50.0, 50.0)),
    "exp": (np.exp, cmath.exp, np.exp, (-30.0, 30.0)),
    "log": (np.log, cmath.log, lambda x: 1.0 / x, (1e-6, 1e3)),
    "sinh": (np.sinh, cmath.sinh, np.cosh, (-10.0, 10.0)),
    "cosh": (np.cosh, cmath.cosh, np.sinh, (-10.0, 10.0)),
    "tanh": (np.tanh, cmath.tanh, lambda x: 1.0 / np.cosh(x) ** 2, (-8.0, 8.0)),
}
each_unary = pytest.mark.parametrize("name", UNARY)


@functools.cache
def machine_code(name):
    """A function of the kernel as seen from compiled code."""
    f = getattr(scalar, name)
    if name in ("atan2", "maximum", "minimum"):
        return compiled(lambda x, y: f(x, y))
    return compiled(lambda x: f(x))


def ways(name):
    """The same function called from Python and from machine code."""
    return getattr(scalar, name), machine_code(name)


def arguments(low, high, count=400):
    """Random floats of a domain, and small ones of both signs where it has them."""
    rng = np.random.default_rng(1)
    small = 10.0 ** rng.uniform(-12.0, -1.0, count // 4) * rng.choice([-1.0, 1.0], count // 4)
    return [float(x) for x in (*rng.uniform(low, high, count), *small[(small > low) & (small < high)])]


@each_unary
def test_value_on_floats(name):
    reference, _, _, domain = UNARY[name]
    for f in ways(name):
        for x in arguments(*domain):
            exact = reference(EXTENDED(x))
            assert isinstance(f(x), float)
            assert abs(f(x) - exact) <= 2.0 * UNIT * abs(exact), (name, x)


@each_unary
def test_value_on_complex_numbers(name):
    rng = np.random.default_rng(2)
    points = [complex(a, b) for a, b in rng.uniform(-3.0, 3.0, (300, 2))]
    for f in ways(name):
        for z in points:
            exact = UNARY[name][1](z)
            assert isinstance(f(z), complex)
            assert abs(f(z) - exact) <= 4.0 * UNIT * abs(exact), (name, z)


@each_unary
def test_real_part_under_a_complex_step_is_the_value(name):
    for f in ways(name):
        for x in arguments(*UNARY[name][3], count=100):
            assert f(complex(x, EPS)).real == pytest.approx(f(x), rel=2.0 * UNIT, abs=1e-300)


@each_unary
def test_complex_step_is_the_derivative(name):
    _, _, derivative, domain = UNARY[name]
    for f in ways(name):
        for x in arguments(*domain):
            exact = derivative(EXTENDED(x))
            assert abs(f(complex(x, EPS)).imag / EPS - exact) <= 1e-15 * abs(exact), (name, x)


def test_integers_are_taken_as_floats():
    for name in ("sqrt", "cos", "exp", "real", "absolute"):
        for f in ways(name):
            assert f(4) == getattr(scalar, name)(4.0)


@pytest.mark.skipif(config.DISABLE_JIT, reason="Python's own functions raise exceptions instead")
def test_machine_code_gives_nan_and_infinity_where_python_raises():
    assert math.isnan(machine_code("sqrt")(-1.0))
    assert math.isnan(machine_code("asin")(1.5))
    assert machine_code("log")(0.0) == -math.inf
    assert machine_code("exp")(1e4) == math.inf
    with pytest.raises(ValueError):
        scalar.sqrt(-1.0)


# sincos


@compiled
def fill_sincos(x, s, c):
    """The pair at many arguments."""
    for i in range(x.size):
        s[i], c[i] = scalar.sincos(x[i])


COUNT = 20_000 if config.DISABLE_JIT else 1_000_000
RANDOM = np.random.default_rng(3)
MULTIPLES = np.arange(-63_000, 63_000, 1 if COUNT > 1e5 else 50) * (0.5 * math.pi)
SINCOS = {
    "within a quarter": RANDOM.uniform(-0.25 * math.pi, 0.25 * math.pi, COUNT),
    "within a few turns": RANDOM.uniform(-20.0, 20.0, COUNT),
    "up to 1e5": RANDOM.uniform(-1e5, 1e5, COUNT),
    "beyond 1e5": RANDOM.uniform(1e5, 1e9, COUNT // 4) * RANDOM.choice([-1.0, 1.0], COUNT // 4),
    "of all sizes": 10.0 ** RANDOM.uniform(-300.0, 300.0, COUNT // 4) * RANDOM.choice([-1.0, 1.0], COUNT // 4),
    "multiples of pi/2": MULTIPLES,
    "beside multiples of pi/2": np.concatenate([np.nextafter(MULTIPLES, math.inf), np.nextafter(MULTIPLES, -math.inf)]),
    "around odd multiples of pi/4": np.concatenate([np.nextafter(MULTIPLES + 0.25 * math.pi, d) for d in (-math.inf, math.inf)]),
    "at the bound 1e5": np.concatenate([-(b := np.nextafter(1e5, [0.0, math.inf, 1e5])), b]),
}


def sincos_reference(x):
    """In extended precision; where the platform has none, by the C library, which is right to 1 ulp."""
    return np.sin(x.astype(EXTENDED)), np.cos(x.astype(EXTENDED))


@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("where", SINCOS)
def test_sincos(where, every):
    """Below 1.8 ulp of the result, away from the zeros of sine and cosine; near them absolutely, to a 1e-21 (86 bits of pi/2)."""
    x = SINCOS[where] if len(SINCOS[where]) < 100 else SINCOS[where][::every].copy()
    s, c = np.empty_like(x), np.empty_like(x)
    fill_sincos(x, s, c)
    for value, exact in zip((s, c), sincos_reference(x)):
        error = np.abs(value - exact)
        assert error.max() < 0.8 * UNIT
        assert np.max((error - 1e-21) / np.spacing(np.abs(exact).astype(float))) < 1.8


def test_sincos_lies_on_the_circle_and_knows_its_symmetries():
    x = SINCOS["up to 1e5"][:20_000]
    s, c, s_minus, c_minus = (np.empty_like(x) for _ in range(4))
    fill_sincos(x, s, c)
    fill_sincos(-x, s_minus, c_minus)
    assert np.abs(s * s + c * c - 1.0).max() < 4.0 * UNIT
    assert np.array_equal(s_minus, -s)
    assert np.array_equal(c_minus, c)


def test_sincos_of_special_values():
    for f in ways("sincos"):
        assert f(0.0) == (0.0, 1.0)
        assert math.isnan(f(math.nan)[0])
        assert math.isnan(f(math.nan)[1])
        assert f(5e-324) == (5e-324, 1.0)
        assert f(math.pi)[1] == -1.0
        assert f(0.5 * math.pi) == (1.0, pytest.approx(6.123233995736766e-17, abs=1e-26))
    if not config.DISABLE_JIT:
        assert all(math.isnan(v) for x in (math.inf, -math.inf) for v in machine_code("sincos")(x))


def test_sincos_of_complex_numbers_is_that_of_cmath():
    rng = np.random.default_rng(4)
    for f in ways("sincos"):
        for a, b in rng.uniform(-3.0, 3.0, (100, 2)):
            z = complex(a, b)
            assert np.allclose(f(z), (cmath.sin(z), cmath.cos(z)), rtol=4.0 * UNIT, atol=0.0)
            s, c = f(complex(a, EPS))
            assert s.imag / EPS == pytest.approx(math.cos(a), rel=1e-15)
            assert c.imag / EPS == pytest.approx(-math.sin(a), rel=1e-15)


# what compares on real parts


def test_real():
    for f in ways("real"):
        assert f(2.5) == 2.5
        assert f(-2.5 + 3j) == -2.5
        assert isinstance(f(1 + 1j), float)


def test_absolute_takes_the_branch_of_the_real_part():
    for f in ways("absolute"):
        assert f(-2.5) == 2.5
        assert f(2.5) == 2.5
        assert f(-2.5 + 1j) == 2.5 - 1j
        assert f(2.5 - 1j) == 2.5 - 1j
        assert f(complex(-2.5, EPS)).imag / EPS == -1.0
        assert f(complex(2.5, EPS)).imag / EPS == 1.0


def test_sign():
    for f in ways("sign"):
        for x in (-3.0, 0.0, -0.0, 4.0):
            assert f(x) == np.sign(x)
            assert f(complex(x, 5.0)) == np.sign(x)
            assert isinstance(f(complex(x, 5.0)), float)


@pytest.mark.parametrize(("name", "reference"), [("maximum", max), ("minimum", min)])
def test_larger_and_smaller(name, reference):
    for f in ways(name):
        for x, y in ((1.0, 2.0), (2.0, 1.0), (-1.0, -3.0), (0.5, 0.5)):
            assert f(x, y) == reference(x, y)
            # Each argument in turn carries a step; also where only one of them is complex.
            chosen = 0 if reference(x, y) == x else 1
            assert f(complex(x, EPS), y).imag / EPS == (1.0 if chosen == 0 else 0.0)
            assert f(x, complex(y, EPS)).imag / EPS == (1.0 if chosen == 1 else 0.0)
            assert f(complex(x, 3.0), complex(y, 5.0)) == complex(reference(x, y), (3.0, 5.0)[chosen])


def test_atan2_in_all_quadrants():
    rng = np.random.default_rng(5)
    points = [*rng.uniform(-3.0, 3.0, (300, 2)), (1e-9, 1.0), (1.0, 1e-9), (-1e-9, -1.0), (2.0, 0.0), (-2.0, 0.0), (0.0, 2.0)]
    for f in ways("atan2"):
        for a, b in points:
            x, y = float(a), float(b)
            assert f(x, y) == pytest.approx(math.atan2(x, y), rel=UNIT)
            squared = EXTENDED(x) ** 2 + EXTENDED(y) ** 2
            by_x, by_y = f(complex(x, EPS), y), f(x, complex(y, EPS))
            assert by_x.real == by_y.real == f(x, y)
            assert abs(by_x.imag / EPS - y / squared) <= 1e-15 * abs(y / squared)
            assert abs(by_y.imag / EPS + x / squared) <= 1e-15 * abs(x / squared)
            both = f(complex(x, 2.0 * EPS), complex(y, 3.0 * EPS)).imag / EPS
            assert both == pytest.approx(float((2.0 * y - 3.0 * x) / squared), rel=1e-13, abs=1e-15 / math.sqrt(squared))


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_atan2_takes_the_same_side_of_its_cut_for_complex_numbers(zero):
    for f in ways("atan2"):
        assert f(zero, -1.0) == math.atan2(zero, -1.0)
        assert f(complex(zero, EPS), -1.0).real == math.atan2(zero, -1.0)
        assert f(zero, complex(-1.0, EPS)).real == math.atan2(zero, -1.0)


@compiled_uncached
def power(x, n):
    return x**n


@compiled_uncached
def cube(x):
    return x**3


@compiled_uncached
def fifth(x):
    x **= 5
    return x


@pytest.mark.parametrize("x", [-2.5, -1.0, -1e-3, 0.75, 3.0])
def test_powers_of_negative_numbers_keep_their_derivatives(x):
    """Numba's own powers of complex numbers go by the logarithm: the derivative of x**3 at -1 was 1e84."""
    z = complex(x, 1e-100)
    assert cube(z).imag / 1e-100 == pytest.approx(3.0 * x**2, rel=1e-14)
    assert fifth(z).imag / 1e-100 == pytest.approx(5.0 * x**4, rel=1e-14)
    for n in (-7, -2, -1, 1, 2, 4, 9, 31):
        assert power(z, n).imag / 1e-100 == pytest.approx(n * x ** (n - 1), rel=1e-13)
        assert power(z, float(n)).real == pytest.approx(x**n, rel=1e-13)


def test_other_powers_are_those_of_python():
    for x in (2.0 + 1.0j, -1.5 + 0.3j, 1.0j, 0.5 - 2.0j):
        for n in (0, 1, 2, 3, -4, 100, 101, 150, 0.5, -2.25, 1.0 + 2.0j):
            assert power(x, n) == pytest.approx(x**n, rel=1e-12)
    assert power(0.0j, 0) == 1.0
