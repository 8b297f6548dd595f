"""The rate and the signals of any system, for callers in Python: what calls them by address is compiled once, for all systems."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from .compiled import DISABLED, compiled
from .erased import COMPLEX, REALS, Erased, Packed, call_code, intrinsic, load, view
from .system import dim, rate, signals

REAL = types.float64


@compiled
def rate_entry(address, kind, t, y, out):
    """`rate` of the system at an address."""
    system = load(address, kind)
    n = dim(system)
    rate(system, t, view(y, n), view(out, n))


@compiled
def signals_entry(address, kind, t, y, n, out, m):
    """The m `signals` of the system of n states at an address."""
    signals(load(address, kind), t, view(y, n), view(out, m))


@intrinsic
def call_rate(typingctx, address, data, t, y, out):
    """`rate_entry` at an address."""
    return call_code(types.void, (REAL, y, out))


@intrinsic
def _call_signals(typingctx, address, data, t, y, n, out, m):
    return call_code(types.void, (REAL, y, types.int64, out, types.int64))


@compiled
def _rate_by_address(code, data, t, y, out):
    call_rate(code, data, t, y, out)


@compiled
def _signals_by_address(code, data, t, y, out):
    for i in range(t.size):
        _call_signals(code, data, t[i], y[i], y.shape[1], out[i], out.shape[1])


def rate_at(system: Any, t: float, y: np.ndarray, out: np.ndarray) -> None:
    """out = rate(system, t, y), of real numbers or of complex ones."""
    if DISABLED:
        rate(system, t, y, out)
        return
    numbers = complex if np.iscomplexobj(out) else float
    # a pointer knows neither strides nor kinds
    given, found = np.ascontiguousarray(y, numbers), np.ascontiguousarray(out, numbers)
    if isinstance(system, Erased):
        if numbers is complex:
            raise TypeError("a system by addresses has a rate of real numbers only.")
        _rate_by_address(system.rate, system.data, float(t), given, found)
    else:
        packed, pointer = Packed(system), COMPLEX if numbers is complex else REALS
        _rate_by_address(packed.entry(rate_entry, REAL, pointer, pointer), packed.address, float(t), given, found)
    if found is not out:
        out[...] = found


def signals_along(system: Any, t: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """All signals at many instants: out[i] = signals(system, t[i], y[i])."""
    if DISABLED:
        for i in range(t.size):
            signals(system, t[i], y[i], out[i])
        return
    given, found = np.ascontiguousarray(y, float), np.ascontiguousarray(out, float)
    packed, whole = Packed(system), types.int64
    code = packed.entry(signals_entry, REAL, REALS, whole, REALS, whole)
    _signals_by_address(code, packed.address, np.ascontiguousarray(t, float), given, found)
    if found is not out:
        out[...] = found
