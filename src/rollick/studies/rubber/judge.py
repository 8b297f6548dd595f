"""An independent judge of rubber bodies of revolution: Newton-Euler equations with multipliers, in world axes (target Q1).

It shares no code and no elimination with `archetypes.rubber` or `mechanics`: the attitude is given by Euler angles, R = Z(phi)
X(theta) Z(psi), all vectors are in space axes with e_z up, contact force and couple about the normal are unknowns, and no support
function occurs.

**Contact.** With a = e3 the body's axis and d = -e_z, the lowest point from the centre of the shape is

    sphere R d;   ellipsoid Q d/sqrt(d.Q d), Q = b^2 (1 - a a^T) + c^2 a a^T;
    disk R e, e the unit vector of d - (d.a) a;   torus R e + r d

and rho, from the mass centre, is that less s a. Its rate is taken by complex step along a' = w x a.

**Motion.** Momentum, angular momentum about C, the time derivatives of no slip v + w x rho = 0 and of no twist w.e_z = 0:

    m v' - f                 = -m g e_z
    J w' - rho x f - k e_z   = -w x J w - sigma w,      J = I1 1 + (I3 - I1) a a^T
    v' + w' x rho            = -w x rho'
    e_z.w'                   = 0

ten linear equations for v', w', f, k. Since w = theta' e_N + phi' e_z + psi' e3, the rates of the angles follow from w' by three
more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

UP = np.array([0.0, 0.0, 1.0])
STEP = 1e-40  # of the complex step


@dataclass(frozen=True)
class Judged:
    """A body: "torus" (R, r), "ellipsoid" (b, c), "sphere" (R), "disk" (R); its mass centre at +s e3 from the shape's centre."""

    kind: str
    sizes: tuple
    m: float
    I1: float
    I3: float
    s: float
    g: float
    sigma: float = 0.0


@dataclass(frozen=True)
class State:
    """Euler angles and the rates of theta and psi; phi' follows from no twist."""

    theta: float
    psi: float
    phi: float
    theta_rate: float
    psi_rate: float


