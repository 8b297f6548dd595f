"""A body from a file: what is understood, what is refused and how, and that it moves as the body it describes."""

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

from rollick import Body, InputError, Plane, Rattleback, friction, simulate
from rollick.mechanics.bodyfile import read_body
from rollick.mechanics.bodyfile.contact import law_kinds, read_entry, surface_kinds
from rollick.mechanics.bodyfile.fields import Fields
from rollick.mechanics.bodyfile.mass import MEASURES, PARTS
from rollick.mechanics.bodyfile.units import quantity
from rollick.mechanics.laws.friction import contour_ratio, pivot_couple
from rollick.mechanics.laws.sliding import Coulomb, traction
from rollick.mechanics.mass import primitives
from rollick.mechanics.mass.properties import MassProperties
from rollick.mechanics.shapes.convex import Sphere, Sum, Turned, support
from rollick.mechanics.shapes.hull import ConvexHull
from rollick.mechanics.shapes.skin import Skinned

BODIES = Path(__file__).parents[2] / "examples" / "bodies"
BALL = """
[shape]
kind = "sphere"
radius = "3cm"
[mass]
mass = "1kg"
inertia = "solid"
"""


def written(tmp_path, text, name="body.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def read(tmp_path, text):
    return read_body(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("30cm", "m", 0.3),
        ("2 kg", "kg", 2.0),
        ("2.7 g/cm^3", "kg/m^3", 2700.0),
        ("5deg", "rad", math.radians(5.0)),
        ("17 kg cm^2", "kg m^2", 1.7e-3),
        ("981 cm/s^2", "m/s^2", 9.81),
        ("60 rpm", "rad/s", 2.0 * math.pi),
        ("-1e-3", "m", -1e-3),
        (7, "s", 7.0),
        ("1e-4 N m s", "N m s", 1e-4),
        ("250 1/s", "1/s", 250.0),
        ("2 kN/mm", "N/m", 2e6),
        ("36 km/h", "m/s", 10.0),
    ],
)
def test_units(text, unit, value):
    assert quantity(text, "x", unit) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("given", "unit", "words"),
    [
        ("3 kg", "m", "measured in m"),
        ("3 furlong", "m", "'furlong' is not a unit"),
        ("lots", "m", "not a number"),
        ("5deg", "", "without a unit"),
        (True, "m", "not a number"),
        (float("nan"), "m", "not finite"),
        ("1e999", "m", "not finite"),
    ],
)
def test_units_refused(given, unit, words):
    with pytest.raises(InputError, match=words):
        quantity(given, "shape.a", unit)


def test_the_celt_moves_as_the_rattleback():
    given = read_body(BODIES / "celt.toml")
    assert given.body == Body.from_file(BODIES / "celt.toml")
    at = np.linspace(0.0, 4.0, 21)
    stone = simulate(Rattleback(), {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}, 4.0, at=at, rtol=1e-11)
    motion = simulate(given.system, given.start, 4.0, at=at, rtol=1e-11)
    for name, sign in (("omega1", 1.0), ("omega2", -1.0), ("omega3", -1.0)):
        assert np.abs(motion[name] - sign * stone[name]).max() < 1e-6, name
    assert np.abs(stone["omega3"]).min() < 0.5  # it reverses meanwhile


def test_examples_are_read():
    torus, block, die = (read_body(BODIES / f"{name}.toml") for name in ("torus", "block", "die"))
    assert torus.body.mass == pytest.approx(7800.0 * 2.0 * math.pi**2 * 0.1 * 0.02**2)
    assert torus.options == {"until": 5.0}
    whole = primitives.box(1.0, 0.04, 0.06, 0.12).scaled(0.04 * 0.06 * 0.12)
    hole = primitives.solid_cylinder(1.0, 0.01, 0.04).scaled(math.pi * 0.01**2 * 0.04)
    expected = (whole - hole.rotated(((0.0, 1.0, 0.0), 0.5 * math.pi)).shifted((0.0, 0.0, 0.03))).scaled(0.2)
    assert block.body.centre == pytest.approx(tuple(expected.centre), abs=1e-15)
    assert np.array(block.body.inertia) == pytest.approx(expected.inertia, rel=1e-12)
    assert len(block.system.feet.places) == 8
    assert block.system.gravity == pytest.approx((0.0, 9.81 * math.sin(math.radians(3.0)), -9.81 * math.cos(math.radians(3.0))))
    edge = 0.04
    assert die.body.mass == pytest.approx(1200.0 * edge**3 / (6.0 * math.sqrt(2.0)), rel=1e-6)
    assert np.diag(die.body.inertia) == pytest.approx(die.body.mass * edge**2 / 20.0, rel=1e-6)
    assert die.system.feet.places[0][3] == 1e-3
    assert die.system.e_N == 0.4


