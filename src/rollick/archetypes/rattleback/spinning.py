"""Steady spin of the rattleback: the linear theory, in closed form.

The undamped stone can spin upright for ever: alpha = beta = 0, omega3 = Omega (n3 and r3 downward, so Omega < 0 is
counter-clockwise seen from above). Whether it does is a matter of four perturbations: mu1, mu2 (the downward vertical in body
axes, mu1 = -beta and mu2 = alpha to first order), omega1 and omega2. With k = c - h (height of the mass centre),
p = a^2/c and q = b^2/c (principal radii of curvature at the lowest point), the equations of motion linearise to

    mu1' = Omega mu2 - omega2,      mu2' = omega1 - Omega mu1,

    [A + M k^2      D     ] [omega1']   [G1]
    [    D      B + M k^2 ] [omega2'] = [G2],

    G1 = [-M g (q-k) + M k Omega^2 (p-q)] mu2 + Omega D omega1 + Omega [B - C - M k (p-k)] omega2
    G2 = [ M g (p-k) + M k Omega^2 (p-q)] mu1 - Omega D omega2 + Omega [C - A + M k (q-k)] omega1

and the characteristic equation is c4 s^4 + c3 s^3 + c2 s^2 + Omega^2 c3 s + c0 = 0 (see `quartic`). Two facts decide everything:

* c0 is the determinant of a symmetric matrix, [[M g (p-k) + Omega^2 (C + M k (p-k) - A), -D Omega^2], [-D Omega^2,
  M g (q-k) + Omega^2 (C + M k (q-k) - B)]]: the stiffness against a tilt that turns with the stone. c0 = 0 is divergence.
* The coefficients of s and s^3 have the ratio Omega^2, so that Routh's conditions reduce to

      c3 > 0,    c0 > 0,    Omega^2 den > M g (p-k)(q-k),
      den = (A+B-C)(p+q-2k) + M k [3k(p+q) - 4k^2 - 2pq],

  (c2 > 0 then follows), and a pair can cross the imaginary axis only at s = +-i Omega, where
  Omega^2 = Omega_c^2 = M g (p-k)(q-k) / den.

c3 = -D M k (p-q) Omega changes sign with Omega: of the two senses of spin at most one is asymptotically stable, and this
asymmetry is the rattleback. An *achiral* stone (D = 0, or p = q, or k = 0) has c3 = 0: the spectrum is symmetric about the
imaginary axis and the best it can offer is neutral stability.

A `stone` is any object with the attributes a, b, c, M, h, A, B, C, D, sigma, g.
"""

from __future__ import annotations

import math

import numpy as np


def principal_radii(stone) -> tuple[float, float]:
    """(p, q) = (a^2/c, b^2/c): the radii of curvature at the lowest point, along r1 and r2."""
    return stone.a**2 / stone.c, stone.b**2 / stone.c


def centre_height(stone) -> float:
    """k = c - h, the height of the mass centre above the plane in the upright position."""
    return stone.c - stone.h


def _tilt_stiffness(stone) -> tuple[float, float, float, float]:
    """The diagonal of the matrix whose determinant is c0: what gravity gives to it (along p, q), and the factors of Omega^2."""
    M, k, (p, q) = stone.M, centre_height(stone), principal_radii(stone)
    gravity_p, gravity_q = M * stone.g * (p - k), M * stone.g * (q - k)
    return gravity_p, gravity_q, stone.C - stone.A + M * k * (p - k), stone.C - stone.B + M * k * (q - k)


def _tilt_polynomial(stone) -> tuple[float, float, float]:
    """c0 as a polynomial in w = Omega^2: the coefficients of w^2, w and 1 of the determinant in the module's text."""
    gravity_p, gravity_q, spin_p, spin_q = _tilt_stiffness(stone)
    return spin_p * spin_q - stone.D**2, gravity_p * spin_q + gravity_q * spin_p, gravity_p * gravity_q


