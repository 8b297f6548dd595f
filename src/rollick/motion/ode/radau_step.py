"""One step of Radau IIA, the implicit Runge-Kutta method of order 5 with three stages: stiffly accurate, L-stable.

Hairer, Wanner, *Solving Ordinary Differential Equations II*, sec. IV.8. The stage increments Z_i = Y_i - y solve

    Z = h (A x I) F(Z),    F_i = f(t + c_i h, y + Z_i).

In W = (T^-1 x I) Z the simplified Newton iteration falls apart into one real and one complex system of the size of the state,

    (REAL/h I - J) dW_1 = (T^-1 F)_1 - REAL/h W_1,
    ((ALPHA + i BETA)/h I - J) (dW_2 + i dW_3) = (T^-1 F)_2 + i (T^-1 F)_3 - (ALPHA + i BETA)/h (W_2 + i W_3),

whose factors serve all iterations, and further steps of the same length while the iteration converges fast.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.scalar import sqrt
from ...kernel.system import rate
from . import radau_tableau as c
from .dense import ROWS

MOST_NEWTON = 7  # iterations
THETA_KEEP = 1e-3  # a contraction this strong: the Jacobian serves for the next step too
EPS = 2.220446049250313e-16
PEAK = 0.0185  # the largest |x (x-c1) (x-c2) (x-1)| in [0, 1]
SQUARINGS = 5  # of the Jacobian, in the bound of its spectral radius

CONVERGED, DIVERGED, BROKEN = 0, 1, 2  # how the Newton iteration ended; broken: a rate is not finite


class RadauWork(NamedTuple):
    """The work space of the stiff method; what is marked * must survive from one block of steps to the next."""

    f0: np.ndarray  # * the rate at the start of the step
    p: np.ndarray  # * the collocation polynomial of the last accepted step, rows as in `dense`
    rows: np.ndarray  # vectors, see below
    jac: np.ndarray  # * the Jacobian
    lu: np.ndarray  # * factors of REAL/h I - J
    pair: np.ndarray  # * factors of (ALPHA + i BETA)/h I - J
    pivots: np.ndarray  # * of the real and of the complex factors
    complex_rows: np.ndarray  # right-hand side and solution of the complex system; scratch of the Jacobian


Z, W, F = 0, 3, 6  # three rows each: the stage increments, the same transformed, the rates at the stages
NEW = 9  # the argument of a rate; after an accepted step the new state
WEIGHT = 10  # atol_i + rtol |y_i|
REAL_SIDE = 11  # right-hand side and solution of the real system


def radau_work(n: int) -> RadauWork:
    """Work space for a state of n components."""
    return RadauWork(
        f0=np.zeros(n),
        p=np.zeros((ROWS, n)),
        rows=np.zeros((REAL_SIDE + 1, n)),
        jac=np.zeros((n, n)),
        lu=np.zeros((n, n)),
        pair=np.zeros((n, n), complex),
        pivots=np.zeros((2, n), np.int64),
        complex_rows=np.zeros((2, n), complex),
    )


@compiled
def radau_factor(h, jac, lu, pair, pivots):
    """Factor the real and the complex matrix for the step h; False if one is singular."""
    n = jac.shape[0]
    for i in range(n):
        for j in range(n):
            lu[i, j] = -jac[i, j]
            pair[i, j] = -jac[i, j]
        lu[i, i] += c.REAL / h
        pair[i, i] += complex(c.ALPHA / h, c.BETA / h)
    return lu_factor(lu, pivots[0]) and lu_factor(pair, pivots[1])


@compiled
def radau_predict(ratio, p, rows):
    """Starting values of the stages: the last step's collocation polynomial continued, `ratio` = h / last h; 0: start from zero."""
    for i in range(p.shape[1]):
        for j in range(3):
            q = c.C[j] * ratio
            x = 1.0 + q
            rows[Z + j, i] = q * (p[0, i] - x * (p[1, i] + x * p[2, i]))
        z1, z2, z3 = rows[Z, i], rows[Z + 1, i], rows[Z + 2, i]
        rows[W, i] = c.TI11 * z1 + c.TI12 * z2 + c.TI13 * z3
        rows[W + 1, i] = c.TI21 * z1 + c.TI22 * z2 + c.TI23 * z3
        rows[W + 2, i] = c.TI31 * z1 + c.TI32 * z2 + c.TI33 * z3


