"""A system with dry contacts, each in a mode, as a system of its own: in each combination an ODE in the states of the system."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from ...kernel.system import described_through, dim, integral_count, project, rate, signal_count, signals
from .code import Code
from .forces import ROWS
from .form import hold
from .in_modes import in_modes


class FilippovMode(NamedTuple):
    """A system with its contacts in given modes: 0 open, 1 slip, 2 roll; two numbers, the second 0 if there is one contact."""

    system: Any
    modes: tuple
    code: Code


described_through[FilippovMode] = "system"


@dim.register(FilippovMode)
def _(mode):
    return dim(mode.system)


@integral_count.register(FilippovMode)
def _(mode):
    return 0


@signal_count.register(FilippovMode)
def _(mode):
    return signal_count(mode.system)


@signals.register(FilippovMode)
def _(mode, t, y, out):
    signals(mode.system, t, y, out)


@compiled
def mode_rate(code, system, modes, t, y, out):
    """dy/dt."""
    x, null, slip = local_array(ROWS, y.dtype), local_array(ROWS, y.dtype), local_array(4, y.dtype)
    in_modes(code, system, modes, t, y, out, x, null, slip)


@rate.register(FilippovMode)
def _(mode, t, y, out):
    mode_rate(mode.code, mode.system, mode.modes, t, y, out)


@project.register(FilippovMode)
def _(mode, y):
    return hold(mode.system, mode.modes, y)
