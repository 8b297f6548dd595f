"""All futures of closed contacts at random instants: what compiled code lists is what the judge in Python finds, which shares no code with it."""

import numpy as np
import pytest
from motion.judge.consistent import verdict
from motion.judge.seen import View

from rollick import Body, Coulomb, Sphere, sliding
from rollick.mechanics.surfaces import wall
from rollick.motion.contact.by_address import MODES, ByAddress
from rollick.motion.event_driven.all_futures import all_futures
from rollick.motion.event_driven.memory import memory, room_for_futures
from rollick.motion.event_driven.thresholds import STILL
from rollick.motion.filippov.algebra.code import futures_code

NORMALS = [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)]


def among_walls(count):
    """A ball among so many walls, by its address."""
    ball = Body.from_inertia(1.0, (0.4, 0.4, 0.4), Sphere(0.1))
    walls = [(wall(n, (0.0, 0.0, 0.0)), Coulomb(0.5)) for n in NORMALS[:count]]
    return ByAddress(sliding(ball, on=walls) if count > 1 else sliding(ball, law=Coulomb(0.5)), MODES, any_size=True)


def fill(m, count, rng):
    """Random contacts of a rigid body into the memory of a motion: rows W of contacts that face a wall each, a mass of its own, forces that press, much friction."""
    W, mass = np.zeros((3 * count, 6)), np.diag(10.0 ** rng.uniform(-1.0, 1.0, 6))
    for k in range(count):
        n = rng.normal(size=3)
        t = np.cross(n, rng.normal(size=3))
        frame = [v / np.linalg.norm(v) for v in (n, t, np.cross(n, t))]
        at = rng.normal(size=3)
        W[3 * k : 3 * k + 3] = [np.append(v, np.cross(at, v)) for v in frame]
    lift = np.linalg.solve(mass, W.T).T
    slips = rng.random(count) < 0.3
    m.sight.A[:], m.sight.lift[:] = 0.0, 0.0
    m.sight.A[: 3 * count, : 3 * count] = W @ lift.T
    m.sight.lift[: 3 * count, :6] = lift
    m.sight.c[: 3 * count] = W @ rng.normal(size=6)
    m.sight.c[: 3 * count : 3] -= (
        rng.uniform(0.0, 3.0) if count < 3 else 0.0
    )  # of three contacts and more the rows depend on each other
    m.sight.gamma[:] = 0.0
    for k in np.flatnonzero(slips):
        m.sight.gamma[3 * k + 1 : 3 * k + 3] = rng.normal(size=2)
    m.sight.mu[:count], m.sight.still[:count] = rng.uniform(0.0, 2.5, count), STILL
    m.closed[:count] = 1.0


def seen_by_judge(m, count):
    """The same for the judge."""
    rows, s = 3 * count, m.sight
    parts = s.gamma[:rows].reshape(-1, 3), s.c[:rows].reshape(-1, 3), s.A[:rows, :rows], s.lift[:rows, :6]
    return View(s.gaps[:count].copy(), s.mu[:count].copy(), *(p.copy() for p in parts), np.zeros(13), s.still[:count].copy())


def listed(kept, count):
    """Futures as tuples: modes, and the directions in which slip begins."""
    return [
        (
            tuple(row.modes[:count].astype(int).tolist()),
            {k: row.ways[2 * k : 2 * k + 2] for k in range(count) if row.begins[k] > 0.0},
        )
        for row in kept
    ]


def is_among(one, others):
    """Whether a future is in a list."""
    return any(
        one[0] == other[0]
        and one[1].keys() == other[1].keys()
        and all(np.abs(one[1][k] - other[1][k]).max() < 1e-6 for k in one[1])
        for other in others
    )


def disagreements(count, seeds):
    """Instants at which the two lists differ, and how many futures there were."""
    by_address = among_walls(count)
    code, m, room, totals, wrong = futures_code(min(count, 2)), memory(by_address.body), room_for_futures(by_address.body), [], []
    for seed in seeds:
        fill(m, count, np.random.default_rng([seed, count]))
        expected = verdict(seen_by_judge(m, count), tuple(range(count)))
        theirs = [
            (tuple(c.modes[k] for k in range(count)), {k: np.asarray(w) for k, w in c.ways.items()}) for c in expected.choices
        ]
        ours = listed(room[: all_futures(by_address.body, code, m, room)], count)
        totals.append(len(ours))
        if len(ours) != len(theirs) or not all(is_among(one, theirs) for one in ours):
            wrong.append((seed, ours, theirs))
    return wrong, totals


@pytest.mark.parametrize(("count", "total"), [(1, 600), (2, 300)])
def test_what_one_and_two_contacts_can_do_is_what_the_judge_finds(count, total):
    wrong, totals = disagreements(count, range(total))
    assert wrong == []
    assert {0, 1} <= set(totals)
    assert max(totals) > 1


@pytest.mark.slow
@pytest.mark.parametrize(("count", "total"), [(1, 5000), (2, 3000), (3, 60), (4, 6)])
def test_what_contacts_can_do_at_thousands_of_instants(count, total):
    wrong, totals = disagreements(count, range(10_000, 10_000 + total))
    assert wrong == []
    assert max(totals) > 1
