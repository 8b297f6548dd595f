"""Pictures of friction laws: reservoirs of the set-valued ones, force over slip, the limit surface of Contensou friction."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...kernel.palette import GREEN, INK, SKY, WARM
from .contensou import Contensou, boundary, contensou
from .dissipation import contour_force, slip_force
from .friction import DryContour, DryPivoting, Friction, contour_ratio, prox_contour, prox_pivoting
from .limit_surface import ETA, XI, hertz, level, polynomial
from .sliding import arm, prox, set_valued

SOFT = SKY
SURFACES = {"hertz": (INK, "-"), "polynomial": (WARM, "--"), "uniform": (SOFT, "-."), "parabolic": (GREEN, ":")}


def new_axes(width: float = 5.0, height: float = 4.2, **options: Any) -> Any:
    """One pair of axes on a new figure."""
    from ...plotting import figure

    _, axes = figure(1, width=width, height=height, **options)
    return axes[0, 0]


def meridian(law: Contensou, count: int = 721) -> tuple[np.ndarray, np.ndarray]:
    """The closed section (lambda_T, lambda_tau)/(mu N) of a Contensou reservoir."""
    t = np.linspace(0.0, math.pi, count)
    xi, eta = np.array([boundary(law.surface, float(a))[:2] for a in t]).T
    return np.concatenate([xi, -xi[::-1]]), np.concatenate([eta, eta[::-1]])


def reservoir_picture(law: Any, normal: float = 1.0, ax: Any = None) -> Any:
    """The forces that a set-valued law can bear at a normal force; returns the figure.

    Coulomb and contour friction: a disk. Contensou: a section through the axis, beside those of the other pressures and of
    T(3.32). Combinations: disk x interval, a cylinder, where sliding and pivoting are both dry. Other laws: a section found by
    `prox`.
    """
    if isinstance(law, Friction) and isinstance(law.pivoting, DryPivoting) and prox.knows(type(law.sliding)):
        return _cylinder(law, normal, ax)
    if isinstance(law, Friction):
        law = next((part for part in law if set_valued(part)), law)
    if not set_valued(law):
        raise InputError(f"{called(law)} is not set-valued: its force is a function of the slip; use `force_picture`.")
    if ax is None:
        ax = new_axes(6.4 if isinstance(law, Contensou) else 5.0)
    if isinstance(law, Contensou):
        _sections(law, normal, ax)
        return ax.figure
    if prox_pivoting.knows(type(law)):
        half = float(prox_pivoting(law, 1e9, normal))
        ax.plot([-half, half], [0.0, 0.0], color=INK, linewidth=6.0, solid_capstyle="butt")
        ax.set_yticks([])
        ax.set_xlabel(r"$\lambda_\tau$ [N]")
        return ax.figure
    x, y, name = _outline(law, normal)
    ax.fill(x, y, color=SOFT, alpha=0.35)
    ax.plot(x, y, color=INK)
    ax.plot(0.0, 0.0, "+", color=INK)
    ax.set_aspect("equal")
    ax.set_xlabel(rf"$\lambda_{{{name[0]}}}$ [N]")
    ax.set_ylabel(rf"$\lambda_{{{name[1]}}}$ [N]")
    ax.set_title(f"{called(law)}, N = {normal:g} N", loc="left", fontsize=10)
    return ax.figure


def _outline(law: Any, normal: float, count: int = 361) -> tuple[np.ndarray, np.ndarray, tuple[str, str]]:
    """The boundary of a plane section of a reservoir, as the points nearest to a very large circle."""
    angles = np.linspace(0.0, 2.0 * math.pi, count)
    far = 1e6 * max(normal, 1e-6)
    if prox_contour.knows(type(law)):
        points = [prox_contour(law, far * math.cos(a), far * math.sin(a), normal) for a in angles]
        return (*np.array(points).T, ("R1", "R2"))
    couple = float(arm(law)) > 0.0
    found = np.array(
        [
            prox(law, far * math.cos(a), *((0.0, far * math.sin(a)) if couple else (far * math.sin(a), 0.0)), normal)
            for a in angles
        ]
    )
    return (found[:, 0], found[:, 2], ("T1", r"\tau")) if couple else (found[:, 0], found[:, 1], ("T1", "T2"))


def _sections(law: Contensou, normal: float, ax: Any) -> None:
    scale = law.mu * normal
    for name, (color, style) in SURFACES.items():
        other = contensou(law.mu, law.radius, name)
        xi, eta = meridian(other)
        own = law.surface.__class__ is other.surface.__class__ and np.array_equal(law.surface[0], other.surface[0])
        if own:
            ax.fill(scale * xi, scale * eta, color=color, alpha=0.12)
        label = "polynomial T(3.32)" if name == "polynomial" else f"{name}, exact"
        ax.plot(scale * xi, scale * eta, style, color=color, linewidth=2.0 if own else 1.1, label=label)
    ax.set_aspect("equal")
    ax.set_xlabel(r"$\lambda_T$ [N]")
    ax.set_ylabel(r"$\lambda_\tau$ = couple/R [N]")
    ax.legend(fontsize=8, loc="center", frameon=False)
    ax.set_title(f"Contensou, mu = {law.mu:g}, N = {normal:g} N", loc="left", fontsize=10)


def _cylinder(law: Friction, normal: float, ax: Any) -> Any:
    if ax is None:
        ax = new_axes(5.0, 4.4, subplot_kw={"projection": "3d"})
    angles = np.linspace(0.0, 2.0 * math.pi, 73)
    edge = np.array([prox(law.sliding, 1e6 * math.cos(a), 1e6 * math.sin(a), 0.0, normal)[:2] for a in angles]).T
    top = prox_pivoting(law.pivoting, 1e9, normal)
    across, height = np.meshgrid(np.arange(angles.size), np.linspace(-top, top, 9))
    ax.plot_surface(edge[0][across], edge[1][across], height, color=SOFT, alpha=0.35, linewidth=0.0)
    for level_ in (-top, top):
        ax.plot(edge[0], edge[1], level_ + 0.0 * angles, color=INK)
    for k in range(0, 72, 12):
        ax.plot([edge[0, k]] * 2, [edge[1, k]] * 2, [-top, top], color=INK, linewidth=0.5)
    ax.set_xlabel(r"$\lambda_{T1}$ [N]")
    ax.set_ylabel(r"$\lambda_{T2}$ [N]")
    ax.set_zlabel(r"$\lambda_\tau$ [N]")
    more = f"; contour: a disk of radius {law.contour.mu * normal:g} N besides" if isinstance(law.contour, DryContour) else ""
    ax.set_title(f"{called(law.sliding)} and {called(law.pivoting)}{more}", loc="left", fontsize=9)
    return ax.figure


def force_picture(*laws: Any, normal: float = 1.0, spin: float = 0.0, most: float = 1.0, ax: Any = None) -> Any:
    """The friction force over the slip -most .. most (m/s) at an angular velocity about the normal; returns the figure.

    Contour laws are drawn over the velocity of the contact point on the body.
    """
    if ax is None:
        ax = new_axes(6.4, 3.6)
    slip = most * np.concatenate([-np.geomspace(1.0, 1e-9, 401), [0.0], np.geomspace(1e-9, 1.0, 401)])
    for k, law in enumerate(laws):
        if contour_ratio.knows(type(law)):
            force = [contour_force(law, float(v), 0.0, normal)[0] for v in slip]
        else:
            force = [slip_force(law, float(v), 0.0, float(spin), normal)[0] for v in slip]
        numbers = ", ".join(f"{n} = {v:g}" for n, v in law._asdict().items() if isinstance(v, (int, float)))
        ax.plot(slip, force, color=[INK, WARM, GREEN, SOFT, "0.3"][k % 5], label=f"{called(law)}({numbers})", linewidth=1.3)
    ax.axhline(0.0, color="0.6", linewidth=0.6)
    ax.set_xlabel("slip [m/s]")
    ax.set_ylabel("force [N]")
    ax.legend(fontsize=8, frameon=False)
    note = f", {spin:g} rad/s about the normal" if spin else ""
    ax.set_title(f"N = {normal:g} N{note}", loc="left", fontsize=10)
    return ax.figure


def level_error(count: int = 4001) -> tuple[np.ndarray, np.ndarray]:
    """(xi, error): how far the left-hand side of T(3.32) is from 1 on the exact Hertz surface."""
    u = np.concatenate([np.linspace(0.0, 1.0, count), np.geomspace(1.0, 30.0, count)])
    xi, eta = hertz(u)
    return xi, level(xi, eta) - 1.0


def limit_surface_figure() -> Any:
    """The exact Hertz surface and the branches of T(3.32) as printed, the seam enlarged, and the level-set error."""
    from ...plotting import figure

    fig, axes = figure(1, 3, width=11.0, height=3.6)
    whole, seam, error = axes[0]
    xi, eta = hertz(np.concatenate([np.linspace(0.0, 1.0, 400), np.geomspace(1.0, 100.0, 600)]))
    first, second = np.linspace(0.0, XI, 400), XI + (1.0 - XI) * np.sin(np.linspace(0.0, 0.5 * np.pi, 400))
    for ax in (whole, seam):
        ax.plot(xi, eta, color=INK, label="Hertz, exact")
        ax.plot(first, polynomial(first, 1), "--", color=WARM, label="T(3.32), first branch")
        ax.plot(second, polynomial(second, 2), "-.", color=GREEN, label="T(3.32), second branch")
        ax.plot(XI, ETA, "o", color=INK, markersize=4)
        ax.set_xlabel(r"$\xi = |\lambda_T|/(\mu N)$")
    whole.set_ylabel(r"$\eta = |\lambda_\tau|/(\mu N)$")
    whole.legend(fontsize=8, frameon=False, loc="lower left")
    seam.set_xlim(XI - 0.08, XI + 0.06)
    seam.set_ylim(0.15, 0.30)
    seam.set_title("the seam, u = |v|/(R |omega|) = 1", loc="left", fontsize=10)
    where, wrong = level_error()
    below = where <= XI
    error.plot(where[below], 100.0 * wrong[below], "--", color=WARM)
    error.plot(where[~below], 100.0 * wrong[~below], "-.", color=GREEN)
    error.set_xlabel(r"$\xi$")
    error.set_title("level-set error of T(3.32) [%]", loc="left", fontsize=10)
    return fig
