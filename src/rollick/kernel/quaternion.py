"""Rotations: unit quaternions (scalar first, body to inertial) and elementary rotation matrices."""

from __future__ import annotations

from .compiled import compiled
from .scalar import cos, sin, sqrt
from .vector import scale


@compiled
def quaternion_product(p, q):
    """p q: first the rotation q, then p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@compiled
def quaternion_conjugate(q):
    """The inverse rotation of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@compiled
def quaternion_norm(q):
    """|q|."""
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])


@compiled
def quaternion_normalised(q):
    """q / |q|."""
    s = 1.0 / quaternion_norm(q)
    return s * q[0], s * q[1], s * q[2], s * q[3]


@compiled
def make_unit(y, first):
    """Make the quaternion in y[first : first + 4] a unit one, in place."""
    k = 1.0 / sqrt(y[first] * y[first] + y[first + 1] * y[first + 1] + y[first + 2] * y[first + 2] + y[first + 3] * y[first + 3])
    for i in range(first, first + 4):
        y[i] *= k


@compiled
def quaternion_matrix(q):
    """The rotation matrix of a quaternion of any length: its columns are the body axes seen from the inertial frame."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        (1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)),
        (s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)),
        (s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)),
    )


@compiled
def quaternion_rate(q, omega):
    """dq/dt = q (0, omega)/2 for the angular velocity in body axes."""
    half = scale(0.5, omega)
    return (
        -q[1] * half[0] - q[2] * half[1] - q[3] * half[2],
        q[0] * half[0] + q[2] * half[2] - q[3] * half[1],
        q[0] * half[1] + q[3] * half[0] - q[1] * half[2],
        q[0] * half[2] + q[1] * half[1] - q[2] * half[0],
    )


@compiled
def quaternion_about(axis, angle):
    """The rotation by an angle about a unit axis."""
    s = sin(0.5 * angle)
    return cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]


@compiled
def rotation_x(angle):
    """The matrix of a rotation about the first axis."""
    c, s = cos(angle), sin(angle)
    zero = 0.0 * c
    return (1.0 + zero, zero, zero), (zero, c, -s), (zero, s, c)


@compiled
def rotation_y(angle):
    """The matrix of a rotation about the second axis."""
    c, s = cos(angle), sin(angle)
    zero = 0.0 * c
    return (c, zero, s), (zero, 1.0 + zero, zero), (-s, zero, c)


@compiled
def rotation_z(angle):
    """The matrix of a rotation about the third axis."""
    c, s = cos(angle), sin(angle)
    zero = 0.0 * c
    return (c, -s, zero), (s, c, zero), (zero, zero, 1.0 + zero)
