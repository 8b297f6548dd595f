"""Motions of bodies with contacts: time stepping, lasting contact, and from event to event."""
