"""`rollick fit`: a track in, numbers, files and a report out; bad input in one sentence."""

import json

import pytest
from typer.testing import CliRunner

from rollick.archetypes.tippedisk.experiment import FILE, synthetic_experiment, true_motion
from rollick.cli.main import app, guarded


def run(*words):
    return CliRunner().invoke(app, ["fit", *map(str, words)])


@pytest.fixture(scope="module", params=[0.25, pytest.param(0.5, marks=pytest.mark.slow)])
def file(tmp_path_factory, request):
    """A quarter of a second, or half a second, at 200 frames per second, in a file."""
    path = tmp_path_factory.mktemp("track") / "short.csv"
    synthetic_experiment(6, true_motion(request.param), fps=200.0).to_csv(path)
    return path


def test_fit_writes_what_was_asked(file, tmp_path):
    out, plot, report = tmp_path / "f.nc", tmp_path / "f.png", tmp_path / "f.md"
    done = run(
        file, "--law", "sliding+pivoting", "--set", "mu_tau=0.02", "--out", out, "--plot", plot, "--report", report, "--json"
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["parameters_fitted"] == ["mu", "eps", "mu_tau"]
    assert told["provenance"]["synthetic"].startswith("SYNTHETIC")
    assert all(path.exists() for path in (out, plot, report))
    assert "| mu_tau |" in report.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.csv"], "there is no file"),
        ([FILE, "--law", "coulomb"], "set-valued"),
        ([FILE, "--law", "sliding", "--law", "sliding"], "twice"),
        ([FILE, "--set", "mu"], "no NAME=VALUE"),
        ([FILE, "--set", "nu=1"], "unknown number of the friction"),
        ([FILE, "--also", "mass"], "unknown further number"),
        ([FILE, "--specimen", "V3"], "unknown specimen"),
        ([FILE, "--column", "t=time"], "unknown column of"),
        ([FILE, "--unit", "position=kg"], "the unit of position"),
        ([FILE, "--marker", "a=1,2"], "needs three numbers"),
        ([FILE, "--target", "id7"], "unknown marker"),
        ([FILE, "--since", "5"], "no frame of"),
        ([FILE, "--outliers", "1"], "2 the least"),
        ([FILE, "--level", "95"], "level"),
        ([FILE, "--use", "places"], "unknown use"),
        ([FILE, "--windows", "0"], "windows"),
        ([FILE, "--report", "r.pdf"], "--report"),
    ],
)
def test_bad_input_is_one_sentence(words, said, capsys):
    code = guarded(lambda: app(["fit", *map(str, words)], standalone_mode=True))
    told = capsys.readouterr().err.strip().splitlines()
    assert code == 2
    assert len(told) == 1, told
    assert said in told[0]
