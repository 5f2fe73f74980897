"""A run: planned, worked through call by call, resumed, scored, and kept as a ``Run``."""
