"""Where data, metrics and intervals meet: ``evaluate``, ``measure`` and what they return."""

from veridical.evaluation.evaluation import Evaluation
from veridical.evaluation.measuring import evaluate, measure

__all__ = ["Evaluation", "evaluate", "measure"]
