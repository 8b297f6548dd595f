"""Trust where nobody planned it: steps that share their error, motions without a digit, quantities told wrongly, limits and interruptions."""

import contextlib
import json
import math
import warnings
from typing import NamedTuple

import numpy as np
import pytest
from systems import Kepler

from rollick import InputError, MotionWarning, describe, open_saved, rate, signals, simulate
from rollick.ensemble import Grid, ensemble
from rollick.kernel import kept
from rollick.motion.result import verify


class Swing(NamedTuple):
    """x'' = -x - c x'; its energy is said to be kept."""

    c: float = 0.0


@rate.register(Swing)
def _(swing, t, y, out):
    out[0], out[1] = y[1], -y[0] - swing.c * y[1]


@signals.register(Swing)
def _(swing, t, y, out):
    out[0] = 0.5 * (y[0] * y[0] + y[1] * y[1])


@kept.register(Swing)
def _(swing):
    return {"energy": ("energy",)}


describe(Swing, states={"x": "m", "v": "m/s"}, signals={"energy": "J"})


class Misspelt(NamedTuple):
    """A constant whose kept quantity nobody tells."""

    a: float = 1.0


@rate.register(Misspelt)
def _(system, t, y, out):
    out[0] = 0.0


@signals.register(Misspelt)
def _(system, t, y, out):
    out[0] = system.a / y[0]


@kept.register(Misspelt)
def _(system):
    return {"energy": ("enrgy",) if system.a == 1.0 else ("energy",)}


describe(Misspelt, states={"x": "m"}, signals={"energy": "J"})


@contextlib.contextmanager
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def state(motion, name):
    return [q.name for q in motion.about.states].index(name)


def test_a_motion_without_a_digit_is_doubtful():
    with pytest.warns(MotionWarning, match="Not one digit is left"):
        motion = simulate(Swing(), [1.0, 0.0], 1e4, rtol=1e-3, atol=1e-1, verify=True)
    assert motion.status == "doubtful"
    assert motion.trust.worst < 1.0


def test_what_a_finer_tolerance_does_not_mend_is_told():
    """A tenth of the energy is lost, and at rtol 1e-6 as much is explained by the tolerances."""
    with pytest.warns(MotionWarning, match="energy kept to"):
        assert simulate(Swing(1e-6), [1.0, 0.0], 1e5, rtol=1e-6, verify=True).status == "doubtful"


def test_a_kept_quantity_that_nobody_tells_is_refused():
    with pytest.raises(InputError, match="'enrgy', which is neither a signal nor an integral"):
        simulate(Misspelt(), [1.0], 1.0)


def test_a_kept_quantity_that_is_not_a_number_is_named():
    with pytest.warns(MotionWarning, match="energy is not a number at t = 0"):
        simulate(Misspelt(0.0), [0.0], 1.0)


@pytest.mark.parametrize("at", [None, []])
def test_where_motions_are_looked_at_does_not_make_them_doubtful(at):
    """An orbit of eccentricity 0.9999: all that varies happens between the start, the middle and the end."""
    e = 0.9999
    start = [1.0 + e, 0.0, 0.0, math.sqrt((1.0 - e) / (1.0 + e))]
    assert simulate(Kepler(), start, 4.0 * math.pi, rtol=1e-9, at=at).status == "finished"


def test_a_motion_backwards_is_verified_in_shorter_steps():
    motion = simulate(Swing(), [1.0, 0.0], -10.0, max_step=0.01, verify=True)
    assert motion.status == "finished"
    assert motion.end_state[0] == pytest.approx(math.cos(10.0), abs=1e-8)
    assert motion.trust.worst > 9.0


def test_a_very_short_motion_is_not_doubtful():
    assert simulate(Swing(), [1.0, 0.0], 100.0 + 1e-13, since=100.0, verify=True).status == "finished"


def test_a_state_that_returns_to_zero_has_digits():
    """The only instant that is kept is one at which v is zero: its scale is that of its unit, and no alarm is given."""
    motion = simulate(Swing(), [1.0, 0.0], math.pi, at=[math.pi], verify=True)
    assert motion.status == "finished"


def test_dense_output_is_promised_as_well():
    motion = simulate(Swing(), [1.0, 0.0], 20.0, method="radau", rtol=1e-9, dense=True, verify=True)
    t = np.linspace(0.0, 20.0, 5001)
    true = -np.log10(np.abs(motion.at(t)[:, 0] - np.cos(t)).max())
    assert motion.trust.digits[0] <= true + 0.5


def test_limits_count_for_repetitions_and_interruptions_say_nothing(monkeypatch):
    """A repetition that somebody stops, or that runs into the limit of seconds, does not make the motion doubtful."""
    made = verify.repetitions

    def stopped(*given):
        return [made(*given)[0]._replace(broke_off="interrupted")]

    monkeypatch.setattr(verify, "repetitions", stopped)
    motion = simulate(Swing(), [1.0, 0.0], 1.0, verify=True)
    assert motion.status == "finished"
    assert motion.trust.digits == ()
    assert motion.provenance["no_digits_at"] == []
    assert "nobody knows how many digits there are" in str(motion.trust)


def test_a_tolerance_that_is_absolute_is_made_finer():
    with _quiet():
        motion = simulate(Swing(), [1.0, 0.0], 20.0, rtol=0.0, atol=1e-6, verify=True)
    assert "at atol 1e-09" in motion.trust.checks[-1].text
    assert motion.trust.worst == pytest.approx(-np.log10(np.abs(motion["x"] - np.cos(motion.t)).max()), abs=0.6)


def test_a_trust_is_plain_values_and_comes_back_from_files(tmp_path):
    with pytest.warns(MotionWarning):
        motion = simulate(Swing(1e-6), [1.0, 0.0], 1e5, rtol=1e-6, verify=True, at=np.linspace(0.0, 1e5, 50))
    json.dumps(motion.trust.to_dict(), allow_nan=False)
    motion.to_netcdf(tmp_path / "motion.nc")
    assert open_saved(tmp_path / "motion.nc").trust == motion.trust
    many = ensemble(Swing(), Grid(x=[1.0, 2.0]), 1.0, progress=False, verify=True)
    many.to_netcdf(tmp_path / "many.nc")
    again = open_saved(tmp_path / "many.nc")
    assert again.trust == many.trust
    many.found.values[0, 0] += 1.0
    many.trust, many._data = verify.Trust((verify.Check("members", "differ", 1.0, 0.0),)), None
    many.to_netcdf(tmp_path / "doubtful.nc")
    assert open_saved(tmp_path / "doubtful.nc").status == "doubtful"
