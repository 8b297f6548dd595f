"""`rollick analyse MODEL steady | continue | cycles`: what to ask of a model besides its motion. One file for each question."""

from . import branches, cycles, steady  # each adds its command
from .app import analyse_app

__all__ = ["analyse_app", "branches", "cycles", "steady"]
