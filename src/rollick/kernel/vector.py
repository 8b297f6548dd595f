"""3-vectors and 3x3 matrices as tuples: they live in registers, on the CPU and on the GPU.

A vector is (x, y, z), a matrix a tuple of its three rows. All functions take floats or complex numbers.
"""

from __future__ import annotations

from typing import TypeAlias

from .compiled import compiled
from .scalar import Scalar, sqrt

Vector: TypeAlias = tuple[Scalar, Scalar, Scalar]


@compiled
def add(u, v):
    """u + v."""
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


@compiled
def sub(u, v):
    """u - v."""
    return u[0] - v[0], u[1] - v[1], u[2] - v[2]


@compiled
def scale(s, v):
    """s v."""
    return s * v[0], s * v[1], s * v[2]


@compiled
def axpy(s, u, v):
    """s u + v."""
    return s * u[0] + v[0], s * u[1] + v[1], s * u[2] + v[2]


@compiled
def dot(u, v):
    """u . v (no conjugation: complex numbers here carry derivatives)."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@compiled
def cross(u, v):
    """u x v."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


@compiled
def norm(v):
    """|v|."""
    return sqrt(dot(v, v))


@compiled
def unit(v):
    """v / |v|."""
    return scale(1.0 / norm(v), v)


@compiled
def matvec(m, v):
    """m v."""
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


@compiled
def transpose(m):
    """The transposed matrix."""
    return (m[0][0], m[1][0], m[2][0]), (m[0][1], m[1][1], m[2][1]), (m[0][2], m[1][2], m[2][2])


@compiled
def vecmat(v, m):
    """v m, that is, (m transposed) v: into the frame whose axes are the columns of m."""
    return (
        v[0] * m[0][0] + v[1] * m[1][0] + v[2] * m[2][0],
        v[0] * m[0][1] + v[1] * m[1][1] + v[2] * m[2][1],
        v[0] * m[0][2] + v[1] * m[1][2] + v[2] * m[2][2],
    )


@compiled
def matmul(m, n):
    """m n."""
    return vecmat(m[0], n), vecmat(m[1], n), vecmat(m[2], n)


@compiled
def matadd(m, n):
    """m + n."""
    return add(m[0], n[0]), add(m[1], n[1]), add(m[2], n[2])


@compiled
def matscale(s, m):
    """s m."""
    return scale(s, m[0]), scale(s, m[1]), scale(s, m[2])


@compiled
def outer(u, v):
    """u v^T."""
    return scale(u[0], v), scale(u[1], v), scale(u[2], v)


@compiled
def skew(v):
    """The matrix with skew(v) w = v x w."""
    zero = 0.0 * v[0]
    return (zero, -v[2], v[1]), (v[2], zero, -v[0]), (-v[1], v[0], zero)


@compiled
def det(m):
    """The determinant of a 3x3 matrix."""
    return dot(m[0], cross(m[1], m[2]))


@compiled
def solve(m, v):
    """The solution x of m x = v for a 3x3 matrix, by cofactors; inf or nan if m is singular."""
    c0 = cross(m[1], m[2])
    c1 = cross(m[2], m[0])
    c2 = cross(m[0], m[1])
    return scale(1.0 / dot(m[0], c0), axpy(v[0], c0, axpy(v[1], c1, scale(v[2], c2))))


@compiled
def inverse(m):
    """The inverse of a 3x3 matrix, by cofactors."""
    c0 = cross(m[1], m[2])
    return matscale(1.0 / dot(m[0], c0), transpose((c0, cross(m[2], m[0]), cross(m[0], m[1]))))