def quartic(stone, Omega) -> tuple:
    """(c4, c3, c2, c1, c0) of the characteristic equation c4 s^4 + c3 s^3 + c2 s^2 + c1 s + c0 = 0, without damping.

        c4 = (A + M k^2)(B + M k^2) - D^2
        c3 = -D M k (p-q) Omega
        c2 = M g [(A + M k^2)(p-k) + (B + M k^2)(q-k)] + Omega^2 (c4 + c04)
        c1 = Omega^2 c3
        c0 = M^2 g^2 (p-k)(q-k) + M g Omega^2 [(p-k)(C - B + M k (q-k)) + (q-k)(C - A + M k (p-k))] + Omega^4 c04
        c04 = (C - A + M k (p-k))(C - B + M k (q-k)) - D^2

    `Omega` may be an array; then each coefficient has its shape.
    """
    Omega = np.asarray(Omega, dtype=float)[()]
    M, k, (p, q) = stone.M, centre_height(stone), principal_radii(stone)
    J1, J2, w = stone.A + M * k**2, stone.B + M * k**2, Omega**2
    c04, c02, c00 = _tilt_polynomial(stone)
    c4 = J1 * J2 - stone.D**2 + 0.0 * w
    c3 = -stone.D * M * k * (p - q) * Omega
    c2 = M * stone.g * (J1 * (p - k) + J2 * (q - k)) + w * (c4 + c04)
    return c4, c3, c2, w * c3, (c04 * w + c02) * w + c00


def eigenvalues(stone, Omega) -> np.ndarray:
    """The four roots of `quartic`: complex, shape `Omega.shape + (4,)`, sorted by real, then imaginary part. Without damping.

    They are eigenvalues of companion matrices of the quartic, scaled to roots of size one, and polished by Newton steps as long
    as these lessen the polynomial. Where c3 = 0 the quartic is a quadratic in s^2 and is solved as such: neutral spins come out
    with real parts of exactly zero.
    """
    c = np.stack(np.broadcast_arrays(*quartic(stone, Omega)), axis=-1)
    # s = unit z with unit a power of two near the size of the largest root: scaling without rounding.
    size = np.max(np.abs(c[..., 1:] / c[..., :1]) ** (1.0 / np.arange(1, 5)), axis=-1, keepdims=True)
    unit = np.exp2(np.round(np.log2(np.where(size > 0.0, size, 1.0))))
    monic = c / c[..., :1] / unit ** np.arange(5)
    companion = np.zeros((*monic.shape[:-1], 4, 4))
    companion[..., 0, :] = -monic[..., 1:]
    companion[..., [1, 2, 3], [0, 1, 2]] = 1.0
    z = _polished(monic[..., None, :], np.linalg.eigvals(companion).astype(complex))
    z = np.where(monic[..., 1:2] == 0.0, _biquadratic(monic), z)
    return np.sort_complex(unit * z)


def _polished(monic, z, rounds: int = 4):
    """Newton steps towards the roots of the monic quartic, each taken only where it lessens |polynomial|."""

    def value(z):
        return (((z + monic[..., 1]) * z + monic[..., 2]) * z + monic[..., 3]) * z + monic[..., 4]

    for _ in range(rounds):
        slope = ((4.0 * z + 3.0 * monic[..., 1]) * z + 2.0 * monic[..., 2]) * z + monic[..., 3]
        trial = z - value(z) / np.where(slope == 0.0, 1.0, slope)
        z = np.where((slope != 0.0) & (np.abs(value(trial)) < np.abs(value(z))), trial, z)
    return z


