"""The matter of a body file: its values as TOML has them, and the mass properties and the shape that they state."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...kernel.names import InputError, file_of, mapping_of
from ..mass.properties import MassProperties
from .fields import Fields
from .mass import read_mass
from .shapes import read_shape

NESTED = "its lists and tables lie within each other too deeply; a field has at most a list of lists."
MORE = ("contact", "surface", "gravity", "start", "simulate", "title", "about")  # what a file may say besides, see `read`


def read_values(path: Any, changes: Mapping[str, Any] | None = None) -> tuple[Path, dict[str, Any]]:
    """A file, and its values; `changes` replaces some of them."""
    file = file_of(path)
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}.") from None
    except ValueError as error:  # no TOML, no UTF-8, or a number of thousands of digits
        raise InputError(f"{file} is not a TOML file: {error}.") from None
    except RecursionError:
        raise InputError(f"{file}: {NESTED}") from None
    for name, value in mapping_of(changes or {}, "changes", "{'shape.a': '25cm'}").items():
        replace(values, name, value)
    return file, values


@contextlib.contextmanager
def naming(file: Path) -> Iterator[None]:
    """What is wrong with the values of a file is said with its name."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{file.name}: {error}") from None
    except RecursionError:
        raise InputError(f"{file.name}: {NESTED}") from None


def read_matter(values: dict[str, Any], folder: Path) -> tuple[Fields, MassProperties, Any]:
    """The top table of a file's values, the mass properties and the shape."""
    top = Fields(values, "", folder)
    shape_fields = top.table("shape")
    mass_fields = top.table("mass")
    shape = read_shape(shape_fields)
    return top, read_mass(mass_fields, shape, shape_fields), shape


def leave_the_rest(top: Fields) -> None:
    """Leave what is not read of a file, but refuse what nobody reads."""
    for name in MORE:
        top.given(name, None)
    top.done()


def entered(way: list[str], here: list[Any], rest: str) -> str:
    """How a field in a list is named, for somebody who left out the number of the entry, or gave one that is not there."""
    path, count = ".".join(way), f"a list of {len(here)}" if len(here) != 1 else "a list with one entry"
    number, _, inside = rest.partition(".")
    tail = (inside if number.isdigit() else rest) if any(isinstance(one, dict) for one in here) else ""
    which = "0" if len(here) == 1 else f"a number from 0 to {len(here) - 1}"
    return f"{path} is {count}, so that {which} stands in between: {'.'.join(filter(None, (path, '0', tail)))}"


def replace(values: dict[str, Any], name: str, value: Any) -> None:
    """Replace one field, named by its path; tables on the way must be there, a list is entered by its number (from 0)."""
    *way, last = name.split(".")
    here: Any = values
    for k, step in enumerate(way):
        inside = here[int(step)] if isinstance(here, list) and step.isdigit() and int(step) < len(here) else None
        inside = here.get(step) if isinstance(here, dict) else inside
        if not isinstance(inside, (dict, list)):
            if isinstance(here, list):
                raise InputError(f"{name}: {entered(way[:k], here, '.'.join((*way[k:], last)))}.")
            raise InputError(f"{name}: there is no {'.'.join(way[: k + 1])} in the body file; there: {', '.join(here)}.")
        here = inside
    if isinstance(here, list):
        if not (last.isdigit() and int(last) < len(here)):
            raise InputError(f"{name}: {entered(way, here, last)}.")
        here[int(last)] = value
    else:
        here[last] = value
