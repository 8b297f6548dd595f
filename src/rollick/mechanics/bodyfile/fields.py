"""A table of a body file, read field by field: what is asked for is checked, what is left over is refused with the nearest right name.

Every message starts with the path of the field, e.g. `mass.parts[1].density = '3 cm'`.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ...kernel.names import InputError, choose
from .units import quantity

MISSING: Any = object()


class Fields:
    """One table: its values, the path that leads to it, and the folder of the file."""

    def __init__(self, values: Any, path: str, folder: Path):
        if not isinstance(values, dict):
            raise InputError(f'{path} = {values!r} must be a table, e.g. {path} = {{kind = "..."}}.')
        self.values, self.path, self.folder = values, path, folder
        self.asked: list[str] = []

    def at(self, name: str) -> str:
        """The path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def given(self, name: str, default: Any = MISSING) -> Any:
        """The raw value of a field; an error if there is none and it has no default."""
        if name not in self.asked:
            self.asked.append(name)
        if name in self.values:
            return self.values[name]
        if default is MISSING:
            self.unknown(name)
            where = f"{name} = ... in [{self.path}]" if self.path else f"a table [{name}]"
            raise InputError(f"{self.at(name)} is missing; give it, e.g. {where}.")
        return default

    def number(
        self, name: str, unit: str | None = "", default: Any = MISSING, *, above: float | None = None, least: float | None = None, most: float | None = None
    ) -> float:  # fmt: skip
        """A finite number in SI, `above` a bound, at `least`, at `most`."""
        value = self.given(name, default)
        if value is default and default is not MISSING:
            return default
        x = quantity(value, self.at(name), unit)
        shown = f"{self.at(name)} = {value!r}"
        if above is not None and not x > above:
            raise InputError(f"{shown} must be above {'zero' if above == 0.0 else f'{above:g}'}.")
        if least is not None and x < least:
            raise InputError(f"{shown} must be {'zero' if least == 0.0 else f'{least:g}'} or above.")
        if most is not None and x > most:
            raise InputError(f"{shown} must not be above {most:g}.")
        return x

    def whole(self, name: str, default: Any = MISSING, least: int = 0) -> int:
        """A whole number."""
        value = self.given(name, default)
        if value is default and default is not MISSING:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InputError(f"{self.at(name)} = {value!r} must be a whole number, {least} or more.")
        return value

    def yes(self, name: str, default: bool = False) -> bool:
        """true or false."""
        value = self.given(name, default)
        if not isinstance(value, bool):
            raise InputError(f"{self.at(name)} = {value!r} must be true or false.")
        return value

    def text(self, name: str, default: Any = MISSING) -> str:
        """A text."""
        value = self.given(name, default)
        if not isinstance(value, str) and value is not default:
            raise InputError(f'{self.at(name)} = {value!r} must be a text in quotes, e.g. {name} = "...".')
        return value

    def word(self, name: str, allowed: Iterable[str], default: Any = MISSING) -> str:
        """One of some words."""
        value = self.text(name, default)
        return value if value is default else choose(value, allowed, f"value of {self.at(name)}")

    def array(self, name: str, shapes: tuple[tuple[int | None, ...], ...], unit: str | None = "", default: Any = MISSING) -> Any:
        """An array of numbers, of one of some shapes (None: any length), in SI."""
        value = self.given(name, default)
        return value if value is default and default is not MISSING else array(value, self.at(name), shapes, unit)

    def vector(self, name: str, unit: str | None = "m", default: Any = MISSING) -> tuple[float, ...]:
        """Three numbers."""
        value = self.array(name, ((3,),), unit, default)
        return value if value is default and default is not MISSING else tuple(map(float, value))

    def table(self, name: str) -> Fields:
        """A table inside the table."""
        return Fields(self.given(name), self.at(name), self.folder)

    def tables(self, name: str) -> list[Fields]:
        """A list of tables, or a single one."""
        value = self.given(name)
        if isinstance(value, dict):
            return [self.table(name)]
        if not isinstance(value, list) or not value:
            raise InputError(f"{self.at(name)} = {value!r} must be a table, or a list of tables ([[{self.at(name)}]] for each).")
        return [Fields(v, f"{self.at(name)}[{k}]", self.folder) for k, v in enumerate(value)]

    def file(self, name: str) -> Path:
        """A file, relative to the folder of the body file."""
        path = Path(self.text(name)).expanduser()
        path = path if path.is_absolute() else self.folder / path
        if not path.is_file():
            raise InputError(f"{self.at(name)} = {self.values[name]!r}: there is no file {path}.")
        return path

    def unknown(self, wanted: str = "") -> None:
        """Refuse what nobody asked for; a field that is `wanted` and looks like it is the first suspect."""
        for name in self.values:
            if name in self.asked:
                continue
            pool = [wanted] if wanted else [n for n in self.asked if n not in self.values] or self.asked
            near = difflib.get_close_matches(name.lower(), pool, n=1, cutoff=0.5)
            near = near or ([] if wanted else difflib.get_close_matches(name.lower(), self.asked, n=1, cutoff=0.5))
            if wanted and not near:
                continue
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"unknown field {self.at(name)} = {self.values[name]!r}.{hint} Allowed: {', '.join(self.asked)}.")

    def done(self) -> None:
        """Refuse what is left over."""
        self.unknown()

    def call(self, function: Callable[..., Any], units: dict[str, str | None], skip: tuple[str, ...] = (), **known: Any) -> Any:
        """Call a function with the fields that its arguments are named after: numbers in the units of a table, or texts where the default is one."""
        arguments: dict[str, Any] = {}
        for name, parameter in inspect.signature(function).parameters.items():
            if name in skip or name in known:
                continue
            default = MISSING if parameter.default is inspect.Parameter.empty else parameter.default
            if isinstance(default, str):
                arguments[name] = self.text(name, default)
            else:
                arguments[name] = self.number(name, units.get(name), default)
        return self.said(lambda: function(**arguments, **known))

    def said(self, make: Callable[[], Any]) -> Any:
        """What a function makes; its complaints are told with the path of the table."""
        try:
            return make()
        except InputError as error:
            raise InputError(f"{self.path or 'the body'}: {error}") from None


def array(value: Any, path: str, shapes: tuple[tuple[int | None, ...], ...], unit: str | None) -> np.ndarray:
    """An array of numbers from nested lists."""

    def read(v: Any, where: str) -> Any:
        return [read(x, f"{where}[{k}]") for k, x in enumerate(v)] if isinstance(v, list) else quantity(v, where, unit)

    forms = " or ".join(" x ".join("n" if k is None else str(k) for k in shape) for shape in shapes)
    try:
        found = np.array(read(value, path), float)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} = {value!r} must be {forms} numbers; its rows differ in length.") from None
    for shape in shapes:
        if found.ndim == len(shape) and all(k is None or k == n for k, n in zip(shape, found.shape)):
            return found
    raise InputError(f"{path} = {value!r} must be {forms} numbers.")
