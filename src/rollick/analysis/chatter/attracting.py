"""Does a periodic word of steps round a regular n-gon carry a self-similar motion that attracts? The compiled test behind searches and limits.

Everything is seen from the point that was hit last. Over one round of the word velocities are mapped by M = product of U_0 R^-s and positions by
A = product of R^-s (I - p f_s'/(f_s.p)). Complete chatter follows if the dominant eigenvalue of M is real and positive, beta_p < 1, with an eigenvector p
that brings every next point and the mass centre down, that of A is real and positive, beta_q <= beta_p, and no point is below the plane.
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled, inlined
from ...kernel.compiling import compiling
from .spectrum import check, impact

SLACK = 1e-9  # what counts as below the plane, relative


@inlined
def image(M, x, y, z):
    """M (x, y, z)."""
    return (
        M[0, 0] * x + M[0, 1] * y + M[0, 2] * z,
        M[1, 0] * x + M[1, 1] * y + M[1, 2] * z,
        M[2, 0] * x + M[2, 1] * y + M[2, 2] * z,
    )


@inlined
def largest_root(b, c, d, size):
    """The largest real root of l^3 + b l^2 + c l + d, whose roots are below 2 `size`: Newton's method from above comes down to it."""
    l = 2.0 * size
    for _ in range(200):
        slope = (3.0 * l + 2.0 * b) * l + c
        if slope == 0.0:
            break
        new = l - (((l + b) * l + c) * l + d) / slope
        if not new < l:
            break
        l = new
    return l


@compiled
def dominant(M):
    """The dominant eigenvalue of a 3x3 matrix if it is real and positive (else zero), and its eigenvector, a unit vector.

    The largest real root l must outweigh the other two, the roots of x^2 + (b + l) x - d/l; the eigenvector is the longest product of two
    rows of M - l I.
    """
    b = -(M[0, 0] + M[1, 1] + M[2, 2])
    c, d = 0.0, 0.0
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        c += M[i, i] * M[j, j] - M[i, j] * M[j, i]
        d -= M[0, i] * (M[1, j] * M[2, k] - M[1, k] * M[2, j])
    size = max(abs(b), math.sqrt(abs(c)), abs(d) ** (1.0 / 3.0))
    if size == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    l = largest_root(b, c, d, size)
    if not l > 1e-14 * size:
        return 0.0, 0.0, 0.0, 0.0
    half, product = -0.5 * (b + l), -d / l
    root = half * half - product
    others = abs(half) + math.sqrt(root) if root >= 0.0 else math.sqrt(abs(product))
    if others > l * (1.0 + 1e-12):
        return 0.0, 0.0, 0.0, 0.0
    x, y, z, best = 0.0, 0.0, 0.0, 0.0
    for i in range(3):
        j = (i + 1) % 3
        a0, a1, a2 = M[i, 0] - (l if i == 0 else 0.0), M[i, 1] - (l if i == 1 else 0.0), M[i, 2] - (l if i == 2 else 0.0)
        b0, b1, b2 = M[j, 0] - (l if j == 0 else 0.0), M[j, 1] - (l if j == 1 else 0.0), M[j, 2] - (l if j == 2 else 0.0)
        u, v, w = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
        length = math.sqrt(u * u + v * v + w * w)
        if length > best:
            x, y, z, best = u / length, v / length, w / length, length
    return l, x, y, z


@compiled
def multiply_into(B, A, work):
    """A = B A, divided by its largest entry, which is returned."""
    most = 0.0
    for i in range(3):
        for j in range(3):
            work[i, j] = B[i, 0] * A[0, j] + B[i, 1] * A[1, j] + B[i, 2] * A[2, j]
            most = max(most, abs(work[i, j]))
    for i in range(3):
        for j in range(3):
            A[i, j] = work[i, j] / most if most > 0.0 else 0.0
    return most


