"""Complete and incomplete chatter of bodies without gravity: spectra, words, cones, verdicts."""

from .classify import Verdict, classify, classify_plate
from .cone import effective_cone
from .pair import pair_limit, partial_limit
from .simulated import outcomes, simulated_limit
from .spectrum import hub_limit, regular_limit, rho_max
from .words import best_word, word_limit

__all__ = [
    "Verdict",
    "best_word",
    "classify",
    "classify_plate",
    "effective_cone",
    "hub_limit",
    "outcomes",
    "pair_limit",
    "partial_limit",
    "regular_limit",
    "rho_max",
    "simulated_limit",
    "word_limit",
]
