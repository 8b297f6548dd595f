"""What a function contains: everything that ends up in its machine code changes its fingerprint, and nothing else does."""

import math
import sys
import types
from enum import Enum, IntEnum
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.experimental import jitclass
from numba.extending import overload, overload_method

from rollick.kernel import compiled, contents, dim, dispatch, generic, sin
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


# What an edit elsewhere changes, although neither the code nor the values beside it do.


def module(name: str, **values):
    """A user's module."""
    made_module = types.ModuleType(name)
    made_module.__dict__.update(values)
    return made_module


def enumeration(value: int):
    return IntEnum("Mode", {"SLOW": 0, "FAST": value}, module="elsewhere")


def overloaded(factor: float):
    """A function that means something in compiled code only, as another file says."""
    stub = made("def f(x): return x")
    overload(stub)(made(f"def f(x): return lambda x: {factor} * x"))
    return stub


def tuple_class(default: float, registered: float = 1.0):
    scope: dict = {"__name__": "elsewhere", "NamedTuple": NamedTuple}
    exec(f"class Blob(NamedTuple):\n    k: float\n    c: float = {default}", scope)
    dispatch._taken.pop(("Blob", ("k", "c")), None)  # as in another process, where it is the only one of its name
    dim.register(scope["Blob"])(made(f"def f(blob): return {registered} * blob.k"))
    return scope["Blob"]


def jit_class(factor: float):
    cls = type("Spring", (), {"__init__": made("def f(self, k): self.k = k"), "force": made(f"def f(self): return {factor}")})
    cls.__module__ = "elsewhere"
    return jitclass([("k", numba.float64)])(cls)


EDITS = {
    "two levels of attributes": ("consts.sub.K * x", lambda v: {"consts": module("consts", sub=module("consts.sub", K=v))}),
    "three levels of attributes": (
        "a.b.c.K * x",
        lambda v: {"a": module("a", b=module("a.b", c=module("a.b.c", K=v)))},
    ),
    "a function of a module of a package": (
        "pkg.sub.g(x)",
        lambda v: {"pkg": module("pkg", sub=module("pkg.sub", g=made(f"def f(x): return {v} * x")))},
    ),
    "an enumeration": ("x * Mode.FAST", lambda v: {"Mode": enumeration(int(v))}),
    "an enumeration in a module": ("x * m.Mode.FAST", lambda v: {"m": module("m", Mode=enumeration(int(v)))}),
    "an overload": ("stub(x)", lambda v: {"stub": overloaded(v)}),
    "the default of a tuple built inside": ("Blob(x).c", lambda v: {"Blob": tuple_class(v)}),
    "what is registered for a tuple built inside": ("dim(Blob(x))", lambda v: {"Blob": tuple_class(1.0, v), "dim": dim}),
    "what is registered for a tuple outside": ("dim(blob)", lambda v: {"blob": tuple_class(1.0, v)(2.0), "dim": dim}),
    "a compiled class": ("Spring(x).force()", lambda v: {"Spring": jit_class(v)}),
    "a type of Numba's": ("T(x)", lambda v: {"T": numba.float64 if v == 1.0 else numba.float32}),
    "a ufunc of Numba's": ("u(x)", lambda v: {"u": numba.vectorize(made(f"def f(x): return {v} * x"))}),
    "a keyword's default": ("g(x)", lambda v: {"g": made(f"def f(x, *, k={v}): return k * x")}),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_elsewhere_counts(edit):
    source, names = EDITS[edit]
    first, again, edited = (content([made(f"def f(x): return {source}", **names(v))]) for v in (1.0, 1.0, 2.0))
    assert first == again
    assert first != edited


def test_an_overloaded_method_counts():
    f = made("def f(x): return x.someones_own_method()")
    before = content([f])
    overload_method(numba.types.Array, "someones_own_method")(made("def f(x): return lambda x: 1.0"))
    assert content([f]) != before
    assert content([made(PLAIN)]) == content([made(PLAIN)])


def test_what_is_not_understood_is_not_kept():
    """A C function's address says nothing about what it does; a dictionary cannot be part of machine code, and does not matter."""
    assert content([made("def f(x): return g(x)", g=numba.typed.List([1.0]))]) is None
    assert content([made("def f(x): return g(x)", g={"a": 1.0})]) is not None


def test_a_users_file_with_the_name_of_one_of_pythons_is_followed(monkeypatch, tmp_path):
    def using(value):
        return made("def f(x): return profile.K * x", profile=module("profile", K=value, __file__=str(tmp_path / "profile.py")))

    assert contents._standard.__wrapped__("math")
    monkeypatch.setitem(sys.modules, "profile", module("profile", __file__=str(tmp_path / "profile.py")))
    contents._standard.cache_clear()
    assert content([using(1.0)]) != content([using(2.0)])
    monkeypatch.undo()
    contents._standard.cache_clear()
