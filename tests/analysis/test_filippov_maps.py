"""Maps of regions, their boundaries by two routes, and the pictures."""

from dataclasses import replace

import numpy as np
import pytest
from filippov_machines import flowmeter, wheelset

from rollick import InputError
from rollick.analysis.filippov import (
    ExtendedSwitching,
    Plane,
    boundary_by_bisection,
    map_picture,
    portrait,
    region_map,
    rose,
    switching_portrait,
    trace,
)
from rollick.archetypes.filippov import pool_ball, spring_disk, toy
from rollick.archetypes.filippov.pool_ball import critical_speed
from rollick.plotting import save


def test_a_circle_and_an_open_curve_are_followed():
    circle = trace(lambda z: [z[0] ** 2 + z[1] ** 2 - 1.0], [0.8, 0.7])
    assert circle.closed
    assert np.abs(np.hypot(*circle.points.T) - 1).max() < 1e-12
    hyperbola = trace(lambda z: [z[0] * z[1] - 1.0], [1.0, 1.2], inside=lambda z: bool(np.abs(z).max() < 3))
    assert not hyperbola.closed
    assert hyperbola.ends == ("left the region",) * 2
    assert hyperbola.points[:, 0].max() > 2.9
    with pytest.raises(InputError, match="needs 1 equations"):
        trace(lambda z: [z[0], z[1]], [0.0, 0.0])


@pytest.mark.parametrize("grid", [3, pytest.param(7, marks=pytest.mark.slow)])
def test_the_pool_ball_slides_within_a_circle_by_two_routes(grid):
    ball, limit = pool_ball(), critical_speed()
    plane = Plane(lambda p, q: [0, 0, p, q], (-9, 9), (-9, 9), ("v_y", "v_z"))
    regions = region_map(ball, plane, grid)
    (curve,) = regions.boundaries
    assert curve.closed
    assert not regions.loose
    assert np.abs(np.hypot(*curve.points.T) - limit).max() < 1e-9
    assert set(regions.kinds.ravel()) == {"attracting sliding", "crossing"}
    sharp = replace(ball, tolerance=1e-13)  # what counts as R = 0: by default 1e-9 of |G|
    found = boundary_by_bisection(sharp, plane, (1.0, 0.5), (8.0, 4.0))
    assert np.hypot(*found) == pytest.approx(limit, rel=1e-9)


def test_the_toy_system_slides_between_two_lines():
    plane = Plane(lambda p, q: [0, 0, p], (-2.1, 2.0), (-1, 1), ("x3", "anything"))
    regions = region_map(toy(), plane, 5)
    assert sorted(round(float(c.points[:, 0].mean()), 9) for c in regions.boundaries) == [-1.0, 1.0]
    assert max(np.abs(np.abs(c.points[:, 0]) - 1).max() for c in regions.boundaries) < 1e-9


def weights_of_wheelset(y, psi, u, A, B, C=8.0, M_psi=1.4, M_phi=5.0, w=40.0, eta=1.2):
    return (-A * psi - (M_phi - M_psi) * C * np.sign(u)) / (C * (M_phi + M_psi)), (-B * y + w * eta * u / 2) / C


def test_the_wheelset_rolls_on_one_wheel_with_the_weights_of_its_friction_cone():
    """a and b of the lemma."""
    system, A, B = wheelset()
    sliding = system.extended("SR").sliding_vector([0.003, 0.002, 0.05, 0, 0])
    np.testing.assert_allclose(sliding.weights, weights_of_wheelset(0.003, 0.002, 0.05, A, B), rtol=1e-10)


@pytest.mark.slow
def test_the_wheelset_rolls_on_one_wheel_within_its_friction_cone():
    """The lemma: a^2 + b^2 = 1 is the boundary of attracting sliding on Sigma_SR."""
    system, A, B = wheelset()
    plane = Plane(lambda y, psi: [y, psi, 0.05, 0, 0], (-0.02, 0.02), (-0.03, 0.02), ("y", "Psi"))
    regions = region_map(system.extended("SR"), plane, 7)
    (curve,) = regions.boundaries
    a, b = weights_of_wheelset(*curve.points.T, 0.05, A, B)
    assert np.abs(a**2 + b**2 - 1).max() < 1e-9
    assert curve.closed


