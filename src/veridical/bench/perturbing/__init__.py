"""Changes between what happened and what the files show."""
