"""Formulas of Model 1.4 and of its slow manifold, algebraic in sines and cosines: compiled rates and NumPy formulas share them.

Sailer (4.39)-(4.44): S stays above one point of the plane, the disk does not slip along its rim, and it turns about the vertical with the constant speed Omega:

    beta' = y,    gamma' = -Omega cos beta,    M y' = h + f_g + w_y lambda_y

With rs = r + e sin gamma, the height of S is rs sin beta. The normalised system (section 6.1) is the one with r = 1, e = kappa, m = psi, A = zeta, Bb = 1, m g =
1/omega^2, Omega = 1 and smoothing eps/(Omega r), in the time Omega t.
"""

from __future__ import annotations

from ....kernel.compiled import inlined


@inlined
def inertia(r, e, m, A, Bb, cb, sg, cg):
    """M of (4.40)."""
    rs = r + e * sg
    return A * cg * cg + Bb * sg * sg + m * rs * rs * cb * cb


@inlined
def forces(r, e, m, A, Bb, weight, sb, cb, sg, cg, y, Omega):
    """h + f_g of (4.41) and (4.42); weight = m g."""
    rs = r + e * sg
    turning = (A * cg * cg + Bb * sg * sg) * Omega * Omega * sb * cb - 2.0 * (A - Bb) * Omega * y * cb * sg * cg
    moving = rs * y * y * sb * cb + e * Omega * Omega * sb * cb * cb * cb * sg - e * (3.0 * sb * sb - 2.0) * Omega * y * cb * cg
    return turning + m * rs * moving - weight * rs * cb


@inlined
def lateral_slip(r, e, sb, sg, cg, y, Omega):
    """gamma_y of (4.44): the velocity of the contact point across the rim."""
    return (r + e * sg) * sb * y - e * Omega * sb * sb * cg


@inlined
def lever(r, e, sb, sg):
    """w_y of (4.43): what the lateral force does to y."""
    return (r + e * sg) * sb


@inlined
def rolling_rate(r, e, sb, sg, cg, Omega):
    """h_c of (5.21), the critical manifold: y for which nothing slips."""
    return e * sb * cg * Omega / (r + e * sg)


@inlined
def first_correction(r, e, A, Bb, weight, sb, cb, sg, cg, Omega):
    """mu h_1 of (5.23): the slow manifold is y = h_c + (eps/mu) mu h_1 + O(eps^2)."""
    rs = r + e * sg
    turning = A * cg * cg * (r * r - e * r * sg - 2.0 * e * e) + Bb * r * sg * (r * sg + e + e * cg * cg)
    return Omega * Omega * cb / (weight * sb * rs * rs * rs * rs) * (turning - weight * rs * rs * rs / (Omega * Omega * sb))
