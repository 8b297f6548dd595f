"""What is worth saying about a motion of the rolling wheelset: its oscillation beside the formulas."""

from __future__ import annotations

import math

import numpy as np

from ...kernel.hooks import highlights, kept
from .formulas import beta_of, linear_frequencies
from .period import linear_omega
from .rolling import WheelsetRolling, geometry_of
from .series import coefficients


@kept.register(WheelsetRolling)
def _(wheelset):
    return {"misfit": ("misfit",)}


@highlights.register(WheelsetRolling)
def _(system, motion):
    lines = []
    g = geometry_of(system)
    zeros = np.array([e.t for e in motion.events if e.name == "y"])
    omega = abs(system.v) * linear_omega(g)
    if zeros.size > 1:
        seen = math.pi * (zeros.size - 1) / (zeros[-1] - zeros[0])
        wave = 2.0 * math.pi * abs(system.v) / seen
        lines.append(
            f"oscillation: {seen:.7g} rad/s, {seen / (2.0 * math.pi):.6g} Hz, wavelength {wave:.5g} m; small ones "
            f"{omega:.7g} rad/s (Meijaard)"
        )
    if motion.t.size:
        amplitude = float(np.abs(motion["y"]).max())
        beta = beta_of(coefficients(g))
        lines.append(
            f"amplitude: {1e3 * amplitude:.4g} mm; beta = {1e-6 * beta:.5g} 1/mm^2 foretells "
            f"{omega * (1.0 + beta * amplitude**2):.7g} rad/s"
        )
        lines.append(f"contact: both heights of the centre agree within {np.abs(motion['misfit']).max():.1e} m")
    k = g.curvatures
    klingel = linear_frequencies(g.h, g.b, g.r, k["R_w"], k["R_r"], abs(system.v)).klingel
    return [*lines, f"conicity: h = {g.h:.5g}; Klingel's formula would give {klingel:.6g} rad/s"]
