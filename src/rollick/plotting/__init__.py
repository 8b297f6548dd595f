"""Pictures: one style, one kind of figure, one way to save it; symbols, smooth curves, overlays.

from rollick.plotting import figure, save, plot_style

with plot_style(theme="dark", size="single"):
    motion.plot(path="motion.pdf")
"""

from .figure import Picture, figure, sheet
from .save import ENDINGS, finished, save
from .style import plot_style
from .symbols import in_degrees, label, symbol

__all__ = ["ENDINGS", "Picture", "figure", "finished", "in_degrees", "label", "plot_style", "save", "sheet", "symbol"]
