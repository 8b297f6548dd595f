"""The forces of one or two contacts in a mode each (open, slip, roll), by linear algebra in the six rows of `form`.

Unknown are the normal forces of closed contacts (where they press) and the forces along the surface of those that roll; asked for is that their
rows do not accelerate. If both contacts of one body roll, one equation is missing (Tables 3.4 and 3.5): the pair of forces along the line
between them changes nothing, and is told as `null`. Real or complex numbers; nothing is allocated.
"""

from __future__ import annotations

from ....kernel.apart import apart
from ....kernel.compiled import compiled
from ....kernel.local_array import int64, local_array
from ....kernel.scalar import real

OPEN, SLIP, ROLL = 0, 1, 2
ROWS = 6  # three for each of two contacts
REDUNDANT = 1e-11  # a pivot so much smaller than the largest: the row adds nothing
SMALL = 1e-4  # a pivot of a column so much smaller than the largest: others are looked for


@compiled
def eliminate(S, b, z, null, m):
    """z with S z = b (m unknowns, both overwritten), and a z that S maps to zero; how many pivots are missing.

    By elimination with pivots from each column, if at most the last of them is missing; else with full pivoting.
    """
    apart()
    rank = m
    zero = 0.0 * b[0]
    largest = 0.0
    for i in range(m):
        null[i] = zero
        for q in range(m):
            largest = max(largest, abs(real(S[i, q])))
    for j in range(m):
        best, most = j, abs(real(S[j, j]))
        for i in range(j + 1, m):
            here = abs(real(S[i, j]))
            if here > most:
                best, most = i, here
        if not most > SMALL * largest:
            if j < m - 1 or most > REDUNDANT * largest:
                return eliminate_carefully(S, b, z, null, m, j, largest)
            rank = j
            break
        if best != j:
            for q in range(j, m):
                S[j, q], S[best, q] = S[best, q], S[j, q]
            b[j], b[best] = b[best], b[j]
        per = 1.0 / S[j, j]
        for i in range(j + 1, m):
            factor = S[i, j] * per
            for q in range(j + 1, m):
                S[i, q] -= factor * S[j, q]
            b[i] -= factor * b[j]
    if rank < m:
        z[m - 1], null[m - 1] = zero, 1.0 + zero
    for i in range(rank - 1, -1, -1):
        total = b[i]
        for q in range(i + 1, m):
            total -= S[i, q] * z[q]
        z[i] = total / S[i, i]
        if rank < m:
            total = zero
            for q in range(i + 1, m):
                total -= S[i, q] * null[q]
            null[i] = total / S[i, i]
    return m - rank


@compiled
def eliminate_carefully(S, b, z, null, m, done, largest):
    """The same with full pivoting, after `done` columns; `largest`: of the whole matrix."""
    order = local_array(ROWS, int64)
    zero = 0.0 * b[0]
    for i in range(m):
        order[i] = i
        null[i] = zero
    rank = m
    for j in range(done, m):
        best_i, best_j, most = j, j, 0.0
        for i in range(j, m):
            for q in range(j, m):
                here = abs(real(S[i, q]))
                if here > most:
                    best_i, best_j, most = i, q, here
        if not most > REDUNDANT * largest:
            rank = j
            break
        if best_i != j:
            for q in range(j, m):
                S[j, q], S[best_i, q] = S[best_i, q], S[j, q]
            b[j], b[best_i] = b[best_i], b[j]
        if best_j != j:
            for i in range(m):
                S[i, j], S[i, best_j] = S[i, best_j], S[i, j]
            order[j], order[best_j] = order[best_j], order[j]
        for i in range(j + 1, m):
            factor = S[i, j] / S[j, j]
            for q in range(j + 1, m):
                S[i, q] -= factor * S[j, q]
            b[i] -= factor * b[j]
    for i in range(rank, m):
        z[order[i]] = zero
    for i in range(rank - 1, -1, -1):
        total = b[i]
        for q in range(i + 1, rank):
            total -= S[i, q] * z[order[q]]
        z[order[i]] = total / S[i, i]
    if rank < m:
        null[order[m - 1]] = 1.0 + zero
        for i in range(rank - 1, -1, -1):
            total = -S[i, m - 1]
            for q in range(i + 1, rank):
                total -= S[i, q] * null[order[q]]
            null[order[i]] = total / S[i, i]
    return m - rank


@compiled
def equations(count, size, pressing, modes, c, A, mu, load, w, x, S, b, row_of):
    """S z = b for the unknown forces z, those of the rows `row_of`; x: what is known of the forces. The number of unknowns.

    Where a contact slips, its unknown normal force brings friction with it: a column of S is that of A along (1, -mu w).
    """
    zero = 0.0 * mu[0]
    m = 0
    for k in range(count):
        for i in range(3):
            x[3 * k + i] = zero
        if modes[k] == OPEN:
            continue
        if not pressing:
            x[3 * k] = load[k] + zero
            if modes[k] == SLIP:
                for i in range(size):
                    x[3 * k + 1 + i] = -mu[k] * load[k] * w[2 * k + i]
        for i in range(0 if pressing else 1, 1 if modes[k] == SLIP else 1 + size):
            row_of[m] = 3 * k + i
            m += 1
    for p in range(m):
        row = row_of[p]
        b[p] = -c[row]
        if not pressing:
            for k in range(count):
                if modes[k] == SLIP:
                    for a in range(3 * k + 1, 3 * k + 1 + size):
                        b[p] -= A[row, a] * x[a]
        for q in range(m):
            a = row_of[q]
            S[p, q] = A[row, a] + zero
            k = a // 3
            if modes[k] == SLIP:
                for i in range(size):
                    S[p, q] -= mu[k] * w[2 * k + i] * A[row, a + 1 + i]
    return m


