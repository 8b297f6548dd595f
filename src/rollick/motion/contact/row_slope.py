"""How the normal row of a contact changes along a velocity: dW_N/dt = (dW_N/dq) q'.

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
from ...mechanics.contact import contact_rows, positions, velocities

# Central differences of a first derivative: the weights of f(x + m h) - f(x - m h), m = 1, 2, 3, 4, over h.
EIGHTH = (4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0)
SIXTH = (3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0, 0.0)
REACH = 0.04  # the first step, relative to 1 + |q|
AGREE = 1e-9  # of the two formulae, relative; the eighth order is then good to about its square root times that
HALVINGS = 12


@compiled
def slope_real(body, q, dq, out):
    """out[j] = d W_N[j] along dq, by complex step."""
    nq, nu = positions(body), velocities(body)
    z = local_array(nq, complex128)
    W = local_array((6, nu), complex128)
    for i in range(nq):
        z[i] = complex(q[i].real, EPS * dq[i].real)
    contact_rows(body, z, 0, W)
    for j in range(nu):
        out[j] = W[0, j].imag / EPS


@compiled
def slope_complex(body, q, dq, out):
    """The same on complex numbers: real part by complex step, imaginary part by differences."""
    nq, nu = positions(body), velocities(body)
    z = local_array(nq, complex128)
    W = local_array((6, nu), complex128)
    high = local_array(nu, complex128)
    low = local_array(nu, complex128)
    fastest = 0.0
    for i in range(nq):
        fastest = max(fastest, abs(dq[i].real) / (1.0 + abs(q[i].real)))
    h = REACH / fastest if fastest > 0.0 else 1.0
    for _ in range(HALVINGS):
        for j in range(nu):
            high[j] = 0.0
            low[j] = 0.0
        for m in range(4):
            for side in range(2):
                sign = 1.0 - 2.0 * side
                for i in range(nq):
                    z[i] = q[i] + sign * (m + 1) * h * dq[i]
                contact_rows(body, z, 0, W)
                for j in range(nu):
                    high[j] += sign * EIGHTH[m] * W[0, j]
                    low[j] += sign * SIXTH[m] * W[0, j]
        largest, apart = 0.0, 0.0
        for j in range(nu):
            largest = max(largest, abs(high[j].imag))
            apart = max(apart, abs(high[j].imag - low[j].imag))
        if apart <= AGREE * largest:
            break
        h *= 0.5
    slope_real(body, q, dq, low)
    for j in range(nu):
        out[j] = complex(low[j].real, high[j].imag / h)


def row_slope(body, q, dq, out):
    """out = the rate of the normal row W_N of the first contact along q' = dq."""
    (slope_complex if np.iscomplexobj(q) else slope_real)(body, q, dq, out)


@overload(row_slope)
def _row_slope(body, q, dq, out):
    chosen = slope_complex if isinstance(q.dtype, types.Complex) else slope_real

    def slope(body, q, dq, out):
        chosen(body, q, dq, out)

    return slope
