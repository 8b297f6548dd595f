"""Filippov systems of codimension one: kinds, tangencies, sliding, pseudo-equilibria."""

import numpy as np
import pytest

from rollick import InputError
from rollick.analysis.filippov import Switching, along, lie, pseudo_equilibria, tangency_curve, tangency_points
from rollick.archetypes.filippov import spring_disk

CUSP = Switching(lambda x: np.array([1.0, 0.0, x[1] + x[0] ** 2]), lambda x: np.array([0.0, 0.0, 1.0]), lambda x: x[2])


def test_the_disk_rolls_in_a_strip_and_its_sliding_field_is_that_of_rolling():
    """E1: |w| < 3 mu g m/k, F_s = (v, -2kw/(3m), 0), alpha = 1/2 -+ kw/(6 mu m g)."""
    m, k, mu, g = 1.3, 2.1, 0.17, 9.81
    disk, edge = spring_disk(m, k, mu, g), 3 * mu * g * m / k
    for w in (-0.99 * edge, 0.0, 0.4 * edge, 0.999999 * edge):
        point = disk.at([w, 0.3, 0.0])
        assert point.kind == "attracting sliding"
        np.testing.assert_allclose(point.sliding, [0.3, -2 / 3 * k * w / m, 0.0], atol=1e-14)
        np.testing.assert_allclose(point.weights, [0.5 - k * w / (6 * mu * m * g), 0.5 + k * w / (6 * mu * m * g)], atol=1e-14)
    assert disk.at([1.000001 * edge, 0.3, 0.0]).kind == "crossing down"
    assert disk.at([-1.000001 * edge, 0.3, 0.0]).kind == "crossing up"
    assert disk.at([edge, 0.3, 0.0]).tangencies["negative"].kind == "visible"
    assert disk.at([edge, -0.3, 0.0]).tangencies["negative"].kind == "invisible"


def test_the_disk_rolls_about_a_centre():
    (centre,) = pseudo_equilibria(spring_disk(m=2.0, k=3.0), [(-1, 1), (-1, 1), (-0.5, 0.5)], 16)
    assert centre.admissible
    assert centre.stability == "centre or degenerate"
    np.testing.assert_allclose(sorted(centre.eigenvalues.imag), [-1.0, 1.0], atol=1e-9)


def test_pseudo_equilibria_with_their_eigenvalues_and_a_virtual_one():
    """F_s = (1.5 - x^2)/2 along y = 0; where F2 turns over, the combination is no longer convex."""
    system = Switching(
        lambda x: [1 - x[0] ** 2, -1.0], lambda x: [0.5, 1.0], lambda x: x[1], gradient=lambda x: np.array([0.0, 1.0])
    )
    left, right = pseudo_equilibria(system, [(-3, 3), (-1, 1)], 16)
    root = np.sqrt(1.5)
    np.testing.assert_allclose([left.x[0], right.x[0]], [-root, root], atol=1e-12)
    np.testing.assert_allclose([left.eigenvalues[0], right.eigenvalues[0]], [root, -root], atol=1e-9)
    assert (left.stability, right.stability) == ("unstable", "stable")
    virtual = Switching(lambda x: [-x[0], -1.0], lambda x: [-3 * x[0], -2.0], lambda x: x[1])
    (found,) = pseudo_equilibria(virtual, [(-1, 1.3), (-1, 1)], 8)
    assert not found.admissible
    assert found.point.kind == "crossing down"


def test_repelling_sliding_and_a_boundary_equilibrium():
    out = Switching(lambda x: [1.0, 1.0], lambda x: [1.0, -1.0], lambda x: x[1]).at([0.0, 0.0])
    assert out.kind == "repelling sliding"
    assert "not unique" in out.reason
    rest = Switching(lambda x: [x[0], x[1]], lambda x: [1.0, 1.0], lambda x: x[1]).at([0.0, 0.0])
    assert rest.kind == "boundary equilibrium"


def test_tangency_points_visible_and_invisible():
    system = Switching(lambda x: [1.0, x[0] ** 2 - 1.0], lambda x: [0.0, 1.0], lambda x: x[1])
    low, high = tangency_points(system, "positive", [(-2, 2), (-0.5, 0.6)], 16)
    np.testing.assert_allclose([low.x[0], high.x[0]], [-1.0, 1.0], atol=1e-12)
    assert (low.tangencies["positive"].kind, high.tangencies["positive"].kind) == ("invisible", "visible")
    assert high.tangencies["positive"].second == pytest.approx(2.0, abs=1e-9)


