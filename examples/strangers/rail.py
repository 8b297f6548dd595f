"""A worn wheel on its rail: from measured points to the speeds at which the wheelset slips, and what slip then does to it."""

import numpy as np

from rollick.archetypes.wheelset.conicity import RadiusDifference, conicity
from rollick.archetypes.wheelset.episodes import slip_episode
from rollick.archetypes.wheelset.physical import wheelset
from rollick.archetypes.wheelset.slip_limit import critical_amplitudes
from rollick.archetypes.wheelset.track import on_track
from rollick.plotting import figure, save

u = np.linspace(-30.0, 30.0, 121)  # mm, outward from the tape circle
np.savetxt("worn_wheel.csv", np.column_stack([u, u / 20.0 - 4e-4 * u**2]), delimiter=",")  # hollow by wear
track = on_track("worn_wheel.csv", "uic60", gauge=1.435, inclination=1 / 40)
steers = conicity(RadiusDifference(track, 0.006), [0.003]).integration[0]
print(steers)

speeds = np.linspace(80.0, 240.0, 9)
limits, ratios, governs = [], [], []
for v in speeds:
    w = wheelset(
        m=1500,
        J_psi=900,
        k_y="6000kN/m",
        k_psi="9000kN m",
        b="0.75m",
        r="0.46m",
        mu=0.25,
        F_load="110kN",
        v=f"{v}km/h",
        conicity=steers,
    )
    limit = critical_amplitudes(w)
    episode = slip_episode(w, 1.2 * limit.amplitude)
    limits.append(1e3 * limit.amplitude)
    ratios.append(episode.ratio)
    governs.append(limit.governs)
    print(f"{v:.0f} km/h: rolls up to {limits[-1]:.3f} mm ({limit.governs}); slip leaves {episode.ratio:.4f} of 1.2 times that")

# The jump of the ratio between 140 and 160 km/h is one of the question, not of the wheelset: at 1.2 times the limit nothing of the oscillation rolls, so that an
# episode begins with slip, where rolling would need least friction. Below 153 km/h lateral motion limits rolling, and that place is the middle of the track
# (y = 0, Psi largest); above yaw does, and it is the largest y. From either place alone the ratio is continuous over all speeds, and the same at rtol 1e-8 and 1e-12.
fig, axes = figure(2, 1, width=5.0, height=5.0)
axes[0, 0].plot(speeds, limits, "o-")
axes[0, 0].set_ylabel("rolls up to [mm]")
for which, begins in (("lateral", "begins at y = 0"), ("yaw", "begins at the largest y")):
    these = np.array(governs) == which
    axes[1, 0].plot(speeds[these], np.array(ratios)[these], "o-", label=begins)
axes[1, 0].legend(loc="center left")
axes[1, 0].axhline(1.0)
axes[1, 0].set_xlabel("speed [km/h]")
axes[1, 0].set_ylabel("amplitude after / before slip")
save(fig, "rail.png")
