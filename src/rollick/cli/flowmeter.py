"""`rollick flowmeter`: characteristic, chart, limits and calibration of a rotating-ball flowmeter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .output import print_json, written

flowmeter_app = typer.Typer(
    help="The rotating-ball flowmeter: characteristic, chart of states, limits, calibration.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Change a parameter of the model, e.g. --set mu=0.2 --set ball_diameter=12mm (repeatable).",
    ),
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw it (png, pdf or svg).")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
Points = Annotated[int, typer.Option("--points", help="Points along an axis.")]


def meter_of(set_: list[str] | None) -> tuple[Any, dict[str, Any]]:
    """The meter of the model's parameters, and all their values."""
    from ..archetypes.flowmeter.model import MODEL
    from ..archetypes.models import read_parameters
    from .simulate import pairs

    given = pairs(set_ or [], "--set")
    return MODEL.make(**given), read_parameters(MODEL.parameters, given, "the flowmeter")


def delivered(told: dict[str, Any], lines: list[str], plot: Path | None, draw: Any, json_: bool) -> None:
    """Draw if asked, then JSON or words."""
    from ..plotting import save

    plot = written(plot, lambda path: save(draw(), path))
    if json_:
        print_json(told)
        return
    print("\n".join([*lines, *([f"wrote {plot}"] if plot is not None else [])]))


def checked(plot: Path | None, points: int | None = None, least: int = 2, most: int = 2000) -> None:
    """Refuse a picture that cannot be written and numbers of points without sense."""
    from ..kernel.names import InputError
    from .simulate import PICTURES, writable

    writable(plot, "--plot", PICTURES)
    if points is not None and not least <= points <= most:
        raise InputError(f"--points {points} must lie between {least} and {most}.")


def span(text: str, option: str, unit: str) -> tuple[float, float]:
    """FROM:TO with units."""
    from ..kernel.names import InputError, number

    parts = text.split(":")
    if len(parts) != 2:
        raise InputError(f"{option} {text!r}: give a range FROM:TO, e.g. 0.05:1.5.")
    low, high = (number(part, option, unit) for part in parts)
    if not 0.0 < low < high:
        raise InputError(f"{option} {text!r}: the range must begin above zero and grow.")
    return low, high


def state_told(state: Any) -> dict[str, Any]:
    """A stationary state for JSON."""
    return {
        "mode": state.mode,
        "stability": state.stability,
        "state": dict(zip(("u1p", "u1m", "u2", "v"), state.x.tolist())),
        "eigenvalues": [[float(e.real), float(e.imag)] for e in state.eigenvalues],
        "normal_forces_per_mass": list(state.normals),
    }


def in_words(states: list[Any]) -> str:
    """The states at a swirl in a line."""
    return "; ".join(f"{s.mode} {s.stability}, v = {s.v:.5g}" for s in states) or "none"


