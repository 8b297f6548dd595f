"""The continuation core on curves in closed form: special points, branches that cross and close, files, and everything that stops a walk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from scipy.sparse import csr_array

from rollick import InputError
from rollick.analysis.continuation import Branch, Finding, Problem, PseudoArclength, plot_branches, resume, trace_branch
from rollick.view.saved import open_saved

LONG = PseudoArclength(ds=0.02, ds_max=0.1)


class Circle(Problem):
    """x^2 + mu^2 = 1."""

    names, parameter, what = ("x",), "mu", "points"

    def residual(self, z):
        return np.array([z[0] ** 2 + z[1] ** 2 - 1.0])

    def jacobian(self, z):
        return np.array([[2.0 * z[0], 2.0 * z[1]]])


class Crossing(Problem):
    """(mu - x) (x - mu^3) = 0 beside y = x^2: two curves that cross at mu = 0, 1 and -1."""

    names, parameter = ("x", "y"), "mu"

    def residual(self, z):
        x, y, m = z
        return np.array([(m - x) * (x - m**3), y - x * x])

    def jacobian(self, z):
        x, _, m = z
        return np.array([[-(x - m**3) + (m - x), 0.0, (x - m**3) - 3.0 * m * m * (m - x)], [-2.0 * x, 1.0, 0.0]])


class Sparse(Crossing):
    """The same with a sparse Jacobian."""

    def jacobian(self, z):
        return csr_array(super().jacobian(z))


class Parabola(Problem):
    """mu = x^2 - 1; the equations are not finite beyond mu = 2; a test of its own at x = 0.3, and a test that jumps."""

    names, parameter = ("x",), "mu"
    stop_at = np.inf
    count = 0

    def residual(self, z):
        self.count += 1
        if self.count > self.stop_at:
            raise KeyboardInterrupt
        return np.array([z[0] ** 2 - 1.0 - z[1] if z[1] < 2.0 else np.nan])

    def jacobian(self, z):
        return np.array([[2.0 * z[0], -1.0]])

    def watched(self, z, J, tangent):
        return {"USER": z[0] - 0.3, "JUMP": 1.0 if z[0] > 0.7 else -1.0, "POLE": 1.0 / (z[0] - 0.111)}

    tests = watched

    def classify(self, name, z, J, tangent):
        return Finding(name, "told", {"square": float(z[0] ** 2)}, {"v": np.array([1.0 + 2.0j])})

    def measures(self, z, J):
        return {"double": 2.0 * z[0], "pair": np.array([z[0], 1j * z[0]])}

    def unstable(self, measures):
        return int(measures["double"] < 0.0)

    def expected(self, kind):
        return {"LP": 1}.get(kind, 0)


def test_a_circle_closes_and_has_two_folds():
    branch = trace_branch(Circle(), [0.6, 0.8])
    assert branch.status == "finished"
    assert "closed" in branch.message
    assert branch.complete
    assert [p.kind for p in branch.specials] == ["LP", "LP"]
    np.testing.assert_allclose(sorted(p.parameter for p in branch.specials), [-1.0, 1.0], atol=1e-12)
    np.testing.assert_allclose([p.z[0] for p in branch.specials], 0.0, atol=1e-10)
    np.testing.assert_allclose(np.sum(branch.z**2, 1), 1.0, atol=1e-12)
    np.testing.assert_allclose(branch.z[-1], branch.z[0], atol=1e-9)  # all of it, once


@pytest.mark.parametrize("problem", [Crossing(), Sparse()])
def test_branch_points_and_the_other_branch(problem):
    branch = trace_branch(problem, [0.5, 0.25, 0.5], LONG, bounds=(-1.5, 1.5))
    points = [p for p in branch.specials if p.kind == "BP"]
    np.testing.assert_allclose(sorted(p.parameter for p in points), [-1.0, 0.0, 1.0], atol=1e-10)
    np.testing.assert_allclose(sorted(p.z[0] for p in points), [-1.0, 0.0, 1.0], atol=1e-10)
    at_one = min(points, key=lambda p: abs(p.parameter - 1.0))
    slopes = sorted(t[0] / t[-1] for t in at_one.arrays["tangents"])
    np.testing.assert_allclose(slopes, [1.0, 3.0], rtol=1e-6)
    other = trace_branch(problem, at_one, LONG, bounds=(-1.5, 1.5))
    np.testing.assert_allclose(other["x"], other["mu"] ** 3, atol=1e-9)
    np.testing.assert_allclose(sorted(p.parameter for p in other.specials if p.kind == "BP"), [-1.0, 0.0], atol=1e-10)
    assert {round(m, 12) for m in (other["mu"][0], other["mu"][-1])} == {-1.5, 1.5}


def test_tests_jumps_poles_and_where_the_equations_end():
    branch = trace_branch(Parabola(), [1.0, 0.0], bounds=(None, 5.0))
    assert [p.kind for p in branch.specials] == ["USER", "LP"] or [p.kind for p in branch.specials] == ["LP", "USER"]
    user = branch.special("USER")
    np.testing.assert_allclose(user.z, [0.3, 0.09 - 1.0], atol=1e-12)
    assert user.numbers == {"square": pytest.approx(0.09)}
    assert user.sentence == "told"
    assert branch.special("LP1").parameter == pytest.approx(-1.0, abs=1e-12)
    assert branch.status == "no_convergence"
    assert not branch.complete
    assert "mu = 1.99999" in branch.message
    assert "x = 1.73205" in branch.message
    assert "x = -1.73205" in branch.message
    assert len(branch) > 50  # what there is is kept
    assert set(np.sign(branch["x"][branch.unstable == 1])) == {-1.0}


def test_a_file_tells_everything_and_is_gone_on_with(tmp_path):
    path = tmp_path / "branch.nc"
    whole = trace_branch(Parabola(), [1.0, 0.0], LONG, bounds=(None, 1.5))
    part = trace_branch(
        Parabola(), [1.0, 0.0], PseudoArclength(ds=0.02, ds_max=0.1, max_points=12), bounds=(None, 1.5), file=path, every=5
    )
    assert part.status == "max_steps"
    assert "max_points" in part.message
    on = resume(path, Parabola(), max_points=1000)
    assert on.complete
    assert [p.kind for p in on.specials] == [p.kind for p in whole.specials]
    np.testing.assert_allclose(on.z, whole.z, atol=1e-10)
    again = Branch.open(path)
    np.testing.assert_array_equal(again.z, on.z)
    np.testing.assert_array_equal(again["pair"], on["pair"])
    np.testing.assert_array_equal(again.special("USER").arrays["v"], [1.0 + 2.0j])
    assert again.summary() == on.summary()
    assert again.ends == on.ends
    assert open_saved(path).summary() == on.summary()
    told = json.loads(json.dumps(again.to_dict(), allow_nan=False))
    assert told["special_points"][0]["numbers"].keys() == {"square"}
    with pytest.raises(InputError, match="another problem"):
        resume(path, Circle())
    with pytest.raises(InputError, match="give it: resume"):
        resume(path)


def test_interruption_keeps_what_there_is(tmp_path):
    path = tmp_path / "branch.nc"
    problem = Parabola()
    problem.stop_at = 40
    branch = trace_branch(problem, [1.0, 0.0], LONG, bounds=(None, 1.5), file=path)
    assert branch.status == "interrupted"
    assert not branch.complete
    assert len(branch) > 3
    whole = trace_branch(Parabola(), [1.0, 0.0], LONG, bounds=(None, 1.5))
    on = resume(path, Parabola())
    np.testing.assert_allclose(on.z, whole.z, atol=1e-10)
    assert [p.kind for p in on.specials] == [p.kind for p in whole.specials]


@pytest.mark.parametrize("step", [12, pytest.param(20, marks=pytest.mark.slow)])
def test_a_killed_process_loses_nothing(tmp_path, step):
    path = tmp_path / "branch.nc"
    code = f"""
        import os, signal, sys, time
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        from test_continuation import LONG, Parabola, trace_branch
        class Mortal(Parabola):
            steps = 0
            def update(self, z, tangent):
                self.steps += 1
                time.sleep(0.05)
                if self.steps == {step}:
                    os.kill(os.getpid(), signal.SIGKILL)
                return z, tangent
        Mortal.__qualname__ = "Parabola"
        trace_branch(Mortal(), [1.0, 0.0], LONG, bounds=(None, 1.5), file={str(path)!r}, every=1)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)])
    assert done.returncode == -signal.SIGKILL
    kept = Branch.open(path)
    assert kept.status == "interrupted"
    assert len(kept) > 2
    whole = trace_branch(Parabola(), [1.0, 0.0], LONG, bounds=(None, 1.5))
    np.testing.assert_allclose(resume(path, Parabola()).z, whole.z, atol=1e-10)