@compiled
def radau_move(y, increment, rows):
    """Row NEW = the state y plus an increment."""
    for i in range(y.size):
        rows[NEW, i] = y[i] + increment[i]


@compiled
def newton_increment(h, k):
    """From the rates at the stages: W and Z after one more iteration, and the norm of the increment of W."""
    n = k.f0.size
    x = k.rows[REAL_SIDE]
    v = k.complex_rows[0]
    real = c.REAL / h
    alpha, beta = c.ALPHA / h, c.BETA / h
    for i in range(n):
        f1, f2, f3 = k.rows[F, i], k.rows[F + 1, i], k.rows[F + 2, i]
        w2, w3 = k.rows[W + 1, i], k.rows[W + 2, i]
        x[i] = c.TI11 * f1 + c.TI12 * f2 + c.TI13 * f3 - real * k.rows[W, i]
        v[i] = complex(
            c.TI21 * f1 + c.TI22 * f2 + c.TI23 * f3 - (alpha * w2 - beta * w3),
            c.TI31 * f1 + c.TI32 * f2 + c.TI33 * f3 - (alpha * w3 + beta * w2),
        )
    lu_solve(k.lu, k.pivots[0], x)
    lu_solve(k.pair, k.pivots[1], v)
    total = 0.0
    for i in range(n):
        d1, d2, d3 = x[i], v[i].real, v[i].imag
        unit = 1.0 / k.rows[WEIGHT, i]  # divided first: squares of large states overflow
        total += (d1 * unit) ** 2 + (d2 * unit) ** 2 + (d3 * unit) ** 2
        k.rows[W, i] += d1
        k.rows[W + 1, i] += d2
        k.rows[W + 2, i] += d3
        w1, w2, w3 = k.rows[W, i], k.rows[W + 1, i], k.rows[W + 2, i]
        k.rows[Z, i] = c.T11 * w1 + c.T12 * w2 + c.T13 * w3
        k.rows[Z + 1, i] = c.T21 * w1 + c.T22 * w2 + c.T23 * w3
        k.rows[Z + 2, i] = w1 + w2
    return sqrt(total / (3 * n))


@compiled
def radau_stages(system, t, y, h, k, tolerance, contraction):
    """Solve for the stages from the starting values in rows Z, W; the factors must be those of h.

    With theta the measured rate of convergence, the error after an increment of norm d is at most theta/(1 - theta) d: this is
    compared with `tolerance` (in units of the row WEIGHT). `contraction` is the last step's theta/(1 - theta), used until two
    increments are known. Returns how it ended, the iterations, theta, theta/(1 - theta), and, if convergence is too slow
    for `MOST_NEWTON` iterations, the factor by which to shorten the step.
    """
    theta = THETA_KEEP
    contraction = max(contraction, EPS) ** 0.8
    last = 0.0
    last_ratio = 0.0
    for m in range(1, MOST_NEWTON + 1):
        for j in range(3):
            radau_move(y, k.rows[Z + j], k.rows)
            rate(system, t + c.C[j] * h, k.rows[NEW], k.rows[F + j])
        d = newton_increment(h, k)
        if not math.isfinite(d):
            return BROKEN, m, theta, contraction, 0.1
        if m > 1:
            ratio = d / last
            theta = ratio if m == 2 else sqrt(ratio * last_ratio)
            last_ratio = ratio
            if theta >= 0.99:
                return DIVERGED, m, theta, contraction, 0.5
            contraction = theta / (1.0 - theta)
            excess = contraction * d * theta ** (MOST_NEWTON - 1 - m) / tolerance
            if m < MOST_NEWTON and excess >= 1.0:
                shrink = 0.8 * min(20.0, excess) ** (-1.0 / (3.0 + MOST_NEWTON - m))
                return DIVERGED, m, theta, contraction, shrink
        last = max(d, EPS)
        if contraction * d <= tolerance:
            return CONVERGED, m, theta, contraction, 1.0
    return DIVERGED, MOST_NEWTON, theta, contraction, 0.5


