"""All futures of an instant: where rolling is proved to be the only one there is no other, and pairs of directions that hide between the lines of a grid are found."""

import numpy as np
import pytest

from rollick.motion.filippov.algebra.alone import rolling_is_alone
from rollick.motion.filippov.algebra.code import contact_code, find_futures, solve_forces
from rollick.motion.filippov.algebra.forces import OPEN, ROLL, SLIP
from rollick.motion.filippov.algebra.futures import FORCE, MODE, MOST, PACE, WAY, WIDTH, one_begins
from rollick.motion.filippov.algebra.leaving_both import MOST as MOST_PAIRS
from rollick.motion.filippov.algebra.leaving_both import ways_of_both

NONE = np.zeros(2)

# A body between two surfaces at rest: six rows of A, c, and both coefficients of friction. Slip begins at both contacts, slowly; a grid of 16 lines does not see it.
A = np.array(
    [
        [1.158597, 0.067395, 0.655988, 1.000067, 0.325781, -0.126095],
        [0.067395, 3.89887, -0.016124, -0.087044, 2.370773, 0.195866],
        [0.655988, -0.016124, 3.743585, 1.051042, -0.278635, 2.038056],
        [1.000067, -0.087044, 1.051042, 1.172301, 0.074908, 0.307676],
        [0.325781, 2.370773, -0.278635, 0.074908, 1.744639, -0.039602],
        [-0.126095, 0.195866, 2.038056, 0.307676, -0.039602, 1.591621],
    ]
)
C = np.array([-3.297193, -0.691733, -0.336015, -2.800929, -1.331076, 1.236158])
MU = np.array([0.045987, 0.699581])


def random_body(rng):
    """A, c and mu of a body at rest at two contacts, under forces near the cones of rolling."""
    unit = lambda v: v / np.linalg.norm(v)
    normals = [unit(rng.normal(size=3)) for _ in range(2)]
    rows = []
    for n in normals:
        rho = -unit(n + 0.3 * rng.normal(size=3)) * rng.uniform(0.3, 1.5)
        t1 = unit(np.cross(n, [0.3, 0.9, 0.2]))
        rows += [np.concatenate([d, np.cross(rho, d)]) for d in (n, t1, np.cross(n, t1))]
    G = np.array(rows)
    response = G @ np.diag(np.concatenate([np.ones(3), 1.0 / rng.uniform(0.2, 1.0, 3)])) @ G.T
    mu, N = rng.choice([0.1, 0.3, 0.6, 1.0], 2), rng.uniform(0.2, 2.0, 2)
    x = np.zeros(6)
    for k in range(2):
        angle, friction = rng.uniform(0, 2 * np.pi), mu[k] * N[k] * rng.choice([0.1, 0.3, 0.6, 0.9])
        x[3 * k : 3 * k + 3] = N[k], friction * np.cos(angle), friction * np.sin(angle)
    return response, -response @ x, mu


def is_alone(was, still, c, A, mu, w, x, null):
    solve_forces(contact_code(), 2, 2, True, was, c, A, mu, mu, w, x, null)
    return rolling_is_alone(2, 2, was, still, c, A, mu, w, x, null)


def others(c, A, mu, w, guess, ways, rows):
    """Pairs of directions, looked for carefully, and futures in which one contact slips, the other one rolling or open."""
    found = 0
    for mode in (ROLL, OPEN):
        found = one_begins(0, 2, 2, True, (SLIP, mode), (ROLL, ROLL), c, A, mu, mu, w, rows, found)
        found = one_begins(1, 2, 2, True, (mode, SLIP), (ROLL, ROLL), c, A, mu, mu, w, rows, found)
    return ways_of_both(True, True, c, A, mu, mu, guess, np.abs(c).max(), ways), found


def others_beside_slip(c, A, mu, w, rows):
    return one_begins(1, 2, 2, True, (SLIP, SLIP), (SLIP, ROLL), c, A, mu, mu, w, rows, 0)


def found_futures(careful, c, A, mu, w, rows):
    return find_futures(contact_code(), 2, 2, True, (ROLL, ROLL), (True, True), careful, c, A, mu, mu, w, rows)


@pytest.mark.parametrize("count", [500, pytest.param(3000, marks=pytest.mark.slow)])
def test_rolling_that_is_proved_to_be_alone_is(count):
    rng, proved, several = np.random.default_rng(5), 0, 0
    rows = np.zeros((MOST, WIDTH))
    for _ in range(count):
        response, c, mu = random_body(rng)
        w = np.zeros(4)
        alone = is_alone((ROLL, ROLL), (True, True), c, response, mu, w, np.zeros(6), np.zeros(6))
        ways = np.zeros((MOST_PAIRS, 8))
        total, single = others(c, response, mu, w, NONE, ways, rows)
        pairs = [way for way in ways[:total] if min(way[4:6]) > 1e-9 and min(way[6:8]) > -1e-9]
        several += bool(pairs or single)
        assert not alone or (not pairs and single == 0)
        proved += alone
    assert proved > 200 * count / 3000  # it would be of no use otherwise
    assert several > 30 * count / 3000  # and the search for others could not fail


@pytest.mark.parametrize("count", [500, pytest.param(3000, marks=pytest.mark.slow)])
def test_the_same_while_the_other_contact_slips(count):
    rng, proved, several = np.random.default_rng(6), 0, 0
    for _ in range(count):
        response, c, mu = random_body(rng)
        angle = rng.uniform(0.0, 2.0 * np.pi)
        w = np.array([np.cos(angle), np.sin(angle), 0.0, 0.0])
        alone = is_alone((SLIP, ROLL), (False, True), c, response, mu, w, np.zeros(6), np.zeros(6))
        beside = others_beside_slip(c, response, mu, w, np.zeros((MOST, WIDTH)))
        several += beside > 0
        assert not (alone and beside > 0)
        proved += alone
    assert proved > 400 * count / 3000
    assert several > 30 * count / 3000


@pytest.mark.parametrize("careful", [True, False])
def test_slip_that_begins_between_the_lines_of_the_grid(careful):
    rows = np.zeros((MOST, WIDTH))
    assert found_futures(careful, C, A, MU, np.zeros(4), rows) == 1
    row = rows[0]
    assert list(row[MODE : MODE + 2]) == [SLIP, SLIP]
    x = row[FORCE : FORCE + 6]
    a = C + A @ x
    for k in range(2):  # Coulomb's law, written down here
        w = row[WAY + 2 * k : WAY + 2 * k + 2]
        assert x[3 * k] > 0.0
        assert a[3 * k] == pytest.approx(0.0, abs=1e-12)
        assert x[3 * k + 1 : 3 * k + 3] == pytest.approx(-MU[k] * x[3 * k] * w, abs=1e-12)
        assert a[3 * k + 1 : 3 * k + 3] == pytest.approx(row[PACE + k] * w, abs=1e-10)
        assert row[PACE + k] > 0.01
