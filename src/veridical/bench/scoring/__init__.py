"""From a submission and the truth to numbers: a pure function, and no model judges anything."""
