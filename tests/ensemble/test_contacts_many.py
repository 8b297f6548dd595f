"""Members of ensembles from event to event in compiled code, against `simulate` and, for single decisions, against Python's automaton."""

import sys
from pathlib import Path as File

import numpy as np
import pytest
from motion.judge.consistent import of_one
from motion.judge.seen import View
from struck_bodies import BOX_START, EGG_START, EGGS, box, boxes, egg, eggs

from rollick import Body, Coulomb, Ellipsoid, Sphere, sliding
from rollick.ensemble import Greatest, Grid, Path, ensemble
from rollick.ensemble.call import make_task
from rollick.ensemble.chunks.compiled_chunk import can_be_compiled, what_hinders
from rollick.ensemble.chunks.contacts import GroupOfContacts
from rollick.ensemble.chunks.one_by_one import simulate_member
from rollick.ensemble.keep import Final
from rollick.ensemble.task import WORDS
from rollick.mechanics.surfaces import Plane, Shaken, Swing
from rollick.motion.contact.held import OPEN, SLIP, STICK
from rollick.motion.event_driven import follow
from rollick.motion.event_driven.guards import BEFORE, MIDDLE, is_plain
from rollick.motion.event_driven.memory import memory
from rollick.motion.event_driven.one_closed import ASK, TAKEN, decide_one
from rollick.motion.event_driven.thresholds import STILL
from rollick.motion.methods import EventDriven

sys.path.append(str(File(__file__).parent.parent / "motion"))


def seen_by_python(sight):
    """A view of one contact for Python."""
    return View(
        sight.gaps, sight.mu, sight.gamma.reshape(-1, 3), sight.c.reshape(-1, 3), sight.A, sight.lift, sight.free, sight.still
    )


def test_what_one_contact_does_is_decided_as_python_decides():
    system, rng = egg(), np.random.default_rng(5)
    m = memory(system)
    seen = {OPEN: 0, SLIP: 0, STICK: 0, "asked": 0}
    for _ in range(2000):
        root = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-1.0, 1.0, 3)
        m.sight.A[:] = root @ root.T
        m.sight.c[:] = rng.normal(size=3) * [1.0, 10.0 ** rng.uniform(-2.0, 1.0), 1.0]
        m.sight.gamma[:] = 0.0, *(rng.normal(size=2) if rng.random() < 0.3 else (0.0, 0.0))
        m.sight.mu[:], m.sight.still[:] = rng.uniform(0.0, 1.5), STILL
        expected = of_one(seen_by_python(m.sight), 0)
        status = decide_one(system, m.sight, 0, m.choice)
        if len(expected.choices) != 1:
            assert status == ASK
            seen["asked"] += 1
            continue
        assert status == TAKEN
        choice = expected.choices[0]
        assert m.choice.modes[0] == choice.modes[0]
        assert (m.choice.begins[0] > 0.0) == (0 in choice.ways)
        if 0 in choice.ways:
            assert np.abs(m.choice.ways - choice.ways[0]).max() < 1e-7
        seen[choice.modes[0]] += 1
    assert min(seen.values()) > 20


@pytest.fixture
def many(monkeypatch):
    """Few members count as many, and those that are computed one by one are noted."""
    asked = []

    def noted(task, i, *rest):
        asked.append(i)
        simulate_member(task, i, *rest)

    monkeypatch.setattr("rollick.ensemble.chunks.compiled_chunk.simulate_member", noted)

    def run(system, starts, *rest, few=False, **options):
        monkeypatch.setattr("rollick.ensemble.chunks.contacts.MANY", 10**9 if few else 0)
        asked.clear()
        made = ensemble(system, starts, *rest, method="event-driven", progress=False, **options)
        return made, len(asked)

    return run


KEPT = ["final", "energy", Final(lambda system, t, y: y[2] + t, name="f")]


def test_an_ensemble_of_many_is_one_of_few_bit_for_bit(many):
    given = egg(), eggs(12), 0.6
    here, alone = many(*given, start=EGG_START, keep=KEPT, few=True)
    there, asked = many(*given, start=EGG_START, keep=KEPT)
    assert (alone, asked) == (12, 0)
    assert np.array_equal(here.found.status, there.found.status)
    assert np.array_equal(here.found.time, there.found.time)
    assert np.array_equal(here.found.values, there.found.values)
    assert there.found.steps.min() > 0


def test_starts_alone_may_differ(many):
    given = egg(), Grid(gap=[0.0, 0.03, 0.1]), 0.3
    here, _ = many(*given, start=EGG_START, few=True)
    there, asked = many(*given, start=EGG_START)
    assert asked == 0
    assert np.abs(here.found.values - there.found.values).max() < 1e-9


def test_what_compiled_code_leaves_is_told_as_alone(many):
    given = egg(), eggs(4), 0.6
    here, _ = many(*given, start=EGG_START, max_changes=2, few=True)
    there, asked = many(*given, start=EGG_START, max_changes=2)
    assert asked == 4
    assert there.found.reasons == here.found.reasons
    assert np.array_equal(here.found.status, there.found.status)
    assert "max_steps" in {WORDS[k] for k in there.found.status}


