"""Whether an answer declines to answer: a heuristic in ten languages, where no judge is there."""

from veridical.rag.refusals.detector import LANGUAGES, refused

__all__ = ["LANGUAGES", "refused"]
