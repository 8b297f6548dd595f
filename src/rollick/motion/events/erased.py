"""Any event of any system as one type for the search of zeros, which is then compiled once."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from ...kernel.compiled import DISABLED, compiled
from ...kernel.erased import REALS, Packed, call_code, intrinsic, load, view
from .functions import switch_values


class Watched(NamedTuple):
    """An event function and the system it is a function of."""

    event: Any
    system: Any


class SwitchAt(NamedTuple):
    """An event function by addresses: of its data, and of its code."""

    data: int
    code: int


@switch_values.register(Watched)
def _(watched, system, t, y, out):
    switch_values(watched.event, watched.system, t, y, out)


@compiled
def switch_entry(address, kind, t, y, size, out, count):
    """The values of the event function at an address; y has `size` entries, out `count`."""
    watched = load(address, kind)
    switch_values(watched.event, watched.system, t, view(y, size), view(out, count))


@intrinsic
def _call_switch(typingctx, address, data, t, y, size, out, count):
    return call_code(types.void, (types.float64, y, types.int64, out, types.int64))


@switch_values.register(SwitchAt)
def _(e, system, t, y, out):
    _call_switch(e.code, e.data, t, y, y.size, out, out.size)


class Switch:
    """An event function made ready for the search: `erased` is what it is given."""

    def __init__(self, event: Any, system: Any):
        self.watched = Watched(event, system)
        self.erased: Any = self.watched
        if not DISABLED:
            self.packed = p = Packed(self.watched)
            self.erased = SwitchAt(p.address, p.entry(switch_entry, types.float64, REALS, types.int64, REALS, types.int64))
