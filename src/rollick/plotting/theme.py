"""A picture on a dark ground, and with smaller letters: all its artists are visited, whoever drew them.

Greys and blacks are mirrored in lightness; colours keep their hue, and become lighter where they would be hard to see. Letters then have a contrast
of at least 4.5 to the ground, lines of at least 3 (WCAG 2.1, AA), unless they were drawn fainter than that on white on purpose, as grids are.
"""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np

TEXT_CONTRAST, LINE_CONTRAST = 4.5, 3.0
FAINT = 0.25  # lightness from white below which something was drawn faint on purpose


def luminance(colour: Any) -> float:
    """The relative luminance of a colour (WCAG)."""
    from matplotlib.colors import to_rgb

    c = np.array(to_rgb(colour))
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(one: Any, other: Any) -> float:
    """The contrast of two colours: 1 .. 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def on_dark(colour: Any, ground: str, least: float = LINE_CONTRAST, fill: bool = False) -> tuple[float, float, float, float]:
    """A colour that was chosen for white, for a dark ground; fills stay behind what is drawn on them."""
    from matplotlib.colors import to_rgb, to_rgba

    r, g, b, alpha = to_rgba(colour)
    hue, light, saturation = colorsys.rgb_to_hls(r, g, b)
    base = colorsys.rgb_to_hls(*to_rgb(ground))[1]
    if fill and light > 0.99:
        return (*to_rgb(ground), alpha)
    if fill and light > 0.72:  # pale fields of colour become dark ones
        light, saturation = base + (1.0 - light) * 0.75 + 0.02, saturation * 0.6
        return (*colorsys.hls_to_rgb(hue, light, saturation), alpha)
    if saturation < 0.12 or (max(r, g, b) - min(r, g, b)) < 0.06:  # a grey
        light = base + (1.0 - light) * (0.93 - base)
        made = colorsys.hls_to_rgb(hue, light, saturation)
        if light - base < FAINT or fill:
            return (*made, alpha)
    made = colorsys.hls_to_rgb(hue, light, saturation)
    while contrast(made, ground) < least and light < 0.98:
        light += 0.02
        made = colorsys.hls_to_rgb(hue, light, saturation)
    return (*made, alpha)


def _each(colours: Any, ground: str, fill: bool = False) -> Any:
    return [on_dark(c, ground, fill=fill) for c in colours]


def _collection(artist: Any, ground: str) -> None:
    """Fields of colour: those listed by hand are changed; the graded ones, which have a colour bar, stay."""
    from matplotlib.colors import ListedColormap

    if artist.get_array() is not None:
        _colours_of_map(artist, ground, ListedColormap)
        return
    face, edge = artist.get_facecolor(), artist.get_edgecolor()
    if len(face):
        artist.set_facecolor(_each(face, ground, fill=True))
    if len(edge):
        artist.set_edgecolor(_each(edge, ground))


def _colours_of_map(artist: Any, ground: str, listed: Any) -> None:
    colours = artist.get_cmap()
    if isinstance(colours, listed) and colours.N <= 24:
        artist.set_cmap(listed(_each(colours.colors, ground, fill=True)))


def _one(artist: Any, ground: str) -> None:
    """Change the colours of one artist."""
    from matplotlib.collections import Collection
    from matplotlib.image import AxesImage
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    if isinstance(artist, Text):
        artist.set_color(on_dark(artist.get_color(), ground, TEXT_CONTRAST))
        return  # the box of a note is a patch of its own
    if isinstance(artist, Line2D):
        face, edge = artist.get_markerfacecolor(), artist.get_markeredgecolor()
        artist.set_color(on_dark(artist.get_color(), ground))
        if not isinstance(face, str) or face not in ("none", "auto"):
            artist.set_markerfacecolor(on_dark(face, ground, fill=True))
        if not isinstance(edge, str) or edge not in ("none", "auto"):
            artist.set_markeredgecolor(on_dark(edge, ground))
    elif isinstance(artist, Collection):
        _collection(artist, ground)
    elif isinstance(artist, AxesImage):
        from matplotlib.colors import ListedColormap

        _colours_of_map(artist, ground, ListedColormap)
    elif isinstance(artist, Patch):
        face, edge = artist.get_facecolor(), artist.get_edgecolor()
        artist.set_facecolor(on_dark(face, ground, fill=True))
        artist.set_edgecolor(on_dark(edge, ground))


def recoloured(fig: Any, ground: str) -> None:
    """Put a figure on a dark ground; each artist is changed once."""
    fig.set_facecolor(ground)
    for ax in fig.axes:
        for axis in (getattr(ax, name, None) for name in ("xaxis", "yaxis", "zaxis")):
            if axis is not None and not getattr(axis, "_on_dark", False):
                axis._on_dark = True
                axis.set_tick_params(which="both", color="0.75", labelcolor="0.9", grid_color=on_dark("0.9", ground))
                axis.label.set_color("0.93")
                if hasattr(axis, "set_pane_color"):
                    axis.set_pane_color(on_dark("0.95", ground, fill=True))
                    axis._axinfo["grid"]["color"] = on_dark("0.9", ground)
    every = [axis for ax in fig.axes for name in ("xaxis", "yaxis", "zaxis") if (axis := getattr(ax, name, None)) is not None]
    skipped = {fig.patch} | {part for axis in every for part in _parts(axis)}
    from matplotlib.table import Cell

    for artist in (*fig.findobj(), *(cell.get_text() for cell in fig.findobj(Cell))):
        if artist in skipped or getattr(artist, "_on_dark", False) or artist is fig:
            continue
        artist._on_dark = True
        _one(artist, ground)


def _parts(axis: Any) -> list[Any]:
    """Ticks, their labels and their lines, which follow the settings of their axis."""
    found = [axis.label, axis.get_offset_text()]
    for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
        found += [tick.label1, tick.label2, tick.tick1line, tick.tick2line, tick.gridline]
    return found


def smaller_text(fig: Any, points: float) -> None:
    """Make letters that are larger than this smaller."""
    from matplotlib.text import Text

    for ax in fig.axes:
        for axis in (ax.xaxis, ax.yaxis):
            if not getattr(axis, "_small", False):
                axis._small = True
                axis.set_tick_params(which="both", labelsize=points - 0.5)
    for artist in fig.findobj(Text):
        if artist.get_fontsize() > points:
            artist.set_fontsize(points)
