"""The railway wheelset of M. Antali, Dynamics of Dual-Point Rolling Bodies (2017), chapters 1 and 5."""
