"""What a person gives wrongly is refused by a sentence of ours that names it, not by an error of Python's or NumPy's from deep inside."""

import math

import numpy as np
import pytest

import rollick
from rollick import InputError, Rattleback, Sphere, simulate

NAN, THING = math.nan, object()
ODD = (None, "x", [], NAN, 5, THING)
STONE, BALL = Rattleback(), rollick.Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Sphere(0.1))
GROWN = {"system": STONE, "start": {"alpha": 0.01}, "until": 1.0}


def calls():
    """Calls by name, argument and odd values: (label, function, what is given)."""
    r = rollick
    table = {
        "system_jacobian": (r.system_jacobian, {"system": STONE, "y": None}, "y", ODD),
        "jacobian of": (r.jacobian, {"f": None, "x": [1.0]}, "f", ODD),
        "jacobian at": (r.jacobian, {"f": lambda x: x, "x": None}, "x", ("x", [], THING)),
        "Body.from_parts": (r.Body.from_parts, {"parts": None, "shape": Sphere(0.1)}, "parts", ODD),
        "Body.from_inertia": (
            r.Body.from_inertia,
            {"mass": 1.0, "inertia": (1e-3,) * 3, "shape": Sphere(0.1), "centre": 0},
            "centre",
            ODD,
        ),
        "Body.from_file": (r.Body.from_file, {"path": None}, "path", ODD),
        "Body.from_mesh": (r.Body.from_mesh, {"path": None, "mass": 1.0}, "path", ODD),
        "Motion.open": (r.Motion.open, {"path": None}, "path", ODD),
        "open_saved": (r.open_saved, {"path": None}, "path", ODD),
        "read_body": (r.read_body, {"path": "x.toml", "changes": None}, "path", ODD),
        "rest_positions": (r.rest_positions, {"body": None}, "body", ODD),
        "principal_radii": (r.principal_radii, {"shape": Sphere(0.1), "n": None}, "n", ODD),
        "convex_hull": (r.convex_hull, {"points": None}, "points", ODD),
        "plate": (r.plate, {"points": None, "rho": 0.5}, "points", ODD),
        "steady_spin": (r.steady_spin, {"stone": None}, "stone", ODD),
        "what_next": (r.what_next, {"system": None, "x": [0.0]}, "system", (*ODD, STONE)),
        "model": (r.model, {"name": None}, "name", ODD),
        "generic": (r.generic, {"stub": None}, "stub", ODD),
        "describe": (r.describe, {"cls": Rattleback, "states": None}, "states", ("x", NAN, 5, THING)),
        "Event": (r.Event, {"what": "alpha", "direction": None}, "direction", ODD),
        "basins": (r.basins, {"system": STONE, "axes": None, "settle": 1.0}, "axes", ODD),
        "chart": (r.chart, {**GROWN, "axes": None, "outputs": ["alpha at 1"]}, "axes", (None, "x", NAN, 5, THING)),
        "sensitivity": (r.sensitivity, {**GROWN, "outputs": None, "parameters": ["sigma"]}, "outputs", (None, [], NAN, 5, THING)),
        "poincare": (
            r.poincare,
            {"system": STONE, "start": {}, "on": "alpha", "shown": ["beta"], "returns": 0},
            "returns",
            (None, "x", [], NAN, THING),
        ),
        "largest_exponent": (r.largest_exponent, {**GROWN, "intervals": 0}, "intervals", ODD),
        "spectrum": (r.spectrum, {**GROWN, "discard": 0}, "discard", ODD),
        "SlowFast": (
            r.SlowFast,
            {"slow": abs, "fast": abs, "slow_names": None, "fast_names": ("y",)},
            "slow_names",
            (None, NAN, 5, THING, []),
        ),
        "slow_manifold": (r.slow_manifold, {"system": None, "near": [0.0]}, "system", (*ODD, STONE)),
    }
    for label, (function, given, name, values) in table.items():
        for value in values:
            yield pytest.param(function, {**given, name: value}, id=f"{label}, {name}={str(value)[:12]}")


@pytest.mark.parametrize(("function", "given"), list(calls()))
def test_refused_in_words(function, given):
    with pytest.raises(InputError):
        function(**given)


@pytest.mark.parametrize(("field", "value"), [("M", [1, 2]), ("a", None), ("a", {}), ("g", THING), ("h", "high"), ("c", NAN)])
def test_a_parameter_that_is_no_number(field, value):
    with pytest.raises(InputError, match=rf"\b{field} = "):
        simulate(Rattleback(**{field: value}), {"alpha": 0.01}, 1.0)


@pytest.mark.parametrize("n", [(0.0, 0.0, 0.0), [0, 0, 0], np.zeros(3), "x", (1.0, None, 0.0), 5])
def test_no_direction(n):
    with pytest.raises(InputError, match="must be a direction: three numbers, not all zero"):
        rollick.support(rollick.Ellipsoid(0.3, 0.2, 0.1), n)


def test_a_mistake_of_a_shape_stays_one():
    """Only a direction that is none is told of; what breaks down for a good one is not blamed on it."""
    from typing import NamedTuple

    class Bad(NamedTuple):
        R: float = 1.0

    @rollick.support.register(Bad)
    def _(shape, n):
        return 1 // 0, n[0], n[1]

    with pytest.raises(ZeroDivisionError):
        rollick.support(Bad(), (0.0, 0.0, 1.0))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"atol": math.inf}, "atol = inf must be above zero and finite"),
        ({"max_steps": 10**400}, "max_steps is a number too large"),
        ({"wall_limit": 10**400}, "wall_limit is a number too large"),
        ({"until": 10**400}, "until is a number too large"),
    ],
)
def test_options_of_simulate(options, words):
    with pytest.raises(InputError, match=words):
        simulate(STONE, {"alpha": 0.01}, **{"until": 1.0, **options})


def test_a_height_is_a_gap_or_z():
    system = rollick.sliding(BALL, law=rollick.Coulomb(0.3))
    with pytest.raises(InputError, match="Did you mean 'gap' or 'z'"):
        simulate(system, {"height": 0.1}, 0.1)


def test_data_that_end_where_the_motion_begins():
    data = {"t": [0.0, 1.0], "alpha": [0.01, NAN]}
    with pytest.raises(InputError, match=r"last value of the data is at t = 0, and the motion begins at 0.*nan are left out"):
        rollick.fit(STONE, start={"alpha": 0.01}, data=data, parameters=["sigma"])


def test_a_netcdf_file_is_called_one(tmp_path):
    from rollick.motion.result.whole_file import save_data

    with pytest.raises(InputError, match=r"x.csv: a netCDF file ends in .nc"):
        save_data(None, tmp_path / "x.csv")


TORUS, ROUNDED_RIM = rollick.Torus(0.05, 0.02), rollick.Sum(rollick.Rim(0.05), Sphere(0.01))


@pytest.mark.parametrize(
    ("shape", "on"),
    [
        (TORUS, None),
        (ROUNDED_RIM, None),
        (TORUS, rollick.Bowl(2.0)),
        pytest.param(ROUNDED_RIM, rollick.Bowl(2.0), marks=pytest.mark.slow),
    ],
)
def test_a_body_that_lies_flat_on_a_circle_has_no_contact_point(shape, on):
    body = rollick.Body.from_inertia(1.0, (1e-3, 1.2e-3, 0.8e-3), shape)
    system = rollick.sliding(body, law=rollick.Coulomb(0.3), **({} if on is None else {"on": on}))
    for start in ({}, {"gap": 0.01}, [0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]):
        with pytest.raises(InputError, match="tilt it"):
            simulate(system, start, 0.1)
