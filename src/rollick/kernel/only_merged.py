"""Functions that are always merged into their callers (`compiled.inlined`) are not optimised by themselves.

Numba optimises each function together with all that it calls, then links it into its callers, where it is optimised again. For a function that never runs by
itself the first time is for nothing, and such functions are a third of all that is compiled for a rattleback.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core.codegen import CPUCodeLibrary

_plain = getattr(CPUCodeLibrary, "_optimize_final_module", None)  # inside Numba: of its versions 0.60 to 0.68, at least
ALWAYS = b"alwaysinline"


def only_merged(library: Any) -> bool:
    """Whether nothing of what a function's module offers to others can be called: all of it is merged."""
    offered = [f for f in library._final_module.functions if not f.is_declaration and f.linkage == binding.Linkage.external]
    return bool(offered) and all(any(ALWAYS in attributes for attributes in f.attributes) for f in offered)


def _optimise(library: Any) -> None:
    """What Numba does when all that a function calls has been linked to it."""
    assert _plain is not None
    if not only_merged(library):
        _plain(library)


def optimise_once() -> None:
    """Leave out what is for nothing; with a Numba that is made otherwise, nothing changes."""
    if _plain is not None:
        CPUCodeLibrary._optimize_final_module = _optimise  # type: ignore[method-assign]
