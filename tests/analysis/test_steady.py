"""Steady motions against closed forms: where they are, whether they are stable, where they bifurcate, and how."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.linalg
from numba.core import event
from textbook import Bautin, Brusselator, Duffing, LagrangeTop, Linear4, Polynomial, Rossler, VanDerPol

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
from rollick.archetypes.tops.jellett import vertical_spins
from rollick.archetypes.tops.tippe_top import tippe_top

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
    assert branch.complete
    assert [p.kind for p in branch.specials] == ["H"]
    hopf = branch.special("H")
    np.testing.assert_allclose(hopf.z, [A, (1.0 + A * A) / A, 1.0 + A * A], rtol=1e-12)
    assert hopf.numbers["omega"] == pytest.approx(A, rel=1e-12)
    assert hopf.numbers["l1"] == pytest.approx(-(2.0 + A * A) / (2.0 * A * (1.0 + 2.0 * A * A)), rel=1e-10)
    assert "supercritical" in hopf.sentence
    assert set(branch.unstable[branch["B"] < 1.0 + A * A]) == {0}
    assert set(branch.unstable[branch["B"] > 1.0 + A * A]) == {2}


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
    assert abs(hopf.parameter) < 1e-12
    assert hopf.numbers["omega"] == pytest.approx(1.0, rel=1e-14)
    assert abs(hopf.numbers["l1"]) < 1e-12
    assert "degenerate" in hopf.sentence


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
    assert abs(point.parameter) < 1e-12
    assert "transcritical" in point.sentence
    assert abs(point.numbers["a"]) == pytest.approx(0.5, rel=1e-10)
    other = trace_branch(EquilibriumProblem(system, "a1", [0.0]), point, bounds=(-2.0, 2.0))
    np.testing.assert_allclose(other["x"], 2.0 * other["a1"], atol=1e-9)
    system = Polynomial(a1=-1.0, a3=-0.7)
    point = continue_steady(system, "a1", [0.0], bounds=(-2.0, 2.0)).special("BP")
    assert point.numbers["c"] == pytest.approx(-0.7, rel=1e-10)
    assert "pitchfork, supercritical" in point.sentence
    other = trace_branch(EquilibriumProblem(system, "a1", [0.0]), point, bounds=(-2.0, 2.0))
    np.testing.assert_allclose(0.7 * other["x"] ** 2, other["a1"], atol=1e-9)
    assert other.complete
    assert {m for m in (other["a1"][0], other["a1"][-1])} == {2.0}


def wedge(A):
    """A acting on the plane elements of R^4: its eigenvalues are the sums of pairs of those of A."""
    pairs = list(itertools.combinations(range(4), 2))
    P = np.zeros((16, 6))
    for k, (i, j) in enumerate(pairs):
        P[4 * i + j, k], P[4 * j + i, k] = math.sqrt(0.5), -math.sqrt(0.5)
    return P.T @ (np.kron(A, np.eye(4)) + np.kron(np.eye(4), A)) @ P


def real_roots(L, M):
    """The mu within (-1, 1) with det(L + mu M) = 0."""
    values = scipy.linalg.eigvals(L, -M)
    return np.sort(values[(np.abs(values.imag) < 1e-10) & (np.abs(values.real) < 1.0)].real)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 60))])
def test_none_is_missed_and_none_invented(seed):
    """y' = (L + mu M) y - |y|^2 y with random matrices: branch points and pairs that add up to zero are generalised eigenvalue problems."""
    L, M = np.random.default_rng(seed).normal(size=(2, 4, 4)) * np.array([1.0, 2.0])[:, None, None]
    branch = continue_steady(
        Linear4(tuple(L.ravel().tolist()), tuple(M.ravel().tolist()), -1.0), "mu", [0.0] * 4, bounds=(-1.0, 1.0)
    )
    assert branch.complete
    assert not branch.doubts
    np.testing.assert_allclose([p.parameter for p in branch.specials if p.kind == "BP"], real_roots(L, M), atol=1e-9)
    pairs = [p for p in branch.specials if p.kind in ("H", "NS")]
    np.testing.assert_allclose([p.parameter for p in pairs], real_roots(wedge(L), wedge(M)), atol=1e-9)
    for p in pairs:
        values = np.linalg.eigvals(L + p.parameter * M)
        critical = values[np.argmin(np.abs(values.real))]
        assert p.kind == "NS" or p.numbers["omega"] == pytest.approx(abs(critical.imag), rel=1e-7)


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
    assert len(motion.marginal) == 1
    assert motion.eigenvalues.size == 2
    gradient = motion.marginal[0].gradient
    assert abs(gradient["ell"]) > 0.999999
    assert "(ell) is conserved" in str(motion.marginal[0])
    along = motion.marginal[0].along
    theta = motion.state["theta"]
    step = 1e-6
    slope = (math.sqrt(family(TORUS, [theta + step])[0]) - math.sqrt(family(TORUS, [theta - step])[0])) / (2.0 * step)
    assert along["ell"] / along["theta"] == pytest.approx(slope, rel=1e-6)


