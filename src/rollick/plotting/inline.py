"""Pictures in notebooks: each is shown once, without `%matplotlib inline`, also where a semicolon hides the value of the cell.

A picture that is the value of a cell is asked to show itself. One that is not (because of a semicolon, an assignment, or further lines)
waits until the cell has run, and is shown then. Outside notebooks nothing happens.
"""

from __future__ import annotations

import io
import sys
from typing import Any

DPI = 110
_waiting: list[Any] = []
_hooked: set[int] = set()


def notebook() -> Any:
    """The shell of the notebook that this runs in; None elsewhere (IPython in a terminal cannot show pictures)."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell if shell is not None and getattr(shell, "kernel", None) is not None else None


def png(fig: Any) -> bytes:
    """A picture as the bytes of a PNG."""
    content = io.BytesIO()
    fig.savefig(content, format="png", dpi=DPI)
    return content.getvalue()


def waiting(fig: Any) -> None:
    """In a notebook: show a picture when the cell has run, unless it was shown by then."""
    shell = notebook()
    if shell is None:
        return
    if id(shell) not in _hooked:
        shell.events.register("post_execute", show_waiting)
        _hooked.add(id(shell))
    _waiting.append(fig)


def show(fig: Any) -> None:
    """Show a picture, which then waits no longer."""
    from IPython.display import Image, display

    _waiting[:] = [other for other in _waiting if other is not fig]
    display(Image(png(fig)))


def show_waiting() -> None:
    """Show what still waits."""
    for fig in list(_waiting):
        show(fig)
