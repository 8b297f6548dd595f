"""`rollick analyse MODEL cycles [PARAMETER]`: the periodic orbit near a state; with a parameter, the branch of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from ...kernel.names import InputError
from ..options import AllowUnstable, Json, Out, Plot, Set
from .app import Near, Resume, Show, WallLimit, advised, analyse_app, chosen, refuse_partial, span, state_near
from .ending import beside, check_files, check_resume, names_of, told, told_branches

MOST_SWITCHED = 12
SEARCH = 300.0  # s that an orbit is looked for, unless --wall-limit says otherwise
PeriodGuess = Annotated[
    str | None,
    typer.Option(
        "--period",
        metavar="TIME|NAME",
        help="A guess of the period; of a driven system the drive's, or the name of its frequency.",
    ),
]


@analyse_app.command()
def cycles(
    context: typer.Context,
    parameter: Annotated[
        str | None, typer.Argument(help="Follow the orbit along this number of the system (with --within).")
    ] = None,
    near: Near = None,
    period: PeriodGuess = None,
    rounds: Annotated[int, typer.Option("--cycles", help="How many periods of the drive the orbit takes.")] = 1,
    transient: Annotated[
        str, typer.Option("--transient", metavar="TIME", help="Follow the motion so long first: for orbits that attract.")
    ] = "0",
    method: Annotated[
        str, typer.Option("--method", help="shooting, multiple_shooting, collocation or harmonic_balance.")
    ] = "shooting",
    symmetry: Annotated[
        str | None, typer.Option("--symmetry", metavar="all|NAME,...", help="States that change sign after half a period.")
    ] = None,
    free: Annotated[
        str | None, typer.Option("--free", metavar="NAME,...", help="States that may advance by anything in a period.")
    ] = None,
    hold: Annotated[
        list[str] | None,
        typer.Option("--hold", metavar="NAME", help="A state whose start is kept: which orbit of a family (repeatable)."),
    ] = None,
    within: Annotated[str | None, typer.Option("--within", metavar="LOW,HIGH", help="The range of the parameter.")] = None,
    switch: Annotated[
        bool, typer.Option("--switch", help="Follow what begins at period doublings and branch points, too.")
    ] = False,
    ds_max: Annotated[float, typer.Option("--ds-max", help="The longest step, in parts of the range.")] = 0.05,
    max_points: Annotated[int, typer.Option("--max-points", help="The most points in each direction.")] = 400,
    go_on: Resume = False,
    wall_limit: WallLimit = None,
    show: Show = None,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """A periodic orbit with its Floquet multipliers; along a parameter: folds, period doublings, tori, branch points, grazing."""
    from ...analysis.orbits import find_orbit

    entry, system = chosen(context, set_, allow_unstable)
    check_files(out, plot, shown=show)
    check_branch(parameter, within, {"--switch": switch, "--resume": go_on})
    check_resume(go_on, out)
    refuse_partial(entry, system, [parameter] if parameter else [], set_)
    with advised(entry, set_), free_named(system, state_near(entry, near), free):
        orbit = find_orbit(
            system,
            state_near(entry, near),
            period,
            method=method,
            cycles=rounds,
            transient=transient,
            symmetry=signs(symmetry),
            free=names_of(free),
            hold=[name.strip() for name in hold or []],
            wall_limit=SEARCH if wall_limit is None else wall_limit,
        ).of_model(entry.name)
    if parameter is None or within is None:
        raise typer.Exit(told(orbit, entry, out, plot, json_, names_of(show)))
    steps = (ds_max, max_points, switch, go_on, wall_limit)
    found = along(entry, orbit, parameter, span(within, "--within"), method, steps, out)
    shown = names_of(show) or ("period", f"max_{found[''].problem.states[0].name}")
    raise typer.Exit(told_branches(found, {}, shown, out, plot, json_))


@contextlib.contextmanager
def free_named(system: Any, start: Any, free: str | None) -> Iterator[None]:
    """If no orbit is found, and some states enter no rate of the others, and none was said to be free: say so."""
    try:
        yield
    except InputError as error:
        told = str(error)
        names = (
            [] if free is not None or not told.startswith(("no periodic orbit", "the motion of")) else free_names(system, start)
        )
        if names:
            told += (
                f" {', '.join(names)} of it enter no rate of the others, and may advance in a period: --free {','.join(names)}."
            )
        raise InputError(told) from None


def free_names(system: Any, start: Any) -> list[str]:
    """The states that no other rate depends on."""
    from ...analysis.steady.field import Field
    from ...analysis.steady.symmetry import dependence, free_states
    from ...motion.start import state_vector

    try:
        field = Field(system, ())
        return [field.names[i] for i in free_states(dependence(field, state_vector(field.system, start)))]
    except InputError:
        return []  # rates that jump


def check_branch(parameter: str | None, within: str | None, options: dict[str, bool]) -> None:
    """A branch needs a parameter and its range; an orbit alone has neither, nor what is about branches."""
    if (parameter is None) != (within is None):
        raise InputError("a branch of orbits needs both a PARAMETER and --within LOW,HIGH; an orbit alone needs neither.")
    idle = [name for name, given in options.items() if given]
    if parameter is None and idle:
        raise InputError(f"{idle[0]} is for branches of orbits; give a PARAMETER and --within LOW,HIGH.")


def signs(text: str | None) -> Any:
    """What --symmetry says, as `find_orbit` has it."""
    return text if text is None or text.strip() == "all" else dict.fromkeys(names_of(text), -1)


def along(entry: Any, orbit: Any, parameter: str, limits: tuple[str, str], method: str, steps: Any, out: Any) -> dict[str, Any]:
    """The branch through an orbit, and what branches off it, by labels."""
    from ...analysis.continuation import PseudoArclength
    from ...analysis.orbits import continue_orbit
    from ...analysis.orbits.follow import orbit_problem, resume_orbits
    from ...kernel.names import number
    from ...kernel.system import description

    ds_max, max_points, switch, go_on, limit = steps
    about = description(orbit.system).parameters
    unit = about[parameter].unit if parameter in about else ""
    low, high = (number(text, "--within", unit) for text in limits)
    how = PseudoArclength(ds=min(0.01, ds_max), ds_max=ds_max, max_points=max_points, tol=1e-10)
    if go_on:
        first = resume_orbits(out, orbit_problem(orbit, parameter, method), max_points=max_points, wall_limit=limit)
    else:
        first = continue_orbit(orbit, parameter, (low, high), method=method, steps=how, file=out, wall_limit=limit)
    found: dict[str, Any] = {"": first}
    if switch and first.status != "interrupted":
        points = [p for p in first.specials if p.kind == "PD" or (p.kind == "BPC" and len(p.arrays.get("tangents", ())) > 1)]
        options = {"bounds": (low, high), "wall_limit": limit}
        found |= {p.label: first.switch(p.label, how, file=beside(out, p.label), **options) for p in points[:MOST_SWITCHED]}
    return {label: branch.of_model(entry.name) for label, branch in found.items()}
