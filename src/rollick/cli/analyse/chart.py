"""`rollick analyse MODEL chart`: outputs of a motion over a grid of parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import AllowUnstable, Json, Out, Plot, Set
from .app import analyse_app, chosen
from .ending import check_files, told
from .grids import Rtol, Start, Threads, Until, axis, start_of


@analyse_app.command()
def chart(
    context: typer.Context,
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="NAME=LOW:HIGH:COUNT",
            help="An axis: a parameter of the system, or a number of the start; or NAME=A,B,C (repeatable).",
        ),
    ],
    of: Annotated[
        list[str], typer.Option("--of", metavar="OUTPUT", help="What of the motion, e.g. 'time of omega3 rising' (repeatable).")
    ],
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE.nc", help="Keep what is computed here; the same command goes on with it."),
    ] = None,
    threads: Threads = None,
    start: Start = None,
    until: Until = None,
    rtol: Rtol = None,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """Outputs of a motion over a grid of parameters; Ctrl-C keeps what is in --store."""
    from ...analysis.chart import chart as draw
    from ...kernel.system import description
    from ..simulate import pairs

    entry, system = chosen(context, set_, allow_unstable)
    check_files(out, plot, store)
    about = description(system)
    units = {q.name: q.unit for q in about.states} | {name: q.unit for name, q in about.parameters.items()}
    axes = {
        name: axis(text, name, "--over", units.get(name.removesuffix("(0)"), "")) for name, text in pairs(over, "--over").items()
    }
    end = entry.until if until is None else until
    result = draw(system, start_of(entry, start), end, axes, of, rtol=rtol or 1e-9, store=store, workers=threads)
    raise typer.Exit(told(result, entry, out, plot, json_))
