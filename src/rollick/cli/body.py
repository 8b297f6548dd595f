"""`rollick simulate --body FILE.toml` and `rollick show FILE.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from ..archetypes.models import Model
from ..kernel.hooks import settle, start_state
from ..kernel.names import InputError, called, choose
from ..kernel.quaternion import quaternion_matrix
from ..kernel.system import description
from ..mechanics.bodyfile import BodyFile, read_body
from ..mechanics.contact import contact_count, law_of, restitution
from ..mechanics.laws.each import laws_in
from ..mechanics.laws.friction import Friction
from ..mechanics.rest import Resting, rest_report
from ..mechanics.rolling import Marble, Rubber
from ..mechanics.shapes.curvature import principal_radii
from ..mechanics.shapes.fitted import Fitted, fitted_part
from ..mechanics.shapes.smoothness import smoothness
from ..mechanics.sliding.feet import Feet
from ..mechanics.sliding.meeting import Surfaces
from ..mechanics.sliding.touching import Touching
from .output import print_json


def toml_value(text: str) -> Any:
    """What is typed for a field of a body file: a TOML value, or else the text itself ("25cm")."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def body_entry(path: Path, changes: dict[str, str]) -> tuple[Model, dict[str, Any]]:
    """A body file as a model, so that all of `rollick simulate` works with it, and the options that it asks for."""
    given = read_body(path, {name: toml_value(text) for name, text in changes.items()})
    options = dict(given.options)
    entry = Model(
        name=given.name,
        title=given.title or given.name,
        source=str(path),
        parameters={},
        make=lambda: given.system,
        start=given.start,
        until=options.pop("until", float("nan")),
        events=tuple(options.pop("events", ())),
        about=given.about,
    )
    return entry, options


def shown_names(names: Any, system: Any) -> tuple[str, ...]:
    """The names that a body file asks to plot."""
    about = description(system)
    allowed = [q.name for q in (*about.states, *about.signals, *about.integrals)]
    return tuple(choose(n, allowed, "quantity in simulate.show") for n in names or ())


def attitude(given: BodyFile) -> np.ndarray:
    """The outward normal at the contact, in the axes of the shape, in the attitude of the start."""
    system = given.system
    y, _ = settle(system, start_state(system, given.start))
    first = 0 if isinstance(system, (Marble, Rubber)) else 3
    return -np.array(quaternion_matrix(tuple(map(float, y[first : first + 4])))[2])


def understood(given: BodyFile) -> dict[str, Any]:
    """What a body file means, ready for JSON."""
    from ..mechanics.mass.properties import MassProperties

    body, system = given.body, given.system
    moments, axes = MassProperties(body.mass, np.array(body.centre), np.array(body.inertia)).principal()
    g = float(np.linalg.norm(system.gravity))
    feet = system.feet.places if isinstance(getattr(system, "feet", None), Feet) and len(system.feet.places) > 3 else None
    try:
        rests, closed = rest_report(body, g, not isinstance(system, Rubber), feet)
    except InputError:  # feet in one plane: the shape's own rest positions are no help either
        rests, closed = [], False
    radii, fit = None, fitted_part(body.shape)
    try:
        n = attitude(given)
        if smoothness(body.shape).rolls:
            found = principal_radii(body.shape, n)
            along = [found.direction1.tolist(), found.direction2.tolist()]
            if np.isfinite([found.r1, found.r2]).all():
                radii = {"normal": n.tolist(), "radii": [found.r1, found.r2], "directions": along}
    except (InputError, ZeroDivisionError):  # lying flat: it touches along a circle
        radii = None
    return {
        "file": str(given.path),
        "title": given.title,
        "shape": called(body.shape),
        "surface": smoothness(body.shape).words(),
        "fit": None if fit is None else {"distance": fit.distance, "relative": fit.distance / fit.size},
        "contact": called(system),
        "surfaces": surfaces_of(system),
        "gravity": list(system.gravity),
        "mass": body.mass,
        "centre": list(body.centre),
        "inertia": [list(row) for row in body.inertia],
        "principal_moments": moments.tolist(),
        "principal_axes": axes.T.tolist(),
        "at_start": radii,
        "rest_positions": [rest.as_dict() for rest in rests],
        "rest_positions_complete": closed,
        "start": dict(given.start),
        "options": dict(given.options),
    }


def numbers(values: Any) -> str:
    """Numbers as people read them."""
    return ", ".join(f"{0.0 if abs(v) < 1e-15 else v:.6g}" for v in values)


