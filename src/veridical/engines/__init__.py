"""From rows to summaries: in memory, in batches, on a cluster."""
