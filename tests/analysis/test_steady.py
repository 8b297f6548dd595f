"""Steady motions against closed forms: where they are, whether they are stable, where they bifurcate, and how."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba.core import event
from textbook import Bautin, Brusselator, Duffing, Polynomial, Rossler, VanDerPol

from rollick import InputError
from rollick.analysis.continuation import PseudoArclength, resume, trace_branch
from rollick.analysis.steady import EquilibriumProblem, continue_steady, eigenvalues_along, steady_motion, steady_motions
from rollick.analysis.steady.forms import Forms, NotAnalytic
from rollick.analysis.steady.spectrum import matched, pair_sums, without_forced
from rollick.analysis.steady.symmetry import free_states
from rollick.archetypes.models import model
from rollick.archetypes.rattleback import Rattleback, critical_spin, eigenvalues
from rollick.archetypes.rubber import critical_spins, equilibria
from rollick.archetypes.rubber.equilibria import equilibrium, family

TORUS = model("torus").make(form="reduced")
CELT = Rattleback(a=0.050, b=0.032, c=0.030, M=0.31, h=0.010, A=9.0e-5, B=1.90e-4, C=2.42e-4, D=-2.4e-5)


# -- derivatives of any order --------------------------------------------------------------------------------------------------------


def test_forms_are_the_derivatives():
    """f = (exp(2 x + y), sin(x y)) at (0.3, -0.4): the forms of e^(u.v) are products, those of sin(x y) by hand."""

    def rates(Z):
        return np.stack([np.exp(2.0 * Z[:, 0] + Z[:, 1]), np.sin(Z[:, 0] * Z[:, 1])], 1)

    x = np.array([0.3, -0.4])
    K = Forms(rates, x, 1.0)
    random = np.random.default_rng(3)
    w = np.array([2.0, 1.0])
    for order in (2, 3, 4, 5):
        vs = random.normal(size=(order, 2)) + 1j * random.normal(size=(order, 2))
        exact = math.exp(0.2) * np.prod(vs @ w)
        assert abs(K(*vs)[0] - exact) < 1e-10 * abs(exact) * 10 ** (order - 2)
    u, v = random.normal(size=(2, 2))
    s, c, m = math.sin(-0.12), math.cos(-0.12), 0.3 * -0.4
    assert m == pytest.approx(-0.12)
    first = lambda d: d[0] * x[1] + d[1] * x[0]  # of x y
    second = -s * first(u) * first(v) + c * (u[0] * v[1] + u[1] * v[0])
    assert K(u, v)[1] == pytest.approx(second, rel=1e-12)
    assert K.error < 1e-9


def test_forms_of_a_corner_are_refused():
    with pytest.raises(NotAnalytic, match="not smooth"):
        Forms(lambda Z: np.where(Z.real > 0.0, Z, 0.5 * Z * Z), np.array([0.001]), 1.0)(np.ones(1), np.ones(1))


# -- folds, branch points, Hopf points --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("A", [0.7, 1.0, 1.6])
def test_brusselator(A):
    """Hopf at B = 1 + A^2, omega = A; l1 = -(2 + A^2)/(2 A (1 + 2 A^2)) for a critical vector of length one.

    With x = A + u, y = B/A + w, v = -A (u + w): u' = -A v + (1 - A^2) u^2/A - 2 u v - u^2 v/A - u^3, v' = A u, so that the radius of u
    obeys r' = -(2 + A^2)/(8 A^2) r^3 (Guckenheimer and Holmes (3.4.11)); and |q_u|^2 = A^2/(1 + 2 A^2).
    """
    branch = continue_steady(Brusselator(A=A, B=1.0), "B", {"x": A, "y": 1.0 / A}, bounds=(0.5, 5.0))
    assert branch.complete and [p.kind for p in branch.specials] == ["H"]
    hopf = branch.special("H")
    np.testing.assert_allclose(hopf.z, [A, (1.0 + A * A) / A, 1.0 + A * A], rtol=1e-12)
    assert hopf.numbers["omega"] == pytest.approx(A, rel=1e-12)
    assert hopf.numbers["l1"] == pytest.approx(-(2.0 + A * A) / (2.0 * A * (1.0 + 2.0 * A * A)), rel=1e-10)
    assert "supercritical" in hopf.sentence
    assert set(branch.unstable[branch["B"] < 1.0 + A * A]) == {0} and set(branch.unstable[branch["B"] > 1.0 + A * A]) == {2}


def test_hopf_normal_form_in_bent_coordinates():
    branch = continue_steady(Bautin(mu=-0.1, sigma=0.7, omega=1.3, alpha=0.4, gamma=-0.3), "mu", [0.0, 0.0], bounds=(-1.0, 1.0))
    hopf = branch.special("H")
    np.testing.assert_allclose(hopf.z, 0.0, atol=1e-12)
    assert hopf.numbers["l1"] == pytest.approx(2.0 * 0.7 / 1.3, rel=1e-10)
    assert "subcritical" in hopf.sentence
    q = hopf.arrays["q"]
    np.testing.assert_allclose([np.vdot(q, q).real, abs(q[1] / q[0] + 1j)], [1.0, 0.0], atol=1e-12)  # (1, -i)/sqrt 2


def test_van_der_pol_is_degenerate():
    hopf = continue_steady(VanDerPol(mu=-0.5), "mu", [0.0, 0.0], bounds=(-1.0, 1.0)).special("H")
    assert abs(hopf.parameter) < 1e-12 and hopf.numbers["omega"] == pytest.approx(1.0, rel=1e-14)
    assert abs(hopf.numbers["l1"]) < 1e-12 and "degenerate" in hopf.sentence


def test_fold():
    branch = continue_steady(Polynomial(a0=-1.0, a1=0.4, a2=2.0), "a0", [1.0], bounds=(-2.0, 2.0))
    fold = branch.special("LP")
    np.testing.assert_allclose(fold.z, [-0.1, 0.02], atol=1e-12)  # x = -a1/(2 a2), a0 = a1^2/(4 a2)
    assert abs(fold.numbers["a"]) == pytest.approx(2.0, rel=1e-10)
    x = branch["x"]
    np.testing.assert_array_equal(branch.unstable, (x > -0.1).astype(int))


def test_transcritical_and_pitchfork():
    system = Polynomial(a1=-1.0, a2=-0.5)
    branch = continue_steady(system, "a1", [0.0], bounds=(-2.0, 2.0))
    point = branch.special("BP")
    assert abs(point.parameter) < 1e-12 and "transcritical" in point.sentence
    assert abs(point.numbers["a"]) == pytest.approx(0.5, rel=1e-10)
    other = trace_branch(EquilibriumProblem(system, "a1", [0.0]), point, bounds=(-2.0, 2.0))
    np.testing.assert_allclose(other["x"], 2.0 * other["a1"], atol=1e-9)
    system = Polynomial(a1=-1.0, a3=-0.7)
    point = continue_steady(system, "a1", [0.0], bounds=(-2.0, 2.0)).special("BP")
    assert point.numbers["c"] == pytest.approx(-0.7, rel=1e-10) and "pitchfork, supercritical" in point.sentence
    other = trace_branch(EquilibriumProblem(system, "a1", [0.0]), point, bounds=(-2.0, 2.0))
    np.testing.assert_allclose(0.7 * other["x"] ** 2, other["a1"], atol=1e-9)
    assert other.complete and {m for m in (other["a1"][0], other["a1"][-1])} == {2.0}


# -- many at once ---------------------------------------------------------------------------------------------------------------------------


def test_all_in_a_box():
    """(x - 1)(x + 2)(x - 0.25) from one start, by deflation alone."""
    found = steady_motions(Polynomial(a0=0.5, a1=-2.25, a2=0.75, a3=1.0), {"x": (-3.0, 3.0)}, starts=1)
    np.testing.assert_allclose([m.y[0] for m in found], [-2.0, 0.25, 1.0], atol=1e-12)
    assert [m.stability for m in found] == ["unstable", "stable", "unstable"]
    rossler = steady_motions(Rossler(), {"x": (-10.0, 10.0), "y": (-40.0, 10.0), "z": (-10.0, 40.0)}, starts=16)
    root = math.sqrt(5.7**2 - 4.0 * 0.04)
    np.testing.assert_allclose([m.y[0] for m in rossler], [(5.7 - root) / 2.0, (5.7 + root) / 2.0], rtol=1e-10)


# -- bodies --------------------------------------------------------------------------------------------------------------------------------


def test_torus_rolls_steadily():
    """All relative equilibria at one l, with their rates and frequencies, against Koiller's closed forms."""
    ell = 0.7
    exact = equilibria(TORUS, ell)
    found = steady_motions(TORUS, {"theta": (0.05, 3.09), "p": (-0.1, 0.1)}, hold={"ell": ell}, starts=16)
    assert len(found) == len(exact) == 3
    for motion, e in zip(found, exact, strict=True):
        assert motion.state["theta"] == pytest.approx(e.theta, rel=1e-12)
        assert motion.drifts["psi"] == pytest.approx(e.psi_rate, rel=1e-12)
        assert motion.drifts["phi"] == pytest.approx(e.phi_rate, abs=1e-12)
        assert motion.carried == ["x", "y"]
        assert motion.stability == ("neutral" if e.stable else "unstable")
        assert np.max(np.abs(motion.eigenvalues)) == pytest.approx(e.frequency, rel=1e-10)
        assert motion.eigenvalues.size == 2  # that of the conserved l is set aside


