"""When rolling is the only future: a bound that proves it from the forces of rolling alone, so that no other future has to be looked for.

Contacts that are still (slip zero) roll with forces x_r, others slip on along their directions with friction -mu N w. Let x_s be the forces of any other future,
d = x_s - x_r, and B the rows and columns of A for the unknown forces (the column of a contact that slips on is that along (1, -mu w)). Accelerations differ by
B d, and wherever a future does something else than rolling, Coulomb's law and Signorini's tell the sign of a force times it:

    d . B d = sum over slips that begin along w_k of |a_k| (-mu_k N_sk - T_rk . w_k)  -  sum over gaps that open of a_k N_rk.

If the symmetric part of B has no negative eigenvalue the left-hand side is not negative; the right-hand side is, unless |T_rk| >= mu_k N_sk somewhere. So rolling is alone if

    |T_rk| < mu_k L_k      at every contact that is still,

L_k a lower bound of the normal forces of all futures. These keep their gaps closed under friction |T_j| <= mu_j N_j: with N = N^0 - K T, N^0 the forces without that
friction, M_kj = |K_kj| mu_j and N <= U = (I - M)^-1 N^0,  L = N^0 - M U. Where both roll, x_r is any of the forces that differ by what nothing depends on.
"""

from __future__ import annotations

import math

from ....kernel.compiled import compiled
from ....kernel.local_array import float64, int64, local_array
from .forces import OPEN, ROWS, per_normal

CLEAR = 1e-6  # relative: what a bound must be kept by


@compiled
def along_slip(size, still, A, mu, w, row, k):
    """The acceleration of a row per normal force of contact k: with its friction if it slips on."""
    return A[row, 3 * k] if still[k] else per_normal(size, A, mu, w, row, k)


@compiled
def has_no_negative(S, m):
    """Whether a symmetric matrix (its lower half, overwritten) has no negative eigenvalue: Cholesky's elimination."""
    largest = 0.0
    for i in range(m):
        largest = max(largest, abs(S[i, i]))
    for j in range(m):
        if S[j, j] < -1e-12 * largest:
            return False
        if S[j, j] <= 1e-12 * largest:
            for i in range(j + 1, m):
                if abs(S[i, j]) > 1e-6 * largest:
                    return False
            continue
        per = 1.0 / S[j, j]
        for i in range(j + 1, m):
            factor = S[i, j] * per
            for q in range(j + 1, i + 1):
                S[i, q] -= factor * S[q, j]
    return True


