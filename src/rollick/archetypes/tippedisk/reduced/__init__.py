"""The tippedisk reduced and understood: Models 1.2 to 1.4, the slow manifold, the system without dimensions, and what follows from them."""

from . import fallen
from .at_energy import TippediskAtEnergy
from .chart import StabilityChart, closed_chart, closed_regions, computed_chart
from .constrained import TippediskConstrained, constrained
from .slipping import TippediskSlipping
from .slow import TippediskSlow, TippediskSlowNormalised
from .spinning import TippediskNormalised, TippediskReduced

__all__ = [
    "StabilityChart",
    "TippediskAtEnergy",
    "TippediskConstrained",
    "TippediskNormalised",
    "TippediskReduced",
    "TippediskSlipping",
    "TippediskSlow",
    "TippediskSlowNormalised",
    "closed_chart",
    "closed_regions",
    "computed_chart",
    "constrained",
    "fallen",
]
