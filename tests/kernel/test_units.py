"""Numbers with units: converted, and refused where they do not belong."""

import math
import warnings

import numpy as np
import pytest

from rollick.archetypes import models
from rollick.kernel.errors import InputError, UnitWarning
from rollick.kernel.units import UNITS, number, numbers, parsed, whole


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("0.25", "m", 0.25),
        ("  -3e-2 ", "", -0.03),
        (".5", "kg", 0.5),
        ("5.", "s", 5.0),
        ("5deg", "rad", math.radians(5.0)),
        ("5 °", "rad", math.radians(5.0)),
        ("60rad", "rad", 60.0),
        ("2 turn", "rad", 4.0 * math.pi),
        ("2 mm", "m", 2e-3),
        ("250g", "kg", 0.25),
        ("20ms", "s", 0.02),
        ("90min", "s", 5400.0),
        ("30rpm", "rad/s", math.pi),
        ("180deg/s", "rad/s", math.pi),
        ("3cm/s", "m/s", 0.03),
        ("36 km/h", "m/s", 10.0),
        ("9.81 m/s^2", "m/s^2", 9.81),
        ("981 cm/s**2", "m/s^2", 9.81),
        ("1e-3 kg m^2", "kg m^2", 1e-3),
        ("10 g cm^2", "kg m^2", 1e-6),
        ("10 g*cm²", "kg m^2", 1e-6),
        ("7.85 g/cm^3", "kg/m^3", 7850.0),
        ("2 mN m s", "N m s", 2e-3),
        ("1 kg m/s^2", "N", 1.0),
        ("1 N m", "J", 1.0),
        ("3 kg/s", "N s/m", 3.0),
        ("200Hz", "Hz", 200.0),
        ("0.2kHz", "Hz", 200.0),
        ("5 1/s", "Hz", 5.0),
        ("0.3 (J)^(1/2)", "(J)^(1/2)", 0.3),
    ],
)
def test_a_number_with_a_unit_is_converted(text, unit, value):
    assert number(text, "x", unit) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["5deg", "5 kg", "3mm", "1 m/s", "2rad"])
def test_a_plain_number_takes_no_unit(text):
    with pytest.raises(InputError, match="gamma is a plain number, without a unit"):
        number(text, "gamma")


@pytest.mark.parametrize(
    ("text", "unit"),
    [("5kg", "m"), ("5deg", "rad/s"), ("5 m/s", "m"), ("5Hz", "rad/s"), ("1 J", "N"), ("1 kg", "(J)^(1/2)"), ("3 m^2", "m")],
)
def test_a_unit_of_another_kind_is_refused(text, unit):
    with pytest.raises(InputError, match=f"x is measured in {unit}".replace("(", r"\(").replace(")", r"\)").replace("^", r"\^")):
        number(text, "x", unit)


@pytest.mark.parametrize("text", ["", "deg", "1e", "five", "1,5", "--5", "5 furlong", "5 m/", "5 m^", "5 /s", "0x10", "1 2"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(InputError, match="is not a number"):
        number(text, "x", "m")


@pytest.mark.parametrize("given", ["inf", "nan", "-Infinity m", math.inf, np.nan])
def test_what_is_not_finite_is_refused(given):
    with pytest.raises(InputError, match="is not finite"):
        number(given, "x", "m")


@pytest.mark.parametrize("given", [None, [1.0, 2.0], {}, object(), 1j])
def test_what_is_no_number_at_all_is_refused(given):
    with pytest.raises(InputError, match="is not a number"):
        number(given, "x", "m")


@pytest.mark.parametrize("given", ["60", 60, 60.0, -60, "6.2832"])
def test_an_angle_beyond_a_turn_without_a_unit_is_taken_as_radians_with_a_word(given):
    with pytest.warns(UnitWarning, match=r"theta = -?6[.\d]* is taken as radians, .* turns; write -?6[.\d]*deg if"):
        assert number(given, "theta", "rad") == float(given)


@pytest.mark.parametrize("given", ["60deg", "60rad", "6.28", 2.0 * math.pi, np.float64(60.0), np.arange(3.0, 60.0, 10.0)[-1]])
def test_an_angle_within_a_turn_or_with_a_unit_or_from_a_computation_is_taken_as_it_is(given):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = str(given)
        expected = math.radians(60.0) if text.endswith("deg") else float(text.removesuffix("rad"))
        assert number(given, "theta", "rad") == pytest.approx(expected, rel=1e-15)
        assert number(60.0, "omega", "rad/s") == 60.0
        assert number(60.0, "the level of psi", "rad", turns=True) == 60.0


def test_arrays_of_numbers_with_units():
    assert numbers(["1cm", 2, "3 mm"], "x", "m") == pytest.approx([0.01, 2.0, 0.003])
    assert numbers([["1 g cm^2", 0], [0, 1e-7]], "inertia", "kg m^2") == pytest.approx(np.eye(2) * 1e-7)
    assert numbers("3cm", "rho", "m") == pytest.approx(0.03)
    for wrong in (["1kg", 2.0], [1.0, [2.0, 3.0]], ["one"], [math.nan]):
        with pytest.raises(InputError, match="x"):
            numbers(wrong, "x", "m")


def test_whole_numbers():
    assert whole("12", "n", 3) == 12
    assert whole(3.0, "n", 3) == 3
    for wrong in ("2", "3.5", "3m", None):
        with pytest.raises(InputError, match="n "):
            whole(wrong, "n", 3)


def test_every_unit_is_understood_alone_squared_and_underneath():
    for name, (factor, kind) in UNITS.items():
        assert parsed(name) == (factor, kind)
        assert parsed(f"{name}^2") == (pytest.approx(factor**2), tuple(2 * k for k in kind))
        assert parsed(f"1/{name}") == (pytest.approx(1.0 / factor), tuple(-k for k in kind))
    assert parsed("no_unit") is None
    assert parsed("") == (1.0, (0, 0, 0, 0))


def test_bodies_understand_units():
    from rollick import Body, Ellipsoid, Sphere
    from rollick.mechanics.mass.primitives import point, solid_sphere

    ball = Body.from_inertia("250g", ["1e-4 kg m^2"] * 3, Sphere("3cm"), ("1mm", 0, 0))
    assert ball == Body.from_inertia(0.25, (1e-4,) * 3, Sphere(0.03), (1e-3, 0.0, 0.0))
    assert Body.from_inertia(1, (1e-3,) * 3, Ellipsoid(0.2, "30mm", "2cm")).shape == Ellipsoid(0.2, 0.03, 0.02)
    with pytest.raises(InputError, match="mass is measured in kg"):
        Body.from_inertia("1m", (1.0, 1.0, 1.0), Sphere(1.0))
    with pytest.raises(InputError, match="radius is measured in m"):
        Body.from_inertia(1.0, (1.0, 1.0, 1.0), Sphere("1kg"))
    assert solid_sphere("250g", "3cm").inertia == pytest.approx(solid_sphere(0.25, 0.03).inertia)
    assert point("5g", ("1cm", 0.0, 0.0)).centre == pytest.approx([0.01, 0.0, 0.0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: models.model("tippedisk").make(mu="5kg"), "mu is a plain number"),
        (lambda: models.model("polygon").make(gamma="5deg"), "gamma is a plain number"),
        (lambda: models.model("torus").make(R="5kg"), "R is measured in m"),
        (lambda: models.model("rattleback").make(sigma="1 N"), "sigma is measured in N m s"),
    ],
)
def test_parameters_of_models_refuse_what_does_not_fit(make, words):
    with pytest.raises(InputError, match=words):
        make()
