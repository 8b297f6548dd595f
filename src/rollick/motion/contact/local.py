"""The contact problem of one contact in one time step: percussions P with contact velocities xi = G P + c.

Normal: 0 <= P_N _|_ xi_N >= 0. Friction: P_T = prox(P_T - r xi_T) onto the reservoir at P_N for set-valued laws; the law's own force, evaluated
at xi, for smooth ones. Both together are a fixed point P = T(P): iterated as in the thesis, or solved by a semismooth Newton method (the map
is piecewise smooth; its Jacobian is taken by differences), which ends in a few steps, in one if the contact sticks.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...mechanics.laws.each import Chosen, law_at
from ...mechanics.laws.friction import contour_ratio, pivot_couple, pivots, prox_contour, prox_pivoting, row_count
from ...mechanics.laws.sliding import arm, prox, set_valued, traction
from .work import CHANGE, IMAGE, PACE, RESIDUAL, TRIAL, XI

NEWTON = 30  # at most so many Newton steps


@generic
def fixed_point(law, P, xi, r, dt, out):
    """out = T(P), given the contact velocities xi at P and the factors r of each row.

    r[6] is the share of xi at which smooth laws are evaluated: 1, or 1/2 where xi is the sum of the velocities at both ends of the step.
    """


@generic
def relaxation(law, G, r):
    """Factors r from the Delassus matrix: 1/G_ii, the same for rows that share a reservoir; 0 for rows without effect."""


@generic
def is_stuck(law, P, normal_floor):
    """Whether the percussions of a contact lie inside the reservoir of its sliding law."""


@generic
def sliding_map(law, x1, x2, xt, v1, v2, vt, normal, dt, lever):
    """New sliding percussions (and the pivoting one, if the law couples them), from x = P - r xi and from xi itself."""


@sliding_map.otherwise
def _(law, x1, x2, xt, v1, v2, vt, normal, dt, lever):
    if set_valued(law):
        return prox(law, x1, x2, xt, normal)
    spin = vt / lever if lever > 0.0 else 0.0
    a, b = traction(law, v1, v2, spin)
    couple = (normal * a[2] + dt * b[2]) / lever if lever > 0.0 else 0.0
    return normal * a[0] + dt * b[0], normal * a[1] + dt * b[1], couple


@fixed_point.otherwise
def _(law, P, xi, r, dt, out):
    rows = row_count(law)
    pace = r[PACE]
    normal = P[0] - r[0] * xi[0]
    normal = normal if normal > 0.0 else 0.0
    out[0] = normal
    pt = P[3] - r[3] * xi[3] if rows > 3 and r[3] > 0.0 else 0.0  # r = 0 marks a row without effect: no force
    vt = xi[3] if rows > 3 else 0.0
    lever = arm(law)
    t1, t2, tt = sliding_map(
        law.sliding, P[1] - r[1] * xi[1], P[2] - r[2] * xi[2], pt, pace * xi[1], pace * xi[2], pace * vt, normal, dt, lever
    )
    out[1] = t1
    out[2] = t2
    if rows > 3:
        if pivots(law.sliding):
            out[3] = tt
        elif set_valued(law.pivoting):
            out[3] = prox_pivoting(law.pivoting, pt, normal)
        elif pivots(law.pivoting):
            out[3] = normal * pivot_couple(law.pivoting, pace * vt / lever) / lever
        else:
            out[3] = 0.0
    if rows > 4:
        if set_valued(law.contour):
            x1 = P[4] - r[4] * xi[4] if r[4] > 0.0 else 0.0
            x2 = P[5] - r[5] * xi[5] if r[5] > 0.0 else 0.0
            k1, k2 = prox_contour(law.contour, x1, x2, normal)
        else:
            k1, k2 = contour_ratio(law.contour, pace * xi[4], pace * xi[5])
            k1 *= normal
            k2 *= normal
        out[4] = k1
        out[5] = k2


@compiled
def contact_velocities(G, c, P, rows, xi):
    """xi = G P + c."""
    for i in range(rows):
        total = c[i]
        for j in range(rows):
            total += G[i, j] * P[j]
        xi[i] = total


@relaxation.otherwise
def _(law, G, r):
    rows = row_count(law)
    r[0] = 1.0 / G[0, 0]
    most = max(G[1, 1], G[2, 2])
    if rows > 3 and pivots(law.sliding):
        most = max(most, G[3, 3])
    r[1] = 1.0 / most
    r[2] = r[1]
    if rows > 3:
        r[3] = 0.0
        if G[3, 3] > 0.0:
            r[3] = r[1] if pivots(law.sliding) else 1.0 / G[3, 3]
    if rows > 4:
        most = max(G[4, 4], G[5, 5])
        r[4] = 1.0 / most if G[4, 4] > 0.0 else 0.0
        r[5] = 1.0 / most if G[5, 5] > 0.0 else 0.0


@is_stuck.otherwise
def _(law, P, normal_floor):
    if not set_valued(law.sliding) or P[0] <= normal_floor:
        return False
    k = 1.0 + 1e-9
    t1, t2, _ = prox(law.sliding, k * P[1], k * P[2], k * P[3] if row_count(law) > 3 else 0.0, P[0])
    return abs(t1 - k * P[1]) + abs(t2 - k * P[2]) == 0.0


@fixed_point.register(Chosen)
def _(law, P, xi, r, dt, out):
    for i in range(row_count(law)):  # rows that this contact's own law does not have
        out[i] = 0.0
    if law.which == 0:
        fixed_point(law.laws.first, P, xi, r, dt, out)
    else:
        fixed_point(law_at(law.laws.rest, law.which - 1), P, xi, r, dt, out)


@relaxation.register(Chosen)
def _(law, G, r):
    for i in range(row_count(law)):
        r[i] = 0.0
    if law.which == 0:
        relaxation(law.laws.first, G, r)
    else:
        relaxation(law_at(law.laws.rest, law.which - 1), G, r)


@is_stuck.register(Chosen)
def _(law, P, normal_floor):
    if law.which == 0:
        return is_stuck(law.laws.first, P, normal_floor)
    return is_stuck(law_at(law.laws.rest, law.which - 1), P, normal_floor)


@compiled
def residual(law, G, c, P, r, dt, xi, image, out):
    """out = P - T(P); returns its size relative to the percussions in play (0: solved)."""
    rows = row_count(law)
    contact_velocities(G, c, P, rows, xi)
    fixed_point(law, P, xi, r, dt, image)
    worst = 0.0
    scale = 0.0
    for i in range(rows):
        out[i] = P[i] - image[i]
        worst = max(worst, abs(out[i]))
        scale = max(scale, max(abs(P[i]), r[i] * abs(c[i])))
    return worst / scale if scale > 0.0 else 0.0


@compiled
def solve_small(A, b, n):
    """Solve A x = b in place, by elimination with pivoting; False if A is singular."""
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if abs(A[best, k]) < 1e-14:
            return False
        if best != k:
            for j in range(n):
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
def solve_contact(law, G, c, P, r, dt, tol, w):
    """Percussions of one contact; returns the relative residual. w: work rows (xi, image, F, trial, step) and a square."""
    rows = row_count(law)
    error = residual(law, G, c, P, r, dt, w.v[XI], w.v[IMAGE], w.v[RESIDUAL])
    for _ in range(NEWTON):
        if error <= tol:
            return error
        scale = 0.0
        for i in range(rows):
            scale = max(scale, max(abs(P[i]), r[i] * abs(c[i])))
        h = 1e-7 * scale
        for j in range(rows):
            keep = P[j]
            P[j] = keep + h
            residual(law, G, c, P, r, dt, w.v[XI], w.v[IMAGE], w.v[TRIAL])
            P[j] = keep
            for i in range(rows):
                w.small[1, i, j] = (w.v[TRIAL, i] - w.v[RESIDUAL, i]) / h
        for i in range(rows):
            w.v[CHANGE, i] = -w.v[RESIDUAL, i]
        better = False
        if solve_small(w.small[1], w.v[CHANGE], rows):
            for i in range(rows):
                w.v[TRIAL, i] = P[i] + w.v[CHANGE, i]
            if w.v[TRIAL, 0] < 0.0:
                w.v[TRIAL, 0] = 0.0
            new = residual(law, G, c, w.v[TRIAL], r, dt, w.v[XI], w.v[IMAGE], w.v[CHANGE])
            if new < 0.9 * error:
                better = True
                for i in range(rows):
                    P[i] = w.v[TRIAL, i]
                    w.v[RESIDUAL, i] = w.v[CHANGE, i]
                error = new
        if not better:  # a few steps of the fixed point, which cannot go astray
            for _ in range(4):
                contact_velocities(G, c, P, rows, w.v[XI])
                fixed_point(law, P, w.v[XI], r, dt, w.v[IMAGE])
                for i in range(rows):
                    P[i] = w.v[IMAGE, i]
            error = residual(law, G, c, P, r, dt, w.v[XI], w.v[IMAGE], w.v[RESIDUAL])
    return error
