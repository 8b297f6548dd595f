"""A new figure with its axes, independent of any display and of matplotlib's global state: a `Picture` (`picture`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .style import WIDTHS, current, own_settings

if TYPE_CHECKING:
    from .picture import Picture

MOST_STACKED = 6  # panels below each other


def sheet(width: float = 8.0, height: float = 5.0) -> Picture:
    """A new figure without axes, for pictures that place their own."""
    from .picture import Picture  # brings matplotlib

    style = current()
    with own_settings():
        return Picture(figsize=style.inches(width, height), layout="constrained", style=style)


def figure(rows: int = 1, columns: int = 1, width: float = 8.0, height: float = 2.2, **options: Any) -> tuple[Picture, Any]:
    """A new figure with a grid of axes: `fig, axes = figure(2)`, `axes[0, 0].plot(...)`.

    width: of the figure, height: of a row, in inches; columns of journals are another width (`plot_style`). In a single column panels that would stand
    beside each other stand below each other, and have the same places in `axes`.
    """
    from .picture import Picture  # brings matplotlib

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
