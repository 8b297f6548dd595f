"""Systems whose A and pushes are constants: what changes is written alone, what rolls is eliminated once for each pair of modes; both agree with the long way."""

import numpy as np
import pytest

from rollick.archetypes.filippov import BallInCorner
from rollick.archetypes.flowmeter.system import FlowMeter
from rollick.archetypes.wheelset.dry import DryWheelset
from rollick.motion.filippov.algebra.cones import equal_between, shared_margin, slack
from rollick.motion.filippov.algebra.forces import ROLL, SLIP
from rollick.motion.filippov.instant import Contacts
from rollick.motion.filippov.records import capacity, room
from rollick.motion.filippov.steady import held_forces, is_held, make_ready
from rollick.motion.filippov.systems.form import moving_form, steady

SYSTEMS = [
    (BallInCorner(opening=1.3, tilt=0.2, slope=0.1, mu_plus=0.3, mu_minus=0.2, shake=3.0, omega=7.0, drag=0.4, wind=0.3), 5),
    (FlowMeter(), 4),
    (DryWheelset(), 5),
]
PAIRS = [(SLIP, SLIP), (SLIP, ROLL), (ROLL, SLIP), (ROLL, ROLL)]


def seen(contacts, t, y, modes):
    """The contacts at an instant, and the parts that a form writes."""
    here = contacts.at(t, y, modes)
    return here, {name: np.array(getattr(here, name)) for name in ("free", "push", "c", "A", "slip", "mu", "load")}


@pytest.mark.parametrize(("system", "n"), SYSTEMS, ids=lambda value: type(value).__name__)
def test_what_moves_is_all_that_moves(system, n):
    rng = np.random.default_rng(1)
    assert steady(system)
    contacts = Contacts(system, n)
    for modes in PAIRS:
        here, _ = seen(contacts, 0.3, rng.normal(size=n), modes)
        t, y = 1.7, rng.normal(size=n)
        moving_form(system, modes, t, y, here.free[:n], here.push[:, :n], here.c, here.A, here.slip)
        _, wanted = seen(contacts, t, y, modes)
        for name, value in wanted.items():
            assert getattr(here, name) == pytest.approx(value, rel=1e-13, abs=1e-13), name


@pytest.mark.parametrize(("system", "n"), SYSTEMS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("modes", PAIRS)
def test_forces_by_what_was_made_ready(system, n, modes):
    rng = np.random.default_rng(2)
    contacts = Contacts(system, n)
    form = contacts.ready.form
    for _ in range(20):
        here, _ = seen(contacts, rng.normal(), rng.normal(size=n), modes)
        assert not is_held(modes, here)
        wanted, null, missing = contacts.forces(here, modes)
        make_ready(form, modes, here)
        assert is_held(modes, here)
        assert int(here.held[3 * modes[0] + modes[1]]) == 1 + missing
        assert held_forces(form.total, form.size, form.pressing != 0, modes, here)
        scale = np.abs(wanted).max()
        assert np.array(here.x) == pytest.approx(wanted, abs=1e-11 * scale)
        assert np.array(here.loose[3 * modes[0] + modes[1]]) == pytest.approx(null if missing else np.zeros(6), abs=1e-12)


def test_slacks_are_equal_where_secants_end():
    rng = np.random.default_rng(3)
    met = 0
    for _ in range(300):
        x, null, mu = rng.normal(size=6), rng.normal(size=6), rng.uniform(0.1, 1.0, 2)
        x[0], x[3] = abs(x[0]) + 1.0, abs(x[3]) + 1.0
        low, high = sorted(rng.normal(size=2) * 3.0)
        ends = [slack(x, null, mu, 2, 0, tau) - slack(x, null, mu, 2, 1, tau) for tau in (low, high)]
        if ends[0] * ends[1] >= 0.0:
            continue
        met += 1
        tau = equal_between(x, null, mu, 2, low, high)
        first, second = slack(x, null, mu, 2, 0, tau), slack(x, null, mu, 2, 1, tau)
        assert low <= tau <= high
        assert first == pytest.approx(second, abs=1e-13)
        margin, best = shared_margin(x, null, mu, 2)
        if margin < 1e29:  # no other tau has more
            near = best + np.linspace(-1.0, 1.0, 41)
            assert max(min(slack(x, null, mu, 2, 0, t), slack(x, null, mu, 2, 1, t)) for t in near) <= margin + 1e-12
    assert met > 50


def test_states_have_room():
    assert [capacity(n) for n in (1, 8, 9, 13, 16, 17)] == [8, 8, 16, 16, 16, 32]
    here = room(13)
    assert here.push.shape == (6, 16)
    assert here.free.shape == (16,)
    here.c[2] = 3.0
    assert np.array(here.c).tolist() == [0.0, 0.0, 3.0, 0.0, 0.0, 0.0]
