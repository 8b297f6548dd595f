"""The dropped rod with an oscillator (thesis chapter 5): targets O1-O8 recomputed, with the errata E14, E14b, E15.

The printed tables are reproduced with the event scheme of the thesis (eps = 5e-3, no term u phi'^2). Beside each printed number that its
own equations do not give stands the converged one, which a recomputation by other code (*reference*) gives to four digits, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from ...archetypes.dropped_device import device, drop
from ...archetypes.dropped_device.maps import chatter_region
from ..ledger import REFUTED, Row, bound, claim, picture, value
from .figures import shock
from .judge import judge

ALPHAS = (0.3, 1.0, 3.0)
THESIS = {"scheme": "thesis", "eps": 5e-3, "centrifugal": False}
CONVERGED = {"centrifugal": False}
UNSTATED = 3e-4
WHY = "the thesis states neither its eps nor its integrator and tolerance; entries that no eps from 5e-3 to 7e-3 changes are off by up to 2.8e-4"
NO_EPS = "open: no eps from 1e-3 to 1e-2 gives it; R is 0.9984 or 0.9985 from 4.6e-3 on, and 1.0018 or more below"
COLOURS = "read off the colours of a figure and its text: {} counts"
E14 = "E14: the tables leave out the term u phi'^2 of (5.15)"
E15 = "E15: the finite eps of the thesis merges impacts into one"

TABLE_1 = {1.0: ("0.9334", "0.9989", "0.8744"), 1e2: ("0.3010", "0.3009", "0.3010"), 1e4: ("0.3010", "0.3009", "0.3010")}
TABLE_2 = {1.0: ("1.1540", "1.2350", "1.1474"), 1e2: ("0.7083", "0.7086", "0.7086"), 1e4: ("0.7083", "0.7086", "0.7086")}
TABLE_3 = {
    1.0: ("1.0240", "1.0251", "1.0123"),
    10.0: ("0.9888", "1.0105", "0.9870"),
    1e2: ("0.7379", "0.9188", "0.7739"),
    1e3: ("0.3596", "0.5132", "0.4102"),
    1e4: ("0.3549", "0.3548", "0.3549"),
}
CONVERGED_3 = {
    1.0: ("1.0274", "1.0290", "1.0129"),
    10.0: ("0.9865", "1.0112", "0.9760"),
    1e2: ("0.6361", "0.8978", "0.6429"),
    1e3: ("0.2753", "0.3434", "0.2753"),
    1e4: ("0.2753", "0.2753", "0.2753"),
}


def ratio(rho: float, alpha: float, d: float, phi0: float, **choices) -> float:
    """R of a rod with gamma = rho and the oscillator in the middle."""
    return drop(device(rho, rho, 0.0, alpha, d), phi0, report=False, **choices).R


def table(
    id: str, name: str, rho: float, phi0: float, printed: Mapping[float, tuple[str, ...]], only: tuple[float, ...]
) -> Iterator[Row]:
    """Entries of a printed table in the scheme of the thesis."""
    for d in only:
        for alpha, told in zip(ALPHAS, printed[d]):
            yield value(
                id,
                f"{name}, alpha = {alpha:g}, d = {d:g}: R in the thesis' scheme",
                ratio(rho, alpha, d, phi0, **THESIS),
                printed=told,
                tolerance=UNSTATED,
                why=WHY,
                unexplained=NO_EPS if told == "0.9989" else "",
            )


def converged(
    id: str, name: str, rho: float, phi0: float, d: float, told: tuple[str, ...], whole: tuple[str, ...] | None
) -> Iterator[Row]:
    """The same entries converged, without and with the term u phi'^2, and how far eps matters."""
    for k, alpha in enumerate(ALPHAS):
        dev = device(rho, rho, 0.0, alpha, d)
        found = drop(dev, phi0, **CONVERGED)
        entry = f"{name}, alpha = {alpha:g}, d = {d:g}"
        yield value(id, f"{entry}: R converged, without u phi'^2", found.R, reference=told[k], note=E15)
        assert found.convergence is not None
        yield bound(id, f"{entry}: change of R from eps = 1e-9 to 1e-11, relative", found.convergence.spread, 1e-6)
        if whole is not None:
            full = drop(dev, phi0, report=False).R
            yield value(id, f"{entry}: R with the whole of (5.15)", full, reference=whole[k], note=E14)