@compiled
def radau_error(h, f, rows, lu, pivots):
    """The norm of the error estimate (REAL/h I - J)^-1 (f + (E1 Z_1 + E2 Z_2 + E3 Z_3)/h), which is left in row REAL_SIDE.

    f is the rate at the start; a second pass takes it at the start plus the estimate, which damps stiff components again.
    """
    n = f.size
    x = rows[REAL_SIDE]
    for i in range(n):
        x[i] = f[i] + (c.E1 * rows[Z, i] + c.E2 * rows[Z + 1, i] + c.E3 * rows[Z + 2, i]) / h
    lu_solve(lu, pivots, x)
    total = 0.0
    for i in range(n):
        total += (x[i] / rows[WEIGHT, i]) ** 2
    return sqrt(total / n)


@compiled
def radau_dense(rows, p):
    """p = the collocation polynomial: degree 3, through the start of the step and the three stages, in the form of `dense`."""
    c1, c2 = c.C[0], c.C[1]
    for i in range(p.shape[1]):
        z3 = rows[Z + 2, i]
        g1 = (rows[Z, i] / c1 - z3) / (1.0 - c1)
        g2 = (rows[Z + 1, i] / c2 - z3) / (1.0 - c2)
        slope = (g2 - g1) / (c2 - c1)
        p[0, i] = z3
        p[1, i] = g1 - c1 * slope
        p[2, i] = slope


@compiled
def radau_dense_error(x, rows, p):
    """How wrong the collocation polynomial may be inside the step, relative to the tolerances.

    The filtered estimate watches only the end of a step; on a very stiff and smooth motion steps grow until the cubic between the
    ends is worthless. Here the quartic through one more point, the start of the last step at x = -h_last/h, shows what the cubic
    leaves out: K w(x) with w(x) = x (x-c1) (x-c2) (x-1), whose largest value in [0, 1] is PEAK. p is still the last step's.
    """
    c1, c2 = c.C[0], c.C[1]
    w = x * (x - c1) * (x - c2) * (x - 1.0)
    total = 0.0
    for i in range(p.shape[1]):
        z3 = rows[Z + 2, i]
        g1 = (rows[Z, i] / c1 - z3) / (1.0 - c1)
        g2 = (rows[Z + 1, i] / c2 - z3) / (1.0 - c2)
        slope = (g2 - g1) / (c2 - c1)
        behind = x * (z3 + (1.0 - x) * (g1 - c1 * slope + x * slope))
        total += (PEAK * (-p[0, i] - behind) / (w * rows[WEIGHT, i])) ** 2
    return sqrt(total / p.shape[1])


@compiled
def spectral_bound(jac, a, b):
    """An upper bound of the spectral radius of a matrix: |J^m|^(1/m) >= rho(J) in the Frobenius norm, m = 2^SQUARINGS (Gelfand).

    It exceeds rho at most by cond(V)^(1/m) n^(1/2m), V the matrix of eigenvectors. a and b are work space, b complex.
    """
    n = jac.shape[0]
    bound = 1.0
    root = 1.0
    for level in range(SQUARINGS + 1):
        total = 0.0
        for i in range(n):
            for j in range(n):
                entry = jac[i, j]
                if level > 0:
                    entry = 0.0
                    for m in range(n):
                        entry += a[i, m] * a[m, j]
                b[i, j] = entry
                total += entry * entry
        size = sqrt(total)
        if size == 0.0:
            return 0.0
        for i in range(n):
            for j in range(n):
                a[i, j] = b[i, j].real / size
        bound *= size**root
        root *= 0.5
    return bound
