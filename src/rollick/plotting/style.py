"""How pictures look: on a light or a dark ground, as wide as a screen, a column or a page.

with plot_style(theme="dark", size="single"):
    motion.plot(path="motion.pdf")

plot_style(theme="dark").use()          # from now on
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ..kernel.names import choose
from ..kernel.palette import COLOURS

THEMES = ("light", "dark")
WIDTHS = {"screen": None, "single": 3.4, "double": 7.0}  # inches: as each picture wants it; one column of a journal; both
TEXT = {"screen": None, "single": 7.5, "double": 8.5}  # points, at most
GROUND = {"light": "#ffffff", "dark": "#16181c"}


@dataclass(frozen=True)
class Style:
    """A ground and a width."""

    theme: str = "light"
    size: str = "screen"

    @property
    def ground(self) -> str:
        """The colour of the ground."""
        return GROUND[self.theme]

    @property
    def largest_text(self) -> float | None:
        """Letters larger than this are made smaller, in points; None: they stay."""
        return TEXT[self.size]

    def inches(self, width: float, height: float) -> tuple[float, float]:
        """The size of a picture that would like to be so wide and so high: panels keep their shape, as far as letters allow."""
        wanted = WIDTHS[self.size]
        if wanted is None or wanted == width:
            return width, height
        factor = wanted / width
        return wanted, height * (factor if factor > 1.0 else max(factor, 0.62))


_usual: list[Style] = [Style()]  # what `use` chose, for all threads
_inside: ContextVar[Style | None] = ContextVar("style", default=None)  # what a `with` chose, for this thread


def current() -> Style:
    """The style in force."""
    return _inside.get() or _usual[0]


class plot_style:
    """Pictures drawn inside `with plot_style(theme="dark", size="single"):` look like that; `plot_style(...).use()` is for good.

    theme: light or dark. size: screen (each picture as wide as it likes), single or double (3.4 or 7 inches: the columns of a journal).
    What is left out stays as it is.
    """

    def __init__(self, theme: str | None = None, size: str | None = None):
        now = current()
        self.style = Style(
            now.theme if theme is None else choose(theme, THEMES, "theme"),
            now.size if size is None else choose(size, tuple(WIDTHS), "size"),
        )

    def use(self) -> None:
        """Take this style until another is chosen."""
        _usual[0] = self.style

    def __enter__(self) -> Style:
        self._before = _inside.set(self.style)
        return self.style

    def __exit__(self, *_: Any) -> None:
        _inside.reset(self._before)


_one_at_a_time = threading.RLock()  # matplotlib's settings are those of the process


@contextmanager
def own_settings() -> Iterator[None]:
    """Matplotlib with the settings of our pictures; afterwards those of the user are back, whichever threads draw."""
    from matplotlib import rc_context

    with _one_at_a_time, rc_context(settings()):
        yield


def settings() -> Any:
    """The settings of matplotlib that every picture begins with; the user's own are left alone."""
    from cycler import cycler

    return {
        "axes.prop_cycle": cycler(color=list(COLOURS)),
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": "0.9",
        "grid.linewidth": 0.6,
        "font.family": ["sans-serif"],
        "font.sans-serif": ["DejaVu Sans"],
        "mathtext.fontset": "dejavusans",
        "text.usetex": False,
        "image.cmap": "viridis",
        "legend.frameon": False,
        "legend.fontsize": 8.0,
        "svg.fonttype": "none",  # letters stay letters
        "pdf.fonttype": 42,
    }
