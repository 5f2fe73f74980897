"""Whether decisions treat groups alike."""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.parity.fairness_evaluation import FairnessEvaluation
    from veridical.parity.measuring import evaluate_fairness
    from veridical.parity.two_groups import measure_fairness

__all__ = ["FairnessEvaluation", "evaluate_fairness", "measure_fairness"]

__getattr__ = loaded_late(
    __name__,
    {
        "fairness_evaluation": ["FairnessEvaluation"],
        "measuring": ["evaluate_fairness"],
        "two_groups": ["measure_fairness"],
    },
)
