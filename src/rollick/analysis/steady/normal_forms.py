"""Coefficients of normal forms on the centre manifold, by projection: Yu. A. Kuznetsov, SIAM J. Numer. Anal. 36 (1999) 1104, and his book, chapters 5 and 8.

A: the Jacobian; K: its multilinear forms (`forms.Forms`), K(u, v) = B, K(u, v, w) = C. Critical vectors: A q = lambda q, A^T p = conj(lambda) p,
q.q = 1, conj(p).q = 1. Coefficients depend on the length of q, as everywhere.
"""

from __future__ import annotations

import numpy as np

from .forms import Forms

ORTHOGONAL = 1e-5  # p.q of unit vectors below which a zero eigenvalue is double


class Zero:
    """A zero eigenvalue: q, p with A q = 0, A^T p = 0, q.q = 1.

    Simple: p.q = 1, and w' = beta + a w^2 + c w^3 on the centre manifold. Double with one eigenvector, as in conservative systems: p.q1 = 1 with
    A q1 = q, and w'' = beta + a w^2 + c w^3; `double` tells which.
    """

    def __init__(self, A: np.ndarray):
        U, _, Vt = np.linalg.svd(A)
        self.A, q, p = A, Vt[-1], U[:, -1]
        self.q = q * np.sign(q[np.argmax(np.abs(q))])
        self.double = abs(float(p @ self.q)) < ORTHOGONAL
        if self.double:
            self.q1 = self.bordered(p, self.q)
            self.p = p / (p @ self.q1)
        else:
            self.p = p / (p @ self.q)

    def bordered(self, p: np.ndarray, r: np.ndarray) -> np.ndarray:
        """h with A h = r - (p.r) p/p.p, q.h = 0."""
        n = len(self.A)
        M = np.zeros((n + 1, n + 1), r.dtype)
        M[:n, :n], M[:n, n], M[n, :n] = self.A, p, self.q
        return np.linalg.solve(M, np.append(r, 0.0))[:n]

    def quadratic(self, K: Forms) -> float:
        """a = 1/2 p.B(q, q)."""
        return float(0.5 * (self.p @ K(self.q, self.q)).real)

    def cubic(self, K: Forms) -> float:
        """c = 1/6 p.(C(q, q, q) + 3 B(q, h2)), A h2 = -B(q, q) + (p.B(q, q)) q; what it means where a = 0 (cusp, pitchfork)."""
        q, p = self.q, self.p
        b = K(q, q)
        h2 = self.bordered(p, -b) if self.double else singular_solve(self.A, q, p, -b + (p @ b) * q)
        return float(((p @ (K(q, q, q) + 3.0 * K(q, h2))) / 6.0).real)


