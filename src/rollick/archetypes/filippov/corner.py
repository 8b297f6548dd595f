"""A homogeneous ball in the corner between two planes, or in a V-groove: two contacts, four velocities, all coordinates cyclic.

Frame: z along the edge, y along the bisector of the planes into the opening, x across. Normals n = (+-cos a, sin a, 0), a half the opening, P+ first;
contacts at -r n. Along the planes: t1 = z at both, t2 = n x z. The slips are

    u1 = v - r Omega.(n x z),      u2 = r Omega_z     (common to both contacts: u_a),

and with F = m (gravity + shaking + drag) the accelerations along directions d at contacts, c = d.F/m, respond to forces lambda along directions d' by
A = d.d'/m + (rho x d).(rho' x d')/J, rho = -r n, J = j m r^2. Normal forces keep the centre on its line.
"""

from __future__ import annotations

from typing import NamedTuple

from ...analysis.filippov.theory.points import positive
from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import cos, sin
from ...kernel.system import describe, signals, validate
from ...motion.filippov.systems.form import contact_form, contact_total, grip_and_load, moving_form, presses, steady


class BallInCorner(NamedTuple):
    """opening: angle between the planes; tilt: of their bisector from the vertical; slope: of the edge, downwards.

    shake, omega: acceleration shake cos(omega t) along the edge; drag, wind: acceleration -drag (v - wind) of the centre.
    mu_plus, mu_minus: friction at P+ (n_x > 0) and P-. j = J/(m r^2).
    """

    m: float = 1.0
    r: float = 0.1
    j: float = 0.4
    opening: float = 1.5707963267948966
    tilt: float = 0.0
    slope: float = 0.0
    mu_plus: float = 0.3
    mu_minus: float = 0.3
    g: float = 9.81
    shake: float = 0.0
    omega: float = 1.0
    drag: float = 0.0
    wind: float = 0.0


describe(
    BallInCorner,
    {
        "s": ("m", "place along the edge"),
        "v": ("m/s", "velocity along the edge"),
        "Omega_x": ("rad/s", "spin across the bisector"),
        "Omega_y": ("rad/s", "spin about the bisector"),
        "Omega_z": ("rad/s", "spin about the edge"),
    },
    {
        "u1_plus": ("m/s", "slip along the edge at P+"),
        "u1_minus": ("m/s", "slip along the edge at P-"),
        "u_a": ("m/s", "slip across the edge, at both"),
        "energy": ("J", "kinetic energy"),
    },
    parameters={
        "m": ("kg", "mass"),
        "r": ("m", "radius"),
        "j": ("", "moment of inertia over m r^2: 2/5 of a solid ball"),
        "opening": ("rad", "angle between the planes"),
        "tilt": ("rad", "of their bisector from the vertical"),
        "slope": ("rad", "of the edge, downwards"),
        "mu_plus": ("", "coefficient of friction at P+"),
        "mu_minus": ("", "coefficient of friction at P-"),
        "g": ("m/s^2", "gravity"),
        "shake": ("m/s^2", "amplitude of an acceleration along the edge"),
        "omega": ("rad/s", "its angular frequency"),
        "drag": ("1/s", "drag on the centre, per mass"),
        "wind": ("m/s", "the velocity that the drag leads to"),
    },
    plot=("v", "u1_plus", "u1_minus", "u_a"),
)


@contact_total.register(BallInCorner)
def _(ball):
    return 2


@presses.register(BallInCorner)
def _(ball):
    return True


@compiled
def row(ball, nx, ny, i):
    """Direction d of row i of a contact with the normal n, and rho x d."""
    if i == 0:
        return nx, ny, 0.0, 0.0, 0.0, 0.0
    if i == 1:  # d = z, rho x d = -r n x z = -r (ny, -nx, 0)
        return 0.0, 0.0, 1.0, -ball.r * ny, ball.r * nx, 0.0
    return ny, -nx, 0.0, 0.0, 0.0, ball.r  # d = n x z, rho x d = -r n x (n x z) = r z


