"""The systems of the five works, each in its own room, in the work's own symbols."""
