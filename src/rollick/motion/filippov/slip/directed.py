"""A step of slip whose direction is slaved: where slip is small, its direction follows the forces much faster than anything else moves.

The field depends on the direction w(phi) of a slip u, and w on u: w x u = 0, which near u = 0 is an algebraic equation for phi (the limit directions: w x u' = 0),
and further away the differential equation. Radau's collocation holds for both: at its nodes

    Y_i = y + h sum_j a_ij F(Y_j, phi_j),      u_i = u + h sum_j a_ij u'(Y_j, phi_j),      w(phi_i) x u_i = 0.

The angles are found by Newton's method, since they are what is stiff; the states follow by iteration. A step may begin at u = 0 exactly, where slip begins along a
limit direction: so no first trace of slip is needed, and steps are as long as the motion is smooth.

Where iteration is slow (slip that is stiff, near a steady motion above all) Newton's method is taken for all unknowns of a step, the rates F_j at the nodes and the angles phi_j;
with Y_j = y + h sum_q a_jq F_q, K = dF/dy and L = dU/dy (U: the slip rates), both at one place in the middle of the step,

    dF_j - h K sum_q a_jq dF_q - F_phi dphi_j = F(Y_j, phi_j) - F_j,

    h sum_q a_jq w_j x (U_phi dphi_q + L h sum_p a_qp dF_p) - (w_j . u_j) dphi_j = - w_j x u_j.
"""

from __future__ import annotations

import math

import numpy as np

from ....kernel.compiled import compiled
from ....kernel.linear import lu_factor, lu_solve
from ....kernel.local_array import square
from ...ode.collocation import PROBE, RADAU, STAGES
from ...ode.dense import ROWS as DENSE_ROWS
from ..algebra.forces import SLIP
from ..by_address import add_up, forces_here, see_again, slip_rate, slip_rates
from ..records import fields

NUDGE = 1e-6  # rad: for differences with respect to an angle, which only have to make Newton's method converge
# Of the step before: length (0: it was none of these) and end; how long steps are for which states need Newton's method; the step that J is for; error.
LENGTH, END, STIFF, FACTORS, ERROR = range(5)
FAR_TURN = 0.5  # rad: the most that an angle is changed by at once
FEW = 8  # states: up to so many, Newton's method may be taken for all unknowns of a step
NODES, WEIGHTS, AT_PROBE, UNTIL_PROBE, DENSE = RADAU
TWICE = WEIGHTS @ WEIGHTS  # sum_q a_jq a_qp
MIDDLE = STAGES // 2
STEP = 1e-7  # of a state, or of where its relative tolerance begins: for differences
ITERATIONS = 20
ENOUGH = 1e-2  # of the tolerance: what is left of the iteration
SLOW = 0.2  # of a change by the one after it: convergence for which derivatives are computed again
FURTHER = 2.0  # times the step before: how long a step may be that begins with its extrapolated rates
SLOWLY = 5  # rounds of an iteration with a good guess: so many, and steps as long take Newton's method for the states too, if they are few
FEWER = 5  # states: with more of them factors cost as much as many rounds
MANY, TOO_MANY = 7, 10  # rounds of the iteration: so many, and the next step is not longer; so many, and it is shorter
NO_LONGER, SHORTER = 0.3, 0.9  # errors, relative to the tolerance, after which it is not longer, or shorter
DIP = 0.3  # of the error before: what an error counts as at least
LESS, KEEP = 0.9, 1.25  # times as long: between these a step stays as it is, if Newton's matrix can be kept then
SHARE = 1.5e-3  # of the defect at the probe, which is of order six: the error, of order nine


def directed_kind(n: int) -> np.dtype:
    """Memory for n states: rates F (start and stages), slip rates U, their derivatives by angles and by states (K, L), angles and their directions, residuals R, Newton's matrix (its factors, and
    their pivots) and right-hand side, one state, one rate, and what is known from the step before."""
    s = STAGES
    most = s * (n + 2) if n <= FEW else 2 * s  # unknowns
    return fields(
        F=(s + 1, n), U=(s + 1, 4), dF=(s, 2, n), dU=(s, 2, 4), K=(n, n), L=(4, n), phi=(s, 2), w=(s, 4), R=(s, n), J=(most * most,), pivots=np.dtype((np.int64, (most,))),
        before=(5,), b=(most,), Y=(n,), f=(n,), u=(4,), rates=(4,),
    )  # fmt: skip


