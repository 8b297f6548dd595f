"""Systems whose periodic orbits, with all their bifurcations, are known in closed form, compiled."""

from __future__ import annotations

from typing import NamedTuple

from rollick.analysis.orbits.impacts import impact_gap, impact_map
from rollick.kernel import cos, describe, rate, signals, sin
from rollick.motion.filippov.systems.form import contact_form, contact_total, grip_and_load, slip_size


class Ribbon(NamedTuple):
    """A limit cycle (x, y) of radius 1 and period 2 pi, and a plane w = (u, v) around it that turns by nu in unit time:

        w' = nu J w + mu P w - delta (1 - P) w - (w.P w) P w,     P = 1/2 [[1 + e + k x, k y], [k y, 1 - e - k x]].

    k = 1, e = 0, nu = 1/2: P projects onto a direction that turns half around (a Moebius ribbon). The cycle w = 0 has the multipliers 1, exp(-4 pi),
    -exp(2 pi mu), -exp(-2 pi delta): a period doubling at mu = 0, orbits |w| = sqrt(mu) of period 4 pi with the multiplier exp(-8 pi mu) beyond.
    k = 0, e = 1, nu = 0: P = diag(1, 0). Multipliers exp(2 pi mu), exp(-2 pi delta); at mu = 0 orbits w = (+-sqrt(mu), 0) branch off.
    k = 0, e = 0, delta = -mu: P = 1/2. Multipliers exp(2 pi (mu + i nu)): a Neimark-Sacker point at mu = 0 (delta is then the parameter to move, too).
    """

    mu: float = -0.1
    nu: float = 0.5
    k: float = 1.0
    e: float = 0.0
    delta: float = 0.4
    both: float = 0.0  # added to mu and taken from delta: one parameter for the Neimark-Sacker case


@rate.register(Ribbon)
def _(s, t, y, out):
    x, z, u, v = y[0], y[1], y[2], y[3]
    grow = 1.0 - x * x - z * z
    out[0] = grow * x - z
    out[1] = grow * z + x
    a, b, c = 0.5 * (1.0 + s.e + s.k * x), 0.5 * s.k * z, 0.5 * (1.0 - s.e - s.k * x)
    pu, pv = a * u + b * v, b * u + c * v
    rise = s.mu + s.both - (u * pu + v * pv)
    fall = s.delta - s.both
    out[2] = -s.nu * v + rise * pu - fall * (u - pu)
    out[3] = s.nu * u + rise * pv - fall * (v - pv)


describe(Ribbon, states={"x": "", "y": "", "u": "", "v": ""})


class Striker(NamedTuple):
    """x'' + c x' + k x = -g + F cos(omega t), that hits a table at height A sin(omega t) with the restitution e.

    F = k = c = 0: a ball bouncing on a vibrating table. A = 0: a forced oscillator with a stop at `stop`.
    """

    A: float = 0.0
    omega: float = 1.0
    e: float = 0.5
    g: float = 0.0
    F: float = 0.0
    k: float = 0.0
    c: float = 0.0
    stop: float = 0.0


@rate.register(Striker)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -s.g + s.F * cos(s.omega * t) - s.c * y[1] - s.k * y[0]


describe(Striker, states={"x": "m", "v": "m/s"})


@impact_gap.register(Striker)
def _(s, t, y):
    return y[0] - s.stop - s.A * sin(s.omega * t)


@impact_map.register(Striker)
def _(s, t, y, out):
    table = s.A * s.omega * cos(s.omega * t)
    out[0] = y[0]
    out[1] = table - s.e * (y[1] - table)


class Belt(NamedTuple):
    """A block of unit mass on a belt of speed w, with a spring k, a negative damper d and friction mu g: x'' = -k x + d x' + friction.

    States x and the slip u = x' - w. It sticks until k x = d w + mu g, slips about c = mu g/k as a linear oscillator until x' = w again, and sticks.
    """

    k: float = 1.0
    d: float = 0.1
    mu: float = 0.1
    w: float = 0.2
    g: float = 9.81


