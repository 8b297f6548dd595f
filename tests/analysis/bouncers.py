"""Bodies of one or two coordinates whose contacts bounce, slip and stick: their orbits have closed forms."""

from typing import Any, NamedTuple

from rollick import Coulomb, describe, friction
from rollick.kernel import cos, sin
from rollick.mechanics import contact


class Bouncer(NamedTuple):
    """A point mass above a plate at height A sin(omega t + phase)."""

    A: float = 0.0045
    omega: float = 31.41592653589793
    phase: float = 0.0
    g: float = 9.81
    e_N: float = 0.8
    law: Any = friction(Coulomb(0.0))


class Wedge(NamedTuple):
    """A point mass in a groove of two walls at 45 degrees, each shaken along its normal; along the two normals it bounces as if the other were not there."""

    A: float = 0.0045
    omega: float = 31.41592653589793
    phase: float = 0.0
    g: float = 9.81
    e_N: float = 0.8
    law: Any = friction(Coulomb(0.0))


class Corridor(NamedTuple):
    """A point mass between a wall at L and one that is shaken about 0."""

    A: float = 0.01
    omega: float = 20.0
    phase: float = 0.0
    L: float = 0.3
    e_N: float = 0.8
    law: Any = friction(Coulomb(0.0))


class Grown(NamedTuple):
    """x'' = d x' - x with a stop at -stop: swings grow, and each impact takes from them."""

    d: float = 0.1
    stop: float = 0.5
    e_N: float = 0.5
    law: Any = friction(Coulomb(0.0))


class Stopped(NamedTuple):
    """x'' + c x' + x = cos(omega t) with a stop below."""

    omega: float = 0.8
    c: float = 0.1
    stop: float = -3.0
    e_N: float = 0.8
    law: Any = friction(Coulomb(0.0))


class Block(NamedTuple):
    """A block on a belt of speed w along x, held by a spring and pushed by a negative damper: x'' = -k x + d x' + friction; across, a spring and a damper hold it."""

    k: float = 1.0
    d: float = 0.1
    w: float = 0.2
    g: float = 9.81
    e_N: float = 0.0
    law: Any = friction(Coulomb(0.1))


ONE = (Bouncer, Corridor, Grown, Stopped)
for _cls in (*ONE, Wedge, Block):
    _n = 1 if _cls in ONE else 2 if _cls is Wedge else 3
    contact.positions.register(_cls)(lambda s, n=_n: n)
    contact.velocities.register(_cls)(lambda s, n=_n: n)
    contact.contact_count.register(_cls)(lambda s, k=2 if _cls in (Wedge, Corridor) else 1: k)
for _cls in (Bouncer, Wedge, Corridor, Block):
    contact.contacts_move.register(_cls)(lambda s: True)
for _cls in ONE:
    describe(_cls, states={"x": "m", "v": "m/s"})
describe(Wedge, states={"x": "m", "z": "m", "vx": "m/s", "vz": "m/s"})
describe(Block, states={"x": "m", "y": "m", "z": "m", "vx": "m/s", "vy": "m/s", "vz": "m/s"})


@contact.position_rate.register(Bouncer)
@contact.position_rate.register(Wedge)
@contact.position_rate.register(Corridor)
@contact.position_rate.register(Grown)
@contact.position_rate.register(Stopped)
@contact.position_rate.register(Block)
def _(s, q, u, out):
    for i in range(q.size):
        out[i] = u[i]


@contact.mass_matrix.register(Bouncer)
@contact.mass_matrix.register(Wedge)
@contact.mass_matrix.register(Corridor)
@contact.mass_matrix.register(Grown)
@contact.mass_matrix.register(Stopped)
@contact.mass_matrix.register(Block)
def _(s, q, out):
    for i in range(q.size):
        for j in range(q.size):
            out[i, j] = 1.0 if i == j else 0.0


@contact.smooth_forces.register(Bouncer)
def _(s, t, q, u, out):
    out[0] = -s.g


@contact.smooth_forces.register(Wedge)
def _(s, t, q, u, out):
    out[0], out[1] = 0.0, -s.g


@contact.smooth_forces.register(Corridor)
def _(s, t, q, u, out):
    out[0] = 0.0


@contact.smooth_forces.register(Grown)
def _(s, t, q, u, out):
    out[0] = s.d * u[0] - q[0]


@contact.smooth_forces.register(Stopped)
def _(s, t, q, u, out):
    out[0] = cos(s.omega * t) - s.c * u[0] - q[0]


