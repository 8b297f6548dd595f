"""A rotating-ball flowmeter for oils: a drag law of one's own (Abraham's), and the range of the meter over viscosity."""

from typing import NamedTuple

import numpy as np

from rollick.archetypes.flowmeter.drag import drag_acceleration
from rollick.archetypes.flowmeter.engineering import flowmeter
from rollick.archetypes.flowmeter.response import start_from_rest
from rollick.archetypes.flowmeter.thresholds import rolling_ends
from rollick.kernel import absolute, sqrt
from rollick.plotting import figure, save


class Abraham(NamedTuple):
    """C_d = 0.2924 (1 + 9.06/sqrt(Re))^2, good up to Re = 5000."""

    diameter: float
    nu: float
    k: float  # 3/4 of the fluid's over the ball's density, by the diameter


@drag_acceleration.register(Abraham)
def _(law, w):
    re = absolute(w) * law.diameter / law.nu + 1e-9
    return law.k * 0.2924 * (1.0 + 9.06 / sqrt(re)) ** 2 * absolute(w) * w


rolls, settles, nus = [], [], np.geomspace(1e-6, 3e-4, 8)
for nu in nus:
    law = Abraham(0.02, nu, 0.75 * 870 / 1160 / 0.02)
    meter = flowmeter(
        ball_diameter="20mm",
        vessel_diameter="220mm",
        ball_density="1160kg/m^3",
        fluid_density="870kg/m^3",
        mu=0.1,
        drag=law,
        swirl=0.15,
    )
    rolls.append(rolling_ends(meter)[0])
    settles.append(start_from_rest(meter, 200.0).settled)
    print(f"nu = {nu:.1e} m^2/s: meters up to {rolls[-1]:.4f} m/s, settles in {settles[-1]:.2f} s")

fig, axes = figure(1, 1, width=5.0, height=3.0)
axes[0, 0].loglog(nus, settles, "o-")
axes[0, 0].set_xlabel("viscosity [m^2/s]")
axes[0, 0].set_ylabel("time to settle [s]")
save(fig, "oil_meter.png")
