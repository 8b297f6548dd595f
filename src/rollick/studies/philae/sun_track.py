"""The directions of the Sun over the whole landing: found from all rows of the power table, with their uncertainty."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...archetypes.lander.sun import find_sun
from ...archetypes.lander.telemetry import PHASES, phases, powers, times
from ...motion.result.protocol import Result
from .uncertainty import spreads


@dataclass(frozen=True, repr=False)
class SunTrack(Result):
    """The directions of the Sun found from all rows of the power table."""

    sun: np.ndarray
    delta: np.ndarray
    spread: np.ndarray  # degrees, one standard deviation along the worst axis

    status = "finished"
    complete = True
    has_page = False

    @property
    def message(self) -> str:
        """What was found, in a sentence."""
        return f"{int(np.isfinite(self.delta).sum())} of {self.delta.size} rows show the direction of the Sun."

    @property
    def data(self) -> Any:
        """An `xarray.Dataset` over `row`."""
        import xarray as xr

        return xr.Dataset(
            {
                "utc": ("row", times().astype("datetime64[ns]")),
                "sun": (("row", "axis"), self.sun, {"units": "1", "long_name": "direction of the Sun, lander frame"}),
                "Delta": ("row", self.delta, {"units": "1", "long_name": "distance of the power distributions"}),
                "spread": ("row", self.spread, {"units": "degree", "long_name": "standard deviation along the worst axis"}),
                "phase": ("row", np.array(PHASES, dtype=object)[phases()]),
            },
            {"row": np.arange(1, self.delta.size + 1), "axis": list("xyz")},
        )

    def own_numbers(self) -> dict[str, Any]:
        """One entry per row that shows the Sun."""
        rows = [
            {
                "row": int(i + 1),
                "utc": f"{times()[i]}Z",
                "s": self.sun[i].tolist(),
                "Delta": float(self.delta[i]),
                "spread_deg": float(self.spread[i]),
            }
            for i in np.flatnonzero(np.isfinite(self.delta))
        ]
        return {"rows": rows}

    def summary(self) -> str:
        """What was found, in a few lines."""
        good = np.isfinite(self.delta)
        return "\n".join(
            [
                self.message,
                f"Delta: mean {self.delta[good].mean():.4f}, largest {self.delta[good].max():.4f}",
                f"spread by the noise of the powers: median {np.median(self.spread[good]):.2f} deg, largest {self.spread[good].max():.2f} deg",
            ]
        )

    def plot(self, *names: str, path: Any = None) -> Any:
        """Powers and directions over time; with `path`, save the figure."""
        from .pictures import sun_figure

        return sun_figure(self, path)


@functools.cache
def sun_track() -> SunTrack:
    """The directions of the Sun from the packaged measurements."""
    sun, delta = find_sun(powers())
    return SunTrack(sun, delta, spreads(sun, powers()))
