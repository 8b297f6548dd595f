"""`rollick tippedisk`, and the reduced tippedisks on the command line."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from rollick import InputError
from rollick.archetypes.models import model
from rollick.archetypes.tippedisk import specimen
from rollick.cli.main import app


def told(*words):
    done = CliRunner().invoke(app, list(map(str, words)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_speeds():
    out = json.loads(told("tippedisk", "speeds", "--json", "--set", "specimen=V2"))
    assert out["type"] == "v2"
    assert out["speeds"]["critical"] == pytest.approx(30.710917, abs=1e-6)
    assert out["speeds"]["fold"] == pytest.approx(31.477952, abs=1e-5)  # leading order; 31.4770 at eps = 0.1
    assert out["speeds"]["2D"] == pytest.approx(31.3577, abs=5e-5)
    text = told("tippedisk", "speeds")
    assert "30.91676 rad/s" in text
    assert "Omega_f  none" in text
    for words, sentence in (
        (("b=0",), "nothing to invert"),
        (("a=1cm", "rounding=exact"), "rounding would do nothing"),
        (("eps=0",), "eps"),
    ):
        options = [x for word in words for x in ("--set", word)]
        with pytest.raises(InputError, match=sentence):
            told("tippedisk", "speeds", *options)


@pytest.mark.slow
def test_speeds_of_another_disk():
    heavier = json.loads(told("tippedisk", "speeds", "--json", "--set", "a=1.4cm"))
    assert heavier["kappa"] < specimen("V1").kappa


def test_chart(tmp_path):
    size = ("--kappa", "0.02:0.08:4", "--zeta", "0.9:1.5:5")
    out = json.loads(told("tippedisk", "chart", "--json", *size, "--plot", tmp_path / "c.png", "--out", tmp_path / "c.nc"))
    assert np.array(out["types"]).shape == (4, 5)
    assert (tmp_path / "c.png").stat().st_size > 10_000
    assert (tmp_path / "c.nc").exists()
    assert "closed forms" in told("tippedisk", "chart", "--closed", *size)


def test_models_make_what_they_say():
    reduced, normalised = model("tippedisk_reduced"), model("tippedisk_normalised")
    assert model("tippedisk").make(law="weight").law.sliding.load == pytest.approx(specimen("V1").m * 9.81)  # Model 1.1c
    assert type(model("tippedisk").make(law="linear").law.sliding).__name__ == "Linearised"
    assert reduced.make(law="linear").kink == 0.0
    assert reduced.make(model="slow", eps=0).eps == 0.0
    assert reduced.make(model="1.3", Omega=33).rows == 4
    assert reduced.make(model="1.4-dae").rows == 5
    assert normalised.make(form="slow", epsilon=0.03).delta == pytest.approx(0.1)
    assert normalised.make(psi=4).psi == 4.0
    for entry, given, sentence in (
        (reduced, {"model": "slow", "law": "linear"}, "law would do nothing"),
        (reduced, {"model": "1.2", "law": "linear"}, "law would do nothing"),
        (reduced, {"eps": 0}, "eps = 0"),
        (reduced, {"Omega": 0}, "Omega = 0"),
        (normalised, {"form": "slow", "psi": 4}, "psi would do nothing"),
        (normalised, {"epsilon": 0}, "epsilon = 0"),
        (normalised, {"kappa": 2}, "kappa"),
    ):
        with pytest.raises(InputError, match=sentence):
            entry.make(**given)


def test_energy_friction_and_manifold(tmp_path):
    out = json.loads(told("tippedisk", "energy", "--json", "--set", "specimen=V2"))
    assert out["types"] == {"spin": "v2", "energy": "v1"}
    assert out["spin_below"]["E_c"] == pytest.approx(out["launch_without_losses"], rel=1e-12)
    assert out["launch"] > out["launch_without_losses"]
    plain = json.loads(told("tippedisk", "friction", "--json"))
    assert plain["full"] == pytest.approx(30.104878, abs=1e-6)
    assert plain["1.4"] == pytest.approx(30.916762, abs=1e-6)
    harder = json.loads(told("tippedisk", "friction", "--json", "--mu-R", "1e-3"))
    assert harder["full"] > plain["full"] + 3.0
    assert "rad/s" in told("tippedisk", "friction", "--contensou", "--radius", "1e-3")
    free = json.loads(told("tippedisk", "friction", "--json", "--mu-tau", "0.3", "--drive", "none"))
    assert free["full"] > plain["full"] + 0.4
    assert free["drive"] == {"full": "none", "1.2": "spin"}
    assert plain["until"]["full"] == pytest.approx(73.8763, abs=1e-4)
    assert "none" in told("tippedisk", "friction", "--set", "mu=0.11", "--set", "eps=0.3")
    slip = json.loads(told("tippedisk", "manifold", "--json", "--plot", tmp_path / "m.png"))
    assert (tmp_path / "m.png").stat().st_size > 10_000
    assert slip["reduced"][1] / slip["terms"][1][1] > 1.2
    for words, sentence in (
        (("friction", "--contensou", "--mu-tau", "0.1"), "includes pivoting"),
        (("friction", "--mu-R", "-1"), "zero or above"),
        (("friction", "--mu-R", "inf"), "finite"),
        (("friction", "--contensou", "--set", "eps=0.5"), "its own smoothing"),
        (("manifold", "--Omega", "nan"), "finite"),
        (("manifold", "--beta", "1deg"), "lies flat"),
        (("design", "--hole", "0.5"), "LOW,HIGH"),
        (("design", "--fill", "0.3,0.1"), "below the second"),
    ):
        with pytest.raises(InputError, match=sentence):
            told("tippedisk", *words)
