"""A thesis on dynamics induced by sequences of collisions: its four studies as one.

Chatter (A, B), the dying disk (C), the dropped device (O), the lander (P).
"""

from ..chatter import STUDY as CHATTER
from ..drop_test import STUDY as DROP_TEST
from ..dying_disk import STUDY as DYING_DISK
from ..philae import STUDY as PHILAE
from ..study import together

STUDY = together(
    "collisions",
    "sequences of collisions: chatter, Euler's disk, the dropped device, Philae",
    (CHATTER, DYING_DISK, DROP_TEST, PHILAE),
)
