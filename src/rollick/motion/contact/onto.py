"""A state pulled onto what the modes of its contacts hold: gap, gap' and the slip of contacts that stick at zero."""

from __future__ import annotations

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    mass_matrix,
    position_rate,
    positions,
    surface_velocity,
    tidy,
    velocities,
)
from .balance import force_count
from .held import IDLE, OPEN, STICK
from .sharing import solve_shared


@compiled
def pull_onto(system, modes, t, y):
    """Pull positions and velocities onto what the modes hold, along M^-1 W^T; a time counts where surfaces move."""
    nq, nu, n = positions(system), velocities(system), force_count(system)
    M = local_array((nu, nu), y.dtype)
    W = local_array((6, nu), y.dtype)
    w = local_array(6, y.dtype)
    rows = local_array((n, nu), y.dtype)
    lift = local_array((n, nu), y.dtype)
    S = local_array((n, n), y.dtype)
    b = local_array(n, y.dtype)
    x = local_array(n, y.dtype)
    x0 = local_array(n, y.dtype)
    push = local_array(nu, y.dtype)
    dq = local_array(nq, y.dtype)
    q, u = y[:nq], y[nq : nq + nu]
    mass_matrix(system, q, M)
    cholesky(M, nu)
    for velocity in range(2):
        m = 0
        for k in range(contact_count(system)):
            if modes[k] == OPEN or modes[k] == IDLE:
                continue
            contact_rows(system, t, q, k, W)
            surface_velocity(system, t, q, k, w)
            for i in range(3 if velocity == 1 and modes[k] == STICK else 1):
                b[m] = w[i]
                x0[m] = 0.0 * y[0]
                for j in range(nu):
                    rows[m, j] = W[i, j]
                    lift[m, j] = W[i, j]
                    b[m] -= W[i, j] * u[j]
                cholesky_back(M, nu, lift[m])
                if velocity == 0:
                    b[m] = -gap(system, t, q, k)
                m += 1
        for i in range(m):
            for j in range(m):
                total = 0.0 * y[0]
                for a in range(nu):
                    total += rows[i, a] * lift[j, a]
                S[i, j] = total
        solve_shared(system, S, S, b, x0, x, m)
        for j in range(nu):
            push[j] = 0.0 * y[0]
            for i in range(m):
                push[j] += lift[i, j] * x[i]
        if velocity == 1:
            for j in range(nu):
                u[j] += push[j]
        else:
            position_rate(system, q, push, dq)
            for i in range(nq):
                q[i] += dq[i]
            tidy(system, q)
