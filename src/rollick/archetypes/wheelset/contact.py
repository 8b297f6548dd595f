"""The exact contact of a displaced and yawed wheelset with both rails: the six equations (1.46)-(1.47) by Newton's method, for
whole arrays of positions.

With zeta the angular position of the contact on the wheel and A = c_w(U_w) - r, for the left wheel (+, s = 1) and the right one
(-, s = -1)

    sin zeta = -s c_w' tan psi,   L = A sin psi sin zeta + s (U_w + b) cos psi,

    y + L cos theta - A sin theta cos zeta - s (U_r + b) = 0,                                      (a)
    z + L sin theta + A cos theta cos zeta - c_r(U_r) + r = 0,                                     (b)
    c_w' (c_r' tan theta + s) + cos zeta cos psi (tan theta - s c_r') = 0                          (c)

for theta, z, U_r+, U_r-, U_w+, U_w-. Newton's equations are eliminated by hand: (a) gives the step of U_r, (c) that of U_w, and
both (b) those of theta and z. Positions may be complex, for derivatives and Taylor coefficients.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .geometry import Geometry

SMALL, ITERATIONS = 1e-12, 25  # of the last step, in metres and radians
SHARES = (4, 16, 64)  # into how many parts the way from the central position is divided where Newton's method fails


class Side(NamedTuple):
    """One wheel: where it touches (U_r on the rail, U_w on the wheel), sin and cos of zeta, and the contact from the centre C:
    (W, Y, Z) (1.49).
    """

    U_r: np.ndarray
    U_w: np.ndarray
    sin_zeta: np.ndarray
    cos_zeta: np.ndarray
    W: np.ndarray
    Y: np.ndarray
    Z: np.ndarray
    radius: np.ndarray  # r - c_w(U_w): rolling radius


class Contact(NamedTuple):
    """A wheelset on its rails: y, psi, the roll angle theta and the height z of its centre, and both contacts (left, right)."""

    y: np.ndarray
    psi: np.ndarray
    theta: np.ndarray
    z: np.ndarray
    left: Side
    right: Side

    @property
    def unknowns(self) -> np.ndarray:
        """theta, z, U_r+, U_r-, U_w+, U_w-, one row each."""
        return np.stack([self.theta, self.z, self.left.U_r, self.right.U_r, self.left.U_w, self.right.U_w])

    @property
    def radius_difference(self) -> np.ndarray:
        """Delta r: the left wheel's rolling radius less the right one's."""
        return self.left.radius - self.right.radius


class Equations(NamedTuple):
    """(a), (b), (c) of one wheel, and their derivatives by theta (t), U_r (r), U_w (w); those by z are 0, 1, 0."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    a_t: np.ndarray
    b_t: np.ndarray
    c_t: np.ndarray
    a_r: float
    b_r: np.ndarray
    c_r: np.ndarray
    a_w: np.ndarray
    b_w: np.ndarray
    c_w: np.ndarray


def equations(g: Geometry, s: float, y: Any, psi: Any, theta: Any, z: Any, U_r: Any, U_w: Any) -> Equations:
    """The three equations of a wheel and their derivatives."""
    c_w, w1, w2 = g.wheel.at(U_w, 2)
    c_r, r1, r2 = g.rail.at(U_r, 2)
    A, t, tan_psi, cos_psi, sin_psi = c_w - g.r, np.tan(theta), np.tan(psi), np.cos(psi), np.sin(psi)
    S, S_w = -s * w1 * tan_psi, -s * w2 * tan_psi
    C = np.sqrt(1.0 - S * S)
    C_w = -S * S_w / C
    L = A * sin_psi * S + s * (U_w + g.b) * cos_psi
    L_w = w1 * sin_psi * S + A * sin_psi * S_w + s * cos_psi
    AC, AC_w = A * C, w1 * C + A * C_w
    cos_t, sin_t = np.cos(theta), np.sin(theta)
    return Equations(
        y + L * cos_t - AC * sin_t - s * (U_r + g.b),
        z + L * sin_t + AC * cos_t - c_r + g.r,
        w1 * (r1 * t + s) + C * cos_psi * (t - s * r1),
        -L * sin_t - AC * cos_t,
        L * cos_t - AC * sin_t,
        (w1 * r1 + C * cos_psi) * (1.0 + t * t),
        -s,
        -r1,
        w1 * r2 * t - s * C * cos_psi * r2,
        L_w * cos_t - sin_t * AC_w,
        L_w * sin_t + cos_t * AC_w,
        w2 * (r1 * t + s) + C_w * cos_psi * (t - s * r1),
    )


def newton_step(g: Geometry, y: Any, psi: Any, x: np.ndarray) -> np.ndarray:
    """The step of Newton's method from the unknowns x."""
    sides = []
    for s, U_r, U_w in ((1.0, x[2], x[4]), (-1.0, x[3], x[5])):
        e = equations(g, s, y, psi, x[0], x[1], U_r, U_w)
        m = e.c_w + e.c_r * s * e.a_w  # a: dU_r = s (a + a_t dtheta + a_w dU_w)
        p, q = e.c + e.c_r * s * e.a, e.c_t + e.c_r * s * e.a_t  # c: dU_w = -(p + q dtheta)/m
        k = e.b_w + e.b_r * s * e.a_w
        beta = e.b + e.b_r * s * e.a - k * p / m  # b: dz + alpha dtheta + beta = 0
        alpha = e.b_t + e.b_r * s * e.a_t - k * q / m
        sides.append((s, e, m, p, q, alpha, beta))
    (_, _, _, _, _, alpha1, beta1), (_, _, _, _, _, alpha2, beta2) = sides
    theta = -(beta1 - beta2) / (alpha1 - alpha2)
    steps = [theta, -beta1 - alpha1 * theta]
    wheel = [-(p + q * theta) / m for _, _, m, p, q, _, _ in sides]
    rail = [s * (e.a + e.a_t * theta + e.a_w * u) for (s, e, *_), u in zip(sides, wheel)]
    return np.stack([*steps, *rail, *wheel])


