"""Options that several commands have, each declared in this one place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter of the model, e.g. --set R=0.3 (repeatable)."),
]
AllowUnstable = Annotated[bool, typer.Option("--allow-unstable", help="Accept bodies that tip over at rest.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE.nc", help="Write the numbers to a netCDF file.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw a picture: png, pdf or svg.")]
Theme = Annotated[str | None, typer.Option("--theme", metavar="light|dark", help="The ground of the picture.")]
Size = Annotated[
    str | None,
    typer.Option(
        "--size", metavar="screen|single|double", help="The width of the picture: of a screen, or the columns of a journal."
    ),
]