@flowmeter_app.command()
def characteristic(
    set_: Set = None,
    swirl: Annotated[
        str | None, typer.Option("--swirl", metavar="FROM:TO", help="Range of v_f in m/s (default: beyond all changes).")
    ] = None,
    points: Points = 60,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """The ball's speed against the swirl: all stationary states, and what is seen as the swirl grows and falls."""
    import numpy as np

    from ..archetypes.flowmeter.bifurcations import hysteresis
    from ..archetypes.flowmeter.characteristic import characteristic as made_of
    from ..archetypes.flowmeter.pictures import characteristic_picture, diagram_range

    checked(plot, points)
    meter, parameters = meter_of(set_)
    high = diagram_range(meter)
    low, high = (high / points, high) if swirl is None else span(swirl, "--swirl", "m/s")
    made = made_of(meter, np.linspace(low, high, points).tolist())
    twofold = hysteresis(meter)
    told = {
        "model": "flowmeter", "parameters": parameters, "v_f": made.v_f.tolist(), "v_up": made.speeds("up").tolist(), "v_down": made.speeds("down").tolist(),
        "hysteresis": None if twofold is None else list(twofold), "states": [[state_told(s) for s in here] for here in made.states],
    }  # fmt: skip
    lines = ["v_f [m/s]  stationary states"]
    lines += [f"{v:9.5g}  {in_words(here)}" for v, here in zip(made.v_f, made.states)]
    if twofold is not None:
        lines.append(f"two stable states from v_f = {twofold[0]:.6g} to {twofold[1]:.6g} m/s: the reading depends on the history")
    delivered(told, lines, plot, lambda: characteristic_picture(meter, made), json_)


@flowmeter_app.command()
def chart(
    set_: Set = None,
    mu: Annotated[str, typer.Option("--mu", metavar="FROM:TO", help="Range of friction.")] = "0.005:0.6",
    points: Points = 120,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """Where which stationary states are in the plane of swirl and friction: the curves of the bifurcations."""
    import numpy as np

    from ..archetypes.flowmeter.pictures import chart_curves, chart_picture
    from ..archetypes.flowmeter.thresholds import friction_of_fold
    from ..kernel.names import InputError

    checked(plot, points)
    low, high = span(mu, "--mu", "")
    if high >= 1.0:
        raise InputError(
            f"--mu {mu!r}: the theory is for friction below 1; beyond, the ball may wedge itself between floor and wall."
        )
    meter, parameters = meter_of(set_)
    friction = np.linspace(low, high, points)
    curves = chart_curves(meter, friction)
    told = {
        "model": "flowmeter", "parameters": parameters, "j": meter.j, "mu_fold": friction_of_fold(meter),
        "curves": {name: {"v_f": x.tolist(), "mu": y.tolist()} for name, (x, y) in curves.items()},
    }  # fmt: skip
    lines = [f"mu = j at {meter.j:.6g}; mu_fold = {friction_of_fold(meter):.6g} by the slope of the drag at rest"]
    for name, (x, y) in curves.items():
        lines.append(f"{name:<5} v_f from {x.min():.6g} to {x.max():.6g} m/s, mu from {y.min():.4g} to {y.max():.4g}")
    delivered(told, lines, plot, lambda: chart_picture(meter, friction), json_)


@flowmeter_app.command()
def limits(
    set_: Set = None,
    range_: Annotated[
        str | None,
        typer.Option("--range", metavar="SPEED", help="A swirl up to which it should meter: which friction is needed?"),
    ] = None,
    pulsation: Annotated[
        str | None, typer.Option("--pulsation", metavar="FREQUENCY", help="How much may the swirl pulsate with this frequency?")
    ] = None,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """The design report: over which range it meters linearly, and what limits it."""
    from ..archetypes.flowmeter.design import design_report
    from ..archetypes.flowmeter.engineering import above_zero
    from ..archetypes.flowmeter.pictures import bifurcation_diagram

    checked(plot)
    meter, parameters = meter_of(set_)
    report = design_report(
        meter,
        frequency=None if pulsation is None else above_zero(pulsation, "--pulsation", "Hz"),
        wanted=None if range_ is None else above_zero(range_, "--range", "m/s"),
        nu=parameters["nu"],
        density_ratio=parameters["fluid_density"] / parameters["ball_density"],
        swirl_per_flow=parameters["swirl_per_flow"] or None,
    )
    told = {"model": "flowmeter", "parameters": parameters, **report.to_dict()}
    delivered(told, report.summary().split("\n"), plot, lambda: bifurcation_diagram(meter), json_)


@flowmeter_app.command()
def calibrate(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="Measured pairs: two columns, flow and speed.")],
    through_zero: Annotated[bool, typer.Option("--through-zero", help="A line through zero: no offset.")] = False,
    probability: Annotated[float, typer.Option("--probability", help="Of the bands.")] = 0.95,
    reading: Annotated[
        list[float] | None, typer.Option("--reading", help="A speed that was read: which flow does it mean? (repeatable)")
    ] = None,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """A calibration curve with its uncertainty, from measured pairs (flow, speed)."""
    from ..archetypes.flowmeter.calibration import calibrate as fitted
    from ..archetypes.flowmeter.calibration import read_pairs
    from ..archetypes.flowmeter.pictures import calibration_picture

    checked(plot)
    made = fitted(read_pairs(file), through_zero, probability)
    readings = [(value, *made.flow(value)) for value in reading or []]
    told = {**made.to_dict(), "readings": [dict(zip(("speed", "flow", "low", "high"), row)) for row in readings]}
    lines = made.summary().split("\n")
    unit = f" {made.pairs.units[0]}" if made.pairs.units[0] else ""
    lines += [
        f"reading {value:g}: flow {flow:.6g}{unit}, between {low:.6g} and {high:.6g} ({probability:.0%})"
        for value, flow, low, high in readings
    ]
    delivered(told, lines, plot, lambda: calibration_picture(made), json_)
