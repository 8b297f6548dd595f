"""Errata of Sailer's tippedisk: the printed form fails, the corrected one holds. Plain NumPy, in the symbols of the thesis."""

import math

import numpy as np
from numpy import cos, sin, sqrt

r, a, b, h, rho, g = 0.045, 0.015, 0.02, 0.01, 7700.0, 9.81  # T-Tab 2.1
e = b * a**2 / (r**2 - a**2)
m = rho * math.pi * (r**2 - a**2) * h
A, B, C, Bb, mu, eps = 0.249e-3, 0.227e-3, 0.468e-3, 0.224e-3, 0.3, 0.1


def skew(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def axial(S):
    return np.array([S[2, 1], S[0, 2], S[1, 0]])


def turn(axis, angle):
    c, s = cos(angle), sin(angle)
    if axis == "z":
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def attitude(alpha, beta, gamma):
    return turn("z", alpha) @ turn("x", beta) @ turn("z", gamma)


ANGLES, RATES = np.array([0.3, 1.2, -0.8]), np.array([2.0, -0.7, 1.1])


def attitude_rate(step=1e-6):
    ahead, back = (attitude(*(ANGLES + s * RATES)) for s in (step, -step))
    return (ahead - back) / (2.0 * step)


def test_inertia_of_the_hole():
    """A disk less a hole at x = -b, by summing over a fine grid of points, against Table 2.1: B = 0.227e-3."""
    n = 900
    x = (np.arange(n) + 0.5) / n * 2.0 * r - r
    X, Y = np.meshgrid(x, x)
    solid = (r**2 >= X**2 + Y**2) & ((X + b) ** 2 + Y**2 > a**2)
    cell = rho * h * (x[1] - x[0]) ** 2
    summed = cell * float((X[solid] ** 2 + h**2 / 12.0).sum())
    m_r, m_a = rho * math.pi * r**2 * h, -rho * math.pi * a**2 * h
    disk, hole = m_r * (h**2 + 3 * r**2) / 12.0, m_a * (h**2 + 3 * a**2) / 12.0
    assert abs(summed / (disk + hole + m_a * b**2) - 1.0) < 2e-3
    assert abs(disk + hole + m_a * b**2 - B) < 0.5e-6
    assert disk + hole + m_r * b**2 > 1.5 * B


def test_normalised_inertias_use_the_centre_of_mass():
    """The values 1.112 and 3.932 of Table 6.1 (kappa 0.056) are those of B - m e^2."""
    mass = 0.435  # as printed
    assert abs(A / Bb - 1.112) < 5e-4
    assert abs(mass * r**2 / Bb - 3.932) < 1e-3
    assert abs(B - m * e**2 - Bb) < 1e-6
    assert abs(A / B - 1.112) > 0.01
    assert abs(mass * r**2 / B - 3.932) > 0.04


def test_two_angular_velocities():
    """R^T R' is along the body's axes, (3.66); R' R^T is in space; they differ by the turn itself."""
    R, dR = attitude(*ANGLES), attitude_rate()
    body, space = axial(R.T @ dR), axial(dR @ R.T)
    (_, beta, gamma), (ad, bd, gd) = ANGLES, RATES
    printed = [ad * sin(beta) * sin(gamma) + bd * cos(gamma), ad * sin(beta) * cos(gamma) - bd * sin(gamma), ad * cos(beta) + gd]
    assert np.allclose(body, printed, atol=1e-8)
    assert np.allclose(space, R @ body, atol=1e-8)
    assert np.abs(space - body).max() > 0.1


def reservoir(pressure, slip, turning):
    """Force and couple per mu N of a disk of radius one that slides along x at `slip` and turns at `turning`, by quadrature."""
    s, weights = np.polynomial.legendre.leggauss(60)
    s, weights = 0.5 * (s + 1.0), 0.5 * weights
    phi = (np.arange(360) + 0.5) * 2.0 * math.pi / 360
    S, P = np.meshgrid(s, phi, indexing="ij")
    load = (pressure(S) * S) * weights[:, None]
    load /= load.sum()
    u, v = slip - turning * S * sin(P), turning * S * cos(P)
    size = np.hypot(u, v)
    return float((load * u / size).sum()), float((load * S * (v * cos(P) - u * sin(P)) / size).sum())


def level(xi, eta):
    """The left-hand side of the friction ball, as printed; 1 on its boundary."""
    X, E = 9.0 * math.pi / 32.0, 9.0 * math.pi / 128.0
    if xi <= X:
        return 9 / 64 * (eta / E) ** 2 + 9 / 8 * (xi / X) ** 2 - 243 / 1024 * (xi / X) ** 4
    return xi**2 + 5 * eta**2 - 75 / 7 * eta**4


def test_friction_ball_is_that_of_a_hertzian_pressure():
    """Boundary points of the exact reservoirs in the printed polynomial: 3 % off for a Hertzian pressure, far more for 1 - s^2."""
    motions = [(cos(t), sin(t)) for t in np.linspace(0.05, 1.55, 13)]
    hertz, parabola = (
        max(abs(level(*reservoir(p, *w)) - 1.0) for w in motions) for p in (lambda s: sqrt(1.0 - s**2), lambda s: 1.0 - s**2)
    )
    assert hertz < 0.04
    assert parabola > 0.15
    assert abs(reservoir(lambda s: sqrt(1.0 - s**2), 0.0, 1.0)[1] - 3.0 * math.pi / 16.0) < 1e-5
    assert abs(level(0.0, 3.0 * math.pi / 16.0) - 1.0) < 1e-12
    assert abs(reservoir(lambda s: 1.0 - s**2, 0.0, 1.0)[1] - 8.0 / 15.0) < 1e-6


def test_branches_of_the_friction_ball_do_not_meet():
    """eta on the boundary at xi*, from either branch."""
    X, E = 9.0 * math.pi / 32.0, 9.0 * math.pi / 128.0
    first = E * sqrt(64 / 9 * (1.0 - 9 / 8 + 243 / 1024))
    roots = np.roots([-75 / 7, 5.0, X**2 - 1.0])
    second = sqrt(min(roots.real[roots.real > 0]))
    assert abs(level(X, first) - 1.0) < 1e-12
    assert abs(level(X * (1 + 1e-12), second) - 1.0) < 1e-9
    assert (round(float(first), 3), round(float(second), 3)) == (0.197, 0.221)


def test_rate_of_the_rolling_angle():
    """gamma' from the attitude matrix and the body's angular velocity: minus signs."""
    R = attitude(*ANGLES)
    w = axial(R.T @ attitude_rate())
    across = R[2, 0] ** 2 + R[2, 1] ** 2
    shared = (R[2, 0] * R[2, 2] * w[0] + R[2, 1] * R[2, 2] * w[1]) / across
    assert abs(w[2] - shared - RATES[2]) < 1e-8
    assert abs(w[2] + shared - RATES[2]) > 0.1


def test_velocity_of_the_centre_of_mass():
    """v_S = [1, r~^T R] u with the skew matrix r~ of r_GS in space; and (3.52) needs the skew matrix of p_c."""
    R, dR = attitude(*ANGLES), attitude_rate()
    w, offset = axial(R.T @ dR), np.array([e, 0.0, 0.0])
    assert np.allclose(dR @ offset, skew(R @ offset).T @ R @ w, atol=1e-9)
    p = np.array([0.8, 0.1, -0.5, 0.2])
    p /= np.linalg.norm(p)
    S = skew(p[1:])
    turned = np.eye(3) + 2.0 * (p[0] * S + S @ S)
    assert np.allclose(turned @ turned.T, np.eye(3), atol=1e-14)
    assert abs(np.linalg.det(turned) - 1.0) < 1e-14


def test_moreau_step_needs_gravity():
    """A body without contacts: after a second of steps it must have fallen by g/2, which the printed step does not give."""

    def fallen(force):
        z, v, dt = 0.0, 0.0, 1e-3
        for _ in range(1000):
            z += 0.5 * dt * v
            v += force * dt
            z += 0.5 * dt * v
        return -z

    assert abs(fallen(-g) - 0.5 * g) < 1e-9
    assert fallen(0.0) == 0.0


def test_friction_dissipates_in_the_linear_equations():
    """M z'' + (G + D_C) z' + ... = 0: the power of friction at the contact is -d |slip|^2 = -z'^T D_C z', at Omega = 0.

    With the printed sign friction does work, and the linear equations have eigenvalues far in the right half plane.
    """
    d = mu * m * g / eps
    D = d * np.array([[1, 0, 0, r], [0, 1, r, 0], [0, r, r**2, 0], [r, 0, 0, r**2]])
    velocity = np.random.default_rng(8).normal(size=4)
    slip = np.array([velocity[0] + r * velocity[3], velocity[1] + r * velocity[2]])  # W_T^T z' at beta = gamma = pi/2
    assert abs(velocity @ D @ velocity - d * slip @ slip) < 1e-12

    def growth(sign, O=31.7):
        d_ = A - B - C
        M = np.array([[m, 0, 0, -m * e], [0, m, -m * e, 0], [0, -m * e, B, 0], [-m * e, 0, 0, C]])
        G = O * np.array([[0, -2 * m, 2 * m * e, 0], [2 * m, 0, 0, -2 * m * e], [-2 * m * e, 0, 0, -d_], [0, 2 * m * e, d_, 0]])
        K = O**2 * np.array([[-m, 0, 0, m * e], [0, -m, m * e, 0], [0, m * e, A - C, 0], [m * e, 0, 0, A - B]])
        K = K - np.diag([0.0, 0.0, m * g * (r + e), m * g * e])
        N = d * O * np.array([[0, -1, -r, 0], [1, 0, 0, 0], [r, 0, 0, 0], [0, -r, -(r**2), 0]])
        top = np.hstack([np.zeros((4, 4)), np.eye(4)])
        low = np.hstack([-np.linalg.solve(M, K + sign * N), -np.linalg.solve(M, G + sign * D)])
        return float(np.linalg.eigvals(np.vstack([top, low])).real.max())

    assert growth(1.0) < 1.0
    assert growth(-1.0) > 100.0


def test_velocities_of_model_1_4():
    """(4.36): y' of G from yb = -e cos beta sin gamma with gamma' = -Omega cos beta."""
    beta, gamma, y, O = 1.3, 0.4, 0.8, 35.0
    yb = lambda t: -e * cos(beta + t * y) * sin(gamma - t * O * cos(beta))
    step = 1e-7
    exact = (yb(step) - yb(-step)) / (2.0 * step)
    own = e * sin(beta) * sin(gamma) * y
    assert abs(own + e * O * cos(beta) ** 2 * cos(gamma) - exact) < 1e-9
    assert abs(own + e * O * cos(beta) ** 2 * sin(gamma) - exact) > 1e-3


def test_table_3_1_violates_a_constraint():
    """xb + e cos gamma = 0 at gamma = -pi/2 + 0.1 and xb = 0."""
    gamma = -0.5 * math.pi + 0.1
    assert abs(0.0 + e * cos(gamma)) > 2.4e-4
    assert abs(-e * cos(gamma) + e * cos(gamma)) < 1e-18


O = 30.0


def model_1_4(x, y):
    """M, h, f_g of (4.40)-(4.42) at beta = pi/2 + x[0], gamma = pi/2 + x[1]; complex arguments allowed."""
    sb, cb, sg, cg = cos(x[0]), -sin(x[0]), cos(x[1]), -sin(x[1])
    rs = r + e * sg
    M = A * cg**2 + Bb * sg**2 + m * rs**2 * cb**2
    hh = (A * cg**2 + Bb * sg**2) * O**2 * sb * cb - 2 * (A - Bb) * O * y * cb * sg * cg + m * rs**2 * y**2 * sb * cb
    hh = hh + m * e * rs * O**2 * sb * cb**3 * sg - m * e * rs * (3 * sb**2 - 2) * O * y * cb * cg
    return M, hh, -m * g * rs * cb


def third_order(function, x, y):
    """The part of a function of (x, y) that is of third order, by Cauchy's integral."""
    t = 0.05 * np.exp(2j * math.pi * np.arange(64) / 64)
    values = np.array([function(np.array([s * x[0], s * x[1]]), s * y) for s in t])
    return float(np.mean(values / t**3).real)


def test_cubic_terms_of_model_1_4():
    """The expansions of h and f_g in section 4.4, term by term."""
    for x, y in (((0.7, -0.4), 1.3), ((0.2, 0.9), -0.8)):
        be, ga = x
        gravity = third_order(lambda z, w: model_1_4(z, w)[2], x, y)
        assert abs(gravity - (-0.5 * m * g * e * be * ga**2 - m * g * (r + e) * be**3 / 6.0)) < 1e-12
        assert abs(gravity - (-m * g * (r + e) * be**3 / 6.0)) > 1e-4  # with gamma^3 the term is of fourth order
        gyroscopic = third_order(lambda z, w: model_1_4(z, w)[1], x, y)
        rest = (Bb - A) * O**2 * be * ga**2 + (2 / 3 * Bb - m * e * (r + e)) * O**2 * be**3 - m * (r + e) ** 2 * y**2 * be
        assert abs(gyroscopic - rest + (2 * (A - Bb) + m * e * (r + e)) * O * y * be * ga) < 1e-12
        assert abs(gyroscopic - rest + 2 * (A - Bb + m * e * (r + e)) * O * y * be * ga) > 1e-5


def test_balance_of_the_first_harmonic():
    """kappa_1 of (4.65) from the first sine harmonic of the cubic terms under the ansatz (4.62), (4.63)."""
    w = O * sqrt(e / (r + e))
    t = (np.arange(256) + 0.5) / 256 * 2.0 * math.pi
    x, y = np.array([sin(t), -O / w * cos(t)]), w * cos(t)
    first, second = model_1_4, 0.05 * np.exp(2j * math.pi * np.arange(64) / 64)
    total = np.zeros_like(t)
    for s in second:
        M, hh, f = first(s * x, s * y)
        total = total + ((M * (-(w**2)) * s * sin(t) - hh - f) / s**3).real / len(second)
    found = 2.0 * float(np.mean(total * sin(t)))

    def kappa_1(sign):
        return (
            0.25 * (Bb - 3 * A + sign * 2 * m * e * (r + e)) * O**2 - 0.5 * m * (r + e) ** 2 * w**2
            + m * g * e * O**2 / (8 * w**2) - 0.25 * (Bb - A) * O**4 / w**2 + m * g * (r + e) / 8
        )  # fmt: skip

    assert abs(found / kappa_1(1.0) - 1.0) < 1e-10
    assert abs(found / kappa_1(-1.0) - 1.0) > 0.01


def test_amplitude_has_no_unit():
    """Section 5.3 against (4.72) for a small eccentricity: the factor 1/Omega."""
    kappa, zeta, e_ = 1e-4, 1.5, 1e-4 * r
    A_ = zeta * Bb
    top = sqrt(m * g * (r + e_) ** 2 / (r * Bb))
    speed = 0.9 * top
    chi = A_ * (r - 2 * e_) - Bb * (2 * r**2 + e_ * (r + e_)) / (2 * (r + e_))
    exact = (
        2 * sqrt(e_ / (r + e_)) * sqrt(-(Bb * r * speed**2 - m * g * (r + e_) ** 2) / (chi * speed**2 + m * g * e_ * (r + e_)))
    )
    printed = 2 * sqrt(kappa) * sqrt((top**2 - speed**2) / (zeta - 1.0))
    assert abs(printed / speed / exact - 1.0) < 1e-3
    assert abs(printed / exact - 1.0) > 10.0


def test_marker_axes_are_a_right_handed_frame():
    """Table 7.1: axes of the body in those of the marker."""
    x, y, z = np.eye(3)
    frame = lambda *axes: float(np.linalg.det(np.array(axes)))
    assert frame(y, -x, z) == 1.0  # id0, corrected
    assert frame(y, x, -z) == 1.0  # id1, as printed
    assert frame(y, -y, z) == 0.0  # id0, as printed


def test_tolerance_against_the_weight():
    """1e-8 N s against the percussion m g dt of one step of 1e-5 s."""
    assert 2e-4 < 1e-8 / (m * g * 1e-5) < 3e-4
