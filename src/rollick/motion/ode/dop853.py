"""One step of DOP853, the explicit Runge-Kutta method of order 8 with estimators of order 5 and 3 and dense output of order 7.

Hairer, Norsett, Wanner, *Solving Ordinary Differential Equations I*, sec. II.5-II.6. The stages are written out, so that every
coefficient is a constant of the machine code: with plain loops over a tableau the step takes twice as long. Sums over stages are `kernel.combination`s, which compile fast.

Work space: `k` has `ROWS` rows of the length of the state: rows 0-15 the stages (row 12 is the rate at the end of the step),
row 16 the new state, row 17 the argument of stage 12, which the stiffness test needs.
"""

from __future__ import annotations

from ...kernel.combination import combination
from ...kernel.compiled import compiled, inlined
from ...kernel.dispatch import generic
from ...kernel.scalar import absolute, maximum, sqrt
from ...kernel.system import dim, rate
from .dop853_tableau import E3, E5, A, B, C, D

ROWS = 18
NEW, TWELFTH = 16, 17
ORDER = 8

c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12 = (C[i] for i in range(2, 13))
c14, c15, c16 = (C[i] for i in (14, 15, 16))
sum2, sum3, sum4, sum5, sum6, sum7, sum8, sum9, sum10, sum11, sum12 = (combination(A[i]) for i in range(2, 13))
sum14, sum15, sum16 = (combination(A[i]) for i in (14, 15, 16))
sum_new, error3, error5 = combination(B), combination(E3), combination(E5)
dense4, dense5, dense6, dense7 = (combination(D[i]) for i in (4, 5, 6, 7))


@generic
def width(system, y):
    """The number of states; known while compiling, unless a type says otherwise."""


@width.otherwise
def _(system, y):
    return dim(system)


@inlined
def dop853_stages(system, n, t, y, h, k):
    """The stages of a step of length h from (t, y), where k[0] holds the rate at its start; the new state is k[16]."""
    z = k[NEW]
    w = k[TWELFTH]
    for i in range(n):
        z[i] = y[i] + h * sum2(k, i)
    rate(system, t + c2 * h, z, k[1])
    for i in range(n):
        z[i] = y[i] + h * sum3(k, i)
    rate(system, t + c3 * h, z, k[2])
    for i in range(n):
        z[i] = y[i] + h * sum4(k, i)
    rate(system, t + c4 * h, z, k[3])
    for i in range(n):
        z[i] = y[i] + h * sum5(k, i)
    rate(system, t + c5 * h, z, k[4])
    for i in range(n):
        z[i] = y[i] + h * sum6(k, i)
    rate(system, t + c6 * h, z, k[5])
    for i in range(n):
        z[i] = y[i] + h * sum7(k, i)
    rate(system, t + c7 * h, z, k[6])
    for i in range(n):
        z[i] = y[i] + h * sum8(k, i)
    rate(system, t + c8 * h, z, k[7])
    for i in range(n):
        z[i] = y[i] + h * sum9(k, i)
    rate(system, t + c9 * h, z, k[8])
    for i in range(n):
        z[i] = y[i] + h * sum10(k, i)
    rate(system, t + c10 * h, z, k[9])
    for i in range(n):
        z[i] = y[i] + h * sum11(k, i)
    rate(system, t + c11 * h, z, k[10])
    for i in range(n):
        w[i] = y[i] + h * sum12(k, i)
    rate(system, t + c12 * h, w, k[11])
    for i in range(n):
        z[i] = y[i] + h * sum_new(k, i)
    rate(system, t + h, z, k[12])


@inlined
def dop853_errors(n, y, k, rtol, atol, total3, total5, spoiled):
    """The sums of squares of both estimates, relative to the tolerances atol[i] + rtol*max(|y_i|), added to zeros; and what is nan where the rate at the end
    of the step is not finite."""
    z = k[NEW]
    for i in range(n):
        spoiled += 0.0 * k[12, i]
        weight = 1.0 / (atol[i] + rtol * maximum(absolute(y[i]), absolute(z[i])))
        fifth, third = error5(k, i) * weight, error3(k, i) * weight
        total5 += fifth * fifth
        total3 += third * third
    return total3, total5, spoiled


@inlined
def error_of(n, h, total3, total5, spoiled):
    """The error estimate of a step from these sums: accept it if it is at most 1."""
    if total5 == 0.0:
        return spoiled
    return abs(h) * total5 / sqrt((total5 + 0.01 * total3) * n) + spoiled


@inlined
def dop853_trial(system, n, t, y, h, k, rtol, atol):
    """`dop853_step`, merged into the code that calls it, for systems with n states."""
    dop853_stages(system, n, t, y, h, k)
    total3, total5, spoiled = dop853_errors(n, y, k, rtol, atol, 0.0, 0.0, 0.0)
    return error_of(n, h, total3, total5, spoiled)


@compiled
def dop853_step(system, t, y, h, k, rtol, atol):
    """Try a step of length h from (t, y), where k[0] holds the rate at its start; the new state is k[16].

    Returns the error estimate relative to the tolerances atol[i] + rtol*max(|y_i|): accept if it is at most 1. It is not finite if the rate
    at the end of the step is not.
    """
    return dop853_trial(system, width(system, y), t, y, h, k, rtol, atol)


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
    z = k[TWELFTH]
    for i in range(n):
        z[i] = y[i] + h * sum14(k, i)
    rate(system, t + c14 * h, z, k[13])
    for i in range(n):
        z[i] = y[i] + h * sum15(k, i)
    rate(system, t + c15 * h, z, k[14])
    for i in range(n):
        z[i] = y[i] + h * sum16(k, i)
    rate(system, t + c16 * h, z, k[15])
    for i in range(n):
        delta = k[NEW, i] - y[i]
        f[0, i] = delta
        f[1, i] = h * k[0, i] - delta
        f[2, i] = 2.0 * delta - h * (k[12, i] + k[0, i])
        f[3, i] = h * dense4(k, i)
        f[4, i] = h * dense5(k, i)
        f[5, i] = h * dense6(k, i)
        f[6, i] = h * dense7(k, i)


@compiled
def dop853_stiffness(n, h, k):
    """An estimate of |h lambda| for the dominant eigenvalue, from the last two stages, which share their time (Hairer's test)."""
    top = 0.0
    bottom = 0.0
    for i in range(n):
        top += (k[12, i] - k[11, i]) ** 2
        bottom += (k[NEW, i] - k[TWELFTH, i]) ** 2
    return abs(h) * sqrt(top / bottom) if bottom > 0.0 else 0.0
