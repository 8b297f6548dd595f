"""The GPUs of this machine, and kernels on them: one thread for each motion. The kernels themselves are in `smooth_kernel`, `stepping_kernel`, `impact_kernel`.

What does not suit a thread (a step whose zeros need the careful search, a stiff or failing motion) is marked there, and computed on the CPU afterwards.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import queue
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...kernel.errors import InputError
from ...kernel.numba_inside import config
from .kernel_cache import kept
from .modules_once import with_each_once

SIMULATED = bool(getattr(config, "ENABLE_CUDASIM", False))  # no GPU, but Python that behaves as one
THREADS = 64  # in a block, at most
# warps of threads that a large GPU has under way: fewer members than that go without waiting for others whose branches differ
WARPS = 1024
MOST_OF_ONE = 1 << 13  # numbers of one member's path: 64 KiB
MOST_NUMBERS = 1 << 27  # of a chunk that come back: 1 GiB
AT_ONCE = 1 << 18  # members at a time: some waves of threads on the largest GPUs, and little memory
NEEDS_REMOVED_NAMES = (
    "numba.cuda.np.arrayobj",
    "numba.cuda.np.arraymath",
    "numba.cuda.cudaimpl",
)  # imported by numba-cuda when it first compiles
SIDE_BY_SIDE = 2  # chunks under way on a GPU: one is made ready, or computed by the CPU, while the other runs


def at_once(count: int, numbers: int) -> int:
    """How many of `count` members are computed at a time, if each brings so many numbers back."""
    return max(1, min(count, AT_ONCE, MOST_NUMBERS // max(1, numbers)))


@contextlib.contextmanager
def removed_names() -> Iterator[None]:
    """Names that NumPy has removed and numba-cuda 0.30 asks for while it is imported; gone again afterwards."""
    lent = {old: new for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")) if not hasattr(np, old)}
    for old, new in lent.items():
        setattr(np, old, getattr(np, new))
    try:
        yield
    finally:
        for old in lent:
            delattr(np, old)


@functools.cache
def imported() -> Any:
    """`numba.cuda`, with all that it would import when it first compiles."""
    with removed_names():
        try:
            from numba import cuda
        except ImportError:
            raise InputError("on='cuda' needs numba-cuda: pip install 'rollick[cuda]'.") from None
        for name in () if SIMULATED else NEEDS_REMOVED_NAMES:
            with contextlib.suppress(ImportError):  # another version of numba-cuda, which is made otherwise
                importlib.import_module(name)
    return cuda


def prepare() -> Any:
    """`numba.cuda`, or a sentence on what is missing."""
    cuda = imported()
    if not cuda.is_available():
        raise InputError("on='cuda': no CUDA device is to be found here; take on='threads'.")
    return cuda


def kernel_of(registers: int | None = None) -> Any:
    """The decorator of a kernel whose threads have so many registers (None: as many as they want)."""
    cuda = prepare()
    return cuda.jit if registers is None or SIMULATED else cuda.jit(max_registers=registers)


class Devices:
    """The GPUs of this machine, each for some threads at a time."""

    def __init__(self) -> None:
        self.cuda = prepare()
        self.count = max(1, len(self.cuda.gpus))
        self.each = 1 if SIMULATED else SIDE_BY_SIDE
        self._free: queue.SimpleQueue[int] = queue.SimpleQueue()
        for _ in range(self.each):
            for number in range(self.count):
                self._free.put(number)

    @property
    def places(self) -> int:
        """How many chunks may be under way."""
        return self.each * self.count

    def __enter__(self) -> Any:
        number = self._free.get()
        _here.device = number
        if self.count > 1:
            self.cuda.select_device(number)  # of this thread
        return self.cuda

    def __exit__(self, *_: Any) -> None:
        self._free.put(_here.device)


_here = threading.local()
_kernels: dict[Any, Any] = {}
_making = threading.Lock()


def launched(
    key: Any, make: Any, count: int, given: list[Any], back: list[np.ndarray], first: tuple[Any, ...] = ()
) -> list[np.ndarray]:
    """Run the kernel of a key (made if need be) for `count` members: `first` are passed as they are, `given` are sent, `back` are sent and fetched."""
    cuda = prepare()
    key = key, getattr(_here, "device", 0)
    stream = cuda.stream()
    threads = min(THREADS, max(1, count // WARPS))
    there = [cuda.to_device(np.ascontiguousarray(a), stream=stream) for a in given]
    found = [cuda.to_device(a, stream=stream) for a in back]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with _making:  # a kernel is compiled when it is first launched
            if key not in _kernels:
                _kernels[key] = kept(make() if SIMULATED else with_each_once(make()), key[0], first)
            _kernels[key][-(-count // threads), threads, stream](*first, *there, *found)
    out = [a.copy_to_host(stream=stream) for a in found]
    stream.synchronize()
    return out
