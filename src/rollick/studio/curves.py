"""Curves over time as a picture for Plotly, in plain data: one panel per quantity, the present run in front, kept runs behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..view.scene_data import label

# blue, vermilion, green, purple, amber, sky: told apart by colour-blind people too (Okabe and Ito), each at least 3:1 on its ground
LIGHT = ("#0072B2", "#B24700", "#00795A", "#9A4F7F", "#8A6400", "#3A7CA5")
DARK = ("#6BB8EA", "#F29C62", "#4FC9A4", "#E3A3C8", "#E8C15C", "#A9D4F0")
GROUND = {False: ("#ffffff", "#27323a", "#e3e8ec"), True: ("#161b20", "#d9e1e7", "#2c353d")}  # paper, ink, grid
MOST_PANELS = 6
MARKS = 60  # events drawn
ROUNDING = 1e-9  # of the largest quantity of that unit in a run: what is smaller is drawn as zero


def palette(dark: bool) -> tuple[str, ...]:
    """The colours of runs."""
    return DARK if dark else LIGHT


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


CONFIG = {
    "displaylogo": False,
    "responsive": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "displayModeBar": "hover",
}


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


def curves_figure(runs: Sequence[dict[str, Any]], wanted: Sequence[str] = (), dark: bool = False) -> dict[str, Any]:
    """The picture of runs, the present one last. A run has t, values {name: numbers}, units, plot, events [(t, name)] and a label."""
    present = runs[-1]
    names = shown_names(present, wanted)
    look = axis_look(dark)
    panels = len(names)
    picture: dict[str, Any] = {"data": [], "layout": layout(dark, hovermode="x"), "config": CONFIG}
    gap = 0.075 if panels < 5 else 0.06  # room for the names above the panels
    height = 1.0 / max(panels, 1) - gap
    notes = []
    for k, name in enumerate(names):
        number = "" if k == 0 else str(k + 1)
        top = 1.0 - gap - k * (height + gap)
        unit = present["units"].get(name, "")
        picture["layout"][f"yaxis{number}"] = {**look, "domain": [max(top - height, 0.0), top], "nticks": 5, "tickformat": "~g"}
        picture["layout"][f"xaxis{number}"] = {
            **look,
            "anchor": f"y{number}",
            "matches": "x" if k else None,
            "showticklabels": k == panels - 1,
        }
        quiet = rounding_only(present, name)
        if quiet is not None:
            picture["layout"][f"yaxis{number}"] |= {"range": [-quiet, quiet], "autorange": False}
        notes.append(
            {"text": f"<b>{label(name)}</b>{f' [{unit}]' if unit else ''}", "xref": "paper", "yref": "paper", "x": 0.0, "y": top, "xanchor": "left",
             "yanchor": "bottom", "showarrow": False}
        )  # fmt: skip
        for j, run in enumerate(runs):
            if name not in run["values"]:
                continue
            front = j == len(runs) - 1
            colour = palette(dark)[(len(runs) - 1 - j) % len(LIGHT)]
            picture["data"].append(
                {"type": "scatter", "mode": "lines", "x": run["t"], "y": run["values"][name], "xaxis": f"x{number}", "yaxis": f"y{number}", "name": run["label"],
                 "line": {"color": colour, "width": 1.6 if front else 1.2}, "opacity": 1.0 if front else 0.75,
                 "hovertemplate": f"%{{x:.4~g}} s: %{{y:.5~g}} {unit}<extra>{run['label'] if len(runs) > 1 else ''}</extra>"}
            )  # fmt: skip
    last = "" if panels <= 1 else str(panels)
    if f"xaxis{last}" in picture["layout"]:
        picture["layout"][f"xaxis{last}"]["title"] = {"text": "t [s]", "standoff": 4}
    picture["layout"]["annotations"] = notes
    picture["layout"]["shapes"] = [
        {"type": "line", "xref": "x", "yref": "paper", "x0": t, "x1": t, "y0": 0, "y1": 1, "line": {"color": palette(dark)[1], "width": 0.6}, "opacity": 0.35, "layer": "below"}
        for t, _ in list(present["events"])[:MARKS]
    ]  # fmt: skip
    return picture
