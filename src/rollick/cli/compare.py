"""`rollick compare A.nc B.nc ...`: motions over each other, and how far they are apart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..kernel.names import InputError
from .options import Json, Out, Plot, Size, Theme
from .output import deliver


def compare(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.nc ...", help="Two or more files that Rollick wrote (--out).")],
    show: Annotated[
        str | None, typer.Option("--show", metavar="NAME,...", help="What to compare (default: what is usually plotted).")
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option("--label", metavar="TEXT", help="What to call a motion (once for each; default: the name of its file)."),
    ] = None,
    plot: Plot = None,
    out: Out = None,
    theme: Theme = None,
    size: Size = None,
    json_: Json = False,
) -> None:
    """Compare saved motions: the differences of the channels that they share, from the first motion, and a picture of both."""
    from ..plotting.compare import compare as together
    from ..plotting.style import plot_style
    from ..view.saved import open_saved
    from .simulate import PICTURES, writable

    writable(plot, "--plot", PICTURES)
    writable(out, "--out", (".nc",))
    if out is not None and any(out.exists() and file.exists() and out.samefile(file) for file in files):
        raise InputError(f"--out {out} is one of the files that are compared, and would be lost; choose another name.")
    wanted = [name.strip() for name in show.split(",") if name.strip()] if show else None
    with plot_style(theme, size):
        overlay = together(*(open_saved(file) for file in files), labels=label or labels_of(files), names=wanted)
        told = overlay.to_dict() if json_ else None
        raise typer.Exit(deliver(overlay, told, out, plot, None, title="comparison"))


def labels_of(files: list[Path]) -> list[str]:
    """The names of files, with their folders where that is needed to tell them apart."""
    stems = [file.stem for file in files]
    if len(set(stems)) == len(stems):
        return stems
    paths = [str(file.with_suffix("")) for file in files]
    return paths if len(set(paths)) == len(paths) else [f"{k + 1}: {stem}" for k, stem in enumerate(stems)]
