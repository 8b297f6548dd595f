"""`rollick plot FILE.nc` and `rollick view FILE.nc ...`: pictures of what was saved before."""

from __future__ import annotations

from pathlib import Path

from ..kernel.names import InputError
from ..motion.result.motion import Motion
from ..plotting.style import plot_style
from ..view.page import side_by_side
from ..view.saved import open_saved
from ..view.video import save_still, save_video
from .simulate import PAGES, PICTURES, check_films, writable


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


def view_files(files: list[Path], out: Path | None, video: Path | None, still: Path | None, title: str | None) -> None:
    """Write the page of the motions of some files, a film, a picture."""
    if title is not None and len(files) > 1:
        raise InputError(f"--title {title!r} is for one motion; side by side each has the name of its file.")
    target = out or (files[0].with_suffix(".html") if video is None and still is None else None)
    writable(target, "--out", PAGES)
    check_films(video, still)
    motions = [open_saved(file) for file in files]
    names = [title] if title else [file.stem for file in files]
    if target is not None:
        if len(motions) == 1:
            motions[0].save_html(target, names[0])
        else:
            side_by_side(motions, target, names)
    shown = motions[0] if len(motions) == 1 else motions
    if video is not None:
        save_video(shown, video, title=names[0])
    if still is not None:
        save_still(shown, still, title=names[0])
    for path in filter(None, (target, video, still)):
        print(f"wrote {path}")
