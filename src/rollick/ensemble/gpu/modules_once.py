"""The parts of a kernel, each once.

numba-cuda gives the compiler of GPUs the code of a kernel, of each function that it calls, of each that those call, and so on: once for each way through the calls that leads to it. What
many functions call (a product of vectors) is there hundreds of times, all but one of them to be read and thrown away: 466 MB of text for a body between two walls that goes from
mode to mode, of which 24 MB differ. Here each part is given once, in an order that is always the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ...kernel.numba_inside import compiler_lock


def parts_of(library: Any) -> list[Any]:
    """The modules of a function's library and of all that it is linked with, its own first."""
    found, seen, waiting = [], {id(library)}, [library]
    while waiting:
        here = waiting.pop()
        if not hasattr(here, "_linking_libraries"):  # code from elsewhere, which has its own way
            found += here.modules
            continue
        found.append(here._module)
        for one in sorted(here._linking_libraries, key=_place, reverse=True):
            if id(one) not in seen:
                seen.add(id(one))
                waiting.append(one)
    return found


def _place(library: Any) -> tuple[str, list[str]]:
    """What libraries are put in order by: functions of one name differ in the types of their arguments, which are in the names of the machine code."""
    return str(library.name), sorted(f.name for f in getattr(getattr(library, "_module", None), "functions", ()))


@contextlib.contextmanager
def each_once() -> Iterator[None]:
    """While a kernel is compiled, its parts are each given once; with a numba-cuda that is made otherwise, nothing changes.

    Numba compiles one function at a time, and before and after ours everything is as numba-cuda has it: kernels of others are not touched.
    """
    from numba.cuda import codegen

    kind: Any = getattr(codegen, "CUDACodeLibrary", None)
    known = kind is not None and {"_linking_libraries", "_module"} <= set(kind.__init__.__code__.co_names)
    plain = getattr(kind, "modules", None)
    if not known or not isinstance(plain, property):
        yield
        return
    with compiler_lock:
        kind.modules = property(parts_of)
        try:
            yield
        finally:
            kind.modules = plain


def with_each_once(kernel: Any) -> Any:
    """A kernel of the package, compiled so."""
    plain = kernel.compile

    def compile_once(signature: Any) -> Any:
        with each_once():
            return plain(signature)

    kernel.compile = compile_once
    return kernel
