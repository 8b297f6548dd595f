"""A body on a plane with friction: it may slip, stick, spin, bounce and fall flat."""

from . import summary as words  # register themselves for the system below
from . import terms  # register themselves for the system below
from .equations import Sliding, lasting_contact
from .feet import Feet, Lowest, Tripod
from .start import sliding

__all__ = ["Feet", "Lowest", "Sliding", "Tripod", "lasting_contact", "sliding", "terms", "words"]