def test_shapes_combine(tmp_path):
    text = """
    [shape]
    kind = "sum"
    rounding = "1mm"
    turn = {axis = [0, 0, 1], angle = "90deg"}
    shift = ["1cm", 0, 0]
    [[shape.of]]
    kind = "superellipsoid"
    a = "5cm"
    b = "4cm"
    c = "3cm"
    p = 1.7
    [[shape.of]]
    kind = "rim"
    R = "2cm"
    [mass]
    inertia = [1e-3, 1e-3, 1e-3]
    mass = 1
    centre = ["1cm", 0, 0]
    """
    shape = read(tmp_path, text).body.shape
    assert isinstance(shape, Turned)
    assert isinstance(shape.shape, Sum)
    assert shape.shape.second == Sphere(1e-3)
    n = (0.6, 0.48, 0.64)
    inner = support(shape.shape, (n[1], -n[0], n[2]))
    assert np.array(support(shape, n)) == pytest.approx((0.01 - inner[1], inner[0], inner[2]))
    revolution = """
    [shape]
    kind = "revolution"
    points = [[0, -0.05], ["2cm", -0.0458257569], ["4cm", "-3cm"], ["5cm", 0], ["4cm", "3cm"], ["2cm", 0.0458257569], [0, 0.05]]
    [mass]
    mass = 1
    inertia = "solid"
    """
    body = read(tmp_path, revolution).body
    assert np.diag(body.inertia) == pytest.approx(0.4 * 0.05**2, rel=5e-3)  # a ball, from a few points


def test_a_mesh_is_filled_itself_and_touches_with_its_hull(tmp_path):
    (tmp_path / "t.obj").write_text((BODIES / "tetrahedron.obj").read_text())
    text = """
    [shape]
    kind = "mesh"
    file = "t.obj"
    unit = "1mm"
    shift = [0, 0, "1cm"]
    [mass]
    mass = "9 g"
    inertia = "solid"
    [contact]
    how = "sliding"
    feet = "lowest"
    law = {kind = "regularised", mu = 0.3, eps = "1 cm/s"}
    """
    found = read(tmp_path, text)
    assert found.body.centre == pytest.approx((0.0, 0.0, 0.01), abs=1e-12)
    assert isinstance(found.body.shape.shape, Skinned)  # what is drawn around what touches
    assert isinstance(found.body.shape.shape.shape, ConvexHull)
    assert support(found.body.shape, (0.0, 0.0, -1.0))[2] == pytest.approx(0.01 - 0.014142136)


@pytest.mark.parametrize("kind", sorted(MEASURES))
def test_densities_weigh_as_volumes_areas_and_lengths(kind, tmp_path):
    import inspect

    names = [
        n for n, p in inspect.signature(PARTS[kind]).parameters.items() if n != "mass" and p.default is inspect.Parameter.empty
    ]
    sizes = dict(zip(names, (0.05, 0.02, 0.03)))
    measure, unit = MEASURES[kind]
    part = "\n".join([f"{n} = {v}" for n, v in sizes.items()])
    text = f'[shape]\nkind = "sphere"\nradius = 1\n[mass]\n[[mass.parts]]\nkind = "{kind}"\ndensity = "2 {unit}"\n{part}\n'
    body = read(tmp_path, text).body
    assert body.mass == pytest.approx(2.0 * measure(**sizes))
    expected = PARTS[kind](body.mass, **sizes)
    assert np.array(body.inertia) == pytest.approx(expected.inertia, abs=1e-18)


def test_every_primitive_can_be_a_part_and_every_law_be_named():
    assert set(PARTS) - set(MEASURES) == {"point"}
    assert {"coulomb", "regularised", "constant_load", "linearised", "viscous", "contensou"} <= set(law_kinds(traction))
    assert {"dry_pivoting", "regularised_pivoting"} <= set(law_kinds(pivot_couple))
    assert {"dry_contour", "regularised_contour"} <= set(law_kinds(contour_ratio))
    assert "plane" in surface_kinds()


