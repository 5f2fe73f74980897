"""What two texts have in common: tokenisers, n-grams, subsequences, edits.  Counts, no scores."""
