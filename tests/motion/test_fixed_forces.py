"""Forces that are linear in c while directions of slip are held: those of the general elimination; angles of limit directions, all or only those in which slip may grow."""

import numpy as np
import pytest

from rollick.archetypes.filippov import BallInCorner
from rollick.archetypes.flowmeter.system import FlowMeter
from rollick.kernel.compiled import compiled_uncached
from rollick.kernel.system import dim
from rollick.motion.filippov.algebra.code import DRIVE, JUDGED, judge
from rollick.motion.filippov.algebra.forces import ROLL, SLIP
from rollick.motion.filippov.algebra.limit_angles import MOST, limit_angles
from rollick.motion.filippov.by_address import ReadyForm, forces_here, see
from rollick.motion.filippov.records import capacity, room
from rollick.motion.filippov.steady import fix, fixed_forces, forget, is_fixed, make_ready, unfix

PAIRS = [(ROLL, ROLL), (SLIP, ROLL), (ROLL, SLIP), (SLIP, SLIP)]


@compiled_uncached
def two_ways(form, modes, t, y, w, here, x, general, told):
    """Forces by X c and by elimination, and whether there is an X."""
    forget(here)
    see(form, modes, t, y, here)
    make_ready(form, modes, here)
    for i in range(4):
        here.w[i] = w[i]
    fix(form, modes, here)
    made = is_fixed(here)
    if made:
        fixed_forces(here)
    for i in range(6):
        x[i] = here.x[i]
    drive = here.told[DRIVE]
    unfix(here)
    forget(here)
    forces_here(form, modes, here)
    judge(
        form.code,
        form.total,
        form.size,
        form.pressing != 0,
        modes,
        here.c,
        here.A,
        here.mu,
        here.load,
        here.w,
        here.x,
        here.null,
        told,
    )
    for i in range(6):
        general[i] = here.x[i]
    return made, drive


@compiled_uncached
def room_for(n):
    return capacity(n)


def asked(system, modes, w, t, y):
    ready, here = ReadyForm(system), room(int(dim(system)))
    state, x, general, told = np.zeros(room_for(len(y))), np.zeros(6), np.zeros(6), np.zeros(JUDGED)
    state[: len(y)] = y
    made, drive = two_ways(ready.form, modes, t, state, w, here, x, general, told)
    return made, x, general, drive, told[DRIVE], here


def random_corner(rng):
    return BallInCorner(
        m=rng.uniform(0.1, 3.0), opening=rng.uniform(0.4, 2.8), tilt=rng.uniform(-0.3, 0.3), mu_plus=rng.uniform(0.05, 0.9), mu_minus=rng.uniform(0.05, 0.9), shake=rng.uniform(0.0, 20.0)
    )  # fmt: skip


@pytest.mark.parametrize("modes", PAIRS)
def test_forces_by_c_are_those_of_the_elimination(modes):
    rng = np.random.default_rng(7)
    for _ in range(100):
        angles = rng.uniform(0.0, 2.0 * np.pi, 2)
        w = np.array([np.cos(angles[0]), np.sin(angles[0]), np.cos(angles[1]), np.sin(angles[1])])
        made, x, general, drive, judged, here = asked(random_corner(rng), modes, w, rng.uniform(0.0, 5.0), rng.normal(size=5))
        assert made
        assert drive == pytest.approx(judged, rel=1e-10)
        # where both roll, forces differ by what nothing depends on: accelerations are compared
        assert here.A @ x == pytest.approx(here.A @ general, abs=1e-9 * np.abs(here.A @ general).max())
        if SLIP in modes:
            assert x == pytest.approx(general, abs=1e-9 * np.abs(general).max())


def test_known_loads_have_none():
    meter = FlowMeter()
    made = asked(meter, (SLIP, SLIP), np.array([1.0, 0.0, 1.0, 0.0]), 0.0, np.full(int(dim(meter)), 0.1))[0]
    assert made is bool(ReadyForm(meter).form.pressing)


@compiled_uncached
def both_searches(p, P, all_angles, some_angles):
    return limit_angles(p, P, False, all_angles), limit_angles(p, P, True, some_angles)


def test_directions_in_which_slip_grows_are_never_left_out():
    rng = np.random.default_rng(8)
    left_out = 0
    for _ in range(3000):
        p, P = rng.normal(size=2), rng.normal(size=(2, 2)) - rng.choice([0.0, 1.0, 2.0]) * np.eye(2)
        every, some = np.zeros(MOST), np.zeros(MOST)
        m, n = both_searches(p, P, every, some)
        for angle in every[:m]:
            w = np.array([np.cos(angle), np.sin(angle)])
            assert abs(w[0] * (p + P @ w)[1] - w[1] * (p + P @ w)[0]) < 1e-13
            if w @ (p + P @ w) > 0.0:
                assert np.abs(some[:n] - angle).min() < 1e-14
        left_out += m - n
    assert left_out > 2000  # and most of the others are
