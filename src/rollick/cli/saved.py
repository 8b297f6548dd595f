"""`rollick plot FILE.nc` and `rollick view FILE.nc`: pictures of what was saved before."""

from __future__ import annotations

from pathlib import Path

from ..view.saved import open_saved
from .simulate import PAGES, PICTURES, writable


def plot_file(file: Path, names: list[str], out: Path | None) -> None:
    """Draw a file's quantities over time."""
    target = out or file.with_suffix(".png")
    writable(target, "--out", PICTURES)
    open_saved(file).plot(*names, path=target)
    print(f"wrote {target}")


def view_file(file: Path, out: Path | None, title: str | None) -> None:
    """Write the page of a file's motion."""
    target = out or file.with_suffix(".html")
    writable(target, "--out", PAGES)
    open_saved(file).save_html(target, title or file.stem)
    print(f"wrote {target}")
