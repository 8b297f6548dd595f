"""The colours of pictures: eight that people with any of the common kinds of colour blindness can tell apart.

Blue, vermilion, green, orange and sky blue are those of Okabe and Ito; their purple is replaced by Tol's, which is dark enough for thin lines.
Pictures draw with these names; `plotting.theme` makes them lighter on a dark ground.
"""

from __future__ import annotations

INK, WARM, GREEN, PLUM, AMBER, SKY = "#0072B2", "#D55E00", "#009E73", "#AA3377", "#E69F00", "#56B4E9"
DARK, GREY = "#222222", "#7f7f7f"
COLOURS = (INK, WARM, GREEN, PLUM, AMBER, SKY, DARK, GREY)  # in the order in which curves take them
