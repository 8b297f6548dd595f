"""Filippov systems mapped, traced and drawn."""

from .compatibility import Compatibility, compatibility
from .curves import Curve, trace
from .line import Stretch, kinds_along, line_picture
from .pictures import map_picture, portrait, rose, switching_portrait
from .plane import Plane
from .pseudo_equilibria import PseudoEquilibrium, pseudo_equilibria
from .regions import RegionMap, boundary_by_bisection, kind_at, region_map
from .tangencies import TangencyCurve, tangency_curve, tangency_points

__all__ = [
    "Compatibility",
    "Curve",
    "Plane",
    "PseudoEquilibrium",
    "RegionMap",
    "Stretch",
    "TangencyCurve",
    "boundary_by_bisection",
    "compatibility",
    "kind_at",
    "kinds_along",
    "line_picture",
    "map_picture",
    "portrait",
    "pseudo_equilibria",
    "region_map",
    "rose",
    "switching_portrait",
    "tangency_curve",
    "tangency_points",
    "trace",
]
