"""Small linear systems in local arrays."""

import numpy as np
from numba import complex128, cuda, float64, int64

from rollick.kernel.linear import cholesky_solve, lu_factor, lu_solve

from .checks import COUNT, RANDOM, check, launch

N = 6


def lu_kernel(number):
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            m = cuda.local.array((N, N), number)
            x = cuda.local.array(N, number)
            pivots = cuda.local.array(N, int64)
            for j in range(N):
                x[j] = b[i, j]
                for k in range(N):
                    m[j, k] = a[i, j, k]
            if lu_factor(m, pivots):
                lu_solve(m, pivots, x)
                for j in range(N):
                    out[i, j] = x[j]

    return kernel


def cholesky_kernel(number):
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            m = cuda.local.array((N, N), number)
            x = cuda.local.array(N, number)
            for j in range(N):
                x[j] = b[i, j]
                for k in range(N):
                    m[j, k] = a[i, j, k]
            if cholesky_solve(m, x):
                for j in range(N):
                    out[i, j] = x[j]

    return kernel


def solve_check(name, factory, number, definite):
    def run():
        a, b = RANDOM.normal(size=(COUNT, N, N)), RANDOM.normal(size=(COUNT, N))
        if definite:
            a = a @ a.transpose(0, 2, 1) + np.eye(N)
        else:
            a[:, 0, 0] = 0.0  # so that rows must be exchanged
            a[-1] = 0.0  # and one that is refused
        if number is complex128:
            a, b = a + 0.01j * np.ones((N, N)), b + 0j
        out = np.zeros_like(b)
        launch(factory(number), COUNT, a, b, out)
        expected = np.zeros_like(b)
        good = slice(None) if definite else slice(0, -1)
        expected[good] = np.linalg.solve(a[good], b[good][..., None])[..., 0]
        condition = np.linalg.cond(a[good]).max()
        return out, expected, 1e-14 * condition

    check(name, None)(run)


solve_check("lu, float", lu_kernel, float64, False)
solve_check("lu, complex", lu_kernel, complex128, False)
solve_check("cholesky, float", cholesky_kernel, float64, True)
solve_check("cholesky, complex", cholesky_kernel, complex128, True)
