"""Bodies: mass properties, shapes, and how they touch a plane."""
