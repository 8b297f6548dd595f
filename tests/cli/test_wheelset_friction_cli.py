"""`rollick wheelset critical`, `rollick wheelset return-map`, and the wheelset by `rollick simulate`."""

import json

import numpy as np
from typer.testing import CliRunner

from rollick.cli.main import app, guarded


def said(*words):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(capsys, *words):
    assert guarded(lambda: app(list(words), standalone_mode=True)) == 2
    return capsys.readouterr().err


def test_critical_amplitudes(tmp_path):
    picture = tmp_path / "critical.png"
    found = json.loads(said("wheelset", "critical", "--speeds", "100:400:100", "--plot", str(picture), "--json"))
    np.testing.assert_allclose([1e3 * row["amplitude"] for row in found["speeds"]], [4.361, 5.956, 8.372, 2.751], atol=5e-4)
    assert [row["governs"] for row in found["speeds"]] == ["yaw", "yaw", "lateral", "lateral"]
    assert abs(found["special_speeds_kmh"]["omega_L1"] - 283.3) < 0.05
    assert found["special_speeds_kmh"]["omega_L2"] is None
    assert picture.stat().st_size > 10_000
    text = said("wheelset", "critical", "--speeds", "100:100:1")
    assert "lateral resonance  236.10 km/h" in text
    assert "second crossing    none" in text


def test_return_map(tmp_path):
    picture = tmp_path / "map.png"
    words = ("wheelset", "return-map", "--set", "v=200km/h", "--most", "1.2", "--points", "4", "--periods", "8")
    found = json.loads(said(*words, "--plot", str(picture), "--json"))
    assert [e["ends"] for e in found["episodes"]] == [True] * 4
    assert abs(found["episodes"][-1]["ratio"] - 0.851) < 5e-4
    assert found["small_overshoot"]["ratio"] < 0.0
    assert found["fixed_points"] == []
    assert found["long_run"]["high"] < 1.03 * found["critical_amplitude"]
    assert picture.stat().st_size > 10_000
    assert "slip damps" in said(*words)


def test_bad_input_is_a_sentence(capsys):
    assert "LOW:HIGH:STEP" in refused(capsys, "wheelset", "critical", "--speeds", "100")
    assert "0 <= LOW <= HIGH" in refused(capsys, "wheelset", "critical", "--speeds", "100:50:1")
    assert "above zero" in refused(capsys, "wheelset", "critical", "--set", "m=0")
    assert "parameter of the wheelset" in refused(capsys, "wheelset", "critical", "--set", "mass=1")
    assert "straight track" in refused(capsys, "wheelset", "return-map", "--set", "track_amplitude=1mm")
    assert "--most" in refused(capsys, "wheelset", "return-map", "--most", "1")
    assert "--periods" in refused(capsys, "wheelset", "return-map", "--periods", "1")
    assert "--points" in refused(capsys, "wheelset", "return-map", "--points", "1")
    assert "cannot read the track" in refused(capsys, "simulate", "wheelset", "--set", "track=nowhere.csv")


def test_simulate_on_an_irregular_track():
    words = ("simulate", "wheelset", "--set", "v=200km/h", "--set", "track_amplitude=3mm", "--set", "track_wavelength=7m")
    found = json.loads(said(*words, "--start", "y=1mm", "--until", "0.3", "--json"))
    assert found["status"] == "finished"
    assert any(e["name"] == "slip" for e in found["events"])
