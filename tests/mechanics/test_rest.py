"""Rest positions: against theory, and counted."""

import math

import numpy as np
import pytest

from rollick import Body, Ellipsoid, Rattleback, Sphere, Sum, Superellipsoid, Torus, turned
from rollick.archetypes.rattleback import rest_frequencies
from rollick.mechanics.rest import rest_positions, rest_report
from rollick.mechanics.shapes.hull import box_corners, convex_hull


def body(shape, centre=(0.0, 0.0, 0.0), inertia=(2e-3, 3e-3, 4e-3)):
    return Body.from_inertia(1.0, inertia, shape, centre)


def test_frequencies_are_those_of_the_rattleback():
    stone = Rattleback()
    inertia = [[stone.A, -stone.D, 0.0], [-stone.D, stone.B, 0.0], [0.0, 0.0, stone.C]]
    lowest = rest_positions(body(Ellipsoid(stone.a, stone.b, stone.c), (0.0, 0.0, -stone.h), inertia))[0]
    assert lowest.stable
    assert lowest.height == pytest.approx(stone.c - stone.h)
    assert lowest.frequencies == pytest.approx(rest_frequencies(stone), rel=1e-9)


def test_marble_oscillates_faster_than_rubber_when_the_inertia_is_skewed():
    skewed = body(Ellipsoid(0.2, 0.1, 0.05), inertia=[[2e-3, 0.0, 5e-4], [0.0, 3e-3, 0.0], [5e-4, 0.0, 4e-3]])
    marble, rubber = (rest_report(skewed, 9.81, pivots)[0][0] for pivots in (True, False))
    assert min(marble.frequencies) > 1.005 * min(rubber.frequencies)  # pivoting lowers the inertia of this mode
    hinged = 9.81 * (0.2**2 / 0.05 - 0.05) / (3e-3 + 0.05**2)  # about e2, where nothing is skewed
    assert any(w == pytest.approx(math.sqrt(hinged)) for w in rubber.frequencies)


@pytest.mark.parametrize(
    ("shape", "centre", "kinds"),
    [
        (Ellipsoid(0.3, 0.2, 0.1), (0.0, 0.0, 0.0), {"minimum": 2, "saddle": 2, "maximum": 2}),
        (Ellipsoid(0.3, 0.2, 0.19), (0.0, 0.0, -0.15), None),
        (Sphere(0.1), (0.02, 0.0, 0.03), {"minimum": 1, "maximum": 1}),
        (Sphere(0.1), (0.0, 0.0, 0.0), {"indifferent: every attitude": 1}),
        (Ellipsoid(0.2, 0.2, 0.1), (0.0, 0.0, 0.0), {"minimum": 2, "a circle of maxima": 1}),
        (Ellipsoid(0.1, 0.1, 0.2), (0.0, 0.0, 0.0), {"a circle of minima": 1, "maximum": 2}),
        (Torus(0.1, 0.02), (0.0, 0.0, 0.0), {"lying flat on a circle": 2, "a circle of maxima": 1}),
        (Torus(0.1, 0.02), (0.01, 0.0, 0.0), {"lying flat on a circle": 2, "maximum": 1, "saddle": 1}),
        (Sum(Superellipsoid(0.3, 0.2, 0.1, 1.6), Sphere(0.02)), (0.0, 0.0, 0.0), None),
    ],
)
def test_all_rest_positions_are_found(shape, centre, kinds):
    found, closed = rest_report(body(shape, centre))
    assert closed
    names = [rest.kind for rest in found]
    if kinds is not None:
        assert {name: names.count(name) for name in set(names)} == kinds
    lowest = min(found, key=lambda rest: rest.height)
    assert lowest.stable


def test_turning_the_shape_turns_the_rest_positions():
    plain = rest_positions(body(Ellipsoid(0.3, 0.2, 0.1)))
    turn = turned(Ellipsoid(0.3, 0.2, 0.1), ((1.0, 2.0, 3.0), 0.7))
    inertia = np.array(turn.rotation) @ np.diag((2e-3, 3e-3, 4e-3)) @ np.array(turn.rotation).T
    others = rest_positions(body(turn, inertia=inertia))
    for one, other in zip(plain, others):
        assert one.height == pytest.approx(other.height)
        assert one.frequencies == pytest.approx(other.frequencies, rel=1e-8)
    assert abs(np.array(turn.rotation)[:, 2] @ np.array(others[0].down)) == pytest.approx(1.0)


def test_a_block_rests_on_faces_edges_and_corners():
    block = body(convex_hull(box_corners(0.04, 0.06, 0.12)))
    found, closed = rest_report(block)
    assert closed
    assert [rest.stable for rest in found].count(True) == 6
    assert sum("edge" in rest.kind for rest in found) == 12
    assert sum("corner)" in rest.kind for rest in found) == 8
    assert [found[k].height for k in (0, -1)] == pytest.approx([0.02, math.hypot(0.02, 0.03, 0.06)])
    top_heavy = body(convex_hull(box_corners(0.04, 0.04, 0.12)), (0.0, 0.0, 0.05))
    found, closed = rest_report(top_heavy)
    assert closed
    assert next(round(r.height, 6) for r in found if r.stable) == 0.01  # on its heavy end


def test_rounded_corners_rest_higher():
    sharp = rest_positions(body(convex_hull(box_corners(0.04, 0.06, 0.12))))
    rounded = rest_positions(body(Sum(convex_hull(box_corners(0.04, 0.06, 0.12)), Sphere(0.005))))
    assert [r.height for r in rounded] == pytest.approx([r.height + 0.005 for r in sharp])
