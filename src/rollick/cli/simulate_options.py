"""The options of `rollick simulate`: their types, names and help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .known_models import complete_model

ModelName = Annotated[str | None, typer.Argument(help="Name of a model; see `rollick models`.", autocompletion=complete_model)]
BodyFile = Annotated[
    Path | None,
    typer.Option("--body", metavar="FILE.toml", help="Simulate a body of your own, from a file, in place of a model."),
]
SetNames = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Change a parameter, e.g. --set sigma=1e-4, or a field of the body file, shape.a=25cm (repeatable).",
    ),
]
StartNames = Annotated[
    list[str] | None,
    typer.Option(
        "--start",
        metavar="NAME=VALUE",
        help="A state at the start, e.g. --start alpha=5deg (repeatable; the others are zero; default: the model's own start).",
    ),
]
Until = Annotated[str | None, typer.Option("--until", metavar="T", help="Final time in seconds (default: the model's).")]
RelativeTolerance = Annotated[float | None, typer.Option(help="Relative tolerance (default 1e-9).")]
AbsoluteTolerance = Annotated[float | None, typer.Option(help="Absolute tolerance (default: rtol/1000).")]
MethodName = Annotated[
    str | None,
    typer.Option(help="auto (default), dop853 or radau; bodies with friction also moreau, midpoint, thesis, event-driven."),
]
Step = Annotated[str | None, typer.Option("--dt", metavar="DT", help="Step of time stepping, e.g. 1e-5 (default 1e-4).")]
Every = Annotated[int | None, typer.Option("--every", help="Output after so many steps of time stepping.")]
Paradox = Annotated[
    str | None,
    typer.Option("--painleve", help="What event-driven does in Painleve's paradox: stop (default), impact, slip or lift."),
]
Ambiguous = Annotated[
    str | None,
    typer.Option(
        "--ambiguous",
        help="What event-driven does where the future is not unique: stop (default), roll (prefer rolling) or slip.",
    ),
]
Choices = Annotated[
    str | None,
    typer.Option(
        "--choices",
        metavar="I,J,...",
        help="Which future to take at the first state whose future is not unique, the second, ..., e.g. 1,0.",
    ),
]
OutputTimes = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="T1,T2,...",
        help="Output times, or FROM:TO:STEP (default: every step); the motion lasts until the last of them.",
    ),
]
EventNames = Annotated[
    list[str] | None,
    typer.Option(
        "--event",
        metavar="NAME",
        help="Find the zeros of a state, signal or integral: NAME, NAME:rising, NAME:falling:stop (repeatable; default: the model's).",
    ),
]
NetcdfFile = Annotated[Path | None, typer.Option("--out", metavar="FILE.nc", help="Write the motion to a netCDF file.")]
PictureFile = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Write a plot (png, pdf or svg).")]
PageFile = Annotated[
    Path | None, typer.Option("--view", metavar="FILE.html", help="Write a page that shows the body moving, for any browser.")
]
FilmFile = Annotated[
    Path | None,
    typer.Option(
        "--video",
        metavar="FILE.mp4",
        help="Write a film of the moving body (mp4, webm or gif; needs rollick[video] and a browser).",
    ),
]
StillFile = Annotated[
    Path | None,
    typer.Option(
        "--still", metavar="FILE.png", help="Write one picture of the body at nine instants (needs rollick[video] and a browser)."
    ),
]
ShownNames = Annotated[str | None, typer.Option("--show", metavar="A,B,...", help="What to plot (default: the model's choice).")]
MaxSteps = Annotated[int | None, typer.Option("--max-steps", help="Give up after so many steps (default 10 000 000).")]
WallLimit = Annotated[
    float | None,
    typer.Option(
        "--wall-limit", metavar="SECONDS", help="Give up after so many seconds; compilation counts, but is not broken off."
    ),
]
Verify = Annotated[bool, typer.Option("--verify", help="Repeat more carefully and say how many digits to believe.")]
Partial = Annotated[bool, typer.Option("--partial", help="Write files even if the motion broke off.")]
