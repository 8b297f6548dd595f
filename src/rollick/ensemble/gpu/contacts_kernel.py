"""Motions from event to event on a GPU: a thread follows one of them through its impacts and modes, in the same compiled functions as on a CPU; its end comes back.

Imported only where there is CUDA (`cuda.prepare`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda, from_dtype

from ...kernel.erased import outline
from ...kernel.leaves import builder
from ...motion.contact.resistance import is_dry
from ...motion.event_driven.follow import follow_contacts
from ...motion.event_driven.memory import change_kind, memory_kind
from ...motion.filippov.algebra.code import Merged
from ..chunks.contacts import GroupOfContacts
from .cuda import SIMULATED, kernel_of, launched

REGISTERS = 255
NOT_STIFF = 0.0  # in place of work space for Radau IIA: it would make kernels larger than they can be


class GroupOfContactsOnGPU(GroupOfContacts):
    """Members whose systems are of one type."""

    @property
    def looks_for_stiffness(self) -> bool:
        """Only with smooth laws: such a member is left over where it is stiff. With dry friction alone steps are as short as they have to be."""
        group = self.group
        return not all(is_dry(group.system(i)) for i in (range(self.count) if group.varied or group.systems else range(1)))

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
    of_memory, of_log = (kind if SIMULATED else from_dtype(kind) for kind in (memory_kind(template), change_kind(template)))

    def as_they_are(room):
        return room

    def in_simulator(room):  # whose records have no attributes
        return room.view(np.recarray)

    records = in_simulator if SIMULATED else cuda.jit(device=True)(as_they_are)

    @kernel_of(REGISTERS)
    def kernel(template, fields, starts, spans, tolerances, options, ends, told, status):
        i: Any = cuda.grid(1)  # type: ignore[call-arg]
        if i < starts.shape[0]:
            system, m = build(template, fields[i % fields.shape[0]]), records(cuda.local.array(1, of_memory))[0]
            log = records(cuda.local.array(1, of_log))
            status[i] = follow_contacts(
                system, Merged(0.0), m, NOT_STIFF, log, starts[i], spans[i], tolerances, options, ends[i], told[i]
            )

    return kernel
