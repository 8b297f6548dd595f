"""A boiled egg stands up when it spins fast enough. An egg of one's own, friction, and a sweep over the spin."""

from typing import NamedTuple

import numpy as np

from rollick import Body, InputError, regularised, sliding, support
from rollick.ensemble import Greatest, Grid, ensemble
from rollick.kernel import sqrt, validate
from rollick.mechanics.mass.primitives import solid_ellipsoid


class Egg(NamedTuple):
    """An ellipsoid of revolution with semi-axes a, a, c, blunter below: its support function plus p n3^3."""

    a: float
    c: float
    p: float


@support.register(Egg)
def _(egg, n):
    s = sqrt(egg.a**2 * (n[0] * n[0] + n[1] * n[1]) + egg.c**2 * n[2] * n[2])
    k = -2.0 * egg.p * n[2] * n[2] * n[2]  # grad of p n3^3/|n|^2 at |n| = 1
    return (egg.a**2 / s + k) * n[0], (egg.a**2 / s + k) * n[1], (egg.c**2 / s + k) * n[2] + 3.0 * egg.p * n[2] * n[2]


@validate.register(Egg)
def _(egg):
    if not 0.0 < egg.a < egg.c or abs(egg.p) > 0.2 * egg.a:
        raise InputError(f"{egg} is no egg.")


egg = Body.from_parts(solid_ellipsoid(0.06, 0.021, 0.021, 0.029), Egg(0.021, 0.029, 0.001))
system = sliding(egg, law=regularised(0.3, 0.01))
found = ensemble(
    system, Grid(spin=np.linspace(40.0, 120.0, 9)), until=3.0, start={"theta": "85deg"}, keep=[Greatest("z"), "theta"]
)
print(found)
found.plot(path="egg.png")
