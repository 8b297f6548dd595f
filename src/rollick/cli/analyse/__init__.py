"""`rollick analyse MODEL steady | continue`: what to ask of a model besides its motion. One file for each question."""

from . import branches, steady  # each adds its command
from .app import analyse_app

__all__ = ["analyse_app", "branches", "steady"]
