"""Systems with one or two dry contacts: what they tell the solver, bodies among them, one of them in a mode, and its regularised twin."""