describe(Belt, states={"x": "m", "u": "m/s"})


@contact_total.register(Belt)
def _(s):
    return 1


@slip_size.register(Belt)
def _(s):
    return 1


@contact_form.register(Belt)
def _(s, modes, t, y, free, push, c, A, slip):
    pull = -s.k * y[0] + s.d * (y[1] + s.w)
    one = 1.0 + 0.0 * y[0]
    free[0], free[1] = y[1] + s.w, pull
    push[1, 0], push[1, 1] = 0.0 * y[0], one
    c[1] = pull
    A[1, 1] = one
    slip[0] = y[1]
    slip[1] = 0.0 * y[1]


@grip_and_load.register(Belt)
def _(s, t, y, k):
    return s.mu + 0.0 * y[0], s.g + 0.0 * y[0]


class Runner(NamedTuple):
    """A pendulum turned by a constant moment M against friction c, phi'' = M - c phi' - sin phi; s' = phi'^2 is carried along, and nothing depends on it.

    It runs: phi advances by 2 pi in a period T, and the work of M in it, 2 pi M, is that of friction, c (s(T) - s(0)).
    """

    M: float = 0.9
    c: float = 0.25


@rate.register(Runner)
def _(p, t, y, out):
    out[0] = y[1]
    out[1] = p.M - p.c * y[1] - sin(y[0])
    out[2] = y[1] * y[1]


describe(Runner, states={"phi": "rad", "omega": "rad/s", "s": "rad^2/s"})


class Tower(NamedTuple):
    """A limit cycle (x, y) of radius 1 and period 2 pi, and beside it three things that know nothing of each other:

        u' = v,   v' = a0 + a1 u + a2 u^2 + a3 u^3 - (lam - b u) v          fold at a1 + 2 a2 u + 3 a3 u^2 = 0, and its cusp; tori; 1:1 at a double zero
        rho' = m1 rho + m3 rho^3                                            along a direction that turns half around in a period (p, q): flips; across it -rho
        z' = (eta + i nu) z + c3 z |z|^2                                    in (f, g): tori, Chenciner's point at c3 = 0

    The states are bent: U = u + alpha (x^2 - y) + beta f^2, P = p + alpha u x.
    """

    a0: float = 0.0
    a1: float = -1.0
    a2: float = 0.0
    a3: float = 0.0
    lam: float = 0.5
    b: float = 0.0
    m1: float = -0.1
    m3: float = -1.0
    eta: float = -0.1
    nu: float = 0.3
    c3: float = -1.0
    alpha: float = 0.0
    beta: float = 0.0


@rate.register(Tower)
def _(s, t, y, out):
    x, w, v, f, g = y[0], y[1], y[3], y[6], y[7]
    u = y[2] - s.alpha * (x * x - w) - s.beta * f * f
    p, q = y[4] - s.alpha * u * x, y[5]
    grow = 1.0 - x * x - w * w
    out[0] = grow * x - w
    out[1] = grow * w + x
    du = v
    out[3] = s.a0 + u * (s.a1 + u * (s.a2 + u * s.a3)) - (s.lam - s.b * u) * v
    # the ribbon: P projects onto (cos t/2, sin t/2)
    a, b, c = 0.5 * (1.0 + x), 0.5 * w, 0.5 * (1.0 - x)
    pp, pq = a * p + b * q, b * p + c * q
    r2 = p * pp + q * pq
    rise = s.m1 + s.m3 * r2
    dp = -0.5 * q + rise * pp - (p - pp)
    out[5] = 0.5 * p + rise * pq - (q - pq)
    size = s.eta + s.c3 * (f * f + g * g)
    out[6] = size * f - s.nu * g
    out[7] = size * g + s.nu * f
    out[2] = du + s.alpha * (2.0 * x * out[0] - out[1]) + 2.0 * s.beta * f * out[6]
    out[4] = dp + s.alpha * (du * x + u * out[0])


describe(Tower, states={name: "" for name in ("x", "y", "U", "v", "P", "q", "f", "g")})


