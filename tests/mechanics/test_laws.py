"""Friction laws: never a gain of energy, projections onto reservoirs, Contensou friction against the local law, limits, input."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rollick.mechanics.laws as laws
from rollick import InputError
from rollick.kernel.compiled import compiled_uncached
from rollick.mechanics.laws import (
    boundary,
    constant_load,
    contensou,
    contour_force,
    coulomb,
    dissipation,
    drag,
    drag_couple,
    drag_power,
    dry_contour,
    dry_pivoting,
    equivalent_radius,
    friction,
    linearised,
    prox,
    prox_contour,
    prox_pivoting,
    regularised,
    regularised_contour,
    regularised_pivoting,
    slip_force,
    viscous,
)  # fmt: skip
from rollick.mechanics.laws.sliding import prox as prox_generic

MU, R = 0.3, 0.004
SURFACES = ("hertz", "uniform", "parabolic", "polynomial")
DISCS = {name: contensou(MU, R, name) for name in SURFACES}
SLIDING = [
    coulomb(MU),
    regularised(MU, 0.01),
    constant_load(MU, 0.01, 2.0),
    linearised(MU, 0.01, 2.0),
    viscous(0.7),
    *DISCS.values(),
]
PIVOTING = [None, dry_pivoting(0.2, R), regularised_pivoting(0.2, R, 1e-3)]
CONTOUR = [None, dry_contour(0.02), regularised_contour(0.02, 1e-3)]
ALL = [
    *SLIDING,
    *PIVOTING[1:],
    *CONTOUR[1:],
    *(friction(s, p, c) for s in SLIDING for p in PIVOTING for c in CONTOUR if p is None or not laws.pivots(s)),
]
DRY = [coulomb(MU), *DISCS.values()]
power = getattr(dissipation, "py_func", dissipation)

ordinary = st.floats(-50.0, 50.0)
extreme = st.one_of(ordinary, st.sampled_from([0.0, -0.0, 5e-324, -1.5e-323, 1e-310, 1e-200, -1e-160, 1e-12, 1e150, -1e160]))
spins = st.one_of(extreme, st.floats(-1e5, 1e5))  # R omega as large as the slip, too
load = st.floats(0.0, 100.0)


@settings(max_examples=120, deadline=None)
@given(extreme, extreme, spins, st.one_of(load, st.just(-3.0)), extreme, extreme)
def test_friction_never_gives_energy(v1, v2, spin, normal, c1, c2):
    for law in ALL:
        lost = power(law, v1, v2, spin, normal, c1, c2)
        assert lost >= 0.0, law  # a nan fails as well


@settings(max_examples=200, deadline=None)
@given(extreme, extreme, spins)
def test_no_more_than_the_reservoir_holds(v1, v2, spin):
    for law in (coulomb(MU), regularised(MU, 0.01), *DISCS.values()):
        f1, f2, couple = slip_force(law, v1, v2, spin, 1.0)
        assert math.hypot(f1, f2) <= MU * (1.0 + 1e-12)
        assert abs(couple) <= MU * R * 2.0 / 3.0 * (1.0 + 1e-9)  # the uniform pressure has the largest couple


def test_the_compiled_law_is_the_same():
    rng = np.random.default_rng(3)
    for law in (*DRY, friction(coulomb(MU), dry_pivoting(0.2, R), regularised_contour(0.02, 1e-3))):
        for x in rng.normal(size=(20, 6)):
            assert dissipation(law, *x[:3], 2.0, x[4], x[5]) == pytest.approx(power(law, *x[:3], 2.0, x[4], x[5]), rel=1e-12)


def test_the_compiled_prox_is_the_same():
    rng = np.random.default_rng(4)

    def call(law, x1, x2, xt, normal):
        return prox_generic(law, x1, x2, xt, normal)

    fast = compiled_uncached(call)
    for law in DRY:
        for x in rng.normal(size=(50, 3)):
            assert np.allclose(fast(law, *x, 2.0), prox(law, *x, 2.0), rtol=1e-12, atol=1e-14)


points_and_laws = given(
    st.tuples(ordinary, ordinary, ordinary),
    st.tuples(ordinary, ordinary, ordinary),
    st.floats(1e-3, 50.0),
    st.sampled_from(range(len(DRY))),
)


@settings(max_examples=75, deadline=None)
@points_and_laws
def test_prox_is_the_projection(x, far, normal, which):
    projection(x, far, normal, which)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@points_and_laws
def test_prox_is_the_projection_of_many_points(x, far, normal, which):
    projection(x, far, normal, which)


def projection(x, far, normal, which):
    law = DRY[which]
    y = np.array(prox(law, *x, normal))
    z = np.array(prox(law, *far, normal))  # some other point of the reservoir
    scale = MU * normal
    again = np.array(prox(law, *y, normal))
    assert np.allclose(again, y, rtol=0.0, atol=1e-7 * scale)  # idempotent
    x = np.array(x) if laws.arm(law) > 0.0 else np.array([x[0], x[1], 0.0])
    assert (x - y) @ (z - y) <= 1e-6 * scale * (1.0 + np.linalg.norm(x - y))  # variational inequality
    assert inside(law, y / scale, 1e-7)
    if inside(law, x / scale, -1e-7):
        assert np.allclose(x, y, rtol=0.0, atol=1e-15 * scale)
    assert np.allclose(prox(law, *(3.0 * x), 3.0 * normal), 3.0 * y, rtol=1e-9, atol=1e-9 * scale)


def inside(law, y, slack):
    """Whether y = lambda/(mu N) is in the reservoir: y . n <= h(n) for all normals n."""
    rho, height = math.hypot(y[0], y[1]), y[2]
    if not laws.arm(law) > 0.0:
        return rho <= 1.0 + slack
    for t in np.linspace(0.0, np.pi, 721):
        xi, eta, nx, ny = boundary(law.surface, float(t))
        if (rho - xi) * nx + (height - eta) * ny > slack:
            return False
    return True


@pytest.mark.parametrize("law", DRY)
def test_no_normal_force_no_reservoir(law):
    for normal in (0.0, -1.0):
        assert prox(law, 1.0, -2.0, 3.0, normal) == (0.0, 0.0, 0.0)
    assert prox(law, 0.0, 0.0, 0.0, 1.0) == (0.0, 0.0, 0.0)
    huge = prox(law, 3e200, -4e200, 0.0, 1.0)
    assert np.allclose(huge, [0.6 * MU, -0.8 * MU, 0.0])


def test_prox_of_pivoting_and_contour():
    pivot, contour = dry_pivoting(0.2, R), dry_contour(0.1)
    assert [prox_pivoting(pivot, x, 2.0) for x in (-9.0, -0.3, 0.1, 5.0)] == [-0.4, -0.3, 0.1, 0.4]
    assert prox_pivoting(pivot, 5.0, -2.0) == 0.0
    assert prox_contour(contour, 3.0, 4.0, 2.0) == pytest.approx((0.12, 0.16))
    assert prox_contour(contour, 0.03, 0.04, 2.0) == (0.03, 0.04)
    assert prox_contour(contour, 3.0, 4.0, -2.0) == (0.0, 0.0)


@settings(max_examples=200, deadline=None)
@given(ordinary, ordinary, st.floats(-2e4, 2e4), st.tuples(ordinary, ordinary, ordinary), st.sampled_from(range(len(DRY))))
def test_the_force_at_slip_dissipates_most(v1, v2, spin, x, which):
    law = DRY[which]
    assume(math.hypot(v1, v2) + abs(spin) > 1e-6)
    lost = power(law, v1, v2, spin, 1.0)
    other = prox(law, *x, 1.0)
    rival = -(other[0] * v1 + other[1] * v2 + other[2] * laws.arm(law) * spin)
    assert rival <= lost + 1e-6 * MU * (math.hypot(v1, v2) + R * abs(spin))
    f1, f2, couple = slip_force(law, v1, v2, spin, 1.0)  # and it is a point of the reservoir
    y = (f1, f2, couple / R) if laws.arm(law) > 0.0 else (f1, f2, 0.0)
    assert np.allclose(prox(law, *y, 1.0), y, rtol=0.0, atol=1e-7)


def test_limits_of_the_smooth_laws():
    v = (0.03, -0.04)
    gaps = [
        abs(slip_force(regularised(MU, eps), *v, 0.0, 2.0)[0] - slip_force(coulomb(MU), *v, 0.0, 2.0)[0])
        for eps in (1e-3, 1e-4, 1e-5)
    ]
    assert gaps[0] / gaps[1] == pytest.approx(10.0, rel=0.05)
    assert gaps[1] / gaps[2] == pytest.approx(10.0, rel=0.05)
    for law in (regularised(MU, 0.1), constant_load(MU, 0.1, 2.0)):
        step = slip_force(law, 1e-100j, 0j, 0.0, 2.0)[0]
        assert step.imag / 1e-100 == pytest.approx(slip_force(linearised(MU, 0.1, 2.0), 1.0, 0.0, 0.0, 2.0)[0], rel=1e-14)
    for tiny in (1e-310, 1e-200, 1e-160, 1e160):  # squares that underflow or overflow
        assert slip_force(coulomb(MU), tiny, 0.0, 0.0, 1.0)[0] == pytest.approx(-MU, rel=1e-12)
    for law in DRY:
        assert slip_force(law, 0.0, 0.0, 0.0, 1.0) == (0.0, 0.0, 0.0)
        assert slip_force(law, 0j, 1e-100j, 0j, 1.0)[1].real == 0.0  # a complex step at rest is no force
    far = slip_force(DISCS["hertz"], 1e3, 0.0, 1.0, 1.0)  # little pivoting: Coulomb
    assert far[0] == pytest.approx(-MU, rel=1e-10)


@pytest.mark.parametrize("law", SLIDING)
def test_complex_step_is_the_derivative(law):
    x, h = np.array([0.02, -0.05, 8.0]), 1e-6
    for k in range(3):
        shift = np.eye(3)[k]
        exact = np.array(slip_force(law, *(complex(a, 1e-100 * b) for a, b in zip(x, shift)), 1.5)).imag / 1e-100
        ahead, behind = (np.array(slip_force(law, *(x + s * h * shift), 1.5)) for s in (1.0, -1.0))
        assert np.allclose(exact, (ahead - behind) / (2.0 * h), rtol=1e-3 if law is DISCS["polynomial"] else 1e-5, atol=1e-7)


@pytest.mark.parametrize("law", DRY[:-1])  # the last is a polygon: its projection has the derivative of an edge or a corner
def test_complex_step_through_prox(law):
    x, h = np.array([0.5, -0.2, 0.15]), 1e-6
    for k in range(3):
        shift = np.eye(3)[k]
        exact = np.array(prox(law, *(complex(a, 1e-100 * b) for a, b in zip(x, shift)), 1.0)).imag / 1e-100
        ahead, behind = (np.array(prox(law, *(x + s * h * shift), 1.0)) for s in (1.0, -1.0))
        assert np.allclose(exact, (ahead - behind) / (2.0 * h), rtol=1e-5, atol=1e-7)


def test_combinations():
    whole = friction(coulomb(MU), regularised_pivoting(0.2, R, 1e-3), dry_contour(0.02))
    f = slip_force(whole, 3.0, 4.0, 5.0, 2.0)
    assert f == pytest.approx((-0.6 * 0.6, -0.8 * 0.6, -2.0 * 0.2 * R * 0.02 / 0.021))
    assert contour_force(whole, 0.0, -2.0, 2.0) == pytest.approx((0.0, 0.04))
    assert power(whole, 3.0, 4.0, 5.0, 2.0, 0.0, -2.0) == pytest.approx(0.6 * 5.0 - 5.0 * f[2] + 0.08)
    assert laws.set_valued(whole)
    assert not laws.set_valued(friction(regularised(MU, 0.1)))
    assert [
        laws.row_count(law) for law in (coulomb(MU), DISCS["hertz"], friction(coulomb(MU)), friction(DISCS["hertz"]), whole)
    ] == [3, 4, 3, 4, 6]


def test_a_contour_law_without_numbers_is_kept():
    class Sticky(NamedTuple):
        """A law without fields, and so an empty tuple: false in a condition."""

    @laws.contour_ratio.register(Sticky)
    def _(law, c1, c2):
        return -c1, -c2

    assert isinstance(friction(coulomb(MU), contour=Sticky()).contour, Sticky)


def test_drag():
    omega = (1.0, -2.0, 3.0)
    assert drag_couple(drag(0.1), omega) == pytest.approx((-0.1, 0.2, -0.3))
    assert drag_power(drag(0.1), omega) == pytest.approx(1.4)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: coulomb(-0.1), "mu = -0.1 is negative"),
        (lambda: coulomb(float("nan")), "not finite"),
        (lambda: coulomb(0.3, 1.5), "e_T = 1.5 must lie between 0 and 1"),
        (lambda: regularised(0.3, 0.0), "eps = 0.0 must be above zero.*dry law"),
        (lambda: linearised(0.3, 0.1, -9.81), "load = -9.81 is negative"),
        (lambda: constant_load("much", 0.1, 1.0), "'much' is not a number"),
        (lambda: viscous(-1.0), "c = -1.0 is negative"),
        (lambda: dry_pivoting(0.3, 0.0), "radius = 0.0 must be above zero"),
        (lambda: regularised_pivoting(0.3, "3 s", 0.1), "measured in m"),
        (lambda: dry_contour(-1), "mu = -1 is negative"),
        (lambda: drag(-1.0), "sigma = -1.0 is negative"),
        (lambda: contensou(0.3, -1.0), "radius = -1.0"),
        (lambda: contensou(float("nan"), 1.0), "not finite"),
        (lambda: contensou(0.3, 0.003, "herz"), "Did you mean 'hertz'"),
        (lambda: equivalent_radius(0.1, 0.0), "spin = 0"),
        (lambda: friction(dry_contour(0.1)), "no implementation for DryContour"),
        (lambda: friction(coulomb(0.1), dry_contour(0.1)), "pivoting = DryContour"),
        (lambda: friction(coulomb(0.1), contour=dry_pivoting(0.1, 1.0)), "contour = DryPivoting"),
        (lambda: friction(contensou(0.1, 1.0), dry_pivoting(0.1, 1.0)), "includes pivoting"),
    ],
)
def test_wrong_input_is_named(wrong, words):
    with pytest.raises(InputError, match=words):
        wrong()


def test_pictures_show_the_laws():
    from rollick.mechanics.laws.pictures import force_picture, level_error, limit_surface_figure, reservoir_picture

    disk = reservoir_picture(coulomb(MU), normal=2.0).axes[0].lines[0]
    assert np.allclose(np.hypot(*disk.get_data()), 2.0 * MU)
    section = reservoir_picture(DISCS["hertz"], normal=2.0).axes[0].lines[0]
    assert max(section.get_ydata()) == pytest.approx(2.0 * MU * 3.0 * math.pi / 16.0)
    cylinder = reservoir_picture(friction(coulomb(MU), dry_pivoting(0.2, R))).axes[0]
    assert cylinder.name == "3d"
    assert max(cylinder.lines[1].get_data_3d()[2]) == pytest.approx(0.2)
    curve = force_picture(regularised(MU, 0.1), most=0.1).axes[0].lines[0]
    assert curve.get_ydata()[-1] == pytest.approx(-0.5 * MU)
    assert len(limit_surface_figure().axes) == 3
    assert np.abs(level_error()[1]).max() < 0.03
    with pytest.raises(InputError, match="not set-valued"):
        reservoir_picture(regularised(MU, 0.1))
