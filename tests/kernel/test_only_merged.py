"""Functions that are always merged are not optimised by themselves, and give what they gave."""

import math

import pytest
from numba.core.codegen import CPUCodeLibrary

from rollick.kernel import only_merged
from rollick.kernel.compiled import compiled_uncached, inlined


@pytest.fixture
def optimised(monkeypatch):
    """The names of the libraries that were optimised."""
    names = []

    def noted(library):
        names.append(library.name)
        plain(library)

    plain = only_merged._plain
    monkeypatch.setattr(only_merged, "_plain", noted)
    assert CPUCodeLibrary._optimize_final_module is only_merged._optimise  # this Numba is one of those that are known
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
    assert {name for name in ("merged_square", "merged_sum", "called", "caller") if any(name in o for o in optimised)} == {
        "called",
        "caller",
    }
    (code,) = caller.overloads.values()
    assert not [f.name for f in code.library._final_module.functions if "merged_s" in f.name]  # nothing of them is left to call


def test_from_python_it_is_an_ordinary_function(optimised):
    @inlined
    def cube(x):
        return x * x * x

    assert cube(2.0) == 8.0
    assert any("cube" in name for name in optimised)


def test_what_a_merged_function_calls_is_not_merged_for_that(optimised):
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
    assert any("piece" in name for name in optimised)
