"""Rolling bodies as models of the command line: each as rubber or marble, each in full; rubber bodies of revolution also reduced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...mechanics.body import Body
from ...mechanics.mass.primitives import solid_ellipsoid
from ...mechanics.rolling import rolling
from ...mechanics.shapes.convex import Ellipsoid
from ...mechanics.shapes.revolution import from_support
from ...mechanics.surfaces.plane import Plane
from ..models import Model, Parameter, read_parameters
from . import bodies
from .body import RubberBody

SOURCE = "J. Koiller, Conformally symplectic Chaplygin reduction in rubber rolling of surfaces of revolution over the plane"
COMMON = {
    "m": Parameter(1.0, "kg", "mass"),
    "how": Parameter("rubber", "", "rubber (no slip, no twist) or marble (no slip)", ("rubber", "marble")),
    "form": Parameter(
        "full", "", "full (quaternion, contact forces) or reduced (one degree of freedom; rubber only)", ("full", "reduced")
    ),
    "sigma": Parameter(0.0, "N m s", "coefficient of the damping couple -sigma omega"),
    "g": Parameter(9.81, "m/s^2", "gravity"),
    "tilt": Parameter(0.0, "rad", "inclination of the plane (full form only)"),
    "heading": Parameter(0.0, "rad", "direction in which the plane falls, from x towards y"),
}
FILL = Parameter("solid", "", "solid, or hollow: all mass on the surface", bodies.FILLS)
STARTS = (
    "theta, phi, psi with theta_rate, phi_rate, psi_rate; or (full form) alpha, beta, gamma, or q0..q3, with omega1..3 or spin; "
    "x, y of the contact point; the reduced form understands theta, phi, psi, theta_rate (or p), psi_rate (or ell), x, y"
)


def in_form(v: Mapping[str, Any], reduced: RubberBody | None, body: Body) -> Any:
    """The system that the common parameters ask for."""
    if v["form"] == "full":
        return rolling(body, Plane(v["tilt"], v["heading"]), v["how"], v["sigma"], v["g"])
    if v["how"] != "rubber" or v["tilt"] != 0.0 or reduced is None:
        what = (
            "marble"
            if v["how"] != "rubber"
            else ("a tilted plane" if reduced is not None else "a body that is not of revolution")
        )
        raise InputError(f"there is no reduced form for {what}; take form=full.")
    return reduced


def revolving(
    name: str, parameters: Mapping[str, Parameter], make: Callable[[Mapping[str, Any]], RubberBody]
) -> Callable[..., Any]:
    """The maker of a model of revolution."""

    def maker(**given: Any) -> Any:
        v = read_parameters(parameters, given, f"the {name}")
        reduced = make(v)
        inertia = (reduced.I1, reduced.I1, reduced.I3)
        return in_form(v, reduced, Body.from_inertia(reduced.m, inertia, reduced.shape, (0.0, 0.0, reduced.s)))

    return maker


def _model(
    name: str,
    title: str,
    own: dict[str, Parameter],
    make: Callable[[Mapping[str, Any]], RubberBody],
    start: dict[str, str | float],
    until: float,
    about: str = "",
) -> Model:
    parameters = {**own, **COMMON}
    return Model(name, title, SOURCE, parameters, revolving(name, parameters, make), start, until, (), about, STARTS)


def _common(v: Mapping[str, Any]) -> dict[str, Any]:
    return {"m": v["m"], "g": v["g"], "sigma": v["sigma"]}


TORUS = _model(
    "torus",
    "a torus rolling on its outer half, without slip and twist",
    {"R": Parameter(0.1, "m", "radius of its circle"), "r": Parameter(0.025, "m", "radius of its tube"), "fill": FILL},
    lambda v: bodies.torus(v["R"], v["r"], fill=v["fill"], **_common(v)),
    {"theta": "60deg", "psi_rate": 8.0},
    5.0,
    "The default start is an inclined rolling with nutation; steady rolling needs sin(theta)^3 = l^2/(m g R).",
)
DISK = _model(
    "rolling_disk",
    "a thin uniform disk rolling on its edge, without slip and twist",
    {"R": Parameter(0.1, "m", "radius", positive=True)},
    lambda v: bodies.disk(v["R"], **_common(v)),
    {"theta": "60deg", "psi_rate": 10.0},
    5.0,
)
HOOP = _model(
    "hoop",
    "a thin hoop rolling on its edge, without slip and twist",
    {"R": Parameter(0.1, "m", "radius", positive=True)},
    lambda v: bodies.hoop(v["R"], **_common(v)),
    {"theta": "60deg", "psi_rate": 8.0},
    5.0,
)
ROUTH_SPHERE = _model(
    "routh_sphere",
    "a sphere with its mass centre off its middle, rolling without slip and twist",
    {
        "R": Parameter(0.1, "m", "radius", positive=True),
        "s": Parameter(0.02, "m", "mass centre along e3, from the middle; its absolute value below R"),
        "fill": FILL,
    },
    lambda v: bodies.routh_sphere(v["R"], v["s"], fill=v["fill"], **_common(v)),
    {"theta": "120deg", "psi_rate": 5.0},
    5.0,
)


def _egg(theta: np.ndarray) -> np.ndarray:
    """The support function of an egg: an ellipsoid of revolution, blunter below."""
    return 0.03 * np.sqrt(np.sin(theta) ** 2 + (1.25 * np.cos(theta)) ** 2) + 0.002 * np.cos(theta) ** 3


def _profile(v: Mapping[str, Any]) -> RubberBody:
    shape = bodies.read_profile(v["points"]) if v["points"] else from_support(_egg)
    return bodies.profile_body(shape, **_common(v))


PROFILE = _model(
    "profile",
    "a homogeneous solid of revolution of any convex profile, rolling without slip and twist",
    {
        "points": Parameter(
            "", "", "text file of two columns, radius and height in m, from the lowest point to the highest; empty: an egg"
        )
    },
    _profile,
    {"theta": "70deg", "psi_rate": 10.0},
    5.0,
)

_ELLIPSOID = {
    "a": Parameter(0.1, "m", "semi-axis along e1"),
    "b": Parameter(0.1, "m", "semi-axis along e2"),
    "c": Parameter(0.06, "m", "semi-axis along e3"),
    "s": Parameter(0.0, "m", "mass centre along e3, from the middle"),
    **COMMON,
}


def _ellipsoid(**given: Any) -> Any:
    v = read_parameters(_ELLIPSOID, given, "the ellipsoid")
    parts = solid_ellipsoid(v["m"], v["a"], v["b"], v["c"])
    body = Body.from_inertia(v["m"], parts.inertia, Ellipsoid(v["a"], v["b"], v["c"]), (0.0, 0.0, v["s"]))
    reduced = bodies.spheroid(v["a"], v["c"], v["s"], **_common(v)) if v["a"] == v["b"] else None
    return in_form(v, reduced, body)


ELLIPSOID = Model(
    "ellipsoid",
    "a solid ellipsoid rolling without slip and twist",
    SOURCE,
    _ELLIPSOID,
    _ellipsoid,
    {"theta": "60deg", "psi_rate": 6.0},
    5.0,
    (),
    "Of revolution if a = b, and then integrable; a triaxial one is not.",
    STARTS,
)
