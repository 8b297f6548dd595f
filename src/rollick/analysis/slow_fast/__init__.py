"""Slow and fast: critical manifolds, their stability and folds, slow manifolds to any order, the flow on them."""

from .compiled_split import SystemSplit as SystemSplit
from .critical import CriticalManifold as CriticalManifold
from .critical import critical_curve as critical_curve
from .critical import critical_sheets as critical_sheets
from .invariant import GridManifold as GridManifold
from .manifold import SlowManifold as SlowManifold
from .manifold import slow_manifold as slow_manifold
from .split import SlowFast as SlowFast
from .tabulated import TabulatedFlow as TabulatedFlow
