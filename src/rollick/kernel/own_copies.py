"""Machine code that calls its own copies of other functions, whether it was made in this process or comes from disk.

The machine code of a function contains copies of the functions it calls, as far as they are not merged into it. Numba marks these as interchangeable with all
others of their name, and what a call reaches is then whatever was loaded first: in the process that compiles it, the code that was made for the function by itself;
in a later one, which finds the whole on disk, the copy. Both do the same, but not to the last bit: a copy is optimised once more, and a*b + c may be fused in one
and not in the other (`compiled.OPTIONS`). So the same motion could differ between a first run and a second one. Here copies belong to the code that contains
them, and calls reach them always.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core.codegen import CPUCodeLibrary

_plain = getattr(CPUCodeLibrary, "_finalize_final_module", None)  # inside Numba: of its versions 0.60 to 0.68, at least
COPY, OWN = binding.Linkage.linkonce_odr, binding.Linkage.external


def _finalize(library: Any) -> None:
    """What Numba does when a function's machine code is complete, after its copies of others were made its own.

    What is linked into callers stays as Numba has it: they make copies of all of it.
    """
    assert _plain is not None
    module = library._final_module
    defined = [(function.name, function.linkage) for function in module.functions if not function.is_declaration]
    copies = [name for name, linkage in defined if linkage == COPY]
    if copies and library._shared_module is None:
        shared = module.clone()
        for name, linkage in defined:
            if linkage == OWN:
                shared.get_function(name).linkage = "linkonce_odr"
        library._shared_module = shared
        for name in copies:
            module.get_function(name).linkage = "internal"
    _plain(library)


def keep_own_copies() -> None:
    """Let all machine code call its own copies; with a Numba that is made otherwise, nothing changes."""
    if _plain is not None:
        CPUCodeLibrary._finalize_final_module = _finalize  # type: ignore[method-assign]
