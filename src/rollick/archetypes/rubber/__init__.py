"""Rubber rolling of surfaces of revolution (J. Koiller): reduction to one degree of freedom, quadratures, equilibria."""