def o1() -> Iterator[Row]:
    """R_Goyal of Table 5.1, and the engine against an independent integration."""
    found = drop(device(1 / 3, 1 / 3, 0.0, 1.0, 100.0), math.pi / 4)
    yield value(
        "O1", "Tab. 5.1, rho = gamma = 1/3, phi(0) = pi/4: R_Goyal (5.28)", found.R_goyal, printed="0.3010", reference="0.301041"
    )
    for rho, gamma, r, alpha, d, phi0 in ((1 / 3, 1 / 3, 0.0, 1.0, 10.0, math.pi / 4), (2 / 3, 2 / 3, 0.7, 0.3, 3.0, 1.1)):
        dev = device(rho, gamma, r, alpha, d)
        ours = drop(dev, phi0, max_impacts=6, report=False)
        told = judge(rho, gamma, r, dev.Omega, dev.delta, phi0, most=6)
        apart = max(abs(a / b[0] - 1.0) for a, b in zip(ours.impact_log[:, 0], told.impacts))
        what = f"rho = {rho:.3g}, r = {r:g}"
        yield bound("O1", f"{what}: times of 6 impacts against SciPy with multipliers, relative", apart, 1e-9)
        yield bound("O1", f"{what}: sup|u| until the seventh, relative", abs(ours.peak / told.peak - 1.0), 1e-7)


def o2() -> Iterator[Row]:
    """Table 5.1, d = 1."""
    yield from table("O2", "Tab. 5.1", 1 / 3, math.pi / 4, TABLE_1, (1.0,))
    yield from converged(
        "O2", "Tab. 5.1", 1 / 3, math.pi / 4, 1.0, ("0.9333", "1.0071", "0.8745"), ("1.1248", "1.2125", "0.9245")
    )
    weighed = drop(device(1 / 3, 1 / 3, 0.0, 1.0, 1.0), math.pi / 4, centrifugal=False, ringdown="weight", report=False).R
    yield claim(
        "O2",
        "Tab. 5.1, alpha = 1, d = 1: R if the oscillator keeps its weight while the rod rests, as (5.15) says",
        f"{weighed:.4f}",
        weighed > 1.1,
        printed="0.9989",
        why="a tenth above the printed R",
        note="the printed R and all others follow only without the weight, as in the reference motion",
        verdict=REFUTED,
    )


def o3() -> Iterator[Row]:
    """Table 5.1, d = 100 and 1e4."""
    for d in (1e2, 1e4):
        for alpha, told in zip(ALPHAS, TABLE_1[d]):
            what = f"Tab. 5.1, alpha = {alpha:g}, d = {d:g}: R"
            found = ratio(1 / 3, alpha, d, math.pi / 4, **CONVERGED)
            yield value("O3", what, found, printed=told, tolerance=1.5e-4, why=WHY)


def o4() -> Iterator[Row]:
    """Table 5.2."""
    what = "Tab. 5.2, rho = gamma = 2/3, phi(0) = pi/4: R_Goyal"
    yield value("O4", what, drop(device(2 / 3, 2 / 3), math.pi / 4).R_goyal, printed="0.7086", reference="0.708582")
    yield from table("O4", "Tab. 5.2", 2 / 3, math.pi / 4, TABLE_2, (1.0, 1e2, 1e4))
    for alpha, entry, told in zip(ALPHAS, TABLE_2[1.0], ("1.696", "50.7", "1.238")):
        found = drop(device(2 / 3, 2 / 3, 0.0, alpha, 1.0), math.pi / 4).R
        what = f"Tab. 5.2, alpha = {alpha:g}, d = 1: R with the whole of (5.15)"
        yield value("O4", what, found, printed=entry, reference=told, erratum=E14)


def o5() -> Iterator[Row]:
    """Table 5.3."""
    yield from table("O5", "Tab. 5.3", 1 / 3, math.pi / 40, TABLE_3, tuple(TABLE_3))
    for d, told in CONVERGED_3.items():
        yield from converged("O5", "Tab. 5.3", 1 / 3, math.pi / 40, d, told, None)
    for alpha, entry in zip(ALPHAS, TABLE_3[1e4]):
        found = ratio(1 / 3, alpha, 1e4, math.pi / 40)
        what = f"Tab. 5.3, alpha = {alpha:g}, d = 1e4: printed R against the converged one"
        yield value("O5", what, found, printed=entry, reference="0.2753", erratum=E15)


def o6() -> Iterator[Row]:
    """R_Goyal of Table 5.3, and E14b, E15: what the table is said to show."""
    dev = device(1 / 3, 1 / 3, 0.0, 1.0, 1e4)
    found = drop(dev, math.pi / 40)
    yield value("O6", "Tab. 5.3: R_Goyal", found.R_goyal, printed="0.2753", reference="0.275280")
    yield claim(
        "O6",
        "E15: Tab. 5.3, d = 1e4: is R_Goyal met?",
        f"R = {found.R:.7f}, R_Goyal = {found.R_goyal:.7f}",
        abs(found.R - found.R_goyal) < 1e-6,
        printed="no: R = 0.3549, so that d = 1e4 is not enough for (5.28)",
        verdict=REFUTED,
    )
    yield claim(
        "O6",
        "E15: does rho = gamma = 1/3 lie in the range of chattering stability?",
        "no" if not dev.chatters else "yes",
        not dev.chatters,
        printed="yes",
        verdict=REFUTED,
    )
    x = (np.arange(100_000) + 0.5) / 50_000 - 1.0
    yield value(
        "O6",
        "radius of gyration of a homogeneous rod",
        math.sqrt(float(np.mean(x**2))),
        printed="1/3",
        tolerance=1e-9,
        why="an exact number; the sum has 100 000 terms",
        erratum="E14b: rho^2 = 1/3",
    )


