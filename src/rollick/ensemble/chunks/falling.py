"""Members that go from impact to impact (`motion.impacts`): their ends, in compiled code, as far as it can decide how they end.

A sequence that comes into lasting contact, or to impacts at several points at once, is computed one by one.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from ...kernel.names import InputError, choose, number
from ...motion.impacts import loop as c
from ...motion.impacts.collide import NAMES, RECORDED, UNITS
from ...motion.impacts.fall import TRAIL, fall_members, fresh
from ...motion.impacts.pattern import LONGEST, REPEATS, repeated_words
from ...motion.impacts.phases import DEEP, chatters, log_energy, scaled
from ...motion.result.outcome import SEQUENCE_ENDS
from ..keep import FINAL
from ..task import WORDS, Chunk, Task

KNOWN = (*NAMES, "point")  # what is known of the last impact without a record of it
LOOKED_AT = LONGEST * REPEATS  # impacts in which a repeated word is looked for
_told = functools.lru_cache(4096)(chatters)  # many members repeat the same few words
SMALL = 1e-12  # of the size of q: how far a point may start below the plane


def is_known(task: Task) -> bool:
    """Whether the members go from impact to impact as `collide` does."""
    about = getattr(task.source, "falling", lambda system: None)
    return about(task.source.system) is not None


def falls(task: Task) -> bool:
    """Whether the members go from impact to impact, and only numbers of their last impacts are kept."""
    if not is_known(task) or task.options or task.method != "auto" or task.since is not None:
        return False
    return (
        all(m.code == FINAL and m.what in KNOWN for m in task.keep.measures)
        and not task.keep.functions
        and task.keep.path is None
    )


class FallingChunk:
    """Members at some places of a chunk that begins with the member `first`."""

    def __init__(self, task: Task, first: int, places: np.ndarray):
        self.task, self.first, self.places = task, first, places

    def run(self, out: Chunk) -> list[int]:
        """Compute the members; the places of those that have to be followed by themselves."""
        names = [name for name, (role, _) in self.task.roles.items() if role != "start"]
        columns = [self.task.members.columns[name][self.first + self.places].tolist() for name in names]
        numbers: dict[Any, int] = {}  # of bodies, by what varies of them
        which = np.zeros(self.places.size, int)
        bodies: list[dict[str, Any]] = []
        for k, key in enumerate(zip(*columns) if columns else ((),) * self.places.size):
            if key not in numbers:
                numbers[key] = len(bodies)
                bodies.append(self.body(int(self.first + self.places[k])))
            which[k] = numbers[key]
        kinds: dict[Any, list[int]] = {}
        for j, body in enumerate(bodies):
            shape = (body["plate"].count, body["max_impacts"], body["until"], body["rule"]) if body else None
            kinds.setdefault(shape, []).append(j)
        starts, left = self.starts(), []
        for shape, members in kinds.items():
            own = np.full(len(bodies), -1)
            own[members] = np.arange(len(members))
            inside = np.flatnonzero(own[which] >= 0)
            if starts is None or shape is None:
                left += self.places[inside].tolist()
            else:
                chosen = [bodies[j] for j in members]
                left += self.run_kind(chosen, own[which[inside]], self.places[inside], starts[inside], out)
        return sorted(left)

    def body(self, i: int) -> dict[str, Any]:
        """Plate, gamma, g, max_impacts, rule and until of a member; empty if it cannot be made."""
        values, _, _, until = self.task.parts(i)
        try:
            made = self.task.source.falling(self.task.source.make(values))
            limit = math.inf if until is None or until == math.inf else number(until, "until", "s")
        except InputError:
            return {}
        if (
            not limit > 0.0
            or made["max_impacts"] > RECORDED
            or not 0.0 <= made["gamma"] <= 1.0
            or made["g"] < 0.0
            or made["plate"].count > 127
        ):
            return {}
        return {**made, "until": limit}

    def starts(self) -> np.ndarray | None:
        """(q, p) at the start, a row each; None if they cannot be read all at once."""
        task = self.task
        given: dict[str, Any] = dict(task.start or {})
        for name, (role, inner) in task.roles.items():
            if role == "start":
                given[inner] = task.members.columns[name][self.first + self.places]
        y = np.zeros((self.places.size, 6))
        try:
            for name, value in given.items():
                j = NAMES.index(choose(name, NAMES, "coordinate"))
                y[:, j] = value if isinstance(value, np.ndarray) else number(value, name, UNITS[j])
        except (InputError, ValueError):
            return None
        return y

    def run_kind(
        self, bodies: list[dict[str, Any]], own: np.ndarray, places: np.ndarray, starts: np.ndarray, out: Chunk
    ) -> list[int]:
        """Members with equally many points and the same limits; `own` says which body is whose."""
        lead = bodies[0]
        f = np.array([np.ascontiguousarray(body["plate"].f) for body in bodies])
        w = np.array([np.ascontiguousarray(body["plate"].w) for body in bodies])
        numbers = np.array([[body["gamma"], body["g"]] for body in bodies])
        heights = np.einsum("ijk,ik->ij", f[own], starts[:, :3]) if len(bodies) > 1 else starts[:, :3] @ f[0].T
        clear = heights.min(axis=1) > -0.5 * SMALL * np.abs(starts[:, :3]).max(
            axis=1
        )  # what is near the limit is left to `collide`
        good = np.flatnonzero(clear & np.isfinite(starts).all(axis=1) & (lead["plate"].count > 2))
        left = np.delete(places, good).tolist()
        if good.size == 0:
            return left
        states, wholes = fresh(starts[good])
        tie = -1.0 if lead["rule"] == "sequential" else 1e-12
        if self.task.gpu:
            from ..gpu.impact_kernel import fall_on_gpu

            states, wholes, codes, trails = fall_on_gpu(
                f, w, numbers, own[good], states, wholes, lead["max_impacts"], lead["until"], tie
            )
        else:
            codes, trails = np.zeros(good.size, np.int64), np.zeros((good.size, TRAIL, 1), np.int8)
            fall_members(f, w, numbers, own[good], states, wholes, lead["max_impacts"], lead["until"], tie, trails, codes)
        return left + self.keep(bodies, own[good], places[good], starts[good], states, wholes, codes, trails, out)

    def keep(
        self, bodies: Any, own: Any, places: Any, starts: Any, states: Any, wholes: Any, codes: Any, trails: Any, out: Chunk
    ) -> list[int]:
        """Write what is kept of members that ended; the places of those that did not."""
        words = np.full(codes.size, -1)
        words[codes == c.LEAVES] = WORDS.index("ICC")
        words[codes == c.REST] = WORDS.index("rest")
        words[codes == c.TIME] = WORDS.index("time")
        full = np.flatnonzero(codes == c.FULL)
        if full.size:
            known_words = np.array([WORDS.index("CC"), WORDS.index("max_impacts")])
            words[full] = known_words[
                ran_out(bodies, own[full], starts[full], states[full], wholes[full], trails[full, :, 0]).astype(int)
            ]
        good = np.flatnonzero(words >= 0)
        here = places[good]
        coordinates = np.ldexp(states[good, :6], wholes[good][:, [c.EXPONENT_Q] * 3 + [c.EXPONENT_P] * 3].astype(np.int32))
        known = {name: coordinates[:, j] for j, name in enumerate(NAMES)} | {"point": wholes[good, c.LAST].astype(float)}
        met = wholes[good, c.COUNT] > 0
        for j, m in enumerate(self.task.keep.measures):
            out.values[here, j] = np.where(met, known[str(m.what)], np.nan)
        out.status[here], out.steps[here] = words[good], wholes[good, c.COUNT]
        unit = np.ldexp(1.0, np.clip(wholes[good, c.EXPONENT_Q] - wholes[good, c.EXPONENT_P], -3000, 1000).astype(np.int32))
        times, until = states[good, 6], bodies[0]["until"]
        over = words[good] == WORDS.index("time")
        with np.errstate(invalid="ignore", divide="ignore"):
            out.time[here] = np.where(over, times + (until - times) / unit * unit, times)
        for j in np.unique(words[good]).tolist():
            out.reasons |= dict.fromkeys(here[words[good] == j].tolist(), f"{SEQUENCE_ENDS[WORDS[j]]}.")
        never = here[(words[good] == WORDS.index("ICC")) & ~met]
        out.reasons |= dict.fromkeys(never.tolist(), "no point approaches the plane: the body flies away.")
        return np.delete(places, good).tolist()


def ran_out(
    bodies: list[dict[str, Any]], own: np.ndarray, starts: np.ndarray, s: np.ndarray, k: np.ndarray, trails: np.ndarray
) -> np.ndarray:
    """Whether nothing is decided (max_impacts, and not CC), for members whose impacts were all used."""
    theta = np.array([body["plate"].theta for body in bodies])[own]
    weight = np.array([body["plate"].mass * body["g"] for body in bodies])[own]
    e_q, e_p = k[:, c.EXPONENT_Q], k[:, c.EXPONENT_P]
    with np.errstate(all="ignore"):
        first = np.log(0.5 * (starts[:, 3:] ** 2 * theta).sum(axis=1) + weight * starts[:, 2])
        now = (
            0.5 * (s[:, 3:6] ** 2 * theta).sum(axis=1)
            + np.ldexp(weight, np.minimum(e_q - 2 * e_p, 1000).astype(np.int32)) * s[:, 2]
        )
        lost = first - np.where(now > 0.0, np.log(now) + 2.0 * math.log(2.0) * e_p, -np.inf)
    undecided = lost <= DEEP
    close = np.flatnonzero(np.abs(lost - DEEP) < 1e-6)
    for i in close.tolist():  # as `phases` has it, to the last bit
        body, shift = bodies[own[i]], int(e_q[i] - 2 * e_p[i])
        before = log_energy(body["plate"], body["g"], starts[i, :3], starts[i, 3:], 0)
        undecided[i] = before - log_energy(body["plate"], scaled(body["g"], shift), s[i, :3], s[i, 3:6], int(e_p[i])) <= DEEP
    count = int(k[0, c.COUNT])  # all have had equally many impacts
    turn = count % TRAIL if count >= TRAIL else 0
    trails = np.concatenate([trails[:, turn:], trails[:, :turn]], axis=1)[:, : min(count, TRAIL)][:, -LOOKED_AT:]
    decided = np.flatnonzero(~undecided)
    words = repeated_words(trails[decided])
    flat = np.logical_not(s[decided, :3].any(axis=1))
    for i, j, word, lies in zip(decided.tolist(), own[decided].tolist(), words, flat.tolist()):
        body = bodies[j]
        undecided[i] = _told(body["plate"], body["gamma"], word if body["g"] == 0.0 else (), lies) == "max_impacts"
    return undecided
