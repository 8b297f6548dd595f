"""The methods by which motions are computed, each an object with its options. Each is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from ..ode.tableau import Tableau as Tableau
    from .event_driven import EventDriven as EventDriven
    from .method import Method as Method
    from .method import has_dry_friction as has_dry_friction
    from .method import method_of as method_of
    from .method import refuse as refuse
    from .method import register as register
    from .runge_kutta import EmbeddedRungeKutta as EmbeddedRungeKutta
    from .runge_kutta import RungeKutta as RungeKutta
    from .smooth import DOP853 as DOP853
    from .smooth import Auto as Auto
    from .smooth import Radau as Radau
    from .stepping import Midpoint as Midpoint
    from .stepping import Moreau as Moreau
    from .stepping import Thesis as Thesis
    from .table import METHODS as METHODS

lazily(__name__)
