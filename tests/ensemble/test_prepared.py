"""Members made by columns against members made one by one: the same systems, starts and times to the last bit, the same refusals with the same reasons."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from rollick import Rattleback, describe, rate
from rollick.archetypes.many import ModelSource
from rollick.ensemble import Grid, Samples, Table
from rollick.ensemble.call import make_task
from rollick.ensemble.chunks.prepared import Preparation
from rollick.ensemble.forecast import Forecast
from rollick.ensemble.task import Chunk
from rollick.kernel.erased import PackedMany, PackedRows
from rollick.kernel.errors import InputError
from rollick.kernel.leaves import rows_of
from rollick.kernel.system import validate
from rollick.motion.events.erased import Watched
from rollick.motion.events.functions import StateLevel

BASE = {"alpha": "0.5deg", "beta": "0.5deg"}
RANDOM = np.random.default_rng(3)


class Spring(NamedTuple):
    """A part of a system."""

    k: float = 1.0
    kind: int = 0


class Cart(NamedTuple):
    """A system whose checks do what user's checks do: texts, logarithms, comparisons with other fields, limits that depend on a word."""

    m: float = 1.0
    spring: Spring = Spring()
    c: float = 0.1


describe(Cart, states={"x": "m", "v": "m/s"}, integrals={"path": "m"})


@rate.register(Cart)
def _(cart, t, y, out):
    out[0] = y[1]
    out[1] = -(cart.spring.k * y[0] + cart.c * y[1]) / cart.m


@validate.register(Cart)
def _(cart):
    if not cart.m > 0.0:
        raise InputError(f"m = {cart.m:g} must be above zero.")
    if cart.c * cart.c > 4.0 * cart.spring.k * cart.m:
        raise InputError(f"c = {cart.c!r} is overcritical.")
    if cart.m > 5.0 and math.log(cart.m) > 1.8:  # a column cannot say that
        raise InputError(f"m = {cart.m!r} is too heavy.")


def both(source, starts, until, **options):
    """Preparations with and without columns, and what they wrote of refused members."""
    made = []
    for lanes in (True, False):
        task, _, _ = make_task(source, starts, until, **options)
        count = task.members.count
        out = Chunk(np.zeros((count, 1)), np.zeros(count, np.int16), np.zeros(count), np.zeros(count, np.int64), None)
        made.append((Preparation(task, 0, np.arange(count), out, lanes=lanes), out))
    return made


def table(preparation):
    """All members in the order of their places: floats of the system, start, times."""
    rows = [np.hstack([g.places[:, None].astype(float), g.rows, g.starts, g.spans]) for g in preparation.groups]
    whole = np.vstack(rows)
    return whole[np.argsort(whole[:, 0])]


def agree(source, starts, until, **options):
    (columns, told), (alone, wanted) = both(source, starts, until, **options)
    assert np.array_equal(table(columns).view(np.int64), table(alone).view(np.int64))
    assert columns.left == alone.left
    assert told.reasons == wanted.reasons
    assert np.array_equal(told.status, wanted.status)
    by_columns = sum(g.places.size for g in columns.groups if g.systems is None)
    return by_columns, len(told.reasons)


def test_stones_with_impossible_ones_among_them():
    count = 400
    numbers = {
        "D": RANDOM.uniform(-2e-4, 2e-4, count), "h": RANDOM.uniform(0.0, 0.022, count), "C": RANDOM.uniform(1.4e-3, 1.85e-3, count),
        "a": RANDOM.choice([0.2, 0.25, 0.0, -0.1], count, p=[0.8, 0.15, 0.02, 0.03]), "omega3": RANDOM.uniform(-6.0, 6.0, count),
        "until": RANDOM.uniform(-1.0, 5.0, count),
    }  # fmt: skip
    made, refused = agree(Rattleback(), Table(numbers), None, start=BASE, method="dop853")
    assert made > 100
    assert refused > 50


def test_a_model_by_name_and_starts_in_a_list():
    made, _ = agree(ModelSource("rattleback"), Samples(50, "sobol", seed=1, D=(-4e-5, -1e-5), omega3=(-6.0, -4.0)), 3.0)
    assert made == 50
    listed = [0.01, 0.01, 0.0, 0.0, 0.0, -5.0]
    made, _ = agree(
        Rattleback(), Samples(50, "sobol", seed=1, ranges={"omega3(0)": (-6.0, -4.0), "sigma": (0.0, 1e-3)}), 3.0, start=listed
    )
    assert made == 50


