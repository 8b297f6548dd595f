"""An independent judge of the rattleback: Newton-Euler equations with multipliers, in world axes.

This is a second formulation of the motion of the Kane-Levinson stone, written to disagree with the first one if either
is wrong. It shares no code and no elimination with the archetype: the contact force is kept as an unknown, the attitude is
a quaternion, all vectors are in the Newtonian axes n1, n2, n3 (n3 *downward*), and the shape enters only as a matrix.

Symbols: R has the body axes r1, r2, r3 as its columns, `R = Rz(gamma) Rx(alpha) Ry(beta)`; W is the angular velocity, v the
velocity of the mass centre R*, r the vector from R* to the contact point, f the contact force on the stone. The
ellipsoid's centre is at -h r3 from R*.

**Contact point.** The point of an ellipsoid {s : s.inv(Q).s = 1} that lies farthest along n is its support map
`s = Q n / sqrt(n.Q n)`. Here `Q = R diag(a^2, b^2, c^2) R^T`, n = n3, so `r = s - h r3`. With [W] the matrix of the cross
product, R' = [W] R gives `Q' = [W] Q - Q [W]`, and with e = sqrt(n.Q n), e' = n.Q'n / (2 e),

    r' = Q'n / e - Q n e' / e^2 - h W x r3.

**Motion.** Momentum, angular momentum about R*, and the time derivative of the rolling condition v + W x r = 0:

    M v' - f            = M g n3
    J W' - [r] f        = -W x J W - sigma W,      J = R [[A, D, 0], [D, B, 0], [0, 0, C]] R^T
    v'   - [r] W'       = -W x r'

nine linear equations for v', W', f. Neither rolling nor contact is imposed otherwise, so that the drift of the height of
the contact point above the plane and of its material velocity measure the accuracy of a simulated motion.

A `stone` is any object with the attributes a, b, c, M, h, A, B, C, D, sigma, g.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

DOWN = np.array([0.0, 0.0, 1.0])
RESTORING = 2.0  # 1/s: q' gets RESTORING (1 - |q|^2) q, which leaves unit quaternions alone


def _skew(w):
    """[w], the matrix with [w] x = w x x."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def _attitude(alpha, beta, gamma):
    """R = Rz(gamma) Rx(alpha) Ry(beta): the body axes r1, r2, r3 in n1, n2, n3 as columns."""
    ca, sa, cb, sb, cg, sg = np.cos(alpha), np.sin(alpha), np.cos(beta), np.sin(beta), np.cos(gamma), np.sin(gamma)
    z = np.array([[cg, -sg, 0.0], [sg, cg, 0.0], [0.0, 0.0, 1.0]])
    x = np.array([[1.0, 0.0, 0.0], [0.0, ca, -sa], [0.0, sa, ca]])
    y = np.array([[cb, 0.0, sb], [0.0, 1.0, 0.0], [-sb, 0.0, cb]])
    return z @ x @ y


def _quaternion(alpha, beta, gamma):
    """The quaternion (scalar first, body to world) of Rz(gamma) Rx(alpha) Ry(beta)."""
    ca, sa, cb, sb, cg, sg = (f(0.5 * angle) for angle in (alpha, beta, gamma) for f in (np.cos, np.sin))
    x_y = (ca * cb, sa * cb, ca * sb, sa * sb)  # (ca + sa i)(cb + sb j)
    return np.array([cg * x_y[0] - sg * x_y[3], cg * x_y[1] - sg * x_y[2], cg * x_y[2] + sg * x_y[1], cg * x_y[3] + sg * x_y[0]])


def _rotation(q):
    """The rotation matrix of the quaternion q of any length: I + (2 w [u] + 2 [u][u]) / |q|^2. Vectorised: q is (4, ...)."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array(
        [
            [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
        ]
    )


def _matrices(stone):
    """The inertia about R* and the shape matrix diag(a^2, b^2, c^2), both in body axes."""
    inertia = np.array([[stone.A, stone.D, 0.0], [stone.D, stone.B, 0.0], [0.0, 0.0, stone.C]])
    return inertia, np.diag([stone.a**2, stone.b**2, stone.c**2])


def _contact(stone, shape, R, W):
    """r and r': R* to the contact point, from the support map of the downward normal, and its rate."""
    spin, Q = _skew(W), R @ shape @ R.T
    Qn, Qn_rate = Q @ DOWN, (spin @ Q - Q @ spin) @ DOWN
    e = np.sqrt(DOWN @ Qn)
    e_rate = DOWN @ Qn_rate / (2.0 * e)
    arm = stone.h * R[:, 2]
    return Qn / e - arm, Qn_rate / e - Qn * (e_rate / e**2) - spin @ arm


