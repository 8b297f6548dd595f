"""Members eight abreast: the numbers of each are its own, to the last bit, whoever goes beside it and wherever it goes; and those of `simulate` up to rounding."""

import platform
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest
from round_off import round_off

from rollick import Rattleback, simulate
from rollick.ensemble import Count, Path, Table, ensemble
from rollick.ensemble.chunks import abreast, compiled_chunk
from rollick.kernel import absolute, atan2, cos, exp, log, maximum, minimum, sincos, sqrt, tanh
from rollick.kernel.abreast import WIDTH
from rollick.kernel.system import describe, rate

STATES = ("alpha", "beta", "gamma", "omega1", "omega2", "omega3")
OPTIONS = {"rtol": 1e-9, "atol": 1e-12, "progress": False}
STONE = Rattleback()


def columns(count, seed=1):
    """Random stones: starts and parameters."""
    rng = np.random.default_rng(seed)
    tilts = {f"{name}(0)": rng.uniform(-0.03, 0.03, count) for name in ("alpha", "beta")}
    turns = {f"{name}(0)": rng.uniform(-0.3, 0.3, count) for name in ("gamma", "omega1", "omega2")}
    return {
        **tilts, **turns, "omega3(0)": rng.uniform(-6.0, 6.0, count), "D": STONE.D * rng.uniform(0.2, 1.0, count),
        "sigma": rng.uniform(0.0, 1e-3, count),
    }  # fmt: skip


def together(table, until=1.0, **more):
    options = {"method": "dop853", "workers": 1, "chunk": len(next(iter(table.values()))), **OPTIONS, **more}
    return ensemble(STONE, Table(table), until, **options)


def numbers(found):
    """All that is known of members, a row each, to be compared bit by bit."""
    return np.column_stack([found.found.values, found.found.steps, found.found.status, found.found.time])


def chosen(table, which):
    return {name: np.asarray(column)[which] for name, column in table.items()}


@pytest.fixture(scope="module")
def crowd():
    """Stones in full company: 53 are six groups of eight and five more."""
    table = columns(53)
    return table, numbers(together(table))


@pytest.fixture
def ways(monkeypatch):
    """How many members went abreast, and how many one after the other."""
    taken = {"abreast": 0, "alone": 0}
    for way, name, place in (("abreast", "run_abreast", 2), ("alone", "run_members", 1)):
        plain = getattr(compiled_chunk, name)

        def counted(*arguments, way=way, plain=plain, place=place):
            taken[way] += arguments[place].size
            return plain(*arguments)

        monkeypatch.setattr(compiled_chunk, name, counted)
    return taken


def test_no_chunk_thread_or_executor_changes_a_bit(crowd, ways):
    table, whole = crowd
    for more in (
        {"chunk": 1},
        {"chunk": 3},
        {"chunk": 8},
        {"chunk": 17},
        {"chunk": 5, "workers": 2},
        {"chunk": None, "workers": 2},
    ):
        assert np.array_equal(numbers(together(table, **more)), whole), more
    with ThreadPoolExecutor(2) as pool:
        assert np.array_equal(numbers(together(table, chunk=7, on=pool)), whole)
    assert ways == {"abreast": 7 * 53, "alone": 0}


def test_neither_place_nor_neighbours_nor_being_alone_change_a_bit(crowd):
    table, whole = crowd
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(53)
        assert np.array_equal(numbers(together(chosen(table, order))), whole[order])
    for j in range(WIDTH):  # the same stone at all places, beside others
        order = np.array([(7 * j + i) % 53 for i in range(WIDTH)])
        order[j] = 4
        assert np.array_equal(numbers(together(chosen(table, order))), whole[order])
    for i in (0, 30, 52):
        assert np.array_equal(numbers(together(chosen(table, [i])))[0], whole[i])


