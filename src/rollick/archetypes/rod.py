"""The falling rod without gravity: a symmetric rod with two ends that may hit the plane (thesis 2.4, 3.3, B.1).

Small tilt: q = (phi, h), p = (omega, v), f_0 = (1, 1), f_1 = (-1, 1), Theta = m diag(rho^2, 1), lengths in half-lengths; end 0 rises with phi
(the sign of (2.50)-(2.56); the matrix (2.47) has the other one, E2). Impacts alternate, so that with the reflection P = diag(-1, 1) all is in
the powers of U_0 P (3.9). Everything here is in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..kernel.names import InputError, choose, number, whole
from ..kernel.renamed import new_names
from ..mechanics.plate import Plate, plate
from .models import Model, Parameter, read_parameters


def rod(rho: float, mass: float = 1.0) -> Plate:
    """The rod as a plate with two contact points, half-length one. Its phi is -phi_y, its omega is -omega_y (E2)."""
    return plate([(1.0, 0.0), (-1.0, 0.0)], number(rho, "rho"), mass=mass)


def rod_start(phi: float = 0.0, h: float = 1.0, omega: float = 0.0, v: float = -1.0) -> dict[str, float]:
    """A start of the rod for `collide`, from the thesis' phi, h, omega, v."""
    return {"phi_y": -phi, "h": h, "omega_y": -omega, "v": v}


@dataclass(frozen=True)
class RodTheory:
    """The rod with radius of gyration rho (in half-lengths) and restitution gamma, in closed form."""

    rho: float
    gamma: float

    def __post_init__(self):
        if not (math.isfinite(self.rho) and 1e-6 <= self.rho <= 1e6):
            raise InputError(f"rho = {self.rho!r} must be above zero (1e-6 .. 1e6; a homogeneous rod has 0.577).")
        if not 0.0 <= self.gamma <= 1.0:
            raise InputError(f"gamma = {self.gamma!r} must lie between 0 and 1.")

    @property
    def U0P(self) -> np.ndarray:
        """U_0 P (3.12): the velocity after an impact, in the frame turned so that end 0 is hit each time."""
        k = (1.0 + self.gamma) / (1.0 + self.rho**2)
        return np.array([[k - 1.0, -k], [self.rho**2 * k, k - self.gamma]])

    @property
    def mu(self) -> float:
        """(1 - rho^2)/(1 + rho^2): minus the coupling of the ends."""
        return (1.0 - self.rho) * (1.0 + self.rho) / (1.0 + self.rho**2)

    @property
    def sigma(self) -> float:
        """The discriminant (3.15), corrected (E4), as a product: its four zeros are rho = +-(1 -+ sqrt gamma)/(1 +- sqrt gamma)."""
        s, r2 = math.sqrt(self.gamma), self.rho**2
        low, high = (1.0 - s) ** 2 - r2 * (1.0 + s) ** 2, (1.0 + s) ** 2 - r2 * (1.0 - s) ** 2
        return low * high

    @property
    def eigenvalues(self) -> tuple[complex, complex]:
        """lambda_max, lambda_min (3.13); the smaller from the product gamma, so that no digits cancel."""
        half = 0.5 * (1.0 - self.rho) * (1.0 + self.rho) * (1.0 + self.gamma)
        root = 0.5 * np.emath.sqrt(self.sigma)
        scale = 1.0 + self.rho**2
        if self.sigma < 0.0:
            return complex((half + root) / scale), complex((half - root) / scale)
        first = (half + math.copysign(float(np.real(root)), half)) / scale
        second = self.gamma / first if first != 0.0 else 0.0
        return complex(max(first, second, key=abs)), complex(min(first, second, key=abs))

    @property
    def limit(self) -> float:
        """The largest rho with complete chatter at this gamma: (1 - sqrt gamma)/(1 + sqrt gamma), (3.11)."""
        s = math.sqrt(self.gamma)
        return (1.0 - s) / (1.0 + s)

    @property
    def chatters(self) -> bool:
        """Whether complete chatter is possible (Theorem 2)."""
        return self.rho <= self.limit

    @property
    def regime(self) -> str:
        """The eigenvalues of U_0 P: "positive" (complete chatter), "complex" or "negative" (3.16), in both of which the rod always leaves."""
        s = math.sqrt(self.gamma)
        if self.chatters:
            return "positive"
        return "negative" if s < 1.0 and self.rho >= (1.0 + s) / (1.0 - s) else "complex"

    def _slopes(self) -> tuple[float, float]:
        if not self.chatters:
            raise InputError(
                f"there is no complete chatter: rho = {self.rho:g} is above (1 - sqrt gamma)/(1 + sqrt gamma) = {self.limit:g}."
            )
        middle = 0.5 * (1.0 - self.gamma) * (1.0 + self.rho**2)
        root = 0.5 * math.sqrt(max(self.sigma, 0.0))
        scale = self.rho**2 * (1.0 + self.gamma)
        steep = (middle + root) / scale
        return 1.0 / (self.rho**2 * steep), steep  # the product of both slopes is rho^-2

    @property
    def a_max(self) -> float:
        """|omega/v| of the eigenvector p_max (3.14): the motion that chatter tends to."""
        return self._slopes()[0]

    @property
    def a_min(self) -> float:
        """|omega/v| of p_min: the half-width of the cone K. Complete chatter occurs exactly for |omega| <= a_min |v|, v < 0 (Theorem 3)."""
        return self._slopes()[1]

    def in_cone(self, omega: float, v: float) -> bool:
        """Whether a start with this velocity ends in complete chatter."""
        return self.chatters and v < 0.0 and abs(omega) <= self.a_min * -v

    @property
    def beta_t(self) -> float:
        """Factor of the flights in the self-similar motion: lambda_min/lambda_max."""
        high, low = self.eigenvalues
        return float((low / high).real)

    @property
    def exponent(self) -> float:
        """c_rod = 2 ln beta_p/ln beta_t (B.10): E ~ (t_f - t)^c; infinite on the boundary, where the sequence takes infinite time."""
        self._slopes()
        if self.gamma == 0.0 or self.beta_t <= 0.0:
            return 0.0
        return 2.0 * math.log(self.eigenvalues[0].real) / math.log(self.beta_t) if self.beta_t < 1.0 else math.inf

    @property
    def outlasts_gravity(self) -> bool:
        """(B.8): under gravity the chatter becomes so fast that gravity is negligible (c < 2)."""
        third = self.gamma ** (1.0 / 3.0)
        return self.mu >= (third + third**2) / (1.0 + self.gamma)

    def self_similar(self, tau: float = 1.0) -> tuple[dict[str, float], float]:
        """A start right before an impact at end 0 on the self-similar motion with first flight `tau` after it, and its t_f (B.7).

        p_0 is the eigenvector of P U_0 for beta_p = lambda_max, s that for beta_q = lambda_min,
        q_0 = k p_0 - k (f_0.p_0)/(f_0.s) s with k = beta_p tau/(beta_q - beta_p), and t_f = tau/(1 - beta_q/beta_p).
        """
        beta_p, beta_q = (x.real for x in self.eigenvalues)
        if not self.chatters or beta_q == beta_p or beta_q <= 0.0:
            raise InputError(f"no self-similar motion with a finite end exists at rho = {self.rho:g}, gamma = {self.gamma:g}.")
        p, s = np.array([self.a_max, -1.0]), np.array([self.a_min, -1.0])  # eigenvectors of U_0 P, after an impact
        p, s = p * np.array([-1.0, 1.0]), s * np.array([-1.0, 1.0])  # and of P U_0, before it
        k = beta_p * tau / (beta_q - beta_p)
        q = k * (p - (p.sum() / s.sum()) * s)
        return rod_start(float(q[0]), float(q[1]), float(p[0]), float(p[1])), tau / (1.0 - beta_q / beta_p)


