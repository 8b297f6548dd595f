"""A marble in a bent gutter, a surface of one's own: at which speed does it climb over the lip?"""

from typing import NamedTuple

import numpy as np

from rollick import Body, Sphere, coulomb, simulate, sliding
from rollick.ensemble import Greatest, Grid, ensemble
from rollick.kernel import sqrt
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import distance


class Gutter(NamedTuple):
    """The inside of a torus of radii R and a, its lowest points at z = 0."""

    R: float
    a: float


@distance.register(Gutter)
def _(gutter, t, p):
    rho = sqrt(p[0] * p[0] + p[1] * p[1]) - gutter.R
    up = p[2] - gutter.a
    return gutter.a - sqrt(rho * rho + up * up)


marble = Body.from_parts(solid_sphere("20g", "1cm"), Sphere("1cm"))
run = sliding(marble, on=Gutter(0.5, 0.05), law=coulomb(0.5))
found = ensemble(
    run, Grid(vy=np.linspace(0.2, 2.0, 10)), until=3.0, start={"x": 0.5, "z": 0.01}, keep=[Greatest("z")], method="event-driven"
)
print(found)
found.plot(path="gutter.png")
simulate(run, {"x": 0.5, "z": 0.01, "vy": 1.0}, until=3.0, method="event-driven").save_html("gutter.html")
