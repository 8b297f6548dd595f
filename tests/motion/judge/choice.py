"""What can follow at contacts: a choice of modes, and the verdict on all of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

INCONSISTENT, INDETERMINATE = "inconsistent", "indeterminate"


@dataclass(frozen=True)
class Choice:
    """A mode for each contact that was asked for, and the directions in which slip begins."""

    modes: dict[int, int]
    ways: dict[int, np.ndarray]
    paces: dict[int, float] = field(default_factory=dict)  # the accelerations of slips that begin, where several do
    shares: np.ndarray | None = None  # forces between redundant contacts, see `sharing`


@dataclass(frozen=True)
class Verdict:
    """The consistent choices; `case` names the paradox if there is not exactly one."""

    choices: tuple[Choice, ...]
    case: str = ""
