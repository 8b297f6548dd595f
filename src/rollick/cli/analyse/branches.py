"""`rollick analyse MODEL continue PARAMETER`: a branch of steady motions, the branches that cross it, curves in a second parameter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ...kernel.names import InputError
from .app import AllowUnstable, Free, Hold, Json, Near, Out, Plot, Set, analyse_app, chosen, freed, held, span, state_near

MOST_SWITCHED = 12


@analyse_app.command(name="continue")
def continue_(
    context: typer.Context,
    parameter: Annotated[str, typer.Argument(help="A number of the system (R, shape.R), or a conserved state (ell, omega3).")],
    within: Annotated[str, typer.Option("--within", metavar="LOW,HIGH", help="The range of the parameter.")],
    near: Near = None,
    begin: Annotated[
        str | None, typer.Option("--begin", metavar="VALUE", help="The parameter where the branch begins (default: the model's).")
    ] = None,
    hold: Hold = None,
    free: Free = None,
    switch: Annotated[bool, typer.Option("--switch", help="Follow the branches that cross at branch points, too.")] = False,
    second: Annotated[
        str | None,
        typer.Option(
            "--second", metavar="NAME=LOW,HIGH", help="Follow folds and Hopf points in a second parameter, e.g. --second A=0.5,2."
        ),
    ] = None,
    ds_max: Annotated[float, typer.Option("--ds-max", help="The longest step, in parts of the range.")] = 0.02,
    max_points: Annotated[int, typer.Option("--max-points", help="The most points in each direction.")] = 1000,
    show: Annotated[
        str | None, typer.Option("--show", metavar="NAME,...", help="What --plot shows over the parameter (default: the states).")
    ] = None,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """A branch of steady motions along a parameter, with folds, Hopf points and branch points; --out is kept up to date on the way."""
    from ...analysis.continuation import PseudoArclength, plot_branches, trace_branch
    from ...analysis.steady import EquilibriumProblem
    from ...kernel.names import number
    from ..output import print_json, spoken_summary, unwritten, written
    from ..simulate import PICTURES, pairs, writable

    entry, system = chosen(context, set_, allow_unstable)
    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    shown = tuple(name.strip() for name in show.split(",")) if show else ()
    if shown and plot is None:
        raise InputError(
            f"--show {show!r} says what to plot, but there is no --plot; add e.g. --plot branch.png, or leave it out."
        )
    method = PseudoArclength(ds=min(0.01, ds_max), ds_max=ds_max, max_points=max_points)
    problem = EquilibriumProblem(system, parameter, state_near(entry, near), freed(free), held(hold))
    low, high = (number(text, "--within", problem.units[parameter]) for text in span(within, "--within"))
    curves_of = None
    if second is not None:
        ((name, text),) = pairs([second], "--second").items()
        curves_of = name, span(text, f"--second {name}=")
    first = trace_branch(problem, problem.start(begin), method, bounds=(low, high), file=out).of_model(entry.name)
    told = {"": first}
    if switch and first.status != "interrupted":
        told |= switched(problem, first, method, (low, high), out)
    planes = {} if curves_of is None or first.status == "interrupted" else curves(problem, first, *curves_of, method, out)
    for branch in (*told.values(), *planes.values()):
        branch.of_model(entry.name)
    failed = len(unwritten)
    plot = written(plot, lambda path: plot_branches(list(told.values()), shown, path))
    flat = (
        written(beside(plot, "plane"), lambda path: plot_plane(list(planes.values()), problem.parameter, path))
        if planes
        else None
    )
    if json_:
        others = [{"from": label, **branch.to_dict()} for label, branch in (*told.items(), *planes.items()) if label]
        print_json({**first.to_dict(), "branches": others})
    else:
        for label, branch in (*told.items(), *planes.items()):
            print((f"\nfrom {label}: " if label else "") + spoken_summary(branch.summary()))
        files = [beside(out, label) for label in (*told, *planes)] if out is not None else []
        for path in (*files, plot, flat):
            if path is not None:
                print(f"wrote {path}")
    if any(b.status == "interrupted" for b in (*told.values(), *planes.values())):
        raise typer.Exit(130)
    raise typer.Exit(0 if first.complete and len(unwritten) == failed else 1)


def beside(path: Path | None, label: str) -> Path | None:
    """The file of a further branch: branch.nc, branch.BP1.nc."""
    return path if path is None or not label else path.with_name(f"{path.stem}.{label}{path.suffix}")


def switched(problem: Any, first: Any, method: Any, bounds: Any, out: Path | None) -> dict[str, Any]:
    """The branches that cross the first one, by the label of the branch point."""
    from ...analysis.continuation import trace_branch

    points = [p for p in first.specials if p.kind == "BP" and len(p.arrays.get("tangents", ())) > 1]
    return {p.label: trace_branch(problem, p, method, bounds=bounds, file=beside(out, p.label)) for p in points[:MOST_SWITCHED]}


def curves(problem: Any, first: Any, name: str, limits: tuple[str, str], method: Any, out: Path | None) -> dict[str, Any]:
    """The curves through the folds and Hopf points of a branch, by their labels."""
    from ...analysis.steady import trace_folds, trace_hopfs

    points = [p for p in first.specials if p.kind in ("LP", "H")]
    if not points:
        raise InputError(f"there is no fold and no Hopf point on this branch, so that --second {name} has nothing to follow.")
    tracers = {"LP": trace_folds, "H": trace_hopfs}
    return {p.label: tracers[p.kind](problem, p, name, limits, method, file=beside(out, p.label)) for p in points}


def plot_plane(branches: list[Any], first: str, path: Path) -> Any:
    """The curves in the plane of both parameters."""
    from ...analysis.continuation import plot_branches

    return plot_branches(branches, (first,), path)
