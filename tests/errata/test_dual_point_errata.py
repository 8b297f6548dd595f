"""Errata of Antali's thesis that are not in the ledger: the printed form fails, the corrected one holds. Plain NumPy, in the symbols of the thesis."""

import math

import numpy as np


def test_change_of_frequency():
    """Example 1.2: omega_N/omega_L - 1 = beta y^2 (1.41) with beta = -2.0e-6 1/mm^2 and 10 mm."""
    change = 100.0 * 2.0e-6 * 10.0**2
    assert abs(change - 0.02) < 1e-12
    assert abs(change - 0.2) > 0.1


def test_slip_across_from_the_common_component():
    """Any rigid motion with both points sliding in their tangent planes: <v+, a> = <v-, a> = u_a, so u_2 = u_a/<t_2, a> (3.9)."""
    rng = np.random.default_rng(327)
    for _ in range(20):
        r = rng.normal(size=(2, 3))
        a = (r[0] - r[1]) / np.linalg.norm(r[0] - r[1])
        n = rng.normal(size=(2, 3))
        n /= np.linalg.norm(n, axis=1)[:, None]
        t1 = [np.cross(a, k) / np.linalg.norm(np.cross(a, k)) for k in n]
        t2 = [np.cross(k, t) for k, t in zip(n, t1)]
        # v_C and Omega with no velocity along either normal: the null space of two linear conditions
        rows = np.array([np.concatenate([k, np.cross(x, k)]) for k, x in zip(n, r)])
        free = np.linalg.svd(rows)[2][2:]
        v_C, Omega = np.split(rng.normal(size=4) @ free, 2)
        v = [v_C + np.cross(Omega, x) for x in r]
        u_a = v[0] @ a
        assert abs(u_a - v[1] @ a) < 1e-12
        for k in range(2):
            share = t2[k] @ a
            assert abs(v[k] @ t2[k] - u_a / share) < 1e-9 / abs(share)
            assert abs(v[k] @ t2[k] - u_a * share) > 1e-6 * abs(u_a)


def test_rolling_at_both_is_an_intersection():
    """Sigma_SR is u1- = ua = 0, Sigma_RS is u1+ = ua = 0: a state of one of them that slips at the other contact is not in Sigma_RR."""
    in_SR = lambda s: s[1] == s[2] == 0.0
    in_RS = lambda s: s[0] == s[2] == 0.0
    rolls_at_both = lambda s: s[0] == s[1] == s[2] == 0.0
    states = [(0.3, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.0), (0.1, 0.2, 0.0), (0.0, 0.0, 0.4)]
    assert all((in_SR(s) and in_RS(s)) == rolls_at_both(s) for s in states)
    assert any((in_SR(s) or in_RS(s)) != rolls_at_both(s) for s in states)


def across(v_f, s, mu=0.1, j=0.4, g=1.3531, d=0.1):
    """u2' and the normal forces of the flowmeter (4.22) with slip straight up (s = 1) or down (s = -1) at both contacts, by a linear solve."""
    # unknowns N+, N-, T2+, T2-, u2':  v^2/d = T2+ + N-;  0 = N+ - T2- - g;  T2 = -mu N s;  j (u2' - v^2/d) = T2+ + T2-  (u1+ = 0)
    M = np.array([[0, 1, 1, 0, 0], [1, 0, 0, -1, 0], [mu * s, 0, 1, 0, 0], [0, mu * s, 0, 1, 0], [0, 0, -1, -1, j]], dtype=float)
    x = np.linalg.solve(M, [v_f**2 / d, g, 0.0, 0.0, j * v_f**2 / d])
    return x[4], x[0], x[1]


def printed_across(v_f, s, right, mu=0.1, j=0.4, g=1.3531, d=0.1):
    """The left-hand side of (4.62); `right` turns the prefactors with the sign."""
    k = -mu / j * (s if right else 1.0)
    return v_f**2 / d + k * (g - s * v_f**2 / d * mu) / (1 + mu**2) + k * (v_f**2 / d + s * g * mu) / (1 + mu**2)


def test_slip_downwards_at_the_flowmeter():
    """(4.62) for phi = -pi/2 against the equations of motion; then (4.64): no lower limit of rolling for mu < 1."""
    for v_f in (0.05, 0.2, 0.5):
        for s in (1.0, -1.0):
            exact = across(v_f, s)[0]
            assert abs(printed_across(v_f, s, True) - exact) < 1e-12
        assert abs(printed_across(v_f, -1.0, False) - across(v_f, -1.0)[0]) > 0.1
    mu, j, g, d = 0.1, 0.4, 1.3531, 0.1
    limit = math.sqrt(g * d / mu) * math.sqrt(-(mu**2) * (mu - 1.0) / (mu**2 * (j + 1.0) + j + mu))
    assert 0.15 < limit < 0.16  # a speed, as the print has it
    assert all(across(v, -1.0)[0] > 0.0 for v in np.linspace(1e-3, 2.0, 200))  # u2' > 0 pushes slip downwards back: none begins
    mu = 1.5
    root = math.sqrt(g * d / mu * mu**2 * (mu - 1.0) / (mu**2 * (j + 1.0) + j + mu))
    value, _, wall = across(root, -1.0, mu=mu)
    assert abs(value) < 1e-9
    assert wall < 0.0


def test_units():
    """Exponents of (kg, m, s): c of Stokes (4.75) is 1/s; a_01 psi is a speed, a_01 psi' is not."""
    nu, length = np.array([0, 2, -1]), np.array([0, 1, 0])
    assert (nu - 2 * length == [0, 0, -1]).all()
    speed, angle, rate = np.array([0, 1, -1]), np.zeros(3), np.array([0, 0, -1])
    a_01 = speed  # a_01 = v (b - h r)/b (1.56)
    assert (a_01 + angle == speed).all()
    assert not (a_01 + rate == speed).all()


def test_statement_five():
    """The ellipse (5.58) in physical quantities, at a random wheelset, against Statement 5."""
    m, J, b, k_y, k_psi, load, omega = 2000.0, 900.0, 0.75, 8e6, 8e6, 0.3 * 1.3e5, 27.0
    A, B, M, C = k_psi / J - omega**2, k_y / m - omega**2, m * b**2 / J, load / (2.0 * m)
    angle = 0.7
    # a point on (5.58): B^2 y^2 + (A/M)^2 (b psi)^2 = 4 C^2
    y, psi = 2.0 * C * math.cos(angle) / abs(B), 2.0 * C * math.sin(angle) * M / (abs(A) * b)
    right = (k_y / m - omega**2) ** 2 * y**2 + (k_psi / J - omega**2) ** 2 * (J / (m * b)) ** 2 * psi**2
    printed = (k_y**2 / m**2 - omega**2) ** 2 * y**2 + (k_psi**2 / J**2 - omega**2) ** 2 * (J / m) ** 2 * psi**2
    assert abs(right / (load / m) ** 2 - 1.0) < 1e-12
    assert printed / (load / m) ** 2 > 1e3
