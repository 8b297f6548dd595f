"""Write a picture to a file, whole or not at all; the ending of its name decides the format."""

from __future__ import annotations

import io
from typing import Any

from ..kernel.names import InputError
from ..motion.result.whole_file import checked_target, write_whole

ENDINGS = (".pdf", ".png", ".svg")


def save(fig: Any, path: Any, dpi: int = 150) -> None:
    """Write a figure to a file: .png, .pdf or .svg."""
    target = checked_target(path)
    if target.suffix.lower() not in ENDINGS:
        raise InputError(
            f"cannot write the picture {target}: its name must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}; that decides the format."
        )
    content = io.BytesIO()
    kind = target.suffix.lower()[1:]
    dated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind, {})  # the same picture is the same file
    fig.savefig(content, dpi=dpi, format=kind, metadata=dated)
    write_whole(target, content.getvalue())


def finished(fig: Any, path: Any = None) -> Any:
    """The figure, saved if a path is given; else it is shown if this is a notebook. The last line of everything that plots."""
    if path is not None:
        save(fig, path)
    elif hasattr(fig, "ready"):
        from .inline import waiting

        waiting(fig.ready())
    return fig
