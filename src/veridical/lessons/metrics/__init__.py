"""Lesson: how you know whether a model is any good, from scratch.

Plain numpy and loops, to be read; the library's own functions are faster and say what they cannot
compute.  One file a section: ``confusion_matrix``, ``thresholds``, ``search_results``,
``overlap_scores``, ``judge_calibration``.  Told in a terminal by ``veridical learn metrics``.
"""

from __future__ import annotations

from veridical.lessons.metrics.confusion_matrix import (
    Confusion,
    confusion,
    flag_nothing_trap,
    fraud_example,
)
from veridical.lessons.metrics.drawing import FIGURE_ALTS, figures
from veridical.lessons.metrics.judge_calibration import (
    cohens_kappa,
    expected_agreement,
    judge_examples,
    raw_agreement,
)
from veridical.lessons.metrics.overlap_scores import (
    GEN_CANDIDATES,
    GEN_REFERENCE,
    bleu,
    ngrams,
    rouge_l,
    words,
)
from veridical.lessons.metrics.search_results import (
    dcg_at_k,
    mean_reciprocal_rank,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)
from veridical.lessons.metrics.telling import demo
from veridical.lessons.metrics.thresholds import (
    auc_trapezoid,
    best_threshold_by_cost,
    pr_curve,
    roc_auc,
    roc_auc_rank,
    roc_curve,
    synthetic_scores,
)

__all__ = [
    "FIGURE_ALTS",
    "GEN_CANDIDATES",
    "GEN_REFERENCE",
    "Confusion",
    "auc_trapezoid",
    "best_threshold_by_cost",
    "bleu",
    "cohens_kappa",
    "confusion",
    "dcg_at_k",
    "demo",
    "expected_agreement",
    "figures",
    "flag_nothing_trap",
    "fraud_example",
    "judge_examples",
    "mean_reciprocal_rank",
    "ndcg_at_k",
    "ngrams",
    "pr_curve",
    "precision_at_k",
    "raw_agreement",
    "recall_at_k",
    "reciprocal_rank",
    "roc_auc",
    "roc_auc_rank",
    "roc_curve",
    "rouge_l",
    "synthetic_scores",
    "words",
]
