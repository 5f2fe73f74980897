"""Running agents on cases: tools, limits, trajectories, and going on after an interruption."""
