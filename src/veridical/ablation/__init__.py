"""Factorial experiments: runs by factors, seeds as replicates, and what each factor moves."""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.ablation.experiment import Experiment, Factor, PlannedRun
    from veridical.ablation.measuring import ablate
    from veridical.ablation.reading import read_experiment
    from veridical.ablation.results import Ablation, Term

__all__ = [
    "Ablation",
    "Experiment",
    "Factor",
    "PlannedRun",
    "Term",
    "ablate",
    "read_experiment",
]

__getattr__ = loaded_late(
    __name__,
    {
        "experiment": ["Experiment", "Factor", "PlannedRun"],
        "measuring": ["ablate"],
        "reading": ["read_experiment"],
        "results": ["Ablation", "Term"],
    },
)