def test_zero_eigenvalues_of_families_are_named():
    motion = steady_motion(TORUS, {"theta": 0.9, "ell": 0.7})
    assert len(motion.marginal) == 1 and motion.eigenvalues.size == 2
    gradient = motion.marginal[0].gradient
    assert abs(gradient["ell"]) > 0.999999 and "(ell) is conserved" in str(motion.marginal[0])
    along = motion.marginal[0].along
    theta = motion.state["theta"]
    step = 1e-6
    slope = (math.sqrt(family(TORUS, [theta + step])[0]) - math.sqrt(family(TORUS, [theta - step])[0])) / (2.0 * step)
    assert along["ell"] / along["theta"] == pytest.approx(slope, rel=1e-6)


def test_torus_as_one_continuation():
    """The straight rolling loses stability at the closed form's pitchfork; the circles that leave it are l^2(theta)."""
    (critical, _, kind), *none = critical_spins(TORUS)
    assert kind == "pitchfork" and not none
    problem = EquilibriumProblem(TORUS, "ell", {"theta": math.pi / 2.0, "ell": 0.5})
    assert problem.names == ("theta", "p")
    upright = trace_branch(problem, problem.start(), bounds=(0.2, 1.5))
    point = upright.special("BP")
    assert point.parameter == pytest.approx(critical, rel=1e-12)
    assert "pitchfork, supercritical, conservative" in point.sentence
    assert set(upright.unstable[upright["ell"] < critical]) == {1} and set(upright.unstable[upright["ell"] > critical]) == {0}
    circles = trace_branch(problem, point, bounds=(0.2, 1.5))
    assert circles.complete and not circles.doubts
    theta = circles["theta"]
    away = np.abs(theta - math.pi / 2.0) > 1e-3
    np.testing.assert_allclose(circles["ell"][away] ** 2, family(TORUS, theta[away]), rtol=1e-10)
    assert set(circles.unstable[away]) == {0}
    k = int(np.argmax(np.abs(theta - 1.1) < 0.05))
    e = equilibrium(TORUS, float(theta[k]), float(circles["ell"][k]))
    assert circles["frequency"][k] == pytest.approx(e.frequency, rel=1e-9)
    assert circles["psi_drift"][k] == pytest.approx(e.psi_rate, rel=1e-12)


