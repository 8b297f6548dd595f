"""Members that go from event to event (method "event-driven"), by compiled code: their ends. Impacts, flight, slip and stick of any number of contacts.

On a GPU always, on threads if there are many of them (`MANY`): the code that `simulate` follows one motion with, compiled in a minute without the account of the contacts and then run on all
cores. What is not decided in compiled code (Painleve's paradoxes, forks, what breaks down) is simulated by itself, which says why.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.system import description
from ...mechanics.contact import contact_count
from ...motion.contact.by_address import STIFF_MODES, ByAddress
from ...motion.event_driven.follow import (
    DEEPEST,
    END_TIME,
    MAX_CHANGES,
    MAX_STEP,
    MAX_STEPS,
    OPTIONS,
    RTOL,
    STEPS,
    STIFF,
    TOLD,
    follow_contacts,
)
from ...motion.event_driven.memory import change_kind, memory
from ...motion.event_driven.one_closed import ASK, TAKEN
from ...motion.event_driven.stiff import radau_work
from ...motion.filippov.algebra.code import futures_code
from ...motion.filippov.systems.form import is_form
from ...motion.methods import EventDriven
from ...motion.methods.smooth import tolerances
from ...motion.result.checks import deepest
from ...motion.result.outcome import FINISHED
from ..keep import FINAL
from ..task import WORDS, Chunk, Task
from .at_end import all_at_end
from .prepared import Group

MANY = 2000  # members on threads from which on it pays to compile


def contacts_suffice(task: Task, method: Any) -> bool:
    """Whether compiled code tells all that is kept, and is worth its while."""
    if type(method) is not EventDriven or is_form(task.source.system) or task.integrals or task.keep.path is not None:
        return False
    return all(m.code == FINAL for m in task.keep.measures) and (task.gpu or task.members.count >= MANY)


@compiled
def follow_some(system, code, m, work, log, starts, spans, tolerances, options, ends, told, status, first, last):
    """Members of one system that differ in their starts and times."""
    for i in range(first, last):
        status[i] = follow_contacts(system, code, m, work, log, starts[i], spans[i], tolerances, options, ends[i], told[i])


class GroupOfContacts:
    """Members whose systems are of one type."""

    def __init__(self, task: Task, method: EventDriven, group: Group):
        self.task, self.method, self.group, self.count = task, method, group, len(group.places)
        system, n = group.lead.system, group.lead.n
        names = [q.name for q in description(system).states]
        relative, absolute = tolerances(method.inner.rtol, method.inner.atol, n, n, names)
        self.tolerances = np.concatenate([[relative], absolute])
        self.options = np.zeros(OPTIONS)
        self.options[[RTOL, MAX_STEP, MAX_STEPS, MAX_CHANGES]] = method.rtol, method.max_step, task.max_steps, method.max_changes
        self.options[DEEPEST], self.options[STIFF] = deepest(method.rtol), self.looks_for_stiffness
        self.starts = np.ascontiguousarray(group.starts[:, :n])
        self.ends, self.told = np.zeros((self.count, n)), np.zeros((self.count, TOLD))
        self.status = np.full(self.count, ASK, np.int64)

    @property
    def looks_for_stiffness(self) -> bool:
        """Whether members may be stiff: then Radau IIA goes on."""
        return True

    def follow(self) -> None:
        """Follow all members, by this thread."""
        lead = ByAddress(
            self.group.system(0) if self.group.systems is not None else self.group.lead.system, STIFF_MODES, any_size=True
        )
        given = (
            futures_code(min(int(contact_count(lead.body)), 2)),
            memory(lead.body),
            radau_work(self.group.lead.n),
            np.zeros(1, change_kind(lead.body)).view(np.recarray),
            self.starts,
            self.group.spans,
            self.tolerances,
            self.options,
            self.ends,
            self.told,
            self.status,
        )
        if not self.group.varied and self.group.systems is None:
            by_address = ByAddress(self.group.lead.system, STIFF_MODES, any_size=True)
            follow_some(by_address.body, *given, 0, self.count)
            return
        for i in range(self.count):
            by_address = ByAddress(self.group.system(i), STIFF_MODES, any_size=True)
            follow_some(by_address.body, *given, i, i + 1)

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be simulated by themselves."""
        self.follow()
        good, left, group = np.flatnonzero(self.status == TAKEN), self.status != TAKEN, self.group
        times, steps = self.told[:, END_TIME], self.told[:, STEPS].astype(np.int64)
        begun = np.ones(self.count)  # the end of a motion without a step is not its start if that is an impact
        values = all_at_end(group, self.task.keep.measures, self.ends, times, begun, good, left)
        here = group.places[good]
        out.values[here], out.time[here], out.steps[here] = values, times[good], steps[good]
        out.status[here] = WORDS.index(FINISHED)
        return group.places[left].tolist()
