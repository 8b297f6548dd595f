"""`rollick analyse MODEL cycles [PARAMETER]`: the periodic orbit near a state; with a parameter, the branch of them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...kernel.names import InputError
from .app import AllowUnstable, Json, Near, Out, Plot, Set, analyse_app, chosen, span, state_near

MOST_SWITCHED = 12
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
    show: Annotated[
        str | None,
        typer.Option("--show", metavar="NAME,...", help="What --plot shows: two states; along a parameter period, max_x, ..."),
    ] = None,
    set_: Set = None,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """A periodic orbit with its Floquet multipliers; along a parameter: folds, period doublings, tori, branch points, grazing."""
    from ...analysis.orbits import find_orbit
    from ..output import deliver
    from ..simulate import PICTURES, writable

    entry, system = chosen(context, set_, allow_unstable)
    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    refuse_alone(parameter, within, switch, show, plot)
    shown = names_of(show)
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
    ).of_model(entry.name)
    if parameter is None:
        told = orbit.to_dict() if json_ else None
        raise typer.Exit(deliver(orbit, told, out, plot, None, title=entry.name, shown=shown))
    assert within is not None
    along(entry, orbit, parameter, span(within, "--within"), method, (ds_max, max_points, switch), (json_, out, plot, shown))


def refuse_alone(parameter: Any, within: Any, switch: bool, show: Any, plot: Any) -> None:
    """Refuse options that mean nothing without others."""
    if (parameter is None) != (within is None):
        raise InputError("a branch of orbits needs both a PARAMETER and --within LOW,HIGH; an orbit alone needs neither.")
    if parameter is None and switch:
        raise InputError("--switch is for branches of orbits; give a PARAMETER and --within LOW,HIGH.")
    if show and plot is None:
        raise InputError(
            f"--show {show!r} says what to plot, but there is no --plot; add e.g. --plot orbit.png, or leave it out."
        )


def names_of(text: str | None) -> tuple[str, ...]:
    """NAME,NAME as names."""
    return tuple(word.strip() for word in text.split(",") if word.strip()) if text else ()


def signs(text: str | None) -> Any:
    """What --symmetry says, as `find_orbit` has it."""
    return text if text is None or text.strip() == "all" else dict.fromkeys(names_of(text), -1)


def along(entry: Any, orbit: Any, parameter: str, limits: tuple[str, str], method: str, steps: Any, output: Any) -> None:
    """The branch through an orbit, and what branches off it."""
    from ...analysis.continuation import PseudoArclength, plot_branches
    from ...analysis.orbits import continue_orbit
    from ...kernel.names import number
    from ...kernel.system import description
    from ..output import print_json, spoken_summary, unwritten, written
    from .branches import beside

    (ds_max, max_points, switch), (json_, out, plot, shown) = steps, output
    about = description(orbit.system).parameters
    unit = about[parameter].unit if parameter in about else ""
    low, high = (number(text, "--within", unit) for text in limits)
    how = PseudoArclength(ds=min(0.01, ds_max), ds_max=ds_max, max_points=max_points, tol=1e-10)
    first = continue_orbit(orbit, parameter, (low, high), method=method, steps=how, file=out)
    told: dict[str, Any] = {"": first}
    if switch and first.status != "interrupted":
        points = [p for p in first.specials if p.kind == "PD" or (p.kind == "BPC" and len(p.arrays.get("tangents", ())) > 1)]
        told |= {
            p.label: first.switch(p.label, how, bounds=(low, high), file=beside(out, p.label)) for p in points[:MOST_SWITCHED]
        }
    for branch in told.values():
        branch.of_model(entry.name)
    failed = len(unwritten)
    shown = shown or ("period", f"max_{first.problem.states[0].name}")
    plot = written(plot, lambda path: plot_branches(list(told.values()), shown, path))
    if json_:
        print_json({**first.to_dict(), "branches": [{"from": label, **b.to_dict()} for label, b in told.items() if label]})
    else:
        for label, branch in told.items():
            print((f"\nfrom {label}: " if label else "") + spoken_summary(branch.summary()))
        for path in (*(beside(out, label) for label in told), plot):
            if path is not None:
                print(f"wrote {path}")
    if any(b.status == "interrupted" for b in told.values()):
        raise typer.Exit(130)
    raise typer.Exit(0 if first.complete and len(unwritten) == failed else 1)
