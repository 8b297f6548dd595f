"""The dying disk: Euler's disk as a polygon of contact points that rattles to rest (thesis chapter 4).

from rollick.archetypes.dying_disk import disk, rolling_down, stability, exponents

motion = rolling_down(disk(n=25, rho=0.5, gamma=0.5))    # self-similar motion with gravity
print(motion.beta_p, motion.feasible, stability(motion).growth)
print(exponents(3, 0.25, 0.2))                           # c of E ~ (t_f - t)^c from 100 random drops
"""

from .boundaries import existence_limit, gamma_min, growth_at, rho_c, rho_min, triangle_limit
from .disk import Disk, disk
from .fit import fitted, pattern_exponent
from .irregular import Exponents, exponent_map, exponents, random_starts
from .limit import gamma_min_limit, large_n
from .poincare import Stability, stability
from .rod import c_rod
from .selfsimilar import SelfSimilar, rolling_down, with_gravity, without_gravity

__all__ = [
    "Disk",
    "Exponents",
    "SelfSimilar",
    "Stability",
    "c_rod",
    "disk",
    "existence_limit",
    "exponent_map",
    "exponents",
    "fitted",
    "gamma_min",
    "gamma_min_limit",
    "growth_at",
    "large_n",
    "pattern_exponent",
    "random_starts",
    "rho_c",
    "rho_min",
    "rolling_down",
    "stability",
    "triangle_limit",
    "with_gravity",
    "without_gravity",
]