@compiled
def along(form, modes, phi0, phi1, t, y, here, out, rates):
    """dy/dt and the slip rates, with slips along given angles."""
    see_again(form, modes, t, y, here)
    if modes[0] == SLIP:
        here.w[0], here.w[1] = math.cos(phi0), math.sin(phi0)
    if modes[1] == SLIP:
        here.w[2], here.w[3] = math.cos(phi1), math.sin(phi1)
    forces_here(form, modes, here)
    add_up(form, modes, here, out)
    slip_rates(form, modes, here, rates)


@compiled
def nudge(form, modes, k, phi, here):
    """The forces for an angle of contact k that is a little larger."""
    here.w[2 * k], here.w[2 * k + 1] = math.cos(phi + NUDGE), math.sin(phi + NUDGE)
    forces_here(form, modes, here)


@compiled
def by_angle(form, modes, k, phi, here, base, rates, dF, dU):
    """The derivatives of rate and slip rates by the angle of contact k, at the instant that `here` holds."""
    w1, w2 = here.w[2 * k], here.w[2 * k + 1]
    nudge(form, modes, k, phi, here)
    add_up(form, modes, here, dF)
    slip_rates(form, modes, here, dU)
    for i in range(dF.size):
        dF[i] = (dF[i] - base[i]) / NUDGE
    for i in range(4):
        dU[i] = (dU[i] - rates[i]) / NUDGE
    here.w[2 * k], here.w[2 * k + 1] = w1, w2


@compiled
def slip_by_angle(form, modes, k, phi, here, rate1, rate2):
    """The derivative of the slip rate (rate1, rate2) of contact k by its angle; the forces in `here` are then those of the angle a little larger."""
    w1, w2 = here.w[2 * k], here.w[2 * k + 1]
    nudge(form, modes, k, phi, here)
    d1 = (slip_rate(form, modes, here, 3 * k + 1) - rate1) / NUDGE
    d2 = (slip_rate(form, modes, here, 3 * k + 2) - rate2) / NUDGE
    here.w[2 * k], here.w[2 * k + 1] = w1, w2
    return d1, d2


@compiled
def slip_at_node(i, k, u0, h, d):
    """u_i of contact k."""
    u, v = u0[2 * k], u0[2 * k + 1]
    for j in range(STAGES):
        u += h * WEIGHTS[i, j] * d.U[j + 1, 2 * k]
        v += h * WEIGHTS[i, j] * d.U[j + 1, 2 * k + 1]
    return u, v


@compiled
def state_at(j, y, h, d):
    """Y_j, into d.Y."""
    for i in range(y.size):
        total = 0.0
        for q in range(STAGES):
            total += WEIGHTS[j, q] * d.F[q + 1, i]
        d.Y[i] = y[i] + h * total


@compiled
def by_state(form, modes, t, y, h, here, d, rtol, atol):
    """K and L, by differences, at the node in the middle."""
    phi0, phi1 = d.phi[MIDDLE, 0], d.phi[MIDDLE, 1]
    t += NODES[MIDDLE] * h
    state_at(MIDDLE, y, h, d)
    along(form, modes, phi0, phi1, t, d.Y, here, d.f, d.rates)
    for c in range(form.n):
        value = d.Y[c]
        d.Y[c] += STEP * max(abs(value), atol[c] / rtol)
        by = d.Y[c] - value
        along(form, modes, phi0, phi1, t, d.Y, here, d.b[: y.size], d.u)
        for i in range(form.n):
            d.K[i, c] = (d.b[i] - d.f[i]) / by
        for i in range(4):
            d.L[i, c] = (d.u[i] - d.rates[i]) / by
        d.Y[c] = value


@compiled
def residuals(form, modes, t, y, h, here, d, anew):
    """R_j = F(Y_j, phi_j) - F_j, slip rates and directions at the nodes, and (anew) derivatives by the angles."""
    for j in range(STAGES):
        state_at(j, y, h, d)
        along(form, modes, d.phi[j, 0], d.phi[j, 1], t + NODES[j] * h, d.Y, here, d.f, d.U[j + 1])
        for i in range(4):
            d.w[j, i] = here.w[i]
        for i in range(y.size):
            d.R[j, i] = d.f[i] - d.F[j + 1, i]
        for k in range(2):
            if modes[k] == SLIP and anew:
                by_angle(form, modes, k, d.phi[j, k], here, d.f, d.U[j + 1], d.dF[j, k], d.dU[j, k])


