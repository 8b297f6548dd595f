"""Pictures: one style, one kind of figure, one way to save it; symbols, smooth curves, overlays.

from rollick.plotting import figure, save, plot_style

with plot_style(theme="dark", size="single"):
    motion.plot(path="motion.pdf")
"""

from typing import TYPE_CHECKING, Any

from .figure import figure, sheet
from .save import ENDINGS, finished, save
from .style import plot_style
from .symbols import in_degrees, label, symbol

if TYPE_CHECKING:
    from .picture import Picture as Picture

__all__ = ["ENDINGS", "Picture", "figure", "finished", "in_degrees", "label", "plot_style", "save", "sheet", "symbol"]


if not TYPE_CHECKING:  # seen by a type checker, it would answer for every name with Any

    def __getattr__(name: str) -> Any:
        if name == "Picture":  # brings matplotlib, which takes a second: pages have labels and no pictures
            from .picture import Picture

            return Picture
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
