"""Members on a GPU: one thread for each motion, adaptive steps and measures in the thread. The same compiled functions as on a CPU, in a kernel made for the system's type.

What does not suit a thread (a step whose zeros need the careful search, a stiff or failing motion) is marked, and computed on the CPU afterwards, as everywhere else.
"""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..kernel.errors import InputError
from ..kernel.system import dim
from ..motion.events.probe import ATOL, DEPTH, RTOL, STRAIGHT, Probe
from ..motion.events.scan import ROW, UPTO
from ..motion.events.shape import TABLES
from ..motion.ode import control as c
from ..motion.ode.block import Block, Tolerance
from ..motion.ode.dense import ROWS as DENSE
from ..motion.ode.dop853 import ROWS as STAGES
from .loop import ASK, AtEnd, Desk, one_member
from .measuring import OnTheWayInHaste

ZEROS = 16  # of a quantity in one step; more are left to the CPU
THREADS = 64  # in a block
REGISTERS = 128


def prepare() -> Any:
    """`numba.cuda`, or a sentence on what is missing."""
    for old, new in (
        ("row_stack", "vstack"),
        ("in1d", "isin"),
        ("trapz", "trapezoid"),
    ):  # numba-cuda 0.30 asks for what NumPy has removed
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    try:
        from numba import cuda
    except ImportError:
        raise InputError("on='cuda' needs numba-cuda: pip install 'rollick[cuda]'.") from None
    if not cuda.is_available():
        raise InputError("on='cuda': no CUDA device is to be found here; take on='threads'.")
    return cuda


def builder(template: Any) -> Any:
    """A function (template, row) that makes a system whose float fields are the entries of a row, the others those of the template."""
    names: dict[str, Any] = {"__name__": __name__}
    numbers = itertools.count()

    def text(value: Any, path: str) -> str:
        if isinstance(value, float):
            return f"row[{next(numbers)}]"
        if hasattr(value, "_fields"):
            cls = f"class_{len(names)}"
            names[cls] = type(value)
            return f"{cls}({', '.join(text(v, f'{path}.{n}') for n, v in zip(value._fields, value))})"
        return path

    source = f"def build(template, row):\n    return {text(template, 'template')}\n"
    exec(source, names)
    from ..kernel.compiled import compiled_uncached

    return compiled_uncached(names["build"])


def floats_in(value: Any) -> Iterator[float]:
    """All floats of a system and of its parts, in the order in which `builder` takes them."""
    for part in value:
        if isinstance(part, float):
            yield part
        elif hasattr(part, "_fields"):
            yield from floats_in(part)


def rows_of(systems: list[Any]) -> np.ndarray:
    """The float fields of systems of one type, a row each."""
    rows = [list(floats_in(system)) for system in systems]
    return np.array(rows, float).reshape(len(systems), -1)


_kernels: dict[Any, Any] = {}


def kernel_for(cuda: Any, template: Any, chain: Any, measures: int, along: bool, times: int) -> Any:
    """The kernel for a type of system, some quantities and a number of output times."""
    from ..kernel.erased import outline

    key = outline(template), outline(chain), measures, along, times
    if key not in _kernels:
        _kernels[key] = _make_kernel(cuda, template, measures, along, times)
    return _kernels[key]


def _make_kernel(cuda: Any, template: Any, measures: int, along: bool, times: int) -> Any:
    from numba import float64

    n, build, when = int(dim(template)), builder(template), OnTheWayInHaste() if along else AtEnd()
    steps = 1 if along else 1024
    kept, rows, few, wide = (2, 1, max(1, measures), max(1, times)) if along else (1, 1, max(1, measures), max(1, times))
    zeros, notes, deep, size, counted = ZEROS if along else 1, STRAIGHT + 1, DEPTH + 8, c.SIZE, steps + 1
    box_rows, latest_row, place_size = ATOL + 1, ROW + 1, UPTO + 1

    @functools.partial(cuda.jit, max_registers=REGISTERS)
    def kernel(template, chain, fields, starts, spans, tolerances, limits, known, at, tables, values, ends, ended, status, paths):
        i = cuda.grid(1)
        if i < starts.shape[0]:
            system = build(template, fields[i])
            box, note, atol = (
                cuda.local.array((box_rows, n), float64),
                cuda.local.array(notes, float64),
                cuda.local.array(n, float64),
            )
            y, at_out = cuda.local.array(n, float64), cuda.local.array((wide, n), float64)
            for j in range(n):
                y[j], atol[j] = starts[i, j], tolerances[1 + j]
                box[ATOL, j] = atol[j]
                for a in range(times):
                    at_out[a, j] = np.nan
            for j in range(notes):
                note[j] = 0.0
            note[RTOL] = tolerances[0]
            block = Block(
                cuda.local.array(counted, float64),
                cuda.local.array((kept, n), float64),
                cuda.local.array((rows, DENSE, n), float64),
                at,
                at_out,
                along,
                along,
                True,
            )
            probe = Probe(
                None,
                None,
                box,
                note,
                cuda.local.array(1, float64),
                cuda.local.array((2, zeros), float64),
                cuda.local.array((4, deep), float64),
            )
            desk = Desk(
                cuda.local.array(size, float64), y, cuda.local.array((STAGES, n), float64), block, probe, cuda.local.array((few, 1, latest_row), float64), cuda.local.array((zeros, 5), float64),
                cuda.local.array((zeros, n), float64), cuda.local.array(place_size, float64), cuda.local.array((few, 3), float64), cuda.local.array(3, float64), tables,
            )  # fmt: skip
            for m in range(few):
                for j in range(latest_row):
                    desk.latest[m, 0, j] = 0.0
            status[i] = one_member(
                system, system, desk, Tolerance(tolerances[0], atol), limits, spans[i], known, chain, when, values[i]
            )
            for j in range(n):
                ends[i, j] = y[j]
                for a in range(times):
                    paths[i, a, j] = at_out[a, j]
            ended[i, 0], ended[i, 1] = desk.s[c.TIME], desk.s[c.ACCEPTED]

    return kernel


def run_on_gpu(systems: list[Any], chain: Any, starts: np.ndarray, spans: np.ndarray, tolerance: Tolerance, limits: np.ndarray,
               known: np.ndarray, at: np.ndarray, along: bool) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Values, ends, (time, steps), status and paths of members whose systems are of one type."""
    cuda = prepare()
    count, measures, n = len(systems), known.shape[0], starts.shape[1]
    kernel = kernel_for(cuda, systems[0], chain, measures, along, at.size)
    values, ends, ended = np.full((count, max(1, measures)), np.nan), np.zeros((count, n)), np.zeros((count, 2))
    status, paths = np.full(count, ASK, np.int64), np.full((count, max(1, at.size), n), np.nan)
    tolerances = np.concatenate([[tolerance.relative], tolerance.absolute])
    given = [
        rows_of(systems),
        starts,
        spans,
        tolerances,
        limits,
        known if measures else np.zeros((0, 3), np.int64),
        at if at.size else np.zeros(0),
        TABLES,
    ]
    there = [cuda.to_device(np.ascontiguousarray(a)) for a in given]
    back = [cuda.to_device(a) for a in (values, ends, ended, status, paths)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kernel[-(-count // THREADS), THREADS](systems[0], chain, *there, *back)
    cuda.synchronize()
    return tuple(a.copy_to_host() for a in back)
