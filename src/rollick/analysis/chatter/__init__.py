"""Complete and incomplete chatter of bodies without gravity: spectra, words, cones, verdicts."""

from .classify import Verdict, classify, classify_plate, known_limits
from .cone import effective_cone
from .pair import pair_limit, partial_limit
from .simulated import chatter_map, outcomes, random_starts, simulated_limit, wide_starts
from .spectrum import hub_limit, regular_limit, rho_max
from .word_search import WordSearch, best_word, search_for_words
from .words import star_limits, word_limit

__all__ = [
    "Verdict",
    "WordSearch",
    "best_word",
    "chatter_map",
    "classify",
    "classify_plate",
    "effective_cone",
    "hub_limit",
    "known_limits",
    "outcomes",
    "pair_limit",
    "partial_limit",
    "random_starts",
    "regular_limit",
    "rho_max",
    "search_for_words",
    "simulated_limit",
    "star_limits",
    "wide_starts",
    "word_limit",
]
