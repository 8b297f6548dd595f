"""The railway wheelset: kinematic oscillation and Coulomb friction (M. Antali, Dynamics of Dual-Point Rolling Bodies (2017), chapters 1 and 5)."""

from . import rolling_summary  # noqa: F401  (summaries of motions tell what it adds, whoever made them)
