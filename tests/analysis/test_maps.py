"""Exponents, basins and charts: against published values, symmetries, and outputs computed one by one."""

import numpy as np
import pytest
from design_systems import Drag, Duffing, Lorenz63, Rossler, Swing
from textbook import VanDerPol

from rollick import InputError
from rollick.analysis.basins import basins
from rollick.analysis.chart import chart
from rollick.analysis.exponents import spectrum
from rollick.analysis.section import return_map
from rollick.analysis.sensitivity import sensitivity


def test_lorenz():
    """Sprott: 0.9056, 0, -14.5723; the divergence of Lorenz's equations is the number -(s + 1 + b)."""
    lorenz = spectrum(Lorenz63(), [1.0, 1.0, 20.0], 1000.0, 2000, rtol=1e-8)
    assert lorenz.sum == pytest.approx(-(10.0 + 1.0 + 8.0 / 3.0), rel=1e-7)
    assert np.all(np.abs(lorenz.values - [0.9056, 0.0, -14.5723]) < 4.0 * lorenz.errors + 1e-3)
    assert lorenz.errors[0] < 0.02
    assert lorenz.dimension == pytest.approx(2.062, abs=0.005)


@pytest.mark.slow
def test_rossler():
    """Sprott: 0.0714, 0, -5.3943; the divergence is not constant."""
    rossler = spectrum(
        Rossler(), [1.0, 1.0, 0.0], 3000.0, 3000, rtol=1e-8
    )  # the divergence is summed over four places of each interval
    assert np.all(np.abs(rossler.values - [0.0714, 0.0, -5.3943]) < 4.0 * rossler.errors + 1e-3)
    assert rossler.errors[0] < 0.01
    assert rossler.sum == pytest.approx(rossler.divergence, abs=1e-4)


def test_exponents_of_a_fixed_point_are_the_real_parts_of_its_eigenvalues(tmp_path):
    found = spectrum(Duffing(c=0.4), [1.0, 0.0], 200.0, 400)
    assert found.values == pytest.approx([-0.2, -0.2], abs=2e-3)
    assert "exponents" in found.summary()
    found.plot(path=tmp_path / "spectrum.png")
    assert found.to_dict()["mean_divergence"] == pytest.approx(-0.4, rel=1e-9)
    with pytest.raises(InputError, match="intervals"):
        spectrum(Duffing(), [1.0, 0.0], 1.0, 5)
    with pytest.raises(InputError, match="raise intervals"):
        spectrum(Lorenz63(), [1.0, 1.0, 20.0], 400.0, 40)


def test_a_limit_cycle_is_an_attractor():
    """Van der Pol's: greatest |x| 2.00861986 (Shooting), mean zero, and the origin, which repels, is rest for the start on it only."""
    found = basins(VanDerPol(), {"x": [-1.0, 0.0, 1.0], "v": [-1.0, 0.0, 1.0]}, settle=200.0, progress=False)
    assert [a["kind"] for a in found.attractors] == ["motion", "rest"]
    assert (found.labels == 0).sum() == 8
    assert found.labels[1, 1] == 1
    cycle = found.attractors[0]
    assert cycle["greatest"]["x"] == pytest.approx(2.00861986, abs=2e-4) == -cycle["least"]["x"]
    assert abs(cycle["mean"]["x"]) < 1e-3


def two_wells(count):
    """Basins of the damped double well on a grid that is symmetric about the origin, which is not on it."""
    x = (np.arange(count) + 0.5) / count * 4.0 - 2.0
    return basins(Duffing(), {"x": x, "v": x}, settle=60.0, rtol=1e-7, progress=False)


@pytest.mark.parametrize("count", [12, pytest.param(24, marks=pytest.mark.slow)])
def test_the_two_wells_share_the_plane(tmp_path, count):
    found = two_wells(count)
    assert len(found.attractors) == 2
    assert sorted(a["mean"]["x"] for a in found.attractors) == pytest.approx([-1.0, 1.0], abs=1e-3)
    assert all(a["kind"] == "rest" for a in found.attractors)
    swapped = 1 - found.labels[::-1, ::-1]  # (x, v) -> (-x, -v) exchanges the wells
    assert np.array_equal(found.labels, swapped)
    assert found.fractions == pytest.approx([0.5, 0.5])
    assert "2 attractors" in found.message
    found.plot(path=tmp_path / "basins.png")
    # the nearest starts to a well at rest go to it
    x = found.axes["x"]
    right = next(k for k, a in enumerate(found.attractors) if a["mean"]["x"] > 0.0)
    assert found.labels[np.argmin(np.abs(x - 1.0)), np.argmin(np.abs(x))] == right