def test_options_of_the_method_count(many):
    given = egg(), eggs(3), 0.3
    loose, asked = many(*given, start=EGG_START, rtol=1e-6)
    close, more = many(*given, start=EGG_START, rtol=1e-6, max_step=1e-3)
    assert asked == more == 0
    assert close.found.steps.min() > 290 > loose.found.steps.max()


def test_what_is_kept_decides_whether_compiled_code_will_do(monkeypatch):
    monkeypatch.setattr("rollick.ensemble.chunks.contacts.MANY", 0)

    def task_of(keep, gpu=False, **options):
        task, _, _ = make_task(egg(), eggs(4), 0.1, start=EGG_START, method="event-driven", keep=keep, **options)
        task.gpu = gpu
        return task

    assert can_be_compiled(task_of("final"))
    assert what_hinders(task_of("final", gpu=True)) == ""
    for keep in (Path([0.05]), Greatest("omega1")):
        assert not can_be_compiled(task_of(keep))
        assert "event to event" in what_hinders(task_of(keep, gpu=True))
    monkeypatch.setattr("rollick.ensemble.chunks.contacts.MANY", 5)
    assert not can_be_compiled(task_of("final"))
    assert can_be_compiled(task_of("final", gpu=True))


def test_surfaces_that_move_and_slips_that_are_stiff_are_followed_bit_for_bit(many):
    """Radau IIA takes over in members as it does in motions of their own."""
    body = Body.from_inertia(1.0, (0.008, 0.007, 0.005), Ellipsoid(0.12, 0.1, 0.08))
    shaken = sliding(body, on=[(Shaken(Plane(), Swing(0.01, 6.0), (1.0, 0.0, 0.0)), Coulomb(0.3), 0.5)])
    given = shaken, Grid(gap=[0.0, 0.01, 0.02, 0.03]), 1.0
    start = EGG_START | {"vx": 0.0, "vy": 0.0, "omega1": 0.1, "omega2": 0.2, "omega3": 0.3}
    here, alone = many(*given, start=start, few=True)
    there, asked = many(*given, start=start)
    assert (alone, asked) == (4, 0)
    assert np.array_equal(here.found.values, there.found.values)
    assert there.found.steps.max() < 3000


def test_what_may_have_been_below_between_two_places_is_not_plain():
    """Two straight pieces that meet below zero, somewhere between the places, are never taken for straight."""
    rng, seen = np.random.default_rng(3), 0
    for _ in range(20_000):
        down, up, where, depth = (
            rng.exponential(),
            rng.exponential() * 10.0 ** rng.uniform(-2.0, 2.0),
            rng.random(),
            rng.exponential(),
        )
        at = np.array([0.0, MIDDLE, 1.0])
        g = np.where(at < where, down * (where - at), up * (at - where)) - depth * rng.uniform(0.0, 0.5)
        if g.min() > 0.0:
            seen += 1
            values = np.zeros((4, 1))
            values[BEFORE, 0], values[2, 0], values[3, 0] = g
            assert not is_plain(values, 2, 3, 1, 0, 0.0)
    assert seen > 100


def test_on_gpus_dry_members_are_not_looked_at_for_stiffness():
    task, _, _ = make_task(egg(), eggs(4), 0.1, start=EGG_START, method="event-driven")
    from rollick.ensemble.chunks.prepared import Preparation
    from rollick.ensemble.task import Chunk

    out = Chunk(np.zeros((4, 13)), np.zeros(4, np.int16), np.zeros(4), np.zeros(4, np.int64), None)
    group = Preparation(task, 0, np.arange(4), out).groups[0]
    made = GroupOfContacts(task, EventDriven(), group)
    assert made.options[follow.STIFF] == 1.0
    contacts_kernel = pytest.importorskip("rollick.ensemble.gpu.contacts_kernel")
    assert contacts_kernel.GroupOfContactsOnGPU(task, EventDriven(), group).options[follow.STIFF] == 0.0
    assert made.options[follow.RTOL] == 1e-9
    assert set(EGGS) <= set(task.members.columns)


@pytest.mark.slow
def test_boxes_on_four_feet_are_the_same(many):
    given = box(), boxes(16), 1.0
    here, _ = many(*given, start=BOX_START, few=True)
    there, asked = many(*given, start=BOX_START)
    assert asked <= 1
    off = np.abs(here.found.values - there.found.values)
    assert np.median(off) < 1e-10
    assert off.max() < 1e-6


def test_gpus_ask_which_method_several_dry_contacts_get():
    """The kernel from event to event of several contacts compiles for many minutes: nobody gets it without asking."""
    feet = [(0.05, 0.05, -0.02), (-0.05, 0.05, -0.02), (0.0, -0.05, -0.02)]
    body = Body.from_inertia(1.0, (0.01, 0.01, 0.01), Sphere(0.1))
    for more, method, told in (
        ({"feet": feet}, "auto", "give method='moreau'"),
        ({"feet": feet}, "event-driven", ""),
        ({}, "auto", ""),
    ):
        task, _, _ = make_task(sliding(body, law=Coulomb(0.3), **more), Grid(gap=[0.0, 0.01]), 0.1, method=method)
        task.gpu = True
        assert told in what_hinders(task)
        assert bool(told) == bool(what_hinders(task))
