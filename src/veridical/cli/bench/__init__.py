"""The verbs of `veridical bench`, one file each."""
