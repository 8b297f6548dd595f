"""Kernels of GPUs kept on disk: what took a minute to compile is there in the next process.

An entry is the machine code of one kernel for one kind of GPU. Its key holds all that the code depends on: the kernel, the plain numbers it was made for, the types of its arguments, what users'
modules contribute to these (`kernel.cache.foreign_fingerprint`), the GPU's architecture and the versions of the compilers; the directory is that of the package's own source. A kernel whose
key cannot be known (a class in a notebook) is compiled in each process.
"""

from __future__ import annotations

from typing import Any

import numba

from ...kernel.cache import Entries, cache_directory, foreign_fingerprint
from ...kernel.sources import package_is_unchanged

PLAIN = (int, float, str, bool, type(None))


def kept(kernel: Any, key: tuple[Any, ...], first: tuple[Any, ...]) -> Any:
    """The kernel, which looks on disk before it compiles; `key`: what it was made for, `first`: its arguments that bring types with them."""
    foreign = foreign_fingerprint(tuple(numba.typeof(value) for value in first))
    if foreign is not None and hasattr(kernel, "_cache"):
        kernel._cache = KernelCache(kernel.py_func, repr((tuple(part for part in key if _plain(part)), foreign)))
    return kernel


def _plain(part: Any) -> bool:
    """Whether a part of a key is numbers and words; what is not, are outlines of `first`, whose types are in the key anyway."""
    return all(_plain(one) for one in part) if isinstance(part, tuple) else isinstance(part, PLAIN)


class KernelCache:
    """What a CUDA dispatcher of Numba asks for code before it compiles, and gives it to afterwards."""

    def __init__(self, function: Any, made_for: str):
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.made_for = made_for
        self.cache_path = str(cache_directory())
        self.entries = Entries(self.cache_path, f"kernel-{function.__module__.rpartition('.')[2]}", self.name)

    def key(self, signature: Any, codegen: Any) -> str:
        """All that the machine code depends on."""
        import numba_cuda

        versions = numba.__version__, numba_cuda.__version__
        return repr((self.name, self.made_for, str(signature), codegen.magic_tuple(), versions))

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The kernel for a signature, or None."""
        from numba.cuda.dispatcher import _Kernel

        try:
            context.refresh()
            found = self.entries.load(self.key(signature, context.codegen()))
            return None if found is None else _Kernel._rebuild(**found)
        except Exception:  # a damaged file, or one of another version of Numba, must never stop a computation: compile anew
            return None

    def save_overload(self, signature: Any, kernel: Any) -> None:
        """Keep a kernel that was compiled."""
        if getattr(kernel, "launch_config_sensitive", False) or not package_is_unchanged():
            return
        try:
            self.entries.save(self.key(signature, kernel.target_context.codegen()), kernel._reduce_states())
        except Exception:  # a full disk, a directory that cannot be written: compiled code is not kept
            return

    def flush(self) -> None:
        """Forget what is kept."""
        self.entries.flush()
