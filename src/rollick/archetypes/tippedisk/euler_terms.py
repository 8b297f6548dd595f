"""What the two Euler parametrisations share: contact points and the terms of the turning disk, Sailer (3.76)-(3.85), (4.5)-(4.9).

Frames: R is the inertial frame turned by alpha about z; G is R turned by beta about x; B (the body) is G turned by gamma about z.
In R

    e_x^G = (1, 0, 0),   e_y^G = (0, cb, sb),   e_z^B = (0, -sb, cb),   e_x^B = (cg, cb sg, sb sg)

so that nothing here depends on alpha. A contact point is r_GC = a e_x^G + b e_y^G:

    C1: (0, -r), the lowest;   C2, C3: (+- sqrt(3)/2 r, r/2), C1 turned by +-120 deg about e_z^B, Sailer (3.23).

The G frame is defined by alpha, also in the horizontal position: nothing has to be put in its place there. But the mass matrix is
singular at sin beta = 0, where alpha and gamma turn about one axis. For beta < 0 the points C2 and C3 are the lower ones, so that
they prevent it.
"""

from __future__ import annotations

from ...kernel.compiled import inlined

HALF_SQRT3 = 0.8660254037844386


@inlined
def contact_coordinates(r, k):
    """(a, b) of contact point k in the G frame, Sailer (3.23)."""
    if k == 0:
        return 0.0, -r
    if k == 1:
        return HALF_SQRT3 * r, 0.5 * r
    return -HALF_SQRT3 * r, 0.5 * r


@inlined
def offset_inertia(disk, sb, cb, sg, cg):
    """m e times d(e_x^B)/d(alpha, beta, gamma), in R: three rows x, y, z. M12 at alpha = 0, xb = yb = 0."""
    me = disk.m * disk.e
    zero = 0.0 * sb
    return (-me * cb * sg, zero, -me * sg), (me * cg, -me * sb * sg, me * cb * cg), (zero, me * cb * sg, me * sb * cg)


@inlined
def turning_inertia(disk, sb, cb, sg, cg):
    """M22, as its entries 11, 12, 13, 22, 33 (23 is zero)."""
    A, B, C = disk.A, disk.B, disk.C
    return (
        (A * sg * sg + B * cg * cg) * sb * sb + C * cb * cb,
        (A - B) * sb * sg * cg,
        C * cb,
        A * cg * cg + B * sg * sg,
        C + 0.0 * cb,
    )


@inlined
def offset_forces(disk, sb, cb, sg, cg, ad, bd, gd):
    """-m e times the part of (e_x^B)'' that is quadratic in the rates, in R: h1..h3 for G at rest on the axis."""
    me = disk.m * disk.e
    return (
        me * ((ad * ad + gd * gd) * cg - 2.0 * ad * bd * sb * sg + 2.0 * ad * gd * cb * cg),
        me * ((ad * ad + bd * bd + gd * gd) * cb * sg + 2.0 * ad * gd * sg + 2.0 * bd * gd * sb * cg),
        me * ((bd * bd + gd * gd) * sb * sg - 2.0 * bd * gd * cb * cg),
    )


@inlined
def turning_forces(disk, sb, cb, sg, cg, ad, bd, gd):
    """The gyroscopic terms of alpha, beta, gamma, Sailer (3.78): what A, B, C contribute to h4..h6."""
    A, B, C = disk.A, disk.B, disk.C
    D = A - B
    across = A * sg * sg + B * cg * cg
    c2g = cg * cg - sg * sg
    return (
        -D * (bd * bd * cb * sg * cg + 2.0 * ad * gd * sb * sb * sg * cg + bd * gd * sb * c2g)
        - 2.0 * (across - C) * ad * bd * sb * cb
        + C * bd * gd * sb,
        D * (2.0 * bd * gd * sg * cg - ad * gd * sb * c2g) + across * ad * ad * sb * cb - C * (ad * ad * sb * cb + ad * gd * sb),
        D * ((ad * ad * sb * sb - bd * bd) * sg * cg + ad * bd * c2g * sb) + C * ad * bd * sb,
    )


@inlined
def write_gravity(disk, g, sb, cb, sg, cg, out):
    """Add f_g = -m g (0, 0, 1, 0, e cb sg, e sb cg)."""
    weight = disk.m * g
    out[2] -= weight
    out[4] -= weight * disk.e * cb * sg
    out[5] -= weight * disk.e * sb * cg


@inlined
def write_turning(rows, disk, sb, cb, arm, k, out):
    """Rows 3 to 5: pivoting, arm (alpha' + gamma' cb), and contour, -r gamma', both for C1 only; the last row is zero."""
    for i in range(3, rows):
        for j in range(6):
            out[i, j] = 0.0
    if k == 0 and rows > 3:
        out[3, 3] = arm
        out[3, 5] = arm * cb
        if rows > 4:
            out[4, 5] = -disk.r
