"""Functions that machine code of a GPU calls instead of merging them: without this, a large kernel contains them dozens of times and compiles for minutes.

    @compiled
    def field(form, ...):
        apart()
        ...

On a CPU nothing follows from it: there the compiler's own judgement is good.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from .compiled import DISABLED


def _nothing():
    """Without the compiler nothing is merged."""


@intrinsic
def _apart(typingctx):
    """Tell the compiler, if it is that of a GPU, that the function which calls this is not to be merged into others."""

    def codegen(context, builder, signature, args):
        if "CUDA" in type(context).__name__ and "alwaysinline" not in builder.function.attributes:
            builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), codegen


apart: Any = _nothing if DISABLED else _apart
