"""The trust of an ensemble: members simulated alone end as they do in it, with the same numbers; where they do not, it is told."""

import numpy as np
import pytest

from rollick import InputError, MotionWarning, Rattleback
from rollick.ensemble import Attractor, Grid, ensemble
from rollick.ensemble.spot_check import check_members, spread

SPINS = Grid(omega3=np.linspace(0.5, 2.0, 30))


def run(**options):
    return ensemble(Rattleback(), SPINS, 2.0, keep=["omega3", "energy"], progress=False, **options)


def test_nothing_is_checked_unless_it_is_asked_for():
    assert run().trust.verdict == "not checked"
    assert run(verify=False).status == "finished"


@pytest.mark.parametrize(("asked", "count"), [(True, 8), (3, 3), (100, 30)])
def test_members_alone_have_the_same_numbers(asked, count):
    found = run(verify=asked)
    (check,) = found.trust.checks
    assert check.text.startswith(f"{count} of 30 members")
    assert check.passed
    assert check.digits > 9.0
    assert found.status == "finished"
    assert "simulated alone, differ by" in found.summary()
    assert found.to_dict()["trust"]["checks"][0]["passed"]
    assert "simulated alone" in found.data.attrs["trust"]


@pytest.mark.parametrize("wrong", [1e-6, np.nan])
def test_a_wrong_number_is_found(wrong):
    """A member that was looked at and has another number than alone."""
    found = run()
    found.found.values[0, 0] += wrong
    trust = check_members(found.task, found.found, 2)
    assert trust.doubts
    found.trust = trust
    assert found.status == "doubtful"
    assert not found.complete


def test_a_member_that_ends_otherwise_alone_is_told(monkeypatch):
    found = run()
    found.found.status[0] = 1  # "event", which nobody asked for
    assert "ends alone with 'finished', and in the ensemble with 'event'" in check_members(found.task, found.found, 2).verdict


def test_a_doubtful_ensemble_warns(monkeypatch):
    from rollick.ensemble import call

    def spoilt(task, found, count):
        found.values[0, 0] += 0.1
        return check_members(task, found, count)

    monkeypatch.setattr(call, "check_members", spoilt)
    with pytest.warns(MotionWarning, match="simulated alone"):
        assert run(verify=True).status == "doubtful"


def test_what_cannot_be_verified_is_refused():
    with pytest.raises(InputError, match="verify = -1 must be a whole number"):
        run(verify=-1)
    with pytest.raises(InputError, match="verify does not judge attractors"):
        ensemble(Rattleback(), SPINS, keep=[Attractor(settle=1.0)], progress=False, verify=True)


def test_members_are_spread():
    assert spread(np.arange(100), 3).tolist() == [0, 50, 99]
    assert spread(np.arange(2), 8).tolist() == [0, 1]
    assert spread(np.arange(0), 8).tolist() == []