@compiled
def add_unknown(size, modes, mu, w, a, z, x):
    """Add an unknown force z of row a to the forces x, with the friction that it brings."""
    x[a] += z
    k = a // 3
    if modes[k] == SLIP:
        for i in range(size):
            x[a + 1 + i] -= mu[k] * w[2 * k + i] * z


@compiled
def per_normal(size, A, mu, w, row, k):
    """The acceleration of a row per normal force of contact k that slips, with its friction."""
    total = A[row, 3 * k]
    for i in range(size):
        total -= mu[k] * w[2 * k + i] * A[row, 3 * k + 1 + i]
    return total


@compiled
def slipping_forces(size, c, A, mu, w, x, null):
    """The forces if both contacts slip, from two equations; whether they are well enough apart, and their determinant."""
    a, b = per_normal(size, A, mu, w, 0, 0), per_normal(size, A, mu, w, 0, 1)
    d, e = per_normal(size, A, mu, w, 3, 0), per_normal(size, A, mu, w, 3, 1)
    det = a * e - b * d
    if not abs(real(det)) > SMALL * (abs(real(a * e)) + abs(real(b * d))):
        return False, det
    x[0] = (c[3] * b - c[0] * e) / det
    x[3] = (c[0] * d - c[3] * a) / det
    for row in range(ROWS):
        null[row] = 0.0 * det
    for k in range(2):
        x[3 * k + 1] = -mu[k] * w[2 * k] * x[3 * k]
        x[3 * k + 2] = -mu[k] * w[2 * k + 1] * x[3 * k] if size == 2 else 0.0 * det
    return True, det


@compiled
def forces_in_mode(count, size, pressing, modes, c, A, mu, load, w, x, null):
    """The forces of all rows into x, a pair that changes nothing into null (zero: there is none); how many equations are missing."""
    apart()
    if count == 2 and pressing and modes[0] == SLIP and modes[1] == SLIP and slipping_forces(size, c, A, mu, w, x, null)[0]:
        return 0
    S = local_array((ROWS, ROWS), c.dtype)
    b = local_array(ROWS, c.dtype)
    z = local_array(ROWS, c.dtype)
    free = local_array(ROWS, c.dtype)
    row_of = local_array(ROWS, int64)
    m = equations(count, size, pressing, modes, c, A, mu, load, w, x, S, b, row_of)
    missing = eliminate(S, b, z, free, m) if m > 0 else 0
    for row in range(3 * count):
        null[row] = 0.0 * x[row]
    for p in range(m):
        add_unknown(size, modes, mu, w, row_of[p], z[p], x)
        if missing > 0:
            add_unknown(size, modes, mu, w, row_of[p], free[p], null)
    return missing


@compiled
def determinant(S, m):
    """Of the first m rows and columns (overwritten)."""
    found = 1.0
    for j in range(m):
        best = j
        for i in range(j + 1, m):
            if abs(S[i, j]) > abs(S[best, j]):
                best = i
        if best != j:
            found = -found
            for q in range(m):
                S[j, q], S[best, q] = S[best, q], S[j, q]
        if S[j, j] == 0.0:
            return 0.0
        found *= S[j, j]
        for i in range(j + 1, m):
            factor = S[i, j] / S[j, j]
            for q in range(j + 1, m):
                S[i, q] -= factor * S[j, q]
    return found


@compiled
def drive(count, size, pressing, modes, c, A, mu, load, w):
    """The determinant of the equations relative to that without friction where contacts slip: zero where slip loses its normal force (Painleve)."""
    S = local_array((ROWS, ROWS), c.dtype)
    b = local_array(ROWS, c.dtype)
    x = local_array(ROWS, c.dtype)
    row_of = local_array(ROWS, int64)
    still = local_array(2, c.dtype)
    slips = False
    for k in range(count):
        slips = slips or modes[k] == SLIP
        still[k] = 0.0
    if not pressing or not slips:
        return 1.0
    if count == 2 and modes[0] == SLIP and modes[1] == SLIP:
        with_friction = per_normal(size, A, mu, w, 0, 0) * per_normal(size, A, mu, w, 3, 1)
        with_friction -= per_normal(size, A, mu, w, 0, 1) * per_normal(size, A, mu, w, 3, 0)
        without = A[0, 0] * A[3, 3] - A[0, 3] * A[3, 0]
        return with_friction / without if without != 0.0 else 1.0
    m = equations(count, size, pressing, modes, c, A, mu, load, w, x, S, b, row_of)
    with_friction = determinant(S, m)
    m = equations(count, size, pressing, modes, c, A, still, load, w, x, S, b, row_of)
    without = determinant(S, m)
    return with_friction / without if without != 0.0 else 1.0
