"""Does a crate travel on a shaken plate whose fur lets it slide one way more easily? A friction law of one's own, dry and one-sided."""

from typing import NamedTuple

import numpy as np

from rollick import Body, Ellipsoid, Plane, sliding
from rollick.ensemble import Grid, ensemble
from rollick.kernel import maximum, minimum, sign
from rollick.mechanics.laws import prox, set_valued, traction
from rollick.mechanics.mass.primitives import box
from rollick.mechanics.surfaces import Shaken, Swing
from rollick.plotting import figure, save


class Fur(NamedTuple):
    """Dry friction with other limits with and against the hair, -against N <= lambda_1 <= along N, and across it |lambda_2| <= along N."""

    along: float
    against: float


@set_valued.register(Fur)
def _(law):
    return True


@traction.register(Fur)
def _(law, v1, v2, spin):
    zero = 0.0 * v1
    mean, half = 0.5 * (law.along + law.against), 0.5 * (law.against - law.along)
    return (-mean * sign(v1) + half * sign(v1) * sign(v1) + zero, -law.along * sign(v2) + zero, 0.0 * spin), (zero, zero, zero)


@prox.register(Fur)
def _(law, x1, x2, xt, normal):
    n = maximum(normal, 0.0)
    return minimum(maximum(x1, -law.along * n), law.against * n), minimum(maximum(x2, -law.along * n), law.along * n), 0.0 * xt


crate = Body.from_parts(box(2.0, 0.2, 0.1, 0.05), Ellipsoid(0.1, 0.05, 0.025))
corners = [(x, y, -0.025) for x in (0.1, -0.1) for y in (0.05, -0.05)]
system = sliding(crate, on=Shaken(Plane(), Swing("2mm", "10Hz"), along=(1, 0, 0)), law=Fur(0.2, 0.4), feet=corners)
found = ensemble(system, Grid({"on.course.frequency": np.linspace(2.0, 20.0, 10)}), until=2.0, keep=["x"], dt=1e-3)
print(found)

fig, axes = figure(1, 1, width=5.0, height=3.0)
axes[0, 0].plot(np.linspace(2.0, 20.0, 10), 0.5 * found["x"], "o-")
axes[0, 0].set_xlabel("frequency [Hz]")
axes[0, 0].set_ylabel("mean velocity [m/s]")
save(fig, "conveyor.png")
