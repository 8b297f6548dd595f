"""A ball on a vibrating table: bounces once per period, then, as the table shakes harder, in pairs, in fours: period doublings of an orbit with impacts.

The first branch begins at a fold and doubles where closed forms say so. The system is in bouncing_ball.py beside this file, and serves the command line, too:
rollick analyse examples/bouncing_ball.py:Ball cycles A --near x=0.0189 --near v=-0.8 --period omega --within 0.003,0.0115 --switch. Writes out/bouncing.png.
"""

import math
from pathlib import Path

from bouncing_ball import Ball

from rollick.analysis.orbits import continue_orbit, find_orbit
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

BALL = Ball()
bounce = find_orbit(BALL, {"x": 0.0189, "v": -0.8}, "omega")
print(
    f"one bounce: it hits with {bounce.impacts[0].speed:.9f} m/s, g T/(1 + e) = {BALL.g * bounce.period / (1.0 + BALL.e):.9f} m/s"
)

once = continue_orbit(bounce, "A", (0.003, 0.0125))
twice = once.switch("PD1", bounds=(0.003, 0.0125))
branches = [once, twice]
if any(p.kind == "PD" for p in twice.specials):
    branches.append(twice.switch("PD1", bounds=(0.003, 0.0125)))
T, e, omega, g = bounce.period, BALL.e, BALL.omega, BALL.g
fold = g * T * (1.0 - e) / (2.0 * omega * (1.0 + e))
doubling = math.hypot(fold, 2.0 * g * (1.0 + e**2) / ((1.0 + e) * omega) ** 2)
print(f"fold at A = {once.special('LPC').parameter:.12f} m, in closed form {fold:.12f} m")
print(f"doubling at A = {once.special('PD').parameter:.12f} m, in closed form {doubling:.12f} m")
for branch in branches[1:]:
    print(
        f"period {branch.orbit(-1).period:.1f} s from A = {branch['A'][0]:.9f} m; "
        + ", ".join(f"{p.kind} at {p.parameter:.9f} m" for p in branch.specials)
    )

fig, axes = figure(1, 1, width=7.5, height=4.0)
ax = axes[0, 0]
for branch, colour in zip(branches, ("#0072B2", "#D55E00", "#009E73")):
    for i in range(0, len(branch), max(1, len(branch) // 60)):
        orbit = branch.orbit(i)
        stable = orbit.stability == "stable"
        ax.plot(
            [1e3 * branch["A"][i]] * len(orbit.impacts),
            [math.degrees(omega * k.t + math.pi) % 360.0 - 180.0 for k in orbit.impacts],
            "o",
            color=colour,
            markersize=3,
            fillstyle="full" if stable else "none",
        )
for name, at in (("fold", fold), ("doubling", doubling)):
    ax.axvline(1e3 * at, color="0.6", linewidth=0.7)
    ax.annotate(f" {name}", (1e3 * at, 0.02), xycoords=("data", "axes fraction"), fontsize=8)
ax.set(xlabel="amplitude of the table [mm]", ylabel="phase of the impacts [deg]")
save(fig, OUT / "bouncing.png")
print("wrote out/bouncing.png (full: stable, empty: unstable)")
