"""Curves of folds and Hopf points in two parameters, and points of codimension two with their coefficients, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from textbook import Bautin, BogdanovTakens, Brusselator, HopfHopf, Polynomial, ZeroHopf

from rollick import InputError
from rollick.analysis.continuation import PseudoArclength, resume, trace_branch
from rollick.analysis.steady import EquilibriumProblem, FoldCurve, HopfCurve, trace_folds, trace_hopfs
from rollick.archetypes.rattleback import Rattleback, critical_spin

LONG = PseudoArclength(ds=0.02, ds_max=0.05)


def traced(system, parameter, near, bounds, **options):
    problem = EquilibriumProblem(system, parameter, near, **options)
    return problem, trace_branch(problem, problem.start(), LONG, bounds=bounds)


def test_cusp():
    """x' = a0 + a1 x - x^3: folds at a1 = 3 x^2, a0 = -2 x^3; a cusp at 0 with c = -1."""
    problem, branch = traced(Polynomial(a0=0.1, a1=1.0, a3=-1.0), "a0", [1.05], (-1.0, 1.0))
    np.testing.assert_allclose(sorted(p.parameter for p in branch.specials), [-2.0 / 27.0**0.5, 2.0 / 27.0**0.5], atol=1e-12)
    curve = trace_folds(problem, branch.special("LP1"), "a1", (-1.0, 2.0), LONG)
    x = curve["x"]
    np.testing.assert_allclose(curve["a1"], 3.0 * x**2, atol=1e-10)
    np.testing.assert_allclose(curve["a0"], -2.0 * x**3, atol=1e-10)
    assert x.min() < -0.5 < 0.5 < x.max()  # through the cusp
    cusp = curve.special("CP")
    np.testing.assert_allclose(cusp.z, 0.0, atol=1e-10)
    assert cusp.numbers["c"] == pytest.approx(-1.0, rel=1e-9)


def test_generalised_hopf_in_bent_coordinates():
    """Bautin's normal form: l1 = 2 sigma/omega along the curve mu = 0, l2 = 4 kappa/omega at sigma = 0."""
    problem, branch = traced(
        Bautin(mu=-0.1, sigma=-0.7, omega=1.3, kappa=0.4, alpha=0.3, gamma=-0.2), "mu", [0.0, 0.0], (-1.0, 1.0)
    )
    curve = trace_hopfs(problem, branch.special("H"), "sigma", (-1.0, 1.0), LONG)
    np.testing.assert_allclose(curve["mu"], 0.0, atol=1e-10)
    np.testing.assert_allclose(curve["l1"], 2.0 * curve["sigma"] / 1.3, atol=1e-9)
    point = curve.special("GH")
    assert abs(point.parameter) < 1e-10
    assert point.numbers["l2"] == pytest.approx(4.0 * 0.4 / 1.3, rel=1e-7)


def test_brusselator_curve():
    problem, branch = traced(Brusselator(A=1.0, B=1.0), "B", [1.0, 1.0], (0.5, 4.0))
    curve = trace_hopfs(problem, branch.special("H"), "A", (0.2, 2.0), LONG)
    A = curve["A"]
    np.testing.assert_allclose(curve["B"], 1.0 + A**2, rtol=1e-10)
    np.testing.assert_allclose(curve["omega"], A, rtol=1e-9)
    np.testing.assert_allclose(curve["l1"], -(2.0 + A**2) / (2.0 * A * (1.0 + 2.0 * A**2)), rtol=1e-7)
    assert curve.complete
    assert not curve.specials


@pytest.mark.parametrize("bent", [pytest.param({}, marks=pytest.mark.slow), {"alpha": 0.3, "gamma": -0.2}])
def test_bogdanov_takens(bent, tmp_path):
    """Folds beta1 = beta2^2/(4 a); Hopf points beta1 = 0; both meet at 0 with the coefficients a and b, whatever the coordinates."""
    problem, branch = traced(BogdanovTakens(a=0.8, b=-1.1, **bent), "beta1", [-0.5, 0.0], (-1.0, 1.0))
    hopf = branch.special("H")
    assert abs(hopf.parameter) < 1e-12
    assert hopf.numbers["omega"] == pytest.approx(0.5**0.5, rel=1e-12)
    folds = trace_folds(problem, branch.special("LP"), "beta2", (-1.0, 1.0), LONG)
    np.testing.assert_allclose(folds["beta1"], folds["beta2"] ** 2 / 3.2, atol=1e-10)
    path = tmp_path / "hopf.nc"
    begun = trace_hopfs(problem, hopf, "beta2", (-1.0, 1.0), PseudoArclength(ds=0.02, ds_max=0.05, max_points=5), file=path)
    assert not begun.complete
    hopfs = resume(path, HopfCurve(problem, hopf, "beta2"), max_points=500)
    assert hopfs.complete
    np.testing.assert_allclose(hopfs["beta1"], 0.0, atol=1e-10)
    np.testing.assert_allclose(hopfs["kappa"], -hopfs["beta2"], atol=1e-10)
    assert np.all(np.isnan(hopfs["l1"][hopfs["beta2"] > 1e-3]))  # neutral saddles have none
    for curve in (folds, hopfs):
        point = curve.special("BT")
        np.testing.assert_allclose(point.z[[2, -1]], 0.0, atol=1e-10)
        assert point.numbers == {"a": pytest.approx(0.8, rel=1e-8), "b": pytest.approx(-1.1, rel=1e-8)}


