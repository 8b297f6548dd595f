"""Columns that pass for floats: the same arithmetic, parted where floats would go different ways, given up where they cannot follow."""

import math

import numpy as np
import pytest

from rollick.kernel.lanes import MOST_RUNS, as_float, by_lane, in_lanes, is_finite

X = np.array([0.5, -1.25, 3.0, 1e-9, 7.0, -0.0, 1e300, 2.0**-1074])
Y = np.array([2.0, 3.0, -0.7, 1e9, 0.1, 5.0, 1e10, 3.0])


def by_floats(work, **columns):
    """What the function makes of floats, one lane after the other; None where it raises."""
    found = []
    for row in zip(*(c.tolist() for c in columns.values())):
        try:
            found.append(work(dict(zip(columns, row))))
        except Exception:
            found.append(None)
    return found


def by_lanes(work, **columns):
    """The same by columns, and the places that were given up."""
    done, left = in_lanes(columns, len(next(iter(columns.values()))), work)
    found = [None] * sum(len(places) for places, _ in done) + [None] * len(left)
    for places, value in done:
        values = value.values if hasattr(type(value), "journey") else [value] * len(places)
        for place, v in zip(places.tolist(), values):
            found[place] = float(v) if isinstance(v, float) else v
    return found, set(left.tolist())


def bits(value):
    return value if value is None else np.float64(value).view(np.int64)


@pytest.mark.parametrize(
    "work",
    [
        lambda v: v["x"] + v["y"] * 2.0 - 1,
        lambda v: (v["x"] - v["y"]) / (v["y"] * v["y"]),
        lambda v: -abs(v["x"]) + 1.0 / v["y"],
        lambda v: v["x"] ** 3,
        lambda v: by_lane(math.hypot, v["x"], 2.0),
        lambda v: max(v["x"], v["y"], 0.3),
        lambda v: 1.0 / (v["x"] - 3.0) + v["x"] * 1e200,
        lambda v: v["x"] if v["x"] > 1.0 else v["y"],
        lambda v: as_float(v["x"]) * as_float(3),
    ],
)
def test_lanes_compute_what_floats_compute_to_the_last_bit(work):
    found, left = by_lanes(work, x=X, y=Y)
    expected = by_floats(work, x=X, y=Y)
    assert [bits(f) for k, f in enumerate(found) if k not in left] == [bits(e) for k, e in enumerate(expected) if k not in left]
    assert left == {k for k, e in enumerate(expected) if e is None}  # 1e300 cubed overflows, which floats refuse; 1/0 as well


def test_lanes_part_where_they_disagree():
    def work(v):
        if v["x"] < 0.0:
            return 1.0
        return 2.0 if v["y"] >= 5.0 and v["x"] != 0.0 else 3.0

    found, left = by_lanes(work, x=X, y=Y)
    assert not left
    assert found == by_floats(work, x=X, y=Y)


@pytest.mark.parametrize(
    "work",
    [
        lambda v: f"{v['x']:g}",
        lambda v: math.sqrt(v["x"]),
        lambda v: v["x"] / 0.0,
        lambda v: 1.0 / (v["x"] - v["x"]),
        lambda v: int(v["x"]),
        lambda v: np.float64(v["x"]) + 1.0,
        lambda v: np.array([v["x"]], float),
        lambda v: {v["x"]: 1},
        lambda v: v["x"].is_integer(),
        lambda v: v["x"] % 2.0,
        lambda v: np.sqrt(v["x"]),
    ],
)
def test_what_a_column_cannot_do_is_left_to_floats(work):
    _, left = by_lanes(work, x=X, y=Y)
    assert left == set(range(X.size))


def test_giving_up_cannot_be_swallowed():
    """Somebody who guards against all errors must not turn what a column cannot do into an answer."""

    def careful(v):
        try:
            return float(v["x"])
        except BaseException:
            return 0.0

    def parted(v):
        try:
            return 1.0 if v["x"] > 0.0 else 2.0
        except BaseException:
            return 3.0

    for work in (careful, parted):
        assert by_lanes(work, x=X, y=Y)[1] == set(range(X.size))


def test_a_column_passes_for_a_float_where_types_are_asked():
    found, left = by_lanes(lambda v: 1.0 if isinstance(v["x"], float) and not isinstance(v["x"], (int, str)) else 2.0, x=X)
    assert not left
    assert set(found) == {1.0}


def test_finite_or_not():
    x = np.array([1.0, math.nan, math.inf, -2.0])
    found, left = by_lanes(lambda v: 1.0 if is_finite(v["x"]) else 0.0, x=x)
    assert not left
    assert found == [1.0, 0.0, 0.0, 1.0]


def test_too_many_parts_are_left():
    x = np.arange(200.0)

    def work(v):
        for k in range(200):
            if v["x"] == k:
                return float(k)
        return -1.0

    found, left = by_lanes(work, x=x)
    assert 0 < len(left) < 200
    assert sum(f is not None for f in found) <= MOST_RUNS
    assert all(found[k] == k for k in range(200) if k not in left)
