"""A thin disk rolls in circles: how fast at which inclination, and how it nutates; and the speed below which it cannot roll straight on.

Steady motions and their eigenvalues of the compiled equations, beside closed forms. Writes out/rolling_circles.png.
"""

from pathlib import Path

import numpy as np
from scipy.optimize import brentq

from rollick import steady_motion
from rollick.archetypes import tops
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

DISK = tops.euler_disk(thickness=0.0)  # 75 mm wide, 440 g
SYSTEM = tops.without_slip(DISK)


def eigenvalue_squared(theta, precession, omega3):
    """The square of the eigenvalues of steady rolling: -kappa^2; and the steady motion that was found."""
    start = {"theta": theta, "phi_rate": precession, "psi_rate": omega3 - precession * np.cos(theta)}
    found = steady_motion(SYSTEM, start, hold=("omega2", "omega3"))
    return float((found.eigenvalues[0] ** 2).real), found


angles = np.radians(np.arange(5.0, 90.0, 5.0))
rows = []
for theta in angles:
    exact = tops.steady(DISK, theta)  # with the mass centre at rest
    value, found = eigenvalue_squared(theta, exact.precession, exact.omega3)
    rows.append((exact.precession, found.drifts["heading"], tops.nutation(DISK, exact), -value))
closed, turning, kappa2, computed = np.array(rows).T
print(
    f"circles with the mass centre at rest: precession to {np.abs(turning / closed - 1.0).max():.0e}, nutation to {np.abs(computed / kappa2 - 1.0).max():.0e}"
)

straight = brentq(lambda spin: eigenvalue_squared(0.5 * np.pi, 0.0, spin)[0], 5.0, 20.0, xtol=1e-12)
print(f"straight rolling is stable above {straight:.9f} rad/s; sqrt(g/(3 R)) = {np.sqrt(DISK.g / (3.0 * DISK.R)):.9f} rad/s")

fig, axes = figure(1, 3, width=12.0, height=3.4)
fine = np.radians(np.linspace(3.0, 89.0, 200))
exact = [tops.steady(DISK, theta) for theta in fine]
axes[0, 0].plot(np.degrees(fine), [e.precession for e in exact], color="#0072B2", label="closed form")
axes[0, 0].plot(np.degrees(angles), turning, "o", color="#D55E00", markersize=4, label="steady motions")
axes[0, 0].set(xlabel="inclination [deg]", ylabel="precession [rad/s]")
axes[0, 1].plot(np.degrees(fine), np.sqrt([tops.nutation(DISK, e) for e in exact]), color="#0072B2")
axes[0, 1].plot(np.degrees(angles), np.sqrt(computed), "o", color="#D55E00", markersize=4)
axes[0, 1].set(xlabel="inclination [deg]", ylabel="nutation [rad/s]")
spins = np.linspace(0.0, 20.0, 21)
axes[0, 2].plot(spins, [tops.nutation(DISK, tops.Steady(0.5 * np.pi, 0.0, w, -DISK.R * w, 0.0)) for w in spins], color="#0072B2")
axes[0, 2].plot(spins, [-eigenvalue_squared(0.5 * np.pi, 0.0, w)[0] for w in spins], "o", color="#D55E00", markersize=4)
axes[0, 2].axhline(0.0, color="0.5", linewidth=0.6)
axes[0, 2].set(xlabel="spin of straight rolling [rad/s]", ylabel=r"$\kappa^2$ [rad$^2$/s$^2$]")
axes[0, 0].legend(frameon=False, fontsize=8)
save(fig, OUT / "rolling_circles.png")
print("wrote out/rolling_circles.png")
