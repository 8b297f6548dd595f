"""The methods of `simulate` by name. A method puts itself there (`methods.method.register`); the package's own are imported when they are first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, MutableMapping
from typing import Any


class Methods(MutableMapping[str, Any]):
    """The classes of methods by name, in the order in which they are listed."""

    def __init__(self) -> None:
        self.classes: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.classes and name in HOMES:
            importlib.import_module(HOMES[name], __package__)  # it registers itself
        return self.classes[name]

    def __setitem__(self, name: str, cls: Any) -> None:
        self.classes[name] = cls

    def __delitem__(self, name: str) -> None:
        del self.classes[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*HOMES, *(name for name in self.classes if name not in HOMES)])

    def __len__(self) -> int:
        return len({*HOMES, *self.classes})


# The package's own methods, in the order in which they are listed, and their modules.
HOMES = {
    "auto": ".smooth",
    "dop853": ".smooth",
    "radau": ".smooth",
    "moreau": ".stepping",
    "midpoint": ".stepping",
    "thesis": ".stepping",
    "event-driven": ".event_driven",
}
METHODS = Methods()
