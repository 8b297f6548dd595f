"""The flowmeter beyond the thesis: start-up, the drag of real flow, and the side from which X_SR can be reached. Target FN."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator

import numpy as np

from ...analysis.filippov.theory.what_next import what_next
from ...analysis.filippov.what_follows import what_follows
from ...archetypes.flowmeter.bifurcations import hysteresis
from ...archetypes.flowmeter.engineering import flowmeter
from ...archetypes.flowmeter.fields import carried, flowmeter_fields, normals
from ...archetypes.flowmeter.thresholds import bisected, margin_of_rolling, start_up, thresholds
from ...motion.result.outcome import MotionWarning
from ...motion.simulate import simulate
from ..ledger import NEW, Row, bound, claim
from .flowmeter import METER, wall_state, with_swirl


def beyond() -> Iterator[Row]:
    """What the thesis does not say."""
    begins = start_up(METER, METER.flow.v_f)
    j, mu, d, c, v_f = METER.j, METER.mu, METER.d, METER.drag.c, METER.flow.v_f
    k = mu * (1.0 + j) * (1.0 + 2.0 * j) / (d * j * c)
    exact = (math.sqrt(1.0 + 4.0 * k * v_f) - 1.0) / (2.0 * k)
    rolls = bisected(lambda v: what_next(flowmeter_fields(METER), [0, 0, 0, v]).mode != "RR", 1e-4, v_f, 1e-12)
    yield bound(
        "FN",
        "start-up: rolling is the only future where mu (1+j)(1+2j) v^2/d >= j c (v_f - v); against Proposition 3.3, relative",
        abs(rolls / exact - 1.0),
        1e-7,
        verdict=NEW,
    )
    inside = 0.5 * (begins.wedged_from + begins.rolls_from)
    places = (0.99 * begins.wedged_from, inside, 1.01 * begins.rolls_from)
    letters = [sorted(f.letters for f in what_follows(METER, [0, 0, 0, v])) for v in places]
    yield claim(
        "FN",
        f"start-up: the solver's futures below, in and above the band of {begins.band:.2%}",
        "; ".join(" or ".join(x) for x in letters),
        letters == [["RS"], ["RR", "RS"], ["RR"]],
        reference="RS; RR or RS; RR",
        verdict=NEW,
    )
    begin = lambda v: [f.letters for f in what_follows(with_swirl(METER, v), [0, 0, 0, 0])]
    turn = bisected(lambda v: begin(v) == ["RS"], 1.0, 1e3, 1e-12)
    assert begin(1.01 * turn) == ["SS"]
    off = abs(turn / (mu * METER.g * (1.0 + j) / (j * c)) - 1.0)
    yield bound(
        "FN",
        "from rest the wall slips first (RS) up to j D(v_f)/(1 + j) = mu g, beyond it both (SS), by the solver's futures, relative",
        off,
        1e-8,
        verdict=NEW,
    )
    real, thesis = hysteresis(flowmeter(drag="schiller-naumann")), hysteresis(METER)
    assert real is not None
    assert thesis is not None
    share = (real[1] - real[0]) / (thesis[1] - thesis[0])
    yield bound(
        "FN",
        "range with two stable states, drag of Schiller and Naumann over that of Stokes (Re is 60 000 there)",
        share,
        1e-3,
        verdict=NEW,
    )
    yield from one_sided()


def one_sided() -> Iterator[Row]:
    """X_SR is reached from above only: N+ = -e D/(mu ((1+2j)/j - 1 - e)), e = g d/(j v^2), on the slow way to it, and D < 0 there."""
    m = with_swirl(METER, 1.5)
    ends = []
    for v in (1.45, 1.55):
        start = wall_state(m, v) + np.array([0.005 * m.g * m.d / (m.j * v), 0.0, 0.0, 0.0])  # N+ a little above zero
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)  # that a contact opens is what is asked
            ends.append(simulate(m, start, 60.0, progress=False, rtol=1e-10))
    yield claim(
        "FN",
        "X_SR at v_f = 1.5 m/s, approached from v = 1.45 and from 1.55 m/s, with N+ > 0 at first",
        ", ".join(e.status for e in ends),
        [e.status for e in ends] == ["contact_loss", "finished"],
        reference="contact_loss, finished",
        verdict=NEW,
    )
    x = ends[1].end_state
    e = m.g * m.d / (m.j * x[3] ** 2)
    slow = -e * float(carried(m, x[3])) / (m.mu * ((1.0 + 2.0 * m.j) / m.j - 1.0 - e))
    yield bound(
        "FN",
        "from above: N+ after 60 s against its slow value, relative",
        abs(float(normals(m, "SR", x)[0]) / slow - 1.0),
        0.05,
        "of first order in the ratio of a slow to a fast rate",
        verdict=NEW,
    )
    lowest = min(margin_of_rolling(METER, v, v) for v in np.linspace(1e-3, 0.99 * thresholds(METER).rolling, 50))
    yield claim(
        "FN",
        "the static margin is positive on all of X_RR, 50 states",
        f"least {lowest:.2g} m/s^2",
        lowest > 0.0,
        reference="positive",
        verdict=NEW,
    )
