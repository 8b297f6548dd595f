"""Some members by the compiled loop: their systems and starts made ready in Python, their motions computed without it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ...kernel.compiled import DISABLED
from ...kernel.erased import REALS
from ...kernel.errors import InputError
from ...kernel.hooks import guard
from ...kernel.system import description, dim
from ...kernel.trial import try_once
from ...mechanics.contact import contact_count
from ...motion.events.erased import Watched, switch_entry
from ...motion.events.event import DIRECTIONS, watch
from ...motion.events.skim import sort_of
from ...motion.methods import DOP853, EventDriven, has_dry_friction
from ...motion.methods.smooth import Adaptive, Auto, tolerances
from ...motion.methods.stepping import Stepping
from ...motion.ode.block import Tolerance
from ...motion.ode.erased import Engine
from ...motion.ode.extended import Accumulating
from ...motion.result.outcome import EVENT, FINISHED
from ..keep import FINAL, OF_ZEROS
from ..task import WORDS, Chunk, Task
from . import falling
from .abreast import can_go_abreast, make_ranks, run_abreast, step_abreast
from .contacts import GroupOfContacts, contacts_suffice
from .falling import FallingChunk
from .loop import ASK, DONE, AtEnd, OnTheWay, make_desk, run_members
from .modes import GroupInModes, ModesChunk, ends_suffice, modes_suffice
from .one_by_one import simulate_member
from .prepared import Group, Preparation, packed
from .stepping import SteppedChunk, steps_suffice
from .watching import CODE

NOT_ON_GPUS = "motions of forms of dry contacts with measures on the way or a Path; quantities at the end are known"
SLOW_TO_COMPILE = "several dry contacts by 'auto', which follows them from event to event: that kernel takes many minutes to compile (give method='moreau', or 'event-driven' and wait)"


def compute_members(task: Task, first: int, places: np.ndarray, out: Chunk) -> None:
    """Write members of a chunk that begins with the member `first`: in compiled code where that knows them, and the others one by one."""
    left = compiled_chunk(task, first, places).run(out) if can_be_compiled(task) and places.size else places.tolist()
    for k in left:
        simulate_member(task, first + k, k, out)


def can_be_compiled(task: Task) -> bool:
    """Whether compiled loops know the method and everything that is asked: DOP853 on smooth equations that hold everywhere; the ends of time stepping, and
    of sequences of impacts."""
    return not (DISABLED and not task.gpu) and not what_hinders(task)


def what_hinders(task: Task) -> str:
    """What of an ensemble compiled loops, and GPUs, do not know, in words; "" if they know it all."""
    if task.keep.functions:
        return f"functions of whole motions ({', '.join(task.keep.functions)})"
    if task.wall_limit is not None:
        return "wall_limit"
    if not task.source.is_motion:
        known = falling.KNOWN if falling.is_known(task) else ()
        return (
            ""
            if falling.falls(task)
            else f"a {task.source.title} that runs itself"
            + (f" with more kept than {', '.join(known)} at its last impact" if known else "")
        )
    system = task.source.system
    method = task.method_for(system)
    if isinstance(method, Stepping):
        return (
            ""
            if steps_suffice(task, method)
            else f"time stepping ({method.name}) with rtol=, measures on the way or a Path; named quantities at the end are known"
        )
    if modes_suffice(task, method):
        return NOT_ON_GPUS if task.gpu and not ends_suffice(task) else ""
    if contacts_suffice(task, method):
        if task.gpu and task.method == "auto" and int(contact_count(system)) > 1:
            return SLOW_TO_COMPILE
        return ""
    if task.gpu and type(method) is EventDriven:
        return f"motions from event to event (method {method.name!r}) with integrals, measures on the way or a Path; quantities at the end are known"
    if contact_count.knows(type(system)) or has_dry_friction(system):
        return f"contact and dry friction by {method.name!r} with what is asked of it; 'moreau' is known"
    if guard(system) is not None:
        return f"{task.source.title}, whose equations do not hold everywhere (it is watched by a guard)"
    return "" if type(method) in (DOP853, Auto) else f"method = {method.name!r}"


def compiled_chunk(task: Task, first: int, places: np.ndarray) -> Any:
    """What computes some members of a chunk in compiled code."""
    if not task.source.is_motion:
        return FallingChunk(task, first, places)
    method = task.method_for(task.source.system)
    if steps_suffice(task, method):
        return SteppedChunk(task, method, first, places)
    if contacts_suffice(task, method):
        return ModesChunk(task, method, first, places, contacts_group(task.gpu))
    if modes_suffice(task, method):
        return ModesChunk(task, method, first, places, modes_group(task.gpu))
    return CompiledChunk(task, first, places)


def contacts_group(gpu: bool) -> type[GroupOfContacts]:
    """What follows members of one type from event to event."""
    if not gpu:
        return GroupOfContacts
    from ..gpu.contacts_kernel import GroupOfContactsOnGPU

    return GroupOfContactsOnGPU


def modes_group(gpu: bool) -> type[GroupInModes]:
    """What follows members of one type from mode to mode."""
    if not gpu:
        return GroupInModes
    from ..gpu.modes_kernel import GroupInModesOnGPU

    return GroupInModesOnGPU


class CompiledChunk:
    """Members at some places of a chunk that begins with the member `first`."""

    def __init__(self, task: Task, first: int, places: np.ndarray):
        self.task, self.first, self.places = task, first, places

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be simulated by themselves."""
        ready = Preparation(self.task, self.first, self.places, out, self.task.gpu)
        left = ready.left
        for group in ready.groups:
            left += self.run_group(group, out)
        return sorted(left)

    def run_group(self, group: Group, out: Chunk) -> list[int]:
        """Members whose systems are of one type."""
        task, lead, measures, starts = self.task, group.lead, self.task.keep.measures, group.starts
        method: Adaptive = task.method_for(lead.system)
        n, m = lead.n, lead.m
        try_once(Accumulating(lead.moving) if m else lead.moving, lead.t0, starts[0])
        names = [q.name for q in description(lead.system).states]
        tolerance = Tolerance(*tolerances(method.rtol, method.atol, n + m, int(dim(lead.system)), names))
        watched = [watch(one.event(), lead.system, lead.t0, starts[0], m) for one in measures]
        if any(w.size != 1 for w in watched):
            raise InputError("a measure is a single number; the function of one of them gives several.")
        known = np.zeros((len(measures), 5), np.int64)
        for j, (one, w) in enumerate(zip(measures, watched)):
            known[j, :4] = one.code, DIRECTIONS[w.event.direction], one.stops(), sort_of(w.switch, lead.system)
        along = any(one.code != FINAL for one in measures)
        at = np.empty(0) if task.keep.path is None else task.keep.path.times()
        limits = np.array([method.max_step, float(task.max_steps)])
        given = tolerance, limits, known, at, along
        if task.gpu:
            from ..gpu.smooth_kernel import run_on_gpu

            table = np.hstack([group.rows, group.starts, group.spans])
            order = task.forecast.order(table)
            if order is not None:
                group = group.some(order)
            values, ended, status, paths = run_on_gpu(group, [w.switch for w in watched], isinstance(method, Auto), *given)
            values, times, steps = values[:, : len(measures)], ended[:, 0], ended[:, 1].astype(np.int64)
        else:
            values, times, steps, status, paths = run_here(group, [w.switch for w in watched], isinstance(method, Auto), *given)
        if task.gpu and order is None:
            task.forecast.learn(table, steps)
        good = np.flatnonzero(status != ASK)
        here = group.places[good]
        out.values[here], out.time[here], out.steps[here] = values[good], times[good], steps[good]
        out.status[here] = np.where(status[good] == DONE, WORDS.index(FINISHED), WORDS.index(EVENT))
        if out.paths is not None:
            out.paths[here] = paths[good][:, : at.size, :n]
        return group.places[status == ASK].tolist()


