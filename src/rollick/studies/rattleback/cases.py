"""The motions of Kane and Levinson's figures, each computed once, and the stones of the stability targets.

g is never given in the paper; 9.81 m/s^2 is taken. The sigma of Fig. 6 is not stated: both 0 and 1e-4 are computed.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...archetypes.rattleback import AsPrinted, Rattleback
from ...motion.result.motion import Motion
from ...motion.simulate import simulate

SIGMA = 1e-4
TILT = {"alpha": "0.5deg", "beta": "0.5deg"}
RTOL = 1e-12

# name: (sigma, start, final time)
CASES: dict[str, tuple[float, dict[str, Any], float]] = {
    "fig4": (0.0, TILT | {"omega3": -5.0}, 20.0),
    "fig4_long": (0.0, TILT | {"omega3": -5.0}, 100.0),
    "fig5": (SIGMA, TILT | {"omega3": -5.0}, 20.0),
    "fig5_long": (SIGMA, TILT | {"omega3": -5.0}, 100.0),
    "opposite": (SIGMA, TILT | {"omega3": 5.0}, 20.0),
    "fig6a": (0.0, {"alpha": "5deg"}, 10.0),
    "fig6b": (0.0, {"beta": "5deg"}, 10.0),
    "fig6a_damped": (SIGMA, {"alpha": "5deg"}, 10.0),
    "fig6b_damped": (SIGMA, {"beta": "5deg"}, 10.0),
}

# Stones of our own for target R8 (a, b, c, M, h, A, B, C, D); all can exist, the TRAY tips over at rest.
PEBBLE = Rattleback(0.040, 0.026, 0.020, 0.24, -0.001, 5.3e-5, 1.04e-4, 1.15e-4, -5e-6)
CELT = Rattleback(0.050, 0.032, 0.030, 0.31, 0.010, 9.0e-5, 1.90e-4, 2.42e-4, -2.4e-5)
TRAY = Rattleback(0.100, 0.030, 0.020, 0.50, -0.030, 5.6e-4, 1.7e-3, 1.9e-3, -1.7e-4)
BLADE = Rattleback(0.100, 0.033, 0.020, 0.50, -0.030, 4.5e-4, 9.2e-4, 5.8e-4, -5e-5)


@functools.cache
def case(name: str, rtol: float = RTOL) -> Motion:
    """The motion of a figure, at every step, with the zeros of gamma' as events and dense output."""
    sigma, start, until = CASES[name]
    return simulate(Rattleback(sigma=sigma), start, until, rtol=rtol, events=["gamma_rate"], dense=True, progress=False)


@functools.cache
def as_printed(until: float = 20.0) -> Motion:
    """The motion of Fig. 4 with equation (32) as it stands in the paper."""
    return simulate(AsPrinted(Rattleback()), CASES["fig4"][1], until, rtol=RTOL, dense=True, progress=False)


def fine(motion: Motion, name: str, step: float = 1e-4) -> np.ndarray:
    """A signal on a fine grid of the dense output: extremes of spiky signals need it."""
    times = np.linspace(motion.t[0], motion.end_time, round((motion.end_time - motion.t[0]) / step) + 1)
    return motion.at(times, name)


def growth_by_integration(stone: Rattleback, spin: float, time: float = 0.25) -> float:
    """The growth rate of perturbations of steady spin from the integrated variational equations.

    The transition matrix Phi(T) of the perturbations (alpha, beta, omega1, omega2) of alpha = beta = 0, omega3 = spin has the eigenvalues
    exp(lambda T); the growth rate is the largest log|mu|/T.
    """
    import warnings

    from ...archetypes.rattleback import UnusualBody

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnusualBody)
        motion = simulate(stone, {"omega3": spin}, time, rtol=1e-13, atol=1e-15, variational=True, at=[time], progress=False)
    assert motion.transition is not None
    tilt = [0, 1, 3, 4]
    mu = np.linalg.eigvals(motion.transition[-1][np.ix_(tilt, tilt)])
    return float(np.log(np.abs(mu)).max() / time)
