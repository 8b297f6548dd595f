"""Mass, mass centre and inertia: of primitives, of parts put together, of closed meshes."""