@compiled
def velocities(maps, f, word, count, speeds, work):
    """ln beta_p of a word, and the velocities of its flights in `speeds`; nan if they do not repeat, or do not come down."""
    M = work[0]
    for i in range(3):
        for j in range(3):
            M[i, j] = 1.0 if i == j else 0.0
    log_p = 0.0
    for m in range(count):
        log_p += math.log(multiply_into(maps[word[m] - 1], M, work[1]))
    beta, x, y, z = dominant(M)
    if beta == 0.0:
        return math.nan
    if z > 0.0:
        x, y, z = -x, -y, -z
    for m in range(count):
        s = word[m]
        if f[s, 0] * x + f[s, 1] * y + z >= 0.0 or z >= 0.0:
            return math.nan
        speeds[m, 0], speeds[m, 1], speeds[m, 2] = x, y, z
        x, y, z = image(maps[s - 1], x, y, z)
        size = abs(x) + abs(y) + abs(z)
        x, y, z = x / size, y / size, z / size
    return log_p + math.log(beta)


@compiled
def stays_above(turns, f, word, count, speeds, x, y, z):
    """Whether no point is below the plane at the impacts of a word that begins at q = (x, y, z), and no flight goes back in time."""
    for m in range(count):
        s, p = word[m], speeds[m]
        tau = -(f[s, 0] * x + f[s, 1] * y + z) / (f[s, 0] * p[0] + f[s, 1] * p[1] + p[2])
        x, y, z = x + tau * p[0], y + tau * p[1], z + tau * p[2]
        size = abs(x) + abs(y) + abs(z)
        if tau < -SLACK * size:
            return False
        for j in range(f.shape[0]):
            if f[j, 0] * x + f[j, 1] * y + z < -SLACK * size:
                return False
        x, y, z = image(turns[s - 1], x / size, y / size, z / size)
    return True


@compiled
def attracts(maps, turns, f, word, count, speeds, work):
    """Whether the periodic word of steps carries a self-similar motion that attracts, up to rounding. `work`: three 3x3 matrices."""
    log_p = velocities(maps, f, word, count, speeds, work)
    if not log_p < 0.0:
        return False
    A, step = work[0], work[2]
    for i in range(3):
        for j in range(3):
            A[i, j] = 1.0 if i == j else 0.0
    log_q = 0.0
    for m in range(count):
        s, p = word[m], speeds[m]
        turn = turns[s - 1]
        down = f[s, 0] * p[0] + f[s, 1] * p[1] + p[2]
        r0, r1, r2 = image(turn, p[0] / down, p[1] / down, p[2] / down)
        for j in range(3):
            step[0, j], step[1, j], step[2, j] = turn[0, j] - r0 * f[s, j], turn[1, j] - r1 * f[s, j], turn[2, j] - r2 * f[s, j]
        log_q += math.log(multiply_into(step, A, work[1]))
    beta, x, y, z = dominant(A)
    if beta == 0.0 or log_q + math.log(beta) > log_p + 1e-12:
        return False
    if z < 0.0:
        x, y, z = -x, -y, -z
    return stays_above(turns, f, word, count, speeds, x, y, z)


def step_tables(n: int, rho: float, gamma: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The maps U_0 R^-j and the turns R^-j, j = 1 .. n-1, and the functionals f_j, j = 0 .. n-1."""
    angles = 2.0 * math.pi * np.arange(n) / n
    c, s = np.cos(angles), np.sin(angles)
    turns = np.zeros((n - 1, 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = c[1:]
    turns[:, 0, 1], turns[:, 1, 0], turns[:, 2, 2] = s[1:], -s[1:], 1.0
    return impact(rho, gamma) @ turns, turns, np.column_stack([s, -c, np.ones(n)])


def carries(n: int, rho: float, gamma: float, steps: tuple[int, ...]) -> bool:
    """Whether a word of steps carries complete chatter of a regular n-gon, and attracts."""
    check(n, rho, gamma)
    word = np.asarray(steps, np.int64)
    maps, turns, f = step_tables(n, rho, gamma)
    with compiling("words of polygons"):
        return bool(attracts(maps, turns, f, word, len(word), np.empty((len(word), 3)), np.empty((3, 3, 3))))
