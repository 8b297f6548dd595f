"""Impact of a vertex with the plane: Newton's restitution, and Coulomb friction by the law of Chatterjee and Ruina.

With the velocity v of the vertex and its mobility W (3x3), two impulses stop it: P1 along the normal stops its normal part, P2 = -W^-1 v all of
it. The impulse is

    P = (1 + gamma) P1 + kappa (P2 - P1),

kappa = 1 if that lies in the friction cone |Pt| <= mu Pn (the vertex sticks, and gamma P1 throws it off again), otherwise the kappa < 1 that
puts it on the cone (A. Chatterjee, A. Ruina, J. Applied Mechanics 65 (1998) 939-951; tangential restitution 0). P2 - P1 does not change the normal velocity, so that v_n+ = -gamma v_n-; and the
energy falls with kappa between 0 and 1, from its value without friction. So it never increases.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...kernel.quaternion import quaternion_matrix
from ...kernel.vector import cross, dot, matvec, solve, vecmat


@compiled
def vertex_velocity(body, y, j):
    """The velocity of a vertex in the inertial frame."""
    R = quaternion_matrix((y[6], y[7], y[8], y[9]))
    x = (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2])
    turn = matvec(R, cross((y[10], y[11], y[12]), x))
    return y[3] + turn[0], y[4] + turn[1], y[5] + turn[2]


@compiled
def mobility(body, y, j):
    """W of a vertex: its velocity change by a unit impulse, in the inertial frame; rows of a symmetric matrix."""
    R = quaternion_matrix((y[6], y[7], y[8], y[9]))
    x = (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2])
    return column(body, R, x, (1.0, 0.0, 0.0)), column(body, R, x, (0.0, 1.0, 0.0)), column(body, R, x, (0.0, 0.0, 1.0))


@compiled
def column(body, R, x, p):
    """The velocity change of the body point x by an impulse p there (inertial)."""
    i1, i2, i3 = body.moments
    t = cross(x, vecmat(p, R))
    turn = matvec(R, cross((t[0] / i1, t[1] / i2, t[2] / i3), x))
    m = 1.0 / body.mass
    return m * p[0] + turn[0], m * p[1] + turn[1], m * p[2] + turn[2]


@compiled
def vertex_impulse(gamma, mu, v, W):
    """The impulse (inertial) on a vertex with velocity v, v[2] < 0."""
    p1 = -v[2] / W[2][2]
    if mu <= 0.0:
        return 0.0, 0.0, (1.0 + gamma) * p1
    full = solve(W, (-v[0], -v[1], -v[2]))
    dx, dy, dz = full[0], full[1], full[2] - p1
    normal = (1.0 + gamma) * p1
    kappa = 1.0
    if dx * dx + dy * dy > (mu * (normal + dz)) ** 2 or normal + dz < 0.0:
        kappa = mu * normal / (math.hypot(dx, dy) - mu * dz)  # on the cone: kappa |dt| = mu (normal + kappa dz)
    return kappa * dx, kappa * dy, normal + kappa * dz


@compiled
def apply_impulse(body, part, y, j, P):
    """Change the state by the impulse P at vertex j; the jump of the component's velocity along its direction."""
    R = quaternion_matrix((y[6], y[7], y[8], y[9]))
    x = (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2])
    local = vecmat(P, R)
    t = cross(x, local)
    i1, i2, i3 = body.moments
    dw = (t[0] / i1, t[1] / i2, t[2] / i3)
    m = 1.0 / body.mass
    for k in range(3):
        y[3 + k] += m * P[k]
        y[10 + k] += dw[k]
    lift = cross(dw, part.a)
    jump = dot(part.d, (m * local[0] + lift[0], m * local[1] + lift[1], m * local[2] + lift[2]))
    y[14] -= jump
    return jump


@compiled
def body_energy(body, g, y):
    """Kinetic and potential energy."""
    i1, i2, i3 = body.moments
    turning = i1 * y[10] * y[10] + i2 * y[11] * y[11] + i3 * y[12] * y[12]
    return 0.5 * body.mass * (y[3] * y[3] + y[4] * y[4] + y[5] * y[5]) + 0.5 * turning + body.mass * g * y[2]
