"""The search for zeros called by compiled loops: by the addresses of the machine code that single motions use, so that loops do not contain it once more."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from ...kernel.compiled import compiled
from ...kernel.erased import address_of, call_whole, intrinsic
from ..ode.block import Block
from .at_ends import arrives, is_zero
from .probe import resolution
from .roots import zeros_in_step
from .scan import CAREFUL, begin_block, begin_scanning, longest_of, scan
from .standing import FRACTION, NEAR


class SearchAt(NamedTuple):
    """Addresses of `scan`, `zeros_in_step`, `is_zero` and `arrives`."""

    scan: int
    careful: int
    is_zero: int
    arrives: int


NOWHERE = SearchAt(0, 0, 0, 0)


def search_at(
    source: Any,
    p: Any,
    block: Block,
    latest: np.ndarray,
    out: np.ndarray,
    places: np.ndarray,
    tables: np.ndarray,
    place: np.ndarray,
) -> SearchAt:
    """The addresses for arguments of these types."""
    rest = out, places, tables, place
    return SearchAt(
        address_of(scan, types.float64, source, p, block.ts, block.ys, block.fs, 0, latest, 0, True, *rest),
        address_of(zeros_in_step, types.none, p, tables),
        address_of(is_zero, types.boolean, p, 0, 0.0),
        address_of(arrives, types.int64, p, 0, 0.0, 0.0),
    )


@intrinsic
def _at_scan(typingctx, address, source, p, ts, ys, fs, steps, latest, direction, touches, out, places, tables, place):
    return call_whole(types.float64, (source, p, ts, ys, fs, steps, latest, direction, touches, out, places, tables, place))


@intrinsic
def _at_careful(typingctx, address, p, tables):
    return call_whole(types.none, (p, tables))


@intrinsic
def _at_is_zero(typingctx, address, p, component, x):
    return call_whole(types.boolean, (p, component, x))


@intrinsic
def _at_arrives(typingctx, address, p, component, before, longest):
    return call_whole(types.int64, (p, component, before, longest))


@compiled
def begin_search(at, p, block, latest, stands):
    """What is at zero at the very start has fired already; stands: whether it may be held there."""
    begin_scanning(p, block.ts, block.ys, block.fs, latest)
    if _at_is_zero(at.is_zero, p, 0, 0.0):
        latest[0, FRACTION] = 1.0
        if stands:
            latest[0, NEAR] = resolution(p, 0.0)[1]


@compiled
def comes_to_zero(at, p, block, steps, direction, latest):
    """Whether the quantity comes to zero at the very end of a motion that ends with a block."""
    if latest[0, NEAR] != 0.0:
        return False
    kind = _at_arrives(at.arrives, p, 0, latest[0, FRACTION], longest_of(block.ts, steps))
    return kind != 0 and kind * direction >= 0


@compiled
def zeros_in_block(at, source, p, block, steps, latest, direction, out, places, tables, place):
    """All zeros of a quantity in a block of steps, touches too, as `scan` writes them; ALL, or why they are not known."""
    begin_block(p, latest, place)
    status = CAREFUL
    while status == CAREFUL:
        status = _at_scan(
            at.scan, source, p, block.ts, block.ys, block.fs, steps, latest, direction, True, out, places, tables, place
        )
        if status == CAREFUL:
            _at_careful(at.careful, p, tables)
    return status
