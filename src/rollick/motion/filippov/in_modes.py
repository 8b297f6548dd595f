"""The rate of a system with dry contacts, with every contact in a mode."""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from ...kernel.scalar import sqrt
from ...kernel.system import dim
from .code import solve_forces
from .forces import OPEN, ROWS, SLIP
from .form import contact_form, contact_total, grip_and_load, presses, slip_size


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