def test_the_flowmeter_rolls_on_its_wall_within_its_friction_cone():
    """(4.41-4.43), with s = sgn u1+."""
    mu, j, g, d, c, v_f = 0.1, 0.4, (1 - 1000 / 1160) * 9.81, 0.1, 0.03879, 3.0

    def weights(v, u):
        s, k = np.sign(u), -c * (v - v_f)
        return (k - mu * g * s + j * mu * v * (v - u) * s / d) / ((1 + j) / j * mu * v**2 / d), v * (v - u) / d / (
            mu * v**2 / (j * d)
        )

    system = flowmeter(v_f).extended("SR")
    plane = Plane(lambda v, u: [u, 0, 0, v], (0.3, 2.0), (0.1, 2.5), ("v", "u1+"))
    regions = region_map(system, plane, 7)
    assert regions.boundaries
    for curve in regions.boundaries:
        a, b = weights(*curve.points.T)
        assert np.abs(a**2 + b**2 - 1).max() < 1e-9
    np.testing.assert_allclose(system.sliding_vector([0.9, 0, 0, 1.1]).weights, weights(1.1, 0.9), rtol=1e-10)


@pytest.mark.slow
def test_the_ellipse_of_the_wheelset_is_traced():
    system, A, B = wheelset()
    plane = Plane(lambda p, q: [p, q, 0, 0, 0], (-0.02, 0.02), (-0.008, 0.008), ("y", "Psi"))
    regions = region_map(system, plane, 5)
    (curve,) = regions.boundaries
    assert curve.closed
    assert np.abs(((B * curve.points[:, 0]) ** 2 + (A * curve.points[:, 1] / 1.4) ** 2) / 256 - 1).max() < 1e-9
    found = boundary_by_bisection(replace(system, tolerance=1e-13), plane, (0.0, 0.0), (0.018, 0.006))
    assert ((B * found[0]) ** 2 + (A * found[1] / 1.4) ** 2) / 256 == pytest.approx(1.0, abs=1e-9)


def test_a_map_over_parameters_with_spirals():
    """G = R n + V n', R = p + 0.2 cos(phi), V = q + cos(phi): spirals for |q| > 1, sliding or crossing within."""

    def system(p, q):
        def limit(x, phi):
            r, v = p + 0.2 * np.cos(phi), q + np.cos(phi)
            return [r * np.cos(phi) - v * np.sin(phi), r * np.sin(phi) + v * np.cos(phi)]

        return ExtendedSwitching(lambda x: limit(x, np.arctan2(x[1], x[0])), lambda x: x[0], lambda x: x[1], limit)

    state = lambda p, q: [0.0, 0.0]
    lower = region_map(system, Plane(state, (-1.0, 0.11), (0.3, 1.1), ("p", "q")), 5)
    assert {c.label for c in lower.boundaries} == {"tangency: a neutral limit direction", "two limit directions meet"}
    for curve in lower.boundaries:
        p, q = curve.points.T
        if curve.label.startswith("two"):
            assert np.abs(q - 1).max() < 1e-9
        else:  # cos(phi) = -q, R = p - 0.2 q
            assert np.abs(p - 0.2 * q).max() < 1e-9
    upper = region_map(system, Plane(state, (-0.3, 0.4), (1.2, 1.7), ("p", "q")), 4)
    (curve,) = upper.boundaries
    assert curve.label == "the circulation vanishes"
    p, q = curve.points.T
    root = np.sqrt(q**2 - 1)
    assert np.abs(p / root + 0.2 * (1 - q / root)).max() < 1e-9  # the integral of (p + 0.2 cos)/(q + cos) over a turn


def test_pictures_are_drawn(tmp_path):
    ball = pool_ball()
    disk = spring_disk()
    regions = region_map(disk, Plane(lambda p, q: [p, q, 0], (-5, 5), (-1, 1), ("w", "v")), 5)
    figures = {
        "rose": rose(ball.at([0, 0, 3, -2])),
        "still": rose(ball.at([0, 0, 0, 0])),
        "portrait": portrait(toy(1).at([0, 0, 0.5])),
        "switching": switching_portrait(disk, [0, 0.5, 0], (0, 2), (-6, 6), (-4, 4)),
        "map": map_picture(regions),
    }
    for name, figure in figures.items():
        save(figure, tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 8000
    words = [t.get_text() for t in figures["map"].axes[0].get_legend().get_texts()]
    assert {"attracting sliding", "tangency of the positive field", "tangency of the negative field"} <= set(words)
    with pytest.raises(InputError, match="does not meet the plane"):
        switching_portrait(disk, [0, 0.5, 0], (0, 2), (-6, 6), (1, 4))
    with pytest.raises(InputError, match="two different states"):
        switching_portrait(disk, [0, 0.5, 0], (0, 7), (-6, 6), (1, 4))
    with pytest.raises(InputError, match="increasing"):
        Plane(lambda p, q: [p, q], (1, 0), (0, 1))
