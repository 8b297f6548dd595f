"""The tippedisk in Euler angles, G in the frame that turns with alpha: Sailer (4.4)-(4.9).

    q = (xb, yb, z, alpha, beta, gamma),    u = q'

where xb, yb are the coordinates of G in R, the inertial frame turned by alpha about z. No term depends on alpha, which makes this
the form for analysis. Slip is measured along e_x^R (rolling, gamma_x) and e_y^R (lateral, gamma_y). On C2 and C3, and the
horizontal position: as `euler`.

Far from the origin this form loses digits, because inertial terms of the size m |(xb, yb)|^2 cancel: at 40 rad/s accelerations
are good to 2e-14 within 1 mm of it, 2e-12 within 0.1 m, 5e-9 within 10 m.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.scalar import sincos
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    smooth_forces,
    velocities,
)
from ...mechanics.laws.friction import row_count
from ...mechanics.laws.sliding import arm
from .euler_terms import (
    contact_coordinates,
    offset_forces,
    offset_inertia,
    turning_forces,
    turning_inertia,
    write_gravity,
    write_turning,
)


class TippediskCorotating(NamedTuple):
    """A tippedisk: position of G in the frame turned by alpha, and z-x-z Euler angles."""

    disk: Any
    law: Any
    e_N: float
    g: float


@positions.register(TippediskCorotating)
def _(s):
    return 6


@velocities.register(TippediskCorotating)
def _(s):
    return 6


@contact_count.register(TippediskCorotating)
def _(s):
    return 3


@position_rate.register(TippediskCorotating)
def _(s, q, u, out):
    for i in range(6):
        out[i] = u[i]


@mass_matrix.register(TippediskCorotating)
def _(s, q, out):
    m, me = s.disk.m, s.disk.m * s.disk.e
    xb, yb = q[0], q[1]
    sb, cb = sincos(q[4])
    sg, cg = sincos(q[5])
    x, y, z = offset_inertia(s.disk, sb, cb, sg, cg)
    m11, m12, m13, m22, m33 = turning_inertia(s.disk, sb, cb, sg, cg)
    zero = 0.0 * sb
    for i in range(3):
        for j in range(3):
            out[i, j] = zero
        out[i, i] = m + zero
    for j in range(3):
        out[0, 3 + j] = x[j] + zero
        out[1, 3 + j] = y[j] + zero
        out[2, 3 + j] = z[j] + zero
    out[0, 3] -= m * yb  # M12
    out[1, 3] += m * xb
    for j in range(3):
        for i in range(3):
            out[3 + j, i] = out[i, 3 + j]
    out[3, 3] = m11 + m * (xb * xb + yb * yb) + 2.0 * me * (xb * cg + yb * cb * sg)
    out[3, 4] = m12 - me * xb * sb * sg
    out[4, 3] = out[3, 4]
    out[3, 5] = m13 + me * (xb * cb * cg + yb * sg)
    out[5, 3] = out[3, 5]
    out[4, 4] = m22
    out[4, 5] = zero
    out[5, 4] = zero
    out[5, 5] = m33


@smooth_forces.register(TippediskCorotating)
def _(s, t, q, u, out):
    m, me = s.disk.m, s.disk.m * s.disk.e
    xb, yb = q[0], q[1]
    xbd, ybd, ad, bd, gd = u[0], u[1], u[3], u[4], u[5]
    sb, cb = sincos(q[4])
    sg, cg = sincos(q[5])
    h1, h2, h3 = offset_forces(s.disk, sb, cb, sg, cg, ad, bd, gd)
    h4, h5, h6 = turning_forces(s.disk, sb, cb, sg, cg, ad, bd, gd)
    out[0] = h1 + m * (xb * ad * ad + 2.0 * ybd * ad)  # h1 to h6
    out[1] = h2 + m * (yb * ad * ad - 2.0 * xbd * ad)
    out[2] = h3
    out[3] = (
        h4
        - 2.0 * m * ad * (xb * xbd + yb * ybd)
        - me
        * (
            2.0 * xbd * ad * cg
            + (2.0 * ybd * ad - xb * bd * bd - xb * gd * gd) * cb * sg
            - 2.0 * xb * ad * gd * sg
            - 2.0 * xb * bd * gd * sb * cg
            + yb * gd * gd * cg
            - 2.0 * yb * ad * bd * sb * sg
            + 2.0 * yb * ad * gd * cb * cg
        )
    )
    out[4] = h5 + me * (2.0 * xbd * ad - yb * ad * ad) * sb * sg
    out[5] = h6 - me * (2.0 * ybd * ad + xb * ad * ad) * sg - me * (2.0 * xbd * ad - yb * ad * ad) * cb * cg
    write_gravity(s.disk, s.g, sb, cb, sg, cg, out)


@gap.register(TippediskCorotating)
def _(s, t, q, k):
    _, b = contact_coordinates(s.disk.r, k)
    sb, _ = sincos(q[4])
    return q[2] + b * sb


@contact_rows.register(TippediskCorotating)
def _(s, t, q, k, out):
    sb, cb = sincos(q[4])
    a, b = contact_coordinates(s.disk.r, k)
    for i in range(3):
        for j in range(6):
            out[i, j] = 0.0
    out[0, 2] = 1.0  # w_N
    out[0, 4] = b * cb
    out[0, 5] = a * sb
    out[1, 0] = 1.0  # w_x
    out[1, 3] = -q[1] - b * cb
    out[1, 5] = -b
    out[2, 1] = 1.0  # w_y
    out[2, 3] = q[0] + a
    out[2, 4] = -b * sb
    out[2, 5] = a * cb
    law = law_of(s, k)
    write_turning(row_count(law), s.disk, sb, cb, arm(law), k, out)
