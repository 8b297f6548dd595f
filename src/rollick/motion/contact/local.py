"""The contact problem of one contact in one time step: percussions P with contact velocities xi = G P + c.

Normal: 0 <= P_N _|_ xi_N >= 0, that is P_N = max(0, x_N). Friction: P_T = J(x_T) with the law's resolvent at the normal percussion P_N
(`mechanics.laws.response`), x = P - r xi. Both together are P = T(P), piecewise smooth, with slopes dT/dx in closed form: a semismooth Newton
method with line search ends in a few steps, in one if the contact sticks, in none if the last step's percussions still solve the problem.
Where it does not help, the problem is solved by nested brackets (`bracketed`). A problem that is not solved then makes the step refused (`halving`).
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...mechanics.laws.each import Chosen, law_at
from ...mechanics.laws.friction import pivots, row_count
from ...mechanics.laws.response import own_metric, respond, respond_contour, respond_pivoting
from ...mechanics.laws.sliding import arm
from .work import CHANGE, IMAGE, PACE, RESIDUAL, TRIAL, XI

TRIALS = 60  # at most so many points are tried by Newton's method
LEAST = 0.02  # the shortest share of a Newton step
ENOUGH = 1e3  # a residual so many times the tolerance is accepted where rounding lets it become no smaller


@generic
def friction_map(law, P, xi, r, dt, normal, out, slope):
    """out[1:] = the friction at x = P - r xi and a normal percussion; slope[i, j] = d out[i]/d x[j], and in column 0 by the normal percussion.

    r[PACE] is the share of xi at which smooth laws are evaluated: 1, or 1/2 where xi is the sum of the velocities at both ends of the step.
    A factor 0 marks a row without effect: it carries no force.
    """


@generic
def relaxation(law, G, r):
    """Factors r from the Delassus matrix: 1/G_ii, the same for rows that share a reservoir; 0 for rows without effect."""


@friction_map.otherwise
def _(law, P, xi, r, dt, normal, out, slope):
    rows = row_count(law)
    pace = r[PACE]
    k = pace / r[1] if r[1] > 0.0 else 0.0
    turns = rows > 3 and r[3] > 0.0
    kt = pace / r[3] if turns else 0.0
    lever = arm(law)
    coupled = pivots(law.sliding)
    xt = P[3] - r[3] * xi[3] if turns else 0.0
    p, a, b, c = respond(
        law.sliding,
        P[1] - r[1] * xi[1],
        P[2] - r[2] * xi[2],
        xt if coupled else 0.0,
        normal,
        dt,
        k,
        kt if coupled else 0.0,
        lever if coupled else 0.0,
    )
    out[1], out[2] = p[0], p[1]
    slope[1, 0], slope[1, 1], slope[1, 2] = a[3], a[0], a[1]
    slope[2, 0], slope[2, 1], slope[2, 2] = b[3], b[0], b[1]
    if rows > 3:
        slope[1, 3], slope[2, 3] = a[2], b[2]
        if coupled:
            out[3] = p[2]
            slope[3, 0], slope[3, 1], slope[3, 2], slope[3, 3] = c[3], c[0], c[1], c[2]
        else:
            out[3], slope[3, 3], slope[3, 0] = respond_pivoting(law.pivoting, xt, normal, kt, lever)
            slope[3, 1], slope[3, 2] = 0.0, 0.0
        if not turns:
            out[3] = 0.0
            slope[3, 0], slope[3, 1], slope[3, 2], slope[3, 3] = 0.0, 0.0, 0.0, 0.0
            slope[1, 3], slope[2, 3] = 0.0, 0.0
    if rows > 4:
        roll = max(r[4], r[5])
        x1 = P[4] - r[4] * xi[4] if r[4] > 0.0 else 0.0
        x2 = P[5] - r[5] * xi[5] if r[5] > 0.0 else 0.0
        p, a, b, c = respond_contour(law.contour, x1, x2, normal, pace / roll if roll > 0.0 else 0.0)
        for i in range(1, 4):
            slope[i, 4], slope[i, 5] = 0.0, 0.0
            slope[4, i], slope[5, i] = 0.0, 0.0
        out[4], out[5] = p[0], p[1]
        slope[4, 0], slope[4, 4], slope[4, 5] = a[3], a[0], a[1]
        slope[5, 0], slope[5, 4], slope[5, 5] = b[3], b[0], b[1]
        for i in range(4, 6):
            if not r[i] > 0.0:
                out[i] = 0.0
                for j in range(6):
                    slope[i, j], slope[j, i] = 0.0, 0.0


@relaxation.otherwise
def _(law, G, r):
    rows = row_count(law)
    r[0] = 1.0 / G[0, 0]
    most = max(G[1, 1], G[2, 2])
    shared = rows > 3 and pivots(law.sliding) and not own_metric(law.sliding)
    if shared:
        most = max(most, G[3, 3])
    r[1] = 1.0 / most if most > 0.0 else 0.0
    r[2] = r[1]
    if rows > 3:
        r[3] = 0.0
        if G[3, 3] > 0.0:
            r[3] = r[1] if shared else 1.0 / G[3, 3]
    if rows > 4:
        most = max(G[4, 4], G[5, 5])
        r[4] = 1.0 / most if G[4, 4] > 0.0 else 0.0
        r[5] = 1.0 / most if G[5, 5] > 0.0 else 0.0


@friction_map.register(Chosen)
def _(law, P, xi, r, dt, normal, out, slope):
    rows = row_count(law)
    for i in range(1, rows):  # rows that this contact's own law does not have
        out[i] = 0.0
        for j in range(rows):
            slope[i, j] = 0.0
    if law.which == 0:
        friction_map(law.laws.first, P, xi, r, dt, normal, out, slope)
    else:
        friction_map(law_at(law.laws.rest, law.which - 1), P, xi, r, dt, normal, out, slope)


@relaxation.register(Chosen)
def _(law, G, r):
    for i in range(row_count(law)):
        r[i] = 0.0
    if law.which == 0:
        relaxation(law.laws.first, G, r)
    else:
        relaxation(law_at(law.laws.rest, law.which - 1), G, r)


@compiled
def contact_map(law, P, xi, r, dt, out, slope):
    """out = T(P) at the contact velocities xi; slope[i, j] = d T_i/d x_j with x = P - r xi."""
    x = P[0] - r[0] * xi[0]
    normal = x if x > 0.0 else 0.0
    friction_map(law, P, xi, r, dt, normal, out, slope)
    out[0] = normal
    rows = row_count(law)
    for j in range(1, rows):
        slope[0, j] = 0.0
    slope[0, 0] = 1.0
    if not x > 0.0:
        for i in range(rows):
            slope[i, 0] = 0.0


@compiled
def is_held(slope):
    """Whether the percussions that belong to these slopes lie inside the reservoir: T does not change the friction it is given."""
    return slope[0, 0] > 0.0 and slope[1, 1] == 1.0 and slope[2, 2] == 1.0 and slope[1, 2] == 0.0


@compiled
def contact_velocities(G, c, P, rows, xi):
    """xi = G P + c."""
    for i in range(rows):
        total = c[i]
        for j in range(rows):
            total += G[i, j] * P[j]
        xi[i] = total


@compiled
def residual(law, G, c, P, r, dt, out, w):
    """out = P - T(P), with the slopes of T in w.small[2]; returns its size relative to the percussions in play (0: solved)."""
    rows = row_count(law)
    xi, image = w.v[XI], w.v[IMAGE]
    contact_velocities(G, c, P, rows, xi)
    contact_map(law, P, xi, r, dt, image, w.small[2])
    worst, scale = 0.0, 0.0
    for i in range(rows):
        out[i] = P[i] - image[i]
        worst = max(worst, abs(out[i]))
        scale = max(scale, max(abs(P[i]), r[i] * abs(c[i])))
    if not worst < 1e300:
        return 1e300
    return worst / scale if scale > 0.0 else 0.0


@compiled
def solve_small(A, b, n):
    """Solve A x = b in place, by elimination with pivoting; False if A is singular."""
    for k in range(n):
        best, size = k, abs(A[k, k])
        for i in range(k + 1, n):
            if abs(A[i, k]) > size:
                best, size = i, abs(A[i, k])
        if not size > 1e-14:
            return False
        if best != k:
            for j in range(k, n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
            b[k], b[best] = b[best], b[k]
        inverse = 1.0 / A[k, k]
        for i in range(k + 1, n):
            f = A[i, k] * inverse
            if f != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= f * A[k, j]
                b[i] -= f * b[k]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= A[i, j] * b[j]
        b[i] = total / A[i, i]
    return True


@compiled
def newton_matrix(G, r, slope, first, rows, A):
    """A = 1 - S (1 - R G), the derivative of P - T(P), for rows and columns first, ..., first + rows - 1."""
    for i in range(first, rows):
        for j in range(first, rows):
            total = (1.0 if i == j else 0.0) - slope[i, j]
            for m in range(first, rows):
                total += slope[i, m] * r[m] * G[m, j]
            A[i - first, j - first] = total


@compiled
def newton_contact(law, G, c, P, r, dt, tol, w):
    """Newton's method with line search from P, in place; the relative residual. w.small[2] has the slopes of the last point that was tried."""
    rows = row_count(law)
    error, share = 1e300, 0.0
    for i in range(rows):
        w.v[CHANGE, i] = 0.0
    for _ in range(TRIALS):
        for i in range(rows):
            w.v[TRIAL, i] = P[i] + share * w.v[CHANGE, i]
        new = residual(law, G, c, w.v[TRIAL], r, dt, w.v[RESIDUAL], w)
        if new <= (1.0 - 0.1 * share) * error:
            for i in range(rows):
                P[i] = w.v[TRIAL, i]
                w.v[CHANGE, i] = -w.v[RESIDUAL, i]
            error = new
            if error <= tol:
                break
            newton_matrix(G, r, w.small[2], 0, rows, w.small[1])
            if not solve_small(w.small[1], w.v[CHANGE], rows):
                break
            share = 1.0
        else:
            share *= 0.5
            if share < LEAST:
                break
    return error
