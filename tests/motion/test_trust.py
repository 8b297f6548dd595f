"""What a motion is checked by, what the tolerances explain, and what becomes of a motion that a check contradicts."""

import json
from typing import NamedTuple

import numpy as np
import pytest

from rollick import Ellipsoid, MotionWarning, coulomb, simulate, sliding
from rollick.kernel.hooks import assumptions, kept
from rollick.kernel.system import describe, rate, signals
from rollick.mechanics.body import Body
from rollick.motion.result.motion import Motion
from rollick.motion.result.trust import Check, Trust, from_dict, least


class Swing(NamedTuple):
    """x'' = -x - leak x': what it calls its energy is kept only without a leak, and it says so whether or not there is one."""

    leak: float = 0.0


@rate.register(Swing)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = -y[0] - s.leak * y[1]


@signals.register(Swing)
def _(s, t, y, out):
    out[0] = 0.5 * (y[0] * y[0] + y[1] * y[1])


describe(Swing, {"x": "m", "v": "m/s"}, signals={"energy": "J"})


@kept.register(Swing)
def _(s):
    return {"energy": ("energy",)}


@assumptions.register(Swing)
def _(s):
    return "The bearing is assumed to be without friction." if s.leak else ""


@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_right_motion_is_explained_by_its_tolerances(method, rtol):
    motion = simulate(Swing(), [1.0, 0.0], 30.0, method=method, rtol=rtol)
    (check,) = motion.trust.checks
    assert check.name == "energy"
    assert check.passed
    assert motion.status == "finished"
    missed = np.abs(motion["energy"] - 0.5).max()
    assert check.missed == pytest.approx(missed / 2.0, rel=0.05)  # the scale is |dE/dx| |x| + |dE/dv| |v|, at most 2 J
    assert check.explained < 3.0 * motion.provenance["steps"] * rtol * 1.01


def test_a_motion_that_loses_what_it_keeps_is_doubtful():
    """The energy changes by 1e-5 where 30 steps at rtol 1e-9 explain 1e-7: nobody may read `finished`."""
    with pytest.warns(MotionWarning, match=r"But energy kept to .* The bearing is assumed to be without friction"):
        motion = simulate(Swing(leak=1e-5), [1.0, 0.0], 3.0, rtol=1e-9)
    assert motion.status == "doubtful"
    assert not motion.complete
    assert motion.message.startswith("reached t = 3. But energy kept to ")
    (doubt,) = motion.trust.doubts
    assert doubt.missed == pytest.approx(1.5e-5 / 1.75, rel=0.1)
    assert "doubtful: see energy" in motion.summary()


def test_digits_are_the_least_that_any_check_leaves():
    """Repetitions of the wrong equations agree to nine digits; the energy leaves five."""
    with pytest.warns(MotionWarning, match="energy kept to"):
        motion = simulate(Swing(leak=1e-5), [1.0, 0.0], 3.0, rtol=1e-9, verify=True)
    assert max(motion.trust.digits) == pytest.approx(-np.log10(1.5e-5 / 1.75), abs=0.1)
    assert motion.trust.checks[1].missed < 1e-8


def test_a_check_that_is_not_a_number_does_not_pass():
    assert not Check("energy", "", np.nan, 1.0).passed
    assert Check("energy", "", 0.0, np.inf).passed
    assert least(Trust((Check("a", "", 1e-3, 1.0, 3.0),)), ("x", "y"), (9.0, 2.0), (1.0, 8.0)).digits == (3.0, 2.0)


def test_trust_goes_into_files_and_json(tmp_path):
    with pytest.warns(MotionWarning, match="energy kept to"):
        motion = simulate(Swing(leak=1e-5), [1.0, 0.0], 3.0, verify=True)
    motion.to_netcdf(tmp_path / "swing.nc")
    back = Motion.open(tmp_path / "swing.nc")
    assert back.trust == motion.trust
    assert back.status == "doubtful"
    told = json.loads(json.dumps(motion.to_dict()))["trust"]
    assert told["verdict"].startswith("doubtful: energy kept to")
    assert [check["passed"] for check in told["checks"]] == [False, True]
    assert set(told["digits"]) == {"x", "v"}
    assert from_dict(motion.trust.to_dict()) == motion.trust


def test_energy_accounts_of_contacts_are_checks():
    """An ellipsoid that falls, bounces and slips: account and gap are looked at, by stepping and from event to event."""
    body = Body.from_inertia(1.0, (0.01, 0.012, 0.015), shape=Ellipsoid(0.1, 0.08, 0.06))
    system = sliding(body, law=coulomb(0.3), e_N=0.5)
    start = {"theta": 0.4, "gap": 0.05, "omega1": 2.0, "vx": 0.3, "vy": 0.0}
    for options in ({"method": "moreau", "dt": 1e-4}, {"method": "event-driven"}):
        motion = simulate(system, start, 0.3, **options)
        assert [check.name for check in motion.trust.checks] == ["energy", "gap", "steps"][: 3 if "dt" in options else 2]
        assert motion.trust.verdict == "no check misses by more than the tolerances explain"
        assert motion.trust.checks[0].text.startswith("the energy account closes to ")


def test_a_contact_that_gives_energy_is_named():
    """The sum of an account may close while one contact gives what another takes."""
    body = Body.from_inertia(1.0, (0.01, 0.012, 0.015), shape=Ellipsoid(0.1, 0.08, 0.06))
    system = sliding(body, law=coulomb(0.3), e_N=0.5)
    start = {"theta": 0.4, "gap": 0.05, "omega1": 2.0, "vx": 0.3, "vy": 0.0}
    from rollick.motion.methods import EventDriven
    from rollick.motion.result.checks import check_motion

    motion = simulate(system, start, 0.3, method="event-driven")
    account = motion.provenance["contacts"][0]
    account["sliding"] = -0.5 - account["impacts"]
    (doubt,) = check_motion(motion, EventDriven()).doubts
    assert "contact 0 gives 5.0e-01 J" in doubt.text
    motion = simulate(system, start | {"gap": 0.0}, 0.05, method="event-driven")
    account = motion.provenance["contacts"][0]
    assert account["impacts"] == 0.0
    account["sliding"], account["pivoting"] = -0.5, 1.0
    (doubt,) = check_motion(motion, EventDriven()).doubts
    assert "contact 0 gives 5.0e-01 J" in doubt.text


def test_friction_may_give_energy_in_an_impact_that_takes_more():
    """An ellipsoid that comes down on its flank and sticks: friction turns it, and its percussion does work on the body."""
    body = Body.from_inertia(1.0, (1e-3, 1.2e-3, 0.8e-3), shape=Ellipsoid(0.05, 0.06, 0.04))
    system = sliding(body, law=coulomb(0.3), e_N=0.3)
    start = {"q0": 0.9, "q1": 0.3, "q2": 0.1, "q3": 0.3, "gap": 0.01, "omega1": 2.0, "vx": 0.1}
    motion = simulate(system, start, 0.07, method="event-driven")
    account = motion.provenance["contacts"][0]
    assert account["sliding"] < -1e-3
    assert account["impacts"] > -10.0 * account["sliding"]
    assert motion.status == "finished"
    assert np.all(np.diff(motion["energy"]) <= 1e-12)