def test_a_two_fold_names_both_sides():
    fold = Switching(lambda x: [1.0, x[0]], lambda x: [1.0, x[0]], lambda x: x[1]).at([0.0, 0.0])
    assert "two-fold" in fold.reason
    assert (fold.tangencies["positive"].kind, fold.tangencies["negative"].kind) == ("visible", "invisible")


def test_a_cusp_on_a_traced_curve_of_tangencies():
    """z' = y + x^2, x' = 1: tangency on y = -x^2, L2 = 2x, L3 = 2, so a cusp at the origin."""
    found = tangency_curve(CUSP, "positive", [0.5, -0.2, 0.0], [(-1, 1), (-1, 1), (-1, 1)])
    x, y, z = found.curve.points.T
    assert np.abs(y + x**2).max() < 1e-11
    assert np.abs(z).max() < 1e-11
    assert x.min() < -0.9
    assert x.max() > 0.9
    assert all((kind == "visible") == (value > 0) for kind, value in zip(found.kinds, x) if abs(value) > 1e-6)
    (cusp,) = found.cusps
    np.testing.assert_allclose(cusp, 0.0, atol=1e-9)
    at = CUSP.at([0.0, 0.0, 0.0]).tangencies["positive"]
    assert at.kind == "cusp"
    assert at.third == pytest.approx(2.0, abs=1e-6)
    assert lie(CUSP, np.array([0.3, -0.09, 0.0]), "positive", 2).value == pytest.approx(0.6, abs=1e-9)


def test_derivatives_by_complex_step_and_where_it_would_lie_by_differences():
    x, v = np.array([0.3, -1.2]), np.array([1.0, 2.0])
    exact = np.cos(0.3) * 1.0 + 3 * 1.2**2 * 2.0
    smooth = along(lambda z: np.sin(z[0]) + z[1] ** 3, x, v)
    dropped = along(lambda z: np.sin(z[0].real) + z[1].real ** 3, x, v)
    refused = along(lambda z: np.sin(float(z[0])) + float(z[1]) ** 3, x, v)
    half = along(lambda z: np.sin(z[0]) + abs(z[1]) ** 3 * np.sign(np.real(z[1])), x, v)
    assert (smooth.route, dropped.route, refused.route, half.route) == ("complex step", *["differences"] * 3)
    assert smooth.value == pytest.approx(exact, rel=1e-15)
    for d in (dropped, refused, half):
        assert abs(d.value - exact) <= max(10 * d.error, 1e-10)
        assert d.error < 1e-8


def test_what_is_refused_by_name():
    disk = spring_disk()
    with pytest.raises(InputError, match="not on the surface"):
        disk.at([0.0, 0.0, 0.1])
    np.testing.assert_allclose(disk.on_surface([0.3, 0.2, 0.1]), [0.3, 0.2, 0.0])
    with pytest.raises(InputError, match="positive field must return 3 numbers"):
        Switching(lambda x: [1.0], lambda x: [1.0, 0, 0], lambda x: x[2]).at([0.0, 0, 0])
    with pytest.raises(InputError, match="gradient of H vanishes"):
        Switching(lambda x: [1.0, 0], lambda x: [1.0, 0], lambda x: x[1] ** 2).at([0.0, 0.0])
    with pytest.raises(InputError, match="no tangent combination"):
        Switching(lambda x: [1.0, 1], lambda x: [2.0, 1], lambda x: x[1]).sliding_vector([0.0, 0.0])
    with pytest.raises(InputError, match="curves for three states"):
        tangency_curve(disk, "positive", [0.0, 0.0], [(-1, 1), (-1, 1)])
    with pytest.raises(InputError, match="positive must be a function"):
        Switching(3, disk.negative, disk.H)
    with pytest.raises(InputError, match="mu must be a positive number"):
        spring_disk(mu=-0.1)
    with pytest.raises(InputError, match="unknown side"):
        disk.field([0.0, 0.0, 0.0], "upper")
