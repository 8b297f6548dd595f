"""A body with friction on a plane or among surfaces: it may slip, stick, spin, bounce and fall flat."""

from . import summary as words  # register themselves for the system below
from . import terms, touching_start  # register themselves for the systems below
from .equations import Sliding, lasting_contact
from .feet import Feet, Lowest, Rims, Tripod
from .start import sliding
from .touching import Touching

__all__ = [
    "Feet",
    "Lowest",
    "Rims",
    "Sliding",
    "Touching",
    "Tripod",
    "lasting_contact",
    "sliding",
    "terms",
    "touching_start",
    "words",
]
