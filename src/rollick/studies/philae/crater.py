"""What the collision with the crater rim (C1) may have done: a Monte Carlo study (thesis 6.3.3, Fig. 6.15).

Each case takes a candidate angular velocity at row 214 and follows the lander to C1. There one leg, chosen at random, hits the ground and
sticks for an instant; the lander moves at 0.2355 m/s in a random direction with negative z in the lander frame. Then it flies on for 65
minutes. The distribution of s_z tells how far the lander's z axis swings against the Sun. Each case is done twice: with the wheel switched
off at the first touchdown, as it was, and with the wheel kept running by its motor.

Every case has a random generator of its own, made from the seed and its number, so that the study does not depend on the number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...archetypes.lander.equations import state
from ...archetypes.lander.impact import sticking_impact
from ...archetypes.lander.lander import WHEEL_SPEED, Lander
from ...archetypes.lander.tracks import states_along, suns
from ...archetypes.lander.tumbling import first_sun
from ...ensemble.grid_map import grid_map
from ...kernel.names import InputError, whole
from ...motion.result.protocol import Result
from .candidates import EXCHANGED_SUN, on_printed_lines, seconds_between

SPEED = 650.0 / (46.0 * 60.0)  # m/s: 650 m in 46 minutes (thesis 6.3.3)
AFTER = 65 * 60  # s
BINS = 40
EDGES = np.linspace(-1.0, 1.0, BINS + 1)
WHEELS = ("off", "on")
EXTRA = ("leg", "vx", "vy", "vz", "before", "after_off", "after_on", "lost_off")
NAMES = tuple(f"{wheel}_{b:02d}" for wheel in WHEELS for b in range(BINS)) + tuple(f"lowest_{wheel}" for wheel in WHEELS) + EXTRA


def downward(rng: np.random.Generator) -> np.ndarray:
    """A random direction with negative z, evenly spread over the half sphere."""
    z, angle = -rng.random(), 2.0 * np.pi * rng.random()
    r = np.sqrt(1.0 - z * z)
    return np.array([r * np.cos(angle), r * np.sin(angle), z])


def one_case(
    lander: Lander, omega: np.ndarray, s0: np.ndarray, leg: int, v: np.ndarray, motor: bool
) -> tuple[np.ndarray, float, float, float]:
    """s_z every second after C1, angular speed before and after the impact, and the energy lost in it."""
    span = round(seconds_between("C1"))
    y = states_along(lander, state(s0, omega, WHEEL_SPEED), float(span), 1, motor, substeps=2 * span)[1]
    hit = sticking_impact(lander, y[4:7], y[7], v, leg, locked=motor)
    before = float(np.linalg.norm(y[4:7]))
    y[4:7], y[7] = hit.omega, hit.omega_rot
    sz = suns(states_along(lander, y, 1.0, AFTER, motor))[:, 2]
    return sz, before, float(np.linalg.norm(hit.omega)), hit.lost


@dataclass(frozen=True, repr=False)
class Crater(Result):
    """Histograms of s_z after C1, one row per case, with the wheel off and kept running."""

    data: Any  # xarray.Dataset over case and bin
    status: str = "finished"

    has_page: ClassVar[bool] = False

    @property
    def complete(self) -> bool:
        """Whether all cases were done."""
        return bool(np.isfinite(self.data["lowest_off"].values).all())

    @property
    def message(self) -> str:
        """What was done, in a sentence."""
        return f"{self.data.sizes['case']} collisions with the crater rim, seed {self.data.attrs['seed']}."

    @property
    def edges(self) -> np.ndarray:
        """The edges of the bins of s_z."""
        return EDGES

    def density(self, wheel: str = "off") -> np.ndarray:
        """The density of s_z over the bins, all cases together."""
        counts = self.data[f"counts_{wheel}"].values.sum(axis=0)
        return counts / counts.sum() / np.diff(EDGES)

    def share_below(self, level: float, wheel: str = "off") -> float:
        """The share of time with s_z below a level (an edge of the bins)."""
        counts = self.data[f"counts_{wheel}"].values.sum(axis=0)
        return float(counts[EDGES[1:] <= level + 1e-9].sum() / counts.sum())

    def cases_below(self, level: float, wheel: str = "off") -> float:
        """The share of cases in which s_z ever falls below a level."""
        return float(np.mean(self.data[f"lowest_{wheel}"].values < level))

    def density_band(self, wheel: str = "off", draws: int = 1000, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """The 95 % bootstrap band of the density."""
        rng = np.random.default_rng(seed)
        counts = self.data[f"counts_{wheel}"].values
        n = len(counts)
        sums = np.array([counts[rng.integers(0, n, n)].sum(axis=0) for _ in range(draws)])
        densities = sums / sums.sum(axis=1, keepdims=True) / np.diff(EDGES)
        low, high = np.percentile(densities, [2.5, 97.5], axis=0)
        return low, high

    def share_band(self, level: float, wheel: str = "off", draws: int = 1000, seed: int = 1) -> tuple[float, float]:
        """The 95 % bootstrap band of `share_below`."""
        rng = np.random.default_rng(seed)
        counts = self.data[f"counts_{wheel}"].values
        below = counts[:, EDGES[1:] <= level + 1e-9].sum(axis=1) / counts.sum(axis=1)
        means = np.array([below[rng.integers(0, len(below), len(below))].mean() for _ in range(draws)])
        low, high = np.percentile(means, [2.5, 97.5])
        return float(low), float(high)

    def summary(self) -> str:
        """What was found, in a few lines."""
        lines = [self.message]
        for wheel, words in (("off", "wheel switched off"), ("on", "wheel kept running")):
            shares = ", ".join(
                f"below {level:g}: {100 * self.share_below(level, wheel):.2f} % ({100 * self.share_band(level, wheel)[0]:.2f} .. {100 * self.share_band(level, wheel)[1]:.2f})"
                for level in (-0.5, -0.2, 0.0)
            )
            lines.append(f"{words}: s_z from {float(self.data[f'lowest_{wheel}'].min()):.3f} on; share of time {shares}")
        return "\n".join(lines)

    def own_numbers(self) -> dict[str, Any]:
        """The densities of s_z with their bands, and how low it came."""
        found: dict[str, Any] = {
            "seed": int(self.data.attrs["seed"]),
            "edges": EDGES.tolist(),
        }
        for wheel in WHEELS:
            low, high = self.density_band(wheel)
            found[wheel] = {
                "density": self.density(wheel).tolist(),
                "density_low": low.tolist(),
                "density_high": high.tolist(),
                "lowest": float(self.data[f"lowest_{wheel}"].min()),
                "share_below": {str(level): self.share_below(level, wheel) for level in (-0.5, -0.2, 0.0)},
            }
        return found

    def plot(self, *names: str, path: Any = None) -> Any:
        """Fig. 6.15 with its uncertainty; with `path`, save it."""
        from .pictures import crater_figure

        return crater_figure(self, path)


def crater(
    count: int = 400,
    seed: int = 0,
    *,
    omegas: Any = None,
    lander: Lander | None = None,
    s0: Any = None,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Crater:
    """The Monte Carlo study of C1; `omegas` are the candidates at row 214, `s0` the Sun there (default: where it was seen).

    Without candidates it is the study of the thesis: the four printed lines, and the start with s_x and s_y exchanged to which they belong.
    """
    if count < 1:
        raise InputError(f"count = {count} must be at least 1; the thesis has 400.")
    seed = whole(seed, "seed")
    body = Lander() if lander is None else lander
    pool = on_printed_lines() if omegas is None else np.atleast_2d(np.asarray(omegas, float))
    if s0 is None:
        s0 = EXCHANGED_SUN if omegas is None else first_sun()
    start = np.asarray(s0, float)

    def work(points: np.ndarray, first: int) -> np.ndarray:
        out = np.empty((len(points), len(NAMES)))
        for row, (case,) in zip(out, points):
            rng = np.random.default_rng([seed, int(case)])
            omega, leg, v = pool[rng.integers(len(pool))], int(rng.integers(1, 4)), SPEED * downward(rng)
            off, before, after_off, lost = one_case(body, omega, start, leg, v, motor=False)
            on, _, after_on, _ = one_case(body, omega, start, leg, v, motor=True)
            counts = [np.histogram(np.clip(sz, -1.0, 1.0), EDGES)[0] for sz in (off, on)]
            row[:] = [*counts[0], *counts[1], off.min(), on.min(), leg, *v, before, after_off, after_on, lost]
        return out

    about = {"lander": list(body), "s0": start.tolist(), "seed": seed, "pool": float(np.abs(pool).sum()), "size": len(pool)}
    raw = grid_map(
        work,
        {"case": np.arange(count)},
        NAMES,
        about=about,
        store=store,
        workers=workers,
        progress=progress,
        chunk=4,
        title="collisions",
    )
    return Crater(_labelled(raw, count, seed))


def _labelled(raw: Any, count: int, seed: int) -> Any:
    """The columns of the map as histograms over case and bin, with units."""
    import xarray as xr

    variables: dict[str, Any] = {}
    for wheel in WHEELS:
        columns = np.stack([raw[f"{wheel}_{b:02d}"].values for b in range(BINS)], axis=1)
        variables[f"counts_{wheel}"] = (
            ("case", "bin"),
            columns,
            {"units": "s", "long_name": f"time in each bin of s_z, wheel {wheel}"},
        )
        variables[f"lowest_{wheel}"] = ("case", raw[f"lowest_{wheel}"].values, {"long_name": f"lowest s_z, wheel {wheel}"})
    units = {
        "leg": "1",
        "vx": "m/s",
        "vy": "m/s",
        "vz": "m/s",
        "before": "rad/s",
        "after_off": "rad/s",
        "after_on": "rad/s",
        "lost_off": "J",
    }
    for name in EXTRA:
        variables[name] = ("case", raw[name].values, {"units": units[name]})
    return xr.Dataset(
        variables, {"case": np.arange(count), "bin": 0.5 * (EDGES[1:] + EDGES[:-1])}, {"seed": seed, "speed": SPEED}
    )
