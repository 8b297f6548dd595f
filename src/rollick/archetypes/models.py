"""The models of the command line and of teaching: a system with a name, checked parameters, a start worth watching, and its source."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..kernel.names import choose


@dataclass(frozen=True)
class Model:
    """A system by name: how to make it from parameters, what to start it with, what to watch, where it comes from."""

    name: str
    title: str
    source: str
    system: type
    make: Callable[..., Any]
    start: dict[str, str | float]
    until: float
    events: tuple[Any, ...] = ()
    about: str = ""


_HOMES = {"rattleback": "rollick.archetypes.rattleback.model"}


def model_names() -> list[str]:
    """The names of all models."""
    return list(_HOMES)


def model(name: str) -> Model:
    """A model by name."""
    return importlib.import_module(_HOMES[choose(name, _HOMES, "model")]).MODEL


def models() -> dict[str, Model]:
    """All models."""
    return {name: model(name) for name in _HOMES}
