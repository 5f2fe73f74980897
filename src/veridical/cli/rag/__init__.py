"""The verbs of `veridical rag`, one file each."""
