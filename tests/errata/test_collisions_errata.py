"""Errata of the thesis on collision sequences: the printed form fails, the corrected one holds. Plain NumPy, in the symbols of the thesis."""

import math

import numpy as np
from numpy import cos, sin, sqrt
from scipy.optimize import brentq


def turn(angle):
    c, s = cos(angle), sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def impact(rho, gamma, m=1.0, f=(0.0, -1.0, 1.0)):
    """U of (2.44), with the mass matrix m diag(rho^2, rho^2, 1)."""
    Theta, f = m * np.diag([rho**2, rho**2, 1.0]), np.array(f)
    back = np.linalg.solve(Theta, f)
    return np.eye(3) - (1.0 + gamma) * np.outer(back, f) / (f @ back)


def steps(n, rho, gamma):
    """U_0 R."""
    return impact(rho, gamma) @ turn(2.0 * math.pi / n)


def dominant_is_positive(M):
    values = np.linalg.eigvals(M)
    top = values[np.argmax(np.abs(values))]
    return abs(top.imag) < 1e-9 * abs(top) and top.real > 0.0


def limit(matrix, low, high):
    """The largest gamma whose matrix has a real positive dominant eigenvalue, by bisection."""
    assert dominant_is_positive(matrix(low))
    assert not dominant_is_positive(matrix(high))
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if dominant_is_positive(matrix(middle)) else (low, middle)
    return low


def test_impulse_of_an_impact():
    """(2.43) must give (2.40), f.p+ = -gamma f.p-."""
    m, rho, gamma = 2.0, 0.4, 0.3
    Theta, f, p = m * np.diag([rho**2, rho**2, 1.0]), np.array([0.2, -0.9, 1.0]), np.array([0.3, 0.5, -1.2])
    for denominator, right in ((f @ np.linalg.solve(Theta, f), True), (f @ Theta @ f, False)):
        zeta = -(1.0 + gamma) * (f @ p) / denominator
        after = p + zeta * np.linalg.solve(Theta, f)
        assert (abs(f @ after + gamma * (f @ p)) < 1e-12) == right


def test_sense_of_the_rods_angle():
    """Height of end 0 is h + l sin phi by (2.50): a turn about +y by phi lowers it, one by -phi raises it."""
    about_y = lambda a: np.array([[cos(a), 0.0, sin(a)], [0.0, 1.0, 0.0], [-sin(a), 0.0, cos(a)]])
    end, phi = np.array([1.0, 0.0, 0.0]), 0.3
    assert abs((about_y(-phi) @ end)[2] - sin(phi)) < 1e-15
    assert (about_y(phi) @ end)[2] < 0.0


def test_force_of_slip():
    """(2.48)-(2.50) as three linear equations for v', omega', eta; l = 2."""
    m, g, l, rho, phi, w, sign = 1.3, 9.81, 2.0, 0.7, 0.4, 1.5, -1.0
    equations = np.array([[m, 0.0, -1.0], [0.0, m * rho**2, -sign * l * cos(phi)], [1.0, sign * l * cos(phi), 0.0]])
    eta = np.linalg.solve(equations, [-m * g, 0.0, sign * l * w**2 * sin(phi)])[2]
    top = m * (g + sign * l * w**2 * sin(phi))
    assert abs(eta - top / (1.0 + l**2 / rho**2 * cos(phi) ** 2)) < 1e-12
    assert abs(eta - top / (1.0 + cos(phi) ** 2 / rho**2)) > 0.1


def test_discriminant_of_the_rod():
    """(3.15) against the eigenvalues of U_0 P of the rod: (lambda_max - lambda_min)^2 = sigma/(1 + rho^2)^2."""
    for rho, c in ((0.25, 0.2), (0.6, 0.05), (0.1, 0.6)):
        f, back = np.array([1.0, 1.0]), np.array([1.0 / rho**2, 1.0])
        U = np.eye(2) - (1.0 + c) * np.outer(back, f) / (f @ back)
        M = U @ np.diag([-1.0, 1.0])
        exact = (np.trace(M) ** 2 - 4.0 * np.linalg.det(M)) * (1.0 + rho**2) ** 2
        common = c**2 - 2 * rho**4 * c - 12 * rho**2 * c - 2 * rho**2 * c**2 + rho**4 * c**2 + rho**4 + 1.0
        assert abs(common - 2 * rho**2 - 2 * c - exact) < 1e-12
        assert abs((1 + c) ** 2 * (1 - rho**2) ** 2 - 4 * c * (1 + rho**2) ** 2 - exact) < 1e-12
        assert abs(common - rho**2 - c - exact) > 0.05


def gyration(n):
    """Radius of gyration about an axis in its plane of a homogeneous regular n-gon of circumradius one, from its triangles."""
    total = area = 0.0
    for k in range(n):
        a, b = (np.array([cos(t), sin(t)]) for t in (2 * math.pi * k / n, 2 * math.pi * (k + 1) / n))
        size = 0.5 * abs(a[0] * b[1] - a[1] * b[0])
        total += size * (a[0] ** 2 + a[0] * b[0] + b[0] ** 2) / 6.0  # the integral of x^2 over the triangle 0, a, b
        area += size
    return sqrt(total / area)


