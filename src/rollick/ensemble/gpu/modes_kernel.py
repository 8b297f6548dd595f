"""Motions through modes on a GPU: a thread follows one motion from mode to mode, in the same compiled functions as on a CPU; its end comes back.

On a CPU one machine code serves all systems, which calls the equations of each by an address. On a GPU the whole solver is compiled with the equations of a type of
systems, once for each: minutes, after which it is kept on disk. Ends are those of the CPU up to rounding; what does not reach its end there is computed again on the
CPU, which says why.

Imported only where there is CUDA (`cuda.prepare`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda, float64, from_dtype

from ...kernel.compiled import DISABLED
from ...kernel.erased import outline
from ...kernel.leaves import builder
from ...kernel.system import dim
from ...motion.filippov.algebra.code import Merged
from ...motion.filippov.by_address import FormOf
from ...motion.filippov.changing import start
from ...motion.filippov.memory import FEW_ROWS
from ...motion.filippov.one_of_many import after_start, before_start, fresh_memory
from ...motion.filippov.systems.form import contact_total, presses, slip_size, steady
from ...motion.filippov.through import advance_modes
from ...motion.ode import control as c
from ...motion.ode.block import Block, Tolerance
from ..chunks.modes import GroupInModes
from ..task import Chunk
from .cuda import SIMULATED, kernel_of, launched

REGISTERS = 255
ROOM = np.zeros(1 << 13)  # steps at a time; none is stored


class GroupInModesOnGPU(GroupInModes):
    """Members whose systems are of one type."""

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be simulated by themselves."""
        begun = np.flatnonzero(self.is_begun)
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
            group.rows[:, varied] if varied else np.zeros((1, 1)), self.starts[some], group.spans,
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


def modes_kernel(template: Any, varied: tuple[int, ...], fresh: np.ndarray, sizes: int) -> Any:
    """The kernel for a type of system; `varied`: the floats that differ from the template's; `fresh`: a memory that nothing happened in yet; `sizes`: how many
    absolute tolerances there are."""
    n, build, size = int(dim(template)), builder(template, varied), c.SIZE
    total, slips, pressing, fixed = (int(f(template)) for f in (contact_total, slip_size, presses, steady))
    kind = fresh.dtype if SIMULATED else from_dtype(fresh.dtype)

    def begun(room, given):
        room[0] = given[0]
        return room[0]

    def begun_in_simulator(room, given):  # whose records have no attributes
        room[0] = fresh[0]
        return room.view(np.recarray)[0]

    begin = begun_in_simulator if SIMULATED else cuda.jit(device=True)(begun)

    @kernel_of(REGISTERS)
    def kernel(template, fields, starts, spans, tolerances, limits, given, at, ts, ends, ended, whys):
        i: Any = cuda.grid(1)  # type: ignore[call-arg]
        if i < starts.shape[0]:
            form = FormOf(build(template, fields[i % fields.shape[0]]), n, fixed, total, slips, pressing, Merged(0.0))
            m = begin(cuda.local.array(1, kind), given)
            s, y, atol = cuda.local.array(size, float64), cuda.local.array(n, float64), cuda.local.array(sizes, float64)
            for j in range(sizes):
                atol[j] = tolerances[1 + j]
            before_start(m, s, y, starts[i], spans[i], limits)
            start(form, m, spans[i, 0])
            after_start(m, s, y)
            none = cuda.local.array((1, 1), float64)
            block = Block(ts, none, cuda.local.array((1, 1, 1), float64), at, none, False, False, False)
            why = c.FULL
            while why == c.FULL:
                why = advance_modes(form, s, y, m, Tolerance(tolerances[0], atol), block, limits[2])
                m.logged[0] = 0.0
            for j in range(n):
                ends[i, j] = y[j]
            ended[i, 0], ended[i, 1], whys[i] = s[c.TIME], s[c.ACCEPTED], why

    return kernel
