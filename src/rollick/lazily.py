"""Packages whose names are imported when they are first used.

Such a package lists its public names once, where type checkers and editors look, and calls `lazily`:

    if TYPE_CHECKING:
        from .limit_tori import limit_tori as limit_tori
    lazily(__name__)

`from package import limit_tori` then imports that module alone.
"""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


def homes_in(source: str) -> dict[str, str]:
    """The names that a package's source imports for type checkers, and the modules they live in: {"limit_tori": ".limit_tori"}."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for line in node.body:
                assert isinstance(line, ast.ImportFrom)
                found.update({alias.asname or alias.name: f"{'.' * line.level}{line.module or ''}" for alias in line.names})
    return found


class LazyPackage(ModuleType):
    """A package that imports a name's module when the name is asked for.

    A name may be that of a module, too (`what_next` in `what_next`): it is the name that is meant, and not the module, which Python would put in its place.
    """

    homes: dict[str, str]

    def __getattr__(self, name: str) -> Any:
        if name in self.homes:
            return getattr(importlib.import_module(self.homes[name], self.__package__), name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in self.homes):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *self.homes})


def lazily(package: str) -> None:
    """Let a package import the names that it lists for type checkers when they are first used."""
    module = sys.modules[package]
    assert module.__file__ is not None
    homes = homes_in(Path(module.__file__).read_text("utf-8"))
    for name in homes.keys() & vars(module).keys():  # a module of that name, which was imported on the way
        del vars(module)[name]
    vars(module).update(homes=homes, __all__=sorted({*vars(module).get("__all__", ()), *homes}))
    module.__class__ = LazyPackage
