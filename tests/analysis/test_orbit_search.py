"""The search for a periodic orbit has bounds: of the clock, of a motion that comes to rest, of what a failed step costs."""

from __future__ import annotations

import numpy as np
import pytest
from textbook import Bautin, Brusselator

from rollick import InputError
from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import continue_orbit, find_orbit
from rollick.analysis.orbits.follow import orbit_problem, resume_orbits
from rollick.analysis.orbits.newton import solve

START, GUESS = [1.0, 2.0], 6.5


def test_a_search_that_takes_too_long_is_given_up():
    with pytest.raises(InputError, match=r"given up after wall_limit = 1e-09 s, Newton's step 1, open by"):
        find_orbit(Brusselator(B=2.6), START, GUESS, wall_limit=1e-9)
    with pytest.raises(InputError, match=r"given up after wall_limit = 1e-09 s, following the guess"):
        find_orbit(Brusselator(B=2.6), START, wall_limit=1e-9)
    with pytest.raises(InputError, match="wall_limit"):
        find_orbit(Brusselator(B=2.6), START, GUESS, wall_limit=-1.0)


def test_a_motion_that_comes_to_rest_has_no_period():
    """Below B = 1 + A^2 the equilibrium (A, B/A) attracts."""
    with pytest.raises(InputError, match=r"comes to an equilibrium \(x = 1, y = 1\.5\)"):
        find_orbit(Brusselator(B=1.5), START)


class Arctangent:
    """arctan x = 0, from which Newton's method runs away unless it is damped; it counts how often it is asked for what."""

    system = Brusselator()

    def __init__(self):
        self.whole, self.alone = 0, 0

    def quick_residual(self, x):
        self.alone += 1
        return np.arctan(x)

    def residual(self, x):
        self.whole += 1
        return np.arctan(x)

    def jacobian(self, x):
        return np.diag(1.0 / (1.0 + x * x))


def test_steps_that_are_damped_cost_no_derivatives():
    """Every step is tried in several lengths; only what is kept is evaluated with derivatives."""
    equations = Arctangent()
    found = solve(equations, np.array([8.0]))
    assert abs(found.x[0]) < 1e-11
    assert equations.whole == found.steps + 1
    assert equations.alone > found.steps + 2


def test_a_branch_that_takes_too_long_is_kept(tmp_path):
    file = tmp_path / "branch.nc"
    orbit = find_orbit(Brusselator(B=2.6), START, GUESS)
    steps = PseudoArclength(ds=0.01, ds_max=0.2, tol=1e-10, max_points=6)
    short = continue_orbit(orbit, "B", (2.2, 3.5), steps=steps, file=file, wall_limit=1e-9)
    assert short.status == "wall_limit"
    assert "stopped after wall_limit = 1e-09 s at B = " in short.message
    assert len(short) == 2
    whole = continue_orbit(orbit, "B", (2.2, 3.5), steps=steps)
    again = resume_orbits(file, orbit_problem(orbit, "B"))
    assert again.status == whole.status
    assert [p.z[-1] for p in again.points] == pytest.approx([p.z[-1] for p in whole.points], rel=1e-12)


def test_a_fold_next_to_a_hopf_point_is_found():
    """mu + sigma r^2 - r^4 = 0: with a small sigma > 0 the orbits fold at mu = -sigma^2/4, where their radius is 4 % of the widest."""
    orbit = find_orbit(Bautin(mu=1.0, sigma=0.004, kappa=-1.0), [1.0, 0.0], 6.28)
    branch = continue_orbit(orbit, "mu", (-0.1, 2.0), steps=PseudoArclength(ds=0.01, ds_max=0.1, tol=1e-10))
    assert [p.kind for p in branch.specials] == ["H", "LPC"]
    assert branch.special("LPC").parameter == pytest.approx(-4e-6, abs=1e-11)
    assert branch.special("H").parameter == pytest.approx(0.0, abs=1e-11)
