"""No model takes a parameter that cannot be: negative sizes, NaN, infinity, or numbers beyond reason."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from rollick import Body, Ellipsoid, InputError, Sphere, Sum, rolling, simulate, support
from rollick.archetypes.dropped_device.solid import box, component
from rollick.archetypes.models import models
from rollick.cli.output import spoken
from rollick.kernel.scalar import sqrt
from rollick.mechanics.body import distance_outside

MODELS = models()
NUMBERS = [
    (m, p) for m, entry in MODELS.items() for p, parameter in entry.parameters.items() if not isinstance(parameter.default, str)
]
SIGNED = {("drop", "r"), ("philae", "xy"), ("philae", "xz"), ("philae", "yz"), ("rattleback", "h"), ("rattleback", "D")}
SIGNED |= {("pool_ball", "flow_y"), ("pool_ball", "flow_z"), ("filippov_toy", "sign")}
SIGNED |= {("wheelset_rolling", name) for name in ("R_w", "R1_w", "R1_r", "R2_w", "R2_r")}
SIGNED |= {("flowmeter", "swirl"), ("flowmeter", "step"), ("flowmeter", "step_at"), ("wheelset", "track_amplitude")}
SIGNED |= {("tippedisk_reduced", "Omega")}  # a spin may be either way round
SIGNED |= {("ball_in_corner", "tilt"), ("ball_in_corner", "slope"), ("ball_in_corner", "wind")}


@pytest.mark.filterwarnings("ignore:.* is taken as radians")  # 1e300 of them are many turns
@pytest.mark.parametrize(("name", "parameter"), NUMBERS)
def test_parameters_that_cannot_be_are_refused(name, parameter):
    impossible = [math.nan, math.inf, -math.inf, "1e300", "-1e300", "1e-300"]
    impossible += [] if (name, parameter) in SIGNED or parameter == "heading" else [-1.0]
    for value in impossible:
        with pytest.raises(InputError, match=parameter):
            MODELS[name].make(**{parameter: value})


@pytest.mark.parametrize(
    ("parameter", "value"), [("mu", -1), ("eps", -0.1), ("mu_tau", -1), ("mu_R", -1), ("g", -9.81), ("radius", -1), ("e_N", 1.5)]
)
def test_tippedisk_physics_is_checked(parameter, value):
    with pytest.raises(InputError, match=parameter):
        MODELS["tippedisk"].make(**{parameter: value})


def test_friction_without_smoothing_is_another_law():
    with pytest.raises(InputError, match="law=coulomb"):
        MODELS["tippedisk"].make(eps=0)


class Dented(NamedTuple):
    """A support map that folds back: a sphere with too strong a ripple."""

    radius: float
    ripple: float


@support.register(Dented)
def _(shape, n):
    # h = radius + ripple (n3^3 - ...) homogeneous of degree 1: p = grad h
    s = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    z = n[2] / s
    r, k = shape.radius, shape.ripple
    common = r / s - 3.0 * k * z * z * z * z / s
    return common * n[0], common * n[1], common * n[2] + 4.0 * k * z * z * z


def test_a_shape_that_folds_back_does_not_roll():
    with pytest.raises(InputError, match="least radius of curvature is -0"):
        Body.from_inertia(1.0, (1e-3, 1e-3, 1e-3), Dented(0.1, 0.05))
    with pytest.raises(InputError, match="not convex"):  # however it was made
        simulate(
            rolling(Body(1.0, ((1e-3, 0, 0), (0, 1e-3, 0), (0, 0, 1e-3)), (0.0, 0.0, 0.0), Dented(0.1, 0.05))),
            {"alpha": 0.1},
            1.0,
        )
    Body.from_inertia(1.0, (1e-3, 1e-3, 1e-3), Dented(0.1, 0.005))
    Body.from_inertia(1.0, (1e-3, 1e-3, 1e-3), Sum(Dented(0.1, 0.05), Sphere(0.5)))


def test_bodies_made_by_hand_are_checked_before_a_simulation():
    good = Body.from_inertia(1.0, (1e-3, 1e-3, 1e-3), Sphere(0.1))
    for change, words in (
        ({"mass": -1.0}, "mass"),
        ({"centre": (math.nan, 0.0, 0.0)}, "mass centre"),
        ({"shape": Sphere(-1.0)}, "radius"),
    ):
        with pytest.raises(InputError, match=words):
            simulate(rolling(good._replace(**change)), {"alpha": 0.1}, 1.0)
    with pytest.raises(InputError, match="sigma"):
        simulate(rolling(good)._replace(sigma=-1.0), {"alpha": 0.1}, 1.0)


def test_the_distance_of_a_mass_centre_outside_is_the_true_one():
    for centre, distance in (((5.0, 0.0, 0.0), 4.85), ((0.0, 0.0, -1.0), 0.95), ((3.0, 4.0, 0.0), None)):
        body = Body(1.0, ((1e-3, 0, 0), (0, 1e-3, 0), (0, 0, 1e-3)), centre, Ellipsoid(0.15, 0.15, 0.05))
        true = 4.85 if distance is None else distance
        assert distance_outside(body) == pytest.approx(true, rel=1e-3)
        with pytest.raises(InputError, match=f"{true:.3g} m from it"):
            Body.from_inertia(1.0, (1e-3, 1e-3, 1e-3), body.shape, centre)
    assert distance_outside(body._replace(centre=(0.05, 0.0, 0.0))) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("python", "command"),
    [
        ("or pass allow_unstable=True to study it", "or pass --allow-unstable to study it"),
        ("Raise max_steps, loosen rtol, or try method='radau' if", "Raise --max-steps, loosen --rtol, or try --method radau if"),
        ("after max_steps = 50 steps", "after --max-steps 50 steps"),
        ("give the final time, e.g. until=20.0.", "give the final time, e.g. --until 20.0."),
        ("go on with simulate(system, motion, until=...).", "go on with simulate(system, motion, until=...)."),
        ("is here. Go on with simulate(system, motion, until=...).", "is here."),
        ("= 3 s. Raise it, or go on with simulate(system, motion, until=...); what was", "= 3 s. Raise it; what was"),
        ("rtol = 5.0 must lie between 0 and 0.1; 1e-6 is coarse", "--rtol 5.0 must lie between 0 and 0.1; 1e-6 is coarse"),
        ("the state alpha = 3", "the state alpha = 3"),
        ("take a smaller dt, or look", "take a smaller --dt, or look"),
        (
            "body.toml: contact.restitution = 1.5 must not be above 1.",
            "body.toml: contact.restitution = 1.5 must not be above 1.",
        ),
        ("--until = 'nan' is not finite", "--until = 'nan' is not finite"),
        ("Name one, columns={'t': ...}, or frame numbers with fps=...", "Name one, --column t=..., or frame numbers with --fps"),
        ("say units={'angle': 'deg'} or name them", "say --unit angle=deg or name them"),
        ("given (markers={...}); name them", "given (--marker NAME=...); name them"),
        ("of 12 frames; take use='attitude'.", "of 12 frames; take --use attitude."),
        ("in metres: rail_at=...", "in metres: --set rail_at=..."),
        ("lower bound. Raise max_impacts, give until, or", "lower bound. Raise --max-impacts, give --until, or"),
        ("'midpoint', or a smooth law such as Regularised(mu, eps).", "'midpoint', or a smooth law."),
    ],
)
def test_the_command_line_speaks_of_options(python, command):
    assert spoken(python) == command


def test_random_moments_that_are_too_large_are_refused():
    for scale in (1e31, 1e200):
        with pytest.raises(InputError, match="beyond reason"):
            Body.from_inertia(1.0, scale * np.ones(3), Sphere(0.1))


def test_a_component_outside_its_body_is_refused():
    made = box(0.15, 0.07, 0.01)
    with pytest.raises(InputError, match=r"lies 5 m outside the body"):
        component(made, (5.075, 0.0, 0.0), (0, 0, 1))
    component(made, (0.075, 0.035, 0.005), (0, 0, 1))  # a corner is still the body
