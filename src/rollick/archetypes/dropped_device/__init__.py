"""A dropped device: a rod with a light oscillator, the shock on a component (thesis chapter 5).

from rollick.archetypes.dropped_device import device, drop

result = drop(device(rho=1/3, gamma=1/3, r=0.0, alpha=1.0, d=10.0), phi0="45deg", h0=10.0)
print(result)          # R, how many of its digits are certain, impacts, checks
"""

from .convergence import Convergence
from .device import Device, Scales, chatter_boundary, device, physical_device, with_frequency
from .drop import drop
from .maps import chatter_region, finished, shock_map
from .result import Drop
from .settings import settings

__all__ = [
    "Convergence",
    "Device",
    "Drop",
    "Scales",
    "chatter_boundary",
    "chatter_region",
    "device",
    "drop",
    "finished",
    "physical_device",
    "settings",
    "shock_map",
    "with_frequency",
]
