"""Slips at an instant, in compiled code: how large they are, what they are compared with, and how they are taken away where contacts begin to roll."""

from __future__ import annotations

import math

from ....kernel.apart import apart
from ....kernel.compiled import compiled
from ....kernel.local_array import float64, local_array
from ..algebra.forces import OPEN, ROLL, ROWS, eliminate
from ..by_address import keep_on, see_again
from ..memory import OWN_SCALE, PACE, RELATIVE, SCALE, SPAN

ROUNDING = 1e-16  # of what slips are compared with


@compiled
def speed(here, k):
    """|u_k|; slip of one component has its second at zero."""
    return math.sqrt(here.slip[2 * k] * here.slip[2 * k] + here.slip[2 * k + 1] * here.slip[2 * k + 1])


@compiled
def measure(form, modes, m):
    """Update what slips are compared with: the largest so far, or what the accelerations make of them in a thousandth of the time."""
    r, here = m.record, m.here
    most = 0.0
    for k in range(form.total):
        if modes[k] != OPEN:
            for i in range(0 if form.pressing else 1, 1 + form.size):
                total = abs(here.c[3 * k + i])
                if not form.pressing:
                    for q in range(form.total):
                        if modes[q] != OPEN:
                            for j in range(1, 1 + form.size):
                                total = max(total, abs(here.A[3 * k + i, 3 * q + j]) * here.mu[q] * here.load[q])
                most = max(most, total)
    r[PACE] = max(r[PACE], most)
    for k in range(form.total):
        seen = speed(here, k) if modes[k] != OPEN else 0.0
        r[SCALE + k] = max(r[SCALE + k], max(seen, 1e-3 * r[PACE] * r[SPAN]))
        if r[OWN_SCALE] > 0.0:
            r[SCALE + k] = r[OWN_SCALE]


@compiled
def none(m, k):
    """The slip of a contact that counts as none."""
    return m.record[RELATIVE] * m.record[SCALE + k]


@compiled
def take_slip_away(form, modes, t, y, m):
    """Make the slips of contacts that roll (or begin to slip: `modes` has them rolling) exactly zero, by impulses at the closed contacts."""
    apart()
    here = m.here
    S = local_array((ROWS, ROWS), float64)
    b, z, free = local_array(ROWS, float64), local_array(ROWS, float64), local_array(ROWS, float64)
    rows = local_array(ROWS, float64)
    see_again(form, modes, t, y, here)
    number, some = 0, False
    for k in range(form.total):
        if modes[k] != OPEN:
            for i in range(0 if form.pressing else 1, (1 + form.size) if modes[k] == ROLL else 1):
                rows[number] = 3 * k + i
                b[number] = -here.slip[2 * k + i - 1] if i > 0 else 0.0
                some = some or abs(b[number]) > ROUNDING * m.record[SCALE + k]
                number += 1
    if not some:
        if number > 0:
            keep_on(form, modes, y)
        return
    for i in range(number):
        for j in range(number):
            S[i, j] = here.A[int(rows[i]), int(rows[j])]
    eliminate(S, b, z, free, number)
    for i in range(number):
        for j in range(y.size):
            y[j] += here.push[int(rows[i]), j] * z[i]
    keep_on(form, modes, y)
