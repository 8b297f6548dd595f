"""What Numba does to a function of the package on the way to machine code: all of its passes but those that look for what the package does not have.

Each pass walks through all statements of a function, and hundreds of functions are compiled for a first contact.

Numba finds out anew after each of four passes how long each variable is in use, and asks once: before machine code is written down (`IRLegalization`, which finds it out itself).
So the four are replaced by their own work alone, but for generators, where the types ask, too. This saves one second of a first motion of 38.
"""

from __future__ import annotations

import copy
import dis
from types import CodeType, FunctionType
from typing import Any

from .numba_inside import (
    PASSES_FOR_ARRAYS,
    PASSES_FOR_CLOSURES,
    PASSES_FOR_INLINE,
    Compiler,
    DefaultPassBuilder,
    IRProcessing,
    PassManager,
    PreLowerStripPhis,
    ReconstructSSA,
    build_definitions,
    canonicalize_cfg,
    reconstruct_ssa,
    register_pass,
)


@register_pass(mutates_CFG=True, analysis_only=False)
class Canonical(IRProcessing):  # type: ignore[misc]
    """Give loops one way back each."""

    _name = "rollick_canonical"

    def run_pass(self, state: Any) -> bool:
        """Change the statements of a function."""
        if state.func_ir.is_generator:
            return bool(super().run_pass(state))
        state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class OneValueEach(ReconstructSSA):  # type: ignore[misc]
    """Rename variables so that each has one value."""

    _name = "rollick_one_value_each"

    def run_pass(self, state: Any) -> bool:
        """Change the statements of a function."""
        if state.func_ir.is_generator:
            return bool(super().run_pass(state))
        state.func_ir = reconstruct_ssa(state.func_ir)
        self._patch_locals(state)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class ValuesJoined(PreLowerStripPhis):  # type: ignore[misc]
    """Write values down where one of several is taken over."""

    _name = "rollick_values_joined"

    def run_pass(self, state: Any) -> bool:
        """Change the statements of a function."""
        if state.func_ir.is_generator or state.flags.auto_parallel.enabled:
            return bool(super().run_pass(state))
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


REPLACED = {IRProcessing: Canonical, ReconstructSSA: OneValueEach, PreLowerStripPhis: ValuesJoined}


def has_closures(function: FunctionType) -> bool:
    """Whether a function defines others, or makes lists: these are what the passes for closures rewrite."""
    code = function.__code__
    return any(isinstance(constant, CodeType) for constant in code.co_consts) or dis.opmap["BUILD_LIST"] in code.co_code[::2]


class Passes(Compiler):  # type: ignore[misc]
    """The passes for a function of the package, which has no `with`, computes with no whole arrays, and calls nothing that asks to be written out in its place (`inline`)."""

    def define_pipelines(self) -> list:
        """The passes, in Numba's order. They are put together once: Numba finds out each time which of them needs which."""
        flags, closures = self.state.flags, has_closures(self.state.func_id.func)
        kind = closures, self.state.func_ir is None, bool(flags.no_rewrites), bool(flags.auto_parallel.enabled)
        if kind not in _made:
            left_out = PASSES_FOR_INLINE + PASSES_FOR_ARRAYS + (() if closures else PASSES_FOR_CLOSURES)
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state).passes
            _made[kind] = PassManager("rollick")
            _made[kind].passes = [(REPLACED.get(one, one), words) for one, words in passes if one not in left_out]
            _made[kind].finalize()
        made = copy.copy(_made[kind])
        made.exec_times = {}
        return [made]

    def _compile_core(self) -> Any:
        """Run the passes, and take apart what they worked on: its variables know where they are known, and Python's collector would have to find out."""
        try:
            return super()._compile_core()
        finally:
            blocks = {} if self.state.func_ir is None else self.state.func_ir.blocks
            for scope in {id(block.scope): block.scope for block in blocks.values()}.values():
                scope.localvars._con.clear()
            blocks.clear()


_made: dict[tuple[bool, ...], Any] = {}  # passes, by what they are for
