"""The tippedisk reduced and understood: Models 1.2 to 1.4, the slow manifold, the system without dimensions, and what follows from them."""

from . import fallen
from .chart import StabilityChart, closed_chart, closed_regions, computed_chart
from .constrained import TippediskConstrained, constrained
from .slow import TippediskSlow, TippediskSlowNormalised
from .spinning import TippediskNormalised, TippediskReduced

__all__ = [
    "StabilityChart",
    "TippediskConstrained",
    "TippediskNormalised",
    "TippediskReduced",
    "TippediskSlow",
    "TippediskSlowNormalised",
    "closed_chart",
    "closed_regions",
    "computed_chart",
    "constrained",
    "fallen",
]
