"""`ensemble`: many motions of one system, with other parameters and starts; out comes a labelled table."""

from __future__ import annotations

import difflib
import pickle
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..kernel.abreast import WIDTH
from ..kernel.compiling import compiling
from ..kernel.names import InputError, choose, number, whole
from ..kernel.paths import fields_of
from ..kernel.system import description
from ..kernel.warn import warn_user
from ..motion.problem import positive
from ..motion.result.outcome import MotionWarning
from ..motion.start import state_vector
from .attractor import Attractor, Settling, named_attractors, settling
from .backends import is_dask
from .chunks.compiled_chunk import can_be_compiled, compute_members, what_hinders
from .compute import compute
from .gpu.cuda import MOST_OF_ONE, Devices, at_once
from .keep import as_items, keeping
from .members import as_members
from .result import Ensemble
from .source import SystemSource
from .spot_check import MEMBERS, check_members
from .stored.store import Store
from .task import Task, roles_of
from .threads import cores

SECONDS, FAR_SECONDS = 0.3, 2.0  # of work in a chunk: for threads; for workers elsewhere, or a store
TRIED = 4  # members computed to learn how long one takes
# times the width of those that go abreast: the least size of a chunk, if a share of all takes less time than a chunk should, and otherwise
FAST, SLOW = 16, 4
OPTIONS = ("rtol", "atol", "max_step", "dt", "every", "tol", "painleve", "max_changes", "ambiguous", "choices", "slip_scale")


def ensemble(
    system: Any,
    starts: Any,
    until: Any = None,
    *,
    start: Any = None,
    since: Any = None,
    method: Any = "auto",
    keep: Any = "final",
    on: Any = "threads",
    workers: int | None = None,
    chunk: int | None = None,
    store: Any = None,
    integrals: bool = False,
    max_steps: float = 10_000_000,
    wall_limit: float | None = None,
    progress: bool | None = None,
    verify: bool | int = False,
    **options: Any,
) -> Ensemble:
    """Many motions.

    Parameters
    ----------
    system: a system; what varies replaces numbers in its fields.
    starts: what varies: `Grid(D=[...], omega3=[...])`, `Samples(1000, "sobol", D=(0, 1))`, `Table(...)`, or {name: values} for a grid. A name is a
        parameter of the system, or "until", or else a number of the start; "phi(0)" is one in any case.
    until, since, start: as for `simulate`; what does not vary.
    method, and its options (rtol, dt, ...): as for `simulate`.
    keep: what is kept of each member: "final" (all states at the end), names of quantities (their values at the end), measures along the way
        (`First`, `Last`, `Count`, `Greatest`, `Least`, `Mean`, `Rms`), reducers (`ReversalTime`, `FrictionDemand`, `EnergyExponent`, `ShockRatio`,
        `Attractor`, which says itself how long motions last), `Path(at=[...])`, or {label: function of a motion}.
    on: "threads", "cuda" (GPUs; DOP853 on smooth equations, ends of time stepping, of impacts and of motions through modes), an Executor of `concurrent.futures`, or a `dask.distributed`
        Client. The numbers are the same, on a GPU up to rounding.
    workers: threads (default: one for each core). chunk: members computed at a time (default: about a second of work).
    store: a folder (or an address that fsspec knows) that keeps finished chunks; the same call goes on where it was broken off.
    integrals: whether the system's integrals are accumulated (they are if something of them is kept).
    max_steps, wall_limit: limits for each member; compilation does not count.
    verify: how many members (True: 8), spread over all, are simulated alone as well, with `verify=True`; `trust` then says by how much they differ, and what else
        was found. What tolerances do not explain makes the ensemble doubtful.

    A member that cannot be computed has its reason in `failures`, and nan for its numbers; the others go on.
    """
    task, definition, units = make_task(
        system, starts, until, start=start, since=since, method=method, keep=keep, integrals=integrals, max_steps=max_steps,
        wall_limit=wall_limit, **options,
    )  # fmt: skip
    looked_at = MEMBERS if verify is True else whole(verify, "verify", 0) if verify else 0
    if looked_at and isinstance(task, Settling):
        raise InputError(
            "verify does not judge attractors; keep numbers of the motions, or take two settling times and compare the maps."
        )
    place = Store(store) if store is not None else None
    elsewhere = on not in ("threads", "cuda")
    if on == "cuda":
        numbers = task.keep.path.times().size * len(task.state_names()) if task.keep.path is not None else 0
        if numbers > MOST_OF_ONE:
            raise InputError(
                f"on='cuda': a Path of {numbers} numbers is too long for a thread of a GPU, which has room for {MOST_OF_ONE}; take fewer times."
            )
        task.gpu, workers, chunk = True, Devices().places, chunk or at_once(task.members.count, numbers)
        hindered = what_hinders(task)
        if hindered:
            raise InputError(
                f"on='cuda' knows DOP853 on smooth equations with measures, the ends of time stepping with equal steps, of polygons that collide and of motions through modes; not {hindered}. "
                f"Take on='threads'."
            )
    if elsewhere:
        _refuse_unpicklable(task, on)
    began = time.perf_counter()
    with compiling("the motions", task.source.system):

        def guess() -> int:
            return _chunk_size(task, FAR_SECONDS if elsewhere or place is not None else SECONDS, workers)

        size = whole(chunk, "chunk", 1) if chunk is not None else None
        size = place.open(task, definition, size, guess) if place is not None else (size or guess())
        text = f"ensemble of {task.source.title}: {{t:.0f}} of {{end:.0f}}"
        found = compute(task, size, place, on, workers, progress, text)
    made = {**definition, "chunk": size, "seconds": time.perf_counter() - began}
    if isinstance(task, Settling):
        task, found, made["attractors"] = named_attractors(task, found)
    result = Ensemble(task, units, found, made)
    if looked_at:
        with compiling("the motions", task.source.system):
            result.trust = check_members(task, found, looked_at)
        if result.trust.doubts:
            warn_user(result.trust.after(result.message), MotionWarning)
    return result


