"""What rounding does to motions: how far two computations of one motion may be apart that differ in nothing but the order in which they round."""

import numpy as np

MANY = 300.0  # rounding errors of a step add up; each is as large as that of the start


def round_off(own, nudged):
    """The differences that rounding explains, for each number of each motion: some hundred times what one unit in the last place of the start makes of it
    (`nudged`: the same motions from starts with that added), and as many units in the last place of the number itself, at the scale of its motions."""
    own, nudged = np.asarray(own), np.asarray(nudged)
    unit = np.spacing(np.abs(own).max(axis=0))
    return MANY * (np.abs(nudged - own).max(axis=1, keepdims=True) + unit)
