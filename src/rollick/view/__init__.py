"""Pictures of motions and of studies."""
