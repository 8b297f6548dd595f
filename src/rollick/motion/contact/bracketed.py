"""The contact problem of one contact by nested brackets, where Newton's method does not find its way.

With the normal percussion N held, friction is a monotone problem: minimise 1/2 P_T G_TT P_T + (c_T + N G_TN) P_T over the reservoir at N, or the
like with the smooth law's potential. It has one solution P_T(N), continuous in N, which Newton's method finds, or in the worst case the
projected gradient, whose factors here make it converge from anywhere. What remains is one equation

    xi_N(N) = G_NN N + G_NT P_T(N) + c_N = 0,    N > 0,    or N = 0 if xi_N(0) >= 0.

If xi_N(0) < 0 there is a solution: for large N, xi_N/N tends to at least G_NN - G_NT G_TT^-1 G_TN > 0, because the friction that minimises is
nearer to zero, in the metric of G_TT, than the force that would stick. So a bracket is found by doubling, and halved. This also holds where
the problem without impact has no solution (Painleve's paradox): the solution is then a percussion that does not vanish with the step,
the impact without collision. Where there are several solutions, an open contact is preferred, and otherwise one with small N.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...mechanics.laws.friction import row_count
from .local import contact_velocities, friction_map, newton_matrix, solve_small
from .work import CHANGE, IMAGE, PACE, RESIDUAL, STEP, TANGENT, TRIAL, XI

INNER, TRIALS = 400, 300


@compiled
def slip_residual(law, G, c, P, r, dt, out, w):
    """out[1:] = P - T(P) of the friction rows with P[0] held; its size."""
    rows = row_count(law)
    contact_velocities(G, c, P, rows, w.v[XI])
    friction_map(law, P, w.v[XI], r, dt, P[0], w.v[IMAGE], w.small[2])
    worst = 0.0
    for i in range(1, rows):
        out[i] = P[i] - w.v[IMAGE, i]
        worst = max(worst, abs(out[i]))
    return worst


@compiled
def friction_at(law, G, c, P, r, dt, scale, w):
    """The friction P[1:] at the normal percussion P[0]; returns xi_N.

    Newton's method with line search; where that does not help, a step of the projected gradient, P <- T(P).
    """
    rows = row_count(law)
    error, share = 1e300, 0.0
    plain = False
    for i in range(rows):
        w.v[CHANGE, i] = 0.0
    for _ in range(INNER):
        for i in range(1, rows):
            w.v[TRIAL, i] = P[i] + share * w.v[CHANGE, i - 1]
        w.v[TRIAL, 0] = P[0]
        new = slip_residual(law, G, c, w.v[TRIAL], r, dt, w.v[RESIDUAL], w)
        if plain or new < 0.7 * error:
            stalled = plain and error <= 1e-12 * scale and new >= error
            for i in range(1, rows):
                P[i] = w.v[TRIAL, i]
                w.v[CHANGE, i - 1] = -w.v[RESIDUAL, i]
                w.v[STEP, i - 1] = -w.v[RESIDUAL, i]  # T(P) - P, for a plain step
            error = new
            if error <= 1e-15 * scale or stalled:
                break
            newton_matrix(G, r, w.small[2], 1, rows, w.small[1])
            plain = not solve_small(w.small[1], w.v[CHANGE], rows - 1)
            share = 1.0
        else:
            share *= 0.5
            plain = share < 0.2
        if plain:
            for i in range(rows - 1):
                w.v[CHANGE, i] = w.v[STEP, i]
            share = 1.0
    contact_velocities(G, c, P, rows, w.v[XI])
    return w.v[XI, 0]


@compiled
def bracket_contact(law, G, c, P, r, dt, w):
    """Percussions of one contact into P, by brackets on the normal percussion."""
    rows = row_count(law)
    slow = w.v[TANGENT]  # factors with which the projected gradient converges: G <= rows times its diagonal
    scale = 0.0
    for i in range(rows):
        slow[i] = r[i] / (rows - 1.0) if i > 0 else r[i]
        scale = max(scale, r[i] * abs(c[i]))
        P[i] = 0.0
    slow[PACE] = r[PACE]
    low, at_low, high, at_high = -1.0, 0.0, -1.0, 0.0  # -1: not known yet
    for n in range(TRIALS):
        at = friction_at(law, G, c, P, slow, dt, max(scale, P[0]), w)
        if at >= 0.0:
            high, at_high = P[0], at
            if P[0] == 0.0 or at == 0.0:
                break
        else:
            low, at_low = P[0], at
        if high < 0.0:
            start = r[0] * abs(c[0])
            P[0] = 2.0 * low if low > 0.0 else (start if start > 0.0 else scale)
            continue
        if high - low <= 4e-16 * high:
            if P[0] == high:
                break
            P[0] = high
            continue
        middle = 0.5 * (low + high)
        if n % 3 != 2 and at_high > at_low:
            secant = low - at_low * (high - low) / (at_high - at_low)
            if low < secant < high:
                middle = secant
        P[0] = middle
