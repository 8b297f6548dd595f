"""Friction as a monotone inclusion: the force of a law at a given x = P - r xi, with its exact derivatives.

A contact problem asks for forces (percussions) P and contact velocities xi that are affine in P and obey the law. For any r > 0 that is
P = J(P - r xi), with the *resolvent* J of the law:

    set-valued laws   J(x) = the point of the reservoir at the normal force N that is nearest to x (`prox`),
    smooth laws       J(x) = P with P = F(v), v = k (P - x), where F(v) = N a(v) + dt b(v) is the law's force and k = pace/r.

J is nonexpansive in x, however steep F is: for the regularised law it is the projection onto the disk with a rounded corner, and becomes
it for eps -> 0. So stiff laws are no harder than dry ones. `pace` is the share of xi at which smooth laws are evaluated (1, or 1/2 where xi
is the sum of the velocities at both ends of a step).

    respond(law, x1, x2, xt, N, dt, k, kt, lever)     sliding: ((P1, P2, Pt), and for each of them its derivatives by x1, x2, xt, N)
    respond_pivoting(law, x, N, kt, lever)            (P, dP/dx, dP/dN)
    respond_contour(law, x1, x2, N, k)                as for sliding, without xt

All on real numbers. Derivatives are closed forms for the laws of the package; for others they follow from the implicit function theorem with
the derivative of `traction`, or from `prox` itself, by complex step. Those of Contensou friction and of couples have files of their own.
Pt is the couple over the lever, vt = lever omega_n.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled, inlined
from ...kernel.derivative import EPS
from ...kernel.dispatch import generic
from ...kernel.vector import solve
from .sliding import ConstantLoad, Coulomb, Linearised, Regularised, Viscous, prox, set_valued, traction

NONE = (0.0, 0.0, 0.0, 0.0)
NOTHING = (0.0, 0.0, 0.0)
NEWTON, HALVES = 80, 40


@generic
def respond(law, x1, x2, xt, normal, dt, k, kt, lever):
    """The sliding force (and couple) of a law at x, and its derivatives."""


@generic
def respond_pivoting(law, x, normal, kt, lever):
    """The pivoting force of a law at x, and its derivatives by x and by the normal force."""


@generic
def respond_contour(law, x1, x2, normal, k):
    """The contour force of a law at x, and its derivatives."""


@generic
def own_metric(law):
    """Whether a set-valued law that couples pivoting to sliding takes different factors r for them: nearest is then in the metric of 1/r. Constant of its type."""


@own_metric.otherwise
def _(law):
    return False


@inlined
def length(x1, x2):
    """|x|."""
    return math.sqrt(x1 * x1 + x2 * x2)


@inlined
def into_disk_slope(x1, x2, bound, mu):
    """The point of a disk nearest to x; its derivatives by x1, x2, nothing, and by the normal force (d bound = mu)."""
    s = length(x1, x2)
    if s <= bound and bound > 0.0:
        return (x1, x2, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), NONE
    if s == 0.0:
        return (0.0, 0.0, 0.0), NONE, NONE, NONE
    d1, d2 = x1 / s, x2 / s
    q = bound / s
    cross = -q * d1 * d2
    return (bound * d1, bound * d2, 0.0), (q * d2 * d2, cross, 0.0, mu * d1), (cross, q * d1 * d1, 0.0, mu * d2), NONE


@inlined
def rounded(rho, most, eps, k):
    """p of p = most v/(v + eps), v = k (rho - p), for rho >= 0: the smaller root of k p^2 - B p + most k rho = 0; p/rho, dp/drho, dp/dmost.

    B = k (rho + most) + eps. For eps = 0 it is min(rho, most).
    """
    b = k * (rho + most) + eps
    root = math.sqrt((k * (rho - most)) ** 2 + eps * (2.0 * k * (rho + most) + eps))  # B^2 - 4 k^2 most rho, without cancellation
    share = 2.0 * k * most / (b + root) if b + root > 0.0 else 0.0
    p = share * rho
    if root <= 0.0:
        return p, share, 0.0, 0.0
    return p, share, k * max(most - p, 0.0) / root, k * max(rho - p, 0.0) / root


@inlined
def rounded_disk(x1, x2, most, eps, k, mu):
    """The radial law of `rounded` in the plane, with derivatives; d most/dN = mu."""
    rho = length(x1, x2)
    p, share, along, more = rounded(rho, most, eps, k)
    if rho == 0.0:
        return (0.0, 0.0, 0.0), (share, 0.0, 0.0, 0.0), (0.0, share, 0.0, 0.0), NONE
    d1, d2 = x1 / rho, x2 / rho
    cross = (along - share) * d1 * d2
    return (
        (p * d1, p * d2, 0.0),
        (share * d2 * d2 + along * d1 * d1, cross, 0.0, mu * more * d1),
        (cross, share * d1 * d1 + along * d2 * d2, 0.0, mu * more * d2),
        NONE,
    )


@respond.register(Coulomb)
def _(law, x1, x2, xt, normal, dt, k, kt, lever):
    return into_disk_slope(x1, x2, law.mu * normal, law.mu)


@respond.register(Regularised)
def _(law, x1, x2, xt, normal, dt, k, kt, lever):
    return rounded_disk(x1, x2, law.mu * normal, law.eps, k, law.mu)


@respond.register(ConstantLoad)
def _(law, x1, x2, xt, normal, dt, k, kt, lever):
    return rounded_disk(x1, x2, dt * law.mu * law.load, law.eps, k, 0.0)


@inlined
def linear(x1, x2, c, k):
    """P = -c v, v = k (P - x)."""
    q = c * k / (1.0 + c * k)
    return (q * x1, q * x2, 0.0), (q, 0.0, 0.0, 0.0), (0.0, q, 0.0, 0.0), NONE


@respond.register(Linearised)
def _(law, x1, x2, xt, normal, dt, k, kt, lever):
    return linear(x1, x2, dt * law.mu * law.load / law.eps, k)


@respond.register(Viscous)
def _(law, x1, x2, xt, normal, dt, k, kt, lever):
    return linear(x1, x2, dt * law.c, k)


@compiled
def force_slope(law, v, normal, dt, lever):
    """F(v) with v = (v1, v2, lever omega_n), dF/dv (rows) by complex step, and dF/dN."""
    per = 1.0 / lever if lever > 0.0 else 0.0
    z1, z2, z3 = complex(v[0], 0.0), complex(v[1], 0.0), complex(per * v[2], 0.0)
    a0, b0 = traction(law, v[0], v[1], per * v[2])
    a1, b1 = traction(law, complex(v[0], EPS), z2, z3)
    a2, b2 = traction(law, z1, complex(v[1], EPS), z3)
    a3, b3 = traction(law, z1, z2, complex(per * v[2], EPS))
    scale = 1.0 / EPS
    f = (normal * a0[0] + dt * b0[0], normal * a0[1] + dt * b0[1], per * (normal * a0[2] + dt * b0[2]))
    first = (
        scale * (normal * a1[0] + dt * b1[0]).imag,
        scale * (normal * a2[0] + dt * b2[0]).imag,
        per * scale * (normal * a3[0] + dt * b3[0]).imag,
    )
    second = (
        scale * (normal * a1[1] + dt * b1[1]).imag,
        scale * (normal * a2[1] + dt * b2[1]).imag,
        per * scale * (normal * a3[1] + dt * b3[1]).imag,
    )
    third = (
        per * scale * (normal * a1[2] + dt * b1[2]).imag,
        per * scale * (normal * a2[2] + dt * b2[2]).imag,
        per * per * scale * (normal * a3[2] + dt * b3[2]).imag,
    )
    return f, (first, second, third), (a0[0] + 0.0, a0[1] + 0.0, per * a0[2])


@inlined
def misfit(v, f, x, k, kt):
    """g = v - k (F - x), and its size."""
    g = (v[0] - k * (f[0] - x[0]), v[1] - k * (f[1] - x[1]), v[2] - kt * (f[2] - x[2]))
    return g, math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])


@inlined
def one_minus(s, k, kt):
    """1 - F' K, as rows."""
    return (
        (1.0 - k * s[0][0], -k * s[0][1], -kt * s[0][2]),
        (-k * s[1][0], 1.0 - k * s[1][1], -kt * s[1][2]),
        (-k * s[2][0], -k * s[2][1], 1.0 - kt * s[2][2]),
    )