@contact.smooth_forces.register(Block)
def _(s, t, q, u, out):
    out[0], out[1], out[2] = -s.k * q[0] + s.d * u[0], -s.k * q[1] - u[1], -s.g


@contact.gap.register(Bouncer)
def _(s, t, q, k):
    return q[0] - s.A * sin(s.omega * t + s.phase)


@contact.gap.register(Wedge)
def _(s, t, q, k):
    return ((q[0] if k == 0 else -q[0]) + q[1]) * 0.7071067811865476 - s.A * sin(s.omega * t + s.phase)


@contact.gap.register(Corridor)
def _(s, t, q, k):
    return q[0] - s.A * sin(s.omega * t + s.phase) if k == 0 else s.L - q[0]


@contact.gap.register(Grown)
def _(s, t, q, k):
    return q[0] + s.stop


@contact.gap.register(Stopped)
def _(s, t, q, k):
    return q[0] - s.stop


@contact.gap.register(Block)
def _(s, t, q, k):
    return q[2]


@contact.contact_rows.register(Bouncer)
@contact.contact_rows.register(Corridor)
@contact.contact_rows.register(Grown)
@contact.contact_rows.register(Stopped)
def _(s, t, q, k, out):
    out[0, 0] = 1.0 if k == 0 else -1.0
    out[1, 0] = out[2, 0] = 0.0


@contact.contact_rows.register(Wedge)
def _(s, t, q, k, out):
    for i in range(3):
        for j in range(2):
            out[i, j] = 0.0
    out[0, 0], out[0, 1] = (0.7071067811865476 if k == 0 else -0.7071067811865476), 0.7071067811865476


@contact.contact_rows.register(Block)
def _(s, t, q, k, out):
    for i in range(3):
        for j in range(3):
            out[i, j] = 1.0 if (i, j) in ((0, 2), (1, 0), (2, 1)) else 0.0


@contact.surface_velocity.register(Bouncer)
@contact.surface_velocity.register(Wedge)
@contact.surface_velocity.register(Corridor)
def _(s, t, q, k, out):
    out[0] = 0.0 * q[0]
    out[1] = out[2] = 0.0 * q[0]
    if k == 0 or q.size == 2:
        out[0] = s.A * s.omega * cos(s.omega * t + s.phase)


@contact.surface_velocity.register(Block)
def _(s, t, q, k, out):
    out[0] = out[2] = 0.0 * q[0]
    out[1] = s.w + 0.0 * q[0]


class Rocker(NamedTuple):
    """A rod that lies on a shaken floor, with a foot at each end, in a plane; r: its radius of inertia."""

    A: float = 0.01
    omega: float = 20.0
    phase: float = 0.0
    half: float = 0.2
    r: float = 0.15
    g: float = 9.81
    e_N: float = 0.6
    law: Any = friction(Coulomb(0.2))


contact.positions.register(Rocker)(lambda s: 3)
contact.velocities.register(Rocker)(lambda s: 3)
contact.contact_count.register(Rocker)(lambda s: 2)
contact.contacts_move.register(Rocker)(lambda s: True)
describe(Rocker, states={"x": "m", "z": "m", "angle": "rad", "vx": "m/s", "vz": "m/s", "spin": "rad/s"})


@contact.position_rate.register(Rocker)
def _(s, q, u, out):
    for i in range(3):
        out[i] = u[i]


@contact.mass_matrix.register(Rocker)
def _(s, q, out):
    for i in range(3):
        for j in range(3):
            out[i, j] = 0.0
        out[i, i] = 1.0 if i < 2 else s.r * s.r


@contact.smooth_forces.register(Rocker)
def _(s, t, q, u, out):
    out[0], out[1], out[2] = 0.0, -s.g, 0.0


@contact.gap.register(Rocker)
def _(s, t, q, k):
    return q[1] + (s.half if k == 0 else -s.half) * sin(q[2]) - s.A * sin(s.omega * t + s.phase)


@contact.contact_rows.register(Rocker)
def _(s, t, q, k, out):
    arm = s.half if k == 0 else -s.half
    for i in range(3):
        for j in range(3):
            out[i, j] = 0.0
    out[0, 1], out[0, 2] = 1.0, arm * cos(q[2])
    out[1, 0], out[1, 2] = 1.0, -arm * sin(q[2])


@contact.surface_velocity.register(Rocker)
def _(s, t, q, k, out):
    out[0] = s.A * s.omega * cos(s.omega * t + s.phase) + 0.0 * q[0]
    out[1] = out[2] = 0.0 * q[0]