def o7() -> Iterator[Row]:
    """The insensitivity to h(0) that the thesis reports without details (sec. 5.4.1)."""
    count = 20
    base, high = shock(0.0, count=count)["R"].values, shock(0.0, count=count, h0=30.0)["R"].values
    typical = float(np.median(np.abs(high - base) / base))
    what, text = "R for h(0) = 30 is similar to R for h(0) = 10", f"median change {100 * typical:.1f} %"
    yield claim("O7", what, text, typical < 0.1, printed="similar", why="similar: within a tenth")


def o8() -> Iterator[Row]:
    """The maps of Figs. 5.8-5.12."""
    middle, end = shock(0.0), shock(1.0)
    inside = chatter_region(middle)
    R = middle["R"].values
    flat = shock(0.0, step=1)["R"].values
    low, most = float(flat[inside].min()), float(flat[inside].max())
    what, text = "Fig. 5.8a, r = 0, pi/40: R in the region (B.8)", f"{low:.3f} .. {most:.3f}"
    yield claim("O8", what, text, low > 0.7 and most < 1.25, printed="about 1", why=COLOURS.format("0.7 .. 1.25"))
    low, most = float(R[inside].min()), float(R[inside].max())
    what, text = "Fig. 5.8d, r = 0, worst case: R in the region (B.8)", f"{low:.3f} .. {most:.3f}"
    yield claim("O8", what, text, low > 0.7 and most < 1.3, printed="about 1", why=COLOURS.format("0.7 .. 1.3"))
    largest = float(R[~inside].max())
    what = "Fig. 5.8d, r = 0, worst case: largest R outside"
    yield claim("O8", what, f"{largest:.3f}", 1.8 < largest < 2.05, printed="up to 2", why=COLOURS.format("1.8 .. 2.05"))
    column = end["R"].sel(rho=1 / 3, method="nearest").values
    what, text = "Fig. 5.9d, r = 1, worst case at rho = 1/3", f"{column.min():.2f} .. {column.max():.2f}"
    yield claim("O8", what, text, column.min() > 1.5 and column.max() < 5.5, printed="2 .. 5", why=COLOURS.format("1.5 .. 5.5"))
    small = float(np.median(end["R"].values[0]))
    what, text = "Fig. 5.9d, r = 1: higher values for lower rho", f"median {small:.1f} at rho = {float(end['rho'][0]):.3g}"
    yield claim("O8", what, text, small > column.max(), printed="yes")
    for r, data in ((0.0, middle), (1.0, end)):
        shares = [float((np.abs(shock(r, a, 100.0)["R"].values / data["R_goyal"].values - 1.0) < 0.1).mean()) for a in (0.3, 3.0)]
        text = " and ".join(f"{100 * s:.0f} %" for s in shares) + " of the plane (alpha = 0.3 and 3)"
        what = f"Figs. 5.10-5.12, r = {r:g}, d = 100: R within 10 % of R_Goyal"
        yield claim("O8", what, text, min(shares) > 0.0 and max(shares) < 1.0, printed="in certain ranges, not everywhere")
    whole, whole_end = shock(0.0, centrifugal=True)["R"].values, shock(1.0, centrifugal=True)["R"].values
    for name, values in (("r = 0", whole), ("r = 1", whole_end)):
        yield picture(
            "O8",
            f"worst case with u phi'^2, {name}, d = 10",
            f"R > 2 on {100 * (values > 2).mean():.0f} %, R > 10 on {100 * (values > 10).mean():.0f} % of the plane, up to {'more than 1e300' if values.max() > 1e300 else f'{values.max():.1e}'}",
            E14,
        )
    kept = float((np.abs(whole[inside] - R[inside]) < 0.05 * R[inside]).mean())
    yield picture(
        "O8", "region (B.8), r = 0: R changes by less than 5 % through u phi'^2", f"on {100 * kept:.0f} % of the region"
    )


TARGETS = {"O1": o1, "O2": o2, "O3": o3, "O4": o4, "O5": o5, "O6": o6, "O7": o7, "O8": o8}
