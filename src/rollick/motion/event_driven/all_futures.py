"""All modes in which closed contacts can go on, where there is not exactly one: Painleve's paradoxes and forks. Every combination of modes is tried.

Of one contact all ways are known in closed form (`one_closed`), and of two the ways in which slip can begin (`filippov.algebra.futures`). Of more, the directions in which slip begins are
looked for by Newton's method from several starts in each combination.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.local_array import float64, int64, local_array
from ...mechanics.contact import contact_count, velocities
from ..contact.balance import force_count
from ..contact.held import OPEN, SLIP, STICK
from ..contact.uniqueness import futures_of_closed
from ..filippov.algebra.futures import MODE, PACE, WAY, WIDTH
from ..filippov.algebra.futures import MOST as FUTURES
from .beginning import STARTS, begin_along, find_directions
from .one_closed import WAYS, all_open, choose_way, ways_of_one
from .several_closed import (
    UNEVEN,
    copy_choice,
    count_closed,
    even_ones,
    is_neutral,
    is_tame,
    scales,
    take_up,
    tell_idle,
    try_choice,
    try_simple,
    try_swept,
)
from .sight import has_own_part, held_rows, slips
from .thresholds import LOOSE, SMALL

ROOM = 32  # futures at most


@compiled
def closed_pair(system, closed):
    """The first and the last closed contact."""
    first, last = -1, -1
    for k in range(contact_count(system)):
        if closed[k] > 0.0:
            first, last = (k if first < 0 else first), k
    return first, last


@compiled
def try_beginnings_of_two(system, code, m, tolerance, size, force, total, kept, motions, ranks):
    """Try what two closed contacts can do with slip that begins at one of them, or at both, the fastest first; how many motions there are then."""
    sight, trial = m.sight, m.trial
    rows, motion = local_array((FUTURES, WIDTH), float64), local_array(velocities(system), float64)
    first, last = closed_pair(system, m.closed)
    still = (not slips(sight, first), not slips(sight, last))
    found = futures_of_closed(code, first, last, still, sight.c, sight.A, sight.mu, sight.gamma, rows)
    for _ in range(found):
        fastest = 0
        for i in range(1, found):
            if rows[i, PACE] + rows[i, PACE + 1] > rows[fastest, PACE] + rows[fastest, PACE + 1]:
                fastest = i
        row = rows[fastest]
        if not row[PACE] + row[PACE + 1] > 0.0:
            return total
        all_open(system, trial)
        for i in range(2):
            k = first if i == 0 else last
            trial.modes[k] = row[MODE + i]
            if row[PACE + i] > 0.0:
                trial.begins[k] = 1
                trial.ways[2 * k], trial.ways[2 * k + 1] = row[WAY + 2 * i], row[WAY + 2 * i + 1]
        row[PACE] = row[PACE + 1] = -1.0
        rank = try_choice(system, sight, m.closed, trial, size, force, tolerance, motion)
        if rank >= 0.0:
            total = take_up(system, sight, total, kept, motions, ranks, trial, rank, motion, tolerance)
    return total


@compiled
def count_combinations(system, sight, closed):
    """How many combinations of modes there are, with slip that begins."""
    total = 1
    for k in range(contact_count(system)):
        if closed[k] > 0.0:
            total *= 2 if slips(sight, k) else 3
    return total


@compiled
def set_modes_with_slip(system, sight, closed, number, choice):
    """The modes of a combination, the last closed contact changing fastest: stick, slip, open, or slip and open of one that slips. Whether slip begins, where it is free to."""
    row_of = local_array(force_count(system), int64)
    all_open(system, choice)
    any_begins = False
    for k in range(contact_count(system) - 1, -1, -1):
        if not closed[k] > 0.0:
            continue
        if slips(sight, k):
            choice.modes[k] = SLIP if number % 2 == 0 else OPEN
            number //= 2
            continue
        choice.modes[k] = STICK if number % 3 == 0 else SLIP if number % 3 == 1 else OPEN
        if number % 3 == 1:
            choice.begins[k], any_begins = 1, True
        number //= 3
    m = held_rows(system, choice.modes, row_of)
    for k in range(contact_count(system)):
        if choice.begins[k] > 0.0 and not has_own_part(system, sight, row_of, m, 3 * k + 1, 2):
            return False
    return any_begins


@compiled
def try_beginnings(system, m, tolerance, size, force, total, kept, motions, ranks):
    """Try all combinations with slip that begins, its directions from several starts; how many motions there are then."""
    sight, closed, trial = m.sight, m.closed, m.trial
    motion = local_array(velocities(system), float64)
    scale = 1e-300
    for row in range(force_count(system)):
        scale = max(scale, abs(sight.c[row]))
    for number in range(count_combinations(system, sight, closed)):
        for start in range(2 + STARTS):
            if not set_modes_with_slip(system, sight, closed, number, trial):
                break
            begin_along(system, sight, trial, start)
            if find_directions(system, sight, trial, scale):
                rank = try_choice(system, sight, closed, trial, size, force, tolerance, motion)
                if rank >= 0.0:
                    total = take_up(system, sight, total, kept, motions, ranks, trial, rank, motion, tolerance)
    return total


@compiled
def motions_of_several(system, code, m, count, tolerance, kept, motions, ranks):
    """All motions of `count` closed contacts; how many."""
    size, force = scales(system, m.sight, m.closed)
    total = try_simple(system, m, tolerance, size, force, kept, motions, ranks)
    if count == 2:
        total = try_beginnings_of_two(system, code, m, tolerance, size, force, total, kept, motions, ranks)
        if total > 0:
            return total
    if total == 0:
        total = try_swept(system, m, tolerance, size, force, kept, motions, ranks)
    if total == 1 and not is_neutral(system, m.sight, m.closed, kept[0], size) and is_tame(system, m.sight, m.closed, kept[0]):
        return total
    total = try_beginnings(system, m, tolerance, size, force, total, kept, motions, ranks)
    for i in range(min(total, ROOM)):
        if is_neutral(system, m.sight, m.closed, kept[i], size):
            ranks[i] += UNEVEN  # where there are others, what hardly opens presses
    return total


@compiled
def sort_futures(system, total, kept, ranks, spare):
    """Put choices into the order of their ranks, those of one rank as they are."""
    for i in range(1, total):
        rank, place = ranks[i], i
        copy_choice(system, kept[i], spare)
        while place > 0 and ranks[place - 1] > rank:
            copy_choice(system, kept[place - 1], kept[place])
            ranks[place] = ranks[place - 1]
            place -= 1
        copy_choice(system, spare, kept[place])
        ranks[place] = rank


@compiled
def all_futures(system, code, m, kept):
    """All choices that are consistent with the contacts m.closed, as m.sight shows them, into `kept`, the best first; how many."""
    ways, ranks = local_array((WAYS, 3), float64), local_array(ROOM, float64)
    motions = local_array((ROOM, velocities(system)), float64)
    first, last = closed_pair(system, m.closed)
    if first == last:
        total = ways_of_one(system, m.sight, first, m.trial, ways)
        for i in range(total):
            choose_way(system, first, ways, i, kept[i])
        return total
    count, total = count_closed(system, m.closed), 0
    for tolerance in (SMALL, LOOSE):
        if total == 0:
            total = min(motions_of_several(system, code, m, count, tolerance, kept, motions, ranks), ROOM)
    sort_futures(system, total, kept, ranks, m.trial)
    total = even_ones(total, ranks)
    for i in range(total):
        tell_idle(system, m.sight, m.closed, kept[i])
    return total
