"""``veridical monitor``: one file a verb, or a few that belong together."""
