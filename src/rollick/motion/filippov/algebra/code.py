"""The algebra of contacts behind addresses: compiled once, not once per type of system, and called by code that knows only arrays.

`contact_code()` has the addresses; they ride along in the systems that need them (`systems.mode.FilippovMode`, `systems.twin.Twin`), since they differ from process to process.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from numba import types

from ....kernel.compiled import DISABLED, compiled
from ....kernel.dispatch import generic
from ....kernel.erased import COMPLEX, REALS, Packed, call_code, intrinsic, view
from .cones import rolling_margin
from .forces import ROWS, drive, forces_in_mode
from .futures import MOST, WIDTH, force_scale, futures, futures_of_one

MARGIN, DRIVE, PACE, SIZE, JUDGED = 0, 1, 2, 3, 4  # what `judge` tells


class Code(NamedTuple):
    """Addresses of machine code: forces in a mode for real and for complex numbers, what there is to watch, what can follow."""

    forces: int
    complex_forces: int
    judge: int
    futures: int


class Nothing(NamedTuple):
    """Stands for the system that entries ask for, and these do not have."""

    nothing: float = 0.0


@compiled
def forces_entry(address, kind, count, size, pressing, m0, m1, c, A, mu, load, w, x, null):
    """`forces_in_mode`."""
    return forces_in_mode(
        count, size, pressing != 0, (m0, m1),
        view(c, ROWS), view(A, (ROWS, ROWS)), view(mu, 2), view(load, 2), view(w, 4), view(x, ROWS), view(null, ROWS),
    )  # fmt: skip


@compiled
def judged(count, size, pressing, modes, c, A, mu, load, w, x, null, out):
    """The forces, the margin of what rolls, `drive`, and the sizes of accelerations and forces."""
    missing = forces_in_mode(count, size, pressing, modes, c, A, mu, load, w, x, null)
    out[MARGIN], _ = rolling_margin(count, size, modes, x, null, missing, mu)
    out[DRIVE] = drive(count, size, pressing, modes, c, A, mu, load, w)
    out[PACE], out[SIZE] = force_scale(count, size, pressing, modes, c, A, load)
    return missing


@compiled
def judge_entry(address, kind, count, size, pressing, m0, m1, c, A, mu, load, w, x, null, out):
    """`judged`."""
    return judged(
        count, size, pressing != 0, (m0, m1),
        view(c, ROWS), view(A, (ROWS, ROWS)), view(mu, 2), view(load, 2), view(w, 4), view(x, ROWS), view(null, ROWS), view(out, JUDGED),
    )  # fmt: skip


@compiled
def futures_entry(address, kind, count, size, pressing, m0, m1, still0, still1, careful, c, A, mu, load, w, rows):
    """`futures`."""
    return futures(
        count, size, pressing != 0, (m0, m1), (still0 != 0, still1 != 0), careful != 0,
        view(c, ROWS), view(A, (ROWS, ROWS)), view(mu, 2), view(load, 2), view(w, 4), view(rows, (MOST, WIDTH)),
    )  # fmt: skip


@compiled
def futures_of_one_entry(address, kind, count, size, pressing, m0, m1, still0, still1, careful, c, A, mu, load, w, rows):
    """`futures_of_one`, called as `futures_entry` is."""
    return futures_of_one(
        size, (m0, m1), (still0 != 0, still1 != 0),
        view(c, ROWS), view(A, (ROWS, ROWS)), view(mu, 2), view(load, 2), view(w, 4), view(rows, (MOST, WIDTH)),
    )  # fmt: skip


WHOLE = types.int64


@intrinsic
def _at_forces(typingctx, address, data, count, size, pressing, m0, m1, c, A, mu, load, w, x, null):
    return call_code(WHOLE, (WHOLE,) * 5 + (c, A, mu, load, w, x, null))


@intrinsic
def _at_judge(typingctx, address, data, count, size, pressing, m0, m1, c, A, mu, load, w, x, null, out):
    return call_code(WHOLE, (WHOLE,) * 5 + (c, A, mu, load, w, x, null, out))


@intrinsic
def _at_futures(typingctx, address, data, count, size, pressing, m0, m1, still0, still1, careful, c, A, mu, load, w, rows):
    return call_code(WHOLE, (WHOLE,) * 8 + (c, A, mu, load, w, rows))


class Merged(NamedTuple):
    """Instead of `Code`, where nothing is called by an address (on a GPU): the algebra is compiled into what calls it."""

    nothing: float = 0.0


@generic
def solve_forces(code, count, size, pressing, modes, c, A, mu, load, w, x, null):
    """The forces of contacts in a mode each."""


@generic
def judge(code, count, size, pressing, modes, c, A, mu, load, w, x, null, out):
    """The forces, and what there is to watch."""


@generic
def find_futures(code, count, size, pressing, modes, still, careful, c, A, mu, load, w, rows):
    """What can follow."""


@solve_forces.register(Merged)
def _(code, count, size, pressing, modes, c, A, mu, load, w, x, null):
    return forces_in_mode(count, size, pressing, modes, c, A, mu, load, w, x, null)


@judge.register(Merged)
def _(code, count, size, pressing, modes, c, A, mu, load, w, x, null, out):
    return judged(count, size, pressing, modes, c, A, mu, load, w, x, null, out)


@find_futures.register(Merged)
def _(code, count, size, pressing, modes, still, careful, c, A, mu, load, w, rows):
    return futures(count, size, pressing, modes, still, careful, c, A, mu, load, w, rows)


@compiled
def forces_by_address(code, count, size, pressing, modes, c, A, mu, load, w, x, null):
    """`solve_forces`, at an address."""
    address = code.forces if c.itemsize == 8 else code.complex_forces
    return _at_forces(address, 0, count, size, 1 if pressing else 0, modes[0], modes[1], c, A, mu, load, w, x, null)


@solve_forces.register(Code)
def _(code, count, size, pressing, modes, c, A, mu, load, w, x, null):
    return forces_by_address(code, count, size, pressing, modes, c, A, mu, load, w, x, null)


@compiled
def judge_by_address(code, count, size, pressing, modes, c, A, mu, load, w, x, null, out):
    """`judge`, at an address."""
    return _at_judge(code.judge, 0, count, size, 1 if pressing else 0, modes[0], modes[1], c, A, mu, load, w, x, null, out)


@judge.register(Code)
def _(code, count, size, pressing, modes, c, A, mu, load, w, x, null, out):
    return judge_by_address(code, count, size, pressing, modes, c, A, mu, load, w, x, null, out)


@compiled
def futures_by_address(code, count, size, pressing, modes, still, careful, c, A, mu, load, w, rows):
    """`find_futures`, at an address."""
    s0, s1 = (1 if still[0] else 0), (1 if still[1] else 0)
    return _at_futures(
        code.futures,
        0,
        count,
        size,
        1 if pressing else 0,
        modes[0],
        modes[1],
        s0,
        s1,
        1 if careful else 0,
        c,
        A,
        mu,
        load,
        w,
        rows,
    )


@find_futures.register(Code)
def _(code, count, size, pressing, modes, still, careful, c, A, mu, load, w, rows):
    return futures_by_address(code, count, size, pressing, modes, still, careful, c, A, mu, load, w, rows)


@functools.cache
def contact_code() -> Any:
    """The addresses, in this process; without the compiler there are none."""
    if DISABLED:
        return Merged()
    ints, reals = (WHOLE,) * 5, (REALS,) * 7
    nothing = Packed(Nothing())
    return futures_code(2)._replace(
        forces=nothing.entry(forces_entry, *ints, *reals),
        complex_forces=nothing.entry(forces_entry, *ints, *(COMPLEX,) * 7),
        judge=nothing.entry(judge_entry, *ints, *reals, REALS),
    )


def entry_of_futures(contacts: int) -> Any:
    """The function that tells the futures of so many contacts."""
    return futures_of_one_entry if contacts == 1 else futures_entry


@functools.cache
def futures_code(contacts: int) -> Any:
    """As `contact_code`, for whoever asks for the futures of so many contacts alone (`find_futures`). For one contact it is compiled in half the time."""
    if DISABLED:
        return Merged()
    return Code(0, 0, 0, Packed(Nothing()).entry(entry_of_futures(contacts), *(WHOLE,) * 8, *(REALS,) * 6))
