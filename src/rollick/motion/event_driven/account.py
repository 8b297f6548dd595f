"""What an impact adds to the account of the contacts: normal percussions, and the energies that the mechanisms at each contact took."""

from __future__ import annotations

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.local_array import float64, int64, local_array
from ...kernel.system import dim
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    mass_matrix,
    positions,
    rows_per_contact,
    surface_velocity,
    velocities,
)
from ..contact.balance import force_count
from ..contact.held import OF_EACH, TOTALS, account_size
from ..contact.sharing import solve_shared
from ..contact.work import ROWS
from .held_body import AccountedBody, HeldBody

IMPULSE, SLIDING, PIVOTING, CONTOUR, IMPACTS = range(OF_EACH)  # the sums of a contact


@compiled
def add_what_is_left(system, t, struck, u, touching, blows):
    """Put down what the velocities changed by besides the percussions of the impact law (rebounds that were summed) to the least percussions along the three rows of each contact."""
    apart()
    nq, nu, count = positions(system), velocities(system), contact_count(system)
    M, W = local_array((velocities(system), velocities(system)), float64), local_array((ROWS, velocities(system)), float64)
    rows, left = local_array((force_count(system), velocities(system)), float64), local_array(velocities(system), float64)
    G, b = local_array((force_count(system), force_count(system)), float64), local_array(force_count(system), float64)
    x, x0 = local_array(force_count(system), float64), local_array(force_count(system), float64)
    of = local_array(force_count(system), int64)
    mass_matrix(system, struck[:nq], M)
    for i in range(nu):
        left[i] = 0.0
        for j in range(nu):
            left[i] += M[i, j] * (u[j] - struck[nq + j])
    m = 0
    for k in range(count):
        if not touching[k] > 0.0:
            continue
        contact_rows(system, t, struck[:nq], k, W)
        for i in range(rows_per_contact(system)):
            for j in range(nu):
                left[j] -= W[i, j] * blows[ROWS * k + i]
        for i in range(3):
            of[m] = ROWS * k + i
            for j in range(nu):
                rows[m, j] = W[i, j]
            m += 1
    for i in range(m):
        b[i] = x0[i] = 0.0
        for j in range(nu):
            b[i] += rows[i, j] * left[j]
        for a in range(m):
            G[i, a] = 0.0
            for j in range(nu):
                G[i, a] += rows[i, j] * rows[a, j]
    solve_shared(system, G, G, b, x0, x, m)
    for i in range(m):
        blows[of[i]] += x[i]


@generic
def book_impact(body, m, t, y):
    """Add an impact from the state m.struck to y at the contacts m.touching, with the percussions m.blows, to the sums behind the states of y."""


@book_impact.register(HeldBody)
def _(body, m, t, y):
    pass


@book_impact.register(AccountedBody)
def _(body, m, t, y):
    add_account(body.system, m, t, y)


@compiled
def add_account(system, m, t, y):
    """`book_impact` of a body with an account."""
    apart()
    n, nq, nu, struck = dim(system), positions(system), velocities(system), m.struck
    W, w = local_array((ROWS, velocities(system)), float64), local_array(ROWS, float64)
    add_what_is_left(system, t, struck, y[nq : nq + nu], m.touching, m.blows)
    for k in range(contact_count(system)):
        if not m.touching[k] > 0.0:
            continue
        contact_rows(system, t, struck[:nq], k, W)
        surface_velocity(system, t, struck[:nq], k, w)
        of_body, of_contact = n, n + TOTALS + OF_EACH * k
        for i in range(rows_per_contact(system)):
            percussion, speed = m.blows[ROWS * k + i], -w[i]
            for j in range(nu):
                speed += 0.5 * W[i, j] * (struck[nq + j] + y[nq + j])
            place = IMPACTS if i == 0 else SLIDING if i < 3 else PIVOTING if i == 3 else CONTOUR
            lost = -percussion * speed - (m.work[k] if i == 0 else 0.0)
            y[of_body + place] += lost
            if i == 0:
                y[of_body + IMPULSE] += percussion
            if account_size(system) > TOTALS:
                y[of_contact + place] += lost
                if i == 0:
                    y[of_contact + IMPULSE] += percussion
