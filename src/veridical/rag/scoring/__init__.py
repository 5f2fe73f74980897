"""Scores of cases: pure functions of a case, what the pipeline replied, and what a judge said."""

from veridical.rag.scoring.asking import questions
from veridical.rag.scoring.case_scores import score
from veridical.rag.scoring.claims import Claim, Evidence, JudgedCitation, evidence
from veridical.rag.scoring.registry import METRICS, RagMetric, metric_names
from veridical.rag.scoring.settings import ScoreSettings

__all__ = [
    "METRICS",
    "Claim",
    "Evidence",
    "JudgedCitation",
    "RagMetric",
    "ScoreSettings",
    "evidence",
    "metric_names",
    "questions",
    "score",
]
