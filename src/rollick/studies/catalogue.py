"""The studies there are: each folder of this room that has a `STUDY`, under the name of the folder.

Adding one touches nothing else: the folders are looked up when somebody asks, and a study is imported when it is wanted.
"""

from __future__ import annotations

import importlib
import pkgutil

from ..kernel.names import InputError, choose
from .study import Study


def study_names() -> list[str]:
    """The names of all studies, in alphabetical order; none of them is imported for that."""
    room = importlib.import_module(__package__)
    return sorted(found.name for found in pkgutil.iter_modules(room.__path__) if found.ispkg)


def study(name: str) -> Study:
    """A study by name; hyphens stand for the underscores of its folder."""
    folder = choose(name if name in study_names() else name.replace("-", "_"), study_names(), "study")
    found = getattr(importlib.import_module(f"{__package__}.{folder}"), "STUDY", None)
    if not isinstance(found, Study):
        raise InputError(
            f"the folder studies/{folder} has no study: its __init__.py must set STUDY = Study({folder!r}, title, targets), as docs/adding.md shows."
        )
    return found


def single_studies() -> list[Study]:
    """All studies but those that list others: what is to be recomputed when everything is."""
    return [found for found in map(study, study_names()) if not found.parts]