def test_checks_of_a_user():
    grid = Grid({"m": np.linspace(-1.0, 8.0, 40), "k": [0.5, 2.0], "c": np.linspace(0.0, 4.0, 9), "x": [0.1]})
    made, refused = agree(Cart(), grid, 2.0, integrals=True)
    assert made > 50
    assert refused > 100


def test_a_system_that_has_its_own_way_to_start_is_made_one_by_one():
    source = ModelSource("tippedisk", {"form": "euler"})
    made, refused = agree(
        source, Grid(gamma=[-1.4, -1.3, -1.2, -1.1], beta=[1.5, 9.0]), 1.0, start={"alpha_rate": 40.0}, method="dop853"
    )
    assert made == 0
    assert refused == 4


def test_numbers_that_cannot_be_at_the_start_are_refused_as_one_by_one():
    values = np.array([-5.0, math.nan, -4.0, math.inf, -3.0, -2.0])
    task, _, _ = make_task(Rattleback(), Table(omega3=[-5.0] * 6), 3.0, start=BASE)
    task.members.columns["omega3"] = values
    found = []
    for lanes in (True, False):
        out = Chunk(np.zeros((6, 1)), np.zeros(6, np.int16), np.zeros(6), np.zeros(6, np.int64), None)
        ready = Preparation(task, 0, np.arange(6), out, lanes=lanes)
        found.append((table(ready).tolist(), out.reasons))
    assert found[0] == found[1]
    assert sorted(found[0][1]) == [1, 3]


def test_rows_lie_in_memory_as_systems_do():
    carts = [Cart(m, Spring(k, 3), c) for m, k, c in RANDOM.uniform(0.1, 2.0, (5, 3)).tolist()]
    rows = rows_of(carts)
    assert np.array_equal(PackedRows(carts[0], rows).bytes, PackedMany(carts).bytes)
    looked_at = StateLevel(1, 0.25)
    many = PackedMany([Watched(looked_at, cart) for cart in carts])
    assert np.array_equal(PackedRows(carts[0], rows, lambda cart: Watched(looked_at, cart)).bytes, many.bytes)


def test_whole_numbers_part_groups_that_share_a_template():
    task, _, _ = make_task(Cart(), Grid(m=[1.0, 2.0]), 1.0)
    carts = iter([Cart(1.0, Spring(1.0, 0)), Cart(2.0, Spring(1.0, 7))])
    task.source.make = lambda values: next(carts)
    out = Chunk(np.zeros((2, 1)), np.zeros(2, np.int16), np.zeros(2), np.zeros(2, np.int64), None)
    assert [g.places.tolist() for g in Preparation(task, 0, np.arange(2), out, share=True).groups] == [[0], [1]]


def test_members_are_put_in_the_order_of_their_steps():
    x = RANDOM.uniform(-1.0, 1.0, (2000, 3))
    steps = 500.0 + 80.0 * x[:, 0] - 60.0 * x[:, 1] ** 2
    forecast = Forecast()
    assert forecast.order(x) is None
    forecast.learn(x[:1000], steps[:1000])
    order = forecast.order(x[1000:])
    assert np.all(np.diff(steps[1000:][order]) <= 1e-6)


@pytest.mark.parametrize("count", [2, 5])
def test_members_that_were_tried_are_not_computed_again(count, monkeypatch):
    from rollick.ensemble import ensemble
    from rollick.ensemble.task import Task

    computed = []
    plain = Task.chunk

    def chunk(self, first, last):
        computed.extend(i for i in range(first, last) if i not in self.done)
        return plain(self, first, last)

    monkeypatch.setattr(Task, "chunk", chunk)
    source = ModelSource("polygon", {"n": 3, "max_impacts": 20})
    found = ensemble(source, {"rho": np.linspace(0.2, 0.4, count)}, keep=["h"])
    assert sorted(computed) == list(range(count))
    assert np.isfinite(found["h"]).all()
