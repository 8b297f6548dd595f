"""The experiment that is shipped with Rollick: a SYNTHETIC one, since the thesis prints no raw data (its Figures 7.4 to 7.7 are curves only).

A disk V1, released in the non-inverted state at -50 rad/s and slipping, as from a hand (experiment "non 1" of Figure 7.5 began so), by the full model with smooth
sliding, pivoting and contour friction; seen for 2 s at 500 frames per second with the noise that the thesis measured for its cameras, 1 mm and 1 deg.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ...analysis.tracking.read import read_track
from ...analysis.tracking.synthetic import synthetic_track
from ...analysis.tracking.track import Track
from ...motion.simulate import simulate
from .friction_fit import smooth_tippedisk

FILE = Path(__file__).parent / "data" / "synthetic_inversion.csv.gz"
TRUTH = {"mu": 0.3, "eps": 0.02, "mu_tau": 0.02, "mu_R": 3e-3}
START = {"gamma": -0.5 * math.pi + 0.1, "alpha_rate": -50.0, "slip_x": 0.2, "slip_y": 0.1}
DURATION, FPS, SIGMA_POSITION, SIGMA_ANGLE = 2.0, 500.0, 1e-3, math.radians(1.0)
SEED = 2023
NAME = "synthetic inversion of the tippedisk V1"


def true_motion(until: float = DURATION, **truth: Any) -> Any:
    """The motion behind the synthetic experiment; with other coefficients if they are given."""
    system = smooth_tippedisk("V1", **{**TRUTH, **truth})
    return simulate(system, START, until, rtol=1e-11, dense=True, progress=False)


def synthetic_experiment(seed: int = SEED, motion: Any = None, **options: Any) -> Track:
    """A track of that motion with another seed of the noise; options: those of `synthetic_track` (cameras with shifted clocks, gaps, outliers)."""
    given = {"fps": FPS, "sigma_position": SIGMA_POSITION, "sigma_angle": SIGMA_ANGLE, "name": NAME, **options}
    track = synthetic_track(true_motion() if motion is None else motion, seed=seed, **given)
    truth = ", ".join(f"{k} = {v:g}" for k, v in TRUTH.items())
    return track.saying(
        f"Made with {truth} (radius 2.9 mm, eps_tau = 1 mm/s, eps_R = 10 mm/s)."
        if motion is None
        else "Made from another motion."
    )


def shipped_track() -> Track:
    """The synthetic experiment as it is shipped, read from its file."""
    return read_track(FILE)
