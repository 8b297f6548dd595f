"""The forces of one or two contacts in a mode each, and all combinations of modes that can follow an instant: linear algebra that knows numbers alone."""
