"""What brakes my swing, its bearing or the air? A system of one's own, a CSV file, and two fits."""

from typing import NamedTuple

import numpy as np

from rollick import describe, rate, simulate
from rollick.analysis.design import fit
from rollick.kernel import absolute, sin


class Swing(NamedTuple):
    """A pendulum that loses energy by viscous friction c and by air drag k."""

    length: float = 1.0
    c: float = 0.1
    k: float = 0.0


@rate.register(Swing)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -9.81 / s.length * sin(y[0]) - s.c * y[1] - s.k * absolute(y[1]) * y[1]


describe(Swing, states={"phi": "rad", "omega": "rad/s"}, parameters={"length": "m", "c": "1/s", "k": ""})

t = np.linspace(0.0, 20.0, 401)  # what a phone taped to the swing would have written
phi = simulate(Swing(2.1, 0.02, 0.05), {"phi": "40deg"}, at=t)["phi"] + np.random.default_rng(0).normal(0.0, 0.01, t.size)
np.savetxt("swing.csv", np.column_stack([t, phi]), delimiter=",", header="t,phi", comments="")

data = np.genfromtxt("swing.csv", delimiter=",", names=True)
for names in (["length", "c"], ["length", "c", "k"]):
    found = fit(Swing(length=2.0), data, names, {"phi": "38deg"}, start_of=["phi"])
    print(found)
found.plot(path="swing.png")
