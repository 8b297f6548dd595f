"""`rollick analyse MODEL steady | continue | cycles | sensitivity | basin | chart`: what to ask of a model besides its motion. One file for each question."""

from . import basin, branches, chart, cycles, sensitivity, steady  # each adds its command
from .app import analyse_app

__all__ = ["analyse_app", "basin", "branches", "chart", "cycles", "sensitivity", "steady"]
