"""Where a body can rest on a level plane, and whether it stays there."""

from .find import Resting, rest_positions, rest_report

__all__ = ["Resting", "rest_positions", "rest_report"]
