"""One step of DOP853, the explicit Runge-Kutta method of order 8 with estimators of order 5 and 3 and dense output of order 7.

Hairer, Norsett, Wanner, *Solving Ordinary Differential Equations I*, sec. II.5-II.6. The stages are written out, so that every
coefficient is a constant of the machine code and the short loops over the components unroll: with plain loops over a tableau
the step takes twice as long.

Work space: `k` has `ROWS` rows of the length of the state: rows 0-15 the stages (row 12 is the rate at the end of the step),
row 16 the new state, row 17 the argument of stage 12, which the stiffness test needs.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.scalar import sqrt
from ...kernel.system import dim, rate
from . import dop853_tableau as c

ROWS = 18
NEW, TWELFTH = 16, 17
ORDER = 8


@compiled
def dop853_step(system, t, y, h, k, rtol, atol):
    """Try a step of length h from (t, y), where k[0] holds the rate at its start; the new state is k[16].

    Returns the error estimate relative to the tolerances atol[i] + rtol*max(|y_i|): accept if it is at most 1.
    """
    n = dim(system)
    z = k[NEW]
    w = k[TWELFTH]
    for i in range(n):
        z[i] = y[i] + h * (c.a2_1 * k[0, i])
    rate(system, t + c.c2 * h, z, k[1])
    for i in range(n):
        z[i] = y[i] + h * (c.a3_1 * k[0, i] + c.a3_2 * k[1, i])
    rate(system, t + c.c3 * h, z, k[2])
    for i in range(n):
        z[i] = y[i] + h * (c.a4_1 * k[0, i] + c.a4_3 * k[2, i])
    rate(system, t + c.c4 * h, z, k[3])
    for i in range(n):
        z[i] = y[i] + h * (c.a5_1 * k[0, i] + c.a5_3 * k[2, i] + c.a5_4 * k[3, i])
    rate(system, t + c.c5 * h, z, k[4])
    for i in range(n):
        z[i] = y[i] + h * (c.a6_1 * k[0, i] + c.a6_4 * k[3, i] + c.a6_5 * k[4, i])
    rate(system, t + c.c6 * h, z, k[5])
    for i in range(n):
        z[i] = y[i] + h * (c.a7_1 * k[0, i] + c.a7_4 * k[3, i] + c.a7_5 * k[4, i] + c.a7_6 * k[5, i])
    rate(system, t + c.c7 * h, z, k[6])
    for i in range(n):
        z[i] = y[i] + h * (c.a8_1 * k[0, i] + c.a8_4 * k[3, i] + c.a8_5 * k[4, i] + c.a8_6 * k[5, i] + c.a8_7 * k[6, i])
    rate(system, t + c.c8 * h, z, k[7])
    for i in range(n):
        z[i] = y[i] + h * (
            c.a9_1 * k[0, i] + c.a9_4 * k[3, i] + c.a9_5 * k[4, i] + c.a9_6 * k[5, i] + c.a9_7 * k[6, i] + c.a9_8 * k[7, i]
        )
    rate(system, t + c.c9 * h, z, k[8])
    for i in range(n):
        z[i] = y[i] + h * (
            c.a10_1 * k[0, i]
            + c.a10_4 * k[3, i]
            + c.a10_5 * k[4, i]
            + c.a10_6 * k[5, i]
            + c.a10_7 * k[6, i]
            + c.a10_8 * k[7, i]
            + c.a10_9 * k[8, i]
        )
    rate(system, t + c.c10 * h, z, k[9])
    for i in range(n):
        z[i] = y[i] + h * (
            c.a11_1 * k[0, i]
            + c.a11_4 * k[3, i]
            + c.a11_5 * k[4, i]
            + c.a11_6 * k[5, i]
            + c.a11_7 * k[6, i]
            + c.a11_8 * k[7, i]
            + c.a11_9 * k[8, i]
            + c.a11_10 * k[9, i]
        )
    rate(system, t + c.c11 * h, z, k[10])
    for i in range(n):
        w[i] = y[i] + h * (
            c.a12_1 * k[0, i]
            + c.a12_4 * k[3, i]
            + c.a12_5 * k[4, i]
            + c.a12_6 * k[5, i]
            + c.a12_7 * k[6, i]
            + c.a12_8 * k[7, i]
            + c.a12_9 * k[8, i]
            + c.a12_10 * k[9, i]
            + c.a12_11 * k[10, i]
        )
    rate(system, t + c.c12 * h, w, k[11])
    for i in range(n):
        z[i] = y[i] + h * (
            c.b1 * k[0, i]
            + c.b6 * k[5, i]
            + c.b7 * k[6, i]
            + c.b8 * k[7, i]
            + c.b9 * k[8, i]
            + c.b10 * k[9, i]
            + c.b11 * k[10, i]
            + c.b12 * k[11, i]
        )
    rate(system, t + h, z, k[12])
    sum3 = 0.0
    sum5 = 0.0
    for i in range(n):
        weight = 1.0 / (atol[i] + rtol * max(abs(y[i]), abs(z[i])))
        error5 = (
            c.e5_1 * k[0, i]
            + c.e5_6 * k[5, i]
            + c.e5_7 * k[6, i]
            + c.e5_8 * k[7, i]
            + c.e5_9 * k[8, i]
            + c.e5_10 * k[9, i]
            + c.e5_11 * k[10, i]
            + c.e5_12 * k[11, i]
        ) * weight
        error3 = (
            c.e3_1 * k[0, i]
            + c.e3_6 * k[5, i]
            + c.e3_7 * k[6, i]
            + c.e3_8 * k[7, i]
            + c.e3_9 * k[8, i]
            + c.e3_10 * k[9, i]
            + c.e3_11 * k[10, i]
            + c.e3_12 * k[11, i]
        ) * weight
        sum5 += error5 * error5
        sum3 += error3 * error3
    if sum5 == 0.0:
        return 0.0
    return abs(h) * sum5 / sqrt((sum5 + 0.01 * sum3) * n)


@generic
def explicit_step(system, t, y, h, k, rtol, atol):
    """A step of DOP853; a system whose type was forgotten has one of its own (see `erased`)."""


@explicit_step.otherwise
def _(system, t, y, h, k, rtol, atol):
    return dop853_step(system, t, y, h, k, rtol, atol)


@compiled
def dop853_dense(system, t, y, h, k, f):
    """After an accepted step (k as `dop853_step` left it): the rows of f become the coefficients of its dense output.

    Three further stages are evaluated. The polynomial is read by `dense.interpolate`.
    """
    n = y.size
    new = k[NEW]
    z = k[TWELFTH]
    for i in range(n):
        z[i] = y[i] + h * (
            c.a14_1 * k[0, i]
            + c.a14_7 * k[6, i]
            + c.a14_8 * k[7, i]
            + c.a14_9 * k[8, i]
            + c.a14_10 * k[9, i]
            + c.a14_11 * k[10, i]
            + c.a14_12 * k[11, i]
            + c.a14_13 * k[12, i]
        )
    rate(system, t + c.c14 * h, z, k[13])
    for i in range(n):
        z[i] = y[i] + h * (
            c.a15_1 * k[0, i]
            + c.a15_6 * k[5, i]
            + c.a15_7 * k[6, i]
            + c.a15_8 * k[7, i]
            + c.a15_11 * k[10, i]
            + c.a15_12 * k[11, i]
            + c.a15_13 * k[12, i]
            + c.a15_14 * k[13, i]
        )
    rate(system, t + c.c15 * h, z, k[14])
    for i in range(n):
        z[i] = y[i] + h * (
            c.a16_1 * k[0, i]
            + c.a16_6 * k[5, i]
            + c.a16_7 * k[6, i]
            + c.a16_8 * k[7, i]
            + c.a16_9 * k[8, i]
            + c.a16_13 * k[12, i]
            + c.a16_14 * k[13, i]
            + c.a16_15 * k[14, i]
        )
    rate(system, t + c.c16 * h, z, k[15])
    for i in range(n):
        delta = new[i] - y[i]
        f[0, i] = delta
        f[1, i] = h * k[0, i] - delta
        f[2, i] = 2.0 * delta - h * (k[12, i] + k[0, i])
        f[3, i] = h * (
            c.d4_1 * k[0, i]
            + c.d4_6 * k[5, i]
            + c.d4_7 * k[6, i]
            + c.d4_8 * k[7, i]
            + c.d4_9 * k[8, i]
            + c.d4_10 * k[9, i]
            + c.d4_11 * k[10, i]
            + c.d4_12 * k[11, i]
            + c.d4_13 * k[12, i]
            + c.d4_14 * k[13, i]
            + c.d4_15 * k[14, i]
            + c.d4_16 * k[15, i]
        )
        f[4, i] = h * (
            c.d5_1 * k[0, i]
            + c.d5_6 * k[5, i]
            + c.d5_7 * k[6, i]
            + c.d5_8 * k[7, i]
            + c.d5_9 * k[8, i]
            + c.d5_10 * k[9, i]
            + c.d5_11 * k[10, i]
            + c.d5_12 * k[11, i]
            + c.d5_13 * k[12, i]
            + c.d5_14 * k[13, i]
            + c.d5_15 * k[14, i]
            + c.d5_16 * k[15, i]
        )
        f[5, i] = h * (
            c.d6_1 * k[0, i]
            + c.d6_6 * k[5, i]
            + c.d6_7 * k[6, i]
            + c.d6_8 * k[7, i]
            + c.d6_9 * k[8, i]
            + c.d6_10 * k[9, i]
            + c.d6_11 * k[10, i]
            + c.d6_12 * k[11, i]
            + c.d6_13 * k[12, i]
            + c.d6_14 * k[13, i]
            + c.d6_15 * k[14, i]
            + c.d6_16 * k[15, i]
        )
        f[6, i] = h * (
            c.d7_1 * k[0, i]
            + c.d7_6 * k[5, i]
            + c.d7_7 * k[6, i]
            + c.d7_8 * k[7, i]
            + c.d7_9 * k[8, i]
            + c.d7_10 * k[9, i]
            + c.d7_11 * k[10, i]
            + c.d7_12 * k[11, i]
            + c.d7_13 * k[12, i]
            + c.d7_14 * k[13, i]
            + c.d7_15 * k[14, i]
            + c.d7_16 * k[15, i]
        )


@compiled
def dop853_stiffness(n, h, k):
    """An estimate of |h lambda| for the dominant eigenvalue, from the last two stages, which share their time (Hairer's test)."""
    top = 0.0
    bottom = 0.0
    for i in range(n):
        top += (k[12, i] - k[11, i]) ** 2
        bottom += (k[NEW, i] - k[TWELFTH, i]) ** 2
    return abs(h) * sqrt(top / bottom) if bottom > 0.0 else 0.0