def _biquadratic(monic):
    """The four roots of z^4 + m2 z^2 + m0, exactly imaginary where z^2 < 0."""
    m2, m0 = monic[..., 2] + 0.0j, monic[..., 4] + 0.0j
    root = np.sqrt(0.25 * m2**2 - m0)
    far = -0.5 * m2 - np.where(m2.real < 0.0, -root, root)
    near = np.where(far == 0.0, 0.0, m0 / np.where(far == 0.0, 1.0, far))
    squares = np.stack([far, near], axis=-1)
    # A negative real square has an exactly imaginary root: sqrt must not see a signed zero or a rounded quotient there.
    lengths = np.sqrt(np.abs(squares.real))
    on_axis = np.where(squares.real < 0.0, 1j * lengths, lengths)
    roots = np.where(squares.imag == 0.0, on_axis, np.sqrt(squares))
    return np.concatenate([roots, -roots], axis=-1)


def frozen_matrix(stone, Omega: float, driven: bool = False) -> np.ndarray:
    """The 4x4 matrix of d/dt (mu1, mu2, omega1, omega2) at spin Omega, with damping.

    To the equations of the module's text damping adds

        G1: -sigma omega1 - (M k p sigma Omega / C) mu1
        G2: -sigma omega2 - (M k q sigma Omega / C) mu2.

    The first terms are the couple -sigma omega itself. The second come from the decay of the spin: upright, omega3' = -sigma
    Omega / C, and in the tilted stone I13 omega3' and I23 omega3' (with I13 = -M k p mu1, I23 = -M k q mu2) act on omega1 and
    omega2. With them the matrix is the exact Jacobian of the equations of motion at this instant. A stone `driven` about r3 so
    that omega3 stays Omega does not have them.
    """
    M, g, k, (p, q) = stone.M, stone.g, centre_height(stone), principal_radii(stone)
    A, B, C, D, sigma = stone.A, stone.B, stone.C, stone.D, stone.sigma
    decay = 0.0 if driven else M * k * sigma * Omega / C
    lift = M * k * Omega**2 * (p - q)
    couples = np.array(
        [
            [-decay * p, lift - M * g * (q - k), Omega * D - sigma, Omega * (B - C - M * k * (p - k))],
            [lift + M * g * (p - k), -decay * q, Omega * (C - A + M * k * (q - k)), -Omega * D - sigma],
        ]
    )
    inertia = np.array([[A + M * k**2, D], [D, B + M * k**2]])
    kinematics = np.array([[0.0, Omega, 0.0, -1.0], [-Omega, 0.0, 1.0, 0.0]])
    return np.vstack([kinematics, np.linalg.solve(inertia, couples)])


def frozen_eigenvalues(stone, Omega, driven: bool = False) -> np.ndarray:
    """The eigenvalues of `frozen_matrix`, shape `Omega.shape + (4,)`, sorted by real, then imaginary part.

    For sigma = 0 they are those of `eigenvalues`. For sigma > 0 there is no steady spin, and these are the rates of the
    instant, meaningful while they are large against the decay rate sigma / C of the spin itself: they neglect the slow change
    of the modes' shapes, an effect of the order sigma / C too.
    """
    Omega = np.asarray(Omega, dtype=float)
    matrices = np.array([frozen_matrix(stone, float(spin), driven) for spin in Omega.ravel()]).reshape(*Omega.shape, 4, 4)
    return np.sort_complex(np.linalg.eigvals(matrices).astype(complex))


def growth_rate(stone, Omega):
    """max Re s over the undamped `eigenvalues`, in 1/s: a float, or an array of the shape of `Omega`."""
    return eigenvalues(stone, Omega).real.max(axis=-1)[()]


def frozen_growth_rate(stone, Omega, driven: bool = False):
    """max Re s over the `frozen_eigenvalues`, in 1/s: a float, or an array of the shape of `Omega`."""
    return frozen_eigenvalues(stone, Omega, driven).real.max(axis=-1)[()]