def test_a_resumed_store_has_the_same_bits(crowd, tmp_path):
    table, whole = crowd
    for chunk in (5, 20):
        store = tmp_path / f"{chunk}.zarr"
        together(table, chunk=chunk, store=store)
        (store / "done" / "00000001.json").unlink()
        assert np.array_equal(numbers(together(table, chunk=chunk, store=store)), whole)


def test_two_hundred_stones_are_those_of_simulate():
    """Up to rounding, and after the same steps; with other times, backwards too, and of no length."""
    count = 200
    table = columns(count, 5)
    table["until"] = np.random.default_rng(6).choice([-0.5, 0.0, 0.3, 1.0], count)
    many = together(table, None, keep=["final", "energy"])
    assert many.statuses == {"finished": count}
    own, nudged, steps = [], [], []
    for i in range(count):
        stone = STONE._replace(D=table["D"][i], sigma=table["sigma"][i])
        start = np.array([table[f"{name}(0)"][i] for name in STATES])
        for y, kept in ((start, own), (np.nextafter(start, np.inf), nudged)):
            motion = simulate(stone, y, table["until"][i], method="dop853", integrals=False, **OPTIONS)
            kept.append([*motion.end_state, motion["energy"][-1]])
            if kept is own:
                steps.append(motion.provenance["steps"])
    apart = np.abs(many.found.values - own)
    assert np.all(apart <= round_off(own, nudged)), (apart / round_off(own, nudged)).max()
    assert np.array_equal(many["steps"], steps)
    # Here the compiler fuses the same sums of one stone and of eight. That is no law, but a change should be noticed.
    if platform.machine() == "x86_64":
        assert np.array_equal(many.found.values, own)


@pytest.mark.filterwarnings("ignore:.*taken as radians")
def test_members_that_end_badly_do_not_disturb_the_others(crowd):
    """Numbers that overflow, a start that is no motion, angles beyond the reach of polynomials, times of no length, and too few steps."""
    table, whole = crowd
    strange = {
        "omega3(0)": {3: 1e200, 11: 1e307}, "alpha(0)": {5: 3e5, 20: -1.7e8, 27: 1e300}, "omega1(0)": {13: -1e160}, "D": {40: 1e308}, "beta(0)": {29: np.pi / 2},
    }  # fmt: skip
    mixed = {name: np.array(column) for name, column in table.items()}
    touched = np.zeros(53, bool)
    for name, changes in strange.items():
        for i, value in changes.items():
            mixed[name][i], touched[i] = value, True
    many = numbers(together(mixed, max_steps=3000))
    assert np.array_equal(many[~touched], whole[~touched])
    alone = np.vstack([numbers(together(chosen(mixed, [i]), max_steps=3000)) for i in np.flatnonzero(touched)])
    assert np.array_equal(many[touched], alone, equal_nan=True)
    told = together(mixed, max_steps=3000).failures
    assert {f["member"] for f in told} <= set(np.flatnonzero(touched)), told
    assert len(told) >= 3
    assert all(f["reason"] for f in told)


def test_members_that_run_out_of_steps_beside_others(crowd):
    table, whole = crowd
    limit = int(np.sort(whole[:, 6])[26])  # about half of them reach their end
    few = numbers(together(table, max_steps=limit))
    ended = few[:, 7] == 0
    assert 5 < np.count_nonzero(ended) < 48
    assert np.array_equal(few[ended], whole[ended])
    assert together(table, max_steps=limit).statuses["max_steps"] == np.count_nonzero(~ended)


