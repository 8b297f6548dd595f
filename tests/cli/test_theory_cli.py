"""`rollick theory`, as a person uses it."""

import json
import math

import pytest
from commands import rollick

from rollick.archetypes.rubber import nutation_from, separatrices, start_rolling, torus


def answer(*args):
    code, out, _ = rollick("theory", *args, "--json")
    assert code == 0
    return json.loads(out)


def test_steady_rollings():
    found = answer("steady", "torus", "--set", "R=1", "--set", "r=0.25", "--set", "g=1", "--ell", "0.5")
    assert [e["stable"] for e in found["steady_rollings"]] == [True, False, True]
    assert math.sin(found["steady_rollings"][0]["theta"]) ** 3 == pytest.approx(0.25, rel=1e-14)
    assert found["steady_rollings"][1]["radius"] is None  # a straight line
    assert found["critical_spins"] == [{"ell": 1.0, "theta": 0.5 * math.pi, "kind": "pitchfork"}]
    code, out, _ = rollick("theory", "steady", "torus", "--start", "theta=60deg", "--start", "l=0.5")
    assert code == 0
    assert "ell = 0.5: 3 steady rollings" in out


def test_nutation_and_separatrices():
    body = torus(0.1, 0.025)
    found = answer("nutation", "torus", "--start", "theta=60deg", "--start", "psi_rate=6")
    expected = nutation_from(body, start_rolling(body, "60deg", 0.0, 6.0))
    assert found["kind"] == "nutation"
    assert found["nutation"]["period"] == expected.period
    middle = 0.5 * (expected.low + expected.high)
    again = answer("nutation", "torus", "--ell", repr(found["ell"]), "--energy", repr(found["energy"]), "--inside", str(middle))
    assert again["nutation"]["period"] == pytest.approx(expected.period, rel=1e-12)
    code, out, _ = rollick("theory", "nutation", "torus", "--start", "theta=0.687", "--start", "ell=0.5")
    assert code == 0
    assert "period 0.522338709 s" in out
    loops = answer("separatrices", "torus", "--ell", "0.3")["separatrices"]
    assert [s["yaw"] for s in loops] == [s.yaw for s in separatrices(body, 0.3)]
    on_it = answer("nutation", "torus", "--ell", "0.3", "--energy", repr(loops[0]["saddle"]["energy"]), "--inside", "0.5")
    assert (on_it["kind"], on_it["nutation"]) == ("asymptotic", None)


def test_steady_spin():
    found = answer("spin", "--at", "5,10")
    assert found["spins"] == [5.0, 10.0]
    assert found["growth_negative"][0] == pytest.approx(2.12069, abs=5e-6)
    assert [mode["kind"] for mode in found["rest_modes"]] == ["rocks", "rocks"]
    code, out, _ = rollick("theory", "spin", "--set", "b=0.013", "--allow-unstable")
    assert code == 0
    assert "at rest: unstable; it tips over like exp(" in out


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("steady", "rattleback"), "no rolling body of revolution"),
        (("steady", "torus", "--ell", "1", "--start", "theta=1"), "both say what l is"),
        (("nutation", "torus", "--ell", "1"), "--inside"),
        (("steady", "torus", "--set", "how=marble"), "no reduced form for marble"),
        (("spin", "--at", ","), "names no rate"),
        (("steady", "rolling_disk", "--ell", "nan"), "--ell = nan is not finite"),
        (("separatrices", "torus", "--ell", "inf"), "--ell = inf is not finite"),
        (("nutation", "torus", "--ell", "1", "--energy", "nan", "--inside", "40deg"), "--energy = nan is not finite"),
    ],
)
def test_what_does_not_apply_is_refused(args, word):
    code, _, err = rollick("theory", *args)
    assert code == 2
    assert word in err
