"""Motions over each other: differences against closed forms, what is not shared is refused by name, JSON, files, the command."""

import json

import numpy as np
import pytest
from commands import rollick

from rollick import InputError, compare
from rollick.plotting.compare import default_labels

UNITS = {"x": "m", "v": "m/s", "theta": "rad"}


def swing(handmade, omega, end=6.0, count=240, **more):
    t = np.linspace(0.0, end, count)
    return handmade(t, {"x": np.sin(omega * t), "v": omega * np.cos(omega * t)}, UNITS, **more)


def test_differences(handmade):
    """sin(1.1 t) - sin(t), on instants that the two do not share."""
    a, b = swing(handmade, 1.0), swing(handmade, 1.1, end=5.0, count=171)
    both = compare(a, b, labels=["slow", "fast"], names=["x"])
    off = both["x"][0]
    truth = np.sin(1.1 * both.t) - np.sin(both.t)
    assert both.t[-1] == 5.0
    assert np.abs(off - truth).max() < 1e-8
    numbers = both.numbers["x"]["differences"][0]
    assert numbers["largest"] == pytest.approx(np.abs(truth).max())
    assert numbers["end"] == pytest.approx(truth[-1])
    assert numbers["at"] == both.t[np.abs(truth).argmax()]
    fine = np.linspace(0.0, 5.0, 100_001)
    rms = np.sqrt(np.mean((np.sin(1.1 * fine) - np.sin(fine)) ** 2))
    assert numbers["rms"] == pytest.approx(rms, rel=1e-4)
    assert np.abs(off - truth).max() <= max(both.numbers["x"]["known_to"], 1e-12)


def test_what_is_not_shared_is_refused_by_name(handmade):
    t = np.linspace(0.0, 6.0, 100)
    a = swing(handmade, 1.0)
    other = handmade(t, {"x": np.cos(t), "theta": t}, UNITS)
    alien = handmade(t, {"phi": t}, {"phi": "rad"})
    scaled = handmade(t, {"x": np.cos(t)}, {"x": "mm"})
    assert compare(a, other, labels=["a", "b"]).names == ["x"]
    with pytest.raises(InputError, match=r"b has no channel v; a has it\. All of them have: x"):
        compare(a, other, labels=["a", "b"], names=["x", "v"])
    with pytest.raises(InputError, match=r"share no channel .*a: x, v; b: phi"):
        compare(a, alien, labels=["a", "b"])
    with pytest.raises(InputError, match="x is in m in a, but in mm in b"):
        compare(a, handmade(t, {"x": t, "v": t}, {"x": "mm", "v": "m/s"}), labels=["a", "b"], names=["x"])
    with pytest.raises(InputError, match="share no channel"):
        compare(a, scaled, labels=["a", "b"])
    late = handmade(t + 10.0, {"x": t}, UNITS)
    with pytest.raises(InputError, match="do not overlap"):
        compare(a, late, labels=["a", "b"])


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        (1, {}, "2 to 12 motions, not 1"),
        (2, {"labels": ["a"]}, "as many labels"),
        (2, {"labels": ["a", "a"]}, "must be different"),
        (0, {}, "not 0"),
    ],
)
def test_bad_calls(handmade, given, options, words):
    with pytest.raises(InputError, match=words):
        compare(*(swing(handmade, 1.0) for _ in range(given)), **options)
    with pytest.raises(InputError, match="not str"):
        compare("a.nc", "b.nc")


def test_labels_say_what_is_different(handmade):
    a, b = (swing(handmade, 1.0, parameters={"mu": mu, "g": 9.81}) for mu in (0.2, 0.3))
    assert default_labels([a, b]) == ["mu = 0.2", "mu = 0.3"]
    c = swing(handmade, 1.0, model="torus")
    assert default_labels([a, c]) == ["Handmade", "torus"]
    assert default_labels([a, a]) == ["1: Handmade", "2: Handmade"]


def test_picture_and_json(handmade, tmp_path):
    three = [swing(handmade, omega) for omega in (1.0, 1.1, 1.2)]
    both = compare(three, labels=["one", "two", "mu = 3"])
    fig = both.plot(path=tmp_path / "both.pdf", theme="dark")
    assert len(fig.axes) == 4  # two channels, beside each its differences
    assert [text.get_text() for text in fig.axes[0].get_legend().get_texts()] == ["one", "two", r"$\mu$ = 3"]
    assert len(fig.axes[0].get_lines()) == 3
    assert fig.axes[0].get_ylabel() == "$x$ [m]"
    assert fig.axes[1].get_ylabel() == r"$\Delta$$x$ [m]"
    styles = {(line.get_color(), str(line.get_linestyle())) for line in fig.axes[0].get_lines()}
    assert len(styles) == 3
    told = json.loads(json.dumps(both.to_dict(), allow_nan=False))
    assert told["labels"] == ["one", "two", "mu = 3"]
    assert set(told["channels"]) == {"x", "v"}
    assert told["channels"]["x"]["unit"] == "m"
    assert len(told["channels"]["x"]["differences"]) == 2
    assert told["status"] == "finished"
    assert len(told["derived"]["x of two - one"]) == len(told["t"])
    assert "two" in both.summary()
    assert both.data["x_difference"].dims == ("other", "t")


def test_the_command(handmade, tmp_path):
    files = [tmp_path / "one.nc", tmp_path / "two.nc"]
    for file, omega in zip(files, (1.0, 1.1)):
        swing(handmade, omega).to_netcdf(file)
    picture, numbers = tmp_path / "both.svg", tmp_path / "both.nc"
    code, out, err = rollick("compare", *files, "--plot", picture, "--out", numbers, "--show", "x", "--size", "double")
    assert code == 0, err
    assert "differences from one" in out
    assert "x [m]" in out
    assert picture.read_bytes().startswith(b"<?xml")
    assert numbers.exists()
    code, out, _ = rollick("compare", *files, "--json", "--label", "a", "--label", "b")
    assert code == 0
    assert json.loads(out)["labels"] == ["a", "b"]
    for args, words in (
        ((files[0],), "2 to 12 motions"),
        ((*files, "--show", "x,nope"), "one has no channel nope"),
        ((*files, "--plot", tmp_path / "x.gif"), ".png or .pdf or .svg"),
        ((*files, "--theme", "pink"), "pink"),
        ((files[0], tmp_path / "missing.nc"), "missing.nc"),
        ((*files, "--out", files[1]), "is one of the files that are compared"),
    ):
        code, _, err = rollick("compare", *args)
        assert code == 2
        assert words in err
        assert "Traceback" not in err
