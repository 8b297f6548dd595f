"""Machine code calls its own copies of other functions: its object offers nothing of others, and takes nothing from them."""

import math

from llvmlite import binding
from numba import types
from numba.extending import intrinsic

from rollick.kernel.compiled import compiled_uncached


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
def caller(x):
    return long_sum(x) + long_sum(0.5 * x)


def plain_sum(x):
    return sum(math.sin(x + i) * math.exp(-x * i) + math.cos(x - i) / (1.0 + math.tanh(x) * i) for i in range(100))


def test_copies_belong_to_the_code_that_contains_them():
    assert math.isclose(caller(0.3), plain_sum(0.3) + plain_sum(0.15), rel_tol=1e-12)
    (code,) = caller.overloads.values()
    of_others = [f for f in code.library._final_module.functions if not f.is_declaration and "long_sum" in f.name]
    assert of_others  # a copy, which was not merged
    assert {f.linkage for f in of_others} == {binding.Linkage.internal}
    linked = [f for f in code.library._get_module_for_linking().functions if not f.is_declaration and "long_sum" in f.name]
    assert {f.linkage for f in linked} == {binding.Linkage.linkonce_odr}  # callers make copies of it in their turn
