"""`rollick flowmeter`: JSON, pictures, words, and bad input in a sentence."""

import json

import pytest
from typer.testing import CliRunner

from rollick.cli.main import app, guarded


def asked(*words):
    done = CliRunner().invoke(app, ["flowmeter", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(capsys, *words):
    assert guarded(lambda: app(["flowmeter", *map(str, words)], standalone_mode=False)) == 2
    said = capsys.readouterr().err.strip()
    assert said.count("\n") == 0
    assert said.startswith("rollick: ")
    return said


def test_limits(tmp_path):
    said = asked("limits", "--range", "40cm/s", "--set", "drag=schiller-naumann")
    assert "up to v_f = 0.217719 m/s" in said
    assert "mu >= 0.233" in said
    told = json.loads(asked("limits", "--json", "--set", "mu=0.5", "--plot", tmp_path / "a.png"))
    assert told["case"] == "C"
    assert [b["name"] for b in told["bifurcations"]] == ["DNF2", "DNT1"]
    assert (tmp_path / "a.png").stat().st_size > 10_000
    rate = json.loads(asked("limits", "--json", "--set", "flow_rate=18dm^3/min", "--set", "swirl_per_flow=500"))
    assert rate["start_up"]["v_f"] == pytest.approx(0.15)
    assert rate["flow_rate"] == pytest.approx(0.2177193449 / 500.0)


def test_characteristic_and_chart(tmp_path):
    told = json.loads(asked("characteristic", "--json", "--swirl", "0.1:4", "--points", "14", "--plot", tmp_path / "c.png"))
    assert len(told["v_f"]) == len(told["v_up"]) == len(told["states"]) == 14
    assert told["hysteresis"] == pytest.approx([1.1632297, 3.3716334])
    assert {s["mode"] for here in told["states"] for s in here} == {"RR", "SS", "SR"}
    assert "SS stable" in asked("characteristic", "--points", "5")
    told = json.loads(asked("chart", "--json", "--points", "20", "--mu", "0.01:0.5", "--plot", tmp_path / "d.svg"))
    assert set(told["curves"]) == {"P3", "P2", "NF2", "DNF2", "DNT1", "F"}
    assert "mu_fold = 0.0302951" in asked("chart", "--points", "5")
    assert all((tmp_path / name).stat().st_size > 10_000 for name in ("c.png", "d.svg"))


def test_calibrate(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text(
        "flow [dm^3/min], speed [Hz]\n" + "".join(f"{q},{0.031 * q + 0.002 * (-1) ** q}\n" for q in range(2, 12)),
        encoding="utf-8",
    )
    said = asked("calibrate", file, "--reading", "0.2")
    assert "10 pairs of pairs.csv: speed [Hz] against flow [dm^3/min]" in said
    assert "reading 0.2: flow 6.4" in said
    told = json.loads(asked("calibrate", file, "--json", "--through-zero", "--plot", tmp_path / "p.png", "--reading", "0.2"))
    assert told["offset"] == 0.0
    assert told["readings"][0]["low"] < told["readings"][0]["flow"] < told["readings"][0]["high"]
    assert (tmp_path / "p.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["limits", "--set", "ball_diameter=25cm"], "the ball does not fit"),
        (["limits", "--set", "fluid_density=1200"], "the ball floats"),
        (["limits", "--set", "mu=1.5"], "theory is for mu < 1"),
        (["limits", "--range", "-1"], "--range = '-1' must be above zero"),
        (["limits", "--pulsation", "2kg"], "measured in Hz"),
        (["limits", "--set", "flow_rate=1e-3"], "needs swirl_per_flow"),
        (["limits", "--set", "flow_rate=1e-3", "--set", "swirl=0.1"], "keep one"),
        (["limits", "--set", "colour=red"], "unknown parameter of the flowmeter"),
        (["limits", "--plot", "a.txt"], "a.txt"),
        (["characteristic", "--swirl", "2:1"], "must begin above zero and grow"),
        (["characteristic", "--swirl", "2"], "give a range FROM:TO"),
        (["characteristic", "--points", "1"], "between 2 and 2000"),
        (["chart", "--mu", "0.1:2"], "friction below 1"),
        (["calibrate", "none.csv"], "there is no file"),
        (["calibrate", __file__], "line 1"),
    ],
)
def test_bad_input_is_a_sentence(capsys, words, sentence):
    assert sentence in refused(capsys, *words)
