"""Flight and impact: from collision to collision, through accumulations and into lasting contact."""
