"""Members that go from mode to mode, on a GPU: their ends, up to rounding. What does not reach its end there is computed again on the CPU, which says why.

Imported only where there is CUDA (`cuda.prepare`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..kernel.compiled import DISABLED
from ..kernel.erased import outline
from ..motion.filippov.memory import FEW_ROWS
from ..motion.filippov.one_of_many import fresh_memory
from ..motion.ode import control as c
from .cuda import SIMULATED, launched
from .modes import NOT_BEGUN, GroupInModes
from .modes_kernel import modes_kernel

if TYPE_CHECKING:
    from .task import Chunk

ROOM = np.zeros(1 << 13)  # steps at a time; none is stored


class GroupOnGPU(GroupInModes):
    """Members whose systems are of one type."""

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be simulated by themselves."""
        begun = np.flatnonzero(self.touch[:, 0] != NOT_BEGUN)
        if begun.size:
            self.follow_there(begun)
        reached = self.out[3] == c.REACHED
        kept_not = np.zeros(self.count, bool)  # of which something that is kept cannot be had
        self.keep(np.flatnonzero(reached), kept_not, out)
        left: list[int] = self.group.places[kept_not].tolist()
        broken = np.flatnonzero(~reached)
        if not broken.size:
            return left
        rest = self.group.some(broken)
        return left + (rest.places.tolist() if DISABLED else GroupInModes(self.task, self.method, rest).run(out))

    def follow_there(self, some: np.ndarray) -> None:
        """Follow some members on the GPU: their ends, times, steps, and why they ended (`control`)."""
        group, method, count = self.group.some(some), self.method, some.size
        template, varied, sizes = group.lead.system, group.varied, self.tolerance.absolute
        fresh = fresh_memory(self.n, method, FEW_ROWS)
        given = [
            group.rows[:, varied] if varied else np.zeros((1, 1)), self.starts[some], group.spans, self.touch[some],
            np.concatenate([[self.tolerance.relative], sizes]),
            np.array([float(method.max_step), float(self.task.max_steps), float(method.max_changes)]), fresh, np.zeros(0), ROOM,
        ]  # fmt: skip
        back = [np.zeros((count, self.n)), np.zeros((count, 2)), np.full(count, c.NOT_FINITE, np.int64)]
        key = "modes", outline(template), varied, len(method.choices), fresh.tobytes() if SIMULATED else None
        ends, ended, whys = launched(
            key, lambda: modes_kernel(template, varied, fresh, sizes.size), count, given, back, (template,)
        )
        for mine, there in zip(self.out, (ends, ended[:, 0], ended[:, 1].astype(np.int64), whys)):
            mine[some] = there