@inlined
def minus_k(s, k, kt):
    """1 - K F', as rows."""
    return (
        (1.0 - k * s[0][0], -k * s[0][1], -k * s[0][2]),
        (-k * s[1][0], 1.0 - k * s[1][1], -k * s[1][2]),
        (-kt * s[2][0], -kt * s[2][1], 1.0 - kt * s[2][2]),
    )


@compiled
def implicit(law, x1, x2, xt, normal, dt, k, kt, lever):
    """The resolvent of a smooth law: v = k (F(v) - x) by Newton's method with line search.

    A law that dissipates is monotone, -F' >= 0, so that the Jacobian 1 - k F' is invertible everywhere, and the method converges from anywhere.
    """
    x = (x1, x2, xt)
    v = (-k * x1, -k * x2, -kt * xt)
    big = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    f, s, a = force_slope(law, v, normal, dt, lever)
    g, size = misfit(v, f, x, k, kt)
    for _ in range(NEWTON):
        if size <= 1e-15 * big:
            break
        step = solve(minus_k(s, k, kt), g)
        share = 1.0
        better = False
        for _ in range(HALVES):
            new = (v[0] - share * step[0], v[1] - share * step[1], v[2] - share * step[2])
            f, s, a = force_slope(law, new, normal, dt, lever)
            g, trial = misfit(new, f, x, k, kt)
            if trial < (1.0 - 1e-3 * share) * size:
                better = True
                break
            share *= 0.5
        if not better:
            f, s, a = force_slope(law, v, normal, dt, lever)
            break
        v, size = new, trial
    m = one_minus(s, k, kt)
    c1 = solve(m, (-k * s[0][0], -k * s[1][0], -k * s[2][0]))
    c2 = solve(m, (-k * s[0][1], -k * s[1][1], -k * s[2][1]))
    c3 = solve(m, (-kt * s[0][2], -kt * s[1][2], -kt * s[2][2]))
    cn = solve(m, a)
    return f, (c1[0], c2[0], c3[0], cn[0]), (c1[1], c2[1], c3[1], cn[1]), (c1[2], c2[2], c3[2], cn[2])


