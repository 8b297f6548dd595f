"""Machine code calls its own copies of other functions: its object offers nothing of others, and takes nothing from them."""

import math

from llvmlite import binding

from rollick.kernel.compiled import compiled_uncached


@compiled_uncached
def long_sum(x):
    """Too long to be merged into who calls it, and called twice."""
    total = 0.0
    for i in range(100):
        total += (
            math.sin(x + i) * math.exp(-x * i)
            + math.cos(x - i) / (1.0 + math.tanh(x) * i)
            - math.atan2(x, 1.0 + i) * math.log(2.0 + i)
        )
        total += math.sinh(x / (1.0 + i)) * math.cosh(x / (2.0 + i)) - math.asin(x / (2.0 + i)) * math.acos(x / (3.0 + i))
    return total


@compiled_uncached
def caller(x):
    return long_sum(x) + long_sum(0.5 * x)


def test_copies_belong_to_the_code_that_contains_them():
    assert math.isclose(caller(0.3), long_sum.py_func(0.3) + long_sum.py_func(0.15), rel_tol=1e-12)
    (code,) = caller.overloads.values()
    of_others = [f for f in code.library._final_module.functions if not f.is_declaration and "long_sum" in f.name]
    assert of_others  # a copy, which was not merged
    assert {f.linkage for f in of_others} == {binding.Linkage.internal}
    linked = [f for f in code.library._get_module_for_linking().functions if not f.is_declaration and "long_sum" in f.name]
    assert {f.linkage for f in linked} == {binding.Linkage.linkonce_odr}  # callers make copies of it in their turn