@pytest.mark.slow
def test_the_areas_of_basins_converge():
    """The part of the right half plane that goes to the right well, on finer and finer grids."""
    parts = []
    for count in (20, 40, 80):
        found = two_wells(count)
        right = next(k for k, a in enumerate(found.attractors) if a["mean"]["x"] > 0.0)
        parts.append(float((found.labels[count // 2 :] == right).mean()))
    assert abs(parts[2] - parts[1]) < 0.02
    assert abs(parts[2] - parts[1]) < abs(parts[1] - parts[0]) + 0.01


def test_a_pendulum_rests_below_whatever_turns_it_made():
    found = basins(Swing(drag=Drag(0.5)), {"phi": [0.5, 3.0], "omega": [0.0, 12.0]}, settle=60.0, angles=["phi"], progress=False)
    assert len(found.attractors) == 1
    assert found.fractions[0] == 1.0
    assert found.attractors[0]["mean"]["cos_phi"] == pytest.approx(1.0)
    unsettled = basins(Swing(drag=Drag(0.02)), {"phi": [2.0, 3.0]}, settle=10.0, angles=["phi"], progress=False)
    assert np.all(unsettled.labels == -2)
    assert "raise settle" in unsettled.message
    with pytest.raises(InputError, match="settle"):
        basins(Duffing(), {"x": [0.0]}, settle=-1.0)


def test_a_chart_is_what_its_points_are(tmp_path):
    axes = {"length": [0.8, 1.0, 1.3], "phi": ["30deg", "60deg"]}
    outputs = ["time of phi falling", "max omega"]
    store = tmp_path / "chart.nc"
    found = chart(Swing(), {"phi": 1.0}, 3.0, axes, outputs, store=store, progress=False)
    assert found["max omega"].shape == (3, 2)
    one = sensitivity(Swing(length=1.3), {"phi": "60deg"}, 3.0, outputs, ["length"])
    assert [found[label][2, 1] for label in ("time of phi falling #1", "max omega")] == pytest.approx(one.values, rel=1e-8)
    again = chart(Swing(), {"phi": 1.0}, 3.0, axes, outputs, store=store, progress=False)
    assert np.array_equal(again["max omega"], found["max omega"])
    with pytest.raises(InputError, match="another map"):
        chart(Swing(), {"phi": 1.0}, 4.0, axes, outputs, store=store, progress=False)
    found.plot(path=tmp_path / "chart.png")
    short = chart(Swing(), {"phi": 1.0}, 0.42, {"length": [0.5, 1.0, 2.0]}, ["time of phi falling"], progress=False)
    assert np.isnan(short["time of phi falling #1"]).tolist() == [False, True, True]
    assert "2 of them without a value" in short.message
    short.plot(path=tmp_path / "curve.png")


@pytest.mark.slow
def test_the_return_map_of_rossler_has_one_hump():
    """On y = 0 falling (x < 0): the next x is a function of x, with one extremum; neighbours in x have neighbours as images."""
    pairs = return_map(Rossler(), [1.0, 1.0, 0.0], "y", "x", 400, "falling", discard=30)
    assert pairs.shape == (400, 2)
    order = np.argsort(pairs[:, 0])
    images = pairs[order, 1]
    turns = np.flatnonzero(np.diff(np.sign(np.diff(np.convolve(images, np.ones(9) / 9.0, "valid")[::9]))))
    assert turns.size == 1
    assert np.median(np.abs(np.diff(images))) < 0.02 * np.ptp(images)


def test_basins_over_one_axis_are_drawn(tmp_path):
    found = basins(Swing(drag=Drag(0.5)), {"phi": [0.5, 3.0]}, settle=60.0, progress=False)
    figure = found.plot(path=tmp_path / "strip.png")
    (mesh,) = figure.axes[0].collections
    assert np.unique(mesh.get_array()).tolist() == sorted(set(found.labels.tolist()))
    assert mesh.get_array().shape == (2, 2)