@compiled
def prox_slope(law, x1, x2, xt, normal):
    """The nearest point of a reservoir, and its derivatives by complex step."""
    z1, z2, z3, zn = complex(x1, 0.0), complex(x2, 0.0), complex(xt, 0.0), complex(normal, 0.0)
    p = prox(law, x1, x2, xt, normal)
    a = prox(law, complex(x1, EPS), z2, z3, zn)
    b = prox(law, z1, complex(x2, EPS), z3, zn)
    c = prox(law, z1, z2, complex(xt, EPS), zn)
    d = prox(law, z1, z2, z3, complex(normal, EPS))
    s = 1.0 / EPS
    return (
        (p[0] + 0.0, p[1] + 0.0, p[2] + 0.0),
        (s * a[0].imag, s * b[0].imag, s * c[0].imag, s * d[0].imag),
        (s * a[1].imag, s * b[1].imag, s * c[1].imag, s * d[1].imag),
        (s * a[2].imag, s * b[2].imag, s * c[2].imag, s * d[2].imag),
    )


@respond.otherwise
def _(law, x1, x2, xt, normal, dt, k, kt, lever):
    if set_valued(law):
        return prox_slope(law, x1, x2, xt, normal)
    return implicit(law, x1, x2, xt, normal, dt, k, kt, lever)
