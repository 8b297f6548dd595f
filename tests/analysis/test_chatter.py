"""Chatter: closed forms against matrices, cones against sampled motions, proofs that can fail, verdicts."""

import math

import numpy as np
import pytest

from rollick import InputError
from rollick.analysis.chatter import (
    best_word,
    classify,
    classify_plate,
    effective_cone,
    hub_limit,
    known_limits,
    pair_limit,
    partial_limit,
    regular_limit,
    rho_max,
    search_for_words,
    simulated_limit,
    word_limit,
)
from rollick.analysis.chatter.certify import add, certified, divide, exact, facets, map_interval, times
from rollick.analysis.chatter.cone import construct, flat_drop
from rollick.analysis.chatter.escape import all_escape
from rollick.analysis.chatter.simulated import LEAVES, chatter_map, outcomes, random_starts
from rollick.analysis.chatter.spectrum import characteristic, cubic, discriminant, dominance, step_map
from rollick.analysis.chatter.square import image_margin, square_cone
from rollick.analysis.chatter.succession import edge, functional, generators, half_spaces
from rollick.analysis.chatter.words import necklaces, points_of, witness
from rollick.archetypes.rod import RodTheory, rod
from rollick.mechanics.plate import plate, regular
from rollick.motion.impacts.collide import collide
from rollick.motion.impacts.pattern import self_similar


def test_the_rod_in_closed_form():
    rng = np.random.default_rng(1)
    for _ in range(500):
        theory = RodTheory(float(rng.uniform(0.01, 3.0)), float(rng.uniform(0.0, 1.0)))
        high, low = theory.eigenvalues
        assert abs(high + low - np.trace(theory.U0P)) < 1e-14
        assert abs(high * low - theory.gamma) < 1e-14
        if theory.chatters:
            for slope, value in ((theory.a_max, high), (theory.a_min, low)):
                p = np.array([slope, -1.0])
                assert np.allclose(theory.U0P @ p, value.real * p, rtol=0, atol=2e-14 * slope)
            assert theory.regime == "positive"
            assert pair_limit(theory.mu) == pytest.approx(((1 - theory.rho) / (1 + theory.rho)) ** 2, rel=1e-12)
    with pytest.raises(InputError, match="no complete chatter"):
        _ = RodTheory(0.9, 0.5).a_min


def test_cubic_discriminant_and_limit_case():
    rng = np.random.default_rng(2)
    for _ in range(200):
        n, rho, gamma = int(rng.integers(3, 30)), float(rng.uniform(0.02, 2)), float(rng.uniform(0, 1))
        M = step_map(n, rho, gamma, -1)
        assert np.allclose(characteristic(M), cubic(n, rho, gamma), atol=1e-14)
        roots = np.linalg.eigvals(M)
        product = math.prod(((roots[i] - roots[j]) ** 2 for i in range(3) for j in range(i)), start=1.0)
        assert discriminant(cubic(n, rho, gamma)) == pytest.approx(product.real, abs=1e-12)
    for n in (3, 4, 5, 6, 10):
        r = rho_max(n)
        assert dominance(cubic(n, r * (1 - 1e-6), 1e-13))[0]
        assert not dominance(cubic(n, r * (1 + 1e-6), 1e-13))[0]
        assert math.isnan(regular_limit(n, r * 1.01)) or n == 3


@pytest.mark.parametrize("n", [3, 4, 5, 7])
def test_succession_cones_hold_exactly_what_they_should(n):
    """Random flights from point 0 to point j have velocities in C_j; the generators are limits of such flights."""
    rng = np.random.default_rng(n)
    f = regular(n, 0.3).f
    for j in range(1, n):
        spaces = half_spaces(n, j)
        assert np.min(generators(n, j) @ spaces.T) > -1e-12
        for _ in range(200):
            a, b = rng.uniform(size=2), rng.uniform(size=2)
            q = a[0] * edge(n, -1) + a[1] * edge(n, 0)
            target = b[0] * edge(n, j - 1) + b[1] * edge(n, j)
            p = target - q
            assert np.min(f @ q) > -1e-12
            assert abs(functional(n, j) @ target) < 1e-12
            if p[2] < 0:
                assert np.min(spaces @ p) > -1e-12
    counts = np.zeros(n, int)
    for _ in range(3000):  # and a flight goes only where C_j allows
        q = rng.uniform() * edge(n, -1) + rng.uniform() * edge(n, 0)
        p = rng.normal(size=3)
        v = f @ p
        if v[0] <= 0 or p[2] >= 0:
            continue
        times_ = [(-(f[j] @ q) / v[j], j) for j in range(1, n) if v[j] < 0]
        if times_:
            j = min(times_)[1]
            counts[j] += 1
            assert np.min(half_spaces(n, j) @ p) > -1e-9
    assert np.all(counts[1:] > 0)