def rest_line(rest: Resting | dict[str, Any]) -> str:
    """One rest position."""
    r = rest if isinstance(rest, dict) else rest.as_dict()
    text = f"  {'stable  ' if r['stable'] else 'unstable'}  height {r['height']:.6g} m, down along ({numbers(r['down'])}): {r['kind']}"
    if r["frequencies"]:
        text += f", small oscillations {', '.join(f'{w:.6g}' for w in r['frequencies'])} rad/s"
    return text


def show_body(path: Path, json_: bool) -> None:
    """Print what a body file was understood to say."""
    given = read_body(path)
    told = understood(given)
    if json_:
        print_json(told)
        return
    system = given.system
    lines = [f"{given.name}: {given.title or 'a body'}", f"file: {given.path}", ""]
    lines += [f"shape: {told['shape']} ({shape_text(given.body.shape)})", f"surface: {told['surface']}"]
    lines.append(f"mass: {told['mass']:.9g} kg" + (", of what is given for the mesh and not for the fit" if told["fit"] else ""))
    lines += [f"mass centre: ({numbers(told['centre'])}) m in the axes of the shape", "principal moments and axes:"]
    lines += [
        f"  {moment:.6g} kg m^2 about ({numbers(axis)})"
        for moment, axis in zip(told["principal_moments"], told["principal_axes"])
    ]
    lines.append(f"contact: {contact_text(system)}")
    for s in told["surfaces"]:
        lines.append(f"  {s['surface']} ({s['sizes']}): {s['law']}, restitution {s['restitution']:g}")
    frame = "" if isinstance(system, Touching) else " in the frame of the plane"
    lines.append(f"gravity{frame}: ({numbers(told['gravity'])}) m/s^2")
    if told["at_start"] is not None:
        where = told["at_start"]
        lines.append(f"radii of curvature at the contact at the start: {numbers(where['radii'])} m")
    lines.append("rest positions on a level plane:")
    lines += [rest_line(r) for r in told["rest_positions"]] or ["  none found"]
    if not told["rest_positions_complete"]:
        lines.append("  (not all: minima - saddles + maxima must be 2 for a closed smooth or polyhedral body, and is not)")
    lines.append("start: " + (", ".join(f"{k} = {v:.9g}" for k, v in given.start.items()) or "at rest, e3 upright"))
    lines.append("simulate: " + (", ".join(f"{k} = {v}" for k, v in given.options.items()) or "no options; give --until"))
    print("\n".join(lines + ([given.about] if given.about else [])))


def shape_text(shape: Any) -> str:
    """The sizes of a shape."""
    if isinstance(shape, Fitted):
        return shape.about()
    parts = []
    for name, value in zip(shape._fields, shape):
        if hasattr(value, "_fields"):
            parts.append(f"{name}: {called(value)} ({shape_text(value)})")
        elif isinstance(value, float):
            parts.append(f"{name} = {value:.6g}")
        else:
            few = np.size(value) <= 3 and np.ndim(value) == 1
            parts.append(f"{name} = ({numbers(value)})" if few else f"{name}: {' x '.join(map(str, np.shape(value)))} numbers")
    return ", ".join(parts)


def contact_text(system: Any) -> str:
    """How the body touches."""
    if isinstance(system, (Marble, Rubber)):
        return f"rolls without slipping{' and without twisting' if isinstance(system, Rubber) else ''}, damping {system.sigma:g} N m s"
    feet = system.feet
    count = len(feet.places) if isinstance(feet, Feet) else 0
    where = f"{count} {'foot' if count == 1 else 'feet'}" if count else called(feet).lower()
    if isinstance(system, Touching):
        return f"slides, touching with {where}"
    return f"slides with {law_text(law_of(system, 0))}, restitution {float(restitution(system, 0)):g}, touching with {where}"


def surfaces_of(system: Any) -> list[dict[str, Any]]:
    """What a body may touch, with the law and the restitution there; empty for a body on a plane, whose frame tells of it."""
    if not isinstance(system, Touching):
        return []
    surfaces, rest = [], system.on
    while isinstance(rest, Surfaces):
        surfaces.append(rest.first)
        rest = rest.rest
    surfaces.append(rest)
    feet, laws = int(contact_count(system)) // len(surfaces), laws_in(system.law)
    return [
        {
            "surface": called(surface),
            "sizes": shape_text(surface),
            "law": law_text(laws[min(k, len(laws) - 1)]),
            "restitution": float(restitution(system, k * feet)),
        }
        for k, surface in enumerate(surfaces)
    ]


def law_text(law: Friction) -> str:
    """The parts of a friction law that act."""
    return " + ".join(
        f"{called(part)}({', '.join(f'{n}={v:g}' for n, v in zip(part._fields, part) if isinstance(v, float))})"
        for part in law
        if not called(part).startswith("No")
    )
