"""What strangers tried first, and what did not work then: surfaces of one's own in compiled derivatives, columns by name, polyhedra by mass, names that are told."""

from typing import NamedTuple

import numpy as np
import pytest

from rollick import InputError, Rattleback
from rollick.analysis.design.data import _columns
from rollick.archetypes.dropped_device.solid import box, solid
from rollick.ensemble import Grid, ensemble
from rollick.kernel import compiled, sqrt
from rollick.mechanics.mass.primitives import box as box_mass
from rollick.mechanics.surfaces import distance, normal


class Trough(NamedTuple):
    """The inside of a torus of radii R and a, with no `normal` of its own."""

    R: float
    a: float


@distance.register(Trough)
def _(trough, t, p):
    rho = sqrt(p[0] * p[0] + p[1] * p[1]) - trough.R
    up = p[2] - trough.a
    return trough.a - sqrt(rho * rho + up * up)


@compiled
def normal_of(surface, t, p):
    return normal(surface, t, p)


def test_a_surface_without_a_normal_is_differentiated_in_compiled_code():
    trough, p, dp, h = Trough(0.5, 0.05), np.array([0.48, 0.1, 0.02]), np.array([0.3, -0.2, 0.5]), 1e-20
    n = np.array(normal_of(trough, 0.0, tuple(p)))
    centre = np.array([*(0.5 * p[:2] / np.hypot(p[0], p[1])), 0.05])  # of the circle through p
    assert n == pytest.approx((centre - p) / np.linalg.norm(centre - p), abs=1e-14)
    along = np.array(normal_of(trough, 0.0, tuple(p + 1j * h * dp))).imag / h
    ahead, behind, farther, back = (np.array(normal_of(trough, 0.0, tuple(p + s * 1e-4 * dp))) for s in (1, -1, 2, -2))
    assert along == pytest.approx(
        (8.0 * (ahead - behind) - farther + back) / 12e-4, rel=1e-4, abs=1e-6
    )  # differences inside: STEP


def test_data_with_named_columns():
    table = np.array([(0.0, 1.0), (0.5, 2.0)], dtype=[("t", float), ("phi", float)])
    assert {name: list(values) for name, values in _columns(table).items()} == {"t": [0.0, 0.5], "phi": [1.0, 2.0]}
    with pytest.raises(InputError, match="named columns"):
        _columns(np.zeros((2, 2)))


def test_a_polyhedron_by_its_mass():
    corners = [(x, y, z) for x in (0.0, 0.2) for y in (0.0, 0.1) for z in (0.0, 0.04)]  # not about the origin
    made, known = solid(corners, mass="300g"), box(0.2, 0.1, 0.04, mass=0.3)
    assert made.body.mass == known.body.mass
    assert sorted(made.body.moments) == pytest.approx(sorted(known.body.moments), rel=1e-12)
    assert made.centre == pytest.approx([0.1, 0.05, 0.02], abs=1e-15)
    for wrong in ({}, {"mass": 1.0, "properties": box_mass(1.0, 0.2, 0.1, 0.04)}):
        with pytest.raises(InputError, match="give either"):
            solid(corners, **wrong)


def test_an_unknown_name_of_an_ensemble_is_told_with_those_there_are():
    with pytest.raises(InputError, match=r"'Dd' is no parameter of Rattleback \(a, b, c, M, h, .*Unknown state of Rattleback"):
        ensemble(Rattleback(), Grid(Dd=[1.0]), until=1.0)
