"""What to ask of a system besides its motion: exponents, sections."""
