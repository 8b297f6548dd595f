"""The table of docs/simulate.md, what each method honours, is that of the code; and what is refused is refused by the sentence it has."""

import dataclasses
from pathlib import Path

import pytest

from rollick import Body, Coulomb, InputError, Rattleback, Sphere, simulate, sliding
from rollick.analysis.lyapunov import largest_exponent
from rollick.mechanics.laws import DryContour, DryPivoting, Each, Regularised, Viscous, contensou, each, friction
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import Plane, wall
from rollick.motion.methods import METHODS, has_dry_friction
from rollick.motion.methods.method import ASKED

PAGE = Path(__file__).parents[2] / "docs" / "simulate.md"
ROOMS = {
    f"rollick.motion.methods.{room}": k for k, room in enumerate(("smooth", "stepping", "event_driven"))
}  # in the order of the page


def table():
    """What each method honours, as the page has it: a method refuses what it names in `refuses`, and honours the rest."""
    own = sorted(METHODS.items(), key=lambda item: (ROOMS.get(item[1].__module__, 9), list(METHODS).index(item[0])))
    lines = [f"| method | {' | '.join(ASKED)} | options |", "|---" * (len(ASKED) + 2) + "|"]
    for name, cls in own:
        honoured = ["refused" if asked in cls.refuses else "yes" for asked in ASKED]
        options = ", ".join(f"`{field.name}`" for field in dataclasses.fields(cls))
        lines.append(f"| `{name}` | {' | '.join(honoured)} | {options} |")
    return "\n".join(lines)


def test_the_page_has_the_table():
    assert table() in PAGE.read_text(encoding="utf-8"), f"docs/simulate.md should have\n{table()}"


def test_what_can_be_refused_has_a_name():
    for name, cls in METHODS.items():
        assert set(cls.refuses) <= set(ASKED), name


ASKING = {
    "at": {"at": [0.05]},
    "dense": {"dense": True},
    "events": {"events": ["x"]},
    "variational": {"variational": True},
    "integrals": {"integrals": True},
    "backward": {"since": 1.0},
    "verify": {"verify": True},
    "dry friction": {},  # the ball has it
}


@pytest.mark.parametrize(("name", "asked"), [(name, asked) for name, cls in METHODS.items() for asked in cls.refuses])
def test_what_a_method_refuses_is_refused_by_its_sentence(name, asked):
    ball = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), law=Coulomb(0.3))
    with pytest.raises(InputError) as caught:
        simulate(ball, {"vx": 1.0}, until=0.1, method=name, **ASKING[asked])
    assert f"{asked} cannot be had with method = {name!r}" in str(caught.value)
    assert METHODS[name].refuses[asked] in str(caught.value)


PIVOTING, CONTOUR = DryPivoting(0.1, 0.01), DryContour(0.1)
DRY = [Coulomb(0.3), friction(Viscous(0.1), PIVOTING), friction(Viscous(0.1), contour=CONTOUR), each(Coulomb(0.3), Viscous(0.1))]
SMOOTH = [Coulomb(0.0), Regularised(0.3, 0.1), Viscous(0.1), friction(Viscous(0.1), DryPivoting(0.0, 0.01), DryContour(0.0))]
SMOOTH += [
    contensou(0.3, 1e-3),
    each(Viscous(0.1), Coulomb(0.3)),
]  # turning makes Contensou friction smooth; the second contact does not last


@pytest.mark.parametrize(("law", "dry"), [(law, True) for law in DRY] + [(law, False) for law in SMOOTH])
def test_dry_friction_is_what_jumps_at_zero_slip(law, dry):
    surfaces = [Plane(), wall((-1, 0, 0), (1.0, 0, 0))] if isinstance(law, Each) else Plane()
    ball = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), on=surfaces, law=law)
    assert has_dry_friction(ball) == dry
    assert not has_dry_friction(Rattleback())


def test_exponents_of_dry_friction_are_refused_too():
    ball = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), law=Coulomb(0.3))
    with pytest.raises(InputError, match="dry friction cannot be had with method = 'dop853'"):
        largest_exponent(ball, {"vx": 1.0}, 1.0)
