"""Rollick: a laboratory for rigid bodies in contact.

from rollick import Rattleback, simulate
motion = simulate(Rattleback(), start=dict(alpha="0.5deg", beta="0.5deg", omega3=-5), until=20.0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lazily import lazily
from .moved import install as _know_old_names
from .version import __version__

if TYPE_CHECKING:  # the public names; each is imported when it is first used, so that `import rollick` takes no time
    from .analysis.basins import basins as basins
    from .analysis.chart import chart as chart
    from .analysis.chatter import classify as classify
    from .analysis.continuation import PseudoArclength as PseudoArclength
    from .analysis.continuation import trace_branch as trace_branch
    from .analysis.design import fit as fit
    from .analysis.design import optimise as optimise
    from .analysis.exponents import spectrum as spectrum
    from .analysis.filippov import DoubleSwitching as DoubleSwitching
    from .analysis.filippov import ExtendedSwitching as ExtendedSwitching
    from .analysis.filippov import Switching as Switching
    from .analysis.filippov import what_next as what_next
    from .analysis.lyapunov import largest_exponent as largest_exponent
    from .analysis.orbits import Collocation as Collocation
    from .analysis.orbits import HarmonicBalance as HarmonicBalance
    from .analysis.orbits import MultipleShooting as MultipleShooting
    from .analysis.orbits import Shooting as Shooting
    from .analysis.orbits import continue_orbit as continue_orbit
    from .analysis.orbits import find_orbit as find_orbit
    from .analysis.orbits import orbits_from_hopf as orbits_from_hopf
    from .analysis.section import poincare as poincare
    from .analysis.sensitivity import At as At
    from .analysis.sensitivity import AtEvent as AtEvent
    from .analysis.sensitivity import EventTime as EventTime
    from .analysis.sensitivity import Integral as Integral
    from .analysis.sensitivity import Maximum as Maximum
    from .analysis.sensitivity import Minimum as Minimum
    from .analysis.sensitivity import Reset as Reset
    from .analysis.sensitivity import impact_reset as impact_reset
    from .analysis.sensitivity import sensitivity as sensitivity
    from .analysis.slow_fast import SlowFast as SlowFast
    from .analysis.slow_fast import SystemSplit as SystemSplit
    from .analysis.slow_fast import slow_manifold as slow_manifold
    from .analysis.steady import EquilibriumProblem as EquilibriumProblem
    from .analysis.steady import continue_steady as continue_steady
    from .analysis.steady import steady_motion as steady_motion
    from .analysis.steady import steady_motions as steady_motions
    from .analysis.steady import trace_folds as trace_folds
    from .analysis.steady import trace_hopfs as trace_hopfs
    from .archetypes.models import model as model
    from .archetypes.models import models as models
    from .archetypes.rattleback import Rattleback as Rattleback
    from .archetypes.rattleback import rattleback as rattleback
    from .archetypes.rattleback import reversals as reversals
    from .archetypes.rattleback import steady_spin as steady_spin
    from .archetypes.tippedisk import tippedisk as tippedisk
    from .kernel.derivative import jacobian as jacobian
    from .kernel.derivative import system_jacobian as system_jacobian
    from .kernel.dispatch import generic as generic
    from .kernel.errors import InputError as InputError
    from .kernel.errors import UnitWarning as UnitWarning
    from .kernel.system import describe as describe
    from .kernel.system import integrals as integrals
    from .kernel.system import rate as rate
    from .kernel.system import signals as signals
    from .kernel.system import validate as validate
    from .mechanics.body import Body as Body
    from .mechanics.bodyfile.read import read_body as read_body
    from .mechanics.laws.checked import constant_load as constant_load
    from .mechanics.laws.checked import coulomb as coulomb
    from .mechanics.laws.checked import dry_contour as dry_contour
    from .mechanics.laws.checked import dry_pivoting as dry_pivoting
    from .mechanics.laws.checked import linearised as linearised
    from .mechanics.laws.checked import regularised as regularised
    from .mechanics.laws.checked import regularised_contour as regularised_contour
    from .mechanics.laws.checked import regularised_pivoting as regularised_pivoting
    from .mechanics.laws.checked import viscous as viscous
    from .mechanics.laws.contensou import contensou as contensou
    from .mechanics.laws.each import each as each
    from .mechanics.laws.friction import friction as friction
    from .mechanics.laws.sliding import Coulomb as Coulomb
    from .mechanics.laws.sliding import Regularised as Regularised
    from .mechanics.laws.sliding import Viscous as Viscous
    from .mechanics.plate import plate as plate
    from .mechanics.rest import rest_positions as rest_positions
    from .mechanics.rolling import Marble as Marble
    from .mechanics.rolling import Rubber as Rubber
    from .mechanics.rolling import rolling as rolling
    from .mechanics.shapes.convex import Cylinder as Cylinder
    from .mechanics.shapes.convex import Ellipsoid as Ellipsoid
    from .mechanics.shapes.convex import Rim as Rim
    from .mechanics.shapes.convex import Sphere as Sphere
    from .mechanics.shapes.convex import Sum as Sum
    from .mechanics.shapes.convex import Superellipsoid as Superellipsoid
    from .mechanics.shapes.convex import Torus as Torus
    from .mechanics.shapes.convex import support as support
    from .mechanics.shapes.convex import turned as turned
    from .mechanics.shapes.curvature import principal_radii as principal_radii
    from .mechanics.shapes.hull import convex_hull as convex_hull
    from .mechanics.shapes.revolution import Revolution as Revolution
    from .mechanics.shapes.smooth_fit import smooth_fit as smooth_fit
    from .mechanics.shapes.smoothness import smoothness as smoothness
    from .mechanics.sliding import Sliding as Sliding
    from .mechanics.sliding import sliding as sliding
    from .mechanics.surfaces.bowl import Bowl as Bowl
    from .mechanics.surfaces.bowl import Dome as Dome
    from .mechanics.surfaces.course import Ramp as Ramp
    from .mechanics.surfaces.course import Swing as Swing
    from .mechanics.surfaces.funnel import Funnel as Funnel
    from .mechanics.surfaces.moving import Shaken as Shaken
    from .mechanics.surfaces.moving import Tilting as Tilting
    from .mechanics.surfaces.pipe import Pipe as Pipe
    from .mechanics.surfaces.pipe import Rail as Rail
    from .mechanics.surfaces.plane import Plane as Plane
    from .mechanics.surfaces.wall import wall as wall
    from .motion.events.event import Event as Event
    from .motion.impacts.collide import collide as collide
    from .motion.methods import DOP853 as DOP853
    from .motion.methods import Auto as Auto
    from .motion.methods import EventDriven as EventDriven
    from .motion.methods import Method as Method
    from .motion.methods import Midpoint as Midpoint
    from .motion.methods import Moreau as Moreau
    from .motion.methods import Radau as Radau
    from .motion.methods import Thesis as Thesis
    from .motion.result.motion import Motion as Motion
    from .motion.result.outcome import MotionWarning as MotionWarning
    from .motion.result.outcome import StartAdjusted as StartAdjusted
    from .motion.simulate import simulate as simulate
    from .plotting.compare import compare as compare
    from .plotting.style import plot_style as plot_style
    from .view.saved import open_saved as open_saved

__all__ = ["__version__"]
lazily(__name__)
_know_old_names()
