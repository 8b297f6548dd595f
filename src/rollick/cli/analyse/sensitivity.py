"""`rollick analyse MODEL sensitivity`: derivatives of what a motion does with respect to parameters and start."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import AllowUnstable, Json, Out, Plot, Set
from .app import advised, analyse_app, chosen, refuse_partial
from .ending import check_files, told
from .grids import Rtol, Start, Until, end_of, start_of


@analyse_app.command()
def sensitivity(
    context: typer.Context,
    of: Annotated[
        list[str],
        typer.Option(
            "--of",
            metavar="OUTPUT",
            help="What of the motion, e.g. 'alpha at 2', 'time of omega3 rising', 'alpha when omega3', 'max alpha', 'integral of alpha' (repeatable).",
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="NAME", help="A parameter of the system: h, law.mu; 'all' for all (repeatable)."),
    ] = None,
    by_start: Annotated[
        list[str] | None, typer.Option("--by-start", metavar="NAME", help="A number of the start (repeatable).")
    ] = None,
    start: Start = None,
    until: Until = None,
    rtol: Rtol = None,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """How outputs of a motion (a state at a time, the time of an event, an extremum, an integral) depend on parameters and start."""
    from ...analysis.sensitivity import sensitivity as ask
    from ...kernel.paths import fields_of

    entry, system = chosen(context, set_, allow_unstable)
    check_files(out, plot)
    names = fields_of(system) if by == ["all"] else by or []
    refuse_partial(entry, system, names, set_)
    end = end_of(entry, until)
    with advised(entry, set_):
        result = ask(system, start_of(entry, start), end, of, names, by_start or [], rtol=rtol)
    raise typer.Exit(told(result, entry, out, plot, json_))
