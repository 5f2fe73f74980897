"""Where data, metrics and intervals meet: ``evaluate``, ``measure`` and what they return."""

from veridical.evaluation.measuring import evaluate, measure
from veridical.evaluation.evaluation import Evaluation

__all__ = ["Evaluation", "evaluate", "measure"]