def make_task(
    system: Any,
    starts: Any,
    until: Any = None,
    *,
    start: Any = None,
    since: Any = None,
    method: Any = "auto",
    keep: Any = "final",
    integrals: bool = False,
    max_steps: float = 10_000_000,
    wall_limit: float | None = None,
    **options: Any,
) -> tuple[Task, dict[str, Any], dict[str, str]]:
    """The work of an ensemble, checked; what defines it, in plain values; and the units of what varies."""
    source = system if hasattr(system, "make") and hasattr(system, "is_motion") else SystemSource(system)
    own = getattr(source, "start", None)
    if own and isinstance(start, (Mapping, type(None))):
        start = {**own, **(start or {})}  # a model's own, where nothing else is said
    given = as_members(starts)
    roles, units = roles_of(given.names, source, start)
    asked = [item for item in as_items(keep) if isinstance(item, Attractor)]
    if asked:
        keep = [item for item in as_items(keep) if not isinstance(item, Attractor)]
        until = _until_settled(asked, until, since, given.names, source)
    if until is None and "until" not in given.names and source.is_motion:
        raise InputError("until is missing: give the final time, e.g. until=20.0.")
    members = given.members(lambda name: units[name])
    for name in options:
        choose(name, OPTIONS, "option of an ensemble")
    set_ = {name: value for name, value in options.items() if value is not None}
    kept = keeping(keep, source.system if source.is_motion else None, bool(asked))
    summed = integrals or _needs_integrals(kept, source)
    task = Task(
        source,
        members,
        start,
        until,
        since,
        method,
        set_,
        kept,
        summed,
        positive(max_steps, "max_steps"),
        wall_limit,
        compute_members,
        False,
        roles,
    )
    if source.is_motion:
        task.method_for(source.system)  # refuses what cannot be
    _refuse_unknown(task)
    definition = {**task.stated(), "members": given.stated()}
    if asked:
        task, definition["keep"] = settling(task, asked[0]), [*definition["keep"], asked[0].stated()]
    return task, definition, units


