"""A new figure with its axes, independent of any display and of matplotlib's global state.

A `Picture` is a figure that typesets the symbols in its texts (`symbols`), is recoloured for a dark ground when that was asked for (`theme`), and
shows itself in notebooks (`inline`).
"""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from .style import WIDTHS, Style, current, own_settings
from .symbols import typeset
from .theme import recoloured, smaller_text

MOST_STACKED = 6  # panels below each other


class Picture(Figure):
    """A figure of Rollick. What it draws is made ready (`ready`) before it is drawn, saved or shown."""

    def __init__(self, *args: Any, style: Style | None = None, **options: Any):
        self.style = current() if style is None else style
        super().__init__(*args, **options)

    def ready(self) -> Picture:
        """Set the symbols, and take on the theme; what was made ready before stays as it is."""
        typeset(self)
        if self.style.largest_text is not None:
            smaller_text(self, self.style.largest_text)
        if self.style.theme == "dark":
            recoloured(self, self.style.ground)
        return self

    def draw(self, renderer: Any) -> None:
        """Draw it, ready."""
        self.ready()
        with own_settings():
            super().draw(renderer)

    def savefig(self, fname: Any, **options: Any) -> None:
        """Save it, with letters as letters."""
        self.ready()
        with own_settings():
            super().savefig(fname, **options)

    def _repr_png_(self) -> bytes:
        from .inline import png

        return png(self)

    def _ipython_display_(self) -> None:
        from .inline import show

        show(self)


def sheet(width: float = 8.0, height: float = 5.0) -> Picture:
    """A new figure without axes, for pictures that place their own."""
    style = current()
    with own_settings():
        return Picture(figsize=style.inches(width, height), layout="constrained", style=style)


def figure(rows: int = 1, columns: int = 1, width: float = 8.0, height: float = 2.2, **options: Any) -> tuple[Picture, Any]:
    """A new figure with a grid of axes: `fig, axes = figure(2)`, `axes[0, 0].plot(...)`.

    width: of the figure, height: of a row, in inches; columns of journals are another width (`plot_style`). In a single column panels that would stand
    beside each other stand below each other, and have the same places in `axes`.
    """
    style = current()
    stacked = style.size == "single" and columns > 1 and rows * columns <= MOST_STACKED and "subplot_kw" not in options
    with own_settings():
        if stacked:
            each = min(max(0.62 * height, 1.5), 2.4)
            fig = Picture(
                figsize=style.inches(WIDTHS["single"] or width, each * rows * columns), layout="constrained", style=style
            )
            common = options.get("sharex") in (True, "all"), options.get("sharey") in (True, "all")
            axes = fig.subplots(rows * columns, 1, squeeze=False, sharex=common[0], sharey=common[1]).reshape(rows, columns)
            columns = 1
        else:
            fig = Picture(figsize=style.inches(width, max(3.0, height * rows)), layout="constrained", style=style)
            axes = fig.subplots(rows, columns, squeeze=False, **options)
    roomy(fig, axes, columns)
    return fig, axes


def roomy(fig: Picture, axes: Any, columns: int) -> None:
    """As many numbers along each axis as there is room for, also for those with many digits."""
    wide = fig.get_figwidth() / columns - 0.8
    for ax in axes.flat:
        if ax.name == "rectilinear" and wide < 4.0:
            ax.locator_params(axis="x", nbins=max(3, int(wide / 0.62)))
