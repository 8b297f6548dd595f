"""Curves over time as plain data: one panel per quantity, the present run in front, kept runs behind it; and the look of all pictures."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..kernel.palette import AMBER, GREEN, GREY, INK, PLUM, WARM
from ..plotting.theme import contrast, luminance
from ..view.scene_data import label, lettered, packed

GROUND = {False: ("#ffffff", "#27323a", "#e3e8ec"), True: ("#161b20", "#d9e1e7", "#2c353d")}  # paper, ink, grid
RUNS = (INK, WARM, GREEN, PLUM, AMBER, GREY)  # sky blue, made dark enough for letters, would be the first again
READABLE = 4.5  # contrast of these to the paper: values are written in them, too (WCAG AA)
MOST_PANELS = 6
MARKS = 60  # events drawn
ROUNDING = 1e-9  # of the largest quantity of that unit in a run: what is smaller is drawn as zero


@lru_cache
def palette(dark: bool) -> tuple[str, ...]:
    """The colours of runs: those of all pictures, each as far from the paper as it must be to be read."""
    return tuple(away_from(colour, GROUND[dark][0], READABLE) for colour in RUNS)


def away_from(colour: str, ground: str, least: float) -> str:
    """A colour of the same hue, darker on a light ground and lighter on a dark one until its contrast is so large."""
    from matplotlib.colors import to_hex, to_rgb

    hue, light, saturation = colorsys.rgb_to_hls(*to_rgb(colour))
    step = -0.01 if luminance(ground) > 0.5 else 0.01
    while contrast(colour, ground) < least and 0.0 < light < 1.0:
        light += step
        colour = to_hex(colorsys.hls_to_rgb(hue, min(max(light, 0.0), 1.0), saturation))
    return colour


def axis_look(dark: bool) -> dict[str, Any]:
    """The look of every axis."""
    _, ink, grid = GROUND[dark]
    return {"gridcolor": grid, "zerolinecolor": grid, "linecolor": grid, "color": ink, "ticks": "", "automargin": True}


def layout(dark: bool, **more: Any) -> dict[str, Any]:
    """The look of every picture."""
    paper, ink, _ = GROUND[dark]
    font = {"family": "Inter, system-ui, sans-serif", "size": 12, "color": ink}
    look = {
        "paper_bgcolor": paper,
        "plot_bgcolor": paper,
        "font": font,
        "margin": {"l": 12, "r": 10, "t": 8, "b": 8},
        "hovermode": "closest",
    }
    return {**look, "uirevision": "same", "hoverlabel": {"bgcolor": paper, "font": font}, "showlegend": False, **more}


CONFIG = {"displaylogo": False, "responsive": True, "displayModeBar": False}  # the bar would lie over points that one clicks at


def empty_figure() -> dict[str, Any]:
    """Nothing, quietly."""
    clear = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "xaxis": {"visible": False},
        "yaxis": {"visible": False},
    }
    return {"data": [], "layout": clear, "config": CONFIG}


def shown_names(run: dict[str, Any], wanted: Sequence[str]) -> list[str]:
    """What is drawn of a run: what is wanted of what it has, else its own choice."""
    found = [name for name in wanted if name in run["values"]]
    return (found or list(run["plot"]))[:MOST_PANELS]


def rounding_only(run: dict[str, Any], name: str) -> float | None:
    """Of a quantity that is zero but for rounding errors: a range in which it looks like it; None for others."""
    sizes = [
        float(np.nanmax(np.abs(v))) for n, v in run["values"].items() if len(v) and run["units"].get(n) == run["units"].get(name)
    ]
    own = float(np.nanmax(np.abs(run["values"][name]))) if len(run["values"][name]) else 0.0
    largest = max(sizes, default=0.0)
    return 0.05 * largest if 0.0 < own < ROUNDING * largest else None


def curves_picture(runs: Sequence[dict[str, Any]], wanted: Sequence[str] = (), dark: bool = False) -> dict[str, Any]:
    """What `curves.js` draws of runs, the present one last: panels, runs with packed numbers, instants of events, colours.

    A run has t, values {name: numbers}, units, plot, events [(t, name)] and a label.
    """
    present = runs[-1]
    names = shown_names(present, wanted)
    paper, ink, grid = GROUND[dark]
    panels = [
        {
            "name": name,
            "label": label(name),
            "unit": lettered(present["units"].get(name, "")),
            "quiet": rounding_only(present, name),
        }
        for name in names
    ]
    drawn = [
        {"label": run["label"], "colour": palette(dark)[(len(runs) - 1 - j) % len(RUNS)], "front": j == len(runs) - 1, "t": packed(run["t"]),
         "values": [packed(run["values"][name], "<f8") if name in run["values"] else None for name in names]}
        for j, run in enumerate(runs)
    ]  # fmt: skip
    return {
        "panels": panels,
        "runs": drawn,
        "time": list(present.get("time", ("t [s]", "s"))),
        "events": [float(t) for t, _ in list(present["events"])[:MARKS]],
        "look": {"paper": paper, "ink": ink, "grid": grid, "event": palette(dark)[1]},
    }