def _critical_quotient(stone) -> tuple[float, float]:
    """(M g (p-k)(q-k), den): Routh's third condition reads Omega^2 den > the first."""
    M, k, (p, q) = stone.M, centre_height(stone), principal_radii(stone)
    lean = (stone.A + stone.B - stone.C) * (p + q - 2.0 * k)
    return M * stone.g * (p - k) * (q - k), lean + M * k * (3.0 * k * (p + q) - 4.0 * k**2 - 2.0 * p * q)


def chirality(stone) -> int:
    """The sign of c3/Omega, that is of -D k (p-q): the only sense of spin that can be stable, or 0 for an achiral stone."""
    p, q = principal_radii(stone)
    return int(np.sign(-stone.D * centre_height(stone) * (p - q)))


def critical_spin(stone) -> float | None:
    """Omega_c > 0 (rad/s) at which a pair of eigenvalues crosses the imaginary axis at +-i Omega_c, or None if there is none.

    `Omega_c^2 = M g (p-k)(q-k) / den`. None for an achiral stone (nothing crosses), and where the quotient is not positive:
    for a statically stable stone (p, q > k) with den <= 0 no spin is stable. With numerator and denominator both positive
    Omega_c is the least spin that Routh's third condition allows; with both negative (p > k > q, say) the greatest.
    Divergence may forbid more: `stable_ranges` has the last word.
    """
    numerator, den = _critical_quotient(stone)
    if chirality(stone) == 0 or den == 0.0 or numerator / den <= 0.0:
        return None
    return math.sqrt(numerator / den)


def divergence_spins(stone) -> tuple[float, ...]:
    """The spins Omega > 0 (rad/s) with c0 = 0, ascending: there an eigenvalue passes through zero, in either sense of spin.

    c0 is a quadratic in Omega^2 with none, one or two positive roots; a double root, where c0 touches zero without changing its
    sign, is listed once. For a statically stable stone (p, q > k) the roots are always real: c0 is the determinant of a pencil
    of symmetric matrices, one of them definite.
    """
    gravity_p, gravity_q, spin_p, spin_q = _tilt_stiffness(stone)
    c04, c02, c00 = _tilt_polynomial(stone)
    discriminant = (gravity_p * spin_q - gravity_q * spin_p) ** 2 + 4.0 * stone.D**2 * c00  # = c02^2 - 4 c04 c00
    if discriminant < 0.0:
        return ()
    half = -0.5 * (c02 + math.copysign(math.sqrt(discriminant), c02))
    squares = [half / c04] if c04 != 0.0 else []
    if half != 0.0 and discriminant > 0.0:
        squares.append(c00 / half)
    return tuple(math.sqrt(w) for w in sorted(squares) if w > 0.0)


def stable_ranges(stone) -> tuple[tuple[float, float], ...]:
    """The open intervals of |Omega| in which spin in the sense `chirality(stone)` is asymptotically stable; () if there are none.

    By Routh's conditions of the module's text: c0 > 0 and Omega^2 den > M g (p-k)(q-k). The last interval may end at infinity.
    """
    if chirality(stone) == 0:
        return ()
    numerator, den = _critical_quotient(stone)
    c04, c02, c00 = _tilt_polynomial(stone)
    critical = critical_spin(stone)
    marks = sorted({0.0, *divergence_spins(stone), *(() if critical is None else (critical,))})
    ranges = []
    for low, high in zip(marks, [*marks[1:], math.inf], strict=True):
        w = (0.5 * (low + high) if high < math.inf else 2.0 * low + 1.0) ** 2
        if (c04 * w + c02) * w + c00 > 0.0 and w * den > numerator:
            ranges.append((low, high))
    return tuple(ranges)


def stable_sense(stone) -> int | None:
    """The sign of omega3 in which some rate of steady spin is asymptotically stable, without damping.

    +1 or -1; 0 if the stone is chiral but unstable in both senses at every rate (the paper's stone); None if it is achiral, so
    that both senses are alike and none is better than neutral.
    """
    sense = chirality(stone)
    if sense == 0:
        return None
    return sense if stable_ranges(stone) else 0
