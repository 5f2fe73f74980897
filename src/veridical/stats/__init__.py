"""Intervals, paired tests and resampling: pure functions on counts, walks and rows."""