def test_laws_and_surfaces(tmp_path):
    text = (
        BALL
        + """
    [contact]
    how = "sliding"
    damping = "1e-4 N m s"
    restitution = 0.5
    [contact.law]
    kind = "contensou"
    mu = 0.2
    radius = "2mm"
    surface = "uniform"
    [contact.law.contour]
    kind = "regularised"
    mu = 0.01
    eps = "1mm/s"
    """
    )
    system = read(tmp_path, text).system
    assert system.law.sliding.mu == 0.2
    assert system.law.contour.eps == 1e-3
    assert system.sigma == 1e-4
    tilted = read(tmp_path, BALL + '[surface]\ntilt = "30deg"\n').system
    assert tilted.gravity == pytest.approx((4.905, 0.0, -9.81 * math.cos(math.pi / 6.0)))
    own = 'kind = "plane"\ntilt = "5deg"\nrestitution = 0.7\nlaw = {kind = "coulomb", mu = 0.1}\n'
    fields = Fields(tomllib.loads(own), "surface", tmp_path)
    assert read_entry(fields, None, 0.0) == (Plane(math.radians(5.0)), friction(Coulomb(0.1)), 0.7)
    plain = read(tmp_path, BALL + '[contact]\nhow = "sliding"\nlaw = {kind = "coulomb", mu = 0.3}\n').system
    assert plain.law.sliding == Coulomb(0.3)


REFUSED = [
    (BALL.replace("radius", "radios"), r"shape.radios = '3cm'. Did you mean 'radius'"),
    (BALL.replace('"3cm"', '"3kg"'), r"shape.radius = '3kg': it is measured in m"),
    (BALL.replace('"3cm"', "-1"), r"shape.radius = -1 must be above zero"),
    (BALL.replace("sphere", "spheer"), r"value of shape.kind: 'spheer'. Did you mean 'sphere'"),
    (BALL.replace("[mass]", "[masss]"), r"masss = .* Did you mean 'mass'"),
    (
        BALL.replace('inertia = "solid"', 'inertia = "full"'),
        r"mass.inertia = 'full' must be three moments, a 3x3 matrix, or \"solid\"",
    ),
    (BALL.replace('inertia = "solid"', "inertia = [1, 2]"), r"mass.inertia = \[1, 2\] must be 3 or 3 x 3 numbers"),
    (BALL.replace('inertia = "solid"', "inertia = [1, 2, 30]"), r"mass.inertia = .* triangle inequality"),
    (BALL.replace('inertia = "solid"', ""), r"mass needs inertia .* or parts; neither is given"),
    (
        BALL.replace('inertia = "solid"', 'inertia = [1e-4, 1e-4, 1e-4]\ncentre = ["5m", 0, 0]'),
        r"outside the shape, 4\.97 m from it",
    ),
    (BALL + "density = 3\n", r"mass needs either mass or density \(in kg/m\^3\); both are given"),
    (BALL + "[start]\nalfa = 3\n", r"start: unknown .*'alfa'. Did you mean 'alpha'"),
    (BALL + '[start]\nalpha = "3cm"\n', r"start.alpha = '3cm': it is measured in rad"),
    (BALL + "[simulate]\nuntill = 3\n", r"simulate.untill = 3. Did you mean 'until'"),
    (BALL + "[simulate]\ndt = 0\n", r"simulate.dt = 0 must be above zero"),
    (BALL + "[simulate]\nevents = [3]\n", r"simulate.events\[0\] = 3 must be a text"),
    (BALL + "[surface]\nkind = 'plan'\n", r"surface.kind: 'plan'. Did you mean 'plane'"),
    (BALL + "[surface]\ntild = 3\n", r"surface.tild = 3. Did you mean 'tilt'"),
    (BALL + "[surface]\ntilt = '100deg'\n", r"tilt = .* between 0 and 90 degrees"),
    (BALL + "[contact]\nhow = 'rolling'\n", r"contact.how: 'rolling'"),
    (BALL + "[contact]\nhow = 'marble'\nrestitution = 0.3\n", r"contact.restitution = 0.3"),
    (BALL + "[contact]\nhow = 'sliding'\n", r"contact.law is missing"),
    (BALL + "[contact]\nhow = 'sliding'\nlaw = {kind = 'coulomb', mu = -0.3}\n", r"contact.law: mu = -0.3 is negative"),
    (
        BALL + "[contact]\nhow = 'sliding'\nrestitution = 2\nlaw = {kind = 'viscous', c = 1}\n",
        r"contact.restitution = 2 must not be above 1",
    ),
    (
        BALL + "[contact]\nhow = 'sliding'\nfeet = [[1, 2]]\nlaw = {kind = 'viscous', c = 1}\n",
        r"contact.feet = .* must be n x 3 or n x 4",
    ),
    (BALL + "[contact]\nhow = 'sliding'\nlaw = {kind = 'coulomb', mu = 0.3, eps = 1}\n", r"contact.law.eps = 1"),
    ("gravity = -9.81\n" + BALL, r"gravity = -9.81 must be zero or above"),
    ("gravity = '9.81 m/s'\n" + BALL, r"gravity = '9.81 m/s': it is measured in m/s\^2"),
    (
        BALL.replace('kind = "sphere"\nradius = "3cm"', 'kind = "box"\nx = 1\ny = 1\nz = 1'),
        r"does not roll; take how = \"sliding\"",
    ),
    (
        BALL.replace('kind = "sphere"\nradius = "3cm"', 'kind = "mesh"\nfile = "none.stl"'),
        r"shape.file = 'none.stl': there is no file",
    ),
    (
        BALL.replace('inertia = "solid"', 'parts = [{kind = "solid_sphere", radius = "1cm"}]'),
        r"mass.parts\[0\] needs either mass or density",
    ),
    (
        BALL.replace('inertia = "solid"', 'parts = [{kind = "hollow_sphere", radius = "1cm", inner = "2cm", density = 3}]'),
        r"mass.parts\[0\]: inner = .* must be less than radius",
    ),
    (
        BALL.replace('inertia = "solid"', 'parts = [{kind = "point", mass = 1}, {kind = "point", mass = 2, subtract = true}]'),
        r"mass.parts: what is subtracted weighs more",
    ),
    ("shape = 3\n", r"shape"),
    ("[shape\n", r"not a TOML file"),
    (BALL.split("[mass]")[0], r"mass is missing; give it, e.g. a table \[mass\]"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_refused_with_path_value_and_way_out(text, words, tmp_path):
    with pytest.raises(InputError, match=words) as refusal:
        read(tmp_path, text)
    assert "body.toml" in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BALL.replace('"3cm"', "1" * 400), "shape.radius is a number too large to compute with"),
        (BALL.replace('"3cm"', "1" * 6000), "is not a TOML file"),
        (BALL + "\n[simulate]\nmax_step = " + "1" * 400, "simulate.max_step is a number too large"),
        (BALL + "\n[start]\nx = " + "[" * 3000 + "]" * 3000, "lie within each other too deeply"),
        (BALL + "\n[start]\nx = " + "[" * 200 + "]" * 200, "start.x = "),
        ("a." * 3000 + "a = 1\n" + BALL, "lie within each other too deeply"),
    ],
    ids=["400 digits", "6000 digits", "an option", "3000 lists", "200 lists", "3000 tables"],
)
def test_monstrous_values_are_refused_in_words(text, words, tmp_path):
    with pytest.raises(InputError, match=words):
        read(tmp_path, text)


