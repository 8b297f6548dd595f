"""S. Sailer, Nonlinear Dynamics of the Tippedisk (2023): the full models of chapter 3; stability, reduction and cycles of chapters 4 to 6."""

from ..study import Study
from . import figures, figures_chart, figures_linear, figures_slow, reduced_errata, reduced_targets, targets, wished

_FIRST = ("T1", "T2")
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
    {**figures.FIGURES, **figures_linear.FIGURES, **figures_slow.FIGURES, **figures_chart.FIGURES},
)