def _newton_euler(stone, inertia, shape, R, W):
    """Solves the nine equations of the module's text; returns v', W', f in world axes."""
    r, r_rate = _contact(stone, shape, R, W)
    J, spin, arm = R @ inertia @ R.T, _skew(W), _skew(r)
    one = np.eye(3)
    lhs, rhs = np.zeros((9, 9), dtype=J.dtype), np.zeros(9, dtype=(J[0] * W).dtype)
    lhs[0:3, 0:3], lhs[0:3, 6:9], rhs[0:3] = stone.M * one, -one, stone.M * stone.g * DOWN
    lhs[3:6, 3:6], lhs[3:6, 6:9], rhs[3:6] = J, -arm, -(spin @ (J @ W)) - stone.sigma * W
    lhs[6:9, 0:3], lhs[6:9, 3:6], rhs[6:9] = one, -arm, -(spin @ r_rate)
    # A stone's forces, couples and arms differ by orders of magnitude: count forces in units of M, as accelerations.
    lhs[:, 6:9] *= stone.M
    lhs[0:3], rhs[0:3] = lhs[0:3] / stone.M, rhs[0:3] / stone.M
    solution = np.linalg.solve(lhs, rhs)
    return solution[0:3], solution[3:6], stone.M * solution[6:9]


def accelerations(stone, alpha, beta, gamma, omega_body) -> dict:
    """What the laws of motion demand in one state: angular acceleration, acceleration of R*, contact force.

    The velocity of R* needs no telling: rolling gives it as -W x r. Returns a dictionary with

    * `omega_dot`: (omega1', omega2', omega3'), the rates of the body components (R^T W', since R^T (W x W) = 0);
    * `acceleration`: of the mass centre, along n1, n2, n3 (n3 downward);
    * `force`: the contact force on the stone, along n1, n2, n3; the normal force is -force[2].

    Complex arguments are allowed, so that the result can be differentiated by a complex step.
    """
    inertia, shape = _matrices(stone)
    R = _attitude(alpha, beta, gamma)
    acceleration, W_rate, force = _newton_euler(stone, inertia, shape, R, R @ np.asarray(omega_body))
    return {"omega_dot": R.T @ W_rate, "acceleration": acceleration, "force": force}


def spin_jacobian(stone, Omega: float) -> np.ndarray:
    """The 4x4 matrix of the motion linearised at alpha = beta = 0, omega3 = Omega, in (mu1, mu2, omega1, omega2).

    mu = R^T n3 is the downward vertical in body axes: mu1 = -sin(beta) cos(alpha), mu2 = sin(alpha). It is fixed in the
    world, so mu' = mu x omega. Differentiated by complex step, hence exact to rounding. For sigma > 0 the state is not
    steady (omega3' = -sigma Omega / C) and the matrix is that of the instant.
    """
    step = 1e-40
    columns = []
    for j in range(4):
        alpha, beta, omega = 0.0j, 0.0j, np.array([0.0, 0.0, Omega], dtype=complex)
        if j == 0:
            beta = -1j * step  # mu1 = +step
        elif j == 1:
            alpha = 1j * step  # mu2 = +step
        else:
            omega[j - 2] = 1j * step
        mu = _attitude(alpha, beta, 0.0j).T @ DOWN
        omega_dot = accelerations(stone, alpha, beta, 0.0j, omega)["omega_dot"]
        mu_dot = -_skew(omega) @ mu
        columns.append(np.concatenate([mu_dot[:2], omega_dot[:2]]).imag / step)
    return np.array(columns).T


