"""Curves over time, by their old address: figures, symbols and files of pictures live in `rollick.plotting`."""

from __future__ import annotations

from ..plotting.figure import figure
from ..plotting.save import save
from ..plotting.series import ROUNDING, plot_motion
from ..plotting.smooth import curve_times as smooth_times
from ..plotting.symbols import in_degrees

__all__ = ["ROUNDING", "figure", "in_degrees", "plot_motion", "save", "smooth_times"]