def test_torus_as_one_continuation():
    """The straight rolling loses stability at the closed form's pitchfork; the circles that leave it are l^2(theta)."""
    (critical, _, kind), *none = critical_spins(TORUS)
    assert kind == "pitchfork"
    assert not none
    problem = EquilibriumProblem(TORUS, "ell", {"theta": math.pi / 2.0, "ell": 0.5})
    assert problem.names == ("theta", "p")
    upright = trace_branch(problem, problem.start(), bounds=(0.2, 1.5))
    point = upright.special("BP")
    assert point.parameter == pytest.approx(critical, rel=1e-12)
    assert "pitchfork, supercritical, conservative" in point.sentence
    assert set(upright.unstable[upright["ell"] < critical]) == {1}
    assert set(upright.unstable[upright["ell"] > critical]) == {0}
    circles = trace_branch(problem, point, bounds=(0.2, 1.5))
    assert circles.complete
    assert not circles.doubts
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
    assert branch.complete
    assert branch.parameter == "shape.R"
    k = len(branch) // 3
    body = TORUS._replace(shape=TORUS.shape._replace(R=float(branch["shape.R"][k])))
    assert family(body, [branch["theta"][k]])[0] == pytest.approx(0.49, rel=1e-10)


def test_rattleback_spin_against_the_quartic():
    """Eigenvalues of steady spin along the spin, and where it becomes stable, against the closed form."""
    branch = continue_steady(CELT, "omega3", {"omega3": -1.0}, bounds=(-80.0, 80.0))
    assert branch.complete
    assert branch.names == ["alpha", "beta", "omega1", "omega2"]
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
    assert any("no special point found there explains" in doubt for doubt in branch.doubts)  # both pairs cross at rest, at once
    motion = steady_motion(CELT, {"omega3": 20.0})
    assert list(motion.drifts) == ["gamma"]
    assert motion.drifts["gamma"] == pytest.approx(20.0)
    assert len(motion.marginal) == 1
    assert abs(motion.marginal[0].along["omega3"]) > 0.99
    tracked = eigenvalues_along(branch)
    jumps = np.max(np.abs(np.diff(tracked, axis=0)), axis=0)
    assert np.all(jumps < 0.1 * np.max(np.abs(tracked)))


def tilted(theta):
    """The attitude of a top tilted about the first axis."""
    return {"q0": math.cos(theta / 2.0), "q1": math.sin(theta / 2.0)}


