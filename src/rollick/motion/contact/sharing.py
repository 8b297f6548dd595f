"""How contacts of a rigid body share a load that they could carry in more than one way.

Points of a rigid body that touch are redundant: two that stick cannot tell the force along the line between them, four on a plane not their
normal forces. Of all x with S x = b the one in the range of W is taken, W the rows whose acceleration is asked for: what equal springs under the
contacts would give, in the limit of stiff ones. Without friction it is the x of least norm, and time stepping chooses the same (`several`). If x0
is given (forces between the contacts that keep all of them inside their cones, `in_cones`) it is x - x0 that lies there.

With Q an orthonormal basis of that range (columns of S0 = W M^-1 W^T, the largest first), x = x0 + Q (Q^T S Q)^-1 Q^T (b - S x0).
"""

from __future__ import annotations

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.dispatch import decided
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import int64, local_array
from ...kernel.scalar import real, sqrt
from ...mechanics.contact import contact_count
from .balance import force_count

REDUNDANT = 1e-9  # relative: a row with so little of its own adds nothing to the others


@compiled
def range_basis(system, S0, Q, m):
    """An orthonormal basis of the range of S0[:m, :m] into the first columns of Q; how many there are."""
    n = force_count(system)
    V = local_array((n, n), S0.dtype)
    for i in range(m):
        for j in range(m):
            V[i, j] = S0[i, j]
    count, largest = 0, 0.0
    for _ in range(m):
        best, most = -1, 0.0
        for j in range(m):
            size = 0.0
            for i in range(m):
                size += real(V[i, j]) * real(V[i, j])
            if size > most:
                best, most = j, size
        largest = max(largest, most)
        if best < 0 or most <= REDUNDANT * REDUNDANT * largest:
            break
        for i in range(m):
            Q[i, count] = V[i, best]
        for p in range(count):  # once more: what is left of a column may be small
            along = 0.0 * S0[0, 0]
            for i in range(m):
                along += Q[i, p] * Q[i, count]
            for i in range(m):
                Q[i, count] -= along * Q[i, p]
        length = 0.0 * S0[0, 0]
        for i in range(m):
            length += Q[i, count] * Q[i, count]
        length = sqrt(length)
        for i in range(m):
            Q[i, count] /= length
        for j in range(m):
            along = 0.0 * S0[0, 0]
            for i in range(m):
                along += Q[i, count] * V[i, j]
            for i in range(m):
                V[i, j] -= along * Q[i, count]
        count += 1
    return count


@compiled
def within(system, S, Q, m, r, B):
    """B = Q^T S Q."""
    n = force_count(system)
    SQ = local_array((n, n), S.dtype)
    for i in range(m):
        for q in range(r):
            SQ[i, q] = 0.0 * S[0, 0]
            for j in range(m):
                SQ[i, q] += S[i, j] * Q[j, q]
    for p in range(r):
        for q in range(r):
            B[p, q] = 0.0 * S[0, 0]
            for i in range(m):
                B[p, q] += Q[i, p] * SQ[i, q]


@compiled
def determinant(B, pivots, r):
    """From the factors of `lu_factor`."""
    found = 1.0 + 0.0 * B[0, 0]
    for i in range(r):
        found *= B[i, i] if pivots[i] == i else -B[i, i]
    return found


@decided
def solve_shared(system, S, S0, b, x0, x, m):
    """x with S x = b; the determinant of S relative to that of S0 (without friction), within their range."""
    return solve_plain if contact_count(system) == 1 else solve_in_range


@compiled
def solve_plain(system, S, S0, b, x0, x, m):
    """For one contact, which is never redundant. A tangential row of zeros (a body in a plane) carries no force."""
    n = force_count(system)
    F = local_array((n, n), b.dtype)
    pivots = local_array(n, int64)
    for i in range(m):
        x[i] = b[i]
        for j in range(m):
            F[i, j] = S[i, j]
        if i > 0 and real(S[i, i]) == 0.0:
            F[i, i] = 1.0 + 0.0 * b[0]
            x[i] = 0.0 * b[0]
    lu_factor(F[:m, :m], pivots[:m])
    lu_solve(F[:m, :m], pivots[:m], x[:m])
    return 1.0 + 0.0 * b[0]


@compiled
def solve_in_range(system, S, S0, b, x0, x, m):
    """For several contacts."""
    apart()
    n = force_count(system)
    Q = local_array((n, n), b.dtype)
    B = local_array((n, n), b.dtype)
    B0 = local_array((n, n), b.dtype)
    left = local_array(n, b.dtype)
    part = local_array(n, b.dtype)
    pivots = local_array(n, int64)
    pivots0 = local_array(n, int64)
    r = range_basis(system, S0, Q, m)
    within(system, S, Q, m, r, B)
    within(system, S0, Q, m, r, B0)
    for i in range(m):
        x[i] = x0[i] + 0.0 * b[0]
        left[i] = b[i]
        for j in range(m):
            left[i] -= S[i, j] * x0[j]
    for p in range(r):
        part[p] = 0.0 * b[0]
        for i in range(m):
            part[p] += Q[i, p] * left[i]
    lu_factor(B[:r, :r], pivots[:r])
    lu_solve(B[:r, :r], pivots[:r], part[:r])
    for i in range(m):
        for p in range(r):
            x[i] += Q[i, p] * part[p]
    lu_factor(B0[:r, :r], pivots0[:r])
    return determinant(B, pivots, r) / determinant(B0, pivots0, r)