def run_here(
    group: Group, switches: list[Any], watch_stiffness: bool, tolerance: Tolerance, limits: np.ndarray, known: np.ndarray,
    at: np.ndarray, along: bool,
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Values, times, steps, status and paths of members whose systems are of one type, by this thread."""
    lead, starts = group.lead, group.starts
    count, n, measures = len(starts), starts.shape[1], len(switches)
    engine: Any = Accumulating if lead.m else lambda system: system
    template = Engine(engine(lead.system)).for_explicit()
    systems = packed(group, engine)
    data, codes, kept = np.zeros((count, measures), np.int64), np.zeros(measures, np.int64), []
    for j, switch in enumerate(switches):
        looked_at = packed(group, lambda system, switch=switch: Watched(switch, system))
        kept.append(looked_at)  # its addresses are used below
        data[:, j] = looked_at.addresses
        codes[j] = looked_at.entry(switch_entry, types.float64, REALS, types.int64, REALS, types.int64)
    later = along and all(code == FINAL or code in OF_ZEROS for code in known[:, CODE].tolist())
    desk = make_desk(n, measures, along, at, tolerance, watch_stiffness, later)
    values, ends, times = np.full((count, measures), np.nan), np.zeros((count, n)), np.zeros(count)
    steps, status, paths = np.zeros(count, np.int64), np.full(count, ASK, np.int64), np.full((count, at.size, n), np.nan)
    ends_only = not along and at.size == 0
    step = step_abreast(systems, lead.system) if ends_only and can_go_abreast(lead.system, lead.m) else 0
    if step:
        run_abreast(
            template, step, systems.addresses, make_ranks(n), desk, starts, group.spans, tolerance, limits, known, data, codes,
            watch_stiffness, (values, times, steps, status),
        )  # fmt: skip
        return values, times, steps, status, paths
    run_members(
        template, systems.addresses, desk, starts, group.spans, tolerance, limits, known, data, codes, OnTheWay() if along else AtEnd(),
        (values, ends, times, steps, status, paths),
    )  # fmt: skip
    return values, times, steps, status, paths
