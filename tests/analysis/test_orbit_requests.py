"""What is asked of orbits and cannot be had is refused in one sentence; what is not known is told."""

from __future__ import annotations

import math

import numpy as np
import pytest
from textbook import VanDerPol

from rollick import InputError
from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import (
    Collocation,
    MultipleShooting,
    continue_orbit,
    find_orbit,
    open_orbits,
    orbit_problem,
    resume_orbits,
)

GUESS = {"x": 2.0}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"turning": [("x", "v")]}, "turning is none of VanDerPol"),
        ({"advance": {"x": 1.0}}, "advance is none of VanDerPol"),
        ({"symmetry": {"x": -1}}, "symmetry is none of VanDerPol"),
        ({"symmetry": ["x", "v"]}, "symmetry is 'all'"),
        ({"turning": [("x",)]}, "turning lists pairs"),
        ({"turning": None}, "turning lists pairs"),
        ({"advance": ["x"]}, "advance says by how much"),
        ({"free": 3}, "free names states"),
        ({"hold": 3}, "hold names states"),
        ({"transient": -1.0}, "must not be below zero"),
    ],
)
def test_what_cannot_be_had(options, why):
    with pytest.raises(InputError, match=why):
        find_orbit(VanDerPol(), GUESS, 6.5, **options)


def test_a_guess_of_the_wrong_length():
    with pytest.raises(InputError, match="gives the 2 states"):
        find_orbit(VanDerPol(), lambda s: [1.0, 2.0, 3.0], 6.5)


def test_times_and_points_of_orbits():
    orbit = find_orbit(VanDerPol(), GUESS, 6.5)
    half = find_orbit(VanDerPol(), GUESS, 6.5, symmetry="all")  # which it does have
    assert half.period == pytest.approx(orbit.period, abs=1e-9)
    one = find_orbit(VanDerPol(), GUESS, 6.5, method=MultipleShooting(segments=1))
    assert one.period == pytest.approx(orbit.period, abs=1e-9)
    for t in ("a", math.nan, -1.0):
        with pytest.raises(InputError, match="asked for"):
            orbit.at(t)
    with pytest.raises(InputError, match="name the parameter"):
        continue_orbit(orbit, None)
    with pytest.raises(InputError, match="steps is a PseudoArclength"):
        continue_orbit(orbit, "mu", steps="short")


def test_multipliers_that_are_not_known():
    coarse = find_orbit(VanDerPol(), GUESS, 6.5, method=Collocation(intervals=3))
    assert coarse.stability == "unknown"
    assert "multipliers are not known" in coarse.message


def test_a_file_of_orbits_is_opened_and_gone_on_with(tmp_path):
    orbit, path = find_orbit(VanDerPol(), GUESS, 6.5), tmp_path / "branch.nc"
    steps = PseudoArclength(ds=0.05, ds_max=0.1, max_points=4)
    part = continue_orbit(orbit, "mu", (0.5, 2.0), steps=steps, file=path)
    for which in (999, 1.5):
        with pytest.raises(InputError, match="has the orbits 0 to"):
            part.orbit(which)
    problem = orbit_problem(orbit, "mu")
    again = open_orbits(path, problem)
    assert again.orbit(0).period == pytest.approx(part.orbit(0).period, abs=1e-10)
    whole = resume_orbits(path, problem, max_points=60)
    assert whole.complete
    assert np.all(np.isin(part["mu"], whole["mu"]))
