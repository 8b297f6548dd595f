"""The coefficients of Radau IIA with three stages, order 5 (Hairer, Wanner, *Solving Ordinary Differential Equations II*, sec. IV.5, IV.8).

With s = sqrt(6) the collocation matrix is

        | (88-7s)/360       (296-169s)/1800   (-2+3s)/225 |
    A = | (296+169s)/1800   (88+7s)/360       (-2-3s)/225 |        c = ((4-s)/10, (4+s)/10, 1).
        | (16-s)/36         (16+s)/36          1/9        |

Its inverse has one real eigenvalue REAL = 3 + 3^(2/3) - 3^(1/3) and a complex pair ALPHA +- i BETA, and

    T^-1 A^-1 T = | REAL              |
                  |      ALPHA  -BETA |
                  |      BETA   ALPHA |

where the columns of T are the real eigenvector, and the real part and minus the imaginary part of the eigenvector of ALPHA + i BETA,
all scaled to a last row (1, 1, 0). `TI` is the inverse of T. `E` weighs the stages in the error estimate.
"""

from __future__ import annotations

C = (0.15505102572168219, 0.64494897427831777, 1.0)

REAL = 3.6378342527444957
ALPHA = 2.6810828736277523
BETA = 3.0504301992474105

T11, T12, T13 = 0.094438762488975242, -0.14125529502095421, -0.030029194105147424
T21, T22, T23 = 0.25021312296533332, 0.20412935229379994, 0.38294211275726192

TI11, TI12, TI13 = 4.1787185915519051, 0.32768282076106237, 0.52337644549944951
TI21, TI22, TI23 = -4.1787185915519051, -0.32768282076106237, 0.47662355450055044
TI31, TI32, TI33 = -0.50287263494578682, 2.5719269498556050, -0.59603920482822492

E1, E2, E3 = -10.048809399827416, 1.3821427331607490, -0.33333333333333331
