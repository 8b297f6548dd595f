"""Names of models as they are typed, before any of them is loaded: completed by shells, and refused if no model has them."""

from __future__ import annotations

from ..archetypes.models import checked_name, model_names, title_of


def refuse_unknown(name: str | None) -> None:
    """Refuse a name that no model has (any more), in the words in which the models would, but without loading them."""
    if name is not None:
        checked_name(name)


def complete_model(incomplete: str) -> list[tuple[str, str]]:
    """The models whose names begin as what was typed, each with its title."""
    return [(name, title_of(name)) for name in model_names() if name.startswith(incomplete)]
