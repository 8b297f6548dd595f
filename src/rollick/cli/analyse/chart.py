"""`rollick analyse MODEL chart`: outputs of a motion over a grid of parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..options import AllowUnstable, Json, Out, Plot, Set
from .app import analyse_app, chosen, is_field
from .ending import check_files, told
from .grids import Rtol, Start, Threads, Until, axis, check_drawn, end_of, start_of


@analyse_app.command()
def chart(
    context: typer.Context,
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="NAME=LOW:HIGH:COUNT",
            help="An axis: a parameter of the model or of the system, or a number of the start; or NAME=A,B,C (repeatable).",
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
    method: Annotated[str | None, typer.Option("--method", help="As for `rollick simulate` (default: the model's).")] = None,
    dt: Annotated[str | None, typer.Option("--dt", metavar="DT", help="Step of time stepping (default: the model's).")] = None,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """Outputs of a motion over a grid of parameters; Ctrl-C keeps what is in --store."""
    from ...analysis.chart import chart as draw
    from ...kernel.paths import fields_of
    from ...kernel.system import description
    from ..simulate import pairs

    entry, system = chosen(context, set_, allow_unstable)
    check_files(out, plot, store)
    check_drawn(over, plot)
    typed = pairs(over, "--over")
    made_of = {
        name: str(entry.parameters[name].unit)
        for name in typed
        if name in entry.parameters and not is_field(entry, system, name, set_)
    }
    about = description(system)
    units = {q.name: q.unit for q in about.states} | {name: q.unit for name, q in about.parameters.items()} | made_of
    fields = fields_of(system)
    axes = {
        name: axis(text, name, "--over", units.get(name.removesuffix("(0)"), "" if name in fields else None))
        for name, text in typed.items()
    }
    kept = pairs([text for text in set_ or [] if text.partition("=")[0].strip() not in made_of], "--set")
    options = {"allow_unstable": True} if allow_unstable else {}
    result = draw(
        system, start_of(entry, start), end_of(entry, until), axes, of, rtol=rtol or 1e-9, store=store, workers=threads,
        method=method_for(entry, system, method, dt), make=lambda **values: entry.make(**options, **kept, **values), made_of=made_of,
    )  # fmt: skip
    raise typer.Exit(told(result, entry, out, plot, json_))


def method_for(entry: Any, system: Any, method: str | None, dt: str | None) -> Any:
    """The method that was typed, or else the model's."""
    from ...motion.methods import method_of

    typed = {"method": method or "auto", "dt": dt}
    found = entry.suited(system, {name: value for name, value in typed.items() if value is not None})
    return method_of(found.pop("method"), found, system)
