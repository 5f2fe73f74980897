"""Whether data still look like those that a model was made on."""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.stability.drift_evaluation import DriftEvaluation
    from veridical.stability.measuring import evaluate_drift, measure_drift
    from veridical.stability.reference import Reference
    from veridical.stability.traffic_light import Light, light_of

__all__ = [
    "DriftEvaluation",
    "Light",
    "Reference",
    "evaluate_drift",
    "light_of",
    "measure_drift",
]

__getattr__ = loaded_late(
    __name__,
    {
        "drift_evaluation": ["DriftEvaluation"],
        "measuring": ["evaluate_drift", "measure_drift"],
        "reference": ["Reference"],
        "traffic_light": ["Light", "light_of"],
    },
)