@compiled
def monotone_rows(count, size, was, still, A, mu, w):
    """Whether the symmetric part of B has no negative eigenvalue."""
    S, rows = local_array((ROWS, ROWS), float64), local_array(ROWS, int64)
    m = 0
    for k in range(count):
        if was[k] != OPEN:
            for i in range(1 + size if still[k] else 1):
                rows[m] = 3 * k + i
                m += 1
    for i in range(m):
        for j in range(i + 1):
            a, b = rows[i], rows[j]
            if a % 3 == 0 or b % 3 == 0:  # one of them may be the normal row of a contact that slips on
                forth = along_slip(size, still, A, mu, w, a, b // 3) if b % 3 == 0 else A[a, b]
                back = along_slip(size, still, A, mu, w, b, a // 3) if a % 3 == 0 else A[b, a]
                S[i, j] = 0.5 * (forth + back)
            else:
                S[i, j] = 0.5 * (A[a, b] + A[b, a])
    return has_no_negative(S, m)


@compiled
def friction_length(size, A, row, k):
    """The length of the row of A for forces along the surface at contact k."""
    if size == 1:
        return abs(A[row, 3 * k + 1])
    return math.sqrt(A[row, 3 * k + 1] * A[row, 3 * k + 1] + A[row, 3 * k + 2] * A[row, 3 * k + 2])


@compiled
def single(k, size, still, c, A, mu, w):
    """(lower, upper) bound of the normal force of contact k with the other one open; upper: -1 if it has none."""
    own = along_slip(size, still, A, mu, w, 3 * k, k)
    more = mu[k] * friction_length(size, A, 3 * k, k) if still[k] else 0.0
    if not own > more:
        return 0.0, -1.0
    return max(0.0, -c[3 * k]) / (own + more), max(0.0, -c[3 * k]) / (own - more)


@compiled
def can_open(o, size, still, c, A, mu, w, upper):
    """Whether the gap of contact o may grow under forces of the other one, whose normal force is at most `upper`."""
    k = 1 - o
    per = along_slip(size, still, A, mu, w, 3 * o, k) + (mu[k] * friction_length(size, A, 3 * o, k) if still[k] else 0.0)
    return not (c[3 * o] < 0.0 and c[3 * o] + max(0.0, per) * upper < 0.0)


@compiled
def lower_bounds(size, still, c, A, mu, w, low):
    """L of two closed contacts into low, for futures that keep both closed; whether there are such bounds."""
    M = local_array((2, 2), float64)
    a, b = along_slip(size, still, A, mu, w, 0, 0), along_slip(size, still, A, mu, w, 0, 1)
    d, e = along_slip(size, still, A, mu, w, 3, 0), along_slip(size, still, A, mu, w, 3, 1)
    det = a * e - b * d
    if not det > CLEAR * (abs(a * e) + abs(b * d)):
        return False
    n0, n1 = (b * c[3] - e * c[0]) / det, (d * c[0] - a * c[3]) / det
    for j in range(2):
        M[0, j] = M[1, j] = 0.0
        if still[j]:
            s0 = s1 = 0.0
            for i in range(1, 1 + size):
                p, q = A[0, 3 * j + i], A[3, 3 * j + i]
                s0 += (e * p - b * q) * (e * p - b * q)
                s1 += (a * q - d * p) * (a * q - d * p)
            M[0, j], M[1, j] = mu[j] * math.sqrt(s0) / det, mu[j] * math.sqrt(s1) / det
    one = (1.0 - M[0, 0]) * (1.0 - M[1, 1]) - M[0, 1] * M[1, 0]
    if not (M[0, 0] < 1.0 and M[1, 1] < 1.0 and one > CLEAR):
        return False
    up0, up1 = ((1.0 - M[1, 1]) * n0 + M[0, 1] * n1) / one, ((1.0 - M[0, 0]) * n1 + M[1, 0] * n0) / one
    low[0], low[1] = n0 - M[0, 0] * up0 - M[0, 1] * up1, n1 - M[1, 0] * up0 - M[1, 1] * up1
    return True


@compiled
def normal_bounds(count, size, was, still, c, A, mu, w, low):
    """L into low, over all futures; whether there are such bounds."""
    if count == 1 or was[0] == OPEN or was[1] == OPEN:
        k = 1 if count == 2 and was[0] == OPEN else 0
        low[k], upper = single(k, size, still, c, A, mu, w)
        return upper > 0.0
    if not lower_bounds(size, still, c, A, mu, w, low):
        return False
    for k in range(2):
        if still[k]:
            lower, upper = single(k, size, still, c, A, mu, w)
            if upper < 0.0:
                return False
            if can_open(1 - k, size, still, c, A, mu, w, upper):
                low[k] = min(low[k], lower)
    return True


@compiled
def friction_of_rolling(size, x, null, k, tau):
    """|T|^2 of a contact."""
    a = x[3 * k + 1] + tau * null[3 * k + 1]
    b = x[3 * k + 2] + tau * null[3 * k + 2] if size == 2 else 0.0
    return a * a + b * b


@compiled
def rolling_is_alone(count, size, was, still, c, A, mu, w, x, null):
    """Whether it is sure that there is no future beside the one in which all contacts that are still roll, with forces x + tau null, and the others slip on.

    False: it may have company. The forces are those of contacts that press.
    """
    low, most = local_array(2, float64), local_array(2, float64)
    if not normal_bounds(count, size, was, still, c, A, mu, w, low):
        return False
    top = bottom = 0.0
    for k in range(count):
        if was[k] != OPEN and still[k]:
            most[k] = (1.0 - CLEAR) * mu[k] * low[k]
            if not most[k] > 0.0:
                return False
            per = 1.0 / (most[k] * most[k])
            for i in range(1, 1 + size):
                top -= per * x[3 * k + i] * null[3 * k + i]
                bottom += per * null[3 * k + i] * null[3 * k + i]
    tau = top / bottom if bottom > 0.0 else 0.0  # frictions are small, compared with what is allowed
    for k in range(count):
        if was[k] != OPEN and still[k] and not friction_of_rolling(size, x, null, k, tau) < most[k] * most[k]:
            return False
    return monotone_rows(count, size, was, still, A, mu, w)
