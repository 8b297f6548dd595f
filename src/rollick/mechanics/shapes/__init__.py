"""Convex shapes by their support maps; their curvature, their meridians, and the triangles to draw them with."""
