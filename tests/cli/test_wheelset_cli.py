"""`rollick wheelset`: tables, JSON, pictures, and bad input in a sentence."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from rollick import InputError
from rollick.archetypes.wheelset.profiles_published import s1002, uic60
from rollick.cli.main import app


def told(*words):
    done = CliRunner().invoke(app, ["wheelset", *map(str, words)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_conicity(tmp_path):
    out = json.loads(told("conicity", "--json", "--up-to", "6mm", "--points", "6", "--plot", tmp_path / "c.png"))
    assert (tmp_path / "c.png").stat().st_size > 10_000
    assert out["amplitude"] == pytest.approx([0.001, 0.002, 0.003, 0.004, 0.005, 0.006])
    assert out["integration"][2] == pytest.approx(0.1771, abs=1e-4)
    assert out["exact"] == [None] * 6
    assert "two points" in out["why_not_further"]
    assert len(out["contact_jumps"]) == 2
    assert out["wheel"]["name"] == "S1002"
    text = told("conicity", "--set", "h=0.05", "--up-to", "2mm", "--points", "4")
    assert "integration" in text
    assert "0.101783" in text


def test_conicity_of_files(tmp_path):
    u, x = np.linspace(-48.0, 55.0, 300), np.linspace(1e3 * uic60().low, 1e3 * uic60().high, 302)[1:-1]
    np.savetxt(tmp_path / "w.csv", np.stack([u, 1e3 * s1002().height(1e-3 * u)], axis=1), delimiter=",")
    np.savetxt(tmp_path / "r.csv", np.stack([x, 1e3 * uic60().height(1e-3 * x)], axis=1), delimiter=",")
    files = ("--profile", tmp_path / "w.csv", tmp_path / "r.csv")
    with pytest.raises(InputError, match="rail_at"):
        told("conicity", *files)
    place = ("--set", f"rail_at={0.7175 + 0.043032379897745834}")
    out = json.loads(
        told("conicity", *files, *place, "--json", "--up-to", "4mm", "--points", "4", "--smoothing", "0.5um", "--no-exact")
    )
    assert out["integration"][2] == pytest.approx(0.1771, abs=0.01)
    assert out["wheel"]["fit"]["points"] == 300
    assert out["wheel"]["fit"]["rms"] < 1e-6
    with pytest.raises(InputError, match="unit mm"):
        told("conicity", *files, *place, "--unit", "m")


def test_frequency(tmp_path):
    out = json.loads(told("frequency", "--json", "--up-to", "10mm", "--points", "2", "--plot", tmp_path / "f.png"))
    assert out["linear"]["klingel"] == pytest.approx(21.12886, abs=5e-6)
    assert out["omega_L"] == pytest.approx(30.14600, abs=5e-6)
    assert out["beta"] == pytest.approx(-2.0694, abs=5e-5)
    assert out["exact"][1] / out["omega_L"] == pytest.approx(0.9997934, abs=5e-8)
    text = told("frequency", "--set", "R1_w=30", "--up-to", "1mm", "--points", "1", "--speed", "180km/h")
    assert "a factor of 3.2" in text
    assert "0.00766895 1/mm^2" in text
    assert "conical" not in told("frequency", "--up-to", "1mm", "--points", "1")
    assert "cone 0.05" in told("frequency", "--set", "R_w=inf", "--up-to", "1mm", "--points", "1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["conicity", "--wheel", "nix.csv"], "neither s1002 nor a file"),
        (["conicity", "--set", "h=0.05", "--wheel", "s1002"], "does not go with"),
        (["conicity", "--set", "gauge=1.40"], "flanges"),
        (["conicity", "--up-to", "20mm"], "end of its profile"),
        (["conicity", "--up-to", "8"], "8mm"),
        (["conicity", "--points", "0"], "points"),
        (["frequency", "--set", "R_w=0.2"], "cross"),
        (["frequency", "--set", "q=1"], "parameter of the wheelset"),
        (["frequency", "--speed", "0"], "speed"),
        (["conicity", "--plot", "x.doc"], "x.doc"),
        (["conicity", "--profile", "a.csv", "b.csv", "--wheel", "s1002"], "leave out"),
    ],
)
def test_bad_input_is_told_in_a_sentence(words, said):
    with pytest.raises(InputError, match=said):
        told(*words)
