"""Newton's method for all unknowns of a slaved step, where states do not follow by mere iteration: slip that is stiff, near a steady motion above all.

The unknowns are the rates F_j at the nodes and the angles phi_j; with Y_j = y + h sum_q a_jq F_q, K = dF/dy and L = dU/dy (U: the slip rates), both at one place in the middle of the step,

    dF_j - h K sum_q a_jq dF_q - F_phi dphi_j = F(Y_j, phi_j) - F_j,

    h sum_q a_jq w_j x (U_phi dphi_q + L h sum_p a_qp dF_p) - (w_j . u_j) dphi_j = - w_j x u_j.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import square
from .collocation import STAGES
from .directed_stages import FAR_TURN, NODES, WEIGHTS, along, by_angle, slip_at_node, state_at
from .forces import SLIP

TWICE = WEIGHTS @ WEIGHTS  # sum_q a_jq a_qp
MIDDLE = STAGES // 2
STEP = 1e-7  # of a state, or of where its relative tolerance begins: for differences


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
