"""Many motions: maps over grids of parameters."""