def test_a_top_precesses_and_sleeps():
    """Turns of a quaternion are found and taken out: steady precession and the sleeping top in closed form."""
    top, spin = LagrangeTop(), 7.0
    theta = 0.9
    slow = (top.I3 * spin - math.sqrt((top.I3 * spin) ** 2 - 4.0 * top.I1 * top.mgl * math.cos(theta))) / (
        2.0 * top.I1 * math.cos(theta)
    )
    motion = steady_motion(top, {**tilted(theta), "omega2": slow * math.sin(theta), "omega3": spin}, hold=("omega3",))
    assert set(motion.drifts) == {"heading", "own axis"}
    found = 2.0 * math.atan2(motion.state["q1"], motion.state["q0"])
    rate = motion.drifts["heading"]
    assert found == pytest.approx(theta, abs=1e-6)
    assert top.I1 * rate**2 * math.cos(found) - top.I3 * spin * rate + top.mgl == pytest.approx(0.0, abs=1e-10)
    assert rate == pytest.approx(slow, rel=1e-6)
    assert motion.drifts["own axis"] == pytest.approx(spin - rate * math.cos(found), rel=1e-10)
    assert motion.stability == "neutral"
    assert len(motion.marginal) == 1
    critical = math.sqrt(4.0 * top.I1 * top.mgl) / top.I3
    branch = continue_steady(top, "omega3", {"q0": 1.0, "omega3": 7.0}, bounds=(2.0, 10.0))
    np.testing.assert_array_equal(branch.unstable > 0, branch["omega3"] < critical)
    assert branch.specials == []
    assert any("no special point found there explains" in doubt for doubt in branch.doubts)
    for k in (3, -3):
        w = branch["omega3"][
            k
        ]  # upright: lambda^2 + i (2 I1 - I3) w lambda/I1 ... in the turning frame: roots of I1 s^2 - I3 w s + mgl, less w
        roots = np.roots([top.I1, -top.I3 * w, top.mgl]) - w
        values = branch.points[k].measures["eigenvalues"]
        for root in roots:
            assert np.min(np.abs(values - 1j * root)) < 1e-9
            assert np.min(np.abs(values + 1j * np.conj(root))) < 1e-9


@pytest.mark.slow
def test_tippe_top_against_jellett():
    """Where the two vertical spins of the body with nine states change stability, against the energy argument of Jellett's integral."""
    exact = vertical_spins(tippe_top())
    top = model("tippe_top").make(friction="smooth")
    upright = continue_steady(top, "omega3", {"theta": 0.0, "omega3": 50.0}, bounds=(5.0, 200.0))
    assert upright.special("H").parameter == pytest.approx(exact.upright_unstable_above, rel=1e-9)
    inverted = continue_steady(top, "omega3", {"theta": math.pi, "omega3": -50.0}, bounds=(-200.0, -5.0))
    assert upright.complete
    assert inverted.complete
    assert inverted.special("H").parameter == pytest.approx(-exact.inverted_stable_above, rel=1e-9)


@pytest.mark.slow
def test_quaternion_torus_and_wheelset():
    """The same rolling in nine redundant states, and a wheelset with constraints: on these constraints, with the rates of the closed forms."""
    motion = steady_motion(model("torus").make(), {"theta": "60deg", "psi_rate": 8.0})
    theta = 2.0 * math.atan2(motion.state["q1"], motion.state["q0"])
    e = equilibrium(TORUS, theta, math.sqrt(family(TORUS, [theta])[0]))
    assert motion.drifts["own axis"] == pytest.approx(e.psi_rate, rel=1e-9)
    assert motion.drifts["heading"] == pytest.approx(e.phi_rate, rel=1e-9)
    assert len(motion.marginal) == 1
    assert motion.eigenvalues.size == 2
    assert np.max(np.abs(motion.eigenvalues)) == pytest.approx(e.frequency, rel=1e-8)
    with pytest.raises(InputError, match="redundant"):
        continue_steady(model("torus").make(), "sigma", {"theta": "60deg", "psi_rate": 8.0})
    entry = model("wheelset_rolling")
    rolling = steady_motion(entry.make(), dict(entry.start))
    assert abs(rolling.state["y"]) < 1e-12
    assert rolling.drifts["phi"] == pytest.approx(125.0, rel=1e-9)


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
    assert branch.complete
    assert branch.special("H").parameter == pytest.approx(2.44, rel=1e-12)


def test_a_system_that_cannot_exist_ends_a_branch():
    """Pushed beyond what its own `validate` allows, a branch ends there, and says why."""
    branch = continue_steady(CELT, "M", {"omega3": 60.0}, bounds=(-1.0, 0.5), hold=("omega3",))
    assert branch.status == "left_domain"
    assert "M = " in branch.message
    assert 0.0 < branch["M"].min() < 1e-6


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
