"""A system with dry contacts, each in a mode, as a system of its own: in each combination an ODE in the states of the system."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernel.compiled import compiled
from ....kernel.local_array import local_array
from ....kernel.scalar import sqrt
from ....kernel.system import described_through, dim, integral_count, project, rate, signal_count, signals
from ..algebra.code import Code, solve_forces
from ..algebra.forces import OPEN, ROWS, SLIP
from .form import contact_form, contact_total, grip_and_load, hold, presses, slip_size


@compiled
def in_modes(code, system, modes, t, y, out, x, null, slip):
    """dy/dt into out with every contact in a mode, the forces into x, those that nothing depends on into null; the slips. Rank that is missing."""
    n = dim(system)
    push = local_array((ROWS, n), y.dtype)
    c = local_array(ROWS, y.dtype)
    A = local_array((ROWS, ROWS), y.dtype)
    mu = local_array(2, y.dtype)
    load = local_array(2, y.dtype)
    w = local_array(4, y.dtype)
    contact_form(system, modes, t, y, out, push, c, A, slip)
    directions(system, modes, t, y, slip, mu, load, w)
    missing = solve_forces(code, contact_total(system), slip_size(system), presses(system), modes, c, A, mu, load, w, x, null)
    for k in range(contact_total(system)):
        if modes[k] != OPEN:
            for i in range(0 if presses(system) else 1, 1 + slip_size(system)):
                for j in range(n):
                    out[j] += push[3 * k + i, j] * x[3 * k + i]
    return missing


@compiled
def directions(system, modes, t, y, slip, mu, load, w):
    """Grips, loads, and the directions of slip of contacts that slip."""
    for k in range(contact_total(system)):
        mu[k], load[k] = grip_and_load(system, t, y, k)
        if modes[k] == SLIP:
            a = slip[2 * k]
            if slip_size(system) == 1:
                w[2 * k] = a / sqrt(a * a)
                w[2 * k + 1] = 0.0 * a
            else:
                b = slip[2 * k + 1]
                size = sqrt(a * a + b * b)
                w[2 * k] = a / size
                w[2 * k + 1] = b / size


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
