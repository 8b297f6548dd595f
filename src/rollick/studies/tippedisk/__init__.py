"""S. Sailer, Nonlinear Dynamics of the Tippedisk (2023): the full models of chapter 3; stability, reduction and cycles of chapters 4 to 6."""

from ..study import Study
from . import (
    figures,
    figures_beyond,
    figures_chart,
    figures_linear,
    figures_slow,
    reduced_errata,
    reduced_targets,
    targets,
    wished,
)

_FIRST = ("T1", "T2")
SHOWS = {
    "fig3_6": ("T27",),
    "fig3_7": ("T31",),
    "fig3_8": ("T26", "T28", "T29", "TS"),
    "fig3_10": ("T24", "T25", "T30"),
    "fig3_11": ("T31",),
    "fig4_1": ("T3", "T4"),
    "fig4_2": ("T3", "T9"),
    "fig4_3": ("T26",),
    "fig4_4": ("T25",),
    "fig4_5": ("T5", "T9", "T10", "T11"),
    "fig4_6": ("T6", "T7", "T8"),
    "fig4_7": ("T7", "T18"),
    "fig5_2": ("T12",),
    "fig5_3": ("T12",),
    "fig5_5": ("T14",),
    "fig5_6": ("T14",),
    "fig5_7": ("T13", "T14"),
    "fig5_8": ("T3", "T12", "T13", "T14"),
    "fig5_10": ("T15", "T16", "T17"),
    "figB_1": ("T12",),
    "figB_2": ("T14",),
    "fig6_1": ("T19",),
    "fig6_2": ("T19",),
    "fig6_3": ("T19", "TN"),
    "fig6_4": ("T20", "T21", "T22", "T23"),
    "energy": ("TW1",),
    "manifold": ("TW2",),
    "friction": ("TW3", "TW4"),
    "toys": ("TW5",),
}
STUDY = Study(
    "tippedisk",
    "S. Sailer, Nonlinear Dynamics of the Tippedisk (2023): full models, reduction, cycles and the stability chart",
    {
        **{id: targets.TARGETS[id] for id in _FIRST},
        **reduced_targets.TARGETS,
        **reduced_errata.TARGETS,
        **wished.TARGETS,
        **{id: rows for id, rows in targets.TARGETS.items() if id not in _FIRST},
    },
    {**figures.FIGURES, **figures_linear.FIGURES, **figures_slow.FIGURES, **figures_chart.FIGURES, **figures_beyond.FIGURES},
    shows=SHOWS,
)
