"""What survives a kill: the results of an ensemble in a store, chunk by chunk, and maps in one file."""
