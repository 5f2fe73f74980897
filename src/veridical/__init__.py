"""The table of contents.

Every name is loaded when it is first used, so that importing the package costs almost nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from veridical.ablation import Ablation, ablate
    from veridical.accumulator import Accumulator
    from veridical.comparison import Comparison, compare
    from veridical.costs import Costs
    from veridical.errors import SkippedError, VeridicalError
    from veridical.evaluation import Evaluation, evaluate, measure
    from veridical.evaluation.agreement import AgreementEvaluation, evaluate_agreement
    from veridical.evaluation.text import TextEvaluation, evaluate_text
    from veridical.gates import GateVerdict, gate
    from veridical.metric_catalogue import catalogue
    from veridical.metrics import (
        agreement,
        binary,
        calibration,
        cost,
        drift,
        echo,
        fairness,
        generation,
        retrieval,
        robustness,
        text,
        trec,
    )
    from veridical.parity import FairnessEvaluation, evaluate_fairness
    from veridical.portable import Summary, summarise
    from veridical.ranking import RankingEvaluation, evaluate_ranking
    from veridical.reasons import SkipReason
    from veridical.results import Conditions, Interval, Measured, Result, Skipped
    from veridical.stability import DriftEvaluation, evaluate_drift
    from veridical.store import Run, Store, load_run
    from veridical.validation import Validation, validate_model

_HOMES = {
    "Ablation": "veridical.ablation",
    "Accumulator": "veridical.accumulator",
    "AgreementEvaluation": "veridical.evaluation.agreement",
    "Comparison": "veridical.comparison",
    "Conditions": "veridical.results",
    "Costs": "veridical.costs",
    "DriftEvaluation": "veridical.stability",
    "Evaluation": "veridical.evaluation",
    "FairnessEvaluation": "veridical.parity",
    "GateVerdict": "veridical.gates",
    "Interval": "veridical.results",
    "Measured": "veridical.results",
    "RankingEvaluation": "veridical.ranking",
    "Result": "veridical.results",
    "Run": "veridical.store",
    "SkipReason": "veridical.reasons",
    "Skipped": "veridical.results",
    "SkippedError": "veridical.errors",
    "Store": "veridical.store",
    "Summary": "veridical.portable",
    "TextEvaluation": "veridical.evaluation.text",
    "Validation": "veridical.validation",
    "VeridicalError": "veridical.errors",
    "ablate": "veridical.ablation",
    "catalogue": "veridical.metric_catalogue",
    "compare": "veridical.comparison",
    "evaluate": "veridical.evaluation",
    "evaluate_agreement": "veridical.evaluation.agreement",
    "evaluate_drift": "veridical.stability",
    "evaluate_fairness": "veridical.parity",
    "evaluate_ranking": "veridical.ranking",
    "evaluate_text": "veridical.evaluation.text",
    "gate": "veridical.gates",
    "load_run": "veridical.store",
    "measure": "veridical.evaluation",
    "summarise": "veridical.portable",
    "validate_model": "veridical.validation",
}
_FAMILIES = (
    "agreement",
    "binary",
    "calibration",
    "cost",
    "drift",
    "echo",
    "fairness",
    "generation",
    "retrieval",
    "robustness",
    "text",
    "trec",
)

__all__ = [
    "Ablation",
    "Accumulator",
    "AgreementEvaluation",
    "Comparison",
    "Conditions",
    "Costs",
    "DriftEvaluation",
    "Evaluation",
    "FairnessEvaluation",
    "GateVerdict",
    "Interval",
    "Measured",
    "RankingEvaluation",
    "Result",
    "Run",
    "SkipReason",
    "Skipped",
    "SkippedError",
    "Store",
    "Summary",
    "TextEvaluation",
    "Validation",
    "VeridicalError",
    "ablate",
    "agreement",
    "binary",
    "calibration",
    "catalogue",
    "compare",
    "cost",
    "drift",
    "echo",
    "evaluate",
    "evaluate_agreement",
    "evaluate_drift",
    "evaluate_fairness",
    "evaluate_ranking",
    "evaluate_text",
    "fairness",
    "gate",
    "generation",
    "load_run",
    "measure",
    "retrieval",
    "robustness",
    "summarise",
    "text",
    "trec",
    "validate_model",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif name in _FAMILIES:
        value = importlib.import_module(f"veridical.metrics.{name}")
    else:
        raise AttributeError(f"module 'veridical' has no attribute {name!r}")
    globals()[name] = value  # found once, never looked up again
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