@pytest.mark.parametrize(
    "more", [{"keep": ["final", Count("omega3")]}, {"keep": ["final", Path([0.1, 0.2])]}, {"integrals": True}]
)
def test_what_lanes_do_not_know_goes_one_after_the_other_all_of_it(crowd, ways, more):
    """To the last bit as `simulate`, and so, with the same steps, up to rounding as abreast."""
    table, whole = crowd
    found = together(chosen(table, slice(0, 20)), chunk=9, **more)
    assert ways == {"abreast": 0, "alone": 20}
    start = [table[f"{name}(0)"][3] for name in STATES]
    stone = STONE._replace(D=table["D"][3], sigma=table["sigma"][3])
    motion = simulate(stone, start, 1.0, method="dop853", integrals="integrals" in more, **OPTIONS)
    assert np.array_equal(found.found.values[3, :6], motion.end_state)
    if "integrals" not in more:  # these take part in the choice of steps
        assert np.allclose(found.found.values[:, :6], whole[:20, :6], rtol=0.0, atol=1e-10)


class Mixed(NamedTuple):
    """All functions that a rate may call, some of them of large arguments, and a pole."""

    a: float = 1.0
    b: float = 0.5
    far: float = 0.0
    pole: float = 50.0
    stiff: float = 0.0


@rate.register(Mixed)
def _(p, t, y, out):
    s, c = sincos(y[0] + p.far)
    out[0] = y[1] + 0.1 * exp(-y[0] * y[0]) * cos(p.b * t) - 0.05 * atan2(s, c + 1.5)
    out[1] = (
        -p.a * s
        - 0.1 * maximum(y[1], 0.3 * y[0]) * sqrt(1.0 + absolute(y[0]))
        + minimum(0.2 * tanh(y[0]), log(2.0 + y[1] * y[1]))
    )
    out[2] = 1.0 / (p.pole - t) - p.stiff * (y[2] - c)


describe(Mixed, {"x": "", "v": "", "z": ""}, abreast=True)


@pytest.mark.slow
def test_all_functions_poles_and_stiffness(monkeypatch):
    """A member that meets its pole, or becomes stiff, is asked for by itself, and the others are not disturbed: chunks of all sizes give the same bits."""
    count = 30
    rng = np.random.default_rng(2)
    table = {"a": rng.uniform(0.5, 4.0, count), "b": rng.uniform(0.1, 2.0, count), "far": rng.choice([0.0, 3.0, -2e5], count)}
    table |= {"pole": rng.choice([50.0, 2.5], count), "stiff": rng.choice([0.0, 1e4], count), "x(0)": rng.normal(size=count)}

    def call(chunk, **more):
        options = {"rtol": 1e-8, "atol": 1e-10, "max_steps": 3000, "progress": False, "workers": 1, **more}
        return ensemble(Mixed(), Table(table), 6.0, start={"v": 0.3}, method="auto", chunk=chunk, **options)

    many = call(30)
    for chunk in (1, 4, 11):
        assert np.array_equal(numbers(call(chunk)), numbers(many), equal_nan=True)
    with monkeypatch.context() as patch:
        patch.setattr(compiled_chunk, "can_go_abreast", lambda system, integrals: False)
        one = call(30)
    assert many.statuses == one.statuses
    assert {"finished"} < set(many.statuses)
    # At corners of this rate another rounding is another place of a step, whose error there is far above rtol.
    assert np.allclose(many.found.values, one.found.values, rtol=0.0, atol=1e-5, equal_nan=True)
    apart = np.abs(many.found.values - one.found.values).max(axis=1)
    assert np.nanmedian(apart) < 1e-12


class Branching(NamedTuple):
    """A system that says it has no branches, and has one."""

    a: float = 1.0


@rate.register(Branching)
def _(p, t, y, out):
    out[0] = -p.a if y[0] > 0.0 else p.a * y[0]


describe(Branching, {"x": ""}, abreast=True)


@pytest.mark.slow
def test_what_cannot_go_abreast_goes_one_after_the_other(ways):
    slopes = np.linspace(0.5, 1.0, 20)
    many = ensemble(Branching(), {"a": slopes}, 0.5, start={"x": 1.0}, method="dop853", progress=False, workers=1, chunk=7)
    assert Branching in abreast._refused
    assert ways == {"abreast": 0, "alone": 20}
    assert np.allclose(many["x"], 1.0 - 0.5 * slopes, rtol=1e-12)
