"""`rollick plot FILE.nc` and `rollick view FILE.nc`: pictures of what was saved before."""

from __future__ import annotations

from pathlib import Path

from ..kernel.names import InputError
from ..motion.result.motion import Motion
from ..plotting.style import plot_style
from ..view.saved import open_saved
from .simulate import PAGES, PICTURES, writable


def plot_file(
    file: Path, names: list[str], out: Path | None, kind: str | None = None, theme: str | None = None, size: str | None = None
) -> None:
    """Draw a file's quantities over time, or another picture of a motion."""
    target = out or file.with_suffix(".png")
    writable(target, "--out", PICTURES)
    with plot_style(theme, size):
        saved = open_saved(file)
        if kind is not None and not isinstance(saved, Motion):
            raise InputError(f"--kind {kind}: {file} holds no motion, and has one kind of picture only; leave it out.")
        saved.plot(*names, path=target, **({} if kind is None else {"kind": kind}))
    print(f"wrote {target}")


def view_file(file: Path, out: Path | None, title: str | None) -> None:
    """Write the page of a file's motion."""
    target = out or file.with_suffix(".html")
    writable(target, "--out", PAGES)
    open_saved(file).save_html(target, title or file.stem)
    print(f"wrote {target}")
