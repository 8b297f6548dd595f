"""`rollick analyse MODEL steady`: the steady motion near a state, or all of them in a box."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..options import AllowUnstable, Json, Out, Plot, Set
from .app import Free, Hold, Near, advised, analyse_app, chosen, freed, held, span, state_near
from .ending import check_files, told


@analyse_app.command()
def steady(
    context: typer.Context,
    near: Near = None,
    box: Annotated[
        list[str] | None,
        typer.Option(
            "--box",
            metavar="NAME=LOW,HIGH",
            help="Look for all of them in these ranges, e.g. --box theta=5deg,175deg (repeatable).",
        ),
    ] = None,
    hold: Hold = None,
    free: Free = None,
    starts: Annotated[int, typer.Option("--starts", help="From how many states a box is searched.")] = 64,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """Steady motions (equilibria, also relative to what rides along): state, rates, eigenvalues, stability."""
    from ...analysis.steady import steady_motion, steady_motions
    from ..simulate import pairs

    entry, system = chosen(context, set_, allow_unstable)
    check_files(out, plot)
    with advised(entry, set_):
        if box:
            ranges = {name: span(text, f"--box {name}=") for name, text in pairs(box, "--box").items()}
            begin = dict(pairs(near or [], "--near")) or None
            found: Any = steady_motions(system, ranges, begin, freed(free), held(hold), starts)
        else:
            found = steady_motion(system, state_near(entry, near), freed(free), held(hold))
    raise typer.Exit(told(found, entry, out, plot, json_))