@compiled
def whole_matrix(form, modes, u0, h, d, size):
    """The factors of the matrix of all unknowns; whether there are some."""
    n = form.n
    J = square(d.J[: size * size], size)
    J[:] = 0.0
    for j in range(STAGES):
        for i in range(n):
            for q in range(STAGES):
                for c in range(n):
                    J[j * n + i, q * n + c] = -h * WEIGHTS[j, q] * d.K[i, c]
            J[j * n + i, j * n + i] += 1.0
    place = STAGES * n
    for j in range(STAGES):
        for k in range(2):
            if modes[k] != SLIP:
                continue
            for i in range(n):
                J[j * n + i, place] = -d.dF[j, k, i]
            w1, w2 = d.w[j, 2 * k], d.w[j, 2 * k + 1]
            u, v = slip_at_node(j, k, u0, h, d)
            for p in range(STAGES):
                for c in range(n):
                    J[place, p * n + c] = h * h * TWICE[j, p] * (w1 * d.L[2 * k + 1, c] - w2 * d.L[2 * k, c])
            column = STAGES * n
            for q in range(STAGES):
                for other in range(2):
                    if modes[other] == SLIP:
                        J[place, column] = h * WEIGHTS[j, q] * (w1 * d.dU[q, other, 2 * k + 1] - w2 * d.dU[q, other, 2 * k])
                        column += 1
            J[place, place] -= w1 * u + w2 * v
            place += 1
    return lu_factor(J, d.pivots)


@compiled
def corrected(form, modes, y, u0, h, d, size, rtol, atol):
    """Newton's correction of rates and angles; the largest change of a state, relative to the tolerances."""
    n = form.n
    place = STAGES * n
    for j in range(STAGES):
        for i in range(n):
            d.b[j * n + i] = d.R[j, i]
        for k in range(2):
            if modes[k] == SLIP:
                u, v = slip_at_node(j, k, u0, h, d)
                d.b[place] = d.w[j, 2 * k + 1] * u - d.w[j, 2 * k] * v
                place += 1
    lu_solve(square(d.J[: size * size], size), d.pivots, d.b[:size])
    change, place = 0.0, STAGES * n
    for j in range(STAGES):
        for i in range(n):
            off = d.b[j * n + i]
            d.F[j + 1, i] += off
            off = h * abs(off) / (atol[i] + rtol * abs(y[i]))
            if not off <= change:
                change = off
            total = 0.0  # the change of Y_j
            for q in range(STAGES):
                total += h * WEIGHTS[j, q] * d.b[q * n + i]
            for c in range(4):
                d.U[j + 1, c] += d.L[c, i] * total
        for k in range(2):
            if modes[k] == SLIP:
                by = min(FAR_TURN, max(-FAR_TURN, d.b[place]))
                d.phi[j, k] += by
                for c in range(4):
                    d.U[j + 1, c] += by * d.dU[j, k, c]
                place += 1
    return change


@compiled
def newton_round(form, modes, t, y, u0, h, here, d, rtol, atol, m, anew):
    """One round, with m angles and (anew) new derivatives; the largest change of a state, relative to the tolerances, infinite where there is none."""
    size = STAGES * form.n + m
    if anew:
        by_state(form, modes, t, y, h, here, d, rtol, atol)
    residuals(form, modes, t, y, h, here, d, anew)
    if anew and not whole_matrix(form, modes, u0, h, d, size):
        return math.inf
    return corrected(form, modes, y, u0, h, d, size, rtol, atol)


@compiled
def evaluate_stages(form, modes, t, y, h, here, d, rtol, atol, anew):
    """Rates at the nodes for the angles at hand, and (anew) their derivatives; the largest change of a state, relative to the tolerances."""
    moved = 0.0
    for j in range(STAGES):
        state_at(j, y, h, d)
        along(form, modes, d.phi[j, 0], d.phi[j, 1], t + NODES[j] * h, d.Y, here, d.f, d.U[j + 1])
        for i in range(4):
            d.w[j, i] = here.w[i]
        for i in range(y.size):
            off = h * abs(d.f[i] - d.F[j + 1, i]) / (atol[i] + rtol * max(abs(y[i]), abs(d.Y[i])))
            if not off <= moved:
                moved = off
            d.F[j + 1, i] = d.f[i]
        for k in range(2):
            if modes[k] == SLIP and anew:
                by_angle(form, modes, k, d.phi[j, k], here, d.F[j + 1], d.U[j + 1], d.dF[j, k], d.dU[j, k])
    return moved


