"""`rollick filippov MODEL`: what happens where a field of friction jumps, and what can follow a state."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .options import Json, Set
from .output import print_json, written

NAMES = ("pool_ball", "spring_disk", "filippov_toy", "ball_in_corner")
POINTS = 15  # of a map, along each axis


def filippov(
    model: Annotated[str, typer.Argument(help=f"A small model: {', '.join(NAMES)}.")],
    set_: Set = None,
    state: Annotated[
        list[str] | None,
        typer.Option(
            "--state", metavar="NAME=VALUE", help="Ask about this state, the others zero (repeatable). Without it: regions."
        ),
    ] = None,
    points: Annotated[int, typer.Option("--points", help="Points of the map along each axis.")] = POINTS,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE.png", help="A map of the regions, or a portrait of the state (png, pdf or svg)."),
    ] = None,
    json_: Json = False,
) -> None:
    """Regions of sliding and crossing; of a state: limit directions, sliding vector, what can follow."""
    from ..archetypes.models import model as find
    from ..kernel.names import InputError, choose
    from .simulate import PICTURES, pairs, writable

    entry = find(choose(model, NAMES, "model of rollick filippov"))
    writable(plot, "--plot", PICTURES)
    if not 3 <= points <= 200:
        raise InputError(f"--points {points} must lie between 3 and 200.")
    system = entry.make(**pairs(set_ or [], "--set"))
    ask = of_state if state else of_regions
    told, lines, draw = ask(system, pairs(state or [], "--state"), points)
    if plot is not None:
        from ..plotting import save

        if draw is None:
            raise InputError(
                f"--plot: there is no portrait of a state of {model}; leave out --state for a map, or leave out --plot."
            )
        plot = written(plot, lambda path: save(draw(), path))
    if json_:
        print_json({"model": entry.name, "parameters": system._asdict(), **told})
        return
    print("\n".join([f"{entry.name}: {entry.title}", *lines, *([f"wrote {plot}"] if plot is not None else [])]))


def of_state(system: Any, given: dict[str, str], points: int) -> tuple[dict[str, Any], list[str], Any]:
    """What happens at a state: as JSON, in words, and a function that draws it (None: nothing does)."""
    from ..analysis.filippov.what_follows import verdict, what_follows
    from ..archetypes.filippov import BallInCorner, SpringDisk
    from ..kernel.system import description
    from ..motion.start import state_vector

    y = state_vector(system, given)
    names = [q.name for q in description(system).states]
    found = what_follows(system, y)
    told: dict[str, Any] = {"state": dict(zip(names, y.tolist()))}
    lines = ["state      " + ", ".join(f"{name} = {value:.6g}" for name, value in told["state"].items())]
    draw = None
    if isinstance(system, BallInCorner):
        pass
    elif slips(system, y):
        told["kind"] = "smooth"
        lines += ["kind       it slips: the field is smooth there"]
    else:
        extra, more, draw = (of_switching if isinstance(system, SpringDisk) else of_extended)(system, y)
        told |= extra
        lines += more
    told["future"], told["futures"] = verdict(found), [future_told(f) for f in found]
    lines += [f"future     {told['future']}", *(f"           {in_words(f)}" for f in found)]
    return told, lines, draw


def slips(system: Any, y: Any) -> bool:
    """Whether a state is off the set where the field jumps."""
    from ..archetypes.filippov.analysed import analysis_of

    fields = analysis_of(system)
    functions = (fields.H,) if hasattr(fields, "H") else (fields.H1, fields.H2)
    return any(float(H(y)) != 0.0 for H in functions)


def wedged(future: Any) -> bool:
    """Whether forces between two rolling contacts may be as large as one likes."""
    from ..motion.filippov.algebra.cones import FAR

    return future.margin >= 0.5 * FAR


def in_words(future: Any) -> str:
    """A future in a line."""
    text = str(future)
    return text.replace(f"margin {future.margin:.6g}", "wedged, with any force between the contacts") if wedged(future) else text


def future_told(future: Any) -> dict[str, Any]:
    """A future for JSON: per contact the mode, the direction and rate of beginning slip, the forces (one line; those of rolling-rolling are not unique)."""
    contacts = []
    for k in range(future.count):
        begins = bool(future.pace[k] > 0.0)
        contacts.append(
            {
                "mode": {"S": "slips", "R": "rolls", "O": "opens"}[future.letters[k]],
                "slip_begins": begins,
                "direction": future.way[2 * k : 2 * k + 2].tolist() if begins else None,
                "rate": float(future.pace[k]) if begins else None,
                "forces": future.forces[3 * k : 3 * k + 3].tolist(),
            }
        )
    rolls = "R" in future.letters
    return {
        "modes": future.letters,
        "in_words": in_words(future),
        "margin": future.margin if rolls and not wedged(future) else None,
        "contacts": contacts,
    }


def of_switching(system: Any, y: Any) -> tuple[dict[str, Any], list[str], Any]:
    """A point of a surface (codimension one)."""
    from ..analysis.filippov import switching_portrait
    from ..archetypes.filippov.analysed import analysis_of, chart_of

    fields = analysis_of(system)
    point = fields.at(y)
    told = {
        "kind": point.kind,
        "reason": point.reason,
        "rates": list(point.rates),
        "weights": None if point.weights is None else list(point.weights),
        "sliding": None if point.sliding is None else point.sliding.tolist(),
        "tangencies": {side: t.kind for side, t in point.tangencies.items()},
    }
    lines = [f"kind       {point.kind}: {point.reason}"]
    if point.slides:
        lines += [f"sliding    F_s = {vector(point.sliding)}, weights {point.weights[0]:.6g} and {point.weights[1]:.6g}"]
    across, fast = chart_of(system).ranges
    return told, lines, lambda: switching_portrait(fields, y, (0, 2), across, (0.4 * fast[0], 0.4 * fast[1]))


def of_extended(system: Any, y: Any) -> tuple[dict[str, Any], list[str], Any]:
    """A point of a set of codimension two."""
    from ..analysis.filippov import portrait, rose
    from ..archetypes.filippov.analysed import analysis_of
    from ..plotting import figure

    point = analysis_of(system).at(y)
    sliding = point.sliding()
    told = {
        "kind": point.kind,
        "reason": point.reason,
        "directions": None if point.directions is None else [d._asdict() for d in point.directions],
        "sliding": None if sliding.value is None else sliding.value.tolist(),
        "sliding_is": sliding.kind,
        "weights": None if sliding.weights is None else list(sliding.weights),
        "orbits": point.future,
    }
    lines = [f"kind       {point.kind}; {point.future}"]
    if point.directions is None:
        lines += [f"directions {point.reason}"]
    for d in point.directions or []:
        lines += [f"direction  phi = {tidy(d.angle)} rad {d.does}: R = {d.radial:.6g}, {d.kind}"]
    if sliding.value is not None:
        formal = "" if sliding.convex else " (formal: the combination is not convex)"
        size = "" if sliding.weights is None else f", a = {tidy(sliding.weights[0])}, b = {tidy(sliding.weights[1])}"
        lines += [f"sliding    F_s = {vector(sliding.value)}{size}{formal}"]

    def draw() -> Any:
        fig, axes = figure(1, 2, width=9.6, height=4.4)
        portrait(point, axes[0, 0])
        rose(point, axes[0, 1])
        return fig

    return told, lines, draw


def vector(values: Any) -> str:
    """Numbers in brackets."""
    return f"({', '.join(map(tidy, values))})"


def tidy(value: float) -> str:
    """A number without the traces of rounding about zero."""
    return f"{round(float(value), 12) + 0.0:.6g}"


def of_regions(system: Any, given: dict[str, str], points: int) -> tuple[dict[str, Any], list[str], Any]:
    """The regions of a set: as JSON, in words, and a function that draws them."""
    from ..analysis.filippov import Plane, kinds_along, line_picture, map_picture, region_map
    from ..archetypes.filippov import BallInCorner
    from ..archetypes.filippov.analysed import analysis_of, chart_of

    if isinstance(system, BallInCorner):
        return of_corner(system, points)
    fields, chart = analysis_of(system), chart_of(system)
    if len(chart.names) == 1:
        name, (low, high) = chart.names[0], chart.ranges[0]
        parts = kinds_along(fields, chart.state, low, high)
        told: dict[str, Any] = {"axis": name, "regions": [p._asdict() for p in parts]}
        lines = [f"{name} from {p.low:.9g} to {p.high:.9g}: {p.kind}" for p in parts]
        return told, lines, lambda: line_picture(fields, chart.state, parts, name)
    plane = Plane(chart.state, chart.ranges[0], chart.ranges[1], (chart.names[0], chart.names[1]))
    regions = region_map(fields, plane, points)
    boundaries = [{"label": c.label, "closed": bool(c.closed), "points": c.points.tolist()} for c in regions.boundaries]
    told = {**grid_told(plane, regions), "boundaries": boundaries, "loose": len(regions.loose)}
    return told, [*shares(plane, regions), *map(boundary_words, regions.boundaries)], lambda: map_picture(regions)


def grid_told(plane: Any, regions: Any) -> dict[str, Any]:
    """A map for JSON."""
    return {
        "axes": list(plane.names),
        plane.names[0]: regions.x.tolist(),
        plane.names[1]: regions.y.tolist(),
        "kinds": regions.kinds.tolist(),
    }


def shares(plane: Any, regions: Any) -> list[str]:
    """How much of a map each kind has."""
    kinds = regions.kinds.ravel().tolist()
    head = (
        f"{plane.names[0]} from {plane.x[0]:.6g} to {plane.x[1]:.6g}, {plane.names[1]} from {plane.y[0]:.6g} to {plane.y[1]:.6g}"
    )
    rest = [f"{kinds.count(kind) / len(kinds):7.1%}  {kind}" for kind in sorted(set(kinds), key=kinds.count, reverse=True)]
    return [head, *rest]


def boundary_words(curve: Any) -> str:
    """A boundary in words: its label, and where it is."""
    low, high = curve.points.min(axis=0), curve.points.max(axis=0)
    where = " x ".join(f"{a:.9g}" if b - a <= 1e-9 * max(abs(a), abs(b)) else f"{a:.6g} .. {b:.6g}" for a, b in zip(low, high))
    return f"boundary   {curve.label}{', closed' if curve.closed else ''}: {where}"


def of_corner(system: Any, points: int) -> tuple[dict[str, Any], list[str], Any]:
    """What can follow rest in corners of any slope and tilt."""
    from ..analysis.filippov import Plane, RegionMap, map_picture
    from ..archetypes.filippov.analysed import corner_kinds

    plane = Plane(lambda slope, tilt: (slope, tilt), (-1.4, 1.4), (-1.4, 1.4), ("slope", "tilt"))
    xs, ys = plane.grid(points)
    regions = RegionMap(plane, xs, ys, corner_kinds(system, xs, ys), (), ())
    lines = ["what can follow rest (S slips, R rolls, O opens; P+ first)", *shares(plane, regions)]
    return grid_told(plane, regions), lines, lambda: map_picture(regions)
