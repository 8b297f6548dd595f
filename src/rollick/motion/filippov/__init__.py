"""Motions of forms of one or two dry contacts through their modes, which the method "event-driven" follows."""