def _turn_z(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _turn_x(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def _skew(w: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def lowest(body: Judged, a: np.ndarray) -> np.ndarray:
    """rho: the lowest point from the mass centre, in space axes, when the body's axis is a (which may carry a complex step)."""
    d = -UP
    if body.kind == "sphere":
        point = body.sizes[0] * d
    elif body.kind == "ellipsoid":
        b, c = body.sizes
        along = a @ d
        Qd = b * b * (d - along * a) + c * c * along * a
        point = Qd / np.sqrt(d @ Qd)
    else:
        e = d - (d @ a) * a
        point = body.sizes[0] * e / np.sqrt(e @ e)
        if body.kind == "torus":
            point = point + body.sizes[1] * d
    return point - body.s * a


@dataclass(frozen=True)
class Verdict:
    """What the laws of motion say of one state, in space axes and in the angles."""

    rho: np.ndarray  # contact point from the mass centre
    contact_velocity: np.ndarray  # of the point of contact along the plane
    vertical_momentum: float  # angular momentum about the contact point, along e_z
    kinetic: float
    theta_acceleration: float
    psi_acceleration: float
    phi_rate: float
    phi_acceleration: float
    force: np.ndarray
    couple: float


def judge(body: Judged, state: State) -> Verdict:
    """Solve the ten equations of the module's text in one state."""
    R = _turn_z(state.phi) @ _turn_x(state.theta) @ _turn_z(state.psi)
    nodal, a = _turn_z(state.phi)[:, 0], R[:, 2]
    phi_rate = -(a @ UP) * state.psi_rate  # w.e_z = 0
    w = state.theta_rate * nodal + phi_rate * UP + state.psi_rate * a
    turn = np.cross(w, a)
    rho = lowest(body, a)
    rho_rate = lowest(body, a + 1j * STEP * turn).imag / STEP
    J = R @ np.diag([body.I1, body.I1, body.I3]) @ R.T
    spin = J @ w
    v = -np.cross(w, rho)
    lhs, rhs, one = np.zeros((10, 10)), np.zeros(10), np.eye(3)
    lhs[0:3, 0:3], lhs[0:3, 6:9], rhs[0:3] = body.m * one, -one, -body.m * body.g * UP
    lhs[3:6, 3:6], lhs[3:6, 6:9], lhs[3:6, 9] = J, -_skew(rho), -UP
    rhs[3:6] = -np.cross(w, spin) - body.sigma * w
    lhs[6:9, 0:3], lhs[6:9, 3:6], rhs[6:9] = one, -_skew(rho), -np.cross(w, rho_rate)
    lhs[9, 3:6] = UP
    solution = np.linalg.solve(lhs, rhs)
    w_rate = solution[3:6]
    # w' = theta'' e_N + phi'' e_z + psi'' e3 + theta' phi' (e_z x e_N) + psi' (w x e3)
    rest = w_rate - state.theta_rate * phi_rate * np.cross(UP, nodal) - state.psi_rate * turn
    angles = np.linalg.solve(np.stack([nodal, UP, a], axis=1), rest)
    return Verdict(
        rho,
        v + rho_rate,
        float((spin + body.m * np.cross(-rho, v)) @ UP),
        float(0.5 * body.m * v @ v + 0.5 * w @ spin),
        float(angles[0]),
        float(angles[2]),
        float(phi_rate),
        float(angles[1]),
        solution[6:9],
        float(solution[9]),
    )


KINDS = ("torus", "ellipsoid", "sphere", "disk")


def random_bodies(count: int, seed: int) -> list[Judged]:
    """Bodies of the four kinds in turn, of all proportions, moments 0 < I3 < 2 I1, half of them damped."""
    rng = np.random.default_rng(seed)
    made = []
    for k in range(count):
        kind = KINDS[k % len(KINDS)]
        size = float(rng.uniform(0.5, 1.5))
        other = float(rng.uniform(0.1, 0.6) if kind == "torus" else rng.uniform(0.3, 1.5))
        sizes = {"torus": (size, size * other), "ellipsoid": (size, other), "sphere": (size,), "disk": (size,)}[kind]
        offset = {"ellipsoid": 0.6 * other, "sphere": 0.6 * size}.get(kind, 0.0) * float(rng.uniform(-1.0, 1.0))
        I1 = float(rng.uniform(0.1, 1.0))
        sigma = float(rng.uniform(0.1, 1.0)) if (k // len(KINDS)) % 2 else 0.0
        made.append(
            Judged(
                kind,
                sizes,
                float(rng.uniform(0.5, 2.0)),
                I1,
                I1 * float(rng.uniform(0.2, 1.9)),
                offset,
                float(rng.uniform(1.0, 10.0)),
                sigma,
            )
        )
    return made


def random_state(rng: np.random.Generator) -> State:
    """Any attitude at least 0.25 rad away from the axis, brisk rates."""
    theta, psi, phi = rng.uniform(0.25, np.pi - 0.25), *rng.uniform(-np.pi, np.pi, 2)
    return State(float(theta), float(psi), float(phi), *(float(x) for x in rng.normal(0.0, 3.0, 2)))


def deviations(count: int = 200, seed: int = 0) -> dict[str, float]:
    """Largest relative deviations of the archetype from the judge, over random states of random bodies: target Q1.

    (12) track of the contact point, (17) Lambda, (18) z_C, (47) vertical momentum, (50) kinetic energy, the theta-equation and
    l' = 0, all but (47) through the functions and the rate that simulations use; "damped" are the latter two with the couple
    -sigma w, l' = -sigma l/N^2.
    """
    from ...archetypes.rubber.body import heights, mass_B, nose_squared, rubber_body
    from ...archetypes.rubber.reduced import start_rolling
    from ...kernel.system import rate
    from ...mechanics.shapes.convex import Ellipsoid, Rim, Sphere, Torus

    shapes: dict[str, Any] = {"torus": Torus, "ellipsoid": lambda b, c: Ellipsoid(b, b, c), "sphere": Sphere, "disk": Rim}
    rng = np.random.default_rng([seed, 1])
    worst: dict[str, float] = {}

    def note(name: str, found, expected, scale: float) -> None:
        worst[name] = max(worst.get(name, 0.0), float(np.max(np.abs(np.asarray(found) - expected))) / float(scale))

    for judged in random_bodies(count, seed):
        b = rubber_body(shapes[judged.kind](*judged.sizes), judged.m, judged.I1, judged.I3, judged.s, judged.g, judged.sigma)
        st = random_state(rng)
        truth = judge(judged, st)
        y, out = start_rolling(b, st.theta, st.theta_rate, st.psi_rate, st.phi), np.empty(7)
        rate(b, 0.0, y, out)
        z, dz, _ = heights(b, st.theta)
        (B, dB), N2 = mass_B(b, st.theta), nose_squared(b, st.theta)
        n, c = np.sin(st.theta), np.cos(st.theta)
        dth, dps, length = st.theta_rate, st.psi_rate, float(np.linalg.norm(truth.rho))
        across = np.array([-np.sin(st.phi), np.cos(st.phi), 0.0])  # e_N_perp
        note("(12) track", out[5:7], truth.contact_velocity[:2], length * np.hypot(dth, n * dps))
        note("(17) Lambda", across * dz, -truth.rho * [1.0, 1.0, 0.0], length)
        note("(18) z_C", z, -truth.rho[2], length)
        C = ((b.I3 - b.I1) * n * c + b.m * dz * z) * n
        note("(47) P_phi", C * dps, truth.vertical_momentum, (abs(b.I3 - b.I1) + b.m * length**2) * abs(dps))
        note("(50) T", 0.5 * (N2 * n * n * dps**2 + B * dth**2), truth.kinetic, truth.kinetic)
        # p = B theta', so p' = B theta'' + B' theta'^2; scales are sums of the sizes of the terms.
        p_rate = B * truth.theta_acceleration + dB * dth**2
        terms = abs(0.5 * dB * dth**2) + abs(y[2] ** 2 * c / n**3) + abs(b.m * b.g * dz) + abs(b.sigma * dth)
        damped = "damped " if b.sigma else ""
        note(damped + "theta-equation", out[1], p_rate, terms)
        N = np.sqrt(N2)
        dN = ((b.I3 - b.I1) * n * c + b.m * z * dz) / N
        parts = np.array([dN * n * n * dth * dps, 2.0 * N * n * c * dth * dps, N * n * n * truth.psi_acceleration])
        note(damped + "l' equation", out[2], parts.sum(), np.abs(parts).sum())
        note("phi' equation", out[4], truth.phi_rate, abs(dps))
    return worst
