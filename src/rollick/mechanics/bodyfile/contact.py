"""How a body of a file touches: `[contact]` (rolling, or sliding with a friction law, restitution, feet) and `[[surface]]`.

Laws and surfaces are found by looking: a law is a checked function that `rollick.mechanics.laws` exports, a surface a NamedTuple of a module in
`rollick.mechanics.surfaces`; the fields are the arguments of the one and the fields of the other. So a new law or surface needs no change here.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from typing import Any

from ...kernel.names import InputError
from .. import laws, surfaces
from ..body import Body
from ..laws.friction import contour_ratio, friction, pivot_couple
from ..laws.sliding import traction
from ..rolling import rolling
from ..shapes.convex import Rim
from ..shapes.smoothness import flat_words
from ..sliding import sliding
from ..sliding.feet import Lowest, Tripod
from ..surfaces.plane import Plane
from .fields import Fields

LAW_UNITS: dict[str, str | None] = {"radius": "m", "eps": "m/s", "c": "N s/m", "load": "N", "mu": "", "e_T": ""}
SURFACE_UNITS: dict[str, str | None] = {
    "tilt": "rad", "heading": "rad", "half_angle": "rad", "phase": "rad", "radius": "m", "x": "m", "y": "m", "z": "m", "point": "m",
    "bottom": "m", "top": "m", "centre": "m", "apex": "m", "about": "m", "facing": "", "axis": "", "along": "", "frequency": "1/s",
}  # fmt: skip


def snake(name: str) -> str:
    """HalfPlane -> half_plane."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).lower()


def law_kinds(answers: Any) -> dict[str, Callable[..., Any]]:
    """The checked constructors of laws that answer a question (`traction`, `pivot_couple`, `contour_ratio`), by name."""
    found: dict[str, Callable[..., Any]] = {}
    for name in laws.__all__:
        function = getattr(laws, name)
        if not inspect.isfunction(function) or not hasattr(function, "__annotations__"):
            continue
        result = function.__globals__.get(str(function.__annotations__.get("return")))
        if isinstance(result, type) and answers.knows(result):
            found[name] = function
    return found


def read_law(f: Fields, name: str = "law") -> Any:
    """A friction law: sliding, with pivoting and contour friction in tables of their own."""
    table = f.table(name)
    kinds = law_kinds(traction)
    sliding_law = table.call(kinds[table.word("kind", kinds)], LAW_UNITS)
    more: dict[str, Any] = {}
    for part, answers in (("pivoting", pivot_couple), ("contour", contour_ratio)):
        if part in table:
            inner = table.table(part)
            choices = {n.removesuffix(f"_{part}"): make for n, make in law_kinds(answers).items()}
            more[part] = inner.call(choices[inner.word("kind", choices)], LAW_UNITS)
            inner.done()
        else:
            table.given(part, None)
    table.done()
    return table.said(lambda: friction(sliding_law, **more))


def surface_kinds() -> dict[str, Callable[..., Any]]:
    """What `rollick.mechanics.surfaces` defines, by name: its NamedTuples, or the functions of the same names that make and check them."""
    found: dict[str, Callable[..., Any]] = {}
    for info in pkgutil.iter_modules(surfaces.__path__):
        module = importlib.import_module(f"{surfaces.__name__}.{info.name}")
        for thing in vars(module).values():
            if (
                isinstance(thing, type)
                and issubclass(thing, tuple)
                and hasattr(thing, "_fields")
                and thing.__module__ == module.__name__
            ):
                name = snake(thing.__qualname__)
                maker = vars(module).get(name)
                found[name] = maker if inspect.isfunction(maker) else thing
    return found


def read_surface(f: Fields, more: tuple[str, ...] = ()) -> Any:
    """A surface (or what it is made of): its kind and the fields of that kind; a table inside is read likewise, a list becomes a tuple.

    `more` names fields that somebody else reads.
    """
    kinds = surface_kinds()
    make = kinds[f.word("kind", kinds, "plane")]
    values: dict[str, Any] = {}
    for name, parameter in inspect.signature(make).parameters.items():
        if name == "_cls":
            continue
        if name not in f:
            f.given(name, *(() if parameter.default is inspect.Parameter.empty else (parameter.default,)))
        elif isinstance(f.values[name], dict):
            values[name] = read_surface(f.table(name))
        elif isinstance(f.values[name], list):
            rows = f.array(name, ((None,), (None, None)), SURFACE_UNITS.get(name)).tolist()
            values[name] = tuple(tuple(row) if isinstance(row, list) else row for row in rows)
        else:
            values[name] = f.number(name, SURFACE_UNITS.get(name))
    for name in more:
        f.given(name, None)
    f.done()
    return f.said(lambda: make(**values))


def read_entry(f: Fields, law: Any, restitution: float) -> Any:
    """A surface with what is its own: the surface alone, or (surface, law, restitution)."""
    own = "law" in f or "restitution" in f
    if "law" in f:
        law = read_law(f)
    if "restitution" in f:
        restitution = f.number("restitution", "", least=0.0, most=1.0)
    surface = read_surface(f, ("law", "restitution"))
    return (surface, law, restitution) if own else surface


def read_feet(f: Fields, body: Body) -> Any:
    """Where the body can touch: "lowest", "tripod", a list of places; None for the default of `sliding`."""
    if "feet" not in f:
        return f.given("feet", None)
    if isinstance(f.values["feet"], str):
        word = f.word("feet", ("lowest", "tripod"))
        if word == "tripod" and not isinstance(body.shape, Rim):
            raise InputError(f"{f.at('feet')} = 'tripod' is for a rim; take 'lowest', or list the places of the feet.")
        return Lowest() if word == "lowest" else Tripod()
    return f.array("feet", ((None, 3), (None, 4)), "m").tolist()


def read_system(top: Fields, body: Body) -> Any:
    """The body on its surfaces: `rolling` or `sliding`."""
    g = top.number("gravity", "m/s^2", 9.81, least=0.0)
    f = top.table("contact")
    how = f.word("how", ("marble", "rubber", "sliding"))
    sigma = f.number("damping", "N m s", 0.0, least=0.0)
    tables = top.tables("surface") if "surface" in top else []
    top.given("surface", None)
    if how == "sliding":
        needed = "law" in f or not tables or not all("law" in table for table in tables)
        law = read_law(f) if needed else f.given("law", None)
        restitution = f.number("restitution", "", 0.0, least=0.0, most=1.0)
        feet = read_feet(f, body)
        f.done()
        where = [read_entry(table, law, restitution) for table in tables] or [Plane()]
        alone: Any = where[0] if len(where) == 1 and hasattr(where[0], "_fields") else where
        return f.said(lambda: sliding(body, alone, law, feet, restitution, sigma, g))
    f.done()
    surface = read_surface(tables[0]) if tables else Plane()
    if len(tables) > 1 or not isinstance(surface, Plane):
        raise InputError(
            f'surface: a body with contact.how = {how!r} rolls on one plane; take how = "sliding" for other surfaces.'
        )
    flat = flat_words(body.shape)
    if flat:
        raise InputError(
            f'contact.how = {how!r}: {flat}; take how = "sliding" with a friction law, or a round shape: smooth = true in [shape] fits one '
            f"to a mesh."
        )
    return f.said(lambda: rolling(body, surface, how, sigma, g))