@pytest.mark.parametrize(
    ("n", "rho"), [(4, 0.25), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((5, 0.25), (6, 0.2)))]
)
def test_simulated_limits_are_the_eigenvalue_limits(n, rho):
    assert simulated_limit(n, rho) == pytest.approx(regular_limit(n, rho), abs=1e-6)
    assert word_limit(n, rho, (1,)) == pytest.approx(regular_limit(n, rho), abs=1e-8)


@pytest.mark.parametrize("rho", [pytest.param(0.25, marks=pytest.mark.slow), 0.5])
def test_the_hub_word_is_the_limit_of_triangles(rho):
    """Conjecture 1 fails for n = 3; the hub word takes over exactly where the regular eigenvalues turn complex."""
    assert simulated_limit(3, rho) == pytest.approx(hub_limit(rho), abs=1e-6)
    assert hub_limit(rho) > regular_limit(3, rho) + 1e-3
    assert word_limit(3, rho, (1, 1, 2, 2)) == pytest.approx(hub_limit(rho), abs=1e-8)
    middle = 0.5 * (hub_limit(rho) + regular_limit(3, rho))
    assert best_word(3, rho, middle)[0] == (1, 1, 2, 2)
    assert best_word(3, rho, hub_limit(rho) * 1.01) is None


def test_a_self_similar_motion_repeats_itself():
    """Started on it, the event-driven motion follows the word, and flights shrink by beta_t."""
    for n, rho, gamma, word in ((4, 0.25, 0.2, (0, 1, 2, 3)), (3, 0.5, 0.045, (0, 1, 2, 1)), (5, 0.25, 0.1, (0, 1, 2, 3, 4))):
        found = next(s for s in self_similar(regular(n, rho), gamma, word) if s.feasible and s.dominant)
        c = collide(regular(n, rho), gamma, np.concatenate([found.q, found.p]), max_impacts=8 * len(word))
        assert c.point.tolist() == list(word) * 8
        k = len(word)
        assert np.allclose(c.log_flight[k:] - c.log_flight[:-k], math.log(found.beta_t), atol=1e-7)
        assert np.allclose(c.flight[:k], found.flights, rtol=1e-9)


def test_cones_bracket_the_limits():
    for n, rho, low, high in (
        (4, 0.25, 0.2085, 0.2089),
        (5, 0.25, 0.1213, 0.1217),
        (3, 0.5, 0.043, 0.045),
        (3, 0.25, 0.275, 0.280),
    ):
        cone = effective_cone(n, rho, low)
        assert cone.verdict == "found"
        assert cone.proven
        assert construct(n, rho, high, max_steps=4000).verdict == "none"


def test_a_proven_cone_traps_motions():
    """Drops whose first velocity is inside stay inside, and never fly away."""
    n, rho, gamma = 4, 0.25, 0.15
    cone = effective_cone(n, rho, gamma)
    low, _ = facets(cone.polygon)
    rng = np.random.default_rng(5)
    body = regular(n, rho)
    weights = rng.dirichlet(np.ones(len(cone.polygon)), 20)
    for p in weights @ cone.rays:
        q = rng.uniform() * edge(n, -1) + rng.uniform() * edge(n, 0)  # point 0 on the plane, just hit
        c = collide(body, gamma, np.concatenate([q, p]), max_impacts=300)
        assert c.status == "CC"
        for hit, after in zip(c.point[:50], c.p_after[:50]):
            turned = _back(n, hit) @ after
            assert np.min(low @ (turned / np.abs(turned).max())) > -1e-9


