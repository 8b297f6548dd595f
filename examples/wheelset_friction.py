"""A railway wheelset with dry friction: at 200 km/h slip damps its oscillation, at 300 km/h it pumps it into lasting slip. Writes out/wheelset_friction.png."""

from pathlib import Path

from rollick import simulate
from rollick.archetypes.wheelset.episodes import easiest_start, slip_episode
from rollick.archetypes.wheelset.physical import example_5_2
from rollick.archetypes.wheelset.pictures_friction import ellipse_picture
from rollick.archetypes.wheelset.return_map import small_overshoot
from rollick.archetypes.wheelset.slip_limit import critical_amplitudes, special_speeds
from rollick.plotting import figure, save

OUT = Path("out")
crossing = special_speeds(example_5_2())["omega_L1"]
print(f"the critical curves cross at {3.6 * crossing:.1f} km/h")

fig, axes = figure(2, 2, width=11.0, height=4.0)
for row, speed in zip(axes, ("200km/h", "300km/h")):
    w = example_5_2(speed)
    limit = critical_amplitudes(w)
    episode = slip_episode(w, 1.2 * limit.amplitude)
    print(
        f"{speed}: rolls up to {1e3 * limit.amplitude:.3f} mm ({limit.governs}); from 1.2 of it slip lasts {1e3 * episode.duration:.2f} ms, "
        f"amplitude after/before {episode.ratio:.4f}; small overshoot e: 1 {small_overshoot(w)[0]:+.3f} e^2"
    )
    motion = simulate(w, easiest_start(w, 1.2 * limit.amplitude), until=0.6, dense=True)
    ellipse_picture(w, row[0])
    row[0].plot(1e3 * motion["y"], 1e3 * motion["Psi"], linewidth=0.7)
    row[1].plot(motion.t, 1e3 * motion["amplitude"])
    row[1].axhline(1e3 * limit.amplitude, color="0.6", linewidth=0.8)
    row[1].set(xlabel="t [s]", ylabel="amplitude [mm]", title=speed)
OUT.mkdir(exist_ok=True)
save(fig, OUT / "wheelset_friction.png")
print("wrote out/wheelset_friction.png")