def _until_settled(asked: list[Attractor], until: Any, since: Any, names: list[str], source: Any) -> float:
    """When motions end of which the attractor is asked."""
    if len(asked) > 1:
        raise InputError("one Attractor is kept of an ensemble; leave the others out.")
    if not source.is_motion:
        raise InputError(f"{source.title} goes from event to event and has no attractors of its states; leave Attractor out.")
    if until is not None or {"until", "since"} & {*names}:
        raise InputError("an Attractor says itself how long motions last (settle and watch); leave until out.")
    return (0.0 if since is None else number(since, "since", "s")) + sum(asked[0].times())


def _refuse_unknown(task: Task) -> None:
    """A name that varies and that nobody knows is an error of the call, not of its members."""
    if not task.source.is_motion:
        return
    values, start, _, _ = task.parts(0)
    try:
        state_vector(task.source.make(values), start)
    except InputError as error:
        unknown = [name for name, (role, inner) in task.roles.items() if role == "start" and repr(inner) in str(error)]
        if unknown and str(error).startswith("unknown"):
            known = fields_of(task.source.system) if isinstance(task.source.system, tuple) else []
            near = difflib.get_close_matches(unknown[0], known, 1, 0.6)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"{unknown[0]!r} is no parameter of {task.source.title} ({', '.join(known) or 'it has none'}) and no number of its "
                f"start.{hint} {str(error)[0].upper()}{str(error)[1:]}"
            ) from None


def _needs_integrals(kept: Any, source: Any) -> bool:
    named = {q.name for q in description(source.system).integrals} if source.is_motion else set()
    return any(m.what in named for m in kept.measures if isinstance(m.what, str))


def _refuse_unpicklable(task: Task, on: Any) -> None:
    """Say which function it is that cannot be sent to another process."""
    if is_dask(on) or type(on).__name__ == "ThreadPoolExecutor":
        return  # cloudpickle; or nothing is sent
    try:
        pickle.dumps(task)
    except Exception as error:
        raise InputError(
            f"this ensemble cannot be sent to other processes ({error}); a function in `keep` must be one of a module (a def, no lambda), and "
            f"so must the class of the system."
        ) from None


def _chunk_size(task: Task, seconds: float, workers: int | None) -> int:
    """Members that take about so many seconds, at most a share of all; some are computed to learn it, and kept in `task.done`."""
    count = task.members.count
    share = max(1, count // (8 * (workers or cores())))
    most, part = min(share, 65536), -(-count // (workers or cores()))
    if _go_abreast(task) and can_be_compiled(task):  # one alone takes as long as eight, and those that go abreast need company
        task.done[0] = task.chunk(0, min(WIDTH, count))  # compiles
        size = _size_in_bulk(task, seconds, most) if most > WIDTH else most
        return max(size, min((FAST if size == most else SLOW) * WIDTH, part))
    places = np.unique(np.linspace(0, count - 1, min(TRIED, count)).astype(int))
    taken = []
    for i in places.tolist():
        began = time.perf_counter()
        found = task.chunk(i, i + 1)
        taken.append(time.perf_counter() - began)
        if hasattr(task, "done"):
            task.done[i] = found
    each = float(np.median(taken[1:] or taken))  # the first one compiles
    size = max(1, min(int(seconds / max(each, 1e-6)), most))
    if size < most and can_be_compiled(task):
        size = _size_in_bulk(task, seconds, most)
    return size


def _go_abreast(task: Task) -> bool:
    """Whether motions of the system of a task can go abreast."""
    return bool(getattr(getattr(task, "source", None), "is_motion", False) and description(task.source.system).abreast)


def _size_in_bulk(task: Task, seconds: float, most: int) -> int:
    """Members of a compiled loop that take about so many seconds: one alone takes as long as the loop takes to begin, so more and more are tried, and kept."""
    size = 1
    while size < most:
        size = min(8 * size, most)
        new = int(np.count_nonzero(~task.known(0, size)))
        began = time.perf_counter()
        lot = task.chunk(0, size)
        taken = time.perf_counter() - began
        task.done[0] = lot
        if taken > seconds / 4.0 and new:
            return max(1, min(int(new * seconds / taken), most))
    return size