def on_tower(s: Tower, u: float) -> list[float]:
    """The state of the cycle at x = 1, y = 0, where u rests at a zero of a0 + a1 u + ..."""
    return [1.0, 0.0, u + s.alpha, 0.0, s.alpha * u, 0.0, 0.0, 0.0]


class Swing(NamedTuple):
    """w'' = h - (k + eps cos t) w + (2 eta + e w^2) w' + c w^3 about x = cos t (w = x - cos t).

    h = 0: w = 0 is a solution always, and Mathieu's equation that of its multipliers. With a = 4 k, q = -2 eps its characteristic values say where, for
    eta = 0, both are 1 (a_0, b_2, a_2, ...) or -1 (b_1, a_1, ...). The third derivatives of the return map are linear in c and e, the second ones vanish; with eta = e = 0 it
    preserves areas.
    eps = 0: w rests where h = k w - c w^3. Folds at k = 3 c w^2, 4 k^3 = 27 c h^2, with the multipliers 1 and exp(4 pi eta).
    """

    k: float = 0.1
    eps: float = 0.1
    eta: float = -0.05
    c: float = 0.0
    h: float = 0.0
    e: float = 0.0


@rate.register(Swing)
def _(s, t, y, out):
    w, dw = y[0] - cos(t), y[1] + sin(t)
    out[0] = y[1]
    out[1] = s.h - cos(t) - (s.k + s.eps * cos(t)) * w + (2.0 * s.eta + s.e * w * w) * dw + s.c * w * w * w


describe(Swing, states={"x": "", "v": ""})


class Pendulum(NamedTuple):
    """phi'' = -g sin phi; of amplitude a its period is 4 K(sin^2 a/2)/sqrt g, its energy -g cos a."""

    g: float = 1.0


@rate.register(Pendulum)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -s.g * sin(y[0])


@signals.register(Pendulum)
def _(s, t, y, out):
    out[0] = 0.5 * y[1] * y[1] - s.g * cos(y[0])


describe(Pendulum, states={"phi": "rad", "omega": "rad/s"}, signals={"energy": ""})


class HenonHeiles(NamedTuple):
    """H = (p^2 + q^2 + x^2 + y^2)/2 + k (x^2 y - y^3/3); orbits with x = 0 are those of one degree of freedom in y^2/2 - k y^3/3."""

    k: float = 1.0


@rate.register(HenonHeiles)
def _(s, t, y, out):
    out[0] = y[2]
    out[1] = y[3]
    out[2] = -y[0] - 2.0 * s.k * y[0] * y[1]
    out[3] = -y[1] - s.k * (y[0] * y[0] - y[1] * y[1])


@signals.register(HenonHeiles)
def _(s, t, y, out):
    out[0] = 0.5 * (y[2] * y[2] + y[3] * y[3] + y[0] * y[0] + y[1] * y[1]) + s.k * (y[0] * y[0] * y[1] - y[1] ** 3 / 3.0)


describe(HenonHeiles, states={"x": "", "y": "", "p": "", "q": ""}, signals={"energy": ""})


class Top(NamedTuple):
    """Euler's free top: A p' = (B - C) q r, ...; 2 T = A p^2 + B q^2 + C r^2 and L^2 = A^2 p^2 + B^2 q^2 + C^2 r^2 stay. A > B > C."""

    A: float = 3.0
    B: float = 2.0
    C: float = 1.0


@rate.register(Top)
def _(s, t, y, out):
    out[0] = (s.B - s.C) / s.A * y[1] * y[2]
    out[1] = (s.C - s.A) / s.B * y[2] * y[0]
    out[2] = (s.A - s.B) / s.C * y[0] * y[1]


@signals.register(Top)
def _(s, t, y, out):
    out[0] = 0.5 * (s.A * y[0] * y[0] + s.B * y[1] * y[1] + s.C * y[2] * y[2])
    out[1] = (s.A * y[0]) ** 2 + (s.B * y[1]) ** 2 + (s.C * y[2]) ** 2


describe(Top, states={"p": "rad/s", "q": "rad/s", "r": "rad/s"}, signals={"energy": "J", "L2": ""})
