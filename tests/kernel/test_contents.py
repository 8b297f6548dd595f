"""What a function contains: everything that ends up in its machine code changes its fingerprint, and nothing else does."""

import math
import types
from enum import Enum

import numpy as np
import pytest

from rollick.kernel import compiled, generic, sin
from rollick.kernel.contents import content


def made(source: str, **names):
    """The function `f` of some source, in a module of its own, with these global names."""
    module = types.ModuleType("someones_module")
    module.__dict__.update(names)
    exec(source, module.__dict__)
    return module.f


PLAIN = "def f(x): return 2.0 * x"


def test_the_same_function_made_twice_is_the_same():
    assert content([made(PLAIN)]) == content([made(PLAIN)])
    assert content([made(PLAIN, unused=1.0)]) == content([made(PLAIN, unused=2.0)])
    assert content([]) != content([made(PLAIN)])


@pytest.mark.parametrize(
    "other",
    [
        "def f(x): return 3.0 * x",
        "def f(x): return 2.0 + x",
        "def f(x): return x * 2.0",
        "def f(x, y=1.0): return 2.0 * x",
        "def f(x): return 2 * x",
        "def f(x):\n    def g(y): return 3.0 * y\n    return 2.0 * x",
    ],
)
def test_code_and_constants_count(other):
    assert content([made(other)]) != content([made(PLAIN)])


def test_defaults_count():
    first, second = (made(f"def f(x, y={value}): return x * y") for value in (1.0, 2.0))
    assert first.__code__.co_code == second.__code__.co_code
    assert content([first]) != content([second])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (1.0, 2.0),
        (1, 1.0),
        (True, 1),
        (0.0, -0.0),
        ((1.0, 2.0), (1.0, 3.0)),
        (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
        (np.array([1.0, 2.0]), np.array([[1.0, 2.0]])),
        (np.float64(1.0), np.float32(1.0)),
        (made("def f(x): return 1.0"), made("def f(x): return 2.0")),
        (compiled(made("def f(x): return 1.0")), compiled(made("def f(x): return 2.0"))),
        (math.sin, math.cos),
        (np.sin, np.cos),
        (Enum("Kind", {"A": 1}).A, Enum("Kind", {"A": 2}).A),
        (sin, made("def f(x): return x")),
    ],
)
def test_values_of_global_names_and_of_enclosing_functions_count(one, two):
    source = "def f(x): return x, value"
    assert content([made(source, value=one)]) == content([made(source, value=one)])
    assert content([made(source, value=one)]) != content([made(source, value=two)])
    enclosed = "def outer(value):\n    def f(x): return x, value\n    return f\nf = outer(given)"
    assert content([made(enclosed, given=one)]) == content([made(enclosed, given=one)])
    assert content([made(enclosed, given=one)]) != content([made(enclosed, given=two)])
    nested = "def f(x):\n    def g(y): return y, value\n    return g(x)"
    assert content([made(nested, value=one)]) != content([made(nested, value=two)])


def test_attributes_of_a_users_module_count():
    def using(constant):
        module = types.ModuleType("constants")
        module.G = constant
        module.unused = np.random.default_rng().uniform()
        return made("def f(x): return module.G * x", module=module)

    assert content([using(1.0)]) == content([using(1.0)])
    assert content([using(1.0)]) != content([using(2.0)])


def test_what_is_called_counts_however_deep():
    def chain(factor):
        inner = made(f"def f(x): return {factor} * x")
        middle = compiled(made("def f(x): return inner(x)", inner=inner))
        return made("def f(x): return middle(x) + inner(x)", middle=middle, inner=inner)

    assert content([chain(1.0)]) == content([chain(1.0)])
    assert content([chain(1.0)]) != content([chain(2.0)])


def test_a_function_that_calls_itself():
    source = "def f(x): return x if x < 1.0 else f(x - {})"
    assert content([made(source.format(1.0))]) == content([made(source.format(1.0))])
    assert content([made(source.format(1.0))]) != content([made(source.format(2.0))])


def test_implementations_of_a_users_generic_count():
    def using(default):
        @generic
        def worth(x):
            """A number."""

        worth.otherwise(made(f"def f(x): return {default}"))
        return made("def f(x): return worth(x)", worth=worth)

    assert content([using(1.0)]) == content([using(1.0)])
    assert content([using(1.0)]) != content([using(2.0)])


def test_the_order_of_functions_counts_and_repetition_does_not_hide_one():
    one, two = made("def f(x): return 1.0"), made("def f(x): return 2.0")
    assert content([one, two]) != content([two, one])
    assert content([one, one, two]) != content([one, two])
