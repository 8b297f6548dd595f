"""The forces of a steady form: where A, grips and loads do not change, what rolls is eliminated once for a pair of modes, not at every instant.

*Held*: rows R of what rolls: x_R = Q (c + A x_s), Q = -A_RR^-1 (or what `forces.eliminate` makes of it, where one equation is missing), x_s the forces of what slips. If one contact
slips and presses, x_s = N (1, -mu w), and its normal acceleration

    0 = closing . c + closing_by . x_s,      closing = e_n + A_nR Q,      closing_by = A_ns + A_nR Q A_Rs

gives N; closing_by . (1, -mu w) relative to its value without friction is `drive`. If both slip, two equations are left (`forces.slipping_forces`).

*Fixed*: if contacts press and are closed, slips have two components, and all directions of slip are held in a step (or nothing slips), forces are linear in c, x = X c. Where one
contact slips, N = -closing . c/per with per = closing_by . (1, -mu w), and X = by_c - v closing/per, v what N = 1 and its friction make of all forces; where both slip, two equations
give their normal forces by the normal entries of c. `drive` is a constant then. X is made once for a step (or many), in place of a solution at every stage.
"""

from __future__ import annotations

from ...kernel.compiled import compiled, inlined
from ...kernel.local_array import float64, local_array
from .algebra.code import DRIVE, solve_forces
from .algebra.forces import OPEN, ROLL, ROWS, SLIP, SMALL, per_normal, slipping_forces
from .records import PAIRS


@compiled
def is_held(modes, here):
    """Whether `here` was made ready for these modes."""
    return here.held[3 * modes[0] + modes[1]] > 0.0


@compiled
def is_steady(here):
    """Whether `here` holds a steady form."""
    return here.seen[2] > 0.0


@compiled
def forget(here):
    """Another system may follow."""
    here.seen[2] = here.fixed[0] = here.straight[0] = 0.0
    for q in range(PAIRS):
        here.held[q] = 0.0


@compiled
def missing_in(modes, here):
    """How many equations are missing in modes that `here` was made ready for."""
    return int(here.held[3 * modes[0] + modes[1]]) - 1


@compiled
def make_ready(form, modes, here):
    """Eliminate what rolls, for a steady form whose A is in `here`."""
    here.seen[2] = 1.0
    total, size, first = form.total, form.size, 0 if form.pressing != 0 else 1
    unit, x, null = local_array(ROWS, float64), local_array(ROWS, float64), local_array(ROWS, float64)
    q = 3 * modes[0] + modes[1]
    by_c, by_x, closing, closing_by, loose = here.by_c[q], here.by_x[q], here.closing[q], here.closing_by[q], here.loose[q]
    alone = (OPEN if modes[0] == SLIP else modes[0], OPEN if modes[1] == SLIP else modes[1])
    slips, missing = (modes[0] == SLIP) + (modes[1] == SLIP), 0
    for i in range(ROWS):
        loose[i] = closing[i] = null[i] = x[i] = 0.0
        for j in range(ROWS):
            by_c[j, i] = by_x[j, i] = 0.0
    for j in range(3 * total):
        k = j // 3
        if modes[k] == ROLL and first <= j % 3 <= size:
            for i in range(ROWS):
                unit[i] = 1.0 if i == j else 0.0
            missing = solve_forces(
                form.code, total, size, form.pressing != 0, alone, unit, here.A, here.mu, here.load, here.w, x, null
            )  # fmt: skip
            for i in range(ROWS):
                if modes[i // 3] == ROLL and first <= i % 3 <= size:
                    by_c[j, i] = x[i]
                    loose[i] = null[i]
    if missing > 0 and slips > 0:
        return
    for r in range(3 * total):
        if modes[r // 3] == SLIP and first <= r % 3 <= size:
            for i in range(ROWS):
                for j in range(ROWS):
                    by_x[r, i] += by_c[j, i] * here.A[j, r]
    for k in range(total):
        if modes[k] == SLIP:
            for j in range(ROWS):
                closing[j] = 1.0 if j == 3 * k else 0.0
                for i in range(ROWS):
                    closing[j] += here.A[3 * k, i] * by_c[j, i]
            for r in range(3):
                closing_by[r] = here.A[3 * k, 3 * k + r]
                for i in range(ROWS):
                    closing_by[r] += here.A[3 * k, i] * by_x[3 * k + r, i]
    here.held[q] = 1.0 + missing


@compiled
def friction_of(size, here, k):
    """The friction of a contact that slips under its normal force x[3k]."""
    here.x[3 * k + 1] = -here.mu[k] * here.x[3 * k] * here.w[2 * k]
    if size == 2:
        here.x[3 * k + 2] = -here.mu[k] * here.x[3 * k] * here.w[2 * k + 1]


@compiled
def both_slip(size, here):
    """The forces if both contacts slip and press, and `drive`; whether their equations are well enough apart."""
    A = here.A
    fine, det = slipping_forces(size, here.c, A, here.mu, here.w, here.x, here.null)
    without = A[0, 0] * A[3, 3] - A[0, 3] * A[3, 0]
    here.told[DRIVE] = det / without if without != 0.0 else 1.0
    return fine


@compiled
def held_forces(total, size, pressing, modes, here):
    """The forces into here.x, and `drive`, for the directions here.w, in the modes that `here` was made ready for; whether they could be found."""
    x, c, q = here.x, here.c, 3 * modes[0] + modes[1]
    by_c, by_x = here.by_c[q], here.by_x[q]
    if total == 2 and pressing and modes[0] == SLIP and modes[1] == SLIP:
        return both_slip(size, here)
    here.told[DRIVE] = 1.0
    c0, c1, c2, c3, c4, c5 = c[0], c[1], c[2], c[3], c[4], c[5]
    for i in range(ROWS):
        near = by_c[0, i] * c0 + by_c[1, i] * c1 + by_c[2, i] * c2
        x[i] = near + (by_c[3, i] * c3 + by_c[4, i] * c4 + by_c[5, i] * c5)
    for k in range(total):
        if not pressing:
            x[3 * k] = here.load[k] if modes[k] != OPEN else 0.0
        if modes[k] == SLIP:
            if pressing:
                base, by, closing = 0.0, here.closing_by[q], here.closing[q]
                for j in range(ROWS):
                    base += closing[j] * c[j]
                per = by[0] - here.mu[k] * (by[1] * here.w[2 * k] + (by[2] * here.w[2 * k + 1] if size == 2 else 0.0))
                x[3 * k] = -base / per
                here.told[DRIVE] = per / by[0]
            friction_of(size, here, k)
            o = 3 - 3 * k
            if total == 2 and modes[1 - k] == ROLL:
                for r in range(3 * k, 3 * k + 3):
                    for i in range(o, o + 3):
                        x[i] += by_x[r, i] * x[r]
    return True


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
