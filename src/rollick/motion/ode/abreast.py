"""A step of DOP853 of eight members side by side, each with its own time and length of step: the very stages of one member, on vectors (`kernel.abreast`)."""

from __future__ import annotations

from numba import types

from ...kernel.abreast import load_abreast, same
from ...kernel.compiled import compiled
from ...kernel.erased import call_code, intrinsic, view
from ...kernel.system import dim
from .dop853 import ROWS, dop853_errors, dop853_stages

TOTAL3, TOTAL5, SPOILED = range(3)  # rows of `sums`, see `dop853_errors`


@compiled
def abreast_entry(address, kind, t, y, h, k, rtol, atol, sums):
    """The stages of a step of eight systems, whose addresses lie at an address, and the sums of its error estimates."""
    system = load_abreast(address, kind)
    n = dim(system)
    state, table, out = view(y, n), view(k, (ROWS, n)), view(sums, 3)
    dop853_stages(system, n, view(t, 1)[0], state, view(h, 1)[0], table)
    out[TOTAL3], out[TOTAL5], out[SPOILED] = dop853_errors(n, state, table, rtol, view(atol, n), same(0.0), same(0.0), same(0.0))


@intrinsic
def call_abreast(typingctx, address, data, t, y, h, k, rtol, atol, sums):
    """Call the entry at an address; `data` is where the addresses of the systems lie."""
    return call_code(types.void, (t, y, h, k, types.float64, atol, sums))
