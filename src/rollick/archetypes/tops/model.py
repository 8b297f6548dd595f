"""The tippe top and Euler's disk as models of the command line."""

from __future__ import annotations

from typing import Any

from ..models import Model, Parameter, read_parameters
from .dissipation import MECHANISMS, disk_with
from .euler_disk import PARAMETERS as DISK_PARAMETERS
from .euler_disk import EulerDisk, euler_disk, steady
from .tippe_top import LAWS, law_named, on_both, on_sphere, tippe_top
from .tippe_top import PARAMETERS as TOP_PARAMETERS

STARTS = (
    "theta, phi, psi with theta_rate, phi_rate, psi_rate; or alpha, beta, gamma, or q0..q3, with omega1..3 or spin; x, y, z or gap; "
    "vx, vy, vz, or slip_x, slip_y (default: no slip)"
)
_TOP = {
    **TOP_PARAMETERS,
    "friction": Parameter(
        "contensou", "", "contensou or dry (both contacts, time stepping), or smooth (the body sphere alone, an ODE)", LAWS
    ),
    "mu": Parameter(0.3, "", "coefficient of sliding friction", low=0.0),
    "eps": Parameter(0.01, "m/s", "slip at which smooth friction is half of dry friction", positive=True),
    "patch": Parameter(2e-4, "m", "radius of the disk of contact of Contensou friction", positive=True),
}


def _tippe_top(**given: Any) -> Any:
    v = read_parameters(_TOP, given, "the tippe top")
    made = tippe_top(**{name: v[name] for name in TOP_PARAMETERS})
    law = law_named(v["friction"], v["mu"], v["eps"], v["patch"])
    return on_sphere(made, law) if v["friction"] == "smooth" else on_both(made, law)


TIPPE_TOP = Model(
    "tippe_top",
    "a tippe top: a spinning sphere with its mass centre off its middle turns over and stands up on its stem",
    "N. Rutstam, Tippe top equations and equations for the related mechanical systems, SIGMA 8 (2012); "
    "T. Ueda, K. Sasaki, S. Watanabe, Motion of the tippe top, SIAM J. Applied Dynamical Systems 4 (2005)",
    _TOP,
    _tippe_top,
    {"theta": "5deg", "omega3": 180.0, "vx": 0.0, "vy": 0.0},
    4.0,
    (),
    "Spun at 180 rad/s with the stem up, it is on its stem after two seconds. With purely dry friction the slip soon ends, and the top does not turn over.",
    STARTS,
    "moreau",
    2e-5,
)

_DISK = {
    **DISK_PARAMETERS,
    "mechanism": Parameter("contour", "", "what takes its energy: " + ", ".join(MECHANISMS), tuple(MECHANISMS)),
    "strength": Parameter(5e-4, "", "of the mechanism: " + "; ".join(about for _, about in MECHANISMS.values())),
    "mu": Parameter(0.4, "", "coefficient of sliding friction (not for drag, which is without slip)"),
}


def _euler_disk(**given: Any) -> Any:
    v = read_parameters(_DISK, given, "Euler's disk")
    made = euler_disk(**{name: v[name] for name in DISK_PARAMETERS})
    return disk_with(made, v["mechanism"], v["strength"], v["mu"])


EULER_DISK = Model(
    "euler_disk",
    "Euler's disk: a heavy disk rolls on its edge, ever faster, until it lies flat",
    "H. K. Moffatt, Euler's disk and its finite-time singularity, Nature 404 (2000); "
    "R. I. Leine, Energy dissipation of a rolling disk during its final stage of motion, Archive of Applied Mechanics 79 (2009)",
    _DISK,
    _euler_disk,
    dict(steady(EulerDisk(), 0.1).start()),
    2.5,
    (),
    "The default start is steady rolling at 0.1 rad; contour friction ends it after two seconds.",
    STARTS,
    "midpoint",
    2e-5,
)