def test_gyration_of_plates():
    """Triangle 1/sqrt 8, square 1/sqrt 6, and 1/2 for many corners; the limits of chatter that follow for the square."""
    assert abs(gyration(3) - 1.0 / sqrt(8.0)) < 1e-12
    assert abs(gyration(4) - 1.0 / sqrt(6.0)) < 1e-12
    assert abs(gyration(400) - 0.5) < 1e-4
    assert abs(limit(lambda c: steps(4, gyration(4), c), 1e-3, 0.2) - 0.029550) < 1e-6
    assert not any(dominant_is_positive(steps(4, 0.5, c)) for c in np.linspace(1e-4, 0.99, 200))


def test_self_similar_motion_of_the_triangle():
    """n = 3: at rho = .5 the regular motion dominates up to 0.0436, at rho = 1/sqrt 8 up to 0.1459; positive eigenvalues end at 0.057."""
    assert abs(limit(lambda c: steps(3, 0.5, c), 1e-3, 0.14) - 0.043561) < 1e-6
    assert abs(limit(lambda c: steps(3, 1.0 / sqrt(8.0), c), 1e-3, 0.4) - 0.145898) < 1e-6

    def positive(c):
        values = np.linalg.eigvals(steps(3, 0.5, c))
        return sum(abs(v.imag) < 1e-9 and v.real > 0.0 for v in values)

    assert positive(0.05) == 2
    assert positive(0.06) == 0
    assert positive(0.14) == 0


def test_partial_chatter_needs_positive_multipliers():
    """n = 4, rho = .5, gamma = .005: U0 R^-1 U0 R has real eigenvalues, but those of the alternation of two neighbours are negative."""
    n, rho, gamma = 4, 0.5, 0.005
    R = turn(2.0 * math.pi / n)
    values = np.linalg.eigvals(impact(rho, gamma) @ R.T @ impact(rho, gamma) @ R)
    assert np.abs(values.imag).max() < 1e-12
    mu = -(cos(2.0 * math.pi / n) + rho**2) / (1.0 + rho**2)
    once = np.linalg.eigvals(np.array([[(1.0 + gamma) * mu, 1.0], [-gamma, 0.0]]))
    assert np.abs(once.imag).max() < 1e-12
    assert once.real.max() < 0.0
    squares = np.sort(once.real**2)
    assert np.allclose(squares, np.sort(values.real)[:2], atol=1e-12)  # the two-step map has their squares, and 1
    # a motion: vertices 0 and 1 alternate only while the next one approaches; here the second does not
    p = impact(rho, gamma) @ np.array([0.0, 0.0, -1.0])
    neighbour = R @ np.array([0.0, -1.0, 1.0])
    q = impact(rho, gamma, f=neighbour) @ p
    assert (np.array([0.0, -1.0, 1.0]) @ q) > 0.0


def test_projection_onto_the_plane():
    """A velocity with u3.p < 0 must keep its direction when it is scaled onto u3.p = -1."""
    p = np.array([0.3, -0.2, -0.7])
    assert np.isclose((-p / p[2]) @ p / np.linalg.norm(p) / np.linalg.norm(p / p[2]), 1.0)
    assert np.isclose((-p / p[2])[2], -1.0)
    assert np.isclose((p / p[2])[2], 1.0)


def test_identities_of_the_square():
    """U0 R y_5 = x_1 and U0 R x_2 = lambda x_4, with e_1, e_2 of (3.43); x_5 in place of y_5 fails."""
    rho, gamma = 0.25, 0.15
    M = steps(4, rho, gamma)
    lam = float(np.max(np.linalg.eigvals(M).real))
    e1 = (gamma + 1.0) / (lam**2 * rho**2 + lam**2 + rho**2 - gamma)
    e2 = lam * e1
    assert np.allclose(M @ [-1.0, -e2, -1.0], [e2, -1.0, -1.0], atol=1e-12)
    assert np.allclose(M @ [e1, -1.0, -1.0], lam * np.array([1.0 / lam, -e2, -1.0]), atol=1e-12)
    assert not np.allclose(M @ [1.0, -e2, -1.0], [e2, -1.0, -1.0], atol=1e-3)  # the mirrored point


def test_time_of_the_next_impact():
    """Height q + v t + a t^2/2 with q > 0 and a < 0: the later root, with the minus sign."""
    for q, v, a in ((0.3, 0.4, -1.0), (0.3, -0.4, -1.0), (2.0, 5.0, -9.81)):
        right = (-v - sqrt(v**2 - 2.0 * a * q)) / a
        printed = (-v + sqrt(v**2 - 2.0 * a * q)) / a
        assert right > 0.0
        assert abs(q + v * right + 0.5 * a * right**2) < 1e-12
        assert printed < 0.0


