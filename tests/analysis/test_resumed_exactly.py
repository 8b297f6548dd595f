"""A branch that was stopped and gone on with has the points of one that was not stopped."""

from __future__ import annotations

import numpy as np
import pytest
from test_orbits_hybrid import OMEGA, E, G, T, ball
from textbook import Brusselator, Polynomial

from rollick.analysis.continuation import Branch, PseudoArclength, resume, trace_branch
from rollick.analysis.orbits import Collocation, Shooting, continue_orbit, find_orbit
from rollick.analysis.orbits.follow import begun, orbit_problem, resume_orbits
from rollick.analysis.steady import EquilibriumProblem

STEPS = PseudoArclength(ds=0.01, ds_max=0.1, tol=1e-10, max_points=40)


def same(one: Branch, two: Branch) -> None:
    """Points, tangents, arclength and special points agree to 1e-10."""
    assert len(one) == len(two)
    for p, q in zip(one.points, two.points):
        assert p.z == pytest.approx(q.z, rel=1e-10, abs=1e-10)
        assert p.tangent == pytest.approx(q.tangent, rel=1e-9, abs=1e-9)
    assert one.s == pytest.approx(two.s, rel=1e-10, abs=1e-10)
    assert [p.label for p in one.specials] == [p.label for p in two.specials]
    assert [p.parameter for p in one.specials] == pytest.approx([p.parameter for p in two.specials], rel=1e-11, abs=1e-12)
    assert one.ends == two.ends


@pytest.mark.parametrize(
    "method", [pytest.param(Shooting(), marks=pytest.mark.slow), Collocation(intervals=12)], ids=lambda m: m.name
)
def test_orbits(tmp_path, method):
    """Stopped by the number of points, twice; collocation moves its mesh on the way, and sizes are measured anew (the orbits grow tenfold)."""
    orbit = find_orbit(Brusselator(B=2.05), [1.0, 2.3], 6.3, method=method, transient=150.0)
    whole = continue_orbit(orbit, "B", (1.5, 3.0), method=method, steps=STEPS)
    assert whole.special("H").parameter == pytest.approx(2.0, abs=1e-8)
    file = tmp_path / "branch.nc"
    few = PseudoArclength(ds=0.01, ds_max=0.1, tol=1e-10, max_points=1)
    continue_orbit(orbit, "B", (1.5, 3.0), method=method, steps=few, file=file)
    resume_orbits(file, orbit_problem(orbit, "B", method), max_points=7)
    same(resume_orbits(file, orbit_problem(orbit, "B", method), max_points=40), whole)


class Pressed:
    """Ctrl-C in the midst of a step: the n-th time that a problem measures something."""

    def __init__(self, problem, n):
        self.measures, self.n = problem.measures, n
        problem.measures = self

    def __call__(self, z, J):
        self.n -= 1
        if self.n == 0:
            raise KeyboardInterrupt
        return self.measures(z, J)


@pytest.mark.parametrize("n", [2, 9, 17])
def test_orbits_after_ctrl_c(tmp_path, n):
    """In the first direction at its beginning and later, and in the second one."""
    orbit = find_orbit(Brusselator(B=2.6), [1.0, 2.0], 6.5)
    whole = continue_orbit(orbit, "B", (1.5, 3.0), steps=STEPS)
    problem, file = orbit_problem(orbit, "B"), tmp_path / "branch.nc"
    start = begun(problem, orbit)
    Pressed(problem, n)
    short = trace_branch(problem, start, STEPS, bounds=(1.5, 3.0), file=file)
    assert short.status == "interrupted"
    assert len(short) < len(whole)
    same(resume_orbits(file, orbit_problem(orbit, "B")), whole)


@pytest.mark.parametrize("n", [3, 12, 30])
def test_steady_motions_after_ctrl_c(tmp_path, n):
    """x' = a0 + x - x^3, with two folds, one in each direction from the start, so that a stop has one before it or behind it."""
    system, file = Polynomial(a1=1.0, a3=-1.0), tmp_path / "branch.nc"
    steps = PseudoArclength(ds=0.02, ds_max=0.1)
    make = lambda: EquilibriumProblem(system, "a0", [0.1])
    whole = trace_branch(make(), make().start(None), steps, bounds=(-2.0, 2.0))
    assert [p.kind for p in whole.specials] == ["LP", "LP"]
    problem = make()
    Pressed(problem, n)
    short = trace_branch(problem, problem.start(None), steps, bounds=(-2.0, 2.0), file=file)
    assert short.status == "interrupted"
    same(resume(file, make()), whole)


@pytest.mark.slow
def test_orbits_with_impacts(tmp_path):
    """The ball that hits a vibrating table once a period, through its fold to its period doubling."""
    least = G * T * (1.0 - E) / (2.0 * OMEGA * (1.0 + E))
    system, start, _, _ = ball(1.3 * least)
    orbit, file, bounds = find_orbit(system, start, "omega"), tmp_path / "branch.nc", (0.8 * least, 4.0 * least)
    whole = continue_orbit(orbit, "A", bounds, steps=STEPS)
    assert {p.kind for p in whole.specials} == {"PD", "LPC"}
    few = PseudoArclength(ds=0.01, ds_max=0.1, tol=1e-10, max_points=3)
    continue_orbit(orbit, "A", bounds, steps=few, file=file)
    same(resume_orbits(file, orbit_problem(orbit, "A"), max_points=40), whole)


def test_a_file_of_an_earlier_version_is_gone_on_with(tmp_path):
    """Files that do not say what the tests were, nor how far the sizes: their special points are the same."""
    orbit = find_orbit(Brusselator(B=2.6), [1.0, 2.0], 6.5)
    file = tmp_path / "branch.nc"
    few = PseudoArclength(ds=0.01, ds_max=0.1, tol=1e-10, max_points=5)
    short = continue_orbit(orbit, "B", (1.5, 3.0), steps=few)
    for walk in short.more["walks"]:
        for key in ("tests", "signs", "signs_before", "renews"):
            del walk[key]
        del walk["memory"]["counts"]
    short.to_netcdf(file)
    again = resume_orbits(file, orbit_problem(orbit, "B"), max_points=60)
    assert again.special("H").parameter == pytest.approx(2.0, abs=1e-8)
    assert np.all(np.diff(again.s) > 0.0)