def simulate(stone, start: dict, times, rtol: float = 1e-12, atol: float | None = None) -> dict:
    """The motion from `start` at t = 0, sampled at `times` (increasing, >= 0), as a dictionary of arrays.

    `start` may hold alpha, beta, gamma, omega1, omega2, omega3 (radians, rad/s; whatever is missing is zero). The stone is set
    down with its contact point at the origin of the plane. The thirteen states are the quaternion, W, v and the position of R*;
    `q' = W q / 2 + 2 (1 - |q|^2) q`, and SciPy's DOP853 integrates with `rtol` and `atol` (rtol / 10 if not given). For the
    paper's stone rtol = 1e-12 gives eight digits after 20 s, with about 10 000 evaluations per second of motion.

    Returned: `t`, `alpha`, `beta`, `gamma` (unwrapped along the integrator's own steps), `omega1`, `omega2`, `omega3` (in body
    axes), `x`, `y` (the contact point along n1, n2), `energy` (kinetic, and M g times the integrated height of R*), `height`
    (of the contact point above the plane: a residual), `slip` (|v + W x r|: a residual), `norm` (|q| - 1), and the number of
    evaluations `nfev`. The angles are those of a stone that has not tilted through alpha = +-90 degrees.
    """
    times = np.atleast_1d(np.asarray(times, dtype=float))
    if np.any(np.diff(times) <= 0.0) or times[0] < 0.0:
        raise ValueError("times must increase from a value >= 0: the start is at t = 0.")
    unknown = set(start) - {"alpha", "beta", "gamma", "omega1", "omega2", "omega3"}
    if unknown:
        raise ValueError(f"start does not know {sorted(unknown)}: use alpha, beta, gamma, omega1, omega2, omega3.")
    angles = [start.get(name, 0.0) for name in ("alpha", "beta", "gamma")]
    omega = np.array([start.get(name, 0.0) for name in ("omega1", "omega2", "omega3")], dtype=float)
    inertia, shape = _matrices(stone)
    q = _quaternion(*angles)
    W = _rotation(q) @ omega
    r, _ = _contact(stone, shape, _rotation(q), W)
    first = np.concatenate([q, W, -np.cross(W, r), -r])

    def rate(t, y):
        w, x, y_, z = q = y[0:4]
        W = y[4:7]
        v_rate, W_rate, _ = _newton_euler(stone, inertia, shape, _rotation(q), W)
        out = np.empty(13)
        out[0] = 0.5 * (-W[0] * x - W[1] * y_ - W[2] * z)
        out[1] = 0.5 * (W[0] * w + W[1] * z - W[2] * y_)
        out[2] = 0.5 * (W[1] * w + W[2] * x - W[0] * z)
        out[3] = 0.5 * (W[2] * w + W[0] * y_ - W[1] * x)
        out[0:4] += RESTORING * (1.0 - q @ q) * q
        out[4:7], out[7:10], out[10:13] = W_rate, v_rate, y[7:10]
        return out

    if times[-1] > 0.0:
        atol = 0.1 * rtol if atol is None else atol
        run = solve_ivp(rate, (0.0, times[-1]), first, method="DOP853", rtol=rtol, atol=atol, dense_output=True)
        if not run.success:
            raise RuntimeError(f"the judge stopped at t = {run.t[-1]:.6g} s: {run.message}")
        grid = np.union1d(run.t, times)
        states, nfev = run.sol(grid), run.nfev
    else:
        grid, states, nfev = np.zeros(1), first[:, None], 0
    R = _rotation(states[0:4])
    gamma = np.unwrap(np.arctan2(-R[0, 1], R[1, 1]))
    gamma += angles[2] - gamma[0]  # the start's own branch
    keep = np.searchsorted(grid, times)
    return _signals(stone, inertia, shape, times, states[:, keep], R[:, :, keep], gamma[keep]) | {"nfev": nfev}


def _signals(stone, inertia, shape, times, states, R, gamma) -> dict:
    """The named signals of `simulate` from the states (13, n) and the attitudes (3, 3, n)."""
    q, W, v, position = states[0:4], states[4:7], states[7:10], states[10:13]
    omega = np.einsum("ijn,in->jn", R, W)
    r = np.array([_contact(stone, shape, R[:, :, i], W[:, i])[0] for i in range(times.size)]).T
    point = position + r
    kinetic = 0.5 * stone.M * np.sum(v * v, axis=0) + 0.5 * np.einsum("in,ij,jn->n", omega, inertia, omega)
    return {
        "t": times,
        "alpha": np.arctan2(R[2, 1], np.hypot(R[0, 1], R[1, 1])),
        "beta": np.arctan2(-R[2, 0], R[2, 2]),
        "gamma": gamma,
        "omega1": omega[0],
        "omega2": omega[1],
        "omega3": omega[2],
        "x": point[0],
        "y": point[1],
        "energy": kinetic - stone.M * stone.g * position[2],
        "height": -point[2],
        "slip": np.linalg.norm(v + np.cross(W, r, axis=0), axis=0),
        "norm": np.linalg.norm(q, axis=0) - 1.0,
    }