def test_pictures(tmp_path):
    one = trace_branch(Crossing(), [0.5, 0.25, 0.5], LONG, bounds=(-1.5, 1.5))
    other = trace_branch(Crossing(), one.special("BP1"), LONG, bounds=(-1.5, 1.5))
    fig = plot_branches([one, other], ["x"], tmp_path / "two.png")
    assert (tmp_path / "two.png").stat().st_size > 5000
    assert {text.get_text() for text in fig.axes[0].texts} >= {"BP1", "BP2", "BP3"}
    parabola = trace_branch(Parabola(), [1.0, 0.0], LONG, bounds=(None, 1.5)).plot("x")
    styles = {line.get_linestyle() for line in parabola.axes[0].lines if len(line.get_xdata()) > 2}
    assert len(styles) == 2  # solid and dashed
    with pytest.raises(InputError, match="unknown quantity"):
        one.plot("nothing")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: PseudoArclength(ds=0.0), "0 < ds_min <= ds"),
        (lambda: PseudoArclength(max_points=0), "max_points = 0"),
        (lambda: trace_branch(Circle(), [1.0]), "2 finite numbers"),
        (lambda: trace_branch(Circle(), [1.0, 0.0], bounds=(1.0, 0.0)), "low below high"),
        (lambda: trace_branch(Circle(), [1.0, 0.0], bounds=(0.5, 0.9)), "outside bounds"),
        (lambda: trace_branch(Circle(), [1.0, 0.0], bounds=3.0), "two numbers"),
        (lambda: trace_branch(Circle(), [1.0, 0.0], directions="up"), "both, forward, backward"),
        (lambda: trace_branch(Circle(), [1.0, 0.0], file="branch.txt"), "end in .nc"),
        (lambda: trace_branch(Parabola(), [1.0, 3.0]), "could not be corrected"),
        (lambda: trace_branch(Circle(), [0.6, 0.8]).special("H1"), "unknown special point"),
        (lambda: trace_branch(Circle(), [1.0, 0.0], tangent=[1.0]), "2 numbers"),
    ],
)
def test_bad_input_is_a_sentence(call, words):
    with pytest.raises(InputError, match=words):
        call()