def null_vectors(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q, p of a simple zero eigenvalue: A q = 0, A^T p = 0, q.q = 1 and p.q = 1."""
    zero = Zero(A)
    if zero.double:
        raise np.linalg.LinAlgError("the zero eigenvalue is double")
    return zero.q, zero.p


def critical_vectors(A: np.ndarray, value: complex) -> tuple[np.ndarray, np.ndarray]:
    """q, p of a simple eigenvalue near `value`: by singular vectors of A - lambda I, lambda the nearest eigenvalue. conj(p).q = 1."""
    values = np.linalg.eigvals(A)
    value = values[np.argmin(np.abs(values - value))]
    U, _, Vh = np.linalg.svd(A - value * np.eye(len(A)))
    q, p = np.conj(Vh[-1]), U[:, -1]
    return q, p / np.conj(np.vdot(p, q))


def singular_solve(M: np.ndarray, q: np.ndarray, p: np.ndarray, r: np.ndarray) -> np.ndarray:
    """h with M h = r, conj(p).h = 0, for M q = 0, conj(p).M = 0 and conj(p).r = 0: by bordering."""
    n = len(M)
    bordered = np.zeros((n + 1, n + 1), complex)
    bordered[:n, :n], bordered[:n, n], bordered[n, :n] = M, q, np.conj(p)
    return np.linalg.solve(bordered, np.append(r, 0.0))[:n]


class Hopf:
    """The normal form w' = i omega w + c1 w |w|^2 + c2 w |w|^4 at a pair +-i omega."""

    def __init__(self, A: np.ndarray, K: Forms, omega: float):
        self.A, self.K, self.omega = A, K, omega
        self.identity = np.eye(len(A))
        self.q, self.p = critical_vectors(A, 1j * omega)
        q, qc = self.q, np.conj(self.q)
        self.h20 = self.resolvent(2.0, K(q, q))
        self.h11 = self.resolvent(0.0, K(q, qc))
        self.right = K(q, q, qc) + K(qc, self.h20) + 2.0 * K(q, self.h11)
        self.c1 = 0.5 * complex(np.vdot(self.p, self.right))

    def resolvent(self, times: float, r: np.ndarray) -> np.ndarray:
        """(times i omega I - A)^-1 r."""
        return np.linalg.solve(times * 1j * self.omega * self.identity - self.A, r)

    @property
    def l1(self) -> float:
        """The first Lyapunov coefficient Re c1/omega: negative, the cycles that are born are stable within the centre manifold."""
        return self.c1.real / self.omega

    def c2(self) -> complex:
        """The quintic coefficient, where Re c1 = 0 (a generalised Hopf point)."""
        K, q, p, h20, h11, c1 = self.K, self.q, self.p, self.h20, self.h11, self.c1
        qc, h20c = np.conj(q), np.conj(h20)
        h30 = self.resolvent(3.0, K(q, q, q) + 3.0 * K(q, h20))
        h21 = singular_solve(1j * self.omega * self.identity - self.A, q, p, self.right - 2.0 * c1 * q)
        h21c = np.conj(h21)
        h31 = self.resolvent(
            2.0,
            K(q, q, q, qc)
            + 3.0 * K(q, q, h11)
            + 3.0 * K(q, qc, h20)
            + 3.0 * K(h20, h11)
            + K(qc, h30)
            + 3.0 * K(q, h21)
            - 6.0 * c1 * h20,
        )
        h22 = self.resolvent(
            0.0,
            K(q, q, qc, qc) + 4.0 * K(q, qc, h11) + K(qc, qc, h20) + K(q, q, h20c) + 2.0 * K(h11, h11)
            + 2.0 * K(q, h21c) + 2.0 * K(qc, h21) + K(h20c, h20) - 4.0 * c1.real * h11,
        )  # fmt: skip
        total = (
            K(q, q, q, qc, qc) + K(q, q, q, h20c) + 3.0 * K(q, qc, qc, h20) + 6.0 * K(q, q, qc, h11) + K(qc, qc, h30)
            + 3.0 * K(q, q, h21c) + 6.0 * K(q, qc, h21) + 3.0 * K(q, h20c, h20) + 6.0 * K(q, h11, h11) + 6.0 * K(qc, h20, h11)
            + 2.0 * K(qc, h31) + 3.0 * K(q, h22) + K(h20c, h30) + 3.0 * K(h21c, h20) + 6.0 * K(h11, h21)
        )  # fmt: skip
        return complex(np.vdot(p, total)) / 12.0

    @property
    def l2(self) -> float:
        """The second Lyapunov coefficient Re c2/omega, where l1 = 0."""
        return self.c2().real / self.omega


def bogdanov_takens(A: np.ndarray, K: Forms) -> tuple[float, float]:
    """a, b of w0' = w1, w1' = a w0^2 + b w0 w1 at a double zero eigenvalue: A q1 = q0, A^T p0 = p1, p0.q0 = p1.q1 = 1, p0.q1 = p1.q0 = 0."""
    U, _, Vt = np.linalg.svd(A)
    q0, p1 = Vt[-1], U[:, -1]
    q0 = q0 * np.sign(q0[np.argmax(np.abs(q0))])
    n = len(A)
    M = np.zeros((n + 1, n + 1))
    M[:n, :n], M[:n, n], M[n, :n] = A, p1, q0
    q1 = np.linalg.solve(M, np.append(q0, 0.0))[:n]
    p0 = np.linalg.solve(M.T, np.append(p1, 0.0))[:n]
    p1 = p1 / (scale := p1 @ q1)
    p0 = p0 / scale
    p0 = p0 - (p0 @ q1) * p1
    a = 0.5 * (p1 @ K(q0, q0)).real
    b = (p1 @ K(q0, q1)).real + (p0 @ K(q0, q0)).real
    return float(a), float(b)


def zero_hopf(A: np.ndarray, K: Forms, omega: float) -> dict[str, float]:
    """The normal form at a zero eigenvalue and a pair +-i omega (Kuznetsov, section 8.5), to third order:

    w0' = f200 w0^2 + f011 |w1|^2 + f300 w0^3 + f111 w0 |w1|^2,   w1' = i omega w1 + g110 w0 w1 + g210 w0^2 w1 + g021 w1 |w1|^2,

    s = sign(f200 f011), theta = Re g110/f200, and E = g210 + g110 (g021/f011 - 3/2 f300/f200 + f111/(2 f011)) - g021 f200/f011 (real parts), what no
    change of coordinates and of time can remove.
    """
    q0, p0 = null_vectors(A)
    q1, p1 = critical_vectors(A, 1j * omega)
    q1c, identity = np.conj(q1), np.eye(len(A))
    B00, B01, B11 = K(q0, q0), K(q0, q1), K(q1, q1c)
    G200, G011, H110 = complex(p0 @ B00), complex(p0 @ B11), complex(np.vdot(p1, B01))
    h200 = singular_solve(A, q0, p0, -B00 + G200 * q0)
    h011 = singular_solve(A, q0, p0, -B11 + G011 * q0)
    h020 = np.linalg.solve(2j * omega * identity - A, K(q1, q1))
    h110 = singular_solve(1j * omega * identity - A, q1, p1, B01 - H110 * q1)
    G300 = complex(p0 @ (K(q0, q0, q0) + 3.0 * K(q0, h200)))
    G111 = complex(p0 @ (K(q0, q1, q1c) + K(q1c, h110) + K(q1, np.conj(h110)) + K(q0, h011)))
    H210 = complex(np.vdot(p1, K(q0, q0, q1) + 2.0 * K(q0, h110) + K(q1, h200)))
    H021 = complex(np.vdot(p1, K(q1, q1, q1c) + 2.0 * K(q1, h011) + K(q1c, h020)))
    f200, f011, f300, f111 = 0.5 * G200.real, G011.real, G300.real / 6.0, G111.real
    g110, g210, g021 = H110.real, 0.5 * H210.real, 0.5 * H021.real
    E = g210 + g110 * (g021 / f011 - 1.5 * f300 / f200 + 0.5 * f111 / f011) - g021 * f200 / f011
    return {"s": float(np.sign(f200 * f011)), "theta": g110 / f200, "E": E}


def hopf_hopf(A: np.ndarray, K: Forms, first: float, second: float) -> dict[str, float]:
    """The cubic coefficients of the truncated amplitude system at two pairs +-i omega1, +-i omega2, without low resonances:

    r1' = r1 (mu1 + p11 r1^2 + p12 r2^2),  r2' = r2 (mu2 + p21 r1^2 + p22 r2^2),   theta = p12/p22, delta = p21/p11
    """
    q1, p1 = critical_vectors(A, 1j * first)
    q2, p2 = critical_vectors(A, 1j * second)
    identity = np.eye(len(A))
    c1, c2 = np.conj(q1), np.conj(q2)

    def inverse(frequency: float, r: np.ndarray) -> np.ndarray:
        return np.linalg.solve(1j * frequency * identity - A, r)

    h1100, h0011 = inverse(0.0, K(q1, c1)), inverse(0.0, K(q2, c2))
    h2000, h0020 = inverse(2.0 * first, K(q1, q1)), inverse(2.0 * second, K(q2, q2))
    h1010, h1001 = inverse(first + second, K(q1, q2)), inverse(first - second, K(q1, c2))
    p11 = 0.5 * np.vdot(p1, K(q1, q1, c1) + K(h2000, c1) + 2.0 * K(h1100, q1)).real
    p22 = 0.5 * np.vdot(p2, K(q2, q2, c2) + K(h0020, c2) + 2.0 * K(h0011, q2)).real
    p12 = np.vdot(p1, K(q1, q2, c2) + K(h1010, c2) + K(h1001, q2) + K(h0011, q1)).real
    p21 = np.vdot(p2, K(q1, c1, q2) + K(h1100, q2) + K(h1010, c1) + K(np.conj(h1001), q1)).real
    return {
        "p11": float(p11),
        "p12": float(p12),
        "p21": float(p21),
        "p22": float(p22),
        "theta": float(p12 / p22),
        "delta": float(p21 / p11),
    }
