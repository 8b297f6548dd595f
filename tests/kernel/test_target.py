"""Rollick's own target: what its machine code is made of, and how it meets functions of users."""

import math
import random

import numba
import numpy as np
import pytest
from llvmlite import binding
from numba import types
from numba.core.compiler import Flags
from numba.core.targetconfig import TargetConfig
from numba.experimental import jitclass
from numba.extending import intrinsic

from rollick.kernel import sin
from rollick.kernel.compiled import _Inherited, compiled_uncached, inlined
from rollick.kernel.target import Library, Settings

STEP = 1e-100


# -- copies ----------------------------------------------------------------------------------------------------------------------------


@intrinsic
def never_merged(typingctx):
    """Tell the compiler not to merge the function that calls this into others."""

    def codegen(context, builder, signature, args):
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), codegen


@compiled_uncached
def long_sum(x):
    """Called twice, and not merged into who calls it."""
    never_merged()
    total = 0.0
    for i in range(100):
        total += math.sin(x + i) * math.exp(-x * i) + math.cos(x - i) / (1.0 + math.tanh(x) * i)
    return total


@compiled_uncached
def two_sums(x):
    return long_sum(x) + long_sum(0.5 * x)


@compiled_uncached
def one_more(x):
    return two_sums(x) + 1.0


def plain_sum(x):
    return sum(math.sin(x + i) * math.exp(-x * i) + math.cos(x - i) / (1.0 + math.tanh(x) * i) for i in range(100))


def test_copies_belong_to_the_code_that_contains_them():
    assert math.isclose(two_sums(0.3), plain_sum(0.3) + plain_sum(0.15), rel_tol=1e-12)
    (code,) = two_sums.overloads.values()
    of_others = [f for f in code.library._final_module.functions if not f.is_declaration and "long_sum" in f.name]
    assert of_others  # a copy, which was not merged
    assert {f.linkage for f in of_others} == {binding.Linkage.internal}
    with pytest.raises(RuntimeError, match="machine code, of which nobody makes copies"):  # compiled callers copy what they call
        code.library.parts()
    assert math.isclose(one_more(0.3), two_sums(0.3) + 1.0, rel_tol=1e-15)
    (inside,) = two_sums.inside.overloads.values()
    modules = [binding.parse_bitcode(part) for part in inside.library.parts()]
    written = ["two_sums" in f.name for module in modules for f in module.functions if not f.is_declaration and "sum" in f.name]
    assert written == [True, False]  # each once, callers first


# -- functions that are merged ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def optimised(monkeypatch):
    """The names of the libraries that were optimised."""
    names = []

    def noted(library):
        names.append(library.name)
        plain(library)

    plain = Library._optimise
    monkeypatch.setattr(Library, "_optimise", noted)
    return names


def test_only_what_can_be_called_is_optimised(optimised):
    @inlined
    def merged_square(x):
        return x * x

    @inlined
    def merged_sum(x):
        return merged_square(x) + merged_square(math.sin(x))

    @compiled_uncached
    def called(x):
        return math.sqrt(merged_sum(x)) + merged_square(x)

    @compiled_uncached
    def caller(x):
        return called(x) + merged_square(x)

    x = 0.3
    assert math.isclose(caller(x), math.hypot(x, math.sin(x)) + 2.0 * x * x, rel_tol=1e-15)
    assert len(optimised) == 1
    assert "caller" in optimised[0]
    (code,) = caller.overloads.values()
    assert not [f.name for f in code.library._final_module.functions if "merged_s" in f.name]  # nothing of them is left to call


def test_from_python_it_is_an_ordinary_function(optimised):
    @inlined
    def cube(x):
        return x * x * x

    assert cube(2.0) == 8.0
    assert any("cube" in name for name in optimised)


def test_what_a_merged_function_calls_is_not_merged_for_that():
    """Numba hands the wish on to what is called, and the same function would be another one for who asks first."""

    @compiled_uncached
    def piece(x):
        return math.sin(x) + x

    @inlined
    def thin(x):
        return piece(x) * 2.0

    @compiled_uncached
    def asks_first(x):
        return thin(x) + 1.0

    assert math.isclose(asks_first(0.3), 2.0 * (math.sin(0.3) + 0.3) + 1.0, rel_tol=1e-15)
    (code,) = piece.inside.overloads.values()
    (function,) = [f for f in code.library._final_module.functions if f.name == code.fndesc.llvm_func_name]
    assert not any(b"alwaysinline" in attributes for attributes in function.attributes)


def test_a_function_that_calls_itself_inside_another():
    @numba.njit
    def factorial(n):
        return 1 if n < 2 else n * factorial(n - 1)

    @compiled_uncached
    def inside(n):
        return factorial(n) + 1

    @compiled_uncached
    def outside(n):
        return inside(n) * 2

    assert outside(5) == 242
    assert inside(6) == 721


def test_what_an_error_of_a_function_says_reaches_python_through_its_callers():
    @compiled_uncached
    def refuses(n):
        if n > 2:
            raise ValueError("more than two", n)
        return n

    @compiled_uncached
    def passes_on(n):
        return refuses(n) + 1

    assert passes_on(2) == 3
    with pytest.raises(ValueError, match="more than two") as caught:
        passes_on(7)
    assert caught.value.args == ("more than two", 7)


# -- settings --------------------------------------------------------------------------------------------------------------------------


