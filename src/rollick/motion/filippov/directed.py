"""A step of slip whose direction is slaved: where slip is small, its direction follows the forces much faster than anything else moves.

The field depends on the direction w(phi) of a slip u, and w on u: w x u = 0, which near u = 0 is an algebraic equation for phi (the limit directions: w x u' = 0),
and further away the differential equation. Radau's collocation holds for both: at its nodes

    Y_i = y + h sum_j a_ij F(Y_j, phi_j),      u_i = u + h sum_j a_ij u'(Y_j, phi_j),      w(phi_i) x u_i = 0.

The angles are found by Newton's method, since they are what is stiff; the states follow by iteration, and where that is slow by Newton's method too (`directed_newton`). A step may begin at u = 0 exactly, where slip begins along a
limit direction: so no first trace of slip is needed, and steps are as long as the motion is smooth.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import square
from ..ode.dense import ROWS as DENSE_ROWS
from .collocation import PROBE, RADAU, STAGES
from .directed_newton import newton_round
from .directed_stages import END, ERROR, FACTORS, FAR_TURN, FEW, LENGTH, STIFF, along, by_angle, slip_at_node, state_at
from .forces import SLIP

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


NODES, WEIGHTS, AT_PROBE, UNTIL_PROBE, DENSE = RADAU


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
