"""A thesis on dynamics induced by sequences of collisions: chatter (A, B), the dying disk (C), the dropped device (O), the lander (P)."""

from __future__ import annotations

from . import collisions_chatter as chatter
from . import collisions_chatter_figures as chatter_figures
from . import collisions_disk as disk
from . import collisions_drop as device
from . import collisions_lander as lander
from .ledger import Study

_LANDER = {**lander.TARGETS, "P2": chatter.TARGETS["P2"]}
_TARGETS = {**chatter.TARGETS, **disk.TARGETS, **device.TARGETS, **_LANDER}


def _order(id: str) -> tuple[str, int, str]:
    digits = "".join(c for c in id if c.isdigit())
    return id[0], int(digits or 0), id


STUDY = Study(
    "collisions",
    "sequences of collisions: chatter, Euler's disk, the dropped device, Philae",
    {id: _TARGETS[id] for id in sorted(_TARGETS, key=_order)},
    {**chatter_figures.FIGURES, **disk.FIGURES, **device.FIGURES, **lander.FIGURES},
)
