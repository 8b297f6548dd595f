"""The landing of Philae: the Sun from the panels, the descent, the tumbling after the first touchdown, and the crater rim.

    python examples/philae.py

Prints what is found, and writes philae_sun.png and philae_crater.png into out/.
"""

from pathlib import Path

import numpy as np

from rollick.archetypes import lander as la
from rollick.studies import philae
from rollick.studies.philae.candidates import PRINTED_SUN

out = Path("out")
out.mkdir(exist_ok=True)

# The direction of the Sun from six powers.
track = philae.sun_track()
print(track.summary())
track.plot(path=out / "philae_sun.png")

# The slow rotation before the first touchdown.
fit = philae.fit_descent(3)
first, most, last = fit.speeds()
print(f"descent: E_DF {fit.misfit:.4f}, angular velocity {first:.5f} -> {most:.5f} -> {last:.5f} rad/s")

# A flight after it: the wheel runs down, sticks, and hands its angular momentum to the lander.
omega = np.array([-0.125, 0.31, 0.12])  # one of many that fit
flight = la.fly(la.Lander(), la.state(PRINTED_SUN, omega), until=2700.0)
print(flight.summary())
emd, edf, seen, amplitude = la.judge(la.Lander(), [omega])[0]
chance = np.percentile(philae.sampling_spread(la.Lander(), omega), [5, 50, 95])
print(f"EMD {emd:.4f}; chance alone gives {chance[0]:.3f} .. {chance[2]:.3f}; the z axis swings by {180 * amplitude:.0f} deg")

# The collision with the crater rim, 100 times.
study = philae.crater(100, seed=1)
print(study.summary())
study.plot(path=out / "philae_crater.png")