def test_a_field_of_a_part_is_a_parameter_too():
    branch = continue_steady(TORUS, "shape.R", {"theta": 0.9}, bounds=(0.08, 0.14), hold={"ell": 0.7})
    assert branch.complete and branch.parameter == "shape.R"
    k = len(branch) // 3
    body = TORUS._replace(shape=TORUS.shape._replace(R=float(branch["shape.R"][k])))
    assert family(body, [branch["theta"][k]])[0] == pytest.approx(0.49, rel=1e-10)


def test_rattleback_spin_against_the_quartic():
    """Eigenvalues of steady spin along the spin, and where it becomes stable, against the closed form."""
    branch = continue_steady(CELT, "omega3", {"omega3": -1.0}, bounds=(-80.0, 80.0))
    assert branch.complete and branch.names == ["alpha", "beta", "omega1", "omega2"]
    for k in range(0, len(branch), 7):
        exact = eigenvalues(CELT, float(branch["omega3"][k]))
        found = matched(exact, branch.points[k].measures["eigenvalues"])
        np.testing.assert_allclose(found, exact, atol=1e-8 * np.max(np.abs(exact)))
    spins = sorted(p.parameter for p in branch.specials if p.kind == "H")
    exact = critical_spin(CELT)
    np.testing.assert_allclose(spins, [-exact, exact], rtol=1e-9)
    assert all(
        "omega3 is steady on the branch, but not conserved" in p.sentence and "l1" not in p.numbers for p in branch.specials
    )
    motion = steady_motion(CELT, {"omega3": 20.0})
    assert list(motion.drifts) == ["gamma"] and motion.drifts["gamma"] == pytest.approx(20.0)
    assert len(motion.marginal) == 1 and abs(motion.marginal[0].along["omega3"]) > 0.99
    tracked = eigenvalues_along(branch)
    jumps = np.max(np.abs(np.diff(tracked, axis=0)), axis=0)
    assert np.all(jumps < 0.1 * np.max(np.abs(tracked)))


