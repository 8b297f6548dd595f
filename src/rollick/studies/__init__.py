"""One study per work: its published targets recomputed (the ledger), and its figures redrawn."""
