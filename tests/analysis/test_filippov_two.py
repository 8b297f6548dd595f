"""Extended Filippov systems, codimension two: limit fields, directions by two routes, spirals, sliding vectors."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rollick import InputError
from rollick.analysis.filippov import (
    ExtendedSwitching,
    LimitField,
    circulation,
    classified,
    harmonic_field,
    limit_directions,
    sliding_vector,
)
from rollick.archetypes.filippov import pool_ball, toy
from rollick.archetypes.filippov.pool_ball import critical_speed

TURN = 2 * np.pi


def angles(directions):
    return np.array([d.angle for d in directions])


@pytest.mark.parametrize("route", ["sampling", "quartic"])
@pytest.mark.parametrize(
    ("x3", "radial", "kind", "rate"), [(0.5, (-0.5, -1.5), "attracting sliding", -1.0), (1.5, (0.5, -2.5), "crossing", -3.0)]
)
def test_the_toy_system(route, x3, radial, kind, rate):
    """E2."""
    point = toy().at([0, 0, x3], route)
    np.testing.assert_allclose(angles(point.directions), [0, np.pi], atol=1e-14)
    np.testing.assert_allclose([d.radial for d in point.directions], radial, atol=1e-14)
    assert point.kind == kind
    sliding = point.sliding()
    np.testing.assert_allclose(sliding.value, [0, 0, rate], atol=1e-13)
    np.testing.assert_allclose(sliding.weights, [x3, 0], atol=1e-13)
    assert sliding.convex == (x3 < 1)
    assert point.future == ("stays" if x3 < 1 else "leaves along one orbit")
    assert toy().at([0, 0, 1.0], route).kind == "tangency"


@pytest.mark.parametrize("route", ["sampling", "quartic"])
def test_the_printed_variant_crosses_although_a_convex_combination_is_tangent(route):
    point = toy(+1).at([0, 0, 0.5], route)
    tilt = np.arccos(0.25)
    np.testing.assert_allclose(angles(point.directions), [0, tilt, np.pi, TURN - tilt], atol=1e-14)
    np.testing.assert_allclose([d.radial for d in point.directions], [-0.5, 1.0, -1.5, 1.0], atol=1e-13)
    assert point.kind == "crossing"
    assert point.future == "not unique"
    assert point.sliding().convex


def test_the_pool_ball_and_its_critical_speed():
    """E3: v_crit = 7 mu g m/(2K), F_s = -5Kv/(7m), directions along and against v, orbits arrive against v."""
    m, K, mu, g = 1.2, 0.4, 0.13, 9.81
    ball, limit = pool_ball(m, K, mu, g), critical_speed(m, K, mu, g)
    assert limit == pytest.approx(7 * mu * g * m / (2 * K))
    v = np.array([0.6, -0.8])
    for speed, kind in ((0.5, "attracting sliding"), (1 - 1e-8, "attracting sliding"), (1 + 1e-8, "crossing")):
        w = speed * limit * v
        point = ball.at([0, 0, *w])
        assert point.kind == kind
        along = np.arctan2(*v[::-1]) % TURN
        np.testing.assert_allclose(sorted(angles(point.directions)), sorted([along, (along + np.pi) % TURN]), atol=1e-12)
        node = next(d for d in point.directions if abs(d.angle - along) > 1)
        assert node.slope < 0
        np.testing.assert_allclose(point.sliding().value, [0, 0, *(-5 * K / (7 * m) * w)], rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(point.sliding().weights, -2 * K / (7 * m * mu * g) * w, rtol=1e-12)
    still = ball.at([0, 0, 0, 0])
    assert still.isotropic
    assert still.kind == "attracting sliding"
    assert ball.at([0, 0, *(1.5 * limit * v)]).departure.angle == pytest.approx((along + np.pi) % TURN)
    drifting = pool_ball(m, K, mu, g, flow=(2.0, 1.0)).at([0, 0, 2.0 + w[0], 1.0 + w[1]])
    np.testing.assert_allclose(drifting.sliding().value, point.sliding().value, rtol=1e-12, atol=1e-13)


def compare(c, M):
    """Both routes give the same directions; positions may differ by the rounding of V over its slope."""
    limit = harmonic_field(c, M)
    one, two = limit_directions(limit, "sampling"), limit_directions(limit, "quartic")
    assert len(one) == len(two)
    for a, b in zip(one, two):
        apart = abs((a.angle - b.angle + np.pi) % TURN - np.pi)
        if a.multiplicity == b.multiplicity == 2:  # a minimum: half of the digits
            assert apart < 1e-6
        else:
            assert apart * abs(b.slope) <= 2e-14 * limit.scale
        assert (a.does, a.kind, a.multiplicity) == (b.does, b.kind, b.multiplicity)
    return len(one)


def random_fields(seed, count):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield rng.normal(size=2) * 10 ** rng.uniform(-3, 1), rng.normal(size=(2, 2))


def test_sampling_and_quartic_agree():
    counts = [compare(c, M) for c, M in random_fields(1, 200)]
    assert set(counts) == {0, 2, 4}


@pytest.mark.slow
def test_sampling_and_quartic_agree_on_ten_thousand_fields():
    counts = [compare(c, M) for c, M in random_fields(2, 10_000)]
    assert set(counts) == {0, 2, 4}


@pytest.mark.parametrize("delta", [1e-2, 1e-4, 1e-6, 1e-9, 1e-11, 1e-13, 0.0, -1e-13, -1e-11, -1e-9, -1e-6, -1e-4])
@pytest.mark.parametrize("at", [0.0, 1.0])
def test_near_double_directions(delta, at):
    """V = cos(phi - at) - 1 + delta: two zeros, one double one, or none; 1e-12 of the size is the resolution of both routes."""
    c = np.array([-np.sin(at), np.cos(at)])
    M = np.array([[-0.5, 1 - delta], [delta - 1, -0.5]])
    count = compare(c, M)
    assert count == (2 if delta > 1e-11 / 2 else 0 if delta < -1e-11 / 2 else 1)
    if delta >= 1e-9:
        found = angles(limit_directions(harmonic_field(c, M), "quartic"))
        expected = (at + np.array([-1, 1]) * 2 * np.arcsin(np.sqrt(delta / 2))) % TURN
        np.testing.assert_allclose(sorted(found), sorted(expected), atol=3e-16 / np.sqrt(delta) * 10)


def test_three_directions_that_nearly_coincide():
    """V = sin(2 phi)/2 - (1 + delta) sin(phi) has a nearly triple zero at 0: one for delta > 0, three for delta < 0."""
    for delta, count in ((1e-3, 2), (1e-5, 2), (-1e-5, 4), (-1e-3, 4)):
        assert compare(np.array([1 + delta, 0.0]), np.array([[-1.0, 0.0], [0.0, 0.0]])) == count


def test_radial_speeds_that_are_eigenvalues():
    """c = 0: the eigenvectors, both ways; c in the range of the singular matrix: two directions for one R; M = 1: +-c."""
    assert compare(np.zeros(2), np.array([[2.0, 1.0], [0.0, -1.0]])) == 4
    assert compare(np.array([0.3, 0.0]), np.diag([-1.0, 2.0])) == 4
    found = limit_directions(harmonic_field([0.3, 0.0], np.diag([-1.0, 2.0])), "quartic")
    assert sum(abs(d.radial - 2.0) < 1e-12 for d in found) == 2
    assert compare(np.array([0.3, 0.4]), np.eye(2)) == 2
    for route in ("sampling", "quartic"):
        assert limit_directions(harmonic_field([0, 0], -np.eye(2)), route) is None


def test_friction_that_dissipates_slides_inside_its_cone_and_has_one_escape_outside():
    """The lemma: -M with positive definite symmetric part: attracting sliding iff a^2 + b^2 < 1, else one repelling direction, a saddle."""
    rng = np.random.default_rng(3)
    for _ in range(150):
        L = rng.normal(size=(2, 2))
        M = -(L @ L.T + 0.05 * np.eye(2)) + rng.normal() * np.array([[0, 1], [-1, 0]])
        weights = rng.normal(size=2)
        if abs(weights @ weights - 1) < 1e-6:
            continue
        point = classified(harmonic_field(-M @ weights, M))
        if weights @ weights < 1:
            assert point.kind in ("attracting sliding", "attracting spiral")
        else:
            assert point.kind == "crossing"
            assert point.future == "leaves along one orbit"
        assert point.sliding().convex == (weights @ weights < 1)


def spiral_field(mean):
    radial, around = (
        (lambda p: mean + 0.5 * np.cos(p) + 0.1 * np.sin(3 * p)),
        (lambda p: 1.0 + 0.4 * np.sin(p) - 0.2 * np.cos(2 * p)),
    )

    def field(x):
        p = np.arctan2(x[1], x[0])
        return np.array([radial(p) * np.cos(p) - around(p) * np.sin(p), radial(p) * np.sin(p) + around(p) * np.cos(p)])

    return ExtendedSwitching(field, lambda x: x[0], lambda x: x[1])


@pytest.mark.parametrize(("mean", "both_ways"), [(-0.3, True), (0.25, False), pytest.param(0.25, True, marks=pytest.mark.slow)])
def test_spirals_against_direct_integration(mean, both_ways):
    """One turn multiplies radius and duration by e^I; the way does not matter."""
    system = spiral_field(mean)
    point = system.at([0.0, 0.0])
    assert point.directions == []
    assert point.kind == ("attracting spiral" if mean < 0.1 and point.circulation < 0 else "repelling spiral")
    cross = lambda t, x: x[1]
    cross.direction = 1.0
    near = lambda t, x: np.hypot(*x) - 1e-6  # it is reached in finite time, after infinitely many turns: stop before
    near.terminal = True
    motion = solve_ivp(lambda t, x: system.field(x), (0, 4000), [1.0, -1e-9], events=[cross, near], rtol=1e-11, atol=1e-15)
    turns = motion.t_events[0]
    radii = np.hypot(*motion.y_events[0].T)
    assert len(turns) >= 4
    np.testing.assert_allclose(np.log(radii[2] / radii[1]), point.circulation, atol=1e-8)
    np.testing.assert_allclose((turns[3] - turns[2]) / (turns[2] - turns[1]), np.exp(point.circulation), rtol=1e-8)
    if both_ways:
        mirrored = LimitField(np.zeros(2), np.eye(2), lambda p: point.limit.star(-p) * [1.0, -1.0])
        assert circulation(mirrored) == pytest.approx(point.circulation, abs=1e-12)


def test_the_limit_is_extrapolated_with_an_error_that_covers_it():
    x3 = 0.37
    system = toy()
    plain = ExtendedSwitching(lambda x: system.field(x) + np.array([x[0] + x[1] ** 2, np.sin(x[0]), x[1]]), system.H1, system.H2)
    limit = plain.limit_field([0.0, 0.0, x3])
    given = system.limit_field([0.0, 0.0, x3])
    apart = np.abs(limit.samples - given.samples).max()
    assert apart <= 20 * limit.error + 1e-15
    assert limit.error < 1e-10
    assert plain.at([0, 0, x3]).kind == "attracting sliding"
    np.testing.assert_allclose(angles(plain.at([0, 0, x3], "sampling").directions), [0, np.pi], atol=1e-9)


@pytest.mark.parametrize("wild", [lambda r: np.sin(1 / r), np.log, lambda r: 1 / r, lambda r: np.sqrt(r)])
def test_a_limit_that_does_not_exist_or_is_not_found_is_refused(wild):
    field = lambda x: np.array([-x[0], -x[1]]) / np.hypot(*x[:2]) * (1 + wild(np.hypot(*x[:2])))
    with pytest.raises(InputError, match="no limit to the tolerance"):
        ExtendedSwitching(field, lambda x: x[0], lambda x: x[1]).at([0.0, 0.0])


def test_skew_gradients_are_orthonormalised():
    system = toy()
    skew = ExtendedSwitching(system.field, lambda x: 2 * x[0], lambda x: x[0] + 3 * x[1])
    np.testing.assert_allclose(skew.normals([0, 0, 0.5]), [[1, 0, 0], [0, 1, 0]], atol=1e-15)
    np.testing.assert_allclose(skew.sliding_vector([0, 0, 0.5]).value, [0, 0, -1.0], atol=1e-9)


def test_sliding_vectors_that_are_sets_none_or_refused():
    star = lambda p: np.stack([-np.cos(p), -np.sin(p), np.cos(2 * p), 3 + 0 * p], axis=-1)
    normals = np.eye(2, 4)
    found = sliding_vector(LimitField(np.zeros(4), normals, star))
    assert (found.kind, found.rank) == ("set-valued", 3)
    np.testing.assert_allclose(found.lower, [0, 0, -1, 3], atol=1e-4)  # the samples are 720 directions: inner bounds
    np.testing.assert_allclose(found.upper, [0, 0, 1, 3], atol=1e-4)
    away = sliding_vector(LimitField(np.zeros(4), normals, lambda p: star(p) + np.array([5.0, 0, 0, 0])))
    assert away.kind == "none"
    with pytest.raises(InputError, match="continuous"):
        sliding_vector(LimitField(np.zeros(2), np.eye(2), lambda p: np.ones((p.size, 2))))


def test_what_is_refused_by_name():
    with pytest.raises(InputError, match="not on the discontinuity set: H2"):
        toy().at([0, 0.1, 0.5])
    with pytest.raises(InputError, match="parallel"):
        ExtendedSwitching(toy().field, lambda x: x[0], lambda x: 2 * x[0]).at([0, 0, 0.5])
    with pytest.raises(InputError, match="the quartic does not apply"):
        spiral_field(0.1).at([0.0, 0.0], "quartic")
    with pytest.raises(InputError, match="there are limit directions"):
        circulation(toy().limit_field([0, 0, 0.5]))
    with pytest.raises(InputError, match="unknown route"):
        toy().at([0, 0, 0.5], "guess")
    with pytest.raises(InputError, match="sign must be"):
        toy(2)
