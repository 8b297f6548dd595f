"""Pictures of maps and branches for Plotly, in plain data."""

from __future__ import annotations

from typing import Any

from ..kernel.names import number
from ..view.scene_data import label, lettered
from .curves import CONFIG, GROUND, axis_look, layout, palette
from .maps import STABILITY, Map
from .sliders import SHOWN_IN

BRANCH_NAMES = {"LP": "fold", "H": "Hopf point", "BP": "branch point", "PD": "period doubling"}


def titled(name: str, unit: str) -> dict[str, Any]:
    """The title of an axis."""
    return {"text": f"{label(name)} [{lettered(unit)}]" if unit else label(name), "standoff": 6}


def map_figure(asked: Map, found: dict[str, Any], units: dict[str, str], dark: bool = False) -> dict[str, Any]:
    """A map as colours; the present state is a ring on it. Angles are shown in degrees, as everywhere on the page."""
    ux, uy = (units.get(axis.name, "") for axis in (asked.x, asked.y))
    (sx, fx), (sy, fy) = (SHOWN_IN.get(u, (u, 1.0)) for u in (ux, uy))
    x, y = [v * fx for v in found["x"]], [v * fy for v in found["y"]]
    stability = asked.measure == STABILITY
    trace: dict[str, Any] = {
        "type": "heatmap", "x": x, "y": y, "z": found["z"], "colorscale": "RdBu" if stability else "Cividis", "hoverongaps": False,
        "hovertemplate": f"{asked.x.name} = %{{x:.5~g}}, {asked.y.name} = %{{y:.5~g}}<br>%{{z:.5~g}}<extra></extra>",
        "colorbar": {"title": {"text": lettered(found.get("label") or asked.label), "side": "right"}, "thickness": 12, "outlinewidth": 0, "tickfont": {"color": GROUND[dark][1]}},
    }  # fmt: skip
    if stability:
        largest = max((abs(v) for row in found["z"] for v in row if v is not None), default=1.0) or 1.0
        trace |= {"zmin": -largest, "zmax": largest}
    own = asked.state
    given = [own.value(a.name) if a.name in own.model.parameters else own.starts().get(a.name, 0.0) for a in (asked.x, asked.y)]
    here = [number(v, axis.name, unit, turns=True) for v, axis, unit in zip(given, (asked.x, asked.y), (ux, uy))]
    data = [trace]
    if all(axis.low <= v <= axis.high for v, axis in zip(here, (asked.x, asked.y))):
        ring = {"symbol": "circle-open", "size": 13, "color": "#ffffff", "line": {"width": 2.5}}
        data.append(
            {"type": "scatter", "mode": "markers", "x": [here[0] * fx], "y": [here[1] * fy], "marker": ring, "hoverinfo": "skip"}
        )
    look = axis_look(dark)
    axes = {
        "xaxis": {**look, "title": titled(asked.x.name, sx), "tickformat": "~g"},
        "yaxis": {**look, "title": titled(asked.y.name, sy), "tickformat": "~g"},
    }
    return {"data": data, "layout": layout(dark, **axes), "config": CONFIG}


def branch_figure(found: dict[str, Any], quantity: str, units: dict[str, str], dark: bool = False) -> dict[str, Any]:
    """A bifurcation diagram: stable solid, unstable dashed, special points labelled. Point k of the lines is point k of the branch."""
    x, y, unstable = found["p"], found["states"][quantity], found["unstable"]
    colours = palette(dark)
    inside = [float(v) if v is not None else None for v in y]
    stable_y = [v if u == 0 or (k and unstable[k - 1] == 0) else None for k, (v, u) in enumerate(zip(inside, unstable))]
    other_y = [v if u > 0 or (k and unstable[k - 1] > 0) else None for k, (v, u) in enumerate(zip(inside, unstable))]
    hover = f"{found['parameter']} = %{{x:.5~g}}<br>{quantity} = %{{y:.5~g}}<extra>%{{text}}</extra>"
    lines = [
        {"type": "scatter", "mode": "lines+markers", "marker": {"size": 5, "opacity": 0.55}, "x": x, "y": values, "name": word, "hovertemplate": hover, "connectgaps": False,
         "text": [f"{n} growing" if n else "nothing grows" for n in unstable], "line": {"color": colours[k], "width": 2, "dash": dash}}
        for k, (values, word, dash) in enumerate(((stable_y, "stable", "solid"), (other_y, "unstable", "dash")))
    ]  # fmt: skip
    marks = found["specials"]
    if marks:
        lines.append(
            {"type": "scatter", "mode": "markers+text", "x": [m["p"] for m in marks], "y": [m["state"].get(quantity) for m in marks],
             "text": [m["label"] for m in marks], "textposition": "top center", "name": "special points", "customdata": list(range(len(marks))),
             "marker": {"size": 10, "color": GROUND[dark][1], "symbol": "diamond"}, "hovertext": [BRANCH_NAMES.get(m["kind"], m["kind"]) for m in marks]}
        )  # fmt: skip
    look = axis_look(dark)
    axes = {
        "xaxis": {**look, "title": titled(found["parameter"], units.get(found["parameter"], ""))},
        "yaxis": {**look, "title": titled(quantity, units.get(quantity, ""))},
        "legend": {"orientation": "h", "y": 1.08, "x": 0},
    }
    return {"data": lines, "layout": layout(dark, **{**axes, "showlegend": True}), "config": CONFIG}
