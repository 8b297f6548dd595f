"""`rollick analyse MODEL continue PARAMETER`: a branch of steady motions, the branches that cross it, curves in a second parameter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ...kernel.names import InputError
from ..options import AllowUnstable, Json, Out, Plot, Set
from .app import (
    Free,
    Hold,
    Near,
    Resume,
    Show,
    WallLimit,
    advised,
    analyse_app,
    chosen,
    freed,
    held,
    refuse_partial,
    span,
    state_near,
)
from .ending import beside, check_files, check_resume, names_of, told_branches

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
    go_on: Resume = False,
    wall_limit: WallLimit = None,
    show: Show = None,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """A branch of steady motions along a parameter, with folds, Hopf points and branch points; --out is kept up to date on the way."""
    from ...analysis.continuation import PseudoArclength, resume, trace_branch
    from ...analysis.steady import EquilibriumProblem
    from ...kernel.names import number
    from ..simulate import pairs

    entry, system = chosen(context, set_, allow_unstable)
    check_files(out, plot, shown=show)
    check_resume(go_on, out)
    refuse_partial(entry, system, [parameter], set_)
    method = PseudoArclength(ds=min(0.01, ds_max), ds_max=ds_max, max_points=max_points)
    with advised(entry, set_):
        problem = EquilibriumProblem(system, parameter, state_near(entry, near), freed(free), held(hold))
    problem.model = entry.name
    low, high = (number(text, "--within", problem.units[parameter]) for text in span(within, "--within"))
    curves_of = None
    if second is not None:
        ((name, text),) = pairs([second], "--second").items()
        curves_of = name, span(text, f"--second {name}=")
    if go_on:
        first = resume(out, problem, max_points=max_points, wall_limit=wall_limit)
    else:
        first = trace_branch(problem, problem.start(begin), method, bounds=(low, high), file=out, wall_limit=wall_limit)
    told = {"": first}
    if switch and first.status != "interrupted":
        told |= switched(problem, first, method, (low, high), out)
    planes = {} if curves_of is None or first.status == "interrupted" else curves(problem, first, *curves_of, method, out)
    raise typer.Exit(told_branches(told, planes, names_of(show), out, plot, json_))


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
