"""Where data, metrics and intervals meet: ``evaluate``, ``measure`` and what they return."""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.evaluation.evaluation import Evaluation
    from veridical.evaluation.measuring import evaluate
    from veridical.evaluation.one_metric import measure

__all__ = ["Evaluation", "evaluate", "measure"]

__getattr__ = loaded_late(
    __name__,
    {"evaluation": ["Evaluation"], "measuring": ["evaluate"], "one_metric": ["measure"]},
)
