"""Whether decisions treat groups alike."""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.parity.fairness_evaluation import FairnessEvaluation
    from veridical.parity.measuring import evaluate_fairness
    from veridical.parity.places import FairnessByPlace, fairness_by_place
    from veridical.parity.two_groups import measure_fairness

__all__ = [
    "FairnessByPlace",
    "FairnessEvaluation",
    "evaluate_fairness",
    "fairness_by_place",
    "measure_fairness",
]

__getattr__ = loaded_late(
    __name__,
    {
        "fairness_evaluation": ["FairnessEvaluation"],
        "measuring": ["evaluate_fairness"],
        "places": ["FairnessByPlace", "fairness_by_place"],
        "two_groups": ["measure_fairness"],
    },
)
