"""How rows of a contact change along a motion: dW/dt along q' and time, and the same of the surface's velocity w.

On real numbers by complex step, exact to rounding. Where the rate itself is evaluated on complex numbers (a Jacobian, variational equations)
the imaginary unit is taken already: the real part is still had by complex step, and the derivative that rides in the imaginary part by
central differences of eighth order. Their step is halved until the formula of sixth order, from the same samples, agrees.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload

from ...kernel.compiled import compiled
from ...kernel.derivative import EPS
from ...kernel.local_array import complex128, local_array
from ...mechanics.contact import contact_rows, positions, surface_velocity, velocities

# Central differences of a first derivative: the weights of f(x + m h) - f(x - m h), m = 1, 2, 3, 4, over h.
EIGHTH = (4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0)
SIXTH = (3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0, 0.0)
REACH = 0.04  # the first step, relative to 1 + |q|
AGREE = 1e-9  # of the two formulae, relative; the eighth order is then good to about its square root times that
HALVINGS = 12


@compiled
def slope_real(body, t, q, dq, k, rows, out, carried):
    """out[i, j] = d W[i, j] along dq and time for the first `rows` rows, carried[i] = d w[i], by complex step."""
    nq, nu = positions(body), velocities(body)
    z = local_array(nq, complex128)
    W = local_array((6, nu), complex128)
    own = local_array(6, complex128)
    for i in range(nq):
        z[i] = complex(q[i].real, EPS * dq[i].real)
    now = complex(t.real, EPS)
    contact_rows(body, now, z, k, W)
    surface_velocity(body, now, z, k, own)
    for i in range(rows):
        carried[i] = own[i].imag / EPS
        for j in range(nu):
            out[i, j] = W[i, j].imag / EPS


@compiled
def slope_complex(body, t, q, dq, k, rows, out, carried):
    """The same on complex numbers: real part by complex step, imaginary part by differences."""
    nq, nu = positions(body), velocities(body)
    z = local_array(nq, complex128)
    W = local_array((6, nu), complex128)
    own = local_array(6, complex128)
    high = local_array((6, nu), complex128)
    low = local_array((6, nu), complex128)
    fastest = 0.0
    for i in range(nq):
        fastest = max(fastest, abs(dq[i].real) / (1.0 + abs(q[i].real)))
    h = REACH / fastest if fastest > 0.0 else 1.0
    for _ in range(HALVINGS):
        for i in range(rows):
            carried[i] = 0.0
            for j in range(nu):
                high[i, j] = 0.0
                low[i, j] = 0.0
        for m in range(4):
            for side in range(2):
                sign = 1.0 - 2.0 * side
                for i in range(nq):
                    z[i] = q[i] + sign * (m + 1) * h * dq[i]
                now = t + sign * (m + 1) * h + 0.0j
                contact_rows(body, now, z, k, W)
                surface_velocity(body, now, z, k, own)
                for i in range(rows):
                    carried[i] += sign * EIGHTH[m] * own[i]
                    for j in range(nu):
                        high[i, j] += sign * EIGHTH[m] * W[i, j]
                        low[i, j] += sign * SIXTH[m] * W[i, j]
        largest, apart = 0.0, 0.0
        for i in range(rows):
            for j in range(nu):
                largest = max(largest, abs(high[i, j].imag))
                apart = max(apart, abs(high[i, j].imag - low[i, j].imag))
        if apart <= AGREE * largest:
            break
        h *= 0.5
    slope_real(body, t, q, dq, k, rows, low, own)
    for i in range(rows):
        carried[i] = complex(own[i].real, carried[i].imag / h)
        for j in range(nu):
            out[i, j] = complex(low[i, j].real, high[i, j].imag / h)


def row_slope(body, t, q, dq, k, rows, out, carried):
    """out = the rates of the first `rows` rows of W of contact k along q' = dq and time; carried = those of w."""
    (slope_complex if np.iscomplexobj(q) else slope_real)(body, t, q, dq, k, rows, out, carried)


@overload(row_slope)
def _row_slope(body, t, q, dq, k, rows, out, carried):
    chosen = slope_complex if isinstance(q.dtype, types.Complex) else slope_real

    def slope(body, t, q, dq, k, rows, out, carried):
        chosen(body, t, q, dq, k, rows, out, carried)

    return slope
