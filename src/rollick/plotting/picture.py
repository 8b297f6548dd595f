"""A figure of Rollick: it typesets the symbols in its texts (`symbols`), is recoloured for a dark ground when that was asked for (`theme`), and shows itself
in notebooks (`inline`). This is what needs matplotlib from the beginning; everything else of this room loads it when it draws.
"""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from .style import Style, current, own_settings
from .symbols import typeset
from .theme import recoloured, smaller_text


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