def test_settings_are_compared_as_numba_compares_them():
    names = [name for name, option in Flags.options.items() if option.type is bool]
    draw, equal = random.Random(3), 0
    for _round in range(400):
        a, b = draw.choice([Settings, _Inherited])(), draw.choice([Settings, _Inherited])()
        chosen = draw.sample(names, draw.randint(0, 2))
        for flags in (a, b):
            for name in chosen:
                if draw.random() < 0.8:
                    setattr(flags, name, draw.random() < 0.5)
        assert (a == b) is TargetConfig.__eq__(a, b)
        assert (a != b) is not TargetConfig.__eq__(a, b)
        if a == b:
            equal += 1
            assert hash(a) == hash(b)
        assert {a: 1}.get(b, 0) == int(a == b)
    assert 50 < equal < 350


def test_a_setting_at_its_default_is_as_one_that_is_not_set():
    one, other = Settings(), Settings()
    one.nrt = Flags.options["nrt"].default
    assert one == other
    one.nrt = not one.nrt
    assert one != other
    assert (one == 3) is False


def test_what_is_kept_for_others_tells_no_ways_in():
    """Generic functions are kept under the settings of their caller: callers with and without a way in from Python share them."""
    inside, outside = _Inherited(), _Inherited()
    inside.no_cpython_wrapper = inside.no_cfunc_wrapper = True
    outside.no_cpython_wrapper = False
    assert inside != outside
    assert inside.copy() == outside.copy()
    assert inside.copy().nrt


# -- functions of users ----------------------------------------------------------------------------------------------------------------


@numba.njit(fastmath=True)
def users_cube(x, k=2.0):
    room = np.ones(3)
    return k * x**3 * np.sum(room)


@numba.njit
def users_recursion(n, x):
    return x if n <= 1 else users_recursion(n - 1, x) * x


@compiled_uncached
def calls_users(x):
    return users_cube(x) + users_cube(x, k=1.0) + users_recursion(3, x)


def test_a_users_function_is_called_and_stays_as_it_was():
    assert calls_users(2.0) == 6.0 * 8.0 + 3.0 * 8.0 + 8.0
    assert calls_users(complex(-2.0, STEP)).imag / STEP == pytest.approx(10.0 * 12.0, rel=1e-14)  # its powers keep derivatives
    assert not users_cube.overloads  # compiled for Rollick; the user's own is not
    assert not users_recursion.overloads


@inlined
def piece_of_rollick(x):
    return x * x + sin(x)


@compiled_uncached
def whole_of_rollick(x):
    return piece_of_rollick(x) + np.sum(np.ones(3) * x)


@numba.njit
def users_caller(x):
    return np.sum(np.ones(3) * x) + whole_of_rollick(x) + whole_of_rollick(2) + sin(x)


def test_a_users_function_calls_rollick():
    def whole(x):
        return x * x + math.sin(x) + 3.0 * x

    assert users_caller(0.7) == pytest.approx(2.1 + whole(0.7) + whole(2.0) + math.sin(0.7), rel=1e-15)


@compiled_uncached
def applied_here(f, x):
    return f(x) + 1.0


@numba.njit
def applied_there(f, x):
    return f(x) + 1.0


@numba.njit
def users_square(x):
    return x**2


def test_functions_are_passed_in_both_directions():
    for apply in (applied_here, applied_there):
        assert apply(users_square, 3.0) == 10.0
        assert apply(piece_of_rollick, 3.0) == pytest.approx(10.0 + math.sin(3.0))


@compiled_uncached
def refuses(x):
    if x > 0.0:
        raise ValueError("no", x)
    return x


@compiled_uncached
def refused_here(x):
    return refuses(x) + 1.0


@numba.njit
def refused_there(x):
    return refuses(x) + 1.0


def test_errors_get_through():
    for function in (refuses, refused_here, refused_there):
        with pytest.raises(ValueError, match="no"):
            function(1.0)


@numba.vectorize(["float64(float64)"])
def users_ufunc(x):
    return 3.0 * x + 1.0


@jitclass([("a", numba.float64)])
class UsersClass:
    def __init__(self, a):
        self.a = a

    def twice(self):
        return 2.0 * self.a


@numba.cfunc("float64(float64)")
def users_callback(x):
    return x + 1.0


@compiled_uncached
def uses_all(x, given):
    made = UsersClass(x)
    return users_ufunc(x) + users_ufunc(np.ones(2) * x).sum() + made.twice() + made.a + given.twice() + users_callback(x)


def test_ufuncs_classes_and_callbacks_of_users():
    assert uses_all(2.0, UsersClass(5.0)) == 7.0 + 14.0 + 6.0 + 10.0 + 3.0


@compiled_uncached
def containers(x):
    numbers = numba.typed.List()
    numbers.append(x)
    with numba.objmode(length="float64"):
        length = float(len(str(x)))
    return numbers[0] + {1: x}[1] + sum([x, x]) + length


@compiled_uncached
def lapack(x):
    return np.linalg.solve(np.eye(2) * x, np.ones(2))[0]


@pytest.mark.parametrize(("function", "value"), [(containers, 4 * 2.5 + 3.0), pytest.param(lapack, 0.4, marks=pytest.mark.slow)])
def test_what_numba_offers_is_there(function, value):
    assert function(2.5) == value