PARAMETERS = {
    "rho": Parameter(0.25, "", "radius of gyration in half-lengths (homogeneous: 0.577)"),
    "gamma": Parameter(0.2, "", "coefficient of restitution, 0 .. 1", low=0.0, high=1.0),
    "g": Parameter(0.0, "", "gravity in half-lengths/s^2; 0: none", low=0.0),
    "max_impacts": Parameter(1000.0, "", "end after so many impacts", low=1.0),
    "rule": Parameter("sequential", "", "for points that touch at once", ("sequential", "simultaneous", "stop")),
}


def make(**given):
    """The parameters of a rod that collides, checked."""
    values = read_parameters(PARAMETERS, new_names(given, {"most": "max_impacts"}), "rod")
    RodTheory(values["rho"], values["gamma"])
    values["max_impacts"] = whole(values["max_impacts"], "max_impacts", 1)
    return values


def read_start(start):
    """A start in the thesis' phi, h, omega, v as one of the plate."""
    known = {"phi": "rad", "h": "", "omega": "rad/s", "v": ""}
    given = {
        choose(n, known, "coordinate of the start of the rod"): number(x, n, known.get(n, ""))
        for n, x in dict(start or {}).items()
    }
    return rod_start(**given)


def body(values, start):
    """The rod as a body with contacts, and its start."""
    from .falling_plate import FallingPlate, begun, refuse_stop

    refuse_stop(values["rule"])
    start = read_start(start) if isinstance(start, Mapping) else begun(start)
    return FallingPlate(rod(values["rho"]), values["gamma"], values["g"]), start


def run(values, start, until=None, progress=None):
    """Collide; the start is in the thesis' phi, h, omega, v."""
    from ..motion.impacts.collide import collide

    limit = math.inf if until is None else until
    return collide(
        rod(values["rho"]),
        values["gamma"],
        read_start(start),
        g=values["g"],
        max_impacts=values["max_impacts"],
        until=limit,
        rule=values["rule"],
    )


MODEL = Model(
    name="rod",
    title="a rod that chatters on a plane: complete or incomplete chatter",
    source="thesis on collision sequences, 3.3 and B.1",
    parameters=PARAMETERS,
    make=make,
    start={"omega": 0.1, "v": -1.0, "h": 1.0},
    until=math.inf,
    about="Impacts at two ends in turn, in closed form between them. Theory: rollick.archetypes.rod.RodTheory.",
    starts="phi, h, omega, v",
    run=run,
    body=body,
)
