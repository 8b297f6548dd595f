"""The polynomial whose roots are the self-similar motions with gravity, with coefficients to 60 digits.

pi(beta) = f_0.q_0 det(beta I - G) det(beta^2 I - R^-1), G = R^-1 U_0, is of degree 7 (E10). With adj(l I - G) = l^2 I + l (G - tr G) + adj G,

    pi = f_0.adj(beta^2 I - R^-1) R^-1 (U_0 adj(beta I - G) R^-1 a_0 + det(beta I - G) a_0/2)            for g = tau_0 = 1.

In doubles its coefficients lose digits to cancellation, for many points all of them, and those that vanish come out as rounding, which then has roots
of its own. So they are computed in decimal arithmetic, once in powers of beta and once in powers of x = 1 - beta, and rounded last: each form is used
where its variable is small.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np

from .disk import Disk

DIGITS = 60
NOTHING = 1e-40  # coefficients smaller than this part of the largest are zero, up to the rounding of DIGITS digits
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899863")

Row = list[Decimal]
Matrix = list[Row]
Polynomial = list[Decimal]  # lowest power first


def cosine(x: Decimal) -> Decimal:
    """cos x for |x| up to pi, by its series."""
    total, term, k = Decimal(1), Decimal(1), 0
    while abs(term) > Decimal(10) ** -(DIGITS + 5):
        k += 2
        term *= -x * x / (k * (k - 1))
        total += term
    return total


def matmul(A: Matrix, B: Matrix) -> Matrix:
    """A B."""
    return [[sum((a * B[k][j] for k, a in enumerate(row)), Decimal(0)) for j in range(len(B[0]))] for row in A]


def adjugate(M: Matrix) -> Matrix:
    """adj M = det(M) M^-1 of a 3x3 matrix."""

    def cofactor(i: int, j: int) -> Decimal:
        a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        return M[a][c] * M[b][d] - M[a][d] * M[b][c]

    return [[cofactor(j, i) for j in range(3)] for i in range(3)]


def parts(M: Matrix) -> tuple[list[Matrix], Polynomial]:
    """adj(l I - M) and det(l I - M) in powers of l, lowest first."""
    trace, adj = M[0][0] + M[1][1] + M[2][2], adjugate(M)
    det = sum((M[0][k] * adj[k][0] for k in range(3)), Decimal(0))
    one = [[Decimal(int(i == j)) for j in range(3)] for i in range(3)]
    middle = [[M[i][j] - trace * one[i][j] for j in range(3)] for i in range(3)]
    return [adj, middle, one], [-det, adj[0][0] + adj[1][1] + adj[2][2], -trace, Decimal(1)]


def column(values: list[Decimal]) -> Matrix:
    """A column vector."""
    return [[v] for v in values]


def exact_coefficients(d: Disk) -> Polynomial:
    """pi in powers of beta, lowest first."""
    angle = 2 * PI / d.n
    c, s = cosine(angle), cosine(angle - PI / 2)
    zero, one = Decimal(0), Decimal(1)
    turned_back = [[c, s, zero], [-s, c, zero], [zero, zero, one]]
    square = Decimal(d.rho) * Decimal(d.rho)
    k = (one + Decimal(d.gamma)) / (one + square)
    U = [[one, zero, zero], [zero, one - k, k], [zero, k * square, one - k * square]]
    a = column([zero, zero, -one])
    if d.gamma == 0.0:  # slip on point 0, (4.15) with (2.35)
        a = column([zero, -one / (one + square), -one / (one + square)])
    ra = matmul(turned_back, a)
    adjugates, det = parts(matmul(turned_back, U))
    inner = [[half / 2 * x[0] for x in ra] for half in det]
    for power, adj in enumerate(adjugates):
        for i, x in enumerate(matmul(matmul(matmul(turned_back, U), adj), ra)):
            inner[power][i] += x[0]
    f0 = [[zero, -one, one]]
    rows, _ = parts(turned_back)
    found = [zero] * 8
    for twice, row in enumerate(rows):  # powers of beta^2
        left = matmul(f0, row)[0]
        for power, v in enumerate(inner):
            found[2 * twice + power] += sum((x * y for x, y in zip(left, v)), zero)
    return found


def shifted(coefficients: Polynomial) -> Polynomial:
    """The polynomial in powers of x = 1 - beta."""
    found = [Decimal(0)] * len(coefficients)
    for k, c in enumerate(coefficients):
        for j in range(k + 1):
            found[j] += c * math.comb(k, j) * (-1) ** j
    return found


def rounded(coefficients: Polynomial) -> np.ndarray:
    """As doubles; what is rounding of the decimals is zero."""
    largest = max(abs(c) for c in coefficients)
    return np.array([float(c) if abs(c) > Decimal(NOTHING) * largest else 0.0 for c in coefficients])


def both_forms(d: Disk) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients in powers of beta and of x = 1 - beta, lowest first."""
    with localcontext() as context:
        context.prec = DIGITS
        exact = exact_coefficients(d)
        return rounded(exact), rounded(shifted(exact))
