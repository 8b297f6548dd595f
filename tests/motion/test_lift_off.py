"""Where the equations of a motion end inside a step: the end is located, as an event is, whatever the method and its tolerance."""

import math
import warnings

import numpy as np
import pytest

from rollick import Body, Ellipsoid, Event, regularised, simulate, sliding
from rollick.archetypes.rubber import full, torus
from rollick.motion.contact.lasting import normal_forces

BODY = sliding(Body.from_inertia(1.0, (4e-3, 6e-3, 5e-3), Ellipsoid(0.1, 0.05, 0.14)), law=regularised(0.3, 0.1))
WEIGHT = 9.81


def leaning(seed):
    rng = np.random.default_rng(seed)
    start = {"theta": rng.uniform(0.3, 1.3), "psi": rng.uniform(0.0, 3.0), "vx": 0.0, "vy": 0.0}
    return start | {f"omega{i}": rng.uniform(-12.0, 12.0) for i in (1, 2, 3)}


def lifted(seed, **options):
    """A motion that lifts off, and its normal force at the end over the weight."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = simulate(BODY, leaning(seed), 1.0, progress=False, **({"method": "dop853"} | options))
    assert motion.status == "left_domain"
    assert 0.0 < motion.end_time < 0.1
    force = normal_forces(BODY, np.array([motion.end_time]), motion.end_state[None])[0]
    return motion, force / WEIGHT


@pytest.mark.parametrize("seed", [13, 22, 28, 43, 53])
def test_the_normal_force_is_zero_where_the_body_lifts_off(seed):
    """It was 0.22 of the weight at rtol 1e-6: the motion ended where the step began."""
    exact, force = lifted(seed, method="dop853", rtol=1e-12)
    assert abs(force) < 1e-12
    for method, rtol in (("dop853", 1e-6), ("radau", 1e-8), ("dop853", 1e-9)):
        motion, force = lifted(seed, method=method, rtol=rtol)
        assert abs(force) < 1e-12
        assert motion.end_time == pytest.approx(exact.end_time, abs=100.0 * rtol * exact.end_time)
        assert motion.t[-1] == motion.end_time


def test_output_dense_output_and_columns_reach_the_end():
    exact, _ = lifted(53, rtol=1e-12)
    at, _ = lifted(53, rtol=1e-10, at=np.linspace(0.0, 1.0, 1001))
    assert at.t[-1] == pytest.approx(exact.end_time - exact.end_time % 1e-3)
    dense, _ = lifted(53, rtol=1e-10, dense=True)
    np.testing.assert_allclose(dense.at(np.array([dense.end_time]))[0], dense.end_state, atol=1e-14)
    columns, _ = lifted(53, rtol=1e-10, variational=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shorter = simulate(BODY, leaning(53), exact.end_time * (1.0 - 1e-9), rtol=1e-11, variational=True)
    np.testing.assert_allclose(columns.transition[-1], shorter.transition[-1], atol=1e-6 * np.abs(shorter.transition[-1]).max())


def test_events_are_told_up_to_the_end_and_not_beyond():
    end = lifted(53, rtol=1e-12)[0].end_time
    before, after = lambda t, y: t - 0.0307, lambda t, y: t - 0.0309
    assert 0.0307 < end < 0.0309
    motion, _ = lifted(53, rtol=1e-9, events=[Event(before, name="before"), Event(after, name="after", terminal=True)])
    assert [(e.name, e.t) for e in motion.events] == [("before", pytest.approx(0.0307))]
    stopped = simulate(BODY, leaning(53), 1.0, rtol=1e-9, events=[Event(before, terminal=True)])
    assert stopped.status == "event"
    assert stopped.end_time == pytest.approx(0.0307)


@pytest.mark.parametrize("seed", [13, 28, 53])
def test_auto_goes_on_into_flight(seed):
    """The same motion from event to event: it lifts off where lasting contact ends, lands again, and its energy account closes."""
    off, _ = lifted(seed, rtol=1e-10)
    on = simulate(BODY, leaning(seed), 1.0, progress=False, rtol=1e-10)
    assert on.status == "finished"
    assert on.provenance["method"] == "event-driven"
    (first,) = [e for e in on.events if e.name == "lift_off"][:1]
    assert first.t == pytest.approx(off.end_time, abs=1e-9)
    assert first.state == pytest.approx(off.end_state, abs=1e-7)
    assert any(e.name in ("impact", "contact") for e in on.events)
    assert all(check.passed for check in on.trust.checks)


def test_auto_goes_on_with_derivatives_where_the_body_lifts_off():
    """The matrix in lasting contact is that of the ODE (`dop853`), and beyond it that of neighbours that fly."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ends = lifted(53)[0].end_time
        at = [1e-9, 0.5 * ends, 2.0 * ends]
        flies = simulate(BODY, leaning(53), at[-1], variational=True, at=at, rtol=1e-10, progress=False)
        lasts = simulate(BODY, leaning(53), at[1], method="dop853", variational=True, at=at[1:2], rtol=1e-10, progress=False)
        y = np.array(list(flies.provenance["start"].values()))
        way = flies.transition[0] @ np.eye(13)[12]  # spin, and what keeps the contact closed with it
        more, less = (simulate(BODY, y + h * way, at[-1], rtol=1e-12, progress=False).end_state for h in (1e-6, -1e-6))
    assert "lift_off" in [e.name for e in flies.events]
    assert flies.transition[1] @ way == pytest.approx(lasts.transition[0] @ way, abs=1e-6)
    assert flies.transition[2] @ way == pytest.approx((more - less) / 2e-6, abs=1e-5)


def test_a_start_that_was_pulled_onto_the_contact_goes_on_from_there():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        free = simulate(BODY, leaning(53), 0.2, progress=False)
        start = free.provenance["start"] | {"z": free.provenance["start"]["z"] - 5e-6}
        pulled = simulate(BODY, start, 0.2, progress=False)
    assert pulled.status == free.status == "finished"
    assert pulled.end_state == pytest.approx(free.end_state, abs=1e-6)


def test_a_motion_that_goes_on_into_flight_is_verified():
    motion = simulate(BODY, leaning(53), 0.2, progress=False, verify=True)
    assert motion.status == "finished"
    assert motion.trust.worst > 5.0


def test_a_torus_ends_where_it_is_flat():
    body = full(torus(0.1, 0.02))
    with pytest.warns(UserWarning, match="fallen flat"):
        ends = [simulate(body, {"theta": math.radians(60.0), "psi": 1.0}, 1.0, rtol=rtol) for rtol in (1e-7, 1e-10)]
    assert ends[0].end_time == pytest.approx(ends[1].end_time, abs=1e-6)