def _back(n, hit):
    a = -2 * math.pi * hit / n
    return np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])


def test_the_proof_rejects_what_is_false():
    """A cone that is too small, one that is not convex, one without the flat drop, and a true cone at another gamma."""
    n, rho, gamma = 4, 0.25, 0.15
    cone = effective_cone(n, rho, gamma)
    start = flat_drop(rho, gamma)
    assert certified(n, rho, gamma, cone.polygon, start)
    centre = cone.polygon.mean(axis=0)
    assert not certified(n, rho, gamma, centre + 0.98 * (cone.polygon - centre), start)
    assert not certified(n, rho, gamma, cone.polygon[::-1], start)
    assert not certified(n, rho, gamma, cone.polygon, centre + 10.0)
    assert not certified(n, rho, 0.25, cone.polygon, start)
    dented = cone.polygon.copy()
    dented[0] = centre
    assert not certified(n, rho, gamma, dented, start)


def test_intervals_hold_the_truth():
    from fractions import Fraction

    rng = np.random.default_rng(8)
    for _ in range(300):
        a, b = rng.normal(size=2) * 10.0 ** rng.uniform(-8, 8, 2)
        for operation, truth in (
            (add, Fraction(a) + Fraction(b)),
            (times, Fraction(a) * Fraction(b)),
            (divide, Fraction(a) / Fraction(abs(b))),
        ):
            low, high = operation(exact(a), exact(abs(b) if operation is divide else b))
            assert Fraction(float(low)) <= truth <= Fraction(float(high))
    for n, j in ((3, 1), (4, 3), (5, 2), (7, 3), (12, 5)):
        low, high = map_interval(n, 0.3, 0.2, j)
        true = step_map(n, 0.3, 0.2, j)
        rounding = 1e-15  # of the plain floating-point matrix
        assert np.all(low <= true + rounding)
        assert np.all(true - rounding <= high)
        assert np.max(high - low) < 1e-13


def test_the_square_cone_of_theorem_6():
    for rho, gamma in ((0.25, 0.2), (0.1, 0.5), (0.4, 0.03), (0.2, 0.001)):
        rays = square_cone(rho, gamma)
        assert image_margin(rays, rho, gamma) > -1e-14
        lam = max(np.roots(cubic(4, rho, gamma)).real)
        assert np.allclose(step_map(4, rho, gamma, 1) @ rays[0], lam * rays[0]) or np.allclose(
            step_map(4, rho, gamma, -1) @ rays[0], lam * rays[0]
        )
    assert image_margin(square_cone(0.25, 0.2), 0.25, 0.3) < -1e-3
    with pytest.raises(InputError, match="no such cone"):
        square_cone(0.25, 0.3)


def test_when_everything_escapes_so_does_every_drop():
    for n, rho, gamma in ((3, 0.5, 0.1), (4, 0.5, 0.2), (5, 0.9, 0.3)):
        escape = all_escape(n, rho, gamma)
        assert escape.verdict == "always"
        ends, counts = outcomes(regular(n, rho), gamma, count=500, max_impacts=500)
        assert np.all(ends == LEAVES)
        assert counts.max() <= escape.impacts
    assert all_escape(4, 0.25, 0.2).verdict == "remains"
    assert all_escape(3, 0.3, 0.0).verdict == "undecided"  # flat images: nothing may be concluded
    for rho in (0.25, 0.5):  # never where drops chatter
        for gamma in (1e-4, 0.003, 0.02):
            assert all_escape(3, rho, gamma).verdict != "always"
    assert classify(0.3, 0.0, 3).verdict == "partial"


def test_partial_chatter_is_a_matter_of_pairs():
    assert partial_limit(3, 0.5) == pytest.approx(0.010205144, abs=1e-9)
    assert math.isnan(partial_limit(4, 0.1))
    mu = 0.4
    gamma = pair_limit(mu)
    M = np.array([[(1 + gamma) * mu, 1.0], [-gamma, 0.0]])
    assert discriminant_2(M) == pytest.approx(0.0, abs=1e-12)


