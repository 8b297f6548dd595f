"""The forces of one or two contacts in a mode each (open, slip, roll), by linear algebra in the six rows of `form`.

Unknown are the normal forces of closed contacts (where they press) and the forces along the surface of those that roll; asked for is that their
rows do not accelerate. If both contacts of one body roll, one equation is missing (Tables 3.4 and 3.5): the pair of forces along the line
between them changes nothing, and is told as `null`. Real or complex numbers; nothing is allocated.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.local_array import int64, local_array
from ...kernel.scalar import real

OPEN, SLIP, ROLL = 0, 1, 2
ROWS = 6  # three for each of two contacts
REDUNDANT = 1e-11  # a pivot so much smaller than the largest: the row adds nothing


@compiled
def eliminate(S, b, z, null, m):
    """z with S z = b (m unknowns, both overwritten) by elimination with full pivoting, and a z that S maps to zero; how many pivots are missing."""
    order = local_array(ROWS, int64)
    zero = 0.0 * b[0]
    for i in range(m):
        order[i] = i
        null[i] = zero
    rank, largest = m, 0.0
    for j in range(m):
        best_i, best_j, most = j, j, 0.0
        for i in range(j, m):
            for q in range(j, m):
                here = abs(real(S[i, q]))
                if here > most:
                    best_i, best_j, most = i, q, here
        if j == 0:
            largest = most
        if not most > REDUNDANT * largest:
            rank = j
            break
        if best_i != j:
            for q in range(m):
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
def equations(count, size, pressing, modes, c, A, mu, load, w, x, S, b, row_of, part):
    """S z = b for the unknown forces z; `part[row, p]`: the force of a row per unknown p, x: what is known of the forces. The number of unknowns."""
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
            for row in range(3 * count):
                part[row, m] = zero
            part[3 * k + i, m] = 1.0 + zero
            if modes[k] == SLIP:
                for j in range(size):
                    part[3 * k + 1 + j, m] = -mu[k] * w[2 * k + j]
            row_of[m] = 3 * k + i
            m += 1
    first = 0 if pressing else 1
    for p in range(m):
        row = row_of[p]
        b[p] = -c[row]
        for q in range(m):
            S[p, q] = zero
        for k in range(count):
            if modes[k] == OPEN:
                continue
            for i in range(first, 1 + size):
                a = 3 * k + i
                if not pressing:
                    b[p] -= A[row, a] * x[a]
                for q in range(m):
                    S[p, q] += A[row, a] * part[a, q]
    return m


@compiled
def forces_in_mode(count, size, pressing, modes, c, A, mu, load, w, x, null):
    """The forces of all rows into x, a pair that changes nothing into null (zero: there is none); how many equations are missing."""
    S = local_array((ROWS, ROWS), c.dtype)
    b = local_array(ROWS, c.dtype)
    z = local_array(ROWS, c.dtype)
    free = local_array(ROWS, c.dtype)
    part = local_array((ROWS, ROWS), c.dtype)
    row_of = local_array(ROWS, int64)
    m = equations(count, size, pressing, modes, c, A, mu, load, w, x, S, b, row_of, part)
    missing = eliminate(S, b, z, free, m) if m > 0 else 0
    for row in range(3 * count):
        null[row] = 0.0 * x[row]
        if modes[row // 3] != OPEN:
            for p in range(m):
                x[row] += part[row, p] * z[p]
                if missing > 0:
                    null[row] += part[row, p] * free[p]
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
    part = local_array((ROWS, ROWS), c.dtype)
    row_of = local_array(ROWS, int64)
    still = local_array(2, c.dtype)
    slips = False
    for k in range(count):
        slips = slips or modes[k] == SLIP
        still[k] = 0.0
    if not pressing or not slips:
        return 1.0
    m = equations(count, size, pressing, modes, c, A, mu, load, w, x, S, b, row_of, part)
    with_friction = determinant(S, m)
    m = equations(count, size, pressing, modes, c, A, still, load, w, x, S, b, row_of, part)
    without = determinant(S, m)
    return with_friction / without if without != 0.0 else 1.0
