"""Agents that reconcile bank accounts: generated cases, runs, scores.  No model judges anything."""