# -- how it is computed -----------------------------------------------------------------------------------------------------------------------


def test_a_branch_compiles_nothing_and_goes_on_from_its_file(tmp_path):
    problem = EquilibriumProblem(Brusselator(A=1.2, B=1.0), "B", [1.2, 1.0])
    start = problem.start()
    trace_branch(problem, start, bounds=(0.5, 4.0))  # whatever is compiled is compiled now
    compiled = []

    class Listener(event.Listener):
        def on_start(self, event):
            compiled.append(event)

        def on_end(self, event):
            pass

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        path = tmp_path / "branch.nc"
        trace_branch(problem, start, PseudoArclength(ds=0.005, ds_max=0.005, max_points=30), bounds=(0.5, 4.0), file=path)
        other = EquilibriumProblem(Brusselator(A=0.8, B=1.0), "B", [0.8, 1.0])
        assert trace_branch(other, other.start(), bounds=(0.5, 4.0)).special("H").parameter == pytest.approx(1.64, rel=1e-12)
    finally:
        event.unregister("numba:compile", listener)
    assert compiled == []
    branch = resume(path, max_points=1000)  # the problem is made again from the file
    assert branch.complete and branch.special("H").parameter == pytest.approx(2.44, rel=1e-12)


def test_free_states_are_found_in_rounds():
    """theta and l move phi, phi moves the track: the track is free first, then phi."""
    depends = np.zeros((4, 4), bool)
    depends[0, 1] = depends[1, 0] = depends[2, 0] = depends[3, 2] = True
    assert free_states(depends) == [2, 3]
    assert free_states(np.eye(3, dtype=bool)) == []


def test_spectra():
    assert pair_sums(np.array([1.0 + 2.0j, 1.0 - 2.0j, -3.0])) > 0.0 > pair_sums(np.array([-1.0 + 2.0j, -1.0 - 2.0j, -3.0]))
    assert abs(pair_sums(np.array([2.0j, -2.0j, -3.0]))) < 1e-15
    np.testing.assert_allclose(without_forced(np.array([1e-9, -1.0, 2.0]), 1), [-1.0, 2.0])
    np.testing.assert_allclose(without_forced(np.array([0.1, -1.0, 2.0]), 1), [0.1, -1.0, 2.0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: continue_steady(Brusselator(), "C", [1.0, 3.0]), "unknown parameter of Brusselator"),
        (lambda: continue_steady(Duffing(), "gamma", [0.0, 0.0]), "depends on time"),
        (lambda: steady_motion(Brusselator(), [1.0]), "all 2 of them"),
        (lambda: steady_motion(Polynomial(a0=1.0, a2=1.0), [0.5]), "no steady motion of Polynomial was found"),
        (lambda: steady_motion(Brusselator(), [1.0, 3.0], free=("x",)), "x is not free"),
        (lambda: steady_motion(TORUS, {"theta": 0.9, "ell": 0.7}, hold=("psi",)), "psi of RubberBody enters no rate"),
        (lambda: steady_motion(Rossler(), [0.0, 0.0, 0.0], hold={"y": 3.0}), "not conserved"),
        (lambda: steady_motions(Brusselator(), {"x": (0.0, 1.0)}), "no range for y"),
        (lambda: steady_motions(Brusselator(), {"x": (1.0, 0.0), "y": (0.0, 1.0)}), "low below high"),
        (lambda: steady_motion(model("tippe_top").make(friction="dry"), {}), "dry friction"),
    ],
)
def test_bad_input_is_a_sentence(call, words):
    with pytest.raises(InputError, match=words):
        call()
