"""The linear theory of the rattleback's steady spin, against the digest's numbers and against the independent judge."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import brentq, linear_sum_assignment

from rollick import InputError
from rollick.archetypes import rattleback as theory
from rollick.archetypes.rattleback.spinning import frozen_matrix
from rollick.studies.rattleback import judge


class Stone(NamedTuple):
    a: float
    b: float
    c: float
    M: float
    h: float
    A: float
    B: float
    C: float
    D: float
    sigma: float = 0.0
    g: float = 9.81


PAPER = Stone(0.20, 0.03, 0.02, 1.0, 0.01, 2e-4, 1.6e-3, 1.7e-3, -2e-5)
# A solid ellipsoid and two lead weights; a half ellipsoid and two; both with den > 0.
PEBBLE = Stone(0.040, 0.026, 0.020, 0.24, -0.001, 5.3e-5, 1.04e-4, 1.15e-4, -5e-6)
CELT = Stone(0.050, 0.032, 0.030, 0.31, 0.010, 9.0e-5, 1.90e-4, 2.42e-4, -2.4e-5)
# A tray turned by ten degrees on an ellipsoidal foot: top-heavy (q < k), it falls unless it spins.
TRAY = Stone(0.100, 0.030, 0.020, 0.50, -0.030, 5.6e-4, 1.7e-3, 1.9e-3, -1.7e-4)
# An upright blade on such a foot (B > C): stable at rest, it falls when it spins too fast.
BLADE = Stone(0.100, 0.033, 0.020, 0.50, -0.030, 4.5e-4, 9.2e-4, 5.8e-4, -5e-5)
# A tall pin (A, B >> C): two ranges of stable spin.
PIN = Stone(0.0272, 0.0265, 0.020, 1.0, -0.0014, 8.28e-4, 8.88e-4, 8.92e-5, -2.61e-5)

STONES = {"paper": PAPER, "pebble": PEBBLE, "celt": CELT, "tray": TRAY, "blade": BLADE, "pin": PIN}
each_stone = pytest.mark.parametrize("stone", STONES.values(), ids=STONES.keys())


def realizable(stone) -> bool:
    """Positive lengths, mass centre above the plane, principal moments positive and within the triangle inequalities."""
    moments = np.linalg.eigvalsh([[stone.A, stone.D, 0.0], [stone.D, stone.B, 0.0], [0.0, 0.0, stone.C]])
    lengths = min(stone.a, stone.b, stone.c, stone.c - stone.h)
    return bool(lengths > 0.0 and moments[0] > 0.0 and moments[0] + moments[1] > moments[2])


def random_stones(count: int, seed: int = 7) -> list[Stone]:
    rng = np.random.default_rng(seed)
    stones: list[Stone] = []
    while len(stones) < count:
        c, M = rng.uniform(0.01, 0.04), rng.uniform(0.1, 2.0)
        a, b, h = c * rng.uniform(1.0, 8.0), c * rng.uniform(0.7, 3.0), c * rng.uniform(-2.0, 0.8)
        A, B, C = M * c**2 * 10 ** rng.uniform(-1.0, 1.0, 3)
        stone = Stone(a, b, c, M, h, A, B, C, rng.uniform(-0.5, 0.5) * math.sqrt(A * B))
        if realizable(stone):
            stones.append(stone)
    return stones


def distance(found, expected) -> float:
    """The largest distance between two sets of eigenvalues, matched, relative to the largest of them."""
    table = np.abs(np.asarray(found)[:, None] - np.asarray(expected)[None, :])
    return table[linear_sum_assignment(table)].max() / np.abs(expected).max()


def characteristic(matrix) -> np.ndarray:
    """The monic characteristic polynomial by Faddeev and LeVerrier."""
    coefficients, power = [1.0], np.eye(len(matrix))
    for j in range(1, len(matrix) + 1):
        product = matrix @ power
        coefficients.append(-np.trace(product) / j)
        power = product + coefficients[-1] * np.eye(len(matrix))
    return np.array(coefficients)


def judged_growth(stone, Omega) -> float:
    return np.linalg.eigvals(judge.spin_jacobian(stone, Omega)).real.max()


@each_stone
def test_example_stones_could_be_built(stone):
    assert realizable(stone)


# The digest's table: max Re s for the paper's stone.
GROWTH = {
    -20.0: 8.15666, -10.0: 4.19311, -5.0: 2.12069, -2.0: 0.85147, -1.0: 0.42598, -0.5: 0.21302, 0.5: 0.02120, 1.0: 0.04234,
    2.0: 0.08421, 5.0: 0.20252, 10.0: 0.35677, 20.0: 0.48398, 30.0: 0.47328, 50.0: 0.37362,
}  # fmt: skip


def test_growth_rates_of_the_papers_stone():
    spins = np.array(list(GROWTH))
    assert np.abs(theory.growth_rate(PAPER, spins) - np.array(list(GROWTH.values()))).max() <= 0.5001e-5
    assert isinstance(theory.growth_rate(PAPER, -5.0), float)
    assert theory.growth_rate(PAPER, spins.reshape(2, 7)).shape == (2, 7)


def test_rest_frequencies_of_the_papers_stone():
    low, high = theory.rest_frequencies(PAPER)
    assert abs(low - 33.8290) <= 0.5e-4
    assert abs(high - 107.2077) <= 0.5e-4


@each_stone
def test_rest_frequencies_are_the_judges(stone):
    squares = np.sort(-(np.linalg.eigvals(judge.spin_jacobian(stone, 0.0)) ** 2).real)[[0, 2]]
    for mode, square in zip(theory.rest_modes(stone), squares, strict=True):
        assert mode.kind == ("rocks" if square > 0.0 else "tips")
        assert mode.rate == pytest.approx(math.sqrt(abs(square)), rel=1e-12)
        if square < 0.0:
            assert theory.growth_rate(stone, 0.0) == pytest.approx(mode.rate, rel=1e-12)


@each_stone
@pytest.mark.parametrize("Omega", [-50.0, -5.0, -0.5, 0.0, 0.5, 5.0, 20.0, 50.0])
def test_eigenvalues_are_the_judges(stone, Omega):
    expected = np.linalg.eigvals(judge.spin_jacobian(stone, Omega))
    assert distance(theory.eigenvalues(stone, Omega), expected) < 1e-13
    assert distance(theory.frozen_eigenvalues(stone, Omega), expected) < 1e-13


def test_quartic_is_the_judges_for_random_stones():
    for stone in random_stones(60):
        for Omega in (-30.0, 2.0, 17.0):
            matrix = judge.spin_jacobian(stone, Omega)
            size = np.abs(np.linalg.eigvals(matrix)).max() ** np.arange(5)
            coefficients = np.array(theory.quartic(stone, Omega))
            assert np.abs((coefficients / coefficients[0] - characteristic(matrix)) / size).max() < 3e-13


@each_stone
def test_damped_matrix_is_the_judges(stone):
    damped = stone._replace(sigma=1e-4)
    for Omega in (-20.0, 0.0, 5.0):
        matrix = judge.spin_jacobian(damped, Omega)
        assert np.abs(frozen_matrix(damped, Omega) - matrix).max() < 1e-14 * np.abs(matrix).max()
        assert distance(theory.frozen_eigenvalues(damped, Omega), np.linalg.eigvals(matrix)) < 1e-13


def test_spin_decay_is_what_distinguishes_a_driven_stone():
    damped = PAPER._replace(sigma=1e-4)
    plain, driven = frozen_matrix(damped, 5.0), frozen_matrix(damped, 5.0, driven=True)
    inertia = np.array([[3e-4, -2e-5], [-2e-5, 1.7e-3]])
    expected = -0.01 * 1e-4 * 5.0 / 1.7e-3 * np.diag([2.0, 0.045])
    assert np.allclose(inertia @ (plain - driven)[2:, :2], expected, rtol=1e-12, atol=1e-14)
    assert np.array_equal(plain[:, 2:], driven[:, 2:])


def test_papers_stone_has_no_stable_spin():
    assert theory.critical_spin(PAPER) is None
    assert theory.stable_sense(PAPER) == 0
    assert theory.divergence_spins(PAPER) == ()
    spins = np.geomspace(0.01, 1e4, 200)
    assert theory.growth_rate(PAPER, spins).min() > 0.0
    assert theory.growth_rate(PAPER, -spins).min() > 0.0


@pytest.mark.parametrize(
    ("stone", "expected"), [(PEBBLE, 24.3349), (CELT, 43.3248), (BLADE, 3.44640)], ids=["pebble", "celt", "blade"]
)
def test_critical_spin_is_where_the_judge_finds_the_crossing(stone, expected):
    critical = theory.critical_spin(stone)
    assert critical == pytest.approx(expected, rel=2e-6)
    sense = theory.stable_sense(stone)
    assert sense == (-1 if stone.D > 0.0 else 1)
    crossing = brentq(lambda spin: judged_growth(stone, sense * spin), 0.8 * critical, 1.2 * critical, xtol=1e-13, rtol=1e-14)
    assert critical == pytest.approx(crossing, rel=2e-12)
    # the pair sits at +-i Omega_c, and the other sense is unstable on both sides
    assert np.abs(theory.eigenvalues(stone, sense * critical) - 1j * critical).min() < 1e-14 * critical
    assert theory.growth_rate(stone, -sense * critical * np.array([0.5, 0.9, 1.1, 2.0])).min() > 0.0


@pytest.mark.parametrize(
    ("stone", "expected"), [(TRAY, (18.26733,)), (BLADE, (9.766753,)), (PIN, None)], ids=["tray", "blade", "pin"]
)
def test_divergence_is_where_the_judge_finds_a_zero_eigenvalue(stone, expected):
    spins = theory.divergence_spins(stone)
    if expected is not None:
        assert spins == pytest.approx(expected, rel=1e-6)
    for spin in spins:
        for sense in (-1, 1):
            zero = brentq(
                lambda Omega, sense=sense: np.linalg.det(judge.spin_jacobian(stone, sense * Omega)),
                0.97 * spin,
                1.03 * spin,
                xtol=1e-13,
                rtol=1e-14,
            )
            assert spin == pytest.approx(zero, rel=2e-12)


def test_tray_stands_only_when_it_spins():
    (divergence,) = theory.divergence_spins(TRAY)
    assert min(theory.principal_radii(TRAY)) < TRAY.c - TRAY.h
    assert theory.critical_spin(TRAY) is None
    assert theory.stable_ranges(TRAY) == ((divergence, math.inf),)
    assert theory.stable_sense(TRAY) == 1
    crossing = brentq(lambda spin: judged_growth(TRAY, spin), 0.95 * divergence, 1.05 * divergence, xtol=1e-13)
    assert divergence == pytest.approx(crossing, rel=2e-12)
    tips, rocks = theory.rest_modes(TRAY)
    assert (tips.kind, rocks.kind) == ("tips", "rocks")
    with pytest.raises(InputError, match=r"no two frequencies at rest: along one mode it tips over like exp\(.* t\)"):
        theory.rest_frequencies(TRAY)


def test_blade_is_stable_between_critical_spin_and_divergence():
    ranges = theory.stable_ranges(BLADE)
    assert ranges == ((theory.critical_spin(BLADE), theory.divergence_spins(BLADE)[0]),)
    low, high = ranges[0]
    assert judged_growth(BLADE, 0.99 * low) > 0.0 > judged_growth(BLADE, 1.01 * low)
    assert judged_growth(BLADE, 0.99 * high) < 0.0 < judged_growth(BLADE, 1.01 * high)


@pytest.mark.parametrize("count", [25, pytest.param(150, marks=pytest.mark.slow)])
def test_stable_ranges_agree_with_the_judge_for_random_stones(count):
    spins = np.array([0.7, 3.0, 11.0, 40.0, 130.0])
    kinds = set()
    for stone in [*random_stones(count, seed=3), PIN]:
        ranges = theory.stable_ranges(stone)
        kinds.add((len(ranges), theory.stable_sense(stone)))
        for Omega in (*spins, *-spins):
            stable = np.sign(Omega) == theory.chirality(stone) and any(low < abs(Omega) < high for low, high in ranges)
            growth = judged_growth(stone, Omega)
            assert abs(growth) < 1e-9 or (growth < 0.0) == stable
    assert {(0, 0), (1, 1), (1, -1), (2, 1)} <= kinds


def test_without_chirality_moderate_spin_is_neutral():
    plain = PAPER._replace(D=0.0)
    spins = np.array([-50.0, -5.0, 0.0, 0.5, 5.0, 20.0])
    assert np.array_equal(theory.growth_rate(plain, spins), np.zeros(6))
    assert max(abs(judged_growth(plain, Omega)) for Omega in spins) < 1e-11
    assert theory.stable_sense(plain) is None
    assert theory.critical_spin(plain) is None
    assert theory.stable_ranges(plain) == ()
    # a round surface is achiral too, whatever the inertia
    assert theory.stable_sense(PEBBLE._replace(b=0.040)) is None


def test_double_root_of_divergence_is_listed_once():
    # A body of revolution: both directions of tilt diverge together, and c0 is a square.
    pin = PIN._replace(a=0.0265, A=8.88e-4, D=0.0)
    (spin,) = theory.divergence_spins(pin)
    k, q = pin.c - pin.h, pin.b**2 / pin.c
    assert spin**2 == pytest.approx(pin.M * pin.g * (q - k) / (pin.B - pin.C - pin.M * k * (q - k)), rel=1e-13)


def test_mirror_image_swaps_the_senses():
    for stone in STONES.values():
        mirror = stone._replace(D=-stone.D)
        spins = np.array([1.0, 8.0, 30.0])
        assert np.allclose(theory.growth_rate(mirror, -spins), theory.growth_rate(stone, spins), rtol=1e-10, atol=1e-12)
        assert theory.stable_sense(mirror) == -theory.stable_sense(stone)
        assert theory.critical_spin(mirror) == theory.critical_spin(stone)


@pytest.mark.parametrize(
    ("stone", "Omega"),
    [
        pytest.param(PAPER, -5.0, marks=pytest.mark.slow),
        pytest.param(PAPER, 5.0, marks=pytest.mark.slow),
        (PEBBLE, 0.8 * 24.3349),
        (PEBBLE, 1.25 * 24.3349),
        (TRAY, 0.95 * 18.26733),
        pytest.param(TRAY, 1.05 * 18.26733, marks=pytest.mark.slow),
        pytest.param(BLADE, 1.05 * 9.766753, marks=pytest.mark.slow),
        (BLADE, 0.95 * 9.766753),
    ],
    ids=lambda value: f"{value:.4g}" if isinstance(value, float) else "",
)
def test_integrated_perturbation_grows_as_predicted(stone, Omega):
    """The judge's whole nonlinear motion, projected on the mode that grows fastest (or decays slowest).

    What is left is quadratic in the tilt (the spin changes a little): up to 1e-8 1/s for the tray, from 1e-7 rad.
    """
    values, vectors = np.linalg.eig(frozen_matrix(stone, Omega).T)
    mode = vectors[:, np.argmax(values.real)]  # a left eigenvector
    motion = judge.simulate(stone, {"alpha": 1e-7, "beta": 2e-7, "omega3": Omega}, [0.0, 0.5], rtol=1e-12, atol=1e-17)
    mu1 = -np.cos(motion["alpha"]) * np.sin(motion["beta"])
    amplitude = np.abs(mode @ np.array([mu1, np.sin(motion["alpha"]), motion["omega1"], motion["omega2"]]))
    measured = np.log(amplitude[1] / amplitude[0]) / 0.5
    assert measured == pytest.approx(theory.growth_rate(stone, Omega), abs=5e-8)


def test_report_is_readable():
    report = str(theory.steady_spin(PAPER, spins=(5.0,)))
    assert report.startswith("no stable steady spin in either sense at any rate; growth rates")
    assert "2.1207" in report
    assert "0.20252" in report
    assert "|omega3| > 24.3349 rad/s" in str(theory.steady_spin(PEBBLE))
    assert "at rest: unstable; it tips over like exp(" in str(theory.steady_spin(TRAY))
    assert "and rocks at 27.4266 rad/s" in str(theory.steady_spin(TRAY))
    assert "at rest: stable; it rocks at" in report
    assert str(theory.steady_spin(PAPER._replace(D=0.0))).startswith("achiral")


def test_spins_as_people_give_them():
    assert theory.steady_spin(PAPER, 5.0) == theory.steady_spin(PAPER, (5.0,))
    assert theory.steady_spin(PAPER, "30rpm").spins == pytest.approx((math.pi,))
    with pytest.raises(InputError, match="measured in rad/s"):
        theory.steady_spin(PAPER, ["5m"])
