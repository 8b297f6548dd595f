"""Options of the command line that had other names: still understood, with a sentence."""

from __future__ import annotations

import warnings
from typing import Annotated

import typer

from ..kernel.renamed import sentence

OldMost = Annotated[int | None, typer.Option("--most", hidden=True, help="The old name of --max-impacts.")]


def max_impacts_of(given: int, old: int | None) -> int:
    """--max-impacts, or what was given as --most, with a sentence."""
    if old is None:
        return given
    warnings.warn(sentence("--most", "--max-impacts"), FutureWarning, stacklevel=2)
    return old
