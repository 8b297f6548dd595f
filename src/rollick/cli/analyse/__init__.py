"""`rollick analyse MODEL steady | continue | sensitivity | basin | chart`: what to ask of a model besides its motion. One file for each question."""

from . import basin, branches, chart, sensitivity, steady  # each adds its command
from .app import analyse_app

__all__ = ["analyse_app", "basin", "branches", "chart", "sensitivity", "steady"]
