"""Motions from event to event on a GPU: a thread follows one of them through its impacts and modes, in the same compiled functions as on a CPU; its end comes back.

Imported only where there is CUDA (`cuda.prepare`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from ..kernel.erased import outline
from ..kernel.leaves import builder
from ..motion.event_driven.journey import follow_contacts
from .contacts import GroupOfContacts
from .cuda import kernel_of, launched

REGISTERS = 255


class GroupOfContactsOnGPU(GroupOfContacts):
    """Members whose systems are of one type."""

    def follow(self) -> None:
        """Follow all members, a thread each."""
        group = self.group
        template, varied = group.lead.system, group.varied
        given = [
            group.rows[:, varied] if varied else np.zeros((1, 1)), self.starts, group.spans, self.tolerances, self.options
        ]  # fmt: skip
        self.ends, self.told, self.status = launched(
            ("event-driven", outline(template), varied),
            lambda: contacts_kernel(template, varied),
            self.count,
            given,
            [self.ends, self.told, self.status],
            (template,),
        )


def contacts_kernel(template: Any, varied: tuple[int, ...]) -> Any:
    """The kernel for a type of system; `varied`: the floats that differ from the template's."""
    build = builder(template, varied)

    @kernel_of(REGISTERS)
    def kernel(template, fields, starts, spans, tolerances, options, ends, told, status):
        i: Any = cuda.grid(1)  # type: ignore[call-arg]
        if i < starts.shape[0]:
            system = build(template, fields[i % fields.shape[0]])
            status[i] = follow_contacts(system, starts[i], spans[i], tolerances, options, ends[i], told[i])

    return kernel
