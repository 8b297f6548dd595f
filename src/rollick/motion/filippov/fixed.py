"""Forces that are linear in c: those of a steady form whose contacts press and are closed, slips with two components, in a step in which all directions of slip are held (or nothing slips), x = X c.

Where one contact slips (`held`), N = -closing . c/per with per = closing_by . (1, -mu w), and X = by_c - v closing/per, v what N = 1 and its friction make of all forces; where
both slip, two equations give their normal forces by the normal entries of c. `drive` is a constant then. X is made once for a step (or many), in place of a solution at
every stage.
"""

from __future__ import annotations

from ...kernel.compiled import compiled, inlined
from ...kernel.local_array import float64, local_array
from .code import DRIVE
from .forces import OPEN, ROWS, SLIP, SMALL, per_normal
from .held import is_held


@compiled
def is_fixed(here):
    """Whether `here` holds forces by c."""
    return here.fixed[0] > 0.0


@compiled
def unfix(here):
    """Modes or directions may change."""
    here.fixed[0] = 0.0


@compiled
def fix(form, modes, here):
    """Make X for the modes that `here` was made ready for and the directions here.w, if it can be made."""
    unfix(here)
    if (
        form.pressing == 0
        or form.size == 1
        or modes[0] == OPEN
        or (form.total == 2 and modes[1] == OPEN)
        or not is_held(modes, here)
    ):
        return
    X, q, mu, w = here.by_fixed, 3 * modes[0] + modes[1], here.mu, here.w
    by_c = here.by_c[q]
    for j in range(ROWS):
        for i in range(ROWS):
            X[j, i] = by_c[j, i]
    drive = 1.0
    if modes[0] == SLIP and modes[1] == SLIP:
        A = here.A
        a, b = per_normal(2, A, mu, w, 0, 0), per_normal(2, A, mu, w, 0, 1)
        d, e = per_normal(2, A, mu, w, 3, 0), per_normal(2, A, mu, w, 3, 1)
        det, without = a * e - b * d, A[0, 0] * A[3, 3] - A[0, 3] * A[3, 0]
        if not abs(det) > SMALL * (abs(a * e) + abs(b * d)):
            return
        drive = det / without if without != 0.0 else 1.0
        X[0, 0], X[3, 0], X[0, 3], X[3, 3] = -e / det, b / det, d / det, -a / det
        for k in range(2):
            for i in range(2):
                for j in range(0, ROWS, 3):
                    X[j, 3 * k + 1 + i] = -mu[k] * w[2 * k + i] * X[j, 3 * k]
    elif modes[0] == SLIP or modes[1] == SLIP:
        drive = fix_one(0 if modes[0] == SLIP else 1, here.by_x[q], here.closing[q], here.closing_by[q], here)
    here.told[DRIVE] = drive
    here.fixed[1] = 0.0
    for row in range(3 * form.total):
        here.fixed[1] = max(here.fixed[1], abs(here.A[row, row]))
    here.fixed[0] = 1.0


@compiled
def fix_one(k, by_x, closing, closing_by, here):
    """The part of X that is due to contact k, the only one that slips; `drive`."""
    v = local_array(ROWS, float64)
    for i in range(ROWS):
        v[i] = 0.0
    v[3 * k], per = 1.0, closing_by[0]
    for i in range(2):
        v[3 * k + 1 + i] = -here.mu[k] * here.w[2 * k + i]
        per += closing_by[1 + i] * v[3 * k + 1 + i]
    o = 3 - 3 * k
    for r in range(3 * k, 3 * k + 3):
        for i in range(o, o + 3):
            v[i] += by_x[r, i] * v[r]
    for j in range(ROWS):
        share = -closing[j] / per
        for i in range(ROWS):
            here.by_fixed[j, i] += share * v[i]
    return per / closing_by[0]


@inlined
def fixed_forces(here):
    """x = X c."""
    X, x, c = here.by_fixed, here.x, here.c
    c0, c1, c2, c3, c4, c5 = c[0], c[1], c[2], c[3], c[4], c[5]
    for i in range(ROWS):
        near = X[0, i] * c0 + X[1, i] * c1 + X[2, i] * c2
        x[i] = near + (X[3, i] * c3 + X[4, i] * c4 + X[5, i] * c5)


@compiled
def fixed_size(form, here):
    """The size of the forces that belong to c, as `futures.force_scale` tells it."""
    c, most = here.c, 0.0
    for row in range(3 * form.total):
        most = max(most, abs(c[row]))
    return most / here.fixed[1] if here.fixed[1] > 0.0 else 0.0
