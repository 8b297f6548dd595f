"""Branches at their edges: begun on special points, folds beyond bounds, closed curves, small and far starts, and what hurried hands write."""

import numpy as np
import pytest
from textbook import Brusselator, Polynomial

from rollick import (
    EquilibriumProblem,
    InputError,
    PseudoArclength,
    continue_steady,
    steady_motion,
    steady_motions,
    trace_branch,
    trace_hopfs,
)
from rollick.analysis.continuation import Problem


def along(system, begin=None, bounds=(-1.0, 1.0), near=0.0, **options):
    return continue_steady(system, "a0", [near], bounds, begin=begin, **options)


def test_a_far_start_does_not_settle_where_nothing_rests():
    """x' = 1 - 4 x + x^2 y, y' = 3 x - x^2 y: the only equilibrium is (1, 3), too far away to be found from there."""
    with pytest.raises(InputError, match="no steady motion"):
        steady_motion(Brusselator(), [1e8, -1e8])


def test_a_wide_box_tells_only_equilibria():
    found = steady_motions(Brusselator(), {"x": (-1e6, 1e6), "y": (-1e6, 1e6)}, starts=16)
    for motion in found:
        x, y = motion.state["x"], motion.state["y"]
        assert abs(1.0 - 4.0 * x + x * x * y) < 1e-6
        assert abs(3.0 * x - x * x * y) < 1e-6


def test_a_state_held_that_is_not_conserved_leaves_the_hopf_point_one():
    """x = A on the whole branch, so that it may be held; at B = 1 + A^2 the eigenvalues are +-i all the same."""
    held = continue_steady(Brusselator(B=1.0), "B", [1.0, 1.0], (0.5, 4.0), hold={"x": 1.0})
    assert [p.kind for p in held.specials] == ["H"]
    assert held.special("H1").parameter == pytest.approx(2.0, abs=1e-9)
    assert held.special("H1").numbers["omega"] == pytest.approx(1.0, abs=1e-8)
    assert "l1 is not computed" in held.special("H1").sentence


def test_a_branch_begun_on_a_special_point_tells_it():
    hopf = continue_steady(Brusselator(B=1.0), "B", [1.0, 1.0], (0.5, 4.0), begin=2.0)
    assert [p.kind for p in hopf.specials] == ["H"]
    assert not hopf.doubts
    assert hopf.special("H1").parameter == pytest.approx(2.0, abs=1e-10)
    fold = along(Polynomial(a2=-1.0))
    assert [p.kind for p in fold.specials] == ["LP"]
    assert abs(fold.special("LP1").parameter) < 1e-12
    assert fold["x"].min() < -0.9
    assert fold["x"].max() > 0.9
    assert not fold.doubts
    for system, kind in ((Polynomial(a3=-1.0), "pitchfork"), (Polynomial(a2=-1.0), "transcritical")):
        crossing = continue_steady(system, "a1", [0.0], (-1.0, 1.0))
        assert [p.kind for p in crossing.specials] == ["BP"]
        assert kind in crossing.special("BP1").sentence
        assert abs(crossing.special("BP1").parameter) < 1e-12


def test_a_fold_beyond_the_bound_is_not_passed():
    """x^2 = a0: from x = 1 down to the bound, which is nearer than a step to the fold."""
    branch = along(Polynomial(a0=1.0, a2=-1.0), near=1.0, bounds=(1e-6, 2.0))
    assert branch.specials == []
    assert branch["a0"].min() == 1e-6
    assert branch["x"].min() == pytest.approx(1e-3, rel=1e-9)
    assert "reached a0 = 1e-06" in branch.message
    on_it = along(Polynomial(a0=1.0, a2=-1.0), near=1.0, bounds=(0.0, 2.0))  # a fold on the bound itself is told
    assert [p.kind for p in on_it.specials] == ["LP"]


class Circle(Problem):
    """x^2 + mu^2 = 1."""

    names, parameter, what = ("x",), "mu", "points of a circle"

    def residual(self, z):
        return np.array([z[0] ** 2 + z[1] ** 2 - 1.0])

    def jacobian(self, z):
        return np.array([[2.0 * z[0], 2.0 * z[1]]])


@pytest.mark.parametrize("directions", ["both", "forward", "backward"])
def test_a_closed_curve_is_closed_in_every_direction(directions):
    branch = trace_branch(Circle(), [1.0, 0.0], directions=directions)
    assert "closed" in branch.message
    assert sorted(round(p.parameter, 9) for p in branch.specials) == [-1.0, 1.0]


@pytest.mark.parametrize("own", [0.0, 1e-14, -1e-13, 1e-9])
def test_a_parameter_that_is_nearly_zero(own):
    branch = along(Polynomial(a0=own, a1=-1.0, a2=-1.0), near=0.0)  # x^2 + x = a0: the fold is at -1/4
    assert branch.status == "finished"
    assert len(branch) < 200
    assert branch.special("LP1").parameter == pytest.approx(-0.25, abs=1e-12)