def test_a_change_inside_a_list_says_how_its_entries_are_named(tmp_path):
    file = written(
        tmp_path, BALL + '[contact]\nhow = "sliding"\nlaw = {kind = "coulomb", mu = 0.3}\n[[surface]]\nkind = "plane"\n'
    )
    with pytest.raises(InputError, match=r"surface.tilt: surface is a list with one entry.*: surface.0.tilt\.$"):
        read_body(file, {"surface.tilt": "0deg"})
    with pytest.raises(InputError, match=r"surface.1.tilt: surface is a list with one entry.*: surface.0.tilt\.$"):
        read_body(file, {"surface.1.tilt": "0deg"})
    assert read_body(file, {"surface.0.tilt": "2deg"}).system.gravity[0] != 0.0


def test_fields_are_replaced_by_path(tmp_path):
    path = BODIES / "block.toml"
    changed = read_body(path, {"contact.law.mu": 0.9, "mass.parts.1.radius": "5mm", "mass.mass": "1kg"})
    assert changed.system.law.sliding.mu == 0.9
    assert changed.body.mass == 1.0
    assert abs(changed.body.centre[2]) < abs(read_body(path).body.centre[2])
    for name, words in (
        ("contakt.law.mu", "no contakt"),
        ("mass.parts.7.radius", "a number from 0 to 1 stands in between: mass.parts.0.radius"),
        ("shape.q", "shape.q = 1"),
    ):
        with pytest.raises(InputError, match=words):
            read_body(path, {name: 1})


def test_mass_properties_of_a_file_are_those_of_its_body():
    body = Body.from_file(BODIES / "celt.toml")
    moments, axes = MassProperties(body.mass, np.array(body.centre), np.array(body.inertia)).principal()
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert moments.sum() == pytest.approx(3.5e-3)


def test_the_documentation_shows_a_file_that_is_read(tmp_path):
    text = (BODIES.parents[1] / "docs" / "body_file.md").read_text(encoding="utf-8")
    example = text.split("```toml")[1].split("```")[0]
    shown, kept = read(tmp_path, example), read_body(BODIES / "celt.toml")
    assert shown.body == kept.body
    assert shown.start == kept.start
    for name in (*PARTS, *law_kinds(traction), "sphere", "revolution", "max_step", "wall_limit"):
        assert f"`{name}`" in text, name