def iterate(g: Geometry, y: np.ndarray, psi: np.ndarray, x: np.ndarray, longest: float = 0.004) -> tuple[np.ndarray, np.ndarray]:
    """Newton's method from x, with steps no longer than so many metres; (unknowns, converged)."""
    x = x.copy()
    converged = np.zeros(y.shape, bool)
    left = np.arange(y.size)
    with np.errstate(all="ignore"):
        for _ in range(ITERATIONS):
            step = newton_step(g, y[left], psi[left], x[:, left])
            size = np.abs(step).max(axis=0)
            good = np.isfinite(size)
            x[:, left[good]] += (step * np.minimum(1.0, longest / np.maximum(size, 1e-300)))[:, good]
            converged[left[good & (size < SMALL)]] = True
            left = left[good & ~(size < SMALL)]
            if not left.size:
                break
    return x, converged


def unfolding(g: Geometry, y: Any) -> np.ndarray:
    """The first-order solution (1.53): theta, z, U_r+-, U_w+-."""
    h, q = g.h, np.sqrt(1.0 + g.h**2)
    w2, r2 = float(g.wheel.at(0.0, 2)[2]), float(g.rail.at(0.0, 2)[2])
    k_w, k_r = -w2 / q**3, -r2 / q**3  # 1/R_w, 1/R_r: finite for cones
    y = np.asarray(y)
    lever = (g.b - h * g.r) * (k_r - k_w)
    rail, wheel = -(g.b * k_w + h / q) / lever * y, -(g.b * k_r + h / q) / lever * y
    return np.stack([h * y / (g.b - h * g.r), 0.0 * y, rail, -rail, wheel, -wheel])


def solve(g: Geometry, y: Any, psi: Any, guess: np.ndarray | None = None) -> Contact:
    """The contact at lateral displacements y and yaw angles psi (one-dimensional arrays), from a guess or by continuation from
    the central position.
    """
    y, psi = (np.atleast_1d(a).ravel() for a in np.broadcast_arrays(y, psi))
    first = unfolding(g, y) if guess is None else guess
    x, good = iterate(g, y, psi, first.astype(np.result_type(y, psi, first, float)))
    for share in SHARES:
        if good.all():
            break
        again = ~good
        part = np.zeros((6, int(again.sum())), np.result_type(y, psi, float))
        for k in range(1, share + 1):
            part, done = iterate(g, y[again] * k / share, psi[again] * k / share, part)
        x[:, again], good[again] = part, done
    if not good.all():
        k = int(np.argmin(good.reshape(-1)))
        raise InputError(
            f"no contact of both wheels was found at y = {1e3 * np.real(y.reshape(-1)[k]):.6g} mm, psi = "
            f"{1e3 * np.real(psi.reshape(-1)[k]):.6g} mrad; "
            "the displacement is too large for these profiles."
        )
    return told(g, y, psi, x)


def told(g: Geometry, y: np.ndarray, psi: np.ndarray, x: np.ndarray) -> Contact:
    """The contact that belongs to unknowns x; refused beyond the ends of the profiles."""
    sides = []
    for s, U_r, U_w in ((1.0, x[2], x[4]), (-1.0, x[3], x[5])):
        for name, profile, u in (("wheel", g.wheel, U_w), ("rail", g.rail, U_r)):
            outside = ~profile.inside(u)
            if outside.any():
                k = int(np.argmax(outside))
                raise InputError(
                    f"at y = {1e3 * np.real(y[k]):.6g} mm the contact would be at U = {1e3 * np.real(u[k]):.6g} mm on "
                    f"the {name}, outside of its profile "
                    f"{profile.name} ({1e3 * profile.low:.5g} .. {1e3 * profile.high:.5g} mm); take a smaller amplitude."
                )
        c_w, w1 = g.wheel.at(U_w, 1)
        A, S = c_w - g.r, -s * w1 * np.tan(psi)
        C = np.sqrt(1.0 - S * S)
        L = A * np.sin(psi) * S + s * (U_w + g.b) * np.cos(psi)
        W = A * np.cos(psi) * S - s * (U_w + g.b) * np.sin(psi)
        Y, Z = L * np.cos(x[0]) - A * np.sin(x[0]) * C, L * np.sin(x[0]) + A * np.cos(x[0]) * C
        sides.append(Side(U_r, U_w, S, C, W, Y, Z, -A))
    return Contact(y, psi, x[0], x[1], *sides)


class Rates(NamedTuple):
    """y', psi', phi' of a rolling wheelset (1.48)-(1.50), per metre of way: times v they are per second."""

    y: np.ndarray
    psi: np.ndarray
    phi: np.ndarray


def rolling_rates(c: Contact) -> Rates:
    """Both contact points rest: Omega is parallel to r+ - r- (1.48)-(1.50), with w' = 1."""
    (p, m), cos_t, sin_t = (c.left, c.right), np.cos(c.theta), np.sin(c.theta)
    D = p.Y * m.Z - m.Y * p.Z
    dY, dZ = p.Y - m.Y, p.Z - m.Z
    return Rates((p.Z * m.W - m.Z * p.W) / D, (dY * sin_t - dZ * cos_t) / D, -(dZ * sin_t + dY * cos_t) / (D * np.cos(c.psi)))