@compiled
def matrix(modes, u0, h, d, m):
    """The factors of Newton's matrix for w x u = 0 at all nodes, m equations; whether there are some."""
    place = 0
    J = square(d.J[: m * m], m)
    for i in range(STAGES):
        for k in range(2):
            if modes[k] != SLIP:
                continue
            u, v = slip_at_node(i, k, u0, h, d)
            w1, w2 = d.w[i, 2 * k], d.w[i, 2 * k + 1]
            column = 0
            for j in range(STAGES):
                for q in range(2):
                    if modes[q] == SLIP:
                        J[place, column] = h * WEIGHTS[i, j] * (w1 * d.dU[j, q, 2 * k + 1] - w2 * d.dU[j, q, 2 * k])
                        if i == j and k == q:
                            J[place, column] -= w1 * u + w2 * v
                        column += 1
            place += 1
    return lu_factor(J, d.pivots)


@compiled
def correction(modes, u0, h, d, m):
    """Newton's correction of the angles, into d.b."""
    place = 0
    for i in range(STAGES):
        for k in range(2):
            if modes[k] == SLIP:
                u, v = slip_at_node(i, k, u0, h, d)
                d.b[place] = d.w[i, 2 * k + 1] * u - d.w[i, 2 * k] * v
                place += 1
    lu_solve(square(d.J[: m * m], m), d.pivots, d.b[:m])


@compiled
def turn(modes, y, h, d, rtol, atol):
    """Turn the angles by Newton's correction d.b, rates with them; the largest change of a state, relative to the tolerances."""
    turned, place = 0.0, 0
    for j in range(STAGES):
        for k in range(2):
            if modes[k] == SLIP:
                by = min(FAR_TURN, max(-FAR_TURN, d.b[place]))
                d.phi[j, k] += by
                for i in range(y.size):
                    off = by * d.dF[j, k, i]
                    d.F[j + 1, i] += off
                    turned = max(turned, h * abs(off) / (atol[i] + rtol * abs(y[i])))
                for i in range(4):
                    d.U[j + 1, i] += by * d.dU[j, k, i]
                place += 1
    return turned


@compiled
def first_guess(t, angles, h, n, d):
    """Rates and angles at the nodes to begin with: those of the step just before, extrapolated, if it was not much shorter (then True); else those at the start."""
    c, F = NODES, d.dF
    if d.before[LENGTH] == 0.0 or d.before[END] != t or h > FURTHER * d.before[LENGTH]:
        for j in range(STAGES):
            d.phi[j, 0], d.phi[j, 1] = angles[0], angles[1]
            for i in range(n):
                d.F[j + 1, i] = d.F[0, i]
        return False
    for j in range(STAGES):
        x = 1.0 + c[j] * h / d.before[LENGTH]
        for i in range(n):
            F[j, 0, i] = 0.0
        d.b[2 * j] = d.b[2 * j + 1] = 0.0
        for q in range(STAGES):
            weight = 1.0  # of node q, by Lagrange
            for p in range(STAGES):
                if p != q:
                    weight *= (x - c[p]) / (c[q] - c[p])
            for i in range(n):
                F[j, 0, i] += weight * d.F[q + 1, i]
            for k in range(2):
                d.b[2 * j + k] += weight * d.phi[q, k]
    for j in range(STAGES):
        d.phi[j, 0], d.phi[j, 1] = d.b[2 * j], d.b[2 * j + 1]
        for i in range(n):
            d.F[j + 1, i] = F[j, 0, i]
    return True