def test_lengths_grow_with_the_unknowns():
    """The imperfect pitchfork h + mu x - x^3: where it begins x is 0.002, where it ends 1."""
    branch = continue_steady(Polynomial(a0=1e-3, a1=-0.5, a3=-1.0), "a1", [0.0], (-1.0, 1.0))
    assert branch.status == "finished"
    assert branch["a1"].max() == 1.0
    x = branch["x"][np.argmax(branch["a1"])]
    assert 1e-3 + x - x**3 == pytest.approx(0.0, abs=1e-12)


def test_rounding_is_told_as_zero():
    text = continue_steady(Polynomial(a1=-0.5, a3=-1.0), "a1", [0.0], (-1.0, 1.0)).summary()
    assert "branch point at a1 = 0," in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bounds": 3.0}, "two numbers"),
        ({"bounds": "0.5,4"}, "two numbers"),
        ({"bounds": {"B": (1, 2)}}, "two numbers"),
        ({"hold": 3}, "names of states"),
        ({"hold": "omega3"}, "'omega3'"),
        ({"free": 3}, "names of states"),
        ({"scales": {"x": "a"}}, "not a number"),
        ({"scales": {"x": -1.0}}, "above zero"),
        ({"scales": [1.0]}, "by name"),
        ({"steps": "natural"}, "PseudoArclength"),
        ({"every": "a"}, "every"),
        ({"every": 0}, "every"),
        ({"tangent": "a"}, "3 numbers"),
        ({"tangent": [float("nan"), 0.0, 1.0]}, "3 numbers"),
    ],
)
def test_what_hurried_hands_write(options, words):
    with pytest.raises(InputError, match=words):
        continue_steady(**{"system": Brusselator(B=1.0), "parameter": "B", "near": [1.0, 1.0], "bounds": (0.5, 4.0), **options})


def test_things_of_another_kind():
    problem = EquilibriumProblem(Brusselator(B=1.0), "B", [1.0, 1.0])
    branch = trace_branch(problem, [1.0, 1.0, 1.0], bounds=(0.5, 4.0))
    hopf = branch.special("H1")
    for start in ({"x": 1.0}, "H1"):
        with pytest.raises(InputError, match="special point"):
            trace_branch(problem, start)
    with pytest.raises(InputError, match="no problem of continuation"):
        trace_branch(Brusselator(), [1.0, 1.0, 1.0])
    for special in ("H1", branch, hopf.z):
        with pytest.raises(InputError, match="begins at a special point"):
            trace_hopfs(problem, special, "A")
    with pytest.raises(InputError, match="needs the EquilibriumProblem"):
        trace_hopfs(branch, hopf, "A")
    with pytest.raises(InputError, match="solved for"):
        trace_hopfs(problem, hopf, "x")
    with pytest.raises(InputError, match="not a number"):
        PseudoArclength(ds="a")
    with pytest.raises(InputError, match="whole number"):
        PseudoArclength(max_points=2.5)
    with pytest.raises(InputError, match="ranges by name"):
        steady_motions(Brusselator(), [(0, 3), (0, 3)])
    with pytest.raises(InputError, match="whole number"):
        steady_motions(Brusselator(), {"x": (0, 3), "y": (0, 3)}, starts=3.5)


def test_method_is_an_old_name_of_steps():
    with pytest.warns(FutureWarning, match="method is now called steps"):
        old = along(Polynomial(a0=0.0, a1=0.0, a2=-1.0, a3=0.0), begin=0.5, near=0.7, method=PseudoArclength(max_points=7))
    new = along(Polynomial(a0=0.0, a1=0.0, a2=-1.0, a3=0.0), begin=0.5, near=0.7, steps=PseudoArclength(max_points=7))
    np.testing.assert_array_equal(old.z, new.z)
    with pytest.raises(InputError, match="mean the same"):
        along(Polynomial(), method=PseudoArclength(), steps=PseudoArclength())


def test_a_zero_eigenvalue_of_a_bifurcation_is_no_family():
    """x' = x^2 and x' = -x^3: at x = 0 the eigenvalue vanishes, and there is no other steady motion beside it."""
    for coefficients in ({"a2": 1.0, "a3": 0.0}, {"a2": 0.0, "a3": -1.0}):
        motion = steady_motion(Polynomial(**{"a0": 0.0, "a1": 0.0, **coefficients}), [0.0])
        assert abs(motion.eigenvalues[0]) < 1e-12
        assert motion.marginal == []
    whole = steady_motion(Polynomial(a0=0.0, a1=0.0, a2=0.0, a3=0.0), [0.3])  # x' = 0: all rest
    assert len(whole.marginal) == 1
