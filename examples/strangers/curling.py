"""How far does a curling stone curl? Friction on ice falls with the speed of slip: a law of one's own on a ring of feet. It is not enough: millimetres, where stones curl a metre."""

from typing import NamedTuple

import numpy as np

from rollick import Body, Ellipsoid, simulate, sliding
from rollick.kernel import sqrt
from rollick.mechanics.laws import traction
from rollick.mechanics.mass.primitives import solid_cylinder
from rollick.plotting import figure, save


class Ice(NamedTuple):
    """lambda_T = -N k v/(|v| + eps)/sqrt(|v| + eps): a coefficient of friction that falls like 1/sqrt(|v|)."""

    k: float
    eps: float


@traction.register(Ice)
def _(law, v1, v2, spin):
    v = sqrt(v1 * v1 + v2 * v2 + law.eps**2)
    c, zero = -law.k / (v * sqrt(v)), 0.0 * v1
    return (c * v1, c * v2, 0.0 * spin), (zero, zero, zero)


feet = [(0.065 * np.cos(a), 0.065 * np.sin(a), -0.06) for a in 2.0 * np.pi * np.arange(8) / 8]
stone = sliding(Body.from_parts(solid_cylinder(19.0, 0.14, 0.12), Ellipsoid(0.14, 0.14, 0.06)), law=Ice(0.008, 1e-3), feet=feet)
turns = np.linspace(-3.0, 3.0, 7)
fig, axes = figure(1, 1, width=6.0, height=3.0)
for spin in turns:
    motion = simulate(stone, {"vx": 2.2, "vy": 0.0, "spin": spin}, until=30.0, dt=2e-3)
    print(f"spin {spin:+.0f} rad/s: stops after {motion['x'][-1]:.2f} m, {motion['y'][-1]:+.3f} m to the side")
    axes[0, 0].plot(motion["x"], motion["y"], label=f"{spin:+.0f} rad/s")
axes[0, 0].set_xlabel("x [m]")
axes[0, 0].set_ylabel("y [m]")
axes[0, 0].legend()
save(fig, "curling.png")
