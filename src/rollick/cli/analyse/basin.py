"""`rollick analyse MODEL basin`: from which starts a model comes to which attractor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import AllowUnstable, Json, Out, Plot, Set
from .app import analyse_app, chosen
from .ending import check_files, told
from .grids import Start, Threads, axis, check_drawn, start_of


@analyse_app.command()
def basin(
    context: typer.Context,
    over: Annotated[
        list[str],
        typer.Option(
            "--over", metavar="STATE=LOW:HIGH:COUNT", help="An axis of the grid of starts, or STATE=A,B,C (repeatable)."
        ),
    ],
    settle: Annotated[str, typer.Option("--settle", metavar="TIME", help="How long each motion is given to settle.")],
    watch: Annotated[
        str | None, typer.Option("--watch", metavar="TIME", help="How long it is watched then (default: a quarter of that).")
    ] = None,
    angle: Annotated[
        list[str] | None, typer.Option("--angle", metavar="STATE", help="A state that counts modulo a full turn (repeatable).")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="STATE", help="A state that rides along (repeatable).")
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", help="What counts as the same attractor, part of the extent of all motions.")
    ] = 1e-3,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE.nc", help="Keep what is computed here; the same command goes on with it."),
    ] = None,
    threads: Threads = None,
    start: Start = None,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """Basins of attraction over a grid of starts; Ctrl-C keeps what is in --store."""
    from ...analysis.basins import basins
    from ...kernel.system import description
    from ..simulate import pairs

    entry, system = chosen(context, set_, allow_unstable)
    check_files(out, plot, store)
    check_drawn(over, plot)
    units = {q.name: q.unit for q in description(system).states}
    axes = {}
    for name, text in pairs(over, "--over").items():
        axes[name] = axis(text, name, "--over", units.get(name))
    found = basins(
        system, axes, start_of(entry, start), settle=settle, watch=watch, angles=angle or [], ignore=ignore or [],
        tolerance=tolerance, store=store, workers=threads,
    )  # fmt: skip
    raise typer.Exit(told(found, entry, out, plot, json_))
