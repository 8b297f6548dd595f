"""A method that is not made for a system says why, by a condition that is not met, and names the methods that do take it."""

import re

import pytest
from systems import Pendulum, Slab

from rollick import Body, InputError, Rim, Sphere, simulate
from rollick.archetypes.models import model, model_names
from rollick.mechanics.laws import Coulomb, DryContour, contensou, friction
from rollick.mechanics.sliding import Lowest, sliding
from rollick.motion.methods import METHODS, EventDriven
from rollick.motion.methods.method import DRY_FRICTION, has_dry_friction, takers

BALL = Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Sphere(0.1))
DISK = Body.from_inertia(1.0, (1e-3, 1e-3, 2e-3), Rim(0.1))
STEPPING = "take 'auto', 'moreau', 'midpoint', 'thesis' or 'event-driven'"


@pytest.mark.parametrize(
    ("system", "method", "words"),
    [
        (
            Pendulum(),
            "event-driven",
            "bodies that slide, and systems that register M, h, W and gap, or the form of one or two dry contacts; Pendulum registers a rate, and no contacts; take 'auto', 'dop853' or 'radau'.",
        ),
        (Slab(), "dop853", f"no step is small enough there; {STEPPING}, or a smooth law such as Regularised(mu, eps)."),
        (
            sliding(BALL, law=friction(Coulomb(0.3), contour=DryContour(0.1))),
            "event-driven",
            "the law of contact 0 has DryContour, which holds",
        ),
        (sliding(BALL, law=friction(contensou(0.3, 1e-3))), "event-driven", "the law of contact 0 has Contensou, which holds"),
    ],
    ids=["no contacts", "own, ODE", "contour", "contensou"],
)
def test_the_reason_is_the_real_one(system, method, words):
    with pytest.raises(InputError, match=re.escape(words)):
        simulate(system, {}, 0.1, method=method)


def test_bodies_by_their_own_equations_and_rims_suit_the_event_driven_method():
    assert EventDriven().unsuited(Slab()) == EventDriven().unsuited(sliding(DISK, law=Coulomb(0.3))) == ""
    assert EventDriven().unsuited(sliding(DISK, law=Coulomb(0.3), feet=Lowest())) == ""


@pytest.mark.parametrize("name", [name for name in model_names() if model(name).run is None])
def test_methods_that_are_named_do_take_the_system(name):
    system = model(name).make()
    named = re.findall(r"'([\w-]+)'", takers(system))
    assert named[0] == "auto"
    for method, cls in METHODS.items():
        refused = bool(cls().unsuited(system)) or (has_dry_friction(system) and DRY_FRICTION in cls.refuses)
        assert (method in named) == (not refused)
        if refused:
            with pytest.raises(InputError) as said:
                simulate(system, dict(model(name).start), 1e-3, method=method)
            assert f"take {takers(system)}" in str(said.value)
