"""What Numba does to a function of the package on the way to machine code: all of its passes but those that look for what the package does not have.

Each pass walks through all statements of a function, and hundreds of functions are compiled for a first contact.
"""

from __future__ import annotations

import dis
from types import CodeType, FunctionType

from .numba_inside import PASSES_FOR_ARRAYS, PASSES_FOR_CLOSURES, PASSES_FOR_INLINE, Compiler, DefaultPassBuilder, PassManager


def has_closures(function: FunctionType) -> bool:
    """Whether a function defines others, or makes lists: these are what the passes for closures rewrite."""
    code = function.__code__
    return any(isinstance(constant, CodeType) for constant in code.co_consts) or dis.opmap["BUILD_LIST"] in code.co_code[::2]


class Passes(Compiler):  # type: ignore[misc]
    """The passes for a function of the package, which has no `with`, computes with no whole arrays, and calls nothing that asks to be written out in its place (`inline`)."""

    def define_pipelines(self) -> list:
        """The passes, in Numba's order."""
        left_out = PASSES_FOR_INLINE + PASSES_FOR_ARRAYS
        if not has_closures(self.state.func_id.func):
            left_out += PASSES_FOR_CLOSURES
        made = PassManager("rollick")
        made.passes = [each for each in DefaultPassBuilder.define_nopython_pipeline(self.state).passes if each[0] not in left_out]
        made.finalize()
        return [made]
