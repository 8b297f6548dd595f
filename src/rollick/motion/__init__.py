"""How time passes: integrators, events, dense output, and the motions they make."""