def test_when_gravity_becomes_negligible():
    """Speeds go as (t_f - t)^(c/2): what gravity adds in the remaining time, g (t_f - t), is small beside them for c < 2 only."""
    for c, small in ((1.0, True), (1.9, True), (2.1, False), (4.0, False)):
        left = np.array([1e-2, 1e-60])
        share = left / left ** (0.5 * c)
        assert (share[1] < 1e-2 * share[0]) == small
    # with a rod: c_rod < 2 below (B.8), where g_eff = g q/p^2 dies out from impact to impact: beta_q/beta_p^2 < 1
    rho = 0.25
    for gamma in (0.05, 0.2, 0.3):
        s = (1 + gamma) ** 2 * (1 - rho**2) ** 2 - 4 * gamma * (1 + rho**2) ** 2
        top, low = ((1 - rho**2) * (1 + gamma) + k * sqrt(s) for k in (1.0, -1.0))
        p, q = top / (2 * (1 + rho**2)), low / (2 * (1 + rho**2))
        c = 2.0 * math.log(p) / math.log(q / p)
        assert (c < 2.0) == (q / p**2 < 1.0)


def test_energy_counts_the_mass_once():
    """Kinetic energy of a plate of many points against p.Theta.p/2; m times that is not it."""
    m, points = 3.0, np.random.default_rng(0).normal(size=(4000, 2))
    points = np.concatenate([points, -points, points[:, ::-1] * [1, -1], points[:, ::-1] * [-1, 1]])
    rho2 = float(np.mean(points[:, 0] ** 2))
    p = np.array([0.4, -0.3, -1.1])
    speeds = p[2] + points[:, 1] * p[0] - points[:, 0] * p[1]
    kinetic = 0.5 * m * float(np.mean(speeds**2))
    form = 0.5 * p @ (m * np.diag([rho2, rho2, 1.0])) @ p
    assert abs(kinetic / form - 1.0) < 1e-9
    assert abs(m * form / kinetic - 1.0) > 1.0


def test_two_identities_whose_errors_cancel():
    """(C.10)-(C.13) for a wheel with A != C, and (6.5): the angular momentum in space stays."""
    A, C, spin = 0.0033, 0.0058, 865.0
    theta, z, w = np.diag([A, A, C]), np.array([0.0, 0.0, 1.0]), np.array([0.3, -0.2, 0.1])
    first = np.cross(w, theta @ z) + np.cross(z, theta @ w)
    second = theta @ np.cross(w, z) - np.cross(w, theta @ z)
    assert min(np.linalg.norm(first), np.linalg.norm(second)) > 1e-5
    assert np.linalg.norm(first + second) < 1e-18
    whole = np.array([[13.905, -0.352, -0.015], [-0.352, 12.603, 0.007], [-0.015, 0.007, 16.523]])
    M_f = -1e-3
    turning = -np.linalg.solve(whole - C * np.outer(z, z), np.cross(w, whole @ w) + z * M_f + np.cross(w, C * z) * spin)  # (6.5)
    speeding = M_f / C - z @ turning  # (6.6)
    change = whole @ turning + C * z * speeding + np.cross(w, whole @ w + C * z * spin)
    assert np.abs(change).max() < 1e-12


def test_hub_sequence_outlasts_the_regular_one():
    """Conjecture 1, n = 3: limits of U0 R and of the word 0, 2, 0, 1, and a motion beyond the first that goes on chattering."""
    T = np.diag([-1.0, 1.0, 1.0])
    hub = lambda rho, c: steps(3, rho, c) @ T @ steps(3, rho, c)
    for rho, told in ((0.25, 0.283936), (0.5, 0.047283)):
        assert abs(limit(lambda c, rho=rho: hub(rho, c), 1e-3, 0.9 if rho < 0.4 else 0.3) - told) < 2e-6
    rho, gamma = 0.5, 0.045
    assert not dominant_is_positive(steps(3, rho, gamma))
    f = np.array([turn(2.0 * math.pi * k / 3) @ [0.0, -1.0, 1.0] for k in range(3)])
    maps = [impact(rho, gamma, f=x) for x in f]
    q, p, last = np.array([0.0, 0.0, 1.0]), np.array([0.05, 0.02, -1.0]), -1
    for _ in range(1500):
        heights, speeds = f @ q, f @ p
        times = np.where((speeds < 0.0) & (np.arange(3) != last), heights / np.where(speeds < 0.0, -speeds, 1.0), np.inf)
        last = int(np.argmin(times))
        assert np.isfinite(times[last])
        q = q + p * times[last]
        p = maps[last] @ p
        assert p[2] < 0.0  # the centre of mass never rises: Lemma 1
        q, p = q / np.linalg.norm(q), p / np.linalg.norm(p)


def test_limit_by_the_closed_form():
    """The limit of partial chatter of the triangle, CS-E8: mu = 2 sqrt(gamma)/(1 + gamma)."""
    rho = 0.5
    mu = -(cos(2.0 * math.pi / 3) + rho**2) / (1.0 + rho**2)
    gamma = brentq(lambda c: mu - 2.0 * sqrt(c) / (1.0 + c), 1e-9, 0.9)
    assert abs(gamma - ((1.0 - sqrt(1.0 - mu**2)) / mu) ** 2) < 1e-12
    assert abs(gamma - 0.010205) < 1e-6