def discriminant_2(M):
    return np.trace(M) ** 2 - 4 * np.linalg.det(M)


@pytest.mark.parametrize(
    ("rho", "gamma", "n", "verdict", "criterion"),
    [
        (0.25, 0.2, 2, "complete", "closed form"),
        (0.25, 0.4, 2, "incomplete", "closed form"),
        (0.25, 0.2, 4, "complete", "cone"),
        (0.25, 0.21, 4, "undecided", "simulation"),
        (0.5, 0.045, 3, "complete", "word"),
        (0.5, 0.005, 3, "partial", "cone"),
        (0.5, 0.2, 3, "incomplete", "escape"),
        (0.06, 0.001, 25, "complete", "cone"),
    ],
)
def test_verdicts(rho, gamma, n, verdict, criterion):
    found = classify(rho, gamma, n)
    assert (found.verdict, found.criterion) == (verdict, criterion)
    assert math.isnan(found.margin) if verdict == "undecided" else (found.margin > 0) == (verdict != "incomplete")
    assert found.witness_text() in found.summary()
    assert found.as_dict()["verdict"] == verdict
    assert bool(found.evidence) == (verdict == "undecided")


@pytest.mark.parametrize("drops", [2000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_verdicts_of_any_plate(drops):
    rectangle = plate([(1, 0.5), (-1, 0.5), (-1, -0.5), (1, -0.5)], (0.2, 0.35))
    irregular, leaving = (classify_plate(rectangle, gamma, drops=drops) for gamma in (0.1, 0.8))
    assert (irregular.verdict, irregular.proven) == (
        "undecided",
        False,
    )  # most drops go on without a pattern, as far as they were followed
    assert "suggests complete chatter" in irregular.evidence
    assert irregular.evidence in irregular.summary()
    assert "chatter, by simulation" not in irregular.summary()
    assert irregular.as_dict()["evidence"] == irregular.evidence
    assert leaving.verdict == "undecided"  # all drops fly away, but that decides nothing
    assert "suggests incomplete chatter" in leaving.evidence
    assert classify_plate(regular(4, 0.25), 0.2, longest=4).criterion == "word"
    assert classify_plate(rod(0.25), 0.2).verdict == "complete"
    assert classify_plate(rod(0.25), 0.4).verdict == "incomplete"
    large = plate([(1000, 500), (-1000, 500), (-1000, -500), (1000, -500)], (200, 350))
    assert classify_plate(large, 0.1, drops=drops).evidence == irregular.evidence  # whatever its size


def test_star_words_chatter_further_than_the_regular_word():
    """Conjecture 1 fails for many corners, too: every second corner of an octagon is a square, and chatters like one."""
    found = classify(0.1, 0.5, 8)
    assert (found.verdict, found.criterion) == ("complete", "word")
    assert found.witness[0] == (2,)
    assert found.margin == pytest.approx(regular_limit(4, 0.1) - 0.5, abs=1e-9)
    assert regular_limit(8, 0.1) < 0.32
    limits = known_limits(8, 0.1)
    assert limits["star word 0 2 4 6"] == pytest.approx(regular_limit(4, 0.1), abs=1e-12)
    assert "star" in found.criteria


@pytest.mark.parametrize(
    ("n", "rho", "gamma", "letters"), [(5, 0.06165, 0.7107, 11), pytest.param(9, 0.08326, 0.648, 28, marks=pytest.mark.slow)]
)
def test_words_that_few_starts_lead_to_are_found(n, rho, gamma, letters):
    """Drops of the thesis all fly away there, yet a long word attracts: it chatters on for a hundred thousand impacts."""
    assert np.all(outcomes(regular(n, rho), gamma, count=30, max_impacts=4000)[0] == LEAVES)
    found = classify(rho, gamma, n)
    assert (found.verdict, found.criterion, len(found.witness[0])) == ("complete", "word", letters)
    assert found.margin > 0
    motion = found.witness[1]
    start = np.concatenate([motion.q, motion.p])
    start[:3] += 1e-4 * np.abs(start[:3]).max() * np.array([1.0, -1.0, 3.0])
    c = collide(regular(n, rho), gamma, start, max_impacts=100_000)
    assert (c.status, len(c)) == ("CC", 100_000)


@pytest.mark.parametrize("count", [8, pytest.param(40, marks=pytest.mark.slow)])
def test_the_search_for_words_misses_none(count):
    """Against all words up to length 4 or 5 judged one by one in full, at random parameters; and at the limits of known words."""
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(count):
        n, longest = (3, 6) if rng.uniform() < 0.5 else (4, 4)
        rho, gamma = float(rng.uniform(0.05, 0.6)), float(rng.uniform(0.0, 0.5) ** 2)
        searched = search_for_words(n, rho, gamma, longest=longest)
        body = regular(n, rho)
        every = (w for k in range(1, longest + 1) for w in necklaces(n - 1, k) if witness(body, gamma, points_of(w, n)))
        first = next(every, None)
        assert (searched.word is None) == (first is None)
        assert searched.word is None or len(searched.word) == len(first)
        found += first is not None
    assert count // 8 < found < count - count // 8
    assert search_for_words(4, 0.25, 0.21).word is None
    assert "up to length 16" in search_for_words(4, 0.25, 0.21).text()
    assert search_for_words(9, 0.08326, 0.648, max_pieces=1000).length < 15  # the bound it states is the one it reached


def test_own_starts_of_drops():
    body = regular(4, 0.25)
    starts = np.array([[0.0, 0.0, 1.0, 0.01, 0.02, -1.0], [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]])
    ends, counts = outcomes(body, 0.2, starts=starts, max_impacts=300)
    assert ends.tolist() == [0, LEAVES]
    assert counts.tolist() == [300, 0]
    own = random_starts(30, np.random.default_rng(1))
    assert simulated_limit(4, 0.25, starts=own) == simulated_limit(4, 0.25)
    with pytest.raises(InputError, match="start 1 has a point"):
        outcomes(body, 0.2, starts=[[0, 0, 1, 0, 0, -1], [3, 0, 1, 0, 0, -1]])
    for bad in ([1, 2], "x", [[math.nan] * 6], np.empty((0, 6))):
        with pytest.raises(InputError, match="six finite numbers"):
            outcomes(body, 0.2, starts=bad)


def test_old_names_of_limits_are_understood_with_a_sentence():
    body = regular(4, 0.25)
    with pytest.warns(FutureWarning, match="most is now called max_impacts"):
        old = outcomes(body, 0.2, most=50)
    assert np.array_equal(old, outcomes(body, 0.2, max_impacts=50))
    with pytest.raises(InputError, match="give max_impacts alone"):
        outcomes(body, 0.2, most=50, max_impacts=60)


@pytest.mark.parametrize("size", [(2, 4), pytest.param((5, 6), marks=pytest.mark.slow)])
def test_a_map_is_reproducible_and_right(tmp_path, size):
    rho, gamma = np.linspace(0.1, 0.4, size[0]), np.linspace(0.02, 0.5, size[1])
    one = chatter_map(4, rho, gamma, count=5, progress=False)
    two = chatter_map(4, rho, gamma, count=5, store=tmp_path / "map.nc", progress=False)
    assert one["mean_impacts"].equals(two["mean_impacts"])
    for r in rho:
        limit = regular_limit(4, float(r))
        for g in gamma:
            cell = one.sel(rho=r, gamma=g)
            if g < 0.95 * limit:
                assert float(cell["complete"]) == 1.0
            elif g > 1.1 * limit or math.isnan(limit):
                assert float(cell["incomplete"]) == 1.0


def test_bad_parameters_are_refused():
    with pytest.raises(InputError, match="rho"):
        classify(-1, 0.2, 3)
    with pytest.raises(InputError, match="gamma"):
        classify(0.3, 1.2, 3)
    for n in (1, 3.5, math.nan):
        with pytest.raises(InputError, match="2 \\(the rod\\) or more"):
            classify(0.3, 0.2, n)
    assert classify(0.25, 0.2, 2).verdict == "complete"
    with pytest.raises(InputError, match="from 1 to n - 1"):
        word_limit(4, 0.25, (4,))