@compiled
def iterate(form, modes, t, y, u0, h, here, d, rtol, atol, whole, guessed):
    """Find rates and angles at the nodes; how many rounds it took, ITERATIONS if it did not converge."""
    before, slowest, anew = math.inf, 1.0, not (whole and d.before[FACTORS] == h)
    m = STAGES * ((modes[0] == SLIP) + (modes[1] == SLIP))
    for round_ in range(ITERATIONS):
        if whole:
            change = newton_round(form, modes, t, y, u0, h, here, d, rtol, atol, m, anew)
            d.before[FACTORS] = h
        else:
            d.before[FACTORS] = 0.0
            change = evaluate_stages(form, modes, t, y, h, here, d, rtol, atol, anew)
            if not change < math.inf or (anew and not matrix(modes, u0, h, d, m)):
                break
            correction(modes, u0, h, d, m)
            change = max(change, turn(modes, y, h, d, rtol, atol))
        if not change < math.inf or (round_ > 6 and change > 2.0 * before):
            break
        ratio = change / before
        if change * min(1.0, 2.0 * max(ratio, slowest)) < ENOUGH:  # r + r^2 + ... of it, r the slower of the last two ratios
            return round_
        anew = (round_ < 1 and not guessed and not whole) or ratio > SLOW  # else the derivatives at hand will do
        before, slowest = change, (ratio if round_ > 0 else 1.0)
    return ITERATIONS


@compiled
def directed_step(form, modes, t, y, u0, angles, h, here, d, rtol, atol, new):
    """Try a step of length h from y, with slips u0 along angles; d.F[0] holds the rate there. The new state; the error relative to the tolerances.

    Infinite if the iteration did not converge, or slip would turn against its direction.
    """
    guessed = first_guess(t, angles, h, y.size, d)
    whole = 0.0 < d.before[STIFF] < 2.0 * h and form.n <= FEW  # whether Newton's method is for the states too
    rounds = iterate(form, modes, t, y, u0, h, here, d, rtol, atol, whole, guessed)
    d.before[LENGTH] = 0.0
    if not whole and guessed:
        d.before[STIFF] = h if rounds >= (SLOWLY if form.n <= FEWER else MANY) else 0.0
    if rounds >= ITERATIONS:
        return math.inf
    for i in range(y.size):
        total = 0.0
        for q in range(STAGES):
            total += WEIGHTS[STAGES - 1, q] * d.F[q + 1, i]
        new[i] = y[i] + h * total
    for i in range(STAGES):  # slip goes along its direction, not against it
        for k in range(2):
            if modes[k] == SLIP:
                u, v = slip_at_node(i, k, u0, h, d)
                if not u * d.w[i, 2 * k] + v * d.w[i, 2 * k + 1] > 0.0:
                    return math.inf
    error = defect(form, modes, t, y, u0, h, here, d, rtol, atol, new)
    if error <= 1.0:
        d.before[LENGTH], d.before[END] = h, t + h
        error = max(error, 0.0 if rounds < MANY else (NO_LONGER if rounds < TOO_MANY else SHORTER))
    return error


@compiled
def defect(form, modes, t, y, u0, h, here, d, rtol, atol, new):
    """The error of a step, from the field at a place between the nodes."""
    n = y.size
    at, until = AT_PROBE, UNTIL_PROBE
    for i in range(n):
        total = 0.0
        for q in range(STAGES):
            total += until[q] * d.F[q + 1, i]
        d.Y[i] = y[i] + h * total
    for i in range(4):
        total = 0.0
        for q in range(STAGES):
            total += until[q] * d.U[q + 1, i]
        d.u[i] = u0[i] + h * total
    along(form, modes, math.atan2(d.u[1], d.u[0]), math.atan2(d.u[3], d.u[2]), t + PROBE * h, d.Y, here, d.f, d.b)
    total = 0.0
    for i in range(n):
        value = 0.0
        for q in range(STAGES):
            value += at[q] * d.F[q + 1, i]
        total += (h * (d.f[i] - value) / (atol[i] + rtol * max(abs(y[i]), abs(new[i])))) ** 2
    return SHARE * math.sqrt(total / form.n)


@compiled
def directed_growth(d, h, error, most):
    """By how much the next step may be longer. The error at one probe has its zeros: it counts as at least a part of the one before. Factors of Newton's matrix are worth as much as a slightly longer step."""
    counted = max(error, DIP * d.before[ERROR])
    d.before[ERROR] = error
    factor = min(most, max(0.2, 0.8 * counted ** (-1.0 / 6.0))) if counted > 0.0 else most
    return 1.0 if d.before[FACTORS] == h and LESS <= factor < KEEP else factor


@compiled
def directed_dense(y, new, h, d, f):
    """The rows of the dense output of an accepted step."""
    table = DENSE
    for i in range(y.size):
        for row in range(DENSE_ROWS):
            total = 0.0
            for q in range(STAGES):
                total += table[row, q] * d.F[q + 1, i]
            f[row, i] = h * total
        f[0, i] = new[i] - y[i]