@compiled
def normal(ball):
    """n of the contact P+; that of P- has the opposite n_x."""
    return cos(0.5 * ball.opening), sin(0.5 * ball.opening)


@compiled
def along_edge(ball, t, y):
    """Acceleration of the centre along the edge, without the contacts."""
    return ball.g * sin(ball.slope) + ball.shake * cos(ball.omega * t) - ball.drag * (y[1] - ball.wind)


@compiled
def applied(ball, t, y):
    """Acceleration of the centre without the contacts."""
    down = ball.g * cos(ball.slope)
    return down * sin(ball.tilt), -down * cos(ball.tilt), along_edge(ball, t, y)


@contact_form.register(BallInCorner)
def _(ball, modes, t, y, free, push, c, A, slip):
    zero = 0.0 * y[0]
    J = ball.j * ball.m * ball.r * ball.r
    per_m, per_J = 1.0 / ball.m, 1.0 / J
    nx, ny = normal(ball)
    fx, fy, fz = applied(ball, t, y)
    free[0], free[1], free[2], free[3], free[4] = y[1], fz, zero, zero, zero
    for a in range(6):
        dx, dy, dz, mx, my, mz = row(ball, nx if a < 3 else -nx, ny, a % 3)
        c[a] = dx * fx + dy * fy + dz * fz
        push[a, 0], push[a, 1] = zero, dz * per_m + zero
        push[a, 2], push[a, 3], push[a, 4] = mx * per_J + zero, my * per_J + zero, mz * per_J + zero
        if a % 3 > 0:
            slip[2 * (a // 3) + a % 3 - 1] = dz * y[1] + mx * y[2] + my * y[3] + mz * y[4]
        for b in range(a + 1):
            ex, ey, ez, kx, ky, kz = row(ball, nx if b < 3 else -nx, ny, b % 3)
            A[a, b] = (dx * ex + dy * ey + dz * ez) * per_m + (mx * kx + my * ky + mz * kz) * per_J + zero
            A[b, a] = A[a, b]


@steady.register(BallInCorner)
def _(ball):
    return True


@moving_form.register(BallInCorner)
def _(ball, modes, t, y, free, push, c, A, slip):
    J = ball.j * ball.m * ball.r * ball.r
    nx, ny = J * push[1, 3], -J * push[1, 2]  # r n_x, r n_y
    along = along_edge(ball, t, y)
    free[0], free[1] = y[1], along
    c[1], c[4] = along, along
    slip[0], slip[2] = y[1] - ny * y[2] + nx * y[3], y[1] - ny * y[2] - nx * y[3]
    slip[1] = slip[3] = ball.r * y[4]


@grip_and_load.register(BallInCorner)
def _(ball, t, y, k):
    return (ball.mu_plus if k == 0 else ball.mu_minus) + 0.0 * y[0], 0.0 * y[0]


@signals.register(BallInCorner)
def _(ball, t, y, out):
    nx, ny = normal(ball)
    for k in range(2):
        _, _, dz, mx, my, mz = row(ball, nx if k == 0 else -nx, ny, 1)
        out[k] = dz * y[1] + mx * y[2] + my * y[3] + mz * y[4]
    out[2] = ball.r * y[4]
    spin = y[2] * y[2] + y[3] * y[3] + y[4] * y[4]
    out[3] = 0.5 * ball.m * (y[1] * y[1] + ball.j * ball.r * ball.r * spin)


@validate.register(BallInCorner)
def _(ball):
    for name in ("m", "r", "j", "g"):
        positive(getattr(ball, name), name)
    if not 0.0 < ball.opening < 3.141592653589793:
        raise InputError(f"opening = {ball.opening!r} of BallInCorner must lie between 0 and pi.")
    if min(ball.mu_plus, ball.mu_minus) <= 0.0:
        raise InputError(f"mu_plus = {ball.mu_plus!r} and mu_minus = {ball.mu_minus!r} of BallInCorner must be above zero.")