@pytest.mark.parametrize(
    ("gamma", "bounds"), [(0.3, (-0.3, 0.3)), *(pytest.param(gamma, (-1.0, 1.0), marks=pytest.mark.slow) for gamma in (0.0, 0.3))]
)
def test_zero_hopf(gamma, bounds):
    """beta1 = -x^2, beta2 = -theta x - cubic x^2 along the Hopf points; s, theta and E = cubic do not depend on coordinates."""
    system = ZeroHopf(beta2=-0.05, s=-1.0, theta=-0.5, cubic=0.3, gamma=gamma)
    problem, branch = traced(system, "beta1", [-0.2, 0.0, 0.0], (-1.0, 1.0))
    folds = trace_folds(problem, branch.special("LP"), "beta2", bounds, LONG)
    hopfs = trace_hopfs(problem, branch.special("H"), "beta2", (bounds[0], 0.15), LONG)
    x = hopfs["x"]
    np.testing.assert_allclose(hopfs["beta1"], -(x**2), atol=1e-10)
    np.testing.assert_allclose(hopfs["beta2"], 0.5 * x - 0.3 * x**2, atol=1e-10)
    # on z = 0 the slow x = s r^2/(-2 x) adds to the growth of r: 2 (theta + 2 cubic x) s/(-2 x) in the scale of unit vectors
    away = np.abs(x) > 0.05
    np.testing.assert_allclose(hopfs["l1"][away], (-0.5 + 0.6 * x[away]) / x[away], rtol=1e-6)
    for curve in (folds, hopfs):
        point = curve.special("ZH")
        assert abs(point.parameter) < 1e-10
        assert point.numbers["omega"] == pytest.approx(1.0, rel=1e-9)
        assert point.numbers["s"] == -1.0
        assert point.numbers["theta"] == pytest.approx(-0.5, rel=1e-7)
        assert point.numbers["E"] == pytest.approx(0.3, rel=1e-7)


@pytest.mark.parametrize("gamma", [pytest.param(0.0, marks=pytest.mark.slow), 0.3])
def test_hopf_hopf(gamma):
    problem, branch = traced(HopfHopf(gamma=gamma), "mu1", [0.0, 0.0, 0.0, 0.0], (-1.0, 1.0))
    curve = trace_hopfs(problem, branch.special("H"), "mu2", (-1.0, 1.0), LONG)
    point = curve.special("HH")
    assert abs(point.parameter) < 1e-10
    numbers = point.numbers  # the faster pair, z2, is first here
    assert numbers["omega1"] == pytest.approx(1.6180339887498949)
    assert numbers["omega2"] == pytest.approx(1.0)
    expected = {"p11": -3.0, "p12": -1.4, "p21": 0.8, "p22": -2.0, "theta": 0.7, "delta": -0.8 / 3.0}
    for name, value in expected.items():
        assert numbers[name] == pytest.approx(value, rel=1e-7), name


def test_rattleback_curve_of_critical_spins():
    """Where steady spin becomes stable, along the height of the mass centre, against the closed form."""
    celt = Rattleback(a=0.050, b=0.032, c=0.030, M=0.31, h=0.010, A=9.0e-5, B=1.90e-4, C=2.42e-4, D=-2.4e-5)
    problem, branch = traced(celt, "omega3", {"omega3": 30.0}, (20.0, 80.0))
    curve = trace_hopfs(problem, branch.special("H"), "h", (0.008, 0.0108), LONG)
    assert curve.complete
    assert len(curve) > 10
    for k in range(0, len(curve), 5):
        exact = critical_spin(celt._replace(h=float(curve["h"][k])))
        assert curve["omega3"][k] == pytest.approx(exact, rel=1e-8)
    assert np.all(np.isnan(curve["l1"]))  # omega3 is not conserved beside the branch
    assert any("generalised Hopf points are not looked for" in doubt for doubt in curve.doubts)


def test_refusals():
    problem, branch = traced(Polynomial(a0=0.1, a1=1.0, a3=-1.0), "a0", [1.05], (-1.0, 1.0))
    fold = branch.special("LP1")
    with pytest.raises(InputError, match="kind H, not at LP"):
        HopfCurve(problem, fold, "a1")
    with pytest.raises(InputError, match="must differ from the first"):
        FoldCurve(problem, fold, "a0")
    with pytest.raises(InputError, match="unknown parameter of Polynomial"):
        FoldCurve(problem, fold, "a9")
