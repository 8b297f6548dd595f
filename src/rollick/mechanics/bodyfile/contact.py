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
from ..shapes.hull import corners, has_corners
from ..sliding import sliding
from ..sliding.feet import Lowest, Tripod
from ..surfaces.plane import Plane
from .fields import Fields, array

LAW_UNITS: dict[str, str | None] = {"radius": "m", "eps": "m/s", "c": "N s/m", "load": "N", "mu": "", "e_T": ""}
SURFACE_UNITS: dict[str, str | None] = {
    "tilt": "rad", "heading": "rad", "angle": "rad", "slope": "rad", "radius": "m", "height": "m", "x": "m", "y": "m", "z": "m",
    "distance": "m", "gauge": "m", "width": "m", "mu": "", "restitution": "", "e_N": "",
}  # fmt: skip
MOST_FEET = 32


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


def surface_kinds() -> dict[str, type]:
    """The surfaces by name: all NamedTuples of the modules in `rollick.mechanics.surfaces`."""
    found: dict[str, type] = {}
    for info in pkgutil.iter_modules(surfaces.__path__):
        module = importlib.import_module(f"{surfaces.__name__}.{info.name}")
        for thing in vars(module).values():
            if (
                isinstance(thing, type)
                and issubclass(thing, tuple)
                and hasattr(thing, "_fields")
                and thing.__module__ == module.__name__
            ):
                found[snake(thing.__qualname__)] = thing
    return found


def read_surface(f: Fields) -> Any:
    """A surface: its kind, and the fields of that kind; lists become tuples, `law` is a friction law."""
    kinds = surface_kinds()
    cls: Any = kinds[f.word("kind", kinds, "plane")]
    values = {}
    for name in cls._fields:
        default = cls._field_defaults.get(name)
        if name not in f:
            f.given(name, *(() if name not in cls._field_defaults else (default,)))
        elif name == "law":
            values[name] = read_law(f)
        elif isinstance(f.values[name], list):
            rows = array(f.values[name], f.at(name), ((None,), (None, None)), None).tolist()
            f.given(name)
            values[name] = tuple(tuple(row) if isinstance(row, list) else row for row in rows)
        else:
            values[name] = f.number(name, SURFACE_UNITS.get(name))
    f.done()
    return cls(**values)


def read_feet(f: Fields, body: Body) -> Any:
    """Where the body can touch: "lowest", "tripod", a list of places; by default the corners of a shape with few of them."""
    if "feet" not in f:
        f.given("feet", None)
        angular = corners(body.shape)
        if angular is not None and len(angular[0]) <= MOST_FEET:
            return [(*place, angular[1]) for place in angular[0].tolist()]
        return None
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
    where = [read_surface(table) for table in top.tables("surface")] if "surface" in top else [Plane()]
    top.given("surface", None)
    how = f.word("how", ("marble", "rubber", "sliding"))
    sigma = f.number("damping", "N m s", 0.0, least=0.0)
    alone: Any = where[0] if len(where) == 1 else where
    if how == "sliding":
        law = read_law(f)
        restitution = f.number("restitution", "", 0.0, least=0.0, most=1.0)
        feet = read_feet(f, body)
        f.done()
        return f.said(lambda: sliding(body, alone, law, feet, restitution, sigma, g))
    f.done()
    if len(where) != 1 or not isinstance(where[0], Plane):
        raise InputError(
            f'surface: a body with contact.how = {how!r} rolls on one plane; take how = "sliding" for other surfaces.'
        )
    if has_corners(body.shape):
        raise InputError(
            f'contact.how = {how!r}: a body with flat faces and corners does not roll; take how = "sliding" with a friction law, or a round shape.'
        )
    return f.said(lambda: rolling(body, alone, how, sigma, g))
